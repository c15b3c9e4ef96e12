/* trace.c — facts as JSON lines. */
#include "base/trace.h"

#include "base/clock.h"
#include "base/json.h"

#include <fcntl.h>
#include <unistd.h>

bool trace_is_on;
static int trace_fd = -1;

fallible trace_open(str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    trace_close();
    if (path.len == 0)
        return NULL;
    trace_fd = open(arena_cstr(&scratch, path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (trace_fd < 0)
        return error_os("open the trace '" STR_FMT "'", STR_ARG(path));
    trace_is_on = true;
    return NULL;
}

void trace_close(void)
{
    if (trace_fd >= 0)
        close(trace_fd);
    trace_fd = -1;
    trace_is_on = false;
}

static void write_field(struct json_writer *writer, const struct trace_field *field)
{
    json_key(writer, str_from(field->key));
    switch (field->type) {
    case TRACE_TYPE_TEXT: json_string(writer, field->text); break;
    case TRACE_TYPE_NUMBER: json_integer(writer, field->number); break;
    case TRACE_TYPE_BOOL: json_bool(writer, field->number != 0); break;
    }
}

void trace_write(const char *name, const struct trace_field *fields, size_t len)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    struct json_writer writer = { .out = &line };

    json_begin_object(&writer);
    json_key(&writer, STR("t"));
    json_integer(&writer, clock_now());
    json_key(&writer, STR("name"));
    json_string(&writer, str_from(name));
    for (size_t i = 0; i < len; i++)
        write_field(&writer, &fields[i]);
    json_end_object(&writer);
    strbuf_add_char(&line, '\n');
    if (write(trace_fd, line.ptr, line.len) < 0)
        trace_close();
}
