/* otlp.c — writes spans as OTLP JSON. */
#include "base/otlp.h"

#include "base/version.h"

enum { KIND_INTERNAL = 1 };

static void otlp_text(struct json_writer *writer, str key, str text)
{
    json_key(writer, key);
    json_string(writer, text);
}

/* 64 bits are a string in the JSON form of protobuf. */
static void otlp_time(struct json_writer *writer, str key, int64_t time)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    otlp_text(writer, key, arena_printf(&scratch, "%lld", (long long)time));
}

static void otlp_attribute(struct json_writer *writer, str key, str text)
{
    json_begin_object(writer);
    otlp_text(writer, STR("key"), key);
    json_key(writer, STR("value"));
    json_begin_object(writer);
    otlp_text(writer, STR("stringValue"), text);
    json_end_object(writer);
    json_end_object(writer);
}

/* Who sends is the one resource and the one scope of a message. */
void otlp_begin(struct json_writer *writer)
{
    json_begin_object(writer);
    json_key(writer, STR("resourceSpans"));
    json_begin_array(writer);
    json_begin_object(writer);
    json_key(writer, STR("resource"));
    json_begin_object(writer);
    json_key(writer, STR("attributes"));
    json_begin_array(writer);
    otlp_attribute(writer, STR("service.name"), STR("culumi"));
    json_end_array(writer);
    json_end_object(writer);
    json_key(writer, STR("scopeSpans"));
    json_begin_array(writer);
    json_begin_object(writer);
    json_key(writer, STR("scope"));
    json_begin_object(writer);
    otlp_text(writer, STR("name"), STR("culumi"));
    otlp_text(writer, STR("version"), STR(CULUMI_VERSION));
    json_end_object(writer);
    json_key(writer, STR("spans"));
    json_begin_array(writer);
}

void otlp_add(struct json_writer *writer, const struct otlp_span *span)
{
    json_begin_object(writer);
    otlp_text(writer, STR("traceId"), span->trace);
    otlp_text(writer, STR("spanId"), span->id);
    if (span->parent.len)
        otlp_text(writer, STR("parentSpanId"), span->parent);
    otlp_text(writer, STR("name"), span->name);
    json_key(writer, STR("kind"));
    json_integer(writer, KIND_INTERNAL);
    otlp_time(writer, STR("startTimeUnixNano"), span->start);
    otlp_time(writer, STR("endTimeUnixNano"), span->end);
    json_key(writer, STR("attributes"));
    json_begin_array(writer);
    for (size_t i = 0; i < span->attributes.len; i++)
        otlp_attribute(writer, span->attributes.items[i].key, span->attributes.items[i].value);
    json_end_array(writer);
    json_key(writer, STR("status"));
    json_begin_object(writer);
    if (span->has_failed) {
        json_key(writer, STR("code"));
        json_integer(writer, OTLP_STATUS_ERROR);
    }
    json_end_object(writer);
    json_end_object(writer);
}

void otlp_end(struct json_writer *writer)
{
    json_end_array(writer);
    json_end_object(writer);
    json_end_array(writer);
    json_end_object(writer);
    json_end_array(writer);
    json_end_object(writer);
}
