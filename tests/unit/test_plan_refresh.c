/* test_plan_refresh.c — reading what there is: before anything else, alone, or while a program
 * runs. */
#include "unit/engine_world.h"

static void a_refresh_reads_every_managed_resource(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    OLD(world, "a", .inputs = "x=1", .outputs = "o=1");
    OLD(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "refresh a, refresh b");
    assert_calls(world, "read a, diff a, read b, diff b");
    const struct call *call = world_call(world, "read a", 0);
    assert_str_equal(call->id, STR("id-a"));
    assert_str_equal(call->olds, STR("x=1"));
    assert_str_equal(call->old_outputs, STR("o=1"));
    assert_int_equal(world->changes[OP_SAME], 2);
}

static void a_refresh_takes_what_was_read(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    SCRIPT(world, "a", .inputs = "x=2", .outputs = "o=2", .id = "moved");
    OLD(world, "a", .inputs = "x=1", .outputs = "o=1");
    world_run(world);
    assert_succeeds(world);
    const struct resource *a = world_state(world, "a");
    assert_value(world, a->inputs, "x=2");
    assert_value(world, a->outputs, "o=2");
    assert_str_equal(a->id, STR("moved"));
    assert_int_equal(world->changes[OP_UPDATE], 1);
}

static void a_refresh_compares_what_was_read_with_the_inputs_of_the_state(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    SCRIPT(world, "a", .inputs = "x=2", .outputs = "o=2");
    OLD(world, "a", .inputs = "x=1", .outputs = "o=1", .ignore_changes = "i");
    world_run(world);
    const struct call *call = world_call(world, "diff a", 0);
    assert_str_equal(call->olds, STR("x=2"));
    assert_str_equal(call->old_outputs, STR("o=2"));
    assert_str_equal(call->news, STR("x=1"));
    assert_str_equal(call->ignore_changes, STR("i"));
}

static void outputs_are_taken_even_if_the_provider_sees_no_difference(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    SCRIPT(world, "a", .outputs = "o=2");
    OLD(world, "a", .inputs = "x=1", .outputs = "o=1");
    world_run(world);
    assert_value(world, world_state(world, "a")->outputs, "o=2");
    assert_int_equal(world->changes[OP_SAME], 1);
    assert_int_equal(world->changes[OP_UPDATE], 0);
}

static void what_is_gone_leaves_the_state_and_all_references(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    SCRIPT(world, "a", .is_gone = true);
    OLD(world, "a");
    OLD(world, "b", .inputs = "x=1", .uses = "x:a", .deleted_with = "a");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "b");
    assert_int_equal(world_state(world, "b")->dependencies.len, 0);
    assert_int_equal(world_state(world, "b")->options.deleted_with.len, 0);
    assert_int_equal(world->changes[OP_DELETE], 1);
}

static void children_of_what_is_gone_have_no_parent(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    SCRIPT(world, "a", .is_gone = true);
    OLD(world, "c", .is_component = true);
    OLD(world, "a", .parent = "c");
    OLD(world, "b", .parent = "a");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "c b");
    assert_int_equal(world_state(world, "b")->parent.len, 0);
}

static void components_providers_and_pending_replacements_are_not_read(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    OLD(world, "c", .is_component = true);
    OLD(world, "prov", .type = "pulumi:providers:pulumi");
    OLD(world, "a", .is_pending_replacement = true);
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "refresh c, refresh prov, refresh a");
    assert_calls(world, "");
    assert_state(world, "c prov a!PR");
}

static void a_read_that_fails_does_not_keep_others_from_being_saved(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.parallel = 1;
    SCRIPT(world, "a", .fails = "read");
    SCRIPT(world, "b", .outputs = "o=2");
    OLD(world, "a", .outputs = "o=1");
    OLD(world, "b", .outputs = "o=1");
    world_run(world);
    assert_fails_run(world);
    assert_value(world, world_state(world, "a")->outputs, "o=1");
    assert_value(world, world_state(world, "b")->outputs, "o=2");
}

