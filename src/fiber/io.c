/* io.c — a file descriptor that fibers wait for. */
#include "fiber/io.h"

#include "fiber/scheduler.h"

#include <fcntl.h>
#include <unistd.h>

static const int event_of[2] = { [IO_READ] = UV_READABLE, [IO_WRITE] = UV_WRITABLE };

static void io_drop(struct io *io)
{
    if (--io->holders == 0)
        free(io);
}

static void io_wake(struct io *io, enum io_direction direction)
{
    if (!io->waiting[direction])
        return;
    io->is_ready[direction] = true;
    fiber_wake(io->waiting[direction]);
}

static void on_event(uv_poll_t *poll, int status, int events);

static void io_watch(struct io *io, int events)
{
    if (io->armed == events)
        return;
    io->armed = events;
    int failure = events ? uv_poll_start(&io->poll, events, on_event) : uv_poll_stop(&io->poll);
    BUG_IF(failure != 0);
}

/* An event that nobody waits for ends the watch, since it would be reported again and again. */
static void on_event(uv_poll_t *poll, int status, int events)
{
    struct io *io = poll->data;

    if (status < 0) { /* libuv has stopped; the next read or write meets the error itself */
        io->armed = 0;
        events = UV_READABLE | UV_WRITABLE;
    }
    int unwanted = 0;
    for (int direction = IO_READ; direction <= IO_WRITE; direction++) {
        if (!(events & event_of[direction]))
            continue;
        if (io->waiting[direction])
            io_wake(io, (enum io_direction)direction);
        else
            unwanted |= event_of[direction];
    }
    io_watch(io, io->armed & ~unwanted);
}

fallible io_open(struct io *io, int owned_fd)
{
    struct scheduler *scheduler = scheduler_current();
    int flags = fcntl(owned_fd, F_GETFL);

    BUG_IF(!scheduler);
    if (flags < 0 || fcntl(owned_fd, F_SETFL, flags | O_NONBLOCK) < 0) {
        struct error *error = error_os("use file descriptor %d", owned_fd);
        close(owned_fd);
        return error;
    }
    int failure = uv_poll_init(&scheduler->loop, &io->poll, owned_fd);
    if (failure < 0 && failure != UV_EPERM) {
        close(owned_fd);
        return error_new(ERROR_OTHER, "watch file descriptor %d: %s", owned_fd,
                         uv_strerror(failure));
    }
    io->fd = owned_fd;
    io->is_pollable = failure == 0;
    io->holders = io->is_pollable ? 2 : 1;
    io->poll.data = io;
    return NULL;
}

/* `timer`, if there is one, ends it with ERROR_TIMEOUT. */
static fallible io_wait_until(struct io *io, enum io_direction direction, const struct timer *timer,
                              bool *is_open)
{
    struct scheduler *scheduler = scheduler_current();

    BUG_IF(io->waiting[direction]);
    BUG_IF(!io->is_pollable);
    TRY(fiber_canceled());
    io->waiting[direction] = fiber_blocking();
    io->is_ready[direction] = false;
    io->holders++;
    scheduler->outside++;
    io_watch(io, io->armed | event_of[direction]);
    while (!io->is_ready[direction] && !io->is_shut && !fiber_is_canceled()
           && !(timer && timer->is_due))
        fiber_park(direction == IO_READ ? "bytes to read" : "room to write");
    scheduler->outside--;
    io->waiting[direction] = NULL;
    bool has_happened = io->is_ready[direction] || io->is_shut;
    bool was_open = !io->is_shut;
    io_drop(io);
    if (!has_happened) {
        TRY(fiber_canceled());
        return error_new(ERROR_TIMEOUT, "nothing happened in time");
    }
    *is_open = was_open;
    return NULL;
}

fallible io_wait(struct io *io, enum io_direction direction, bool *is_open)
{
    return io_wait_until(io, direction, NULL, is_open);
}

fallible io_wait_ms(struct io *io, enum io_direction direction, uint64_t milliseconds,
                    bool *is_open)
{
    struct timer timer;

    timer_start(&timer, milliseconds);
    struct error *failure = io_wait_until(io, direction, &timer, is_open);
    timer_stop(&timer);
    return failure;
}

void io_shut(struct io *io)
{
    io->is_shut = true;
    io_wake(io, IO_READ);
    io_wake(io, IO_WRITE);
}

static void io_on_closed(uv_handle_t *handle)
{
    io_drop(handle->data);
}

void io_close(struct io *io)
{
    io_shut(io);
    if (io->is_pollable)
        uv_close((uv_handle_t *)&io->poll, io_on_closed);
    close(io->fd);
    io->fd = -1;
    io_drop(io);
}
