/* pq.h — statements to a PostgreSQL server, for fibers; libpq is loaded at the first connection.
 *
 * Many fibers may use a connection at a time: what they send goes out at once, one behind the
 * other, and the answers come back in that order (pipelining). So ten reads cost the wait of one.
 */
#pragma once

#include "pq/pq_url.h"

struct pq_connection;

/* `shown` is how messages name the server: the URL without its password. Failures are ERROR_INVALID
 * where another attempt would meet them again (refused credentials, no such database), and say what
 * to do. Blocks. */
fallible pq_connect(const struct pq_url *url, str shown, struct pq_connection **out);
void pq_close(struct pq_connection *owned); /* NULL is fine; no call may be under way */
/* Once an answer was cut off it can no longer be used. */
bool pq_is_lost(const struct pq_connection *connection);
/* It was given up because a signal asks us to end, and the server was silent. */
bool pq_is_interrupted(const struct pq_connection *connection);
/* How many requests came one after the other, each sent when the answer of the one before was
 * there: what is sent at the same time costs no further round trip. For tests. */
size_t pq_round_trips(const struct pq_connection *connection);

struct pq_rows {
    size_t count;
    size_t width;
    const str *cells; /* row by row; NULL is empty */
    uint64_t changed; /* by a statement that writes */
};
/* The cell of a row. */
str pq_cell(const struct pq_rows *rows, size_t row, size_t column);

struct pq_statement {
    const char *text;  /* with $1, $2, … */
    const str *values; /* without NUL bytes, each with one behind it */
    size_t value_count;
    struct pq_rows rows; /* out, in the arena of the call */
};

/* In one transaction, with one round trip: all of them or none. `state` gets the SQLSTATE of the
 * one that failed, or becomes empty. A failure that is lost (error_is_lost) leaves it open whether
 * they were executed: the connection is gone. Where `is_lost` is not set the server has refused.
 * Blocks; ERROR_CANCELED leaves the rest to itself: what was sent is executed. */
enum { PQ_STATE_SIZE = 6 };
fallible pq_run(struct pq_connection *connection, struct arena *arena,
                struct pq_statement *statements, size_t count, char state[PQ_STATE_SIZE]);