static void what_was_read_is_saved_even_if_it_cannot_be_compared(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    SCRIPT(world, "a", .outputs = "o=2", .fails = "diff");
    OLD(world, "a", .outputs = "o=1");
    world_run(world);
    assert_fails_run(world);
    assert_value(world, world_state(world, "a")->outputs, "o=2");
}

static void what_is_external_is_read_and_not_compared_by_its_provider(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    SCRIPT(world, "a", .outputs = "o=2");
    OLD(world, "a", .is_external = true, .outputs = "o=1");
    OLD(world, "b", .is_external = true, .outputs = "o=1");
    world_run(world);
    assert_calls(world, "read a, read b");
    assert_int_equal(world->changes[OP_UPDATE], 1);
    assert_int_equal(world->changes[OP_SAME], 1);
}

static void legacy_refresh_compares_outputs_itself(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.legacy_refresh_diff = true;
    SCRIPT(world, "a", .outputs = "o=2");
    OLD(world, "a", .outputs = "o=1");
    world_run(world);
    assert_calls(world, "read a");
    assert_int_equal(world->changes[OP_UPDATE], 1);
}

static void init_errors_of_a_read_are_saved_until_one_is_clean(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    SCRIPT(world, "a", .partial = "read");
    OLD(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_says(world, "warning a: ");
    assert_int_equal(world_state(world, "a")->init_errors.len, 1);
    world_continue(world);
    world_run(world);
    assert_int_equal(world_state(world, "a")->init_errors.len, 0);
}

static void a_refresh_of_targets_reads_only_them(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c");
    world->options.plan.targets = world_urns(world, "a");
    world_run(world);
    assert_steps(world, "refresh a");
    assert_state(world, "a b c");
    world->options.plan.target_dependents = true;
    world_run(world);
    assert_steps(world, "refresh a, refresh b");
}

static void a_refresh_without_the_excluded_reads_all_others(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c");
    world->options.plan.excludes = world_urns(world, "a");
    world_run(world);
    assert_steps(world, "refresh b, refresh c");
    world->options.plan.exclude_dependents = true;
    world_run(world);
    assert_steps(world, "refresh c");
}

static void an_update_that_refreshes_compares_with_what_was_read(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = true;
    SCRIPT(world, "a", .inputs = "x=2");
    SCRIPT(world, "b", .is_gone = true);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b");
    GOAL(world, "a", .inputs = "x=1");
    GOAL(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "refresh a, refresh b, update a, create b");
    assert_int_equal(world->changes[OP_REFRESH], 0);
}

static void a_destroy_that_refreshes_does_not_delete_what_is_gone(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.refresh = true;
    SCRIPT(world, "b", .is_gone = true);
    OLD(world, "a");
    OLD(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "read a, diff a, read b, delete a");
    assert_state(world, "");
}

static void a_refresh_that_fails_keeps_the_update_from_starting(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = true;
    SCRIPT(world, "a", .fails = "read");
    OLD(world, "a");
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "refresh a");
}

static void what_asks_for_it_is_read_before_an_update_and_nothing_else(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .refreshes_before_update = true);
    OLD(world, "b");
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "refresh a, same a, same b");
}

static void a_preview_that_refreshes_saves_nothing(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    world->options.plan.refresh = true;
    SCRIPT(world, "a", .inputs = "x=2");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "refresh a, update a");
    assert_value(world, world_state(world, "a")->inputs, "x=1");
}

static void a_refresh_with_its_program_reads_what_is_registered_first(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    SCRIPT(world, "b", .outputs = "o=2");
    OLD(world, "a");
    OLD(world, "b", .outputs = "o=1");
    GOAL(world, "b");
    GOAL(world, "new");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "read b, diff b, read a, diff a");
    assert_str_equal(world_reply(world, "b")->outputs, STR("o=2"));
    assert_true(world_reply(world, "new")->is_unknown);
    assert_state(world, "b a");
}

