/* plugin_output.c — what a plugin prints: its port line first, then diagnostics line by line. */
#include "plugin/process/plugin_output.h"

#include "plugin/host/plugin_host.h"

void plugin_output_init(struct plugin_output *output, struct plugin_host *host, bool is_hidden)
{
    *output = (struct plugin_output){ .host = host, .is_hidden = is_hidden };
    for (int stream = 0; stream < OUTPUT_STREAMS; stream++)
        output->stream_ids[stream] = plugin_host_stream_id(host);
}

void plugin_output_release(struct plugin_output *output)
{
    for (int stream = 0; stream < OUTPUT_STREAMS; stream++)
        strbuf_release(&output->lines[stream]);
    strbuf_release(&output->kept);
    strbuf_release(&output->port_line);
}

/* Holds on to the end only: a plugin may run for hours and print all the time. */
static void plugin_output_keep(struct plugin_output *output, str bytes)
{
    strbuf_add(&output->kept, bytes);
    if (output->kept.len < 2 * (size_t)OUTPUT_KEPT_MAX)
        return;
    memmove(output->kept.ptr, output->kept.ptr + output->kept.len - OUTPUT_KEPT_MAX,
            OUTPUT_KEPT_MAX);
    output->kept.len = OUTPUT_KEPT_MAX;
}

static void deliver_line(struct plugin_output *output, enum output_stream stream)
{
    static const enum plugin_severity severities[OUTPUT_STREAMS] = { PLUGIN_INFO,
                                                                     PLUGIN_INFO_ERROR };
    struct strbuf *line = &output->lines[stream];
    enum plugin_severity severity = output->is_hidden ? PLUGIN_DEBUG : severities[stream];

    if (str_trim(strbuf_str(line)).len > 0 && !output->is_silent)
        plugin_host_report(output->host, severity, strbuf_str(line), output->stream_ids[stream]);
    strbuf_clear(line);
}

/* Everything up to the first newline of standard output is the port line; returns what follows
 * it. */
static str take_port_line(struct plugin_output *output, str bytes)
{
    size_t newline = str_find_char(bytes, '\n');
    str head = str_slice(bytes, 0, newline);

    if (output->has_long_port_line || output->port_line.len + head.len > PORT_LINE_MAX) {
        output->has_long_port_line = true;
        latch_open(&output->port_line_done);
        return STR("");
    }
    strbuf_add(&output->port_line, head);
    if (newline == SIZE_MAX)
        return STR("");
    output->has_port_line = true;
    latch_open(&output->port_line_done);
    return str_slice(bytes, newline + 1, bytes.len);
}

void plugin_output_add(struct plugin_output *output, enum output_stream stream, str bytes)
{
    if (stream == OUTPUT_STDOUT && !output->has_port_line)
        bytes = take_port_line(output, bytes);
    if (output->is_hidden)
        plugin_output_keep(output, bytes);
    while (bytes.len > 0) {
        struct strbuf *line = &output->lines[stream];
        size_t newline = str_find_char(bytes, '\n');
        size_t len = newline == SIZE_MAX ? bytes.len : newline + 1;
        if (line->len + len > OUTPUT_LINE_MAX)
            len = OUTPUT_LINE_MAX - line->len;
        strbuf_add(line, str_slice(bytes, 0, len));
        bytes = str_slice(bytes, len, bytes.len);
        if (line->len == OUTPUT_LINE_MAX || line->ptr[line->len - 1] == '\n')
            deliver_line(output, stream);
    }
}

void plugin_output_break(struct plugin_output *output)
{
    for (enum output_stream stream = OUTPUT_STDOUT; stream < OUTPUT_STREAMS; stream++)
        if (output->lines[stream].len > 0)
            deliver_line(output, stream);
}

void plugin_output_end(struct plugin_output *output, enum output_stream stream)
{
    if (output->has_ended[stream])
        return;
    output->has_ended[stream] = true;
    if (output->lines[stream].len > 0)
        deliver_line(output, stream);
    if (stream == OUTPUT_STDOUT)
        latch_open(&output->port_line_done);
    if (output->has_ended[OUTPUT_STDOUT] && output->has_ended[OUTPUT_STDERR])
        latch_open(&output->done);
}

void plugin_output_dump(struct plugin_output *output, str path)
{
    CLEANUP(strbuf_release) struct strbuf message = { 0 };
    str kept = strbuf_str(&output->kept);

    if (kept.len > OUTPUT_KEPT_MAX)
        kept = str_slice(kept, kept.len - OUTPUT_KEPT_MAX, kept.len);
    strbuf_add(&message, STR("Detected that "));
    strbuf_add(&message, path);
    strbuf_add(&message, STR(" exited prematurely. \n"
                             "       This is *always* a bug in the provider. "
                             "Please report the issue to the provider author as appropriate.\n"
                             "       To assist with debugging we have dumped the STDOUT and STDERR "
                             "streams of the plugin:"));
    strbuf_add(&message, kept);
    strbuf_add_char(&message, '\n');
    /* One that cannot start is started for its schema and for itself. */
    if (map_has(&output->host->deaths, strbuf_str(&message)))
        return;
    map_put(&output->host->deaths, arena_copy(&output->host->arena, strbuf_str(&message)),
            output->host);
    plugin_host_report(output->host, PLUGIN_ERROR, strbuf_str(&message),
                       plugin_host_stream_id(output->host));
}

/* --- the port line --- */

/* dotnet shows progress even when nobody looks. */
static str without_progress_marks(struct arena *arena, str line)
{
    static const str marks[] = { STR_INIT("\x1b]9;4;3;\x1b\\"), STR_INIT("\x1b]9;4;0;\x1b\\") };
    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        str head, tail;
        while (str_cut(line, marks[i], &head, &tail))
            line = arena_concat(arena, head, tail);
    }
    return str_trim(line);
}

fallible plugin_parse_port(str line, uint16_t *port)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf shown = { 0 };
    str text = without_progress_marks(&scratch, line);
    uint64_t number;

    if (!str_to_u64(text, &number)) {
        strbuf_add_utf8(&shown, str_slice(text, 0, 200));
        return error_new(ERROR_INVALID, "could not parse port: '" STR_FMT "' is not a number",
                         STR_ARG(strbuf_str(&shown)));
    }
    if (number == 0 || number > UINT16_MAX)
        return error_new(ERROR_INVALID, "invalid port number: " STR_FMT, STR_ARG(text));
    *port = (uint16_t)number;
    return NULL;
}
