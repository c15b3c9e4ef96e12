/* test_exec_order.c — registrations that come at once: who waits for whom, and what an interrupt
 * stops. */
#include "unit/engine_world.h"

static void a_step_is_recorded_before_it_is_answered(void **state)
{
    struct world *world = *state;
    OLD(world, "u", .inputs = "x=1");
    OLD(world, "s");
    GOAL(world, "a");
    GOAL(world, "u", .inputs = "x=2");
    GOAL(world, "s");
    GOAL(world, "r", .read_id = "there");
    world_run(world);
    assert_true(world_reply(world, "a")->is_recorded);
    assert_true(world_reply(world, "u")->is_recorded);
    assert_true(world_reply(world, "s")->is_recorded);
    assert_true(world_reply(world, "r")->is_recorded);
}

static void the_next_step_begins_while_an_outcome_becomes_durable(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel = 1;
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end create a", "call create b", "answer a");
    assert_true(world_reply(world, "a")->is_recorded);
}

static void a_resource_registered_while_it_is_deleted_waits_and_is_made_anew(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y", .until = "create c");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a", .is_parallel = true);
    GOAL(world, "c", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "begin delete-replaced b", "end create c", "end delete-replaced b",
                 "end delete-replaced a", "call check b", "begin create-replacement b");
    assert_str_equal(world_call(world, "check b", 0)->olds, STR(""));
    assert_true(world_has_state(world, "b"));
}

static void deleting_first_waits_for_a_dependent_that_is_being_changed(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .until = "create c");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "b", .inputs = "y=2", .is_parallel = true);
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "c", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call diff a", "begin update b", "end create c", "end update b",
                 "call delete a");
    assert_value(world, world_state(world, "b")->inputs, "y=2");
}

static void what_two_replacements_take_along_is_deleted_once(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "c", .replaces = "y z");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "c", .inputs = "y=1 z=1", .uses = "y:a z:b");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "c", .inputs = "y=1 z=1", .uses = "y:a z:b", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    str calls = strbuf_str(&world->call_text);
    assert_true(str_find(calls, STR("delete c")) != SIZE_MAX);
    assert_true(str_find(calls, STR("delete c")) == str_find_last(calls, STR("delete c")));
    assert_order(world, "end delete-replaced c", "call delete b");
    assert_state(world, "a b c");
}

static void what_goes_with_two_replacements_is_deleted_once(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "x", .deletes_first = true);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "c", .replace_with = "a b");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "x=2");
    GOAL(world, "c", .replace_with = "a b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete-replaced c, delete-replaced a, replace a(x), "
                        "create-replacement a(x), delete-replaced b, replace b(x), "
                        "create-replacement b(x), replace c, create-replacement c");
}

static void an_interrupt_lets_the_step_under_way_end_and_starts_nothing(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .signal = "once");
    OLD(world, "gone");
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "check a, create a");
    assert_state(world, "a gone");
}

static void after_a_second_interrupt_the_intent_stays_on_record(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .signal = "twice");
    GOAL(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "[creating a]");
}

static void nothing_is_changed_before_the_key_is_known_to_be_right(void **state)
{
    struct world *world = *state;
    world->has_wrong_key = true;
    OLD(world, "s");
    GOAL(world, "s");
    GOAL(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "same s");
    assert_calls(world, "check s, diff s, check a");
}

/* When c was created, all that may be with a provider are, until its outputs are registered. */
static void outputs_may_follow_a_replacement_at_once(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel = 2;
    world->journal.is_far = true;
    SCRIPT(world, "a", .until = "check d");
    SCRIPT(world, "b", .until = "check d");
    SCRIPT(world, "c", .replaces = "x");
    OLD(world, "c", .inputs = "x=1");
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    GOAL(world, "c", .inputs = "x=2");
    world_outputs(world, "c", "o=1");
    GOAL(world, "d");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call create b", "answer c", "call check d", "end create a");
    assert_value(world, world_state(world, "c")->outputs, "o=1");
}

/* b is taken along by a, and does not wait until a was created. */
static void what_waits_for_deletes_goes_on_when_they_are_done(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true, .until = "create b",
           .held = "create");
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "b", .inputs = "y=1", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call delete a", "call create a", "end create-replacement b",
                 "end create-replacement a");
}

static void after_a_second_interrupt_the_old_instance_is_as_it_was(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .signal = "twice", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a [creating a]");
}

static void after_a_second_interrupt_it_is_not_known_to_be_deleted(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .signal = "twice", .replaces = "x", .deletes_first = true);
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a [deleting a]");
}

/* It is deleted once more, because of what it depends on. */
static void after_a_second_interrupt_a_pending_replacement_is_as_it_was(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .signal = "twice", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a", .is_pending_replacement = true);
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a b!PR [deleting b]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(a_step_is_recorded_before_it_is_answered),
        RULE(the_next_step_begins_while_an_outcome_becomes_durable),
        RULE(a_resource_registered_while_it_is_deleted_waits_and_is_made_anew),
        RULE(deleting_first_waits_for_a_dependent_that_is_being_changed),
        RULE(what_two_replacements_take_along_is_deleted_once),
        RULE(what_goes_with_two_replacements_is_deleted_once),
        RULE(an_interrupt_lets_the_step_under_way_end_and_starts_nothing),
        RULE(after_a_second_interrupt_the_intent_stays_on_record),
        RULE(nothing_is_changed_before_the_key_is_known_to_be_right),
        RULE(outputs_may_follow_a_replacement_at_once),
        RULE(what_waits_for_deletes_goes_on_when_they_are_done),
        RULE(after_a_second_interrupt_the_old_instance_is_as_it_was),
        RULE(after_a_second_interrupt_it_is_not_known_to_be_deleted),
        RULE(after_a_second_interrupt_a_pending_replacement_is_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
