/* rpc_server.c — accepts connections, finds methods, and ends in good order. */
#include "rpc/server.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/peer.h"
#include "fiber/socket.h"

#include <stdio.h>
#include <sys/resource.h>

enum { LAST_WORDS_MS = 200 }; /* for the answers of calls that were canceled */

/* --- health, for peers that want to know whether we are there --- */

static fallible check_health(void *context, struct rpc_call *call, str request, str *response)
{
    (void)context, (void)call, (void)request;
    *response = STR("\x08\x01"); /* status: SERVING */
    return NULL;
}

static const struct rpc_method health = { .path = "/grpc.health.v1.Health/Check",
                                          .unary = check_health };

/* --- connections --- */

static void server_on_end(struct wire *wire)
{
    struct server_connection *connection = (struct server_connection *)wire;
    struct rpc_server *server = connection->server;

    if (connection->next)
        connection->next->previous = connection->previous;
    if (connection->previous)
        connection->previous->next = connection->next;
    else
        server->connections = connection->next;
    strbuf_release(&connection->block);
    turns_drop(connection->turns);
    free(connection);
    server->connection_count--;
    if (server->is_closing && !server->connections)
        latch_open(&server->connections_gone);
}

static const struct wire_ops wire_ops = { .on_event = call_on_event, .on_end = server_on_end };

static void add_connection(struct rpc_server *server, struct stream *owned_socket)
{
    struct server_connection *connection = memory_zalloc(sizeof(*connection));

    connection->server = server;
    connection->turns = turns_new();
    connection->next = server->connections;
    if (connection->next)
        connection->next->previous = connection;
    server->connections = connection;
    server->connection_count++;
    wire_start(&connection->wire, &wire_ops, HTTP2_SERVER, owned_socket, server->scope);
}

/* Other users of the machine may not drive us. */
static void welcome(struct rpc_server *server, struct stream *owned_socket)
{
    struct error *failure = peer_check(owned_socket);

    if (!failure) {
        add_connection(server, owned_socket);
        return;
    }
    log_warn("rpc", "a connection was refused: " STR_FMT, STR_ARG(error_message(failure)));
    error_ignore(failure, "it concerns nobody here");
    stream_close(owned_socket);
}

/* --- room for connections: each has a descriptor and two fibers --- */

enum { RETRY_MS = 50, TROUBLE_MS = 5000, MOST_CONNECTIONS = 2048, SHARE = 4 };

/* Peers get a part of the descriptors: files, pipes and other servers need the rest. */
static size_t connection_limit(void)
{
    struct rlimit files;
    bool is_known = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY;

    return is_known && files.rlim_cur / SHARE < MOST_CONNECTIONS ? files.rlim_cur / SHARE + 1
                                                                 : MOST_CONNECTIONS;
}

enum patience { WITH_SILENT, WITH_IDLE, WITH_UNFINISHED }; /* what we do without, in this order */

static bool can_do_without(const struct server_connection *connection, enum patience patience)
{
    const struct http2 *h2 = connection->wire.h2;

    switch (patience) {
    case WITH_SILENT: return !http2_has_begun(h2);
    case WITH_IDLE: return !http2_has_streams(h2);
    case WITH_UNFINISHED: return turns_are_idle(connection->turns);
    }
    return false;
}

/* Ends connections, the oldest first, as long as there are more than `most`. Clients that want more
 * connect again. */
static void end_some(struct rpc_server *server, size_t most, enum patience patience)
{
    struct server_connection *connection = server->connections;
    size_t left = 0;

    for (; connection; connection = connection->next)
        left += !http2_is_ending(connection->wire.h2);
    for (connection = server->connections; connection && connection->next;)
        connection = connection->next;
    for (; connection && left > most; connection = connection->previous) {
        if (http2_is_ending(connection->wire.h2) || !can_do_without(connection, patience))
            continue;
        http2_go_away(connection->wire.h2);
        http2_lose(connection->wire.h2);
        wire_push(&connection->wire);
        left--;
    }
}

/* Nobody can lock others out by holding on to connections: first those go that have never spoken,
 * then those without a stream, then those whose requests are not complete. */
static void make_room(struct rpc_server *server)
{
    end_some(server, server->connection_limit / SHARE * (SHARE - 1), WITH_SILENT);
    end_some(server, server->connection_limit - 1, WITH_IDLE);
    end_some(server, server->connection_limit - 1, WITH_UNFINISHED);
}

/* Running out of descriptors passes, most often. Where it does not, peers must not wait for ever.
 */
