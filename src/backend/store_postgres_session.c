/* store_postgres_session.c — the connection to the database: its table, and what happens when it
 * is cut. */
#include "backend/store_postgres.h"

#include "base/log.h"
#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/signals.h"

#include <stdlib.h>

/* A connection that is used by several fibers; the last one closes it once it has been replaced. */
struct postgres_session {
    struct pq_connection *connection;
    size_t users;  /* the store is one */
    size_t before; /* round trips of the connections before this one */
};

enum { POSTGRES_ATTEMPTS = 4 };

/* As postgres_run, without a look at the table; `state` is that of the last attempt. */
static fallible postgres_try(struct postgres_store *postgres, struct arena *arena,
                             struct pq_statement *statements, size_t count, bool *is_repeated,
                             char state[PQ_STATE_SIZE]);

static void postgres_session_leave(struct postgres_session *session)
{
    if (!session || --session->users > 0)
        return;
    pq_close(session->connection);
    free(session);
}

size_t postgres_round_trips(const struct object_store *store)
{
    const struct postgres_session *session = ((const struct postgres_store *)store)->session;
    return session ? session->before + pq_round_trips(session->connection) : 0;
}

/* --- the table --- */

static const char *const postgres_columns[][3] = {
    { "key", "text", "character varying" },
    { "data", "json", "jsonb" },
    { "updated_at", "timestamp with time zone", "timestamp with time zone" },
};
enum { POSTGRES_COLUMNS = sizeof(postgres_columns) / sizeof(*postgres_columns) };

static bool postgres_has_column(const struct pq_rows *rows, const char *const column[3])
{
    for (size_t i = 0; i < rows->count; i++)
        if (str_equal(pq_cell(rows, i, 0), str_from(column[0])))
            return str_equal(pq_cell(rows, i, 1), str_from(column[1]))
                   || str_equal(pq_cell(rows, i, 1), str_from(column[2]));
    return false;
}

static fallible postgres_check_columns(const struct postgres_store *postgres,
                                       const struct pq_rows *rows)
{
    for (size_t i = 0; i < POSTGRES_COLUMNS; i++)
        if (!postgres_has_column(rows, postgres_columns[i]))
            return error_new(ERROR_INVALID,
                             "table '" STR_FMT "' of '" STR_FMT "' is no state table: it has no "
                             "column '%s' of type %s. Choose another name by ?table=NAME in the "
                             "URL; the table is made if there is none. Nothing was changed",
                             STR_ARG(postgres->named), STR_ARG(postgres->store.shown),
                             postgres_columns[i][0], postgres_columns[i][1]);
    return NULL;
}

/* The columns of the table, none if there is no table; and the row that is wanted first. */
static fallible postgres_look_at_table(struct postgres_store *postgres, struct pq_rows *columns)
{
    struct arena *arena = &postgres->store.arena;
    str key = postgres_key(postgres, arena, STR(POSTGRES_FIRST));
    struct pq_statement statements[] = {
        {
            .text = "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute "
                    "WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped",
            .values = &postgres->table,
            .value_count = 1,
        },
        { .text = postgres_sql(postgres, arena, POSTGRES_SELECT),
          .values = &key,
          .value_count = 1 },
    };
    char state[PQ_STATE_SIZE];

    struct error *failure = postgres_try(postgres, arena, statements, 2, NULL, state);
    *columns = statements[0].rows;
    postgres->first = statements[1].rows;
    postgres->has_first = !failure;
    if (columns->count > 0) {
        struct error *unfit = postgres_check_columns(postgres, columns);
        if (unfit) {
            error_ignore(failure, "its columns explain it");
            return unfit;
        }
    } else if (failure && strcmp(state, "42P01") == 0) {
        error_ignore(failure, "there is no such table");
        return NULL;
    }
    return failure;
}

