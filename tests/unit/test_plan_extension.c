/* test_plan_extension.c — extensions of packages: their provider is parameterized before the first
 * resource that belongs to one is planned, and once. */
#include "unit/engine_world.h"

static void a_provider_is_parameterized_before_its_resource_is_checked(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .extension = "e");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "parameterize e, check a, create a");
}

static void a_provider_is_parameterized_once_for_an_extension(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .extension = "e");
    GOAL(world, "b", .extension = "e");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "parameterize e, check a, create a, check b, create b");
}

/* The provider takes its time; b would be checked meanwhile if it did not wait. */
static void another_resource_of_the_extension_waits_until_the_provider_is_parameterized(
    void **state)
{
    struct world *world = *state;
    SCRIPT(world, "e", .until = "check b", .held = "parameterize");
    GOAL(world, "a", .extension = "e", .is_parallel = true);
    GOAL(world, "b", .extension = "e", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call parameterize e", "end parameterize e", "call check b");
    str calls = strbuf_str(&world->call_text);
    assert_true(str_find(calls, STR("parameterize e"))
                == str_find_last(calls, STR("parameterize e")));
    assert_state(world, "a b");
}

static void a_resource_without_the_extension_does_not_wait(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "e", .until = "create b", .held = "parameterize");
    GOAL(world, "a", .extension = "e", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call create b", "end parameterize e", "call check a");
}

static void each_extension_is_a_parameter_of_its_own(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .extension = "e");
    GOAL(world, "b", .extension = "f");
    GOAL(world, "c", .extension = "e");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "parameterize e, check a, create a, parameterize f, check b, create b, "
                        "check c, create c");
}

static void the_state_has_each_extension_once(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .extension = "e");
    GOAL(world, "b", .extension = "e");
    world_run(world);
    assert_int_equal(world->result.extension_count, 1);
    assert_str_equal(world->result.extensions[0].ref, STR("e"));
    assert_str_equal(world_state(world, "b")->options.extension_ref, STR("e"));
}

static void a_provider_is_parameterized_before_an_old_resource_is_deleted(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .extension = "e");
    world_run(world);
    world_continue(world);
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "parameterize e, delete a");
    assert_state(world, "");
}

static void where_the_provider_refuses_the_extension_nothing_is_created(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "e", .fails = "parameterize");
    GOAL(world, "a", .extension = "e");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "parameterize e");
    assert_says(world, "the provider refuses");
    assert_state(world, "");
}

static void a_refused_extension_ends_the_run_that_would_go_on_after_errors(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "e", .fails = "parameterize");
    GOAL(world, "a", .extension = "e");
    GOAL(world, "b", .extension = "e");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "parameterize e");
    assert_says(world, "the provider refuses");
    assert_state(world, "");
}

static void what_waits_for_a_refused_extension_is_not_planned(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "e", .until = "create c", .held = "parameterize", .fails = "parameterize");
    GOAL(world, "a", .extension = "e", .is_parallel = true);
    GOAL(world, "b", .extension = "e", .is_parallel = true);
    GOAL(world, "c", .is_parallel = true);
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "c");
    assert_int_equal(str_find(strbuf_str(&world->call_text), STR("check b")), SIZE_MAX);
}

static void what_has_no_provider_cannot_belong_to_an_extension(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .extension = "e", .is_component = true);
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "could not parse provider reference  for extension");
    assert_state(world, "");
}

/* b is not a target and refers to a in the state; a is registered, and its provider takes its
 * time. */
static void what_waits_for_its_extension_is_not_kept_for_another(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .inputs = "x=1", .extension = "e");
    GOAL(world, "b", .inputs = "x=1", .depends_on = "a");
    GOAL(world, "c");
    world_run(world);
    assert_succeeds(world);
    world_continue(world);
    world->options.plan.targets = world_urns(world, "c");
    SCRIPT(world, "e", .until = "check c", .held = "parameterize");
    GOAL(world, "a", .inputs = "x=2", .extension = "e", .is_parallel = true);
    GOAL(world, "b", .inputs = "x=2", .is_parallel = true);
    GOAL(world, "c");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end parameterize e", "end same a", "begin same b");
    assert_state(world, "c a b");
}

/* The provider knows the extension since it has read what belonged to it. */
static void the_state_has_an_extension_that_is_used_again_when_all_that_belonged_to_it_is_gone(
    void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .extension = "e");
    world_run(world);
    world_continue(world);
    world->options.plan.refresh = true;
    SCRIPT(world, "a", .is_gone = true);
    GOAL(world, "a", .extension = "e");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "parameterize e, read a, check a, create a");
    assert_int_equal(world->result.extension_count, 1);
    world_continue(world);
    world->options.plan.refresh = false;
    world->options.kind = OPERATION_DESTROY;
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(a_provider_is_parameterized_before_its_resource_is_checked),
        RULE(a_provider_is_parameterized_once_for_an_extension),
        RULE(another_resource_of_the_extension_waits_until_the_provider_is_parameterized),
        RULE(a_resource_without_the_extension_does_not_wait),
        RULE(each_extension_is_a_parameter_of_its_own),
        RULE(the_state_has_each_extension_once),
        RULE(the_state_has_an_extension_that_is_used_again_when_all_that_belonged_to_it_is_gone),
        RULE(a_provider_is_parameterized_before_an_old_resource_is_deleted),
        RULE(where_the_provider_refuses_the_extension_nothing_is_created),
        RULE(a_refused_extension_ends_the_run_that_would_go_on_after_errors),
        RULE(what_waits_for_a_refused_extension_is_not_planned),
        RULE(what_has_no_provider_cannot_belong_to_an_extension),
        RULE(what_waits_for_its_extension_is_not_kept_for_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
