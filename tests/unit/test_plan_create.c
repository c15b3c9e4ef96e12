/* test_plan_create.c — what is new, what stays and what is changed in place: the decisions of one
 * registration, up to the provider's Diff. */
#include "unit/engine_world.h"

static void a_resource_without_old_state_is_created(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create a");
    assert_calls(world, "check a, create a");
    assert_state(world, "a");
    assert_str_equal(world_reply(world, "a")->id, STR("new-a"));
    assert_str_equal(world_reply(world, "a")->outputs, STR("x=1"));
}

static void a_resource_that_did_not_change_stays_the_same(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1", .outputs = "x=1 made=here");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_steps(world, "same a");
    assert_calls(world, "check a, diff a");
    assert_str_equal(world_reply(world, "a")->id, STR("id-a"));
    assert_str_equal(world_reply(world, "a")->outputs, STR("made=here x=1"));
}

static void a_resource_that_changed_is_updated_in_place(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "update a");
    assert_calls(world, "check a, diff a, update a");
    assert_str_equal(world_call(world, "update a", 0)->id, STR("id-a"));
    assert_str_equal(world_call(world, "update a", 0)->olds, STR("x=1"));
    assert_str_equal(world_call(world, "update a", 0)->news, STR("x=2"));
    assert_value(world, world_state(world, "a")->inputs, "x=2");
}

static void check_is_given_the_old_inputs(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1");
    world_run(world);
    assert_str_equal(world_call(world, "check a", 0)->olds, STR("x=1"));
    assert_str_equal(world_call(world, "check a", 0)->news, STR("x=2"));
    assert_str_equal(world_call(world, "check b", 0)->olds, STR(""));
}

static void what_check_answers_is_created_and_recorded(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .defaults = "name=auto");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_str_equal(world_call(world, "create a", 0)->news, STR("name=auto x=1"));
    assert_value(world, world_state(world, "a")->inputs, "name=auto x=1");
}

static void defaults_of_old_inputs_are_no_difference(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .defaults = "name=other");
    OLD(world, "a", .inputs = "name=auto x=1");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_steps(world, "same a");
}

static void diff_is_given_old_inputs_old_outputs_and_checked_inputs(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1", .outputs = "x=1 made=here", .id = "i");
    GOAL(world, "a", .inputs = "x=2");
    SCRIPT(world, "a", .defaults = "d=1");
    world_run(world);
    const struct call *call = world_call(world, "diff a", 0);
    assert_str_equal(call->id, STR("i"));
    assert_str_equal(call->olds, STR("x=1"));
    assert_str_equal(call->old_outputs, STR("made=here x=1"));
    assert_str_equal(call->news, STR("d=1 x=2"));
}

static void inputs_that_check_refuses_end_the_run_before_any_step(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .refuses = "x");
    GOAL(world, "a", .inputs = "x=1");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "");
    assert_calls(world, "check a");
    assert_says(world, "property x value {1} has a problem: not that");
    assert_false(world_was_answered(world, "a"));
    assert_state(world, "");
}

static void refused_inputs_end_the_run_even_with_continue_on_error(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .refuses = "x");
    GOAL(world, "a", .inputs = "x=1");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "");
}

static void a_diff_that_fails_ends_the_run_before_any_step(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .fails = "diff");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "");
    assert_value(world, world_state(world, "a")->inputs, "x=1");
}

static void a_provider_that_sees_no_change_leaves_outputs_but_inputs_are_taken(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .diff = "none");
    OLD(world, "a", .inputs = "x=1", .outputs = "o=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "same a");
    assert_value(world, world_state(world, "a")->inputs, "x=2");
    assert_value(world, world_state(world, "a")->outputs, "o=1");
}

static void a_provider_that_sees_a_change_updates_equal_inputs(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .diff = "some");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_steps(world, "update a");
}

static void where_the_provider_does_not_know_inputs_are_compared(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .diff = "unknown");
    SCRIPT(world, "b", .diff = "unknown");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "x=1");
    world_run(world);
    assert_steps(world, "update a, same b");
}

static void legacy_diff_does_not_ask_about_equal_inputs(void **state)
{
    struct world *world = *state;
    world->options.plan.legacy_diff = true;
    SCRIPT(world, "a", .diff = "some");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1");
    GOAL(world, "b", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "same a, update b");
    assert_calls(world, "check a, check b, diff b, update b");
}

