/* server.h — a server's connections and calls, shared by rpc_server.c and rpc_call.c only. */
#pragma once

#include "base/map.h"
#include "fiber/sync.h"
#include "rpc/grpc.h"
#include "rpc/rpc.h"
#include "rpc/wire.h"

struct rpc_server {
    void *context;
    struct map methods; /* struct rpc_method, by path */
    struct listener *listener;
    struct cancel *scope; /* of connections, and of the calls below it */
    struct cancel *call_scope;
    struct server_connection *connections;
    size_t connection_count;
    size_t connection_limit;
    uint64_t metadata;  /* bytes of it of all connections, for the limit */
    size_t call_fibers; /* handlers, and watches over their deadlines */
    bool is_closing;
    struct latch accepting_gone;
    struct latch connections_gone; /* while closing */
    struct latch call_fibers_gone;
    uint16_t port;
    char address[24];
    char trouble[160]; /* empty: none */
};

/* Calls of one kind: those that run, and a queue. */
struct turn_line {
    size_t running;
    struct rpc_call *first;
    struct rpc_call *last;
};

struct turns {
    size_t holders;            /* the connection, and calls that run */
    struct turn_line lines[2]; /* of patient methods: the second */
};

struct server_connection {
    struct wire wire; /* first: a pointer to it is a pointer to the connection */
    struct rpc_server *server;
    struct server_connection *previous;
    struct server_connection *next;
    uint64_t held;     /* bytes of messages, for the limit */
    uint64_t metadata; /* bytes of metadata, for the limit */
    struct turns *turns;
    struct strbuf block; /* header block being put together */
};

/* Lives until its stream is closed and its handler has returned. */
struct rpc_call {
    struct rpc_server *server;
    struct server_connection *connection; /* valid as long as there is a stream */
    struct http2_stream *stream;          /* NULL: closed; the answer is dropped */
    const struct rpc_method *method;
    const struct refusal *refusal; /* it is not a call of gRPC */
    struct grpc_metadata *metadata;
    struct turns *turns; /* of its connection; valid as long as it waits or runs */
    bool is_waiting;     /* for its turn */
    struct rpc_call *previous_waiting;
    struct rpc_call *next_waiting;
    struct grpc_inbox inbox;
    struct grpc_message *message; /* the request, or what was received last */
    uint32_t unread;              /* bytes whose room is given back when the inbox is empty */
    bool is_running;              /* its handler has not returned */
    bool is_ended_by_peer;
    bool has_headers; /* ours have been sent */
    bool is_answered; /* the status was sent, or is queued behind the body */
    bool is_late;
    int64_t began;          /* for the log */
    int64_t deadline;       /* of the monotonic clock; 0: none */
    struct watch *watch;    /* fiber that waits for the deadline */
    struct latch *receiver; /* where a fiber waits for a message; NULL: none does */
    struct latch *sender;   /* where a fiber waits for room */
    struct cancel *scope;
    struct arena arena;
};

/* rpc_server.c: counts the fibers that closing has to wait for. */
void server_add_call_fiber(struct rpc_server *server);
void server_end_call_fiber(struct rpc_server *server);

/* rpc_turn.c */
struct turns *turns_new(void);
void turns_drop(struct turns *turns);
/* No call runs or waits. */
bool turns_are_idle(const struct turns *turns);
/* False: the call has to wait, in line behind the others. */
bool turns_take(struct rpc_call *call);
/* Out of the line, if it is in it. */
void turns_leave(struct rpc_call *call);
/* A call has run. The one whose turn it is now, or NULL. */
struct rpc_call *turns_end(struct turns *turns, bool is_patient);

/* rpc_call.c: the events of a connection. */
void call_on_event(struct wire *wire, const struct http2_event *event);
