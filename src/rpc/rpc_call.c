/* rpc_call.c — one call at the server: from its headers, through a handler in a fiber of its own,
 * to its status. */
#include "rpc/server.h"

#include "base/log.h"
#include "base/clock.h"
#include "base/memory.h"
#include "fiber/fiber.h"

/* A call ends in one of three ways, and all meet in on_closed: its handler returns and the answer
 * goes out; it is refused before it has a handler; the stream is closed under a running handler,
 * whose scope is then fired and whose answer is dropped. */

struct arena *rpc_call_arena(struct rpc_call *call)
{
    return &call->arena;
}

str rpc_call_header(const struct rpc_call *call, str name)
{
    return grpc_metadata_find(call->metadata, name);
}

const char *rpc_call_path(const struct rpc_call *call)
{
    return call->method->path;
}

static void free_call(struct rpc_call *call)
{
    turns_leave(call);
    grpc_message_free(&call->inbox, call->message);
    grpc_inbox_release(&call->inbox);
    free(call->metadata);
    arena_release(&call->arena);
    free(call);
}

static void keep_metadata(struct rpc_call *call, const struct hpack_list *headers)
{
    call->metadata = grpc_metadata_copy(headers);
    call->connection->metadata += grpc_metadata_size(call->metadata);
    call->server->metadata += grpc_metadata_size(call->metadata);
}

/* A few bytes on the wire can be 60 KB of metadata, and a peer can have many connections. */
static bool has_too_much_metadata(const struct server_connection *connection)
{
    return connection->metadata > GRPC_MAX_METADATA
           || (connection->server->metadata > GRPC_MAX_METADATA_OF_ALL
               && connection->metadata > GRPC_METADATA_SHARE);
}

/* The stream is gone; so may be the connection. */
static void call_detach(struct rpc_call *call)
{
    call->connection->metadata -= grpc_metadata_size(call->metadata);
    call->server->metadata -= grpc_metadata_size(call->metadata);
    call->stream = NULL;
    call->connection = NULL;
    grpc_inbox_detach(&call->inbox);
}

/* --- answers --- */

static struct http2 *http2_of(const struct rpc_call *call)
{
    return call->connection->wire.h2;
}

/* An empty block, to be sent before the next one is asked for. */
static struct strbuf *new_block(struct server_connection *connection)
{
    strbuf_clear(&connection->block);
    return &connection->block;
}

static void call_add_headers(struct strbuf *block)
{
    hpack_add_known(block, HPACK_STATUS_200);
    hpack_add_named(block, HPACK_CONTENT_TYPE, STR("application/grpc"));
}

static void send_headers(struct rpc_call *call)
{
    if (call->has_headers)
        return;
    struct strbuf *block = new_block(call->connection);
    call_add_headers(block);
    http2_send_headers(http2_of(call), call->stream, strbuf_str(block), false);
    call->has_headers = true;
}

static bool send_message(struct rpc_call *call, str message)
{
    char prefix[GRPC_PREFIX_LEN];

    grpc_put_prefix(prefix, message.len);
    send_headers(call);
    return http2_send_data(http2_of(call), call->stream, (str){ prefix, sizeof(prefix) }, message,
                           false);
}

static void send_status(struct rpc_call *call, int code, str message, str details)
{
    struct strbuf *block = new_block(call->connection);

    call->is_answered = true;
    if (!call->has_headers)
        call_add_headers(block);
    if (code == RPC_UNIMPLEMENTED)
        hpack_add(block, STR("grpc-accept-encoding"),
                  STR("identity")); /* a compressed message may be the reason */
    grpc_add_status(block, code, message, details);
    if (call->has_headers)
        http2_send_trailers(http2_of(call), call->stream, strbuf_str(block));
    else
        http2_send_headers(http2_of(call), call->stream, strbuf_str(block), true);
}

/* Ends a call that does not make sense. */
static void call_refuse(struct rpc_call *call, int code, str why)
{
    send_status(call, code, why, STR(""));
}