static void parallel_diff_decides_the_same(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel_diff = true;
    SCRIPT(world, "c", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "c", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1");
    GOAL(world, "b", .inputs = "x=2");
    GOAL(world, "c", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, update b, create-replacement c(x), replace c(x), "
                        "delete-replaced c");
}

static void init_errors_turn_same_into_an_update(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1", .init_error = "half");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_steps(world, "update a");
    assert_int_equal(world_state(world, "a")->init_errors.len, 0);
}

static void a_resource_that_stays_takes_the_options_and_dependencies_of_now(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b", .protect = true);
    GOAL(world, "a");
    GOAL(world, "b", .depends_on = "a", .retain_on_delete = true);
    world_run(world);
    assert_steps(world, "same a, same b");
    const struct resource *b = world_state(world, "b");
    assert_false(b->options.protect);
    assert_true(b->options.retain_on_delete);
    assert_str_equal(world_names(world, b->dependencies), STR("a"));
    assert_str_equal(b->created, STR("2020-01-01T00:00:00Z"));
    assert_str_equal(b->modified, STR("2020-01-01T00:00:00Z"));
}

static void ignored_changes_go_back_to_the_old_inputs_before_check(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1 gone=1");
    GOAL(world, "a", .inputs = "x=2 new=1 y=3", .ignore_changes = "x new gone");
    world_run(world);
    assert_str_equal(world_call(world, "check a", 0)->news, STR("gone=1 x=1 y=3"));
    assert_str_equal(world_call(world, "diff a", 0)->ignore_changes, STR("x new gone"));
    assert_str_equal(world_call(world, "update a", 0)->ignore_changes, STR("x new gone"));
    assert_value(world, world_state(world, "a")->inputs, "gone=1 x=1 y=3");
}

static void ignored_changes_may_lie_inside_objects(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "o.p=1 o.q=1");
    GOAL(world, "a", .inputs = "o.p=2 o.q=1", .ignore_changes = "o.p");
    world_run(world);
    assert_steps(world, "same a");
    assert_value(world, world_state(world, "a")->inputs, "o.p=1 o.q=1");
}

static void ignored_changes_do_not_matter_to_what_is_new(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .inputs = "x=1", .ignore_changes = "x");
    world_run(world);
    assert_str_equal(world_call(world, "create a", 0)->news, STR("x=1"));
}

static void a_component_is_compared_without_a_provider(void **state)
{
    struct world *world = *state;
    OLD(world, "c", .is_component = true, .inputs = "x=1");
    OLD(world, "d", .is_component = true, .inputs = "x=1");
    GOAL(world, "c", .is_component = true, .inputs = "x=2");
    GOAL(world, "d", .is_component = true, .inputs = "x=1");
    GOAL(world, "e", .is_component = true);
    world_run(world);
    assert_steps(world, "update c, same d, create e");
    assert_calls(world, "");
}

static void a_urn_registered_twice_is_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a");
    GOAL(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "Duplicate resource URN");
    assert_steps(world, "create a");
}

static void a_parent_that_is_not_registered_is_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .parent = "nobody");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "could not find parent resource");
    assert_steps(world, "");
}

static void a_dependency_that_is_nowhere_is_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .depends_on = "nobody");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "which the program has not registered and the stack does not have");
    assert_steps(world, "");
}

/* The state would have it before what it depends on, and could not be used again. */
#define assert_refuses(world, why) \
    do {                           \
        world_run(world);          \
        assert_fails_run(world);   \
        assert_says(world, why);   \
        assert_steps(world, "");   \
    } while (0)

static void a_resource_that_depends_on_itself_is_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .depends_on = "a");
    assert_refuses(world, "depends on itself");
}

static void an_input_that_depends_on_its_own_resource_is_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .inputs = "x=1", .uses = "x:a");
    assert_refuses(world, "depends on itself");
}

static void a_resource_that_is_deleted_with_itself_is_refused(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    GOAL(world, "a", .deleted_with = "a");
    assert_refuses(world, "depends on itself");
}

static void a_lookup_that_depends_on_itself_is_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .read_id = "there", .depends_on = "a");
    assert_refuses(world, "depends on itself");
}

static void a_lookup_that_depends_on_what_is_nowhere_is_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .read_id = "there", .depends_on = "nobody");
    assert_refuses(world, "which the program has not registered and the stack does not have");
}

static void a_dependency_that_is_registered_later_is_refused(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b");
    GOAL(world, "a", .depends_on = "b");
    GOAL(world, "b", .depends_on = "a");
    assert_refuses(world, "which the program has not registered before it");
}

static void a_dependency_that_is_being_registered_is_refused(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "b", .until = "check a", .held = "create");
    GOAL(world, "b", .is_parallel = true);
    GOAL(world, "c");
    GOAL(world, "a", .depends_on = "b", .is_hasty = true);
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "the registration of which is not complete");
    assert_state(world, "c b");
}

static void a_parent_that_is_being_registered_is_refused(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "b", .until = "check a", .held = "create");
    GOAL(world, "b", .is_parallel = true);
    GOAL(world, "c");
    GOAL(world, "a", .parent = "b", .is_hasty = true);
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "is not complete");
    assert_state(world, "c b");
}

static void what_it_is_replaced_with_has_to_be_somewhere(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .replace_with = "nobody");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "which the program has not registered and the stack does not have");
    assert_steps(world, "");
}

static void a_provider_that_is_nowhere_is_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .provider = "nobody");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "unknown provider");
    assert_steps(world, "");
}

