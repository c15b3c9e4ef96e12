/* rpc_stream.c — one call at the client: a stream of messages in either direction, or one of
 * each. */
#include "rpc/client.h"

#include "base/clock.h"
#include "base/memory.h"
#include "fiber/fiber.h"

enum { MOST_TRIES = 5 }; /* of a call that the peer says it has not processed */

static void stream_wake_at(struct latch *place)
{
    if (place)
        latch_open(place);
}

/* Only the first outcome is kept. */
static void stream_settle(struct rpc_stream *call, struct error *owned_failure)
{
    if (call->is_over) {
        error_free(owned_failure);
    } else {
        call->is_over = true;
        call->failure = owned_failure;
    }
    stream_wake_at(call->receiver);
    stream_wake_at(call->sender);
}

static void stream_detach(struct rpc_stream *call)
{
    call->stream = NULL;
    call->connection = NULL;
    grpc_inbox_detach(&call->inbox);
}

/* Lets the peer know that nothing more is wanted; afterwards nothing of the call is in use by the
 * connection. */
static void abandon(struct rpc_stream *call)
{
    if (!call->stream)
        return;
    struct wire *wire = &call->connection->wire;
    http2_reset(wire->h2, call->stream, HTTP2_CANCEL);
    stream_detach(call);
    wire_push(wire);
}

static void stream_give_up(struct rpc_stream *call, struct error *owned_failure)
{
    abandon(call);
    stream_settle(call, owned_failure);
}

/* --- events --- */

/* The call may have been carried out, and its result is unknown. */
static struct error *answer_lost(int code, str message)
{
    return error_mark_lost(error_from_status(code, message, STR("")), true);
}

static void on_headers(struct rpc_stream *call, const struct http2_event *event)
{
    if (call->has_status)
        return;
    call->has_status = grpc_read_status(event->headers, &call->status);
    struct error *failure =
        call->has_status || event->is_trailers ? NULL : grpc_check_answer(event->headers);
    if (failure)
        stream_give_up(call, failure);
}

static struct error *not_one_message(void)
{
    return answer_lost(RPC_INTERNAL, STR("the answer is not exactly one message"));
}

static void stream_on_data(struct rpc_stream *call, str bytes)
{
    int code = grpc_inbox_add(&call->inbox, bytes);
    const struct grpc_message *first = call->inbox.first;
    bool has_second = first && (first->next || grpc_inbox_is_cut(&call->inbox));

    if (code == RPC_UNIMPLEMENTED)
        stream_give_up(call,
                       answer_lost(RPC_INTERNAL, STR("the peer compresses its messages unasked")));
    else if (code != RPC_OK)
        stream_give_up(call, answer_lost(code, STR("the answer is larger than the limit")));
    else if (call->is_unary && has_second)
        stream_give_up(call, not_one_message());
    else if (first && !call->is_unary)
        call->unread += (uint32_t)bytes.len;
    else
        http2_consume(call->connection->wire.h2, call->stream, bytes.len);
    stream_wake_at(call->receiver);
}

static struct error *take_failure(struct error **failure)
{
    struct error *taken = *failure;
    *failure = NULL;
    return taken;
}

static void stream_on_end(struct rpc_stream *call)
{
    if (!call->has_status)
        stream_settle(call,
                      answer_lost(RPC_INTERNAL, STR("the peer ended the call without a status")));
    else if (!call->status && grpc_inbox_is_cut(&call->inbox))
        stream_settle(call,
                      answer_lost(RPC_INTERNAL, STR("the last message of the answer is cut off")));
    else
        stream_settle(call, take_failure(&call->status));
}

static struct error *error_of_close(const struct rpc_stream *call, const struct http2_event *event)
{
    if (event->code == HTTP2_CANCEL && call->deadline && client_time_left_ms(call) == 0)
        return client_late(); /* the peer was faster to see it */
    switch (event->cause) {
    case HTTP2_BY_PEER:
        return error_mark_lost(error_from_status(grpc_code_of_reset(event->code),
                                                 STR("the peer has reset the call"), STR("")),
                               event->code != HTTP2_REFUSED_STREAM);
    case HTTP2_BY_VIOLATION:
        return error_mark_lost(error_from_status(grpc_code_of_reset(event->code),
                                                 STR("the answer of the peer breaks the protocol"),
                                                 STR("")),
                               true);
    case HTTP2_BY_GOAWAY:
        return error_from_status(RPC_UNAVAILABLE, STR("the peer is going away"), STR(""));
    case HTTP2_BY_COMPLETION:
    case HTTP2_BY_LOSS: break;
    }
    return error_mark_lost(
        error_from_status(RPC_UNAVAILABLE, STR("the connection to the peer was lost"), STR("")),
        true);
}

