/* test_exec_hooks.c — functions of the program around steps, and views that providers describe
 * while they work. */
#include "unit/engine_world.h"

static void hooks_run_around_a_create(void **state)
{
    struct world *world = *state;
    world->hooks = "before after";
    GOAL(world, "a", .hooks[HOOK_BEFORE_CREATE] = "before", .hooks[HOOK_AFTER_CREATE] = "after");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "begin create a", "hook before", "call create a", "hook after",
                 "end create a", "answer a");
}

static void hooks_run_around_an_update_and_a_delete(void **state)
{
    struct world *world = *state;
    world->hooks = "bu au bd ad";
    OLD(world, "b", .hooks[HOOK_BEFORE_DELETE] = "bd", .hooks[HOOK_AFTER_DELETE] = "ad");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2", .hooks[HOOK_BEFORE_UPDATE] = "bu",
         .hooks[HOOK_AFTER_UPDATE] = "au");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "hook bu", "call update a", "hook au", "hook bd", "call delete b",
                 "hook ad");
}

static void hooks_run_in_the_order_listed_and_the_first_error_ends_them(void **state)
{
    struct world *world = *state;
    world->hooks = "one two three";
    world->bad_hook = "two";
    GOAL(world, "a", .hooks[HOOK_BEFORE_CREATE] = "one two three");
    world_run(world);
    assert_fails_run(world);
    assert_order(world, "hook one", "hook two", "fail create a");
    assert_true(str_find(strbuf_str(&world->history), STR("hook three")) == SIZE_MAX);
}

static void a_before_hook_that_fails_keeps_the_provider_from_being_called(void **state)
{
    struct world *world = *state;
    world->hooks = "before";
    world->bad_hook = "before";
    GOAL(world, "a", .hooks[HOOK_BEFORE_CREATE] = "before");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "before hook \"before\" failed: the hook is bad");
    assert_calls(world, "check a");
    assert_state(world, "");
}

static void an_after_hook_that_fails_leaves_what_was_made(void **state)
{
    struct world *world = *state;
    world->hooks = "after";
    world->bad_hook = "after";
    GOAL(world, "a", .hooks[HOOK_AFTER_CREATE] = "after");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a");
    assert_true(world_was_answered(world, "a"));
    assert_calls(world, "check a, create a");
}

static void errors_of_a_hook_that_ignores_them_are_warnings(void **state)
{
    struct world *world = *state;
    world->hooks = "before!";
    world->bad_hook = "before";
    GOAL(world, "a", .hooks[HOOK_BEFORE_CREATE] = "before");
    world_run(world);
    assert_succeeds(world);
    assert_says(world, "warning a: BeforeCreate hook \"before\" failed");
    assert_state(world, "a");
}

static void a_hook_that_is_not_registered_fails_the_step(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .hooks[HOOK_BEFORE_CREATE] = "nobody");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "hook \"nobody\" was not registered");
    assert_calls(world, "check a");
}

static void a_preview_runs_only_hooks_that_want_it(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    world->hooks = "silent eager?";
    GOAL(world, "a", .hooks[HOOK_BEFORE_CREATE] = "silent eager");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "hook eager", "call create a");
    assert_true(str_find(strbuf_str(&world->history), STR("hook silent")) == SIZE_MAX);
}

static void after_hooks_of_a_component_wait_for_its_outputs(void **state)
{
    struct world *world = *state;
    world->hooks = "before after";
    GOAL(world, "c", .is_component = true, .hooks[HOOK_BEFORE_CREATE] = "before",
         .hooks[HOOK_AFTER_CREATE] = "after");
    GOAL(world, "a", .parent = "c");
    world_outputs(world, "c", "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "hook before", "answer c", "end create a", "hook after", "end create c");
}

static void an_error_hook_may_ask_for_another_attempt(void **state)
{
    struct world *world = *state;
    world->hooks = "retry";
    world->retries = 2;
    SCRIPT(world, "a", .fails = "create", .times = 2);
    GOAL(world, "a", .hooks[HOOK_ON_ERROR] = "retry");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create a");
    assert_calls(world, "check a, create a, create a, create a");
    assert_state(world, "a");
}

static void views_are_those_of_the_last_attempt(void **state)
{
    struct world *world = *state;
    world->hooks = "retry";
    world->retries = 1;
    SCRIPT(world, "a", .view = "v", .fails = "create", .times = 1);
    GOAL(world, "a", .hooks[HOOK_ON_ERROR] = "retry");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "a v");
}

