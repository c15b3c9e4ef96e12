/* report.c — records events and spans for the page of an operation. */
#include "display/report.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/span.h"
#include "display/event_json.h"
#include "fiber/fiber.h"
#include "page/page.h"

#include <stdlib.h>

struct report {
    struct arena arena;
    struct event_json form; /* never shows secrets, whatever the display does */
    struct page_report page;
    int64_t sequence;
};

struct report *report_open(void)
{
    struct report *report = memory_zalloc(sizeof(*report));

    report->form.color = COLOR_NEVER;
    return report;
}

void report_close(struct report *owned)
{
    if (!owned)
        return;
    page_report_release(&owned->page);
    arena_release(&owned->arena);
    free(owned);
}

static bool report_is_call(const struct span *span)
{
    return strcmp(span->key, "plugin") == 0;
}

/* The name of a method is its last part. */
static void report_hear_span(void *report_, const struct span *span, int64_t end)
{
    struct report *report = report_;
    bool is_call = report_is_call(span);
    const char *slash = strrchr(span->name, '/');
    const struct page_span heard = {
        .name = str_from(is_call && slash ? slash + 1 : span->name),
        .plugin = is_call ? span->value : STR(""),
        .urn = is_call ? span->subject : span->value,
        .start = span->start,
        .end = end,
        .has_failed = span->has_failed,
    };

    page_report_add_span(&report->page, &heard);
}

void report_begin(struct report *report, struct secret_list secrets)
{
    report->form.mask = mask_new(&report->arena, secrets);
    report->sequence = 0;
    page_report_begin(&report->page, clock_now());
    span_listen(report_hear_span, report);
}

void report_end(struct report *report)
{
    span_listen(NULL, NULL);
    page_report_end(&report->page);
}

struct recording {
    struct report *report;
    const struct event *event;
};

static struct strs report_depends_on(const struct event *event)
{
    const struct event_step *step = &event->resource.step;

    if (event->kind != EVENT_RESOURCE_PRE)
        return (struct strs){ 0 };
    return step->new   ? step->new->dependencies
           : step->old ? step->old->dependencies
                       : (struct strs){ 0 };
}

static void report_record(void *recording_)
{
    const struct recording *recording = recording_;
    struct report *report = recording->report;
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    struct json_writer writer = { .out = &line };
    int64_t now = clock_now();

    event_json_write(&writer, &report->form, recording->event, report->sequence++, now / NS_PER_S);
    error_ignore(
        page_report_add(&report->page, strbuf_str(&line), now, report_depends_on(recording->event)),
        "what we write is an event; values nested too deep for one are left out");
}

/* Values may be nested deeper than a fiber's stack allows to follow them. */
void report_event(void *report, const struct event *event)
{
    struct recording recording = { report, event };

    fiber_on_main_stack(report_record, &recording);
}

void report_write(struct report *report, const struct page_report_facts *facts, struct strbuf *out)
{
    CLEANUP(strbuf_release) struct strbuf json = { 0 };
    struct json_writer writer = { .out = &json, .escapes_html = true };

    page_report_write_json(&writer, facts, &report->page);
    page_write(out, PAGE_REPORT, strbuf_str(&json));
}
