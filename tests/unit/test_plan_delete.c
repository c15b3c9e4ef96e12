/* test_plan_delete.c — what the program no longer registers, what is left of earlier runs, and in
 * which order it goes. */
#include "unit/engine_world.h"

static void what_the_program_does_not_register_is_deleted(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b");
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, delete b");
    assert_calls(world, "check a, diff a, delete b");
    assert_state(world, "a");
    assert_int_equal(world->changes[OP_DELETE], 1);
}

static void a_dependent_is_deleted_before_what_it_depends_on(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c", .inputs = "x=1", .uses = "x:b");
    world_run(world);
    assert_calls(world, "delete c, delete b, delete a");
    assert_state(world, "");
}

static void a_level_of_deletes_waits_for_the_one_before(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "b", .until = "delete c");
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c", .depends_on = "a");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call delete b", "call delete c", "end delete c", "end delete b",
                 "call delete a");
}

static void a_child_is_deleted_before_its_parent(void **state)
{
    struct world *world = *state;
    OLD(world, "c", .is_component = true);
    OLD(world, "a", .parent = "c");
    world_run(world);
    assert_steps(world, "delete a, delete c");
}

static void deleted_with_is_deleted_before_what_it_names(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b", .deleted_with = "a");
    world_run(world);
    assert_steps(world, "delete b, delete a");
}

static void what_is_deleted_with_another_needs_no_call(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b", .deleted_with = "a");
    world_run(world);
    assert_calls(world, "delete a");
    assert_state(world, "");
}

static void what_is_deleted_with_something_that_stays_is_deleted_itself(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b", .deleted_with = "a");
    GOAL(world, "a");
    world_run(world);
    assert_calls(world, "check a, diff a, delete b");
}

static void what_would_be_deleted_with_something_protected_is_deleted_itself(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    OLD(world, "a", .protect = true);
    OLD(world, "b", .deleted_with = "a");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "delete b");
    assert_state(world, "a");
}

static void what_is_retained_leaves_the_state_without_a_call(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .retain_on_delete = true);
    world_run(world);
    assert_steps(world, "delete a");
    assert_calls(world, "");
    assert_state(world, "");
    assert_int_equal(world->changes[OP_DELETE], 1);
}

static void the_old_half_of_a_retained_replacement_stays_in_the_world(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1", .retain_on_delete = true);
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "create-replacement a(x), replace a(x), delete-replaced a");
    assert_calls(world, "check a, diff a, check a, create a");
    assert_state(world, "a");
}

static void what_was_only_read_is_discarded(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .is_external = true);
    world_run(world);
    assert_steps(world, "discard a");
    assert_calls(world, "");
    assert_state(world, "");
}

static void what_is_protected_is_not_deleted_and_others_are(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .protect = true);
    OLD(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "delete b");
    assert_says(world, "cannot be deleted\nbecause it is protected");
    assert_state(world, "a");
}

static void what_the_protected_depend_on_is_kept(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b", .protect = true, .depends_on = "a");
    OLD(world, "c");
    world->options.kind = OPERATION_DESTROY;
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "delete c");
    assert_state(world, "a b");
}

static void exclude_protected_keeps_them_and_what_they_depend_on_without_failing(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b", .protect = true, .depends_on = "a");
    OLD(world, "c");
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.exclude_protected = true;
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "delete c");
    assert_state(world, "a b");
}

static void ignore_protect_deletes_what_is_protected(void **state)
{
    struct world *world = *state;
    world->options.plan.ignore_protect = true;
    OLD(world, "a", .protect = true);
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "delete a");
}

static void a_program_that_fails_deletes_nothing(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    world->program_fails = true;
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "");
    assert_state(world, "a");
}

static void a_failed_step_deletes_nothing(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "b", .fails = "create");
    OLD(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "check b, create b");
    assert_state(world, "a");
}

static void what_an_earlier_run_could_not_delete_is_deleted_now(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .id = "live");
    OLD(world, "a", .id = "left", .is_delete = true);
    GOAL(world, "a");
    world_run(world);
    assert_steps(world, "same a, delete-replaced a");
    assert_str_equal(world_call(world, "delete a", 0)->id, STR("left"));
    assert_state(world, "a");
    assert_int_equal(world->changes[OP_DELETE_REPLACED], 0);
}

static void what_was_deleted_first_and_is_no_longer_wanted_is_forgotten(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .is_pending_replacement = true);
    OLD(world, "b");
    GOAL(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same b, remove-pending-replace a");
    assert_calls(world, "check b, diff b");
    assert_state(world, "b");
}

static void a_delete_has_the_timeout_of_the_state(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .timeouts.delete = 7);
    world_run(world);
    assert_true(world_call(world, "delete a", 0)->timeout == 7);
}

static void the_last_user_of_a_default_provider_takes_it_along(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    world_run(world);
    assert_int_equal(world->result.resource_count, 0);
}

static void destroy_with_its_program_makes_nothing_and_deletes_all(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .depends_on = "a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "new");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, same new, delete b, delete a");
    assert_calls(world, "delete b, delete a");
    assert_true(world_reply(world, "new")->is_unknown);
    assert_state(world, "");
}

static void a_component_that_is_depended_on_goes_after_its_children(void **state)
{
    struct world *world = *state;
    OLD(world, "c", .is_component = true);
    OLD(world, "inner", .parent = "c");
    OLD(world, "user", .depends_on = "c");
    world_run(world);
    assert_steps(world, "delete user, delete inner, delete c");
}

static void a_destroy_with_its_program_leaves_what_was_only_read(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a", .is_external = true);
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, discard a");
    assert_calls(world, "");
    assert_state(world, "");
}

