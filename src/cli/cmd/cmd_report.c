/* cmd_report.c — `report`: a page for a browser, made of the event log of an operation. */
#include "cli/screen/input.h"
#include "cli/open.h"

#include "page/page.h"
#include "page/page_report.h"

#include <stdio.h>

struct report_args {
    str out;
};

static const struct option report_options[] = {
    TEXT(struct report_args, out, 0, "out",
         "Write to this file; the event log's name with .html by default"),
    { 0 },
};

/* "up.json" and "up" become "up.html". */
static str report_default_name(struct arena *arena, str log)
{
    size_t end = log.len;

    for (size_t i = log.len; i > 0 && log.ptr[i - 1] != '/'; i--) {
        if (log.ptr[i - 1] != '.' || i < 2 || log.ptr[i - 2] == '/')
            continue;
        end = i - 1;
        break;
    }
    return arena_printf(arena, STR_FMT ".html", STR_ARG(str_slice(log, 0, end)));
}

static struct error *cmd_report_run(struct cli *cli, const void *args_)
{
    const struct report_args *args = args_;
    CLEANUP(page_report_release) struct page_report report = { 0 };
    CLEANUP(strbuf_release) struct strbuf json = { 0 }, page = { 0 };
    struct json_writer writer = { .out = &json, .escapes_html = true };
    str name = cli_operand(cli, 0), text;
    const struct page_report_facts facts = { .source = name };
    bool is_cut;

    TRY(input_read(cli->arena, name, INPUT_STATE_LIMIT, &text));
    TRY(error_wrap(page_report_read(&report, text, &is_cut), "'" STR_FMT "' is no event log",
                   STR_ARG(name)));
    if (is_cut)
        cli_report(cli, "warning", STR("the last line of the event log is incomplete"));
    page_report_write_json(&writer, &facts, &report);
    page_write(&page, PAGE_REPORT, strbuf_str(&json));
    str out = args->out.len ? args->out : report_default_name(cli->arena, name);
    if (str_equal(out, name))
        return error_new(ERROR_INVALID, "the page would replace its event log '" STR_FMT "'",
                         STR_ARG(name));
    TRY(output_write(out, strbuf_str(&page)));
    fprintf(stderr, "Wrote the report to '" STR_FMT "'\n", STR_ARG(out));
    return NULL;
}

const struct command cmd_report = {
    .path = "report",
    .operands = "EVENT-LOG",
    .summary = "Show an event log as a page for a browser",
    .example = "report events.log --out report.html",
    .details =
        "The log is what --event-log FILE of up, preview, refresh or destroy has written. It has\n"
        "whole seconds and no calls of providers: --report FILE of these commands makes a page\n"
        "that has both. A log written with --show-secrets has secrets in it, and so has its page.",
    .args_size = sizeof(struct report_args),
    .options = OPTIONS(report_options),
    .run = cmd_report_run,
};
