/* postgres_place.h — a table of its own for each claim of the suite, on the server that
 * tests/backends/with-postgres has started. */
#pragma once

#include "unit/check.h"

#include "base/settings.h"
#include "pq/pq.h"

#include <unistd.h>

/* Whether there is such a server. */
static inline bool postgres_is_there(void)
{
    return settings_has("TEST_POSTGRES_PORT");
}

/* A session beside the one that is tested, to look and to interfere. */
static inline struct pq_connection *postgres_session(struct arena *arena, str database)
{
    str url =
        arena_printf(arena, "postgres://culumi@127.0.0.1:" STR_FMT "/" STR_FMT "?sslmode=disable",
                     STR_ARG(settings_text("TEST_POSTGRES_PORT")), STR_ARG(database));
    struct pq_connection *connection;
    struct pq_url parsed;

    assert_ok(pq_url_parse(arena, url, &parsed));
    assert_ok(pq_connect(&parsed, url, &connection));
    return connection;
}

static inline struct pq_rows postgres_execute(struct arena *arena, struct pq_connection *connection,
                                              const char *text)
{
    struct pq_statement statement = { .text = text };
    char state[PQ_STATE_SIZE];

    assert_ok(pq_run(connection, arena, &statement, 1, state));
    return statement.rows;
}

/* Once, by itself. */
static inline void postgres_do(struct arena *arena, const char *text)
{
    struct pq_connection *connection = postgres_session(arena, STR("state"));

    postgres_execute(arena, connection, text);
    pq_close(connection);
}

/* The URL of a table that does not exist yet. */
static inline str postgres_fresh_url(struct arena *arena, str *table)
{
    static int number;

    *table = arena_printf(arena, "suite_%d_%d", (int)getpid(), ++number);
    return arena_printf(
        arena, "postgres://culumi@127.0.0.1:" STR_FMT "/state?sslmode=disable&table=" STR_FMT,
        STR_ARG(settings_text("TEST_POSTGRES_PORT")), STR_ARG(*table));
}

/* From now on the server refuses to write keys like this one. */
static inline void postgres_refuse(struct arena *arena, str table, const char *pattern)
{
    postgres_do(arena, "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                       "$$ BEGIN RAISE EXCEPTION 'not today'; END $$");
    postgres_do(arena, arena_printf(arena,
                                    "CREATE TRIGGER refuses BEFORE INSERT OR UPDATE ON " STR_FMT
                                    " FOR EACH ROW WHEN (NEW.key LIKE '%s') "
                                    "EXECUTE FUNCTION refuse()",
                                    STR_ARG(table), pattern)
                           .ptr);
}

static inline void postgres_allow(struct arena *arena, str table)
{
    postgres_do(arena, arena_printf(arena, "DROP TRIGGER refuses ON " STR_FMT, STR_ARG(table)).ptr);
}
