/* test_plan_update_plan.c — an update that may only do what its preview wrote down. */
#include "unit/engine_world.h"

#include "engine/plan/update_plan.h"

/* A preview of the program so far; from here on the update of another program is held to it. */
static void hold_to_preview(struct world *world)
{
    world->options.preview = true;
    world->options.update_plan.is_wanted = true;
    world_run(world);
    assert_succeeds(world);
    assert_true(world->plan.len > 0);
    world->options.preview = false;
    world->options.update_plan.is_wanted = false;
    world->options.update_plan.text = world->plan;
    world->actions.len = 0;
    world->scripts.len = 0;
}

static void an_update_may_do_what_the_plan_foresaw(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "gone");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "new");
    hold_to_preview(world);
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "new");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "update a, create new, delete gone");
}

static void a_resource_that_the_plan_does_not_know_is_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a");
    hold_to_preview(world);
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "create is not allowed by the plan: no steps were expected");
    assert_calls(world, "check a, create a, check b");
}

static void other_inputs_than_planned_are_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .inputs = "x=2");
    hold_to_preview(world);
    GOAL(world, "a", .inputs = "x=3");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "violates plan: properties changed");
    assert_steps(world, "");
}

static void an_unknown_in_the_plan_allows_any_value(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .inputs = "x=?");
    hold_to_preview(world);
    GOAL(world, "a", .inputs = "x=3");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create a");
}

static void a_delete_that_was_not_planned_is_refused(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    GOAL(world, "a");
    hold_to_preview(world);
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "delete is not allowed by the plan: this resource is constrained to same");
    assert_calls(world, "");
    assert_state(world, "a");
}

static void less_than_was_planned_is_allowed(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .diff = "some");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1");
    hold_to_preview(world);
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a");
}

static void more_than_was_planned_is_refused(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    hold_to_preview(world);
    SCRIPT(world, "a", .replaces = "x");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "is not allowed by the plan: this resource is constrained to update");
    assert_steps(world, "");
}

static void what_was_planned_and_did_not_come_is_an_error(void **state)
{
    struct world *world = *state;
    GOAL(world, "a");
    GOAL(world, "b");
    hold_to_preview(world);
    GOAL(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "expected resource operations for");
    assert_steps(world, "create a");
}

static void an_update_uses_the_seeds_of_its_plan(void **state)
{
    struct world *world = *state;
    GOAL(world, "a");
    world->options.preview = true;
    world->options.update_plan.is_wanted = true;
    world_run(world);
    str seed = world_call(world, "check a", 0)->seed;
    world->options.preview = false;
    world->options.update_plan.is_wanted = false;
    world->options.update_plan.text = world->plan;
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(world_call(world, "check a", 0)->seed, seed);
}

static void a_changed_option_violates_the_plan(void **state)
{
    struct world *world = *state;
    GOAL(world, "a");
    hold_to_preview(world);
    GOAL(world, "a", .protect = true);
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "protect changed");
}

/* The preview compares beside other work: that is no step that an update would have to repeat. */
static void only_what_a_whole_plan_does_is_written_down(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel_diff = true;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    hold_to_preview(world);
    world->options.plan.parallel_diff = false;
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "update a");
}

/* Each property that is new copied all that were. */
static void many_properties_are_compared_at_once(void **state)
{
    enum { MANY = 5000, MOST_BYTES = 16 << 20 };
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(arena_release) struct arena apart = { 0 };
    struct member *members = ARENA_ARRAY(&arena, struct member, MANY);

    for (int i = 0; i < MANY; i++)
        members[i] = (struct member){ arena_printf(&arena, "k%d", i), value_number(i) };
    struct value new = value_object(&arena, members, MANY);
    members[0].value = value_number(-1);
    struct value old = value_object(&arena, members, MANY / 2);
    struct property_changes changes = property_changes_between(&apart, old, new);
    assert_int_equal(changes.adds.len, MANY - MANY / 2);
    assert_int_equal(changes.updates.len, 1);
    assert_int_equal(changes.deletes.len, 0);
    assert_true(apart.total < MOST_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(an_update_may_do_what_the_plan_foresaw),
        RULE(a_resource_that_the_plan_does_not_know_is_refused),
        RULE(other_inputs_than_planned_are_refused),
        RULE(an_unknown_in_the_plan_allows_any_value),
        RULE(a_delete_that_was_not_planned_is_refused),
        RULE(less_than_was_planned_is_allowed),
        RULE(more_than_was_planned_is_refused),
        RULE(what_was_planned_and_did_not_come_is_an_error),
        RULE(an_update_uses_the_seeds_of_its_plan),
        RULE(a_changed_option_violates_the_plan),
        RULE(only_what_a_whole_plan_does_is_written_down),
        RULE(many_properties_are_compared_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