/* The index is the one that the reference makes, with the same name. */
static fallible postgres_make_table(struct postgres_store *postgres, struct arena *arena)
{
    str schema, name = postgres->named;
    char state[PQ_STATE_SIZE];

    str_cut_last(postgres->named, STR("."), &schema, &name);
    str table = postgres->table;
    struct pq_statement statements[] = {
        { .text = arena_printf(arena,
                               "CREATE TABLE IF NOT EXISTS " STR_FMT
                               " (key TEXT PRIMARY KEY, data JSON NOT NULL, "
                               "updated_at TIMESTAMPTZ NOT NULL DEFAULT now())",
                               STR_ARG(table))
                      .ptr },
        { .text = arena_printf(arena,
                               "CREATE INDEX IF NOT EXISTS \"" STR_FMT
                               "_key_prefix_idx\" ON " STR_FMT " (key text_pattern_ops)",
                               STR_ARG(name), STR_ARG(table))
                      .ptr },
    };
    struct error *failure = postgres_try(postgres, arena, statements, 2, NULL, state);
    /* Another process made it in the same moment: unique violation, or it exists. */
    if (failure && (strcmp(state, "23505") == 0 || strcmp(state, "42P07") == 0)) {
        error_ignore(failure, "it is there");
        return NULL;
    }
    return error_wrap(failure, "cannot make the table '" STR_FMT "'", STR_ARG(postgres->named));
}

static fallible postgres_settle_table(struct postgres_store *postgres)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct pq_rows columns;

    TRY(postgres_look_at_table(postgres, &columns));
    if (columns.count == 0) {
        TRY(postgres_make_table(postgres, &scratch));
        log_info("postgres", "made the table " STR_FMT, STR_ARG(postgres->named));
        TRY(postgres_look_at_table(postgres, &columns));
    }
    postgres->is_settled = true;
    return NULL;
}

fallible postgres_settle(struct postgres_store *postgres)
{
    struct error *failure = NULL;

    if (postgres->is_settled)
        return NULL;
    TRY(semaphore_wait(&postgres->settling));
    if (!postgres->is_settled)
        failure = postgres_settle_table(postgres);
    semaphore_post(&postgres->settling);
    return failure;
}

/* --- connecting --- */

/* Locks of a session end with it. Who has one by now is not asked: the lock objects decide. */
static fallible postgres_take_locks_again(struct postgres_store *postgres,
                                          struct pq_connection *connection)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    char state[PQ_STATE_SIZE];

    for (size_t i = 0; i < postgres->held.len; i++) {
        struct pq_statement statement = {
            .text = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))",
            .values = &postgres->held.items[i],
            .value_count = 1,
        };
        TRY(pq_run(connection, &scratch, &statement, 1, state));
    }
    return NULL;
}

static fallible postgres_connect_once(struct postgres_store *postgres)
{
    struct pq_connection *connection;

    TRY(pq_connect(&postgres->url, postgres->store.shown, &connection));
    struct error *failure = postgres_take_locks_again(postgres, connection);
    if (failure) {
        pq_close(connection);
        return failure;
    }
    struct postgres_session *session = memory_zalloc(sizeof(*session));
    session->connection = connection;
    session->users = 1;
    session->before = postgres_round_trips(&postgres->store);
    postgres_session_leave(postgres->session);
    postgres->session = session;
    postgres->was_connected = true;
    return NULL;
}

/* A server that has been there gets some time to come back, once; another, two more chances. */
static fallible postgres_connect_patiently(struct postgres_store *postgres)
{
    static const uint64_t waits_ms[] = { 50, 250, 1000, 3000 };
    size_t count = postgres->was_missed      ? 0
                   : postgres->was_connected ? sizeof(waits_ms) / sizeof(*waits_ms)
                                             : 2;
    struct error *failure = postgres_connect_once(postgres);

    for (size_t i = 0; failure && error_kind(failure) == ERROR_OTHER && i < count; i++) {
        if (signals_have_asked())
            postgres->is_given_up = true;
        if (postgres->is_given_up)
            break;
        log_info("postgres", STR_FMT "; once more in %llu ms", STR_ARG(error_message(failure)),
                 (unsigned long long)waits_ms[i]);
        struct error *canceled = fiber_sleep_ms(waits_ms[i]);
        if (canceled) {
            error_free(failure);
            return canceled;
        }
        error_free(failure);
        failure = postgres_connect_once(postgres);
    }
    postgres->was_missed = failure != NULL;
    return failure;
}

