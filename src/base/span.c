/* span.c — spans as lines of OTLP JSON. */
#include "base/span.h"

#include "base/log.h"

#include "base/clock.h"
#include "base/hex.h"
#include "base/otlp.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/random.h>
#include <unistd.h>

enum { FILES = 2, TRACE_ID_BYTES = 16 };

bool span_is_on;

/* Of the process: it has one command, and so one trace. */
static struct {
    int fds[FILES];
    size_t file_count;
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

    if (spans.file_count == FILES)
        return error_new(ERROR_INVALID, "a trace goes to %d files at most", FILES);
    int fd = open(arena_cstr(&scratch, path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return error_os("open the trace '" STR_FMT "'", STR_ARG(path));
    spans.fds[spans.file_count++] = fd;
    if (spans.file_count > 1)
        return NULL;
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

/* Each line is a whole message, as collectors read files. */
static void span_write(const struct span *span, uint64_t id)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    struct json_writer writer = { .out = &line };
    const struct pair attribute = { str_from(span->key), span->value };
    bool is_root = id == spans.root_id;
    const struct otlp_span ended = {
        .trace = hex_encode(&scratch, (str){ (const char *)spans.trace_id, TRACE_ID_BYTES }),
        .id = arena_printf(&scratch, "%016" PRIx64, id),
        .parent = is_root ? STR("") : arena_printf(&scratch, "%016" PRIx64, spans.root_id),
        .name = is_root ? span->value : str_from(span->name),
        .start = span->start,
        .end = clock_now(),
        .attributes = { &attribute, 1 },
        .has_failed = span->has_failed,
    };

    otlp_begin(&writer);
    otlp_add(&writer, &ended);
    otlp_end(&writer);
    strbuf_add_char(&line, '\n');
    for (size_t i = 0; i < spans.file_count; i++)
        if (write(spans.fds[i], line.ptr, line.len) != (ssize_t)line.len)
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
    while (spans.file_count)
        if (close(spans.fds[--spans.file_count]) < 0)
            spans.has_failed = true;
    return spans.has_failed ? error_new(ERROR_OS, "the trace could not be written whole") : NULL;
}
