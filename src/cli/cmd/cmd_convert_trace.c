/* cmd_convert_trace.c — the hidden `convert-trace`: a trace in the forms of other tools. */
#include "cli/cli.h"
#include "cli/screen/input.h"
#include "cli/screen/interrupt.h"

#include "base/clock.h"
#include "base/duration.h"
#include "base/hex.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "base/uuid.h"
#include "http/http.h"
#include "spans/spans.h"

#include <stdio.h>
#include <unistd.h>

enum { TRACE_ID_SIZE = 16, BATCH = 1000, ATTEMPTS = 4, FIRST_WAIT_MS = 500 };

struct convert_trace_args {
    str granularity;
    bool is_otel, ignores_logs;
};

static const struct option convert_trace_options[] = {
    TEXT_PRESET(struct convert_trace_args, granularity, 'g', "granularity", "500ms",
                "The time that one sample of the profile stands for"),
    FLAG(struct convert_trace_args, is_otel, 0, "otel",
         "Send the trace to a collector of OpenTelemetry"),
    FLAG_ON(struct convert_trace_args, ignores_logs, 0, "ignore-log-spans",
            "Leave out calls that only log something"),
    { 0 },
};

/* --- profiles --- */

static fallible convert_granularity(str text, int64_t *out)
{
    const double longest = 3600 * 24;
    double seconds;

    if (!duration_parse(text, &seconds) || !(seconds * NS_PER_S >= 1 && seconds <= longest))
        return error_new(ERROR_INVALID,
                         "--granularity '" STR_FMT
                         "' is no duration from 1ns to 24h, such as 500ms",
                         STR_ARG(text));
    *out = (int64_t)(seconds * NS_PER_S);
    return NULL;
}

static fallible convert_to_profile(struct cli *cli, const struct spans *spans, int64_t granularity)
{
    str profile;

    if (isatty(STDOUT_FILENO))
        return error_new(ERROR_INVALID, "a profile is no text: write it to a file or a pipe, as in "
                                        "`convert-trace FILE >trace.pprof`");
    TRY(spans_to_pprof(cli->arena, spans, granularity, &profile));
    return output_write(STR(""), profile);
}

/* --- OpenTelemetry --- */

/* The variable that all tools of OpenTelemetry read. */
static str otel_endpoint(struct arena *arena)
{
    str whole = settings_text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
    str base = settings_text("OTEL_EXPORTER_OTLP_ENDPOINT");

    if (whole.len)
        return whole;
    if (!base.len)
        base = STR("http://localhost:4318");
    if (base.ptr[base.len - 1] == '/')
        base = str_slice(base, 0, base.len - 1);
    return arena_concat(arena, base, STR("/v1/traces"));
}

struct otel_headers {
    str items[32];
    size_t len;
};

/* "key=value,key=value", with percent escapes in the values. */
static fallible otel_add_headers(struct arena *arena, const char *variable,
                                 struct otel_headers *headers)
{
    const size_t most = sizeof(headers->items) / sizeof(*headers->items);
    str rest = settings_text(variable), part, key, value, plain;

    while (rest.len) {
        part = rest;
        if (!str_cut(rest, STR(","), &part, &rest))
            rest = STR("");
        if (!str_trim(part).len)
            continue;
        if (!str_cut(part, STR("="), &key, &value) || !str_trim(key).len
            || !percent_decode(arena, str_trim(value), &plain) || headers->len == most
            || str_find_char(plain, '\n') != SIZE_MAX || str_find_char(plain, '\r') != SIZE_MAX)
            return error_new(ERROR_INVALID, "%s: expected KEY=VALUE,KEY=VALUE", variable);
        headers->items[headers->len++] = arena_concat(arena, str_trim(key), STR(": "), plain);
    }
    return NULL;
}

