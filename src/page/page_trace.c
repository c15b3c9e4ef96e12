/* page_trace.c — spans as JSON for their page: lists instead of objects, because there are many. */
#include "page/page_trace.h"

#include "base/clock.h"
#include "base/version.h"
#include "page/page_value.h"

/* Number of what it is a part of (0: of nothing), start and length in microseconds, whether it
 * failed, label, attributes. */
static void trace_write_span(struct json_writer *writer, const struct spans *spans,
                             const struct spans_span *span)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    enum { NS_PER_US = 1000 };

    json_begin_array(writer);
    json_integer(writer, (int64_t)span->parent);
    json_number(writer, (double)(span->start - spans->start) / NS_PER_US);
    json_number(writer, (double)(span->end - span->start) / NS_PER_US);
    json_integer(writer, span->has_failed);
    json_string(writer, spans_label(&scratch, span));
    json_begin_array(writer);
    for (size_t i = 0; i < span->attributes.len; i++) {
        json_string(writer, span->attributes.items[i].key);
        json_string(writer, span->attributes.items[i].value);
    }
    json_end_array(writer);
    json_end_array(writer);
}

void page_trace_write_json(struct json_writer *writer, const struct spans *spans, str source)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    json_begin_object(writer);
    page_member_text(writer, STR("tool"), STR("culumi " CULUMI_VERSION));
    page_member_text(writer, STR("source"), source);
    page_member_text(writer, STR("time"), clock_format(&scratch, spans->start));
    json_key(writer, STR("spans"));
    json_begin_array(writer);
    for (size_t i = 0; i < spans->len; i++)
        trace_write_span(writer, spans, &spans->items[i]);
    json_end_array(writer);
    json_end_object(writer);
}
