/* backend_suite_postgres.h — the place of the suite that needs a server of PostgreSQL. */
#pragma once

#include "backends/postgres_place.h"
#include "unit/backend_suite.h"

static inline void postgres_set_up(struct suite *suite)
{
    suite->url = postgres_fresh_url(&suite->arena, &suite->folder);
}

static inline void postgres_tear_down(struct suite *suite)
{
    postgres_do(&suite->arena,
                arena_printf(&suite->arena, "DROP TABLE " STR_FMT, STR_ARG(suite->folder)).ptr);
}

static inline void postgres_break_writes(struct suite *suite, bool of_checkpoints)
{
    postgres_refuse(&suite->arena, suite->folder, of_checkpoints ? "%/stacks/%" : "%/journals/%");
}

static inline void postgres_mend(struct suite *suite)
{
    postgres_allow(&suite->arena, suite->folder);
}

/* With a server that somebody has started, in a run of its own. */
static const struct suite_place suite_postgres = { "postgres", postgres_set_up, postgres_tear_down,
                                                   postgres_break_writes, postgres_mend };
