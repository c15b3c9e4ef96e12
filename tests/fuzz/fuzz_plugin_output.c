/* fuzz_plugin_output.c — what a plugin prints is delivered the same however it arrives in pieces,
 * and every port that is accepted is one. */
#include "plugin/host/plugin_host.h"
#include "plugin/process/plugin_output.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void collect(void *collected_, enum plugin_severity severity, str message, int32_t stream_id)
{
    struct strbuf *collected = collected_;

    /* A byte that is no text is shown as a replacement character of three. */
    size_t largest = 3 * (severity == PLUGIN_ERROR ? OUTPUT_KEPT_MAX + 1024 : OUTPUT_LINE_MAX);
    if (str_trim(message).len == 0 || message.len > largest || stream_id <= 0)
        abort();
    strbuf_printf(collected, "%d:", severity);
    strbuf_add(collected, message);
}

/* Prints everything on both streams, `step` bytes at a time; the result is all that is reported,
 * and the port line. */
static void print_in_pieces(str bytes, size_t step, bool is_hidden, struct strbuf *out)
{
    struct plugin_host host = { .options = { .report = collect, .report_context = out } };
    struct plugin_output output;

    plugin_output_init(&output, &host, is_hidden);
    for (size_t at = 0; at < bytes.len; at += step)
        plugin_output_add(&output, OUTPUT_STDOUT, str_slice(bytes, at, at + step));
    plugin_output_end(&output, OUTPUT_STDOUT);
    for (size_t at = 0; at < bytes.len; at += step)
        plugin_output_add(&output, OUTPUT_STDERR, str_slice(bytes, at, at + step));
    plugin_output_end(&output, OUTPUT_STDERR);
    if (!output.done.is_open || !output.port_line_done.is_open
        || output.port_line.len > PORT_LINE_MAX)
        abort();
    plugin_output_dump(&output, STR("/a/plugin"));
    if (output.has_port_line)
        strbuf_add(out, strbuf_str(&output.port_line));
    plugin_output_release(&output);
    map_release(&host.deaths);
    arena_release(&host.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str bytes = { (const char *)data, size };
    size_t step = size > 0 ? data[0] % 17 + 1 : 1;
    CLEANUP(strbuf_release) struct strbuf whole = { 0 };
    CLEANUP(strbuf_release) struct strbuf pieces = { 0 };
    uint16_t port = 0;

    print_in_pieces(bytes, size + 1, step % 2, &whole);
    print_in_pieces(bytes, step, step % 2, &pieces);
    if (!str_equal(strbuf_str(&whole), strbuf_str(&pieces)))
        abort();

    struct error *failure = plugin_parse_port(bytes, &port);
    if (!failure && port == 0)
        abort();
    error_free(failure);
    return 0;
}