/* b is planned, and e is deleted, after the program was told that a could not be read. */
static void what_could_not_be_read_is_known_when_its_registration_is_gone(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = true;
    world->options.plan.run_program = true;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .fails = "read");
    OLD(world, "d", .inputs = "x=1");
    OLD(world, "e", .inputs = "x=1");
    OLD(world, "a", .inputs = "x=1", .depends_on = "d");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    GOAL(world, "a", .inputs = "x=1");
    GOAL(world, "b", .inputs = "x=2", .depends_on = "a");
    GOAL(world, "c");
    world_run(world);
    assert_fails_run(world);
    assert_int_equal(world_reply(world, "a")->result, REGISTRATION_FAILED);
    assert_int_equal(world_reply(world, "b")->result, REGISTRATION_SKIPPED);
    assert_int_equal(world_reply(world, "c")->result, REGISTRATION_SUCCESS);
    assert_state(world, "c d a b");
}

/* It is still in the state as it was, and d is replaced without it. */
static void what_could_not_be_read_is_left_alone(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = true;
    world->options.plan.run_program = true;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .fails = "read");
    SCRIPT(world, "d", .replaces = "x", .deletes_first = true);
    OLD(world, "d", .inputs = "x=1");
    OLD(world, "a", .inputs = "x=1", .depends_on = "d", .replace_with = "d");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "d", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "read a, read d, diff d, check d, diff d, check d, delete d, create d");
    assert_state(world, "d a");
}

/* gone leaves the state before the program runs, and a does not depend on it any more. */
static void what_was_read_before_has_its_new_place(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = true;
    SCRIPT(world, "gone", .is_gone = true);
    SCRIPT(world, "d", .replaces = "x", .deletes_first = true);
    OLD(world, "gone");
    OLD(world, "d", .inputs = "x=1");
    OLD(world, "a", .depends_on = "gone", .replace_with = "d");
    OLD(world, "b");
    GOAL(world, "b");
    GOAL(world, "d", .inputs = "x=2");
    world->program_fails = true;
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "b d a!PR");
}

/* The provider of before is there to read it, and deletes it. */
static void what_moves_is_read_and_deleted_where_it_is(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    SCRIPT(world, "prov", .replaces = "region");
    SCRIPT(world, "a", .fails = "delete");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "diff-config prov, configure prov, diff-config prov, configure prov, "
                        "read a, diff a, check a, check a, create a, delete a");
    assert_state(world, "prov!D prov a!D a");
    for (size_t i = 0; i < world->result.resource_count; i++) {
        const struct resource *left = world->result.resources[i];
        if (str_equal(left->id, STR("id-a")))
            assert_true(str_ends_with(left->provider, STR("::prov::id-prov")));
    }
}

static void what_moves_stays_with_its_provider_in_a_refresh(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    SCRIPT(world, "there", .replaces = "region");
    OLD(world, "here", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "here");
    GOAL(world, "there", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "there");
    world_run(world);
    assert_succeeds(world);
    assert_true(str_ends_with(world_state(world, "a")->provider, STR("::here::id-here")));
}

/* a is replaced and does not need b any more, but its old instance does. */
static void what_was_read_and_replaced_is_deleted_before_what_it_needed(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    world->options.plan.parallel = 1;
    SCRIPT(world, "a", .replaces = "x", .fails = "delete", .times = 1);
    OLD(world, "b");
    OLD(world, "a", .inputs = "x=1 y=1", .uses = "y:b");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "read a, diff a, check a, diff a, check a, create a, delete a");
    assert_state(world, "b a!D a");
    world_continue(world);
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "read a, diff a, check a, diff a, delete a, delete b");
    assert_state(world, "a");
}

static void what_was_only_read_is_taken_over_and_not_deleted(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1", .is_external = true);
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "read a, check a, create a");
    assert_state(world, "a");
}