static fallible otel_post(struct http_client *client, str url, const struct otel_headers *headers,
                          str message)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct http_request request = {
        .method = STR("POST"),
        .url = url,
        .headers = headers->items,
        .header_count = headers->len,
        .upload = { .bytes = message },
        .retry = { .attempts = ATTEMPTS, .first_wait_ms = FIRST_WAIT_MS, .repeats_unsafe = true },
    };
    struct http_response response;

    TRY(http_send(client, &request, &scratch, &response));
    return http_response_is_good(&response)
               ? NULL
               : error_new(ERROR_OTHER, "the collector answered with status %d", response.status);
}

static fallible otel_send_all(struct cli *cli, const struct spans *spans, str url, str trace)
{
    struct otel_headers headers = { .items = { STR("Content-Type: application/json") }, .len = 1 };
    struct error *failure = NULL;

    TRY(otel_add_headers(cli->arena, "OTEL_EXPORTER_OTLP_HEADERS", &headers));
    TRY(otel_add_headers(cli->arena, "OTEL_EXPORTER_OTLP_TRACES_HEADERS", &headers));
    struct http_client *client = http_client_new();
    for (size_t first = 0; first < spans->len && !failure; first += BATCH) {
        CLEANUP(strbuf_release) struct strbuf message = { 0 };
        struct json_writer writer = { .out = &message };
        spans_to_otlp(&writer, spans, first, BATCH, trace);
        failure = otel_post(client, url, &headers, strbuf_str(&message));
    }
    http_client_free(client);
    return failure;
}

static fallible convert_to_otel(struct cli *cli, const struct spans *spans)
{
    unsigned char id[TRACE_ID_SIZE];
    str url = otel_endpoint(cli->arena);

    random_bytes(id, sizeof(id));
    str trace = hex_encode(cli->arena, (str){ (const char *)id, sizeof(id) });
    TRY(error_wrap(otel_send_all(cli, spans, url, trace),
                   "sending the trace: OTEL_EXPORTER_OTLP_ENDPOINT names a collector that takes "
                   "OTLP over HTTP, http://localhost:4318 by default"));
    printf("Sent %zu spans of trace " STR_FMT "\n", spans->len, STR_ARG(trace));
    return NULL;
}

/* --- the command --- */

static fallible convert_trace_work(struct cli *cli, const void *args_)
{
    const struct convert_trace_args *args = args_;
    str name = cli_operand(cli, 0), bytes;
    int64_t granularity;
    struct spans spans;

    TRY(convert_granularity(args->granularity, &granularity));
    TRY(input_read(cli->arena, name, INPUT_STATE_LIMIT, &bytes));
    TRY(error_wrap(spans_read(cli->arena, bytes, &spans), "'" STR_FMT "' is no trace",
                   STR_ARG(name)));
    if (args->ignores_logs)
        spans = spans_without_logs(cli->arena, &spans);
    return args->is_otel ? convert_to_otel(cli, &spans)
                         : convert_to_profile(cli, &spans, granularity);
}

static struct error *cmd_convert_trace_run(struct cli *cli, const void *args)
{
    return cli_interruptible(cli, args, convert_trace_work);
}

const struct command cmd_convert_trace = {
    .path = "convert-trace",
    .operands = "TRACE-FILE",
    .summary = "Convert a trace to a profile for pprof, or send it to a collector",
    .details =
        "The trace is what --otel-traces file://PATH or --tracing file:PATH has written, here or\n"
        "in the reference. The profile goes to standard output; it has the time that each span\n"
        "took without its parts, and one sample for each begun granularity of it. With --otel\n"
        "the trace is sent as OTLP over HTTP to OTEL_EXPORTER_OTLP_ENDPOINT, which is\n"
        "http://localhost:4318 by default, with the headers of OTEL_EXPORTER_OTLP_HEADERS.",
    .example = "convert-trace up.trace > up.pprof\nconvert-trace up.trace --otel",
    .is_hidden = true,
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct convert_trace_args),
    .options = OPTIONS(convert_trace_options),
    .run = cmd_convert_trace_run,
};
