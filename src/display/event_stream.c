/* event_stream.c — queues events and sends them from a fiber of its own. */
#include "display/event_stream.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "rpc/rpc.h"

#include <stdlib.h>

struct event_stream {
    struct rpc_client *client;
    struct channel queue; /* of struct strbuf *, encoded requests */
    struct latch done;
};

/* EventRequest: one text in field 1. */
static void event_encode(struct strbuf *out, str line)
{
    size_t len = line.len;

    strbuf_add_char(out, 0x0a);
    for (; len >= 0x80; len >>= 7)
        strbuf_add_char(out, (char)((len & 0x7f) | 0x80));
    strbuf_add_char(out, (char)len);
    strbuf_add(out, line);
}

static void event_drop(struct strbuf *owned)
{
    strbuf_release(owned);
    free(owned);
}

static fallible event_stream_finish(struct rpc_stream *stream)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool has_message = true;
    str message;

    TRY(rpc_stream_close_send(stream));
    while (has_message)
        TRY(rpc_stream_receive(stream, &scratch, &has_message, &message));
    return NULL;
}

/* After the first failure the rest is only taken off the queue. */
static void send_all(void *stream_)
{
    struct event_stream *log = stream_;
    struct rpc_stream *stream = NULL;
    struct error *failure =
        rpc_stream_open(log->client, "/pulumirpc.Events/StreamEvents", NULL, &stream);
    void *request = NULL;

    for (;;) {
        struct error *canceled = channel_receive(&log->queue, &request);
        if (canceled || !request) {
            error_ignore(canceled, "a canceled operation has reported its end");
            break;
        }
        if (!failure)
            failure = rpc_stream_send(stream, strbuf_str(request));
        event_drop(request);
    }
    if (!failure)
        failure = event_stream_finish(stream);
    if (failure)
        log_warn("display", "event log: " STR_FMT, STR_ARG(error_message(failure)));
    error_ignore(failure, "the log is a service; its loss must not fail the operation");
    if (stream)
        rpc_stream_close(stream);
    latch_open(&log->done);
}

fallible event_stream_open(str address, struct event_stream **out)
{
    struct event_stream *stream = memory_zalloc(sizeof(*stream));
    struct error *failure = rpc_client_open(address, &stream->client);

    if (failure) {
        free(stream);
        return failure;
    }
    fiber_spawn(send_all, stream);
    *out = stream;
    return NULL;
}

void event_stream_add(struct event_stream *stream, str line)
{
    struct strbuf *request = memory_zalloc(sizeof(*request));

    event_encode(request, line);
    channel_send(&stream->queue, request);
}

void event_stream_close(struct event_stream *owned)
{
    channel_close(&owned->queue);
    latch_wait_uncancelable(&owned->done);
    for (size_t i = 0; i < owned->queue.len; i++) /* left by a sender that was canceled */
        event_drop(owned->queue.items[(owned->queue.first + i) % owned->queue.capacity]);
    channel_release(&owned->queue);
    rpc_client_close(owned->client);
    free(owned);
}
