/* backend_suite.h — what every backend has to do, whatever its URL: helpers for the
 * claims. */
#pragma once

#include "unit/backend_places.h"

#include "fiber/fiber.h"
#include "fiber/sync.h"

/* What a kind does in its own way; its own tests say how. */
static inline bool suite_is_left_out(const struct suite_place *place, const char *claim)
{
    /* The service writes the history itself, knows times in seconds, and has leases of updates in
     * place of locks (test_backend_service.c). */
    static const char *const of_service[] = {
        "stacks_are_listed_with_time_and_count",
        "a_rename_takes_everything_along",
        "a_lock_keeps_others_out_and_names_its_owner",
        "locks_of_one_backend_nest",
        "breaking_locks_lets_the_next_one_in",
        "of_many_that_want_the_lock_one_has_it",
        "who_was_replaced_before_its_first_record_does_not_fold",
        "an_entry_of_the_history_reads_back_as_it_was",
        "the_history_comes_in_pages_newest_first",
        NULL,
    };
    /* Its state is what the entries say, not what is folded. */
    static const char *const of_journal[] = {
        "folding_replaces_checkpoint_and_journal",
        "a_new_operation_goes_on_where_a_killed_one_ended",
        "who_was_replaced_writes_nothing_more",
        "fibers_use_many_stacks_of_one_backend",
        "a_fold_that_fails_keeps_everything_in_the_journal",
        NULL,
    };
    bool is_left_out = false;

    for (size_t i = 0; strncmp(place->name, "service", 7) == 0 && of_service[i]; i++)
        is_left_out |= strcmp(claim, of_service[i]) == 0;
    for (size_t i = 0; strcmp(place->name, "service journal") == 0 && of_journal[i]; i++)
        is_left_out |= strcmp(claim, of_journal[i]) == 0;
    return is_left_out;
}

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
