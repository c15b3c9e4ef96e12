/* backend_suite.h — what every backend has to do, whatever its URL: helpers for the
 * claims. */
#pragma once

#include "unit/backend_places.h"

#include "fiber/fiber.h"
#include "fiber/sync.h"

/* --- running a claim --- */

static inline void suite_main(void *suite_)
{
    struct suite *suite = suite_;

    suite->place->set_up(suite);
    suite->stack = (struct stack_ref){ .project = STR("p1"), .name = STR("dev") };
    suite->backend = suite_open(suite);
    suite->claim(suite);
    backend_close(suite->backend);
    suite->place->tear_down(suite);
}

static inline void suite_run(void **state, void (*claim)(struct suite *suite))
{
    struct suite suite = { .place = *state, .claim = claim };

    assert_ok(scheduler_run(suite_main, &suite));
    arena_release(&suite.arena);
}

#define CLAIM(name)                                \
    static void name##_claim(struct suite *suite); \
    static void name(void **state)                 \
    {                                              \
        suite_run(state, name##_claim);            \
    }                                              \
    static void name##_claim(struct suite *suite)

/* --- helpers --- */

static inline void suite_create(struct suite *suite, size_t resources)
{
    struct snapshot snapshot = sample_snapshot(&suite->arena, resources);
    assert_ok(backend_create_stack(suite->backend, suite->stack, &snapshot));
}

/* Of the stack as another process sees it. */
static inline size_t suite_count(struct suite *suite)
{
    struct backend *other = suite_open(suite);
    struct snapshot snapshot;
    bool has_deployment;

    assert_ok(backend_load(other, suite->stack, &suite->arena, &snapshot, &has_deployment));
    backend_close(other);
    return snapshot.resource_count;
}
