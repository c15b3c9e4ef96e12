/* test_plan_parallel.c — registrations that are planned at the same time: the outcome is that of
 * one order. In each of these a provider holds its answer back until another registration has
 * changed what the first one's plan rested on. */
#include "unit/engine_world.h"

static void registrations_are_planned_at_once(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .until = "check b", .held = "check");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=1", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call check a", "call check b", "call diff a");
}

static void with_parallel_1_one_registration_is_planned_at_a_time(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel = 1;
    SCRIPT(world, "a", .until = "check b", .held = "check diff");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=1", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "check a, diff a, check b, diff b");
}

static void no_more_are_planned_at_once_than_parallel_says(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel = 2;
    SCRIPT(world, "a", .until = "check c", .held = "check");
    SCRIPT(world, "b", .until = "check c", .held = "check");
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    GOAL(world, "c", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call check a", "call check b", "begin create a", "call check c");
}

static void what_is_condemned_while_it_is_checked_is_checked_anew(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y", .until = "delete b", .held = "check");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "b", .inputs = "y=1", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(world_call(world, "check b", 0)->olds, STR("y=1"));
    assert_str_equal(world_call(world, "check b", 1)->olds, STR(""));
    assert_order(world, "end delete-replaced a", "begin create-replacement b");
    assert_state(world, "a b");
}

static void what_is_condemned_while_it_is_compared_is_checked_anew(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .until = "delete a", .held = "diff");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .deleted_with = "a");
    GOAL(world, "b", .inputs = "y=1", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(world_call(world, "check b", 1)->olds, STR(""));
    assert_order(world, "end delete-replaced a", "begin create-replacement b");
    assert_state(world, "a b");
}

static void a_failure_is_not_reported_if_what_it_is_about_was_deleted_meanwhile(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .until = "delete a", .held = "diff", .fails = "diff", .times = 1);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .deleted_with = "a");
    GOAL(world, "b", .inputs = "y=1", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "a b");
}

/* b is registered and updated while the provider is asked about c, the other dependent of a. */
static void a_dependent_that_was_changed_meanwhile_is_not_condemned(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    SCRIPT(world, "c", .replaces = "y", .until = "update b", .held = "diff");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1 z=1", .uses = "y:a");
    OLD(world, "c", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "y=1 z=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_true(str_find(strbuf_str(&world->call_text), STR("delete b")) == SIZE_MAX);
    assert_order(world, "call diff c", "end update b", "begin delete-replaced c");
    assert_value(world, world_state(world, "b")->inputs, "y=1 z=2");
}

static void a_dependent_is_asked_about_once(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "c", .replaces = "y", .until = "update b", .held = "diff");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "z=1");
    OLD(world, "c", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "z=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    str calls = strbuf_str(&world->call_text);
    assert_true(str_find(calls, STR("diff c")) == str_find_last(calls, STR("diff c")));
    assert_true(str_find(calls, STR("check a, check a")) == SIZE_MAX);
    assert_order(world, "end update b", "begin delete-replaced c");
}

/* c takes part when its planning begins; by the time it was checked, b does not, and c depends on
 * b. */
static void what_is_excluded_by_a_dependency_meanwhile_stays_as_it_is(void **state)
{
    struct world *world = *state;
    world->options.plan.excludes = world_urns(world, "a");
    world->options.plan.exclude_dependents = true;
    SCRIPT(world, "c", .until = "check d", .held = "check");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    OLD(world, "c", .inputs = "x=1", .depends_on = "b");
    GOAL(world, "c", .inputs = "x=2", .depends_on = "b", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "x=2", .depends_on = "a");
    GOAL(world, "d");
    world_run(world);
    assert_value(world, world_state(world, "c")->inputs, "x=1");
    assert_true(str_find(strbuf_str(&world->call_text), STR("update c")) == SIZE_MAX);
}

