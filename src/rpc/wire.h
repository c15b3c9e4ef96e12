/* wire.h — an HTTP/2 connection on a socket: one fiber reads and delivers events, another writes
 * what has gathered. */
#pragma once

#include "base/strbuf.h"
#include "rpc/http2.h"

struct cancel;
struct fiber;
struct stream;
struct wire;

struct wire_ops {
    void (*on_event)(struct wire *wire, const struct http2_event *event); /* must not block */
    void (*on_pause)(struct wire *wire); /* all events have been delivered for now; must not block;
                                            may be NULL */
    void (*on_end)(struct wire *wire); /* streams are closed, fibers are done, nothing refers to the
                                          wire: free it */
};

/* Embedded in its owner. */
struct wire {
    const struct wire_ops *ops;
    struct http2 *h2;
    struct stream *socket;
    struct fiber *parked_reader; /* NULL: it runs, or waits in the socket */
    struct fiber *parked_writer;
    bool is_delivering;
    int fibers;
    struct strbuf writing;
};

/* Runs until the peer hangs up, either side breaks off, all streams have ended after a goodbye, or
 * the scope is fired. */
void wire_start(struct wire *wire, const struct wire_ops *ops, enum http2_role role,
                struct stream *owned_socket, struct cancel *scope);

/* To be called after calls of http2: delivers the events they caused, and has the output written
 * after the fibers that are ready now have run, so that many small answers go in one write. May be
 * called from on_event, where it does nothing. */
void wire_push(struct wire *wire);