static void stream_on_closed(struct rpc_stream *call, const struct http2_event *event)
{
    bool is_refused = event->cause == HTTP2_BY_PEER && event->code == HTTP2_REFUSED_STREAM;

    call->was_not_processed = !call->is_over && (is_refused || event->cause == HTTP2_BY_GOAWAY);
    stream_detach(call);
    stream_settle(call, call->is_over ? NULL : error_of_close(call, event));
}

void stream_on_event(struct wire *wire, const struct http2_event *event)
{
    struct rpc_stream *call = http2_owner(event->stream);

    (void)wire;
    switch (event->kind) {
    case HTTP2_HEADERS: on_headers(call, event); break;
    case HTTP2_DATA: stream_on_data(call, event->bytes); break;
    case HTTP2_END: stream_on_end(call); break;
    case HTTP2_SENT: stream_wake_at(call->sender); break;
    case HTTP2_CLOSED: stream_on_closed(call, event); break;
    }
}

/* --- start --- */

static void add_request_headers(struct strbuf *block, const struct rpc_stream *call,
                                const char *path, const struct rpc_options *options)
{
    char room[GRPC_TIMEOUT_ROOM];

    hpack_add_known(block, HPACK_METHOD_POST);
    hpack_add_known(block, HPACK_SCHEME_HTTP);
    hpack_add_named(block, HPACK_PATH, str_from(path));
    hpack_add_named(block, HPACK_AUTHORITY, call->client->address);
    hpack_add(block, STR("te"), STR("trailers"));
    if (call->deadline)
        hpack_add(block, STR("grpc-timeout"), grpc_format_timeout(room, client_time_left_ms(call)));
    hpack_add_named(block, HPACK_CONTENT_TYPE, STR("application/grpc"));
    hpack_add_named(block, HPACK_USER_AGENT, STR("grpc-culumi"));
    for (size_t i = 0; options && i < options->metadata.len; i++)
        hpack_add(block, options->metadata.items[i].key, options->metadata.items[i].value);
}

static void set_deadline(struct rpc_stream *call, const struct rpc_options *options)
{
    uint64_t timeout_ms = options ? options->timeout_ms : 0;

    if (timeout_ms && timeout_ms < INT64_MAX / NS_PER_MS / 2)
        call->deadline = clock_monotonic() + (int64_t)timeout_ms * NS_PER_MS;
}

/* Gets a stream and sends the headers. */
static fallible stream_begin(struct rpc_stream *call, const char *path,
                             const struct rpc_options *options)
{
    CLEANUP(strbuf_release) struct strbuf block = { 0 };

    TRY(client_acquire(call));
    call->is_begun = true;
    struct wire *wire = &call->connection->wire;
    call->inbox.held = &call->connection->held;
    call->stream = http2_start(wire->h2, call);
    add_request_headers(&block, call, path, options);
    http2_send_headers(wire->h2, call->stream, strbuf_str(&block), false);
    return NULL;
}

static void stream_end(struct rpc_stream *call)
{
    abandon(call);
    grpc_inbox_release(&call->inbox);
    error_free(call->status);
    error_free(call->failure);
    if (call->is_begun)
        client_release(call);
}

/* Waits at a place of the call until it is woken there; at once when the outcome is known. */
static fallible stream_wait_at(const struct rpc_stream *call, struct latch **place)
{
    struct latch latch = { 0 };

    BUG_IF(*place); /* one fiber receives, one sends */
    *place = &latch;
    struct error *failure = client_wait(call, &latch);
    *place = NULL;
    return failure;
}

static struct error *copy_of(const struct error *failure)
{
    return error_mark_lost(error_from_status(error_status(failure), error_message(failure),
                                             error_status_details(failure)),
                           error_is_lost(failure));
}

/* A copy of the outcome, which may be asked for again; NULL if it is success or not known yet. */
static struct error *copy_failure(const struct rpc_stream *call)
{
    return call->failure ? copy_of(call->failure) : NULL;
}

static str inbox_message_str(const struct grpc_message *message)
{
    return (str){ message->bytes, message->len };
}

/* --- unary --- */