static void an_alias_is_taken_by_the_first_that_is_registered(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "new", .until = "check b", .held = "check");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "new", .inputs = "x=1", .aliases = "a", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=1", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "conflicting with alias on resource");
    assert_true(str_find(strbuf_str(&world->call_text), STR("create a")) == SIZE_MAX);
}

static void a_refusal_is_reported_once(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "c", .replaces = "y", .until = "check b", .held = "diff");
    OLD(world, "a", .inputs = "x=1", .protect = true);
    OLD(world, "c", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2", .protect = true, .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    world_run(world);
    str text = strbuf_str(&world->diagnostics);
    assert_true(str_find(text, STR("unable to replace")) != SIZE_MAX);
    assert_true(str_find(text, STR("unable to replace"))
                == str_find_last(text, STR("unable to replace")));
}

/* The program only reads b from now on, while the provider is asked about c. */
static void a_dependent_that_was_read_meanwhile_is_not_condemned(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    SCRIPT(world, "c", .replaces = "y", .until = "read b", .held = "diff");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    OLD(world, "c", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .read_id = "id-b", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_true(str_find(strbuf_str(&world->call_text), STR("delete b")) == SIZE_MAX);
    assert_order(world, "call diff c", "call read b", "begin delete-replaced c");
    assert_true(world_state(world, "b")->is_external);
}

/* b is planned while a is checked for its replacement. */
static void a_dependent_whose_update_begins_while_inputs_are_checked_again_is_awaited(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true, .until = "diff b", .held = "check",
           .spared = 1);
    SCRIPT(world, "b", .until = "delete a", .held = "update");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1 z=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "y=1 z=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "begin update b", "end update b", "begin delete-replaced a");
}

/* e takes c along while the provider is asked what a does to c. */
static void what_is_said_of_a_dependent_that_was_deleted_meanwhile_does_not_count(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "e", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "c", .until = "delete e", .held = "diff", .fails = "diff");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "e", .inputs = "x=1");
    OLD(world, "c", .inputs = "y=1", .uses = "y:a", .deleted_with = "e");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "e", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call diff c", "end delete-replaced e", "begin delete-replaced a");
    assert_state(world, "e a");
}

/* a is to be replaced, and is checked for that while b takes it along. */
static void a_check_for_a_replacement_that_came_to_nothing_does_not_count(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .until = "delete b", .held = "check", .spared = 1,
           .fails = "check", .times = 1);
    SCRIPT(world, "b", .replaces = "x", .deletes_first = true);
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "a", .inputs = "x=1", .deleted_with = "b");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end delete-replaced b", "begin create-replacement a");
    assert_state(world, "b a");
}

static size_t place_of_ended(const struct world *world, const char *call)
{
    size_t at = 0;

    while (at < world->ended.len && !str_equal(world->ended.items[at], str_from(call)))
        at++;
    return at;
}

static void where_records_take_a_round_trip_no_more_are_planned_at_once_either(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel = 2;
    world->journal.is_far = true;
    SCRIPT(world, "a", .until = "check c", .held = "check");
    SCRIPT(world, "b", .until = "check c", .held = "check");
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    GOAL(world, "c", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_true(place_of_ended(world, "check a") < place_of_ended(world, "check c"));
}

/* With parallel diff they are steps. */
static void where_records_take_a_round_trip_no_more_are_compared_at_once_either(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel = 2;
    world->options.plan.parallel_diff = true;
    world->journal.is_far = true;
    SCRIPT(world, "a", .until = "diff c", .held = "diff");
    SCRIPT(world, "b", .until = "diff c", .held = "diff");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "c", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "c", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_true(place_of_ended(world, "diff a") < place_of_ended(world, "diff c"));
}

/* b was read, so its state has another address than the one that a would condemn. */
static void what_was_read_is_awaited_until_it_was_compared_beside_other_work(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = true;
    world->options.plan.run_program = true;
    world->options.plan.parallel_diff = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true, .until = "create b",
           .held = "delete");
    SCRIPT(world, "b", .until = "delete c", .held = "diff", .spared = 1);
    SCRIPT(world, "c", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .deleted_with = "a");
    OLD(world, "c", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "b", .inputs = "y=1", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call diff b", "end same b", "begin delete-replaced a");
    assert_state(world, "b a");
}

/* b was read and is gone: it is created, and nobody asks about the b of before. */
static void what_was_read_and_is_gone_is_not_taken_along(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = true;
    world->options.plan.run_program = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y", .is_gone = true, .until = "delete a", .held = "check");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "b", .inputs = "y=1", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end refresh b", "end create b", "begin delete-replaced a");
    assert_true(str_find(strbuf_str(&world->call_text), STR("delete b")) == SIZE_MAX);
    assert_state(world, "b a");
}