static void a_pending_replacement_needs_no_provider_to_be_refreshed(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .id = "id-new");
    OLD(world, "a", .provider = "prov", .is_pending_replacement = true);
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "prov a!PR");
}

/* The state has both instances of the provider, and a comes behind the one that it names. */
static void what_moves_comes_behind_the_instance_of_its_provider(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    SCRIPT(world, "prov", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_succeeds(world);
    assert_true(str_ends_with(world_state(world, "a")->provider, STR("::prov::id-prov")));
}

static void what_was_renamed_while_others_were_read_is_still_referred_to(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    world->program_fails = true;
    OLD(world, "e");
    OLD(world, "f", .parent = "e");
    OLD(world, "c", .parent = "f", .depends_on = "f");
    GOAL(world, "nf", .aliases = "f");
    world_run(world);
    assert_state(world, "nf e c");
    const struct resource *child = world->result.resources[world->result.resource_count - 1];
    assert_str_equal(child->parent, world_urn(world, "nf"));
    assert_str_equal(world_names(world, child->dependencies), STR("nf"));
}

/* b is not read, but comes before a, which is. */
static void what_others_refer_to_comes_before_them_under_its_new_name(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .fails = "update");
    OLD(world, "c");
    OLD(world, "b", .depends_on = "c");
    OLD(world, "a", .inputs = "x=1", .depends_on = "b");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "nc", .aliases = "c");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "nc b a");
}

/* c is read because it depends on b in the state, and is left alone because it no longer does. */
static void what_stays_though_it_was_read_does_not_keep_what_is_under_way(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    world->options.plan.target_dependents = true;
    world->options.plan.parallel = 1;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c", .depends_on = "b");
    world->options.plan.targets = world_urns(world, "b");
    GOAL(world, "c", .is_parallel = true);
    GOAL(world, "a", .import_id = "found", .is_parallel = true);
    world_run(world);
    assert_state(world, "a b c a!D");
}

/* In the state b depends on a; the program says that a is a child of b, which is left alone. */
static void what_is_read_keeps_its_references_if_the_new_ones_lead_back(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    OLD(world, "c");
    OLD(world, "a", .parent = "c");
    OLD(world, "b", .depends_on = "a");
    world->options.plan.excludes = world_urns(world, "b");
    GOAL(world, "b");
    GOAL(world, "a", .parent = "b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "refresh a, refresh c");
    assert_state(world, "c a b");
    assert_str_equal(world_state(world, "a")->parent, world_urn(world, "c"));
}

/* The provider is new. */
static void what_is_read_keeps_its_references_if_those_of_something_new_lead_back(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    world->options.plan.excludes = world_urns(world, "b");
    GOAL(world, "b");
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .depends_on = "b");
    GOAL(world, "a", .depends_on = "p");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "a b p");
}

static void what_is_read_and_becomes_a_component_is_deleted(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1", .type = "pulumi:t:R", .is_component = true);
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "read a, diff a, delete a");
    assert_state(world, "a");
    assert_false(world_state(world, "a")->is_custom);
}

/* a stays with it, as the new one would not find it. */
static void a_provider_keeps_its_references_if_the_new_ones_lead_back(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    OLD(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    OLD(world, "a", .provider = "p");
    SCRIPT(world, "default", .replaces = "region");
    GOAL(world, "a");
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=1", .depends_on = "a");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "p a");
    assert_int_equal(world_state(world, "p")->dependencies.len, 0);
}

/* The program has turned a dependency around: until b is gone, it needs a, and not the opposite. */
static void what_was_read_goes_with_what_it_went_with_until_it_is_changed(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .replaces = "x", .fails = "delete");
    SCRIPT(world, "b", .replaces = "x", .fails = "delete");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    GOAL(world, "b", .inputs = "x=2");
    GOAL(world, "a", .inputs = "x=2", .deleted_with = "b");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a!D b!D b a");
}