static fallible try_unary(struct rpc_stream *call, const char *path, str request,
                          const struct rpc_options *options, str *response)
{
    char prefix[GRPC_PREFIX_LEN];

    TRY(stream_begin(call, path, options));
    grpc_put_prefix(prefix, request.len);
    http2_send_data(call->connection->wire.h2, call->stream, (str){ prefix, sizeof(prefix) },
                    request, true);
    wire_push(&call->connection->wire);
    while (!call->is_over)
        TRY(stream_wait_at(call, &call->receiver));
    if (call->failure)
        return take_failure(&call->failure);
    struct grpc_message *message = grpc_inbox_take(&call->inbox);
    if (!message || call->inbox.first)
        return not_one_message();
    *response = inbox_message_str(message);
    return NULL;
}

fallible rpc_call_unary(struct rpc_client *client, const char *path, str request,
                        const struct rpc_options *options, struct arena *arena, str *response)
{
    struct rpc_stream settings = { .client = client, .is_unary = true, .inbox.arena = arena };

    if (request.len > UINT32_MAX)
        return error_from_status(RPC_RESOURCE_EXHAUSTED,
                                 STR("the request is larger than a message can be"), STR(""));
    set_deadline(&settings, options);
    for (int tries = 1;; tries++) {
        struct rpc_stream call = settings;
        struct error *failure = try_unary(&call, path, request, options, response);
        bool is_to_be_repeated = failure && call.was_not_processed && tries < MOST_TRIES;
        stream_end(&call);
        if (!is_to_be_repeated)
            return failure;
        error_free(failure);
    }
}

/* --- streaming --- */

fallible rpc_stream_open(struct rpc_client *client, const char *path,
                         const struct rpc_options *options, struct rpc_stream **out)
{
    struct rpc_stream *call = memory_zalloc(sizeof(*call));

    call->client = client;
    set_deadline(call, options);
    struct error *failure = stream_begin(call, path, options);
    if (failure) {
        rpc_stream_close(call);
        return failure;
    }
    wire_push(&call->connection->wire);
    *out = call;
    return NULL;
}

fallible rpc_stream_send(struct rpc_stream *stream, str message)
{
    char prefix[GRPC_PREFIX_LEN];

    TRY(fiber_canceled());
    if (stream->is_over)
        return copy_failure(stream);
    if (message.len > UINT32_MAX)
        return error_from_status(RPC_RESOURCE_EXHAUSTED,
                                 STR("the request is larger than a message can be"), STR(""));
    grpc_put_prefix(prefix, message.len);
    struct wire *wire = &stream->connection->wire;
    bool is_sent =
        http2_send_data(wire->h2, stream->stream, (str){ prefix, sizeof(prefix) }, message, false);
    wire_push(wire);
    struct error *failure = is_sent ? NULL : stream_wait_at(stream, &stream->sender);
    if (failure || stream->is_over)
        abandon(stream); /* the message must not be touched after we return */
    if (!failure)
        return copy_failure(stream);
    stream_settle(stream, copy_of(failure));
    return failure;
}

fallible rpc_stream_close_send(struct rpc_stream *stream)
{
    TRY(fiber_canceled());
    if (!stream->stream)
        return NULL;
    struct wire *wire = &stream->connection->wire;
    http2_send_end(wire->h2, stream->stream);
    wire_push(wire);
    return NULL;
}

/* Room of messages that waited is given back when all have been read, so a slow reader holds the
 * peer back. */
static void stream_give_room_back(struct rpc_stream *call)
{
    if (call->inbox.first || !call->stream)
        return;
    struct wire *wire = &call->connection->wire;
    http2_consume(wire->h2, call->stream, call->unread);
    call->unread = 0;
    wire_push(wire);
}

fallible rpc_stream_receive(struct rpc_stream *stream, struct arena *arena, bool *has_message,
                            str *message)
{
    while (!stream->inbox.first) {
        if (stream->is_over) {
            *has_message = false;
            return copy_failure(stream);
        }
        struct error *failure = stream_wait_at(stream, &stream->receiver);
        if (failure) {
            stream_give_up(stream, copy_of(failure));
            return failure;
        }
    }
    struct grpc_message *taken = grpc_inbox_take(&stream->inbox);
    *message = arena_copy(arena, inbox_message_str(taken));
    *has_message = true;
    grpc_message_free(&stream->inbox, taken);
    stream_give_room_back(stream);
    return NULL;
}

void rpc_stream_close(struct rpc_stream *owned)
{
    if (!owned)
        return;
    stream_end(owned);
    free(owned);
}
