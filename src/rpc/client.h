/* client.h — a client's connections and calls, shared by rpc_client.c and rpc_stream.c only. */
#pragma once

#include "fiber/sync.h"
#include "rpc/grpc.h"
#include "rpc/rpc.h"
#include "rpc/wire.h"

struct rpc_client {
    str address; /* a copy behind the struct */
    struct cancel *scope;
    struct client_connection *current; /* connecting or usable; NULL: none */
    size_t connections;
    size_t calls;
    bool is_closing;
    struct latch all_gone; /* while closing */
};

/* A call that waits until the peer permits one more stream; on the stack of its fiber. */
struct slot_waiter {
    struct slot_waiter *next;
    struct latch turn;
};

struct client_connection {
    struct wire wire; /* first: a pointer to it is a pointer to the connection */
    struct rpc_client *client;
    size_t holders;       /* its own fibers count as one; callers that wait in it */
    struct latch settled; /* connected, or failed */
    bool is_connected;
    char *failure; /* why it could not connect */
    struct slot_waiter *first_waiter;
    struct slot_waiter *last_waiter;
    uint64_t held;
};

struct rpc_stream {
    struct rpc_client *client;
    struct client_connection *connection; /* valid as long as there is a stream */
    struct http2_stream *stream;          /* NULL: closed */
    int64_t deadline;                     /* of the monotonic clock; 0: none */
    struct grpc_inbox inbox;
    uint32_t unread;        /* bytes whose room is given back when the inbox is empty */
    bool is_unary;          /* there is one answer, whose room is given back at once */
    bool is_begun;          /* the client counts it as open */
    bool has_status;        /* the peer has sent the outcome, but has not ended the stream yet */
    bool is_over;           /* the outcome is known */
    bool was_not_processed; /* may be sent again on another connection */
    struct error *status;   /* with has_status; NULL: success */
    struct error *failure;  /* with is_over; NULL: success */
    struct latch *receiver; /* where a fiber waits; NULL: none does */
    struct latch *sender;
};

/* rpc_client.c */
/* A connection that takes one more stream now. The client counts the call as open until
 * client_release. Blocks. */
fallible client_acquire(struct rpc_stream *call);
void client_release(struct rpc_stream *call);
/* Until the deadline, rounded up; there must be one. */
uint64_t client_time_left_ms(const struct rpc_stream *call);
/* RPC_DEADLINE_EXCEEDED. */
fallible client_late(void);
/* Waits until the latch opens, but not beyond the call's deadline, if there is one. Blocks. */
fallible client_wait(const struct rpc_stream *call, struct latch *latch);

/* rpc_stream.c: the events of a connection. */
void stream_on_event(struct wire *wire, const struct http2_event *event);
