/* event_log.c — writes events to the file or the connection that --event-log names. */
#include "display/event_log.h"

#include "base/settings.h"
#include "display/event_json.h"
#include "display/event_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

struct event_log {
    struct event_json form;
    str path;
    int fd;                      /* of the file */
    struct event_stream *stream; /* NULL: it is a file */
    struct error *failure;       /* the first */
};

fallible event_log_open(const struct display_options *options, struct arena *arena,
                        struct event_log **out)
{
    struct event_log *log = ARENA_NEW(arena, struct event_log);

    log->form = (struct event_json){
        .mask = mask_new(arena, options->secrets),
        .color = options->color,
        .shows_secrets = options->shows_secrets,
    };
    log->path = options->event_log;
    *out = log;
    if (str_starts_with(log->path, STR("tcp://")))
        return event_stream_open(str_slice(log->path, strlen("tcp://"), log->path.len),
                                 &log->stream);
    log->fd = open(arena_cstr(arena, log->path),
                   O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (log->fd < 0)
        return error_os("create event log '" STR_FMT "'", STR_ARG(log->path));
    return NULL;
}

void event_log_add(struct event_log *log, const struct event *event, int64_t sequence,
                   int64_t timestamp)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    struct json_writer writer = { .out = &line };

    if (log->failure)
        return;
    event_json_write(&writer, &log->form, event, sequence, timestamp);
    strbuf_add_char(&line, '\n');
    if (log->stream) {
        event_stream_add(log->stream, strbuf_str(&line));
        return;
    }
    for (size_t done = 0; done < line.len && !log->failure;) {
        ssize_t len = write(log->fd, line.ptr + done, line.len - done);
        if (len >= 0)
            done += (size_t)len;
        else if (errno != EINTR)
            log->failure = error_os("write event log '" STR_FMT "'", STR_ARG(log->path));
    }
}

/* Older Automation APIs of Node.js tail the file: they read it every 200 ms, and a last time
   when the command has ended. If the two meet, the last look is lost with all that was written
   since the one before. So the end comes a moment after the last line. */
static void linger_for_tail(void)
{
    const struct timespec moment = { .tv_nsec = 100 * 1000 * 1000 };

    if (settings_bool("PULUMI_AUTOMATION_API"))
        nanosleep(&moment, NULL);
}

fallible event_log_close(struct event_log *log)
{
    if (log->stream) {
        event_stream_close(log->stream);
    } else {
        close(log->fd);
        linger_for_tail();
    }
    return log->failure;
}
