/* rpc_client.c — a client's connection: made when it is needed, shared by all calls, made again
 * when it was lost. */
#include "rpc/client.h"

#include "base/clock.h"
#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/socket.h"

/* A connection is freed when its fibers are done and no caller waits in it. Calls that have a
 * stream need not hold it: when it ends, every stream is closed first, and with that they let go of
 * it. */

enum { MOST_CONNECTIONS = 5 }; /* that a call tries when the peer ends each at once */

static struct error *unavailable(str why)
{
    return error_from_status(RPC_UNAVAILABLE, why, STR(""));
}

static void check_gone(struct rpc_client *client)
{
    if (client->is_closing && client->connections == 0 && client->calls == 0)
        latch_open(&client->all_gone);
}

/* --- connection --- */

static void client_connection_drop(struct client_connection *connection)
{
    struct rpc_client *client = connection->client;

    if (--connection->holders > 0)
        return;
    free(connection->failure);
    free(connection);
    client->connections--;
    check_gone(client);
}

/* New calls shall not use it any more. */
static void retire(struct client_connection *connection)
{
    if (connection->client->current == connection)
        connection->client->current = NULL;
}

/* Lets as many waiting calls go on as the peer permits; all of them when it permits none any more,
 * so that they look elsewhere. */
static void serve_waiters(struct client_connection *connection)
{
    const struct http2 *h2 = connection->wire.h2;
    bool is_ending = http2_is_ending(h2);

    while (connection->first_waiter && (is_ending || http2_can_start(h2))) {
        struct slot_waiter *waiter = connection->first_waiter;
        connection->first_waiter = waiter->next;
        latch_open(&waiter->turn);
        if (!is_ending)
            break; /* it takes its place when it runs, and calls us for the next */
    }
    if (!connection->first_waiter)
        connection->last_waiter = NULL;
}

static void on_pause(struct wire *wire)
{
    struct client_connection *connection = (struct client_connection *)wire;

    if (http2_is_ending(wire->h2))
        retire(connection);
    serve_waiters(connection);
}

static void client_on_end(struct wire *wire)
{
    struct client_connection *connection = (struct client_connection *)wire;

    connection->wire.h2 = NULL;
    retire(connection);
    client_connection_drop(connection);
}

static const struct wire_ops wire_ops = { .on_event = stream_on_event,
                                          .on_pause = on_pause,
                                          .on_end = client_on_end };

static void run_connect(void *connection_)
{
    struct client_connection *connection = connection_;
    struct rpc_client *client = connection->client;
    struct stream *socket;

    struct error *failure = stream_connect(client->address, &socket);
    if (!failure) {
        connection->is_connected = true;
        wire_start(&connection->wire, &wire_ops, HTTP2_CLIENT, socket, client->scope);
        latch_open(&connection->settled);
        return;
    }
    struct strbuf why = { 0 };
    strbuf_add(&why, error_message(failure));
    connection->failure = why.ptr;
    error_free(failure);
    retire(connection);
    latch_open(&connection->settled);
    client_connection_drop(connection);
}

static void start_connection(struct rpc_client *client)
{
    struct client_connection *connection = memory_zalloc(sizeof(*connection));

    connection->client = client;
    connection->holders = 1;
    client->connections++;
    client->current = connection;
    fiber_spawn_in(client->scope, run_connect, connection);
}

/* --- a place for a call --- */

uint64_t client_time_left_ms(const struct rpc_stream *call)
{
    int64_t left = call->deadline - clock_monotonic();
    return left > 0 ? (uint64_t)(left + NS_PER_MS - 1) / NS_PER_MS : 0;
}

struct error *client_late(void)
{
    return error_from_status(RPC_DEADLINE_EXCEEDED, STR("deadline exceeded"), STR(""));
}

fallible client_wait(const struct rpc_stream *call, struct latch *latch)
{
    if (!call->deadline)
        return latch_wait(latch);
    struct error *failure = latch_wait_ms(latch, client_time_left_ms(call));
    if (!failure || error_kind(failure) != ERROR_TIMEOUT)
        return failure;
    error_free(failure);
    return client_late();
}

static void leave_queue(struct client_connection *connection, struct slot_waiter *waiter)
{
    struct slot_waiter *before = NULL;

    for (struct slot_waiter *at = connection->first_waiter; at && at != waiter; at = at->next)
        before = at;
    if (before)
        before->next = waiter->next;
    else
        connection->first_waiter = waiter->next;
    if (connection->last_waiter == waiter)
        connection->last_waiter = before;
}

/* Waits until the peer may permit one more stream; the connection is held. */
static fallible wait_for_slot(const struct rpc_stream *call, struct client_connection *connection)
{
    struct slot_waiter waiter = { 0 };

    if (connection->last_waiter)
        connection->last_waiter->next = &waiter;
    else
        connection->first_waiter = &waiter;
    connection->last_waiter = &waiter;
    struct error *failure = client_wait(call, &waiter.turn);
    if (failure)
        leave_queue(connection, &waiter);
    return failure;
}

/* *is_usable if the connection, which is held, takes a stream now. */
static fallible try_connection(const struct rpc_stream *call, struct client_connection *connection,
                               bool *is_usable)
{
    TRY(client_wait(call, &connection->settled));
    if (connection->failure)
        return unavailable(str_from(connection->failure));
    if (!connection->wire.h2 || http2_is_ending(connection->wire.h2)) {
        retire(connection);
        return NULL;
    }
    if (!http2_can_start(connection->wire.h2) || connection->first_waiter)
        TRY(wait_for_slot(call, connection));
    *is_usable = connection->wire.h2 && http2_can_start(connection->wire.h2);
    return NULL;
}

static fallible try_current(struct rpc_stream *call, bool *is_usable)
{
    if (!call->client->current)
        start_connection(call->client);
    struct client_connection *connection = call->client->current;
    connection->holders++;
    struct error *failure = try_connection(call, connection, is_usable);
    if (*is_usable)
        call->connection = connection; /* its own fibers hold it until the next wait; the stream
                                          learns of its end */
    client_connection_drop(connection);
    return failure;
}

fallible client_acquire(struct rpc_stream *call)
{
    struct rpc_client *client = call->client;
    struct error *failure = NULL;
    int connections = 0;

    client->calls++;
    for (bool is_usable = false; !is_usable && !failure;) {
        if (client->is_closing)
            failure = unavailable(STR("the client is being closed"));
        else if (!client->current && connections++ == MOST_CONNECTIONS)
            failure = unavailable(STR("the peer says goodbye on every connection"));
        else
            failure = try_current(call, &is_usable);
    }
    if (failure)
        client_release(call);
    return failure;
}

void client_release(struct rpc_stream *call)
{
    call->client->calls--;
    check_gone(call->client);
}

/* --- client --- */

fallible rpc_client_open(str address, struct rpc_client **out)
{
    struct rpc_client *client = memory_zalloc(sizeof(*client) + address.len);

    memcpy(client + 1, address.ptr, address.len);
    client->address = (str){ (const char *)(client + 1), address.len };
    client->scope = cancel_open(NULL);
    *out = client;
    return NULL;
}

void rpc_client_close(struct rpc_client *owned)
{
    if (!owned)
        return;
    owned->is_closing = true;
    cancel_fire(owned->scope); /* ends connections; so calls fail and return */
    if (owned->connections > 0 || owned->calls > 0)
        latch_wait_uncancelable(&owned->all_gone);
    cancel_close(owned->scope);
    free(owned);
}