static void what_is_only_marked_for_deletion_is_no_old_state(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .is_delete = true);
    GOAL(world, "a");
    world_run(world);
    assert_steps(world, "create a, delete-replaced a");
    assert_state(world, "a");
}

static void a_create_without_an_id_fails(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .id = "-");
    GOAL(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "provider did not return an ID from Create");
    assert_state(world, "");
}

static void a_provider_resource_is_configured_before_what_it_serves(void **state)
{
    struct world *world = *state;
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create prov, create a");
    assert_calls(world, "configure prov, check a, create a");
}

static void a_provider_whose_change_replaces_it_replaces_its_resources(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement prov(region), replace prov(region), "
                        "create-replacement a(provider), replace a(provider), "
                        "delete-replaced a, delete-replaced prov");
}

static void a_provider_that_is_updated_keeps_its_resources(void **state)
{
    struct world *world = *state;
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_steps(world, "update prov, same a");
}

static void a_resource_moves_to_a_provider_that_can_go_on_with_it(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create prov, same a");
    assert_true(str_find(world_state(world, "a")->provider, STR("::prov::")) != SIZE_MAX);
}

static void a_resource_moves_by_replacement_to_a_provider_that_cannot(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region");
    OLD(world, "a");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create prov, create-replacement a(provider), replace a(provider), "
                        "delete-replaced a");
    assert_calls(world, "configure prov, check a, diff-config prov, check a, create a, delete a");
}

static void a_custom_resource_that_becomes_a_component_is_replaced(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .type = "pulumi:t:X");
    GOAL(world, "a", .type = "pulumi:t:X", .is_component = true);
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement a(provider), replace a(provider), delete-replaced a");
}

static void every_registration_has_a_seed_of_its_own(void **state)
{
    struct world *world = *state;
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    str a = world_call(world, "check a", 0)->seed, b = world_call(world, "check b", 0)->seed;
    assert_int_equal(a.len, 32);
    assert_int_equal(b.len, 32);
    assert_false(str_equal(a, b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(a_resource_without_old_state_is_created),
        RULE(a_resource_that_did_not_change_stays_the_same),
        RULE(a_resource_that_changed_is_updated_in_place),
        RULE(check_is_given_the_old_inputs),
        RULE(what_check_answers_is_created_and_recorded),
        RULE(defaults_of_old_inputs_are_no_difference),
        RULE(diff_is_given_old_inputs_old_outputs_and_checked_inputs),
        RULE(inputs_that_check_refuses_end_the_run_before_any_step),
        RULE(refused_inputs_end_the_run_even_with_continue_on_error),
        RULE(a_diff_that_fails_ends_the_run_before_any_step),
        RULE(a_provider_that_sees_no_change_leaves_outputs_but_inputs_are_taken),
        RULE(a_provider_that_sees_a_change_updates_equal_inputs),
        RULE(where_the_provider_does_not_know_inputs_are_compared),
        RULE(legacy_diff_does_not_ask_about_equal_inputs),
        RULE(parallel_diff_decides_the_same),
        RULE(init_errors_turn_same_into_an_update),
        RULE(a_resource_that_stays_takes_the_options_and_dependencies_of_now),
        RULE(ignored_changes_go_back_to_the_old_inputs_before_check),
        RULE(ignored_changes_may_lie_inside_objects),
        RULE(ignored_changes_do_not_matter_to_what_is_new),
        RULE(a_component_is_compared_without_a_provider),
        RULE(a_urn_registered_twice_is_refused),
        RULE(a_parent_that_is_not_registered_is_refused),
        RULE(a_dependency_that_is_nowhere_is_refused),
        RULE(a_resource_that_depends_on_itself_is_refused),
        RULE(an_input_that_depends_on_its_own_resource_is_refused),
        RULE(a_resource_that_is_deleted_with_itself_is_refused),
        RULE(a_lookup_that_depends_on_itself_is_refused),
        RULE(a_lookup_that_depends_on_what_is_nowhere_is_refused),
        RULE(a_dependency_that_is_registered_later_is_refused),
        RULE(a_dependency_that_is_being_registered_is_refused),
        RULE(a_parent_that_is_being_registered_is_refused),
        RULE(what_it_is_replaced_with_has_to_be_somewhere),
        RULE(a_provider_that_is_nowhere_is_refused),
        RULE(what_is_only_marked_for_deletion_is_no_old_state),
        RULE(a_create_without_an_id_fails),
        RULE(a_provider_resource_is_configured_before_what_it_serves),
        RULE(a_provider_whose_change_replaces_it_replaces_its_resources),
        RULE(a_provider_that_is_updated_keeps_its_resources),
        RULE(a_resource_moves_to_a_provider_that_can_go_on_with_it),
        RULE(a_resource_moves_by_replacement_to_a_provider_that_cannot),
        RULE(a_custom_resource_that_becomes_a_component_is_replaced),
        RULE(every_registration_has_a_seed_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
