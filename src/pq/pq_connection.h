/* pq_connection.h — a session with a server and what is under way in it; private to this
 * directory. */
#pragma once

#include "pq/pq.h"
#include "pq/pq_library.h"

#include "fiber/socket.h"
#include "fiber/sync.h"

/* The statements of one call. */
struct pq_batch {
    struct arena *arena;
    struct pq_statement *statements;
    size_t count;
    size_t at;             /* the statement whose answer comes next */
    struct error *failure; /* of the first that was refused */
    char *state;
    bool is_done;
    struct latch news; /* opened when it is done, or when its fiber has to read */
};

/* One for each sync point that was sent, in that order. */
struct pq_request {
    struct pq_request *next;
    struct pq_batch *batch; /* NULL: its fiber was canceled and has gone */
    size_t round;           /* one more than the last round that had an answer when it was sent */
};

/* Why a connection that still stands was given up. */
enum pq_patience {
    PQ_PATIENT,     /* it was not */
    PQ_STALLED,     /* the server takes nothing */
    PQ_SILENT,      /* it does not answer */
    PQ_INTERRUPTED, /* the same, and a signal asks us to end */
};

struct pq_connection {
    struct pq_library library;
    struct arena arena;
    str shown;
    void *session;
    struct stream *socket; /* a duplicate of libpq's, to wait for */
    struct semaphore sending;
    struct pq_request *first; /* the one whose answers come next */
    struct pq_request *last;
    bool is_reading; /* a fiber reads, for all */
    bool is_lost;
    uint64_t stall_ms;  /* how long a server may take nothing of what is sent to it */
    uint64_t silent_ms; /* how long somebody has been waiting for an answer */
    uint64_t asked_ms;  /* the same, since a signal asks us to end */
    enum pq_patience patience;
    size_t answered; /* the last round that had an answer */
    size_t round_trips;
};

/* Takes the first request off. */
void pq_pop(struct pq_connection *connection);