static void call_answer(struct rpc_call *call, const struct error *failure, str response)
{
    bool is_too_late = failure && call->is_late && error_kind(failure) == ERROR_CANCELED;

    if (!call->stream)
        return;
    if (is_too_late)
        send_status(call, RPC_DEADLINE_EXCEEDED, STR("deadline exceeded"), STR(""));
    else if (failure)
        send_status(call, error_status(failure), error_message(failure),
                    error_status_details(failure));
    else if (response.len > UINT32_MAX)
        send_status(call, RPC_RESOURCE_EXHAUSTED, STR("the answer is larger than a message can be"),
                    STR(""));
    else if (call->connection->held > GRPC_MAX_HELD) /* all were asked for at once */
        send_status(call, RPC_RESOURCE_EXHAUSTED, STR("too many answers wait to be read"), STR(""));
    else {
        /* Until the client reads it, the answer waits together with all that it was made of. */
        if (call->method->unary && !send_message(call, response))
            grpc_inbox_charge(&call->inbox,
                              response.len > call->arena.total ? response.len : call->arena.total);
        send_headers(call);
        send_status(call, RPC_OK, STR(""), STR(""));
    }
}

/* --- deadline --- */

/* Owned by its fiber. Call and watch know each other as long as both are there. */
struct watch {
    struct rpc_server *server;
    struct rpc_call *call;
    struct latch call_finished;
};

static void run_watch(void *watch_)
{
    struct watch *watch = watch_;
    int64_t left = watch->call ? watch->call->deadline - clock_monotonic() : 0;

    error_ignore(
        latch_wait_ms(&watch->call_finished, left > 0 ? (uint64_t)left / NS_PER_MS + 1 : 0),
        "the call tells");
    if (watch->call) {
        watch->call->is_late = clock_monotonic() >= watch->call->deadline;
        watch->call->watch = NULL;
        cancel_fire(watch->call->scope);
    }
    server_end_call_fiber(watch->server);
    free(watch);
}

static void start_watch(struct rpc_call *call)
{
    struct watch *watch = memory_zalloc(sizeof(*watch));

    watch->server = call->server;
    watch->call = call;
    call->watch = watch;
    server_add_call_fiber(call->server);
    fiber_spawn_in(call->server->call_scope, run_watch, watch);
}

static void stop_watch(struct rpc_call *call)
{
    if (!call->watch)
        return;
    call->watch->call = NULL;
    latch_open(&call->watch->call_finished);
    call->watch = NULL;
}

/* --- handler --- */

/* Never the message of a failure: it may quote what the call was about. */
static void log_answer(const struct rpc_call *call, const struct error *failure, str response)
{
    log_info("answered", "%s in %.1f ms: %s, %zu bytes received, %zu bytes sent",
             call->method->path, (double)(clock_monotonic() - call->began) / NS_PER_MS,
             failure ? rpc_status_name(error_status(failure)) : "OK",
             call->message ? call->message->len : (size_t)0, response.len);
}

static void call_finish(struct rpc_call *call, struct error *owned_failure, str response)
{
    call_answer(call, owned_failure, response);
    log_answer(call, owned_failure, response);
    error_free(owned_failure);
    call->is_running = false;
    if (call->stream)
        wire_push(&call->connection->wire); /* on_closed frees it, now or when all was sent */
    else
        free_call(call);
}

static void call_start(struct rpc_call *call);

/* Calls that wait when the server closes are not begun any more. */
static void start_next(struct rpc_server *server, struct turns *turns, bool is_patient)
{
    struct rpc_call *next = turns_end(turns, is_patient);

    while (next && cancel_is_fired(server->call_scope)) {
        call_refuse(next, RPC_UNAVAILABLE, STR("the server is being closed"));
        wire_push(&next->connection->wire);
        next = turns_end(turns, is_patient);
    }
    if (next)
        call_start(next);
}

static void call_run(void *call_)
{
    struct rpc_call *call = call_;
    struct rpc_server *server = call->server;
    struct turns *turns = call->turns;
    const struct rpc_method *method = call->method;
    str response = STR("");

    fiber_set_task((struct fiber_task){ "answers", str_from(method->path) });
    str request = call->message ? (str){ call->message->bytes, call->message->len } : STR("");
    struct error *failure = method->unary ? method->unary(server->context, call, request, &response)
                                          : method->stream(server->context, call);
    stop_watch(call);
    cancel_enter(server->call_scope);
    cancel_close(call->scope);
    call_finish(call, failure, response);
    start_next(server, turns, method->is_patient);
    server_end_call_fiber(server);
}

