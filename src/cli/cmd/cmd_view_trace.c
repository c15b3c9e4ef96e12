/* cmd_view_trace.c — the hidden `view-trace`: a page for a trace, until ^C. */
#include "cli/cli.h"
#include "cli/screen/input.h"
#include "cli/screen/interrupt.h"
#include "cli/screen/visits.h"

#include "page/page.h"
#include "page/page_trace.h"

#include <stdio.h>

struct view_trace_args {
    int64_t port;
};

static const struct option view_trace_options[] = {
    INTEGER_PRESET(struct view_trace_args, port, 0, "port", "8008",
                   "The port of the page; 0: any that is free"),
    { 0 },
};

/* Read anew for each visit: the file may have grown. */
static fallible view_trace_page(struct arena *arena, str name, struct strbuf *page)
{
    CLEANUP(strbuf_release) struct strbuf json = { 0 };
    struct json_writer writer = { .out = &json, .escapes_html = true };
    struct spans spans;
    str bytes;

    TRY(input_read(arena, name, INPUT_STATE_LIMIT, &bytes));
    TRY(error_wrap(spans_read(arena, bytes, &spans), "'" STR_FMT "' is no trace", STR_ARG(name)));
    page_trace_write_json(&writer, &spans, name);
    page_write(page, PAGE_TRACE, strbuf_str(&json));
    return NULL;
}

static str view_trace_reply(struct arena *arena, const char *status, const char *type, str body,
                            bool is_head)
{
    str head = arena_printf(arena,
                            "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\n"
                            "Content-Length: %zu\r\nCache-Control: no-store\r\n"
                            "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
                            status, type, body.len);

    return is_head ? head : arena_concat(arena, head, body);
}

static bool view_trace_answer(void *name, struct arena *arena, const struct visit *visit, str *out)
{
    CLEANUP(strbuf_release) struct strbuf page = { 0 };
    bool is_head = str_equal(visit->method, STR("HEAD"));
    const char *plain = "text/plain";

    if (!is_head && !str_equal(visit->method, STR("GET"))) {
        *out = view_trace_reply(arena, "405 Method Not Allowed", plain, STR("GET only\n"), false);
    } else if (!visit_is_local(visit)) {
        *out = view_trace_reply(arena, "403 Forbidden", plain,
                                STR("This page is for this machine, as localhost.\n"), is_head);
    } else if (!str_equal(visit->target, STR("/"))) {
        *out = view_trace_reply(arena, "404 Not Found", plain, STR("There is only /\n"), is_head);
    } else {
        struct error *failure = view_trace_page(arena, *(const str *)name, &page);
        *out = failure ? view_trace_reply(arena, "500 Internal Server Error", plain,
                                          error_message(failure), is_head)
                       : view_trace_reply(arena, "200 OK", "text/html", strbuf_str(&page), is_head);
        error_free(failure);
    }
    return true;
}

static fallible view_trace_serve(struct cli *cli, const void *args_)
{
    const struct view_trace_args *args = args_;
    str name = cli_operand(cli, 0);
    struct visits *visits;

    TRY(error_wrap(visits_open((uint16_t)args->port, view_trace_answer, &name, &visits),
                   "showing the page on port %d; --port chooses another", (int)args->port));
    printf("Displaying trace at http://localhost:%d\n", visits_port(visits));
    fflush(stdout);
    struct error *failure = visits_wait(visits);
    visits_close(visits);
    return failure;
}

static struct error *cmd_view_trace_run(struct cli *cli, const void *args_)
{
    const struct view_trace_args *args = args_;
    CLEANUP(strbuf_release) struct strbuf page = { 0 };

    if (args->port < 0 || args->port > UINT16_MAX)
        return error_new(ERROR_INVALID, "--port %lld is no port: these go from 0 to %d",
                         (long long)args->port, UINT16_MAX);
    TRY(view_trace_page(cli->arena, cli_operand(cli, 0),
                        &page)); /* else there is nothing to show */
    return cli_interruptible(cli, args, view_trace_serve);
}

const struct command cmd_view_trace = {
    .path = "view-trace",
    .operands = "TRACE-FILE",
    .summary = "Show a trace in a browser",
    .details =
        "The trace is what --otel-traces file://PATH or --tracing file:PATH has written, here\n"
        "or in the reference. The page is served to this machine only, until ^C.",
    .example = "view-trace up.trace\nview-trace up.trace --port 0",
    .is_hidden = true,
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct view_trace_args),
    .options = OPTIONS(view_trace_options),
    .run = cmd_view_trace_run,
};