fallible postgres_connect(struct postgres_store *postgres)
{
    struct error *failure = NULL;

    TRY(semaphore_wait(&postgres->connecting));
    if (postgres->is_given_up)
        failure =
            error_new(ERROR_OTHER, "'" STR_FMT "' does not answer", STR_ARG(postgres->store.shown));
    else if (!postgres->session || pq_is_lost(postgres->session->connection))
        failure = postgres_connect_patiently(postgres);
    semaphore_post(&postgres->connecting);
    return failure;
}

void postgres_disconnect(struct postgres_store *postgres)
{
    postgres_session_leave(postgres->session);
    postgres->session = NULL;
}

/* --- statements --- */

static fallible postgres_run_once(struct postgres_store *postgres, struct arena *arena,
                                  struct pq_statement *statements, size_t count,
                                  char state[PQ_STATE_SIZE])
{
    memset(state, 0, PQ_STATE_SIZE);
    TRY(postgres_connect(postgres));
    struct postgres_session *session = postgres->session;
    session->users++;
    struct error *failure = pq_run(session->connection, arena, statements, count, state);
    if (pq_is_interrupted(session->connection))
        postgres->is_given_up = true;
    postgres_session_leave(session);
    /* 40001 and 40P01: this transaction was in the way of another, and may be tried again. */
    bool is_unlucky = strcmp(state, "40001") == 0 || strcmp(state, "40P01") == 0;
    return failure && is_unlucky ? error_mark_lost(failure, true) : failure;
}

static fallible postgres_try(struct postgres_store *postgres, struct arena *arena,
                             struct pq_statement *statements, size_t count, bool *is_repeated,
                             char state[PQ_STATE_SIZE])
{
    postgres->has_first = false; /* it may be another by then */
    for (int attempt = 1;; attempt++) {
        struct error *failure = postgres_run_once(postgres, arena, statements, count, state);
        if (is_repeated)
            *is_repeated = attempt > 1;
        if (!failure || !error_is_lost(failure) || postgres->is_given_up)
            return failure;
        if (attempt == POSTGRES_ATTEMPTS)
            return error_wrap(failure, "failed all %d attempts", attempt);
        log_info("postgres", STR_FMT "; once more", STR_ARG(error_message(failure)));
        error_free(failure);
    }
}

fallible postgres_run(struct postgres_store *postgres, struct arena *arena,
                      struct pq_statement *statements, size_t count, bool *is_repeated)
{
    char state[PQ_STATE_SIZE];

    TRY(postgres_settle(postgres));
    return postgres_try(postgres, arena, statements, count, is_repeated, state);
}

fallible postgres_query(struct postgres_store *postgres, struct arena *arena, const char *text,
                        const str *values, size_t value_count, struct pq_rows *out,
                        bool *is_repeated)
{
    struct pq_statement statement = { .text = text, .values = values, .value_count = value_count };

    TRY(postgres_run(postgres, arena, &statement, 1, is_repeated));
    *out = statement.rows;
    return NULL;
}

fallible postgres_read(struct postgres_store *postgres, struct arena *arena, const char *text,
                       const str *values, size_t value_count, struct pq_rows *out)
{
    struct pq_statement statement = { .text = text, .values = values, .value_count = value_count };
    char state[PQ_STATE_SIZE];
    bool was_settled = postgres->is_settled;
    struct error *failure = postgres_try(postgres, arena, &statement, 1, NULL, state);

    /* Most often there is no such table yet; whatever it is, the look at the table tells more. */
    if (failure && !was_settled && error_kind(failure) == ERROR_INVALID) {
        error_ignore(failure, "it is asked for again");
        TRY(postgres_settle(postgres));
        failure = postgres_try(postgres, arena, &statement, 1, NULL, state);
    }
    *out = statement.rows;
    return failure;
}