static void call_start(struct rpc_call *call)
{
    call->is_running = true;
    call->scope = cancel_open(call->server->call_scope);
    server_add_call_fiber(call->server);
    fiber_spawn_guest_in(call->scope, call_run, call);
    if (call->deadline)
        start_watch(call);
}

static void start_in_turn(struct rpc_call *call)
{
    call->turns = call->connection->turns;
    if (turns_take(call))
        call_start(call);
}

/* Waits until `event` concerns the call again: a message, room, or the end of the stream. */
static fallible call_wait_at(struct latch **place)
{
    struct latch latch = { 0 };

    BUG_IF(*place); /* one fiber receives, one sends */
    *place = &latch;
    struct error *failure = latch_wait(&latch);
    *place = NULL;
    return failure;
}

static void call_wake_at(struct latch *place)
{
    if (place)
        latch_open(place);
}

static struct error *peer_gone(void)
{
    return error_new(ERROR_CANCELED, "the client does not want the answer any more");
}

/* Room of messages that waited is given back when all have been read, so a slow handler holds the
 * client back. */
static void call_give_room_back(struct rpc_call *call)
{
    if (call->inbox.first || !call->stream)
        return;
    http2_consume(http2_of(call), call->stream, call->unread);
    call->unread = 0;
    wire_push(&call->connection->wire);
}

fallible rpc_call_receive(struct rpc_call *call, bool *has_message, str *message)
{
    grpc_message_free(&call->inbox, call->message);
    call->message = NULL;
    while (!call->inbox.first) {
        if (!call->stream)
            return peer_gone();
        if (call->is_ended_by_peer && grpc_inbox_is_cut(&call->inbox))
            return error_from_status(RPC_INTERNAL, STR("the last message is cut off"), STR(""));
        if (call->is_ended_by_peer) {
            *has_message = false;
            return NULL;
        }
        TRY(call_wait_at(&call->receiver));
    }
    call->message = grpc_inbox_take(&call->inbox);
    *has_message = true;
    *message = (str){ call->message->bytes, call->message->len };
    call_give_room_back(call);
    return NULL;
}

fallible rpc_call_send(struct rpc_call *call, str message)
{
    if (!call->stream)
        return peer_gone();
    TRY(fiber_canceled());
    bool is_sent = send_message(call, message);
    wire_push(&call->connection->wire);
    struct error *failure = is_sent ? NULL : call_wait_at(&call->sender);
    if (failure && call->stream) { /* the message must not be touched after we return */
        struct wire *wire = &call->connection->wire;
        http2_reset(wire->h2, call->stream, HTTP2_CANCEL);
        call_detach(call);
        wire_push(wire);
    }
    if (failure)
        return failure;
    return call->stream ? NULL : peer_gone();
}

/* --- events --- */

/* Answers for clients that do not speak gRPC, sent when their request is complete. */
struct refusal {
    str status;
    str why;
};
static const struct refusal not_post = { STR_INIT("405"),
                                         STR_INIT("this is a gRPC server: POST is needed\n") };
static const struct refusal not_grpc = {
    STR_INIT("415"), STR_INIT("this is a gRPC server: content-type must be application/grpc\n")
};

static void refuse_http(struct rpc_call *call)
{
    struct strbuf *block = new_block(call->connection);

    call->is_answered = true;
    hpack_add_named(block, HPACK_STATUS, call->refusal->status);
    hpack_add_named(block, HPACK_CONTENT_TYPE, STR("text/plain"));
    http2_send_headers(http2_of(call), call->stream, strbuf_str(block), false);
    http2_send_data(http2_of(call), call->stream, STR(""), call->refusal->why, true);
}

static void refuse_unknown(struct rpc_call *call, str path)
{
    str service, method;
    bool is_valid = path.ptr[0] == '/'
                    && str_cut_last(str_slice(path, 1, path.len), STR("/"), &service, &method);
    str why = is_valid
                  ? arena_concat(&call->arena, STR("unknown method "), method, STR(" for service "),
                                 service)
                  : arena_concat(&call->arena, STR("malformed method name: \""), path, STR("\""));
    send_status(call, RPC_UNIMPLEMENTED, why, STR(""));
}

