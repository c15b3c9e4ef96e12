/* span.c — spans as lines of OTLP JSON. */
#include "base/span.h"

#include "base/log.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/version.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

enum { TRACE_ID_BYTES = 16, SPAN_ID_BYTES = 8, KIND_INTERNAL = 1, STATUS_ERROR = 2 };

bool span_is_on;

/* Of the process: it has one command, and so one trace. */
static struct {
    int fd;
    struct span root;
    uint64_t root_id;
    uint64_t last_id;
    unsigned char trace_id[TRACE_ID_BYTES];
    bool has_failed; /* to write */
    span_listener *listener;
    void *listener_context;
} spans;

fallible span_open(str path, str command)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    spans.fd = open(arena_cstr(&scratch, path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (spans.fd < 0)
        return error_os("open the trace '" STR_FMT "'", STR_ARG(path));
    if (getrandom(spans.trace_id, sizeof(spans.trace_id), 0) < 0
        || getrandom(&spans.root_id, sizeof(spans.root_id), 0) < 0)
        return error_os("choose an ID for the trace");
    spans.last_id = spans.root_id;
    spans.root = (struct span){
        .name = "command", .key = "command", .value = command, .start = clock_now()
    };
    span_is_on = true;
    return NULL;
}

static void span_add_hex(struct json_writer *writer, str key, const unsigned char *bytes,
                         size_t len)
{
    char text[2 * TRACE_ID_BYTES];

    for (size_t i = 0; i < len; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    json_key(writer, key);
    json_string(writer, (str){ text, 2 * len });
}

static void span_add_id(struct json_writer *writer, str key, uint64_t id)
{
    unsigned char bytes[SPAN_ID_BYTES];

    for (size_t i = 0; i < SPAN_ID_BYTES; i++)
        bytes[i] = (unsigned char)(id >> (8 * (SPAN_ID_BYTES - 1 - i)));
    span_add_hex(writer, key, bytes, SPAN_ID_BYTES);
}

/* 64 bits are a string in the JSON form of protobuf. */
static void span_add_time(struct json_writer *writer, str key, int64_t time)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    json_key(writer, key);
    json_string(writer, arena_printf(&scratch, "%lld", (long long)time));
}

static void span_add_attribute(struct json_writer *writer, const char *key, str value)
{
    json_key(writer, STR("attributes"));
    json_begin_array(writer);
    json_begin_object(writer);
    json_key(writer, STR("key"));
    json_string(writer, str_from(key));
    json_key(writer, STR("value"));
    json_begin_object(writer);
    json_key(writer, STR("stringValue"));
    json_string(writer, value);
    json_end_object(writer);
    json_end_object(writer);
    json_end_array(writer);
}

static void span_add(struct json_writer *writer, const struct span *span, uint64_t id)
{
    json_begin_object(writer);
    span_add_hex(writer, STR("traceId"), spans.trace_id, sizeof(spans.trace_id));
    span_add_id(writer, STR("spanId"), id);
    if (id != spans.root_id)
        span_add_id(writer, STR("parentSpanId"), spans.root_id);
    json_key(writer, STR("name"));
    json_string(writer, id == spans.root_id ? span->value : str_from(span->name));
    json_key(writer, STR("kind"));
    json_integer(writer, KIND_INTERNAL);
    span_add_time(writer, STR("startTimeUnixNano"), span->start);
    span_add_time(writer, STR("endTimeUnixNano"), clock_now());
    span_add_attribute(writer, span->key, span->value);
    json_key(writer, STR("status"));
    json_begin_object(writer);
    if (span->has_failed) {
        json_key(writer, STR("code"));
        json_integer(writer, STATUS_ERROR);
    }
    json_end_object(writer);
    json_end_object(writer);
}

/* Each line is a whole ExportTraceServiceRequest, as collectors read files. */
static void span_write(const struct span *span, uint64_t id)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    struct json_writer json = { .out = &line }, *writer = &json;

    json_begin_object(writer);
    json_key(writer, STR("resourceSpans"));
    json_begin_array(writer);
    json_begin_object(writer);
    json_key(writer, STR("resource"));
    json_begin_object(writer);
    span_add_attribute(writer, "service.name", STR("culumi"));
    json_end_object(writer);
    json_key(writer, STR("scopeSpans"));
    json_begin_array(writer);
    json_begin_object(writer);
    json_key(writer, STR("scope"));
    json_begin_object(writer);
    json_key(writer, STR("name"));
    json_string(writer, STR("culumi"));
    json_key(writer, STR("version"));
    json_string(writer, STR(CULUMI_VERSION));
    json_end_object(writer);
    json_key(writer, STR("spans"));
    json_begin_array(writer);
    span_add(writer, span, id);
    json_end_array(writer);
    json_end_object(writer);
    json_end_array(writer);
    json_end_object(writer);
    json_end_array(writer);
    json_end_object(writer);
    strbuf_add_char(&line, '\n');
    if (write(spans.fd, line.ptr, line.len) != (ssize_t)line.len)
        spans.has_failed = true;
}

void span_listen(span_listener *listener, void *context)
{
    spans.listener = listener;
    spans.listener_context = context;
}

struct span span_begin(const char *name, const char *key, str value)
{
    log_info("begin", "%s %s=" STR_FMT, name, key, STR_ARG(value));
    if (!span_is_on && !spans.listener && log_limit < LOG_INFO)
        return (struct span){ 0 };
    return (struct span){ .name = name, .key = key, .value = value, .start = clock_now() };
}

struct span span_begin_part(const char *name, const char *key, str value)
{
    if (!spans.listener)
        return (struct span){ 0 };
    return (struct span){
        .name = name, .key = key, .value = value, .start = clock_now(), .is_part = true
    };
}

static void span_log(const struct span *span)
{
    log_info("end", "%s %s=" STR_FMT " in %.1f ms%s" STR_FMT, span->name, span->key,
             STR_ARG(span->value), (double)(clock_now() - span->start) / NS_PER_MS,
             span->outcome.len ? ": " : "",
             STR_ARG(span->outcome.len  ? span->outcome
                     : span->has_failed ? STR(", failed")
                                        : STR("")));
}

void span_end(struct span *span)
{
    if (!span->name)
        return;
    if (!span->is_part)
        span_log(span);
    if (span_is_on && !span->is_part)
        span_write(span, ++spans.last_id);
    if (spans.listener)
        spans.listener(spans.listener_context, span, clock_now());
}

fallible span_close(bool has_failed)
{
    if (!span_is_on)
        return NULL;
    spans.root.has_failed = has_failed;
    span_write(&spans.root, spans.root_id);
    span_is_on = false;
    bool is_broken = close(spans.fd) < 0 || spans.has_failed;
    return is_broken ? error_new(ERROR_OS, "the trace could not be written whole") : NULL;
}