/* All that is left of a is an instance that is to be deleted: b, which stays, does not depend on
 * that. */
static void what_stays_does_not_depend_on_leftovers_of_what_is_gone(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .is_gone = true);
    OLD(world, "l");
    OLD(world, "a", .is_external = true);
    OLD(world, "a", .is_delete = true, .id = "was-a", .depends_on = "l");
    OLD(world, "b", .depends_on = "a");
    world->options.plan.refresh = true;
    world->options.plan.excludes = world_urns(world, "l b");
    world->options.plan.exclude_dependents = true;
    GOAL(world, "l");
    GOAL(world, "b");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "Duplicate resource URN");
    assert_state(world, "l b a!D");
}

/* The provider has to be deleted to be replaced; b is not registered. */
static void a_refresh_deletes_nothing(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    OLD(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    OLD(world, "a", .provider = "p");
    OLD(world, "b", .provider = "p");
    SCRIPT(world, "p", .replaces = "region", .deletes_first = true);
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=2");
    GOAL(world, "a", .provider = "p");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "diff-config p, configure p, diff-config p, configure p, read a, diff a, "
                        "read b, diff b");
    assert_state(world, "p!D p a b");
    world_continue(world);
    world->options.kind = OPERATION_UPDATE;
    SCRIPT(world, "p", .replaces = "region");
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=2");
    GOAL(world, "a", .provider = "p");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "p a");
}

static void what_is_registered_comes_behind_what_is_excluded(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b");
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    world->options.plan.excludes = world_list(world, "**R::* **::default");
    GOAL(world, "a");
    GOAL(world, "b");
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .depends_on = "a");
    GOAL(world, "k", .is_component = true, .deleted_with = "b");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "configure p");
    assert_state(world, "a p b k");
    assert_str_equal(world_names(world, world_state(world, "p")->dependencies), STR("a"));
}

/* The provider is new, and comes behind b, which comes behind a. */
static void what_is_read_keeps_its_provider_if_the_new_one_leads_back(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    OLD(world, "old", .type = "pulumi:providers:pulumi");
    OLD(world, "a", .provider = "old");
    OLD(world, "b", .is_component = true, .type = "pulumi:t:R", .depends_on = "a");
    GOAL(world, "b");
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .parent = "b");
    GOAL(world, "a", .provider = "p");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "old a b p");
    assert_true(str_ends_with(world_state(world, "a")->provider, STR("::old::id-old")));
}

/* Until it is deleted, a needs b, whatever the program says of the component. */
static void what_is_read_and_becomes_a_component_needs_what_it_needed(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    OLD(world, "b");
    OLD(world, "a", .depends_on = "b");
    GOAL(world, "b");
    GOAL(world, "a", .type = "pulumi:t:R", .is_component = true);
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "b a!D a");
    world_continue(world);
    world->options.kind = OPERATION_UPDATE;
    GOAL(world, "a", .type = "pulumi:t:R", .is_component = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end delete-replaced a", "call delete b");
}

/* a!D depends on the live b, and on a!D what an earlier run has left over of b. */
static void what_is_replaced_comes_between_two_copies_of_what_it_needs(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.run_program = true;
    OLD(world, "p", .type = "pulumi:providers:pulumi");
    OLD(world, "b");
    OLD(world, "a", .provider = "p", .depends_on = "b");
    OLD(world, "b", .is_delete = true, .id = "was-b", .depends_on = "a");
    GOAL(world, "b");
    GOAL(world, "a", .type = "pulumi:t:R", .is_component = true, .depends_on = "b");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "b p a!D a b!D");
    world_continue(world);
    world->options.kind = OPERATION_UPDATE;
    GOAL(world, "b");
    GOAL(world, "a", .type = "pulumi:t:R", .is_component = true, .depends_on = "b");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end delete-replaced b", "call delete a");
    assert_state(world, "b a");
}

