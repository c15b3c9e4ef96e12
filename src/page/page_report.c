/* page_report.c — phases, their events and spans, as the JSON of the page of an operation. */
#include "page/page_report.h"

#include "base/clock.h"
#include "base/version.h"
#include "page/page_event.h"
#include "page/page_value.h"

void page_report_release(struct page_report *report)
{
    strbuf_release(&report->phases);
    strbuf_release(&report->events);
    strbuf_release(&report->spans);
}

/* Whole microseconds: three digits behind the point. */
static double report_milliseconds(const struct page_report *report, int64_t time)
{
    int64_t microseconds = (time - report->start) / 1000;
    return (double)microseconds / 1000;
}

void page_report_begin(struct page_report *report, int64_t start)
{
    if (report->is_open)
        page_report_end(report);
    report->is_open = true;
    report->start = start;
    report->event_count = 0;
    strbuf_clear(&report->events);
    strbuf_clear(&report->spans);
    report->event_writer = (struct json_writer){ .out = &report->events, .escapes_html = true };
    report->span_writer = (struct json_writer){ .out = &report->spans, .escapes_html = true };
    json_begin_array(&report->event_writer);
    json_begin_array(&report->span_writer);
}

fallible page_report_add(struct page_report *report, str line, int64_t time, struct strs depends_on)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct page_event event = { 0 };

    TRY(page_event_read(&scratch, line, &event));
    event.milliseconds = report_milliseconds(report, time);
    event.depends_on = depends_on;
    page_event_write(&report->event_writer, &event);
    report->event_count++;
    return NULL;
}

/* [name, plugin, urn, start, end, failed]: there are many. */
void page_report_add_span(struct page_report *report, const struct page_span *span)
{
    struct json_writer *writer = &report->span_writer;

    if (!report->is_open)
        return;
    json_begin_array(writer);
    json_string(writer, span->name);
    json_string(writer, span->plugin);
    json_string(writer, span->urn);
    json_number(writer, report_milliseconds(report, span->start));
    json_number(writer, report_milliseconds(report, span->end));
    json_integer(writer, span->has_failed);
    json_end_array(writer);
}

void page_report_end(struct page_report *report)
{
    struct json_writer *writer = &report->phase_writer;

    if (!report->is_open)
        return;
    report->is_open = false;
    json_end_array(&report->event_writer);
    json_end_array(&report->span_writer);
    if (!report->phase_count++) {
        *writer = (struct json_writer){ .out = &report->phases, .escapes_html = true };
        json_begin_array(writer);
    }
    json_begin_object(writer);
    json_key(writer, STR("start"));
    json_integer(writer, report->start / NS_PER_MS);
    json_key(writer, STR("events"));
    json_raw(writer, strbuf_str(&report->events));
    json_key(writer, STR("spans"));
    json_raw(writer, strbuf_str(&report->spans));
    json_end_object(writer);
}

/* --- event logs --- */

static str report_take_line(str *rest, bool *is_whole)
{
    size_t end = str_find(*rest, STR("\n"));
    str line = str_slice(*rest, 0, end == SIZE_MAX ? rest->len : end);

    *is_whole = end != SIZE_MAX;
    *rest = str_slice(*rest, *is_whole ? end + 1 : rest->len, rest->len);
    return str_trim(line);
}

static fallible report_add_line(struct page_report *report, str line, int64_t *last)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct page_event event = { 0 };

    TRY(page_event_read(&scratch, line, &event));
    if (!report->is_open || event.sequence < *last)
        page_report_begin(report, clock_of_seconds(event.timestamp));
    *last = event.sequence;
    event.milliseconds = report_milliseconds(report, clock_of_seconds(event.timestamp));
    page_event_write(&report->event_writer, &event);
    report->event_count++;
    return NULL;
}

fallible page_report_read(struct page_report *report, str log, bool *is_cut)
{
    int64_t last = -1;
    bool is_whole;

    *is_cut = false;
    for (size_t number = 1; log.len; number++) {
        str line = report_take_line(&log, &is_whole);
        if (!line.len)
            continue;
        struct error *failure = report_add_line(report, line, &last);
        if (failure && !is_whole && report->is_open) {
            error_ignore(failure, "its writer was stopped in the middle of it");
            *is_cut = true;
            break;
        }
        TRY(error_wrap(failure, "line %zu", number));
    }
    page_report_end(report);
    if (!report->phase_count)
        return error_new(ERROR_INVALID, "it has no events");
    return NULL;
}

void page_report_write_json(struct json_writer *writer, const struct page_report_facts *facts,
                            const struct page_report *report)
{
    json_begin_object(writer);
    page_member_text(writer, STR("tool"), STR("culumi " CULUMI_VERSION));
    page_member_text(writer, STR("stack"), facts->stack);
    page_member_text(writer, STR("project"), facts->project);
    page_member_text(writer, STR("operation"), facts->operation);
    page_member_text(writer, STR("source"), facts->source);
    json_key(writer, STR("phases"));
    if (report->phase_count) {
        json_raw(writer, strbuf_str(&report->phases));
        strbuf_add_char(writer->out, ']');
    } else {
        json_begin_array(writer);
        json_end_array(writer);
    }
    json_end_object(writer);
}
