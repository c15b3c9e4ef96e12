/* test_plan_target_destroy.c — --target and --exclude of a destroy: what goes, and what stays. */
#include "unit/engine_world.h"

static void destroying_a_target_with_unnamed_dependents_is_refused(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    world->options.plan.targets = world_urns(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "will be destroyed but was not specified in --target list");
    assert_calls(world, "");
    assert_state(world, "a b");
}

static void destroying_a_target_takes_its_dependents_along_when_asked_for(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.target_dependents = true;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c");
    world->options.plan.targets = world_urns(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "delete b, delete a");
    assert_state(world, "c");
}

/* The program no longer has a, its provider and b. What needed b, and no longer says so, does not
 * take part while the program runs. */
static void what_is_kept_while_the_program_runs_is_destroyed(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = world->options.plan.target_dependents = true;
    OLD(world, "prov", .type = "pulumi:providers:pulumi");
    OLD(world, "p");
    OLD(world, "a", .depends_on = "p", .provider = "prov");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c", .depends_on = "b", .is_component = true);
    world->options.plan.targets = world_urns(world, "p");
    GOAL(world, "p");
    GOAL(world, "c", .is_component = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end delete c", "begin delete b");
    assert_order(world, "end delete b", "begin delete a");
    assert_order(world, "end delete a", "begin delete p");
    assert_state(world, "prov");
}

/* The target has a new name. c goes on with its dependent a, but does not take part: it stays a,
 * and b comes to depend on that. */
static void what_depends_on_a_dependent_that_kept_its_name_goes_with_it(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = world->options.plan.target_dependents = true;
    OLD(world, "t");
    OLD(world, "a", .depends_on = "t", .is_component = true);
    OLD(world, "b");
    world->options.plan.targets = world_urns(world, "t");
    GOAL(world, "new", .aliases = "t");
    GOAL(world, "c", .type = "pulumi:t:C", .aliases = "a", .is_component = true);
    GOAL(world, "b", .depends_on = "a");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "delete b");
    assert_state(world, "new");
}

static void destroying_all_but_an_excluded_keeps_what_it_depends_on(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c");
    world->options.plan.excludes = world_urns(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "delete c");
    assert_state(world, "a b");
}

static void a_destroy_refuses_a_target_that_is_not_in_the_state(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    OLD(world, "a");
    world->options.plan.targets = world_urns(world, "nobody");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "no resource named");
    assert_state(world, "a");
}

static void what_is_excluded_keeps_what_its_leftovers_depend_on(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    OLD(world, "a");
    OLD(world, "b");
    OLD(world, "b", .is_delete = true, .id = "id-old", .depends_on = "a");
    world->options.plan.excludes = world_urns(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "");
    assert_state(world, "a b b!D");
}

static void what_is_excluded_keeps_its_provider_under_its_new_name(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "prov", .type = "pulumi:providers:pulumi");
    OLD(world, "a", .provider = "prov");
    OLD(world, "b", .provider = "prov");
    OLD(world, "c");
    OLD(world, "d", .depends_on = "c");
    world->options.plan.excludes = world_urns(world, "a d");
    GOAL(world, "renamed", .type = "pulumi:providers:pulumi", .aliases = "prov");
    GOAL(world, "other", .type = "pulumi:providers:pulumi");
    GOAL(world, "new", .aliases = "c", .provider = "other");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "renamed other new a d");
}

/* b goes with a, and c depends on b. */
static void what_goes_with_a_target_takes_its_dependents_along(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    OLD(world, "a");
    OLD(world, "b", .replace_with = "a");
    OLD(world, "c", .depends_on = "b");
    world->options.plan.targets = world_urns(world, "a");
    world->options.plan.target_dependents = true;
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "");
}

/* Who depends on a target is looked for, for each; what they hold is not copied for that. */
static void the_targets_of_a_long_chain_take_memory_as_they_are(void **state)
{
    struct world *world = *state;
    enum { COUNT = 500 };
    static const str all[] = { STR_INIT("**") };
    const char *before = NULL;

    world->options.kind = OPERATION_DESTROY;
    for (int i = 0; i < COUNT; i++) {
        const char *name = arena_printf(&world->arena, "r%d", i).ptr;
        OLD(world, name, .inputs = "x=1 y=2 z=3", .depends_on = before);
        before = name;
    }
    world->options.plan.targets = (struct strs){ all, 1 };
    size_t held = world->arena.total;
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "");
    assert_true(world->arena.total - held < 20u << 20);
}