/* b is imported in place of the one of before, and then updated. */
static void work_on_what_was_imported_is_awaited(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true, .until = "diff b", .held = "check");
    SCRIPT(world, "b", .inputs = "y=1", .until = "delete a", .held = "update");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "b", .inputs = "y=1 z=2", .import_id = "other", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "begin update b", "end update b", "begin delete-replaced a");
}

static void what_is_condemned_while_it_is_compared_beside_other_work_is_checked_anew(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel_diff = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .until = "delete a", .held = "diff", .fails = "diff");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .deleted_with = "a");
    GOAL(world, "b", .inputs = "y=1", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(world_call(world, "check b", 1)->olds, STR(""));
    assert_order(world, "end delete-replaced a", "begin create-replacement b");
    assert_state(world, "a b");
}

/* b moves to another provider; while it is compared something else is replaced. */
static void a_plan_that_was_overtaken_asks_nothing_twice(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    SCRIPT(world, "b", .until = "create a", .held = "diff");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    GOAL(world, "b", .inputs = "y=2", .provider = "prov", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "configure prov, check b, diff-config prov, diff b, check a, diff a, "
                        "check a, create a, update b, delete a");
}

/* Nor does one that is overtaken while it is checked for its replacement. */
static void a_replacement_that_was_overtaken_asks_nothing_twice(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    SCRIPT(world, "b", .replaces = "y", .until = "create a", .held = "check", .spared = 1);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1");
    GOAL(world, "b", .inputs = "y=2", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "check b, diff b, check b, check a, diff a, check a, create a, create b, "
                        "delete a, delete b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(registrations_are_planned_at_once),
        RULE(with_parallel_1_one_registration_is_planned_at_a_time),
        RULE(no_more_are_planned_at_once_than_parallel_says),
        RULE(what_is_condemned_while_it_is_checked_is_checked_anew),
        RULE(what_is_condemned_while_it_is_compared_is_checked_anew),
        RULE(a_failure_is_not_reported_if_what_it_is_about_was_deleted_meanwhile),
        RULE(a_dependent_that_was_changed_meanwhile_is_not_condemned),
        RULE(a_dependent_is_asked_about_once),
        RULE(what_is_excluded_by_a_dependency_meanwhile_stays_as_it_is),
        RULE(an_alias_is_taken_by_the_first_that_is_registered),
        RULE(a_refusal_is_reported_once),
        RULE(a_dependent_that_was_read_meanwhile_is_not_condemned),
        RULE(a_dependent_whose_update_begins_while_inputs_are_checked_again_is_awaited),
        RULE(what_is_said_of_a_dependent_that_was_deleted_meanwhile_does_not_count),
        RULE(a_check_for_a_replacement_that_came_to_nothing_does_not_count),
        RULE(where_records_take_a_round_trip_no_more_are_planned_at_once_either),
        RULE(where_records_take_a_round_trip_no_more_are_compared_at_once_either),
        RULE(what_was_read_is_awaited_until_it_was_compared_beside_other_work),
        RULE(what_was_read_and_is_gone_is_not_taken_along),
        RULE(work_on_what_was_imported_is_awaited),
        RULE(what_is_condemned_while_it_is_compared_beside_other_work_is_checked_anew),
        RULE(a_plan_that_was_overtaken_asks_nothing_twice),
        RULE(a_replacement_that_was_overtaken_asks_nothing_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