/* In the state a goes with c; the program says the opposite, and registers a while c is read. */
static void what_is_being_registered_since_it_was_read_is_not_named(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    world->options.plan.target_dependents = true;
    OLD(world, "p", .type = "pulumi:providers:pulumi");
    OLD(world, "c");
    OLD(world, "a", .deleted_with = "c", .provider = "p");
    world->options.plan.targets = world_urns(world, "c");
    GOAL(world, "p", .type = "pulumi:providers:pulumi");
    GOAL(world, "c", .depends_on = "a", .is_parallel = true, .is_hasty = true);
    GOAL(world, "a", .provider = "p", .is_parallel = true, .is_hasty = true);
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "the registration of which is not complete");
    assert_state(world, "p c a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(a_refresh_reads_every_managed_resource),
        RULE(a_refresh_takes_what_was_read),
        RULE(a_refresh_compares_what_was_read_with_the_inputs_of_the_state),
        RULE(outputs_are_taken_even_if_the_provider_sees_no_difference),
        RULE(what_is_gone_leaves_the_state_and_all_references),
        RULE(children_of_what_is_gone_have_no_parent),
        RULE(components_providers_and_pending_replacements_are_not_read),
        RULE(a_read_that_fails_does_not_keep_others_from_being_saved),
        RULE(what_was_read_is_saved_even_if_it_cannot_be_compared),
        RULE(what_is_external_is_read_and_not_compared_by_its_provider),
        RULE(legacy_refresh_compares_outputs_itself),
        RULE(init_errors_of_a_read_are_saved_until_one_is_clean),
        RULE(a_refresh_of_targets_reads_only_them),
        RULE(a_refresh_without_the_excluded_reads_all_others),
        RULE(an_update_that_refreshes_compares_with_what_was_read),
        RULE(a_destroy_that_refreshes_does_not_delete_what_is_gone),
        RULE(a_refresh_that_fails_keeps_the_update_from_starting),
        RULE(what_asks_for_it_is_read_before_an_update_and_nothing_else),
        RULE(a_preview_that_refreshes_saves_nothing),
        RULE(a_refresh_with_its_program_reads_what_is_registered_first),
        RULE(what_could_not_be_read_is_known_when_its_registration_is_gone),
        RULE(what_could_not_be_read_is_left_alone),
        RULE(what_was_read_before_has_its_new_place),
        RULE(what_moves_is_read_and_deleted_where_it_is),
        RULE(what_moves_stays_with_its_provider_in_a_refresh),
        RULE(what_was_read_and_replaced_is_deleted_before_what_it_needed),
        RULE(what_was_only_read_is_taken_over_and_not_deleted),
        RULE(a_pending_replacement_needs_no_provider_to_be_refreshed),
        RULE(what_moves_comes_behind_the_instance_of_its_provider),
        RULE(what_was_renamed_while_others_were_read_is_still_referred_to),
        RULE(what_others_refer_to_comes_before_them_under_its_new_name),
        RULE(what_stays_though_it_was_read_does_not_keep_what_is_under_way),
        RULE(what_is_read_keeps_its_references_if_the_new_ones_lead_back),
        RULE(what_is_read_keeps_its_references_if_those_of_something_new_lead_back),
        RULE(what_is_read_and_becomes_a_component_is_deleted),
        RULE(a_provider_keeps_its_references_if_the_new_ones_lead_back),
        RULE(what_was_read_goes_with_what_it_went_with_until_it_is_changed),
        RULE(what_stays_does_not_depend_on_leftovers_of_what_is_gone),
        RULE(a_refresh_deletes_nothing),
        RULE(what_is_registered_comes_behind_what_is_excluded),
        RULE(what_is_read_keeps_its_provider_if_the_new_one_leads_back),
        RULE(what_is_read_and_becomes_a_component_needs_what_it_needed),
        RULE(what_is_being_registered_since_it_was_read_is_not_named),
        RULE(what_is_replaced_comes_between_two_copies_of_what_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