/* The program says that na, which was a, depends on k; in the state c depends on a. */
static void what_knows_a_target_by_its_former_name_goes_with_it(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    world->options.plan.target_dependents = true;
    OLD(world, "k");
    OLD(world, "a");
    OLD(world, "c", .depends_on = "a");
    world->options.plan.targets = world_urns(world, "k");
    GOAL(world, "k");
    GOAL(world, "na", .aliases = "a", .depends_on = "k");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same k, same na, delete c, delete na, delete k");
}

/* c reaches e, of which another instance is left over; and a, which is left over, needs that. */
static void what_is_left_over_stays_for_those_who_need_it(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.target_dependents = true;
    OLD(world, "e", .is_delete = true, .id = "was-e");
    OLD(world, "a", .is_delete = true, .id = "was-a", .depends_on = "e");
    OLD(world, "a");
    OLD(world, "c");
    OLD(world, "e", .depends_on = "c");
    world->options.plan.targets = world_urns(world, "c");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "delete e, delete c");
    assert_str_equal(world_call(world, "delete e", 0)->id, STR("id-e"));
    assert_state(world, "e!D a!D a");
}

/* e is a target and has a dependent that is left over; here that depends on c as well. */
static void what_is_left_over_and_depends_on_a_target_goes_with_it(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.target_dependents = true;
    OLD(world, "c");
    OLD(world, "e", .is_delete = true, .id = "was-e", .depends_on = "c");
    OLD(world, "a", .is_delete = true, .id = "was-a", .depends_on = "e");
    OLD(world, "e");
    world->options.plan.targets = world_urns(world, "c e");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "");
}

/* In the state k is called l, and the program has a child l of it now. */
static void what_a_destroy_registers_goes_with_its_parent_under_its_former_name(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    world->options.plan.target_dependents = true;
    OLD(world, "l", .is_component = true);
    world->options.plan.targets = world_urns(world, "l");
    GOAL(world, "k", .aliases = "l", .is_component = true);
    GOAL(world, "m", .parent = "l", .is_component = true);
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "");
}

static void what_is_destroyed_does_not_come_before_what_it_names(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a");
    OLD(world, "e", .depends_on = "a");
    OLD(world, "t");
    world->options.plan.targets = world_urns(world, "t");
    GOAL(world, "e", .depends_on = "a", .is_hasty = true);
    GOAL(world, "a");
    GOAL(world, "t");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "which the program has not registered before it");
}

/* In the state k depends on p. */
static void what_no_longer_depends_on_a_target_goes_with_it(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    world->options.plan.target_dependents = true;
    OLD(world, "p");
    OLD(world, "k", .is_component = true, .depends_on = "p");
    world->options.plan.targets = world_urns(world, "p");
    GOAL(world, "p");
    GOAL(world, "k", .is_component = true);
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same p, same k, delete k, delete p");
    assert_state(world, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(destroying_a_target_with_unnamed_dependents_is_refused),
        RULE(destroying_a_target_takes_its_dependents_along_when_asked_for),
        RULE(what_is_kept_while_the_program_runs_is_destroyed),
        RULE(what_depends_on_a_dependent_that_kept_its_name_goes_with_it),
        RULE(destroying_all_but_an_excluded_keeps_what_it_depends_on),
        RULE(a_destroy_refuses_a_target_that_is_not_in_the_state),
        RULE(what_is_excluded_keeps_what_its_leftovers_depend_on),
        RULE(what_is_excluded_keeps_its_provider_under_its_new_name),
        RULE(what_goes_with_a_target_takes_its_dependents_along),
        RULE(the_targets_of_a_long_chain_take_memory_as_they_are),
        RULE(what_knows_a_target_by_its_former_name_goes_with_it),
        RULE(what_is_left_over_stays_for_those_who_need_it),
        RULE(what_is_left_over_and_depends_on_a_target_goes_with_it),
        RULE(what_a_destroy_registers_goes_with_its_parent_under_its_former_name),
        RULE(what_is_destroyed_does_not_come_before_what_it_names),
        RULE(what_no_longer_depends_on_a_target_goes_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