static bool read_timeout(struct rpc_call *call, const struct hpack_list *headers)
{
    str text = hpack_list_find(headers, STR("grpc-timeout"));
    uint64_t milliseconds;

    if (!text.ptr)
        return true;
    if (!grpc_parse_timeout(text, &milliseconds))
        return false;
    if (milliseconds < INT64_MAX / NS_PER_MS / 2)
        call->deadline = clock_monotonic() + (int64_t)milliseconds * NS_PER_MS;
    return true;
}

static void on_request(struct server_connection *connection, struct http2_stream *stream,
                       const struct hpack_list *headers)
{
    str path = hpack_list_find(headers, STR(":path"));

    struct rpc_call *call = memory_zalloc(sizeof(*call));
    call->server = connection->server;
    call->connection = connection;
    call->stream = stream;
    call->inbox.held = &connection->held;
    keep_metadata(call, headers);
    call->method = map_find(&connection->server->methods, path);
    log_info("called", STR_FMT, STR_ARG(path));
    if (log_limit >= LOG_INFO)
        call->began = clock_monotonic();
    http2_set_owner(stream, call);
    if (!str_equal(hpack_list_find(headers, STR(":method")), STR("POST")))
        call->refusal = &not_post;
    else if (!grpc_is_content_type(hpack_list_find(headers, STR("content-type"))))
        call->refusal = &not_grpc;
    else if (!call->method)
        refuse_unknown(call, path);
    else if (has_too_much_metadata(connection))
        call_refuse(call, RPC_RESOURCE_EXHAUSTED, STR("the metadata of all calls is too large"));
    else if (!read_timeout(call, headers))
        call_refuse(call, RPC_INTERNAL, STR("malformed grpc-timeout"));
    else if (call->method->stream)
        start_in_turn(call);
}

static void call_on_data(struct rpc_call *call, str bytes)
{
    if (call->refusal) {
        http2_consume(http2_of(call), call->stream, bytes.len);
        return;
    }
    int code = grpc_inbox_add(&call->inbox, bytes);
    const struct grpc_message *first = call->inbox.first;

    if (code == RPC_UNIMPLEMENTED)
        call_refuse(call, code, STR("compressed messages are not supported"));
    else if (code != RPC_OK)
        call_refuse(call, code, STR("the message is larger than the limit"));
    else if (call->method->unary && first && (first->next || grpc_inbox_is_cut(&call->inbox)))
        call_refuse(call, RPC_INTERNAL, STR("more than one message for a method that takes one"));
    else if (first && call->method->stream)
        call->unread += (uint32_t)bytes.len;
    else
        http2_consume(http2_of(call), call->stream, bytes.len);
    call_wake_at(call->receiver);
}

static void call_on_end(struct rpc_call *call)
{
    call->is_ended_by_peer = true;
    call_wake_at(call->receiver);
    if (call->refusal) {
        refuse_http(call);
        return;
    }
    if (call->method->stream)
        return;
    if (!call->inbox.first || grpc_inbox_is_cut(&call->inbox)) {
        call_refuse(call, RPC_INTERNAL, STR("the request has no whole message"));
        return;
    }
    call->message = grpc_inbox_take(&call->inbox);
    start_in_turn(call);
}

static void call_on_closed(struct rpc_call *call)
{
    call_detach(call);
    call_wake_at(call->receiver);
    call_wake_at(call->sender);
    if (call->is_running)
        cancel_fire(call->scope);
    else
        free_call(call);
}

void call_on_event(struct wire *wire, const struct http2_event *event)
{
    struct rpc_call *call = http2_owner(event->stream);

    if (event->kind == HTTP2_HEADERS && !event->is_trailers) {
        on_request((struct server_connection *)wire, event->stream, event->headers);
        return;
    }
    if (call->is_answered && event->kind != HTTP2_CLOSED)
        return;
    switch (event->kind) {
    case HTTP2_HEADERS: break; /* trailers of a request mean nothing */
    case HTTP2_DATA: call_on_data(call, event->bytes); break;
    case HTTP2_END: call_on_end(call); break;
    case HTTP2_SENT: call_wake_at(call->sender); break;
    case HTTP2_CLOSED: call_on_closed(call); break;
    }
}