static void a_destroy_with_its_program_needs_providers_that_exist(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a");
    GOAL(world, "a", .provider = "p");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "unknown provider");
    assert_calls(world, "");
    assert_state(world, "a");
}

static void a_destroy_with_its_program_forgets_pending_replacements(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a", .is_pending_replacement = true);
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "");
    assert_state(world, "");
}

static void a_destroy_with_its_program_forgets_what_it_reads(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a");
    GOAL(world, "a", .read_id = "other");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "read a, delete a");
    assert_str_equal(world_call(world, "delete a", 0)->id, STR("id-a"));
    assert_state(world, "");
}

/* c is not registered and knows b by its former name. */
static void a_destroy_with_its_program_deletes_dependents_of_what_is_renamed_first(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c", .depends_on = "b");
    GOAL(world, "a");
    GOAL(world, "new", .aliases = "b", .depends_on = "a");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call delete c", "call delete new", "call delete a");
    assert_state(world, "");
}

/* c knows the instance that was replaced, which goes by itself. */
static void a_destroy_with_its_program_deletes_dependents_of_what_is_replaced_first(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    SCRIPT(world, "new", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c", .depends_on = "b", .provider = "prov");
    GOAL(world, "new", .type = "pulumi:providers:pulumi", .aliases = "prov", .inputs = "region=2");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call delete c", "call delete b", "call delete a");
    assert_order(world, "end delete c", "begin delete-replaced prov");
    assert_state(world, "");
}

/* a goes with its provider, and the component goes on in its place. */
static void what_depends_on_what_was_deleted_first_goes_before_its_successor(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    SCRIPT(world, "prov", .replaces = "region", .deletes_first = true);
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    OLD(world, "c");
    OLD(world, "d", .depends_on = "c");
    OLD(world, "a", .provider = "prov");
    OLD(world, "b", .provider = "prov", .depends_on = "a");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=2");
    GOAL(world, "c");
    GOAL(world, "d", .depends_on = "c");
    GOAL(world, "new", .type = "pulumi:t:R", .aliases = "a", .depends_on = "d",
         .is_component = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end remove-pending-replace b", "begin delete new");
    assert_state(world, "");
}

/* The view knows a by its former name. */
static void a_destroy_with_its_program_deletes_the_views_of_what_is_renamed(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a");
    OLD(world, "v", .view_of = "a");
    GOAL(world, "new", .aliases = "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same new, delete new, delete v");
    assert_int_equal(world_call(world, "delete new", 0)->view_count, 1);
    assert_state(world, "");
}

static void what_is_only_a_name_needs_no_provider_to_be_forgotten(void **state)
{
    struct world *world = *state;
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .id = "id-new");
    OLD(world, "a", .provider = "prov", .is_pending_replacement = true);
    OLD(world, "b", .provider = "prov", .inputs = "x=1", .is_pending_replacement = true);
    SCRIPT(world, "b", .replaces = "x", .deletes_first = true);
    GOAL(world, "prov", .type = "pulumi:providers:pulumi");
    GOAL(world, "b", .provider = "prov", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "prov b");
}

/* The program has made something else of it since. */
static void a_destroy_with_its_program_asks_no_provider_to_delete_a_component(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a", .type = "pulumi:t:R", .is_component = true);
    OLD(world, "b", .depends_on = "a");
    GOAL(world, "a");
    GOAL(world, "b", .depends_on = "a");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "delete b");
    assert_state(world, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(what_the_program_does_not_register_is_deleted),
        RULE(a_dependent_is_deleted_before_what_it_depends_on),
        RULE(a_level_of_deletes_waits_for_the_one_before),
        RULE(a_child_is_deleted_before_its_parent),
        RULE(deleted_with_is_deleted_before_what_it_names),
        RULE(what_is_deleted_with_another_needs_no_call),
        RULE(what_is_deleted_with_something_that_stays_is_deleted_itself),
        RULE(what_would_be_deleted_with_something_protected_is_deleted_itself),
        RULE(what_is_retained_leaves_the_state_without_a_call),
        RULE(the_old_half_of_a_retained_replacement_stays_in_the_world),
        RULE(what_was_only_read_is_discarded),
        RULE(what_is_protected_is_not_deleted_and_others_are),
        RULE(what_the_protected_depend_on_is_kept),
        RULE(exclude_protected_keeps_them_and_what_they_depend_on_without_failing),
        RULE(ignore_protect_deletes_what_is_protected),
        RULE(a_program_that_fails_deletes_nothing),
        RULE(a_failed_step_deletes_nothing),
        RULE(what_an_earlier_run_could_not_delete_is_deleted_now),
        RULE(what_was_deleted_first_and_is_no_longer_wanted_is_forgotten),
        RULE(a_delete_has_the_timeout_of_the_state),
        RULE(the_last_user_of_a_default_provider_takes_it_along),
        RULE(destroy_with_its_program_makes_nothing_and_deletes_all),
        RULE(a_component_that_is_depended_on_goes_after_its_children),
        RULE(a_destroy_with_its_program_leaves_what_was_only_read),
        RULE(a_destroy_with_its_program_needs_providers_that_exist),
        RULE(a_destroy_with_its_program_forgets_pending_replacements),
        RULE(a_destroy_with_its_program_forgets_what_it_reads),
        RULE(a_destroy_with_its_program_deletes_dependents_of_what_is_renamed_first),
        RULE(a_destroy_with_its_program_deletes_dependents_of_what_is_replaced_first),
        RULE(what_depends_on_what_was_deleted_first_goes_before_its_successor),
        RULE(a_destroy_with_its_program_deletes_the_views_of_what_is_renamed),
        RULE(what_is_only_a_name_needs_no_provider_to_be_forgotten),
        RULE(a_destroy_with_its_program_asks_no_provider_to_delete_a_component),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