static void bear_trouble(struct rpc_server *server, const struct error *failure, int64_t *since)
{
    int64_t now = clock_monotonic();

    if (*since == 0)
        *since = now;
    if (now - *since < (int64_t)TROUBLE_MS * NS_PER_MS) {
        error_ignore(fiber_sleep_ms(RETRY_MS), "the next accept tells");
        return;
    }
    str text = error_message(failure);
    log_warn("rpc", "nobody can connect any more: " STR_FMT, STR_ARG(text));
    snprintf(server->trouble, sizeof(server->trouble), STR_FMT, STR_ARG(text));
    listener_shut(server->listener);
}

/* Peers wait in the backlog while there is no room for them. */
static void run_accept(void *server_)
{
    struct rpc_server *server = server_;
    int64_t trouble_since = 0; /* 0: none */

    while (!server->is_closing) {
        struct stream *socket;
        if (server->connection_count >= server->connection_limit) {
            make_room(server);
            struct error *canceled = fiber_sleep_ms(RETRY_MS);
            server->is_closing = server->is_closing || canceled;
            error_free(canceled);
            continue;
        }
        struct error *failure = listener_accept(server->listener, &socket);
        if (!failure)
            welcome(server, socket);
        else if (error_kind(failure) == ERROR_CANCELED)
            server->is_closing = true;
        else
            bear_trouble(server, failure, &trouble_since);
        if (!failure)
            trouble_since = 0;
        error_free(failure);
    }
    latch_open(&server->accepting_gone);
}

/* --- server --- */

fallible rpc_server_open(const struct rpc_method *methods, void *context, struct rpc_server **out)
{
    struct listener *listener;

    TRY(listener_open(0, &listener));
    struct rpc_server *server = memory_zalloc(sizeof(*server));
    server->listener = listener;
    server->context = context;
    server->connection_limit = connection_limit();
    server->port = listener_port(listener);
    snprintf(server->address, sizeof(server->address), "127.0.0.1:%u", server->port);
    map_put(&server->methods, str_from(health.path), (void *)&health);
    for (const struct rpc_method *method = methods; method->path; method++)
        map_put(&server->methods, str_from(method->path), (void *)method);
    server->scope = cancel_open(NULL);
    server->call_scope = cancel_open(server->scope);
    fiber_spawn_in(server->scope, run_accept, server);
    *out = server;
    return NULL;
}

uint16_t rpc_server_port(const struct rpc_server *server)
{
    return server->port;
}

str rpc_server_address(const struct rpc_server *server)
{
    return str_from(server->address);
}

str rpc_server_trouble(const struct rpc_server *server)
{
    return str_from(server->trouble);
}

/* A wire may end, and leave the list, only when its fibers run; so the list holds still here. */
static void say_goodbye(struct rpc_server *server)
{
    for (struct server_connection *connection = server->connections; connection;
         connection = connection->next) {
        http2_go_away(connection->wire.h2);
        wire_push(&connection->wire);
    }
    if (!server->connections)
        latch_open(&server->connections_gone);
}

void server_add_call_fiber(struct rpc_server *server)
{
    server->call_fibers++;
}

void server_end_call_fiber(struct rpc_server *server)
{
    if (--server->call_fibers == 0)
        latch_open(&server->call_fibers_gone);
}

static void wait_for_call_fibers(struct rpc_server *server)
{
    while (server->call_fibers > 0) {
        server->call_fibers_gone = (struct latch){ 0 };
        latch_wait_uncancelable(&server->call_fibers_gone);
    }
}

/* First friendly, then firm, then by force. */
static void end_connections(struct rpc_server *server, uint64_t grace_ms)
{
    say_goodbye(server);
    error_ignore(latch_wait_ms(&server->connections_gone, grace_ms),
                 "what is left is canceled now");
    cancel_fire(server->call_scope);
    wait_for_call_fibers(server);
    error_ignore(latch_wait_ms(&server->connections_gone, LAST_WORDS_MS),
                 "what is left is broken off now");
    cancel_fire(server->scope);
    latch_wait_uncancelable(&server->connections_gone);
    wait_for_call_fibers(server);
}

void rpc_server_close(struct rpc_server *owned, uint64_t grace_ms)
{
    struct rpc_server *server = owned;

    if (!server)
        return;
    struct cancel *shield =
        cancel_open(NULL); /* the time of grace is granted even if the caller is canceled */
    struct cancel *former = cancel_enter(shield);
    server->is_closing = true;
    listener_close(server->listener);
    latch_wait_uncancelable(&server->accepting_gone);
    end_connections(server, grace_ms);
    cancel_enter(former);

    cancel_close(shield);
    cancel_close(server->call_scope);
    cancel_close(server->scope);
    map_release(&server->methods);
    free(server);
}
