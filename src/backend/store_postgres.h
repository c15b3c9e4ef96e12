/* store_postgres.h — objects as rows of a table: what the parts of this kind of store share. */
#pragma once

#include "backend/object_store.h"

#include "fiber/sync.h"
#include "pq/pq.h"

struct postgres_session;

struct postgres_store {
    struct object_store store;
    struct pq_url url;
    str prefix; /* of all keys: the name of the database and a slash, or nothing */
    str table;  /* as statements have it, in quotes */
    str named;  /* as users have it */
    struct postgres_session *session;
    struct semaphore connecting; /* one fiber at a time */
    struct semaphore settling;   /* one fiber at a time */
    struct strs held;            /* names of the session locks to take again after a cut */
    bool was_connected;
    bool was_missed;  /* it did not come back when it was waited for */
    bool is_given_up; /* a signal asks us to end, and it does not answer */
    bool is_settled;  /* the table is there, and is one of states */
    /* What every backend asks for first comes with the look at the table, and counts as read then.
     */
    bool has_first;
    struct pq_rows first; /* of POSTGRES_SELECT, in the arena of the store */
};

#define POSTGRES_FIRST ".pulumi/meta.yaml"
#define POSTGRES_SELECT "SELECT data, xmin::text FROM TABLE WHERE key = $1"

/* The whole key, with the prefix. */
str postgres_key(const struct postgres_store *postgres, struct arena *arena, str key);
/* The statement with the name of the table in the place of the word TABLE. */
const char *postgres_sql(const struct postgres_store *postgres, struct arena *arena,
                         const char *statement);

/* --- the session (store_postgres_session.c) --- */

fallible postgres_connect(struct postgres_store *postgres);
/* Sees to the table, once: it is made if there is none, and refused if it is another one. */
fallible postgres_settle(struct postgres_store *postgres);
void postgres_disconnect(struct postgres_store *postgres);

/* One transaction, as pq_run, when the table is settled. If the connection is cut it is made anew,
 * and the statements are sent again: they must be such that it does not matter whether they were
 * executed before. *is_repeated (may be NULL) tells whether that happened. */
fallible postgres_run(struct postgres_store *postgres, struct arena *arena,
                      struct pq_statement *statements, size_t count, bool *is_repeated);
/* The same for one statement: its rows. */
fallible postgres_query(struct postgres_store *postgres, struct arena *arena, const char *text,
                        const str *values, size_t value_count, struct pq_rows *out,
                        bool *is_repeated);
/* The same for a statement that only reads: does not wait until the table is settled. */
fallible postgres_read(struct postgres_store *postgres, struct arena *arena, const char *text,
                       const str *values, size_t value_count, struct pq_rows *out);
/* Round trips so far; for tests. */
size_t postgres_round_trips(const struct object_store *store);

extern const struct object_store_ops object_store_postgres;
