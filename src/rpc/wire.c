/* wire.c — an HTTP/2 connection on a socket. */
#include "rpc/wire.h"

#include "base/error.h"
#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/socket.h"

enum { READ_SIZE = 64 * 1024, MAX_BACKLOG = 16 * 1024 * 1024 };

static void park(struct fiber **place, const char *awaited)
{
    *place = fiber_self();
    fiber_park(awaited);
    *place = NULL;
}

static void wire_wake(struct fiber **place)
{
    if (*place)
        fiber_wake(*place);
    *place = NULL;
}

static bool is_over(const struct wire *wire)
{
    return http2_is_broken(wire->h2) || http2_is_drained(wire->h2);
}

static void wire_deliver(struct wire *wire)
{
    wire->is_delivering = true;
    for (struct http2_event event; http2_next(wire->h2, &event);)
        wire->ops->on_event(wire, &event);
    wire->is_delivering = false;
    if (wire->ops->on_pause)
        wire->ops->on_pause(wire);
}

void wire_push(struct wire *wire)
{
    if (wire->is_delivering)
        return;
    wire_deliver(wire);
    if (http2_has_output(wire->h2) || is_over(wire))
        wire_wake(&wire->parked_writer);
}

static void wire_end_fiber(struct wire *wire)
{
    if (--wire->fibers > 0)
        return;
    strbuf_release(&wire->writing);
    http2_free(wire->h2);
    stream_close(wire->socket);
    wire->ops->on_end(wire);
}

/* A peer that does not read what we answer is not read either. */
static void wait_for_backlog(struct wire *wire)
{
    while (http2_backlog(wire->h2) > MAX_BACKLOG && !http2_is_broken(wire->h2))
        park(&wire->parked_reader, "calls to be taken up");
}

/* Until the end of the stream, a failure, or cancellation, which all mean the same here: nobody is
 * there any more. */
static void wire_run_reader(void *wire_)
{
    struct wire *wire = wire_;
    char *bytes = memory_alloc(READ_SIZE);

    while (!http2_is_broken(wire->h2)) {
        size_t len = 0;
        wait_for_backlog(wire);
        error_ignore(stream_read(wire->socket, bytes, READ_SIZE, &len), "the length says it");
        if (len == 0)
            http2_lose(wire->h2);
        else
            http2_feed(wire->h2, (str){ bytes, len });
        wire_push(wire);
    }
    free(bytes);
    wire_end_fiber(wire);
}

static bool write_some(struct wire *wire)
{
    bool has_output = http2_take_output(wire->h2, &wire->writing);

    wire_wake(&wire->parked_reader);
    wire_push(wire); /* streams whose body went out */
    if (!has_output)
        return false;
    struct error *failure = stream_write(wire->socket, strbuf_str(&wire->writing));
    if (failure)
        http2_lose(wire->h2);
    error_ignore(failure, "the streams learn that the connection is lost");
    strbuf_clear(&wire->writing);
    return true;
}

/* What was in the output when the connection ended is still written: the peer learns why. */
static void run_writer(void *wire_)
{
    struct wire *wire = wire_;

    while (write_some(wire) || !is_over(wire)) {
        if (!http2_has_output(wire->h2) && !is_over(wire))
            park(&wire->parked_writer, "something to send");
    }
    http2_lose(wire->h2);
    wire_push(wire);
    wire_wake(&wire->parked_reader);
    stream_shutdown(wire->socket);
    wire_end_fiber(wire);
}

void wire_start(struct wire *wire, const struct wire_ops *ops, enum http2_role role,
                struct stream *owned_socket, struct cancel *scope)
{
    *wire = (struct wire){ .ops = ops, .h2 = http2_new(role), .socket = owned_socket, .fibers = 2 };
    fiber_spawn_in(scope, run_writer, wire);
    fiber_spawn_in(scope, wire_run_reader, wire);
}
