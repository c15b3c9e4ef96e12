/* report.c — what an operation says while it works. */
#include "engine/report/report.h"

#include "base/strbuf.h"
#include "engine/engine.h"

#include <stdarg.h>

void report_emit(const struct report *report, const struct event *event)
{
    if (report->options->sink)
        report->options->sink(report->options->sink_context, event);
}

void report_diagnose(const struct report *report, enum severity severity, str urn,
                     const char *format, ...)
{
    CLEANUP(strbuf_release) struct strbuf message = { 0 };
    va_list arguments;

    va_start(arguments, format);
    strbuf_vprintf(&message, format, arguments);
    va_end(arguments);
    strbuf_add_char(&message, '\n');
    const struct event event = {
        .kind = EVENT_DIAGNOSTIC,
        .diagnostic = { .urn = urn, .severity = severity, .message = strbuf_str(&message) },
    };
    report_emit(report, &event);
}

void report_status(const struct report *report, str urn, const char *text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct event event = {
        .kind = EVENT_DIAGNOSTIC,
        .diagnostic = { .urn = urn,
                        .severity = SEVERITY_INFO,
                        .message = arena_concat(&scratch, str_from(text), STR("\n")),
                        .is_ephemeral = true },
    };

    report_emit(report, &event);
}

bool report_is_preview(const struct report *report)
{
    return report->options->preview;
}