static void an_error_hook_that_asks_for_nothing_lets_the_step_fail(void **state)
{
    struct world *world = *state;
    world->hooks = "retry";
    SCRIPT(world, "a", .fails = "create");
    GOAL(world, "a", .hooks[HOOK_ON_ERROR] = "retry");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "check a, create a");
    assert_order(world, "call create a", "hook retry", "fail create a");
}

static void a_destroy_without_its_program_refuses_delete_hooks(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    OLD(world, "a", .hooks[HOOK_BEFORE_DELETE] = "before");
    OLD(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "You must run with the `--run-program` flag");
    assert_calls(world, "");
    assert_state(world, "a b");
}

static void views_are_shown_while_their_owner_is_worked_on_and_recorded_after_it(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .view = "v");
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "begin create a", "call create a", "begin create v", "end create a",
                 "end create v", "answer a");
    assert_state(world, "a v");
    const struct resource *view = world->result.resources[world->result.resource_count - 1];
    assert_str_equal(view->view_of, world_urn(world, "a"));
    assert_str_equal(view->parent, world_urn(world, "a"));
}

static void views_of_an_owner_that_stays_stay(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "v", .view_of = "a");
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, same v");
    assert_state(world, "a v");
}

static void the_provider_is_given_the_views_of_before(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .view = "v");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "v", .view_of = "a");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_int_equal(world_call(world, "update a", 0)->view_count, 1);
    assert_steps(world, "update a, update v");
    assert_state(world, "a v");
}

static void views_go_with_their_owner_and_not_by_themselves(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .view = "v");
    OLD(world, "a");
    OLD(world, "v", .view_of = "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete a, delete v");
    assert_calls(world, "delete a");
    assert_state(world, "");
}

static void a_preview_of_a_delete_shows_the_deletes_of_views(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    OLD(world, "a");
    OLD(world, "v", .view_of = "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete a, delete v");
    assert_calls(world, "");
}

static void views_of_an_owner_that_failed_stay_as_they_were(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .view = "v", .fails = "update");
    SCRIPT(world, "b", .view = "w", .fails = "create");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "v", .view_of = "a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b");
    GOAL(world, "c");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "c a v");
}

/* The provider does not say that the new view replaces the old one, nor that the old one goes. */
static void a_replacement_takes_over_the_names_of_views(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .view = "v", .replaces = "x");
    SCRIPT(world, "b", .fails = "create");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "v", .view_of = "a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a v a!D v!D");
    world_continue(world);
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "a v");
}

static void a_view_that_was_replaced_goes_with_what_its_owner_was(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "v", .view_of = "a");
    OLD(world, "a", .is_delete = true, .id = "id-old");
    OLD(world, "v", .view_of = "a", .is_delete = true);
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "check a, diff a, delete a");
    assert_state(world, "a v");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(hooks_run_around_a_create),
        RULE(hooks_run_around_an_update_and_a_delete),
        RULE(hooks_run_in_the_order_listed_and_the_first_error_ends_them),
        RULE(a_before_hook_that_fails_keeps_the_provider_from_being_called),
        RULE(an_after_hook_that_fails_leaves_what_was_made),
        RULE(errors_of_a_hook_that_ignores_them_are_warnings),
        RULE(a_hook_that_is_not_registered_fails_the_step),
        RULE(a_preview_runs_only_hooks_that_want_it),
        RULE(after_hooks_of_a_component_wait_for_its_outputs),
        RULE(an_error_hook_may_ask_for_another_attempt),
        RULE(views_are_those_of_the_last_attempt),
        RULE(an_error_hook_that_asks_for_nothing_lets_the_step_fail),
        RULE(a_destroy_without_its_program_refuses_delete_hooks),
        RULE(views_are_shown_while_their_owner_is_worked_on_and_recorded_after_it),
        RULE(views_of_an_owner_that_stays_stay),
        RULE(the_provider_is_given_the_views_of_before),
        RULE(views_go_with_their_owner_and_not_by_themselves),
        RULE(a_preview_of_a_delete_shows_the_deletes_of_views),
        RULE(views_of_an_owner_that_failed_stay_as_they_were),
        RULE(a_replacement_takes_over_the_names_of_views),
        RULE(a_view_that_was_replaced_goes_with_what_its_owner_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
