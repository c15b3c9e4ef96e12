/* test_exec_failure.c — what a failed step stops, what goes on, and what is kept. */
#include "unit/engine_world.h"

static void a_failed_create_leaves_nothing_and_is_not_answered(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .fails = "create");
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "create a");
    assert_order(world, "begin create a", "call create a", "fail create a");
    assert_false(world_was_answered(world, "a"));
    assert_state(world, "");
}

static void a_failed_update_leaves_the_state_as_it_was(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .fails = "update");
    OLD(world, "a", .inputs = "x=1", .outputs = "o=1");
    GOAL(world, "a", .inputs = "x=2", .protect = true);
    world_run(world);
    assert_fails_run(world);
    assert_value(world, world_state(world, "a")->inputs, "x=1");
    assert_value(world, world_state(world, "a")->outputs, "o=1");
    assert_false(world_state(world, "a")->options.protect);
}

static void a_failed_delete_leaves_the_resource(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .fails = "delete");
    OLD(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a");
}

static void the_old_half_of_a_replacement_stays_to_be_deleted_if_that_fails(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .fails = "delete");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a a!D");
    world_continue(world);
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a, delete-replaced a");
    assert_state(world, "a");
}

static void a_failed_create_after_a_delete_leaves_a_pending_replacement(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true, .fails = "create");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a!PR");
    world_continue(world);
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "check a, diff a, check a, create a");
    assert_state(world, "a");
}

static void a_failed_delete_before_a_replacement_leaves_no_mark(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true, .fails = "delete");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "delete-replaced a");
    assert_state(world, "a");
}

static void the_first_failure_ends_a_chain(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y", .fails = "delete");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "delete-replaced b");
    assert_state(world, "a b");
}

static void steps_under_way_finish_and_are_recorded_after_a_failure(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .until = "create b");
    SCRIPT(world, "b", .fails = "create");
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    world_run(world);
    assert_fails_run(world);
    assert_order(world, "call create a", "call create b", "fail create b", "end create a");
    assert_state(world, "a");
}

static void nothing_new_starts_after_a_failure(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel = 1;
    SCRIPT(world, "a", .fails = "create");
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "create a");
    assert_false(world_was_answered(world, "b"));
}

static void with_continue_on_error_others_go_on(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .fails = "create");
    OLD(world, "gone");
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "create a, create b, delete gone");
    assert_int_equal(world_reply(world, "a")->result, REGISTRATION_FAILED);
    assert_int_equal(world_reply(world, "b")->result, REGISTRATION_SUCCESS);
    assert_state(world, "b");
}

static void what_depends_on_a_failed_resource_is_checked_and_skipped(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .fails = "create");
    GOAL(world, "a");
    GOAL(world, "b", .depends_on = "a");
    GOAL(world, "c", .depends_on = "b");
    world_run(world);
    assert_steps(world, "create a");
    assert_calls(world, "check a, create a, check b, check c");
    assert_int_equal(world_reply(world, "b")->result, REGISTRATION_SKIPPED);
    assert_int_equal(world_reply(world, "c")->result, REGISTRATION_SKIPPED);
}

static void what_a_failed_delete_depends_on_is_kept(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "b", .fails = "delete");
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c");
    OLD(world, "d", .depends_on = "c");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a b");
}

static void a_failed_delete_keeps_later_levels_from_starting(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    SCRIPT(world, "d", .fails = "delete");
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c");
    OLD(world, "d", .depends_on = "c");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "delete b, delete d");
    assert_state(world, "a c d");
}

static void a_half_made_resource_is_kept_with_its_errors(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .partial = "create");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a");
    assert_int_equal(world_state(world, "a")->init_errors.len, 1);
    assert_value(world, world_state(world, "a")->inputs, "x=1");
    world_continue(world);
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_steps(world, "update a");
}

static void a_half_done_update_keeps_old_inputs_and_new_outputs(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .partial = "update", .outputs = "o=2");
    OLD(world, "a", .inputs = "x=1", .outputs = "o=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_value(world, world_state(world, "a")->inputs, "x=1");
    assert_value(world, world_state(world, "a")->outputs, "o=2");
    assert_int_equal(world_state(world, "a")->init_errors.len, 1);
}

static void a_half_made_replacement_leaves_the_old_half_to_be_deleted(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .partial = "create");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a a!D");
}

static void the_dependent_of_a_failed_chain_is_skipped_when_others_go_on(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true, .fails = "delete");
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "c");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "delete-replaced b, delete-replaced a, create c");
    assert_int_equal(world_reply(world, "a")->result, REGISTRATION_FAILED);
    assert_int_equal(world_reply(world, "b")->result, REGISTRATION_SKIPPED);
    assert_state(world, "c a b!PR");
}

/* a is deleted first and takes b and c along, c before b; the program no longer needs a for them.
 */
static void a_chain_that_fails_at(struct world *world, const char *which)
{
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    SCRIPT(world, "c", .replaces = "y");
    SCRIPT(world, which, .replaces = "y", .fails = "delete");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    OLD(world, "c", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1");
    GOAL(world, "c", .inputs = "y=1");
    world_run(world);
    assert_fails_run(world);
}

static void what_could_not_be_deleted_first_is_skipped_when_it_is_registered(void **state)
{
    struct world *world = *state;
    a_chain_that_fails_at(world, "b");
    assert_int_equal(world_reply(world, "b")->result, REGISTRATION_SKIPPED);
    assert_steps(world, "delete-replaced c, delete-replaced b, replace c, create-replacement c(y)");
    assert_state(world, "c a b");
}

static void what_a_failed_chain_did_not_come_to_is_as_if_never_condemned(void **state)
{
    struct world *world = *state;
    a_chain_that_fails_at(world, "c");
    assert_int_equal(world_reply(world, "b")->result, REGISTRATION_SUCCESS);
    assert_steps(world, "delete-replaced c, same b");
    assert_int_equal(world_reply(world, "c")->result, REGISTRATION_SKIPPED);
}

static void one_chain_at_a_time_if_the_user_says_so(void **state)
{
    struct world *world = *state;
    world->options.plan.parallel = 1;
    SCRIPT(world, "a", .until = "create b"); /* which cannot come */
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "begin create a", "end create a", "begin create b", "end create b");
}

static void chains_run_at_once_otherwise(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .until = "create b");
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "begin create a", "begin create b", "end create b", "end create a");
}

static void stack_outputs_replace_the_old_ones_after_success(void **state)
{
    struct world *world = *state;
    OLD(world, "p-dev", .type = "pulumi:pulumi:Stack", .is_component = true, .outputs = "old=1");
    GOAL(world, "p-dev", .type = "pulumi:pulumi:Stack", .is_component = true);
    world_outputs(world, "p-dev", "new=1");
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_value(world, world_state(world, "p-dev")->outputs, "new=1");
    assert_order(world, "end create a", "end same p-dev");
}

static void stack_outputs_are_merged_over_the_old_ones_after_a_failure(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .fails = "create");
    OLD(world, "p-dev", .type = "pulumi:pulumi:Stack", .is_component = true,
        .outputs = "both=1 old=1");
    GOAL(world, "p-dev", .type = "pulumi:pulumi:Stack", .is_component = true);
    world_outputs(world, "p-dev", "both=2 new=1");
    GOAL(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_value(world, world_state(world, "p-dev")->outputs, "both=2 new=1 old=1");
}

static void outputs_of_an_unknown_resource_are_refused(void **state)
{
    struct world *world = *state;
    world_outputs(world, "nobody", "x=1");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "whose registration isn't pending");
}

static void outputs_registered_twice_are_refused(void **state)
{
    struct world *world = *state;
    GOAL(world, "c", .is_component = true);
    world_outputs(world, "c", "x=1");
    world_outputs(world, "c", "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "whose registration isn't pending");
    assert_value(world, world_state(world, "c")->outputs, "x=1");
}

/* a is not replaced because b failed; the program has cut what tied c to both. */
static void what_a_skipped_replacement_was_to_take_along_is_as_if_never_condemned(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "b", .fails = "update");
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "c", .replaces = "y");
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "a", .inputs = "x=1", .depends_on = "b");
    OLD(world, "c", .inputs = "y=1 z=1", .uses = "y:a", .depends_on = "b");
    GOAL(world, "b", .inputs = "x=2");
    GOAL(world, "a", .inputs = "x=2", .depends_on = "b");
    GOAL(world, "c", .inputs = "y=1 z=2");
    world_run(world);
    assert_fails_run(world);
    assert_int_equal(world_reply(world, "a")->result, REGISTRATION_SKIPPED);
    assert_int_equal(world_reply(world, "c")->result, REGISTRATION_SUCCESS);
    assert_steps(world, "update b, update c");
    assert_state(world, "c b a");
}

/* The a of before depends on b, which failed, so it is not deleted; the new one does not. */
static void what_cannot_be_deleted_first_has_no_successor(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "b", .fails = "update");
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "a", .inputs = "x=1", .depends_on = "b");
    GOAL(world, "b", .inputs = "x=2");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_int_equal(world_reply(world, "a")->result, REGISTRATION_SKIPPED);
    assert_steps(world, "update b");
    assert_state(world, "b a");
    assert_str_equal(world_state(world, "a")->id, STR("id-a"));
}

/* c cannot be deleted because b failed, and it depends on a. */
static void what_a_dependent_cannot_be_deleted_before_stays(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "b", .fails = "update");
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "c", .replaces = "y");
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "c", .inputs = "y=1", .uses = "y:a", .depends_on = "b");
    GOAL(world, "b", .inputs = "x=2");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "c", .inputs = "y=1", .uses = "y:a", .depends_on = "b");
    world_run(world);
    assert_fails_run(world);
    assert_int_equal(world_reply(world, "a")->result, REGISTRATION_SKIPPED);
    assert_steps(world, "update b");
    assert_state(world, "b a c");
}

/* a fails while b is being checked. */
static void a_provider_is_not_closed_under_a_question(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .fails = "create");
    SCRIPT(world, "b", .until = "a long time", .held = "check");
    GOAL(world, "a", .is_parallel = true);
    GOAL(world, "b", .is_parallel = true);
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "check a, check b, create a");
    assert_int_equal(world->ended_in_time, 3);
}

/* c is skipped because b failed, and the program no longer registers the a of its state. */
static void what_a_skipped_resource_depends_on_stays(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "b", .fails = "update");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "c", .inputs = "x=1", .depends_on = "a");
    GOAL(world, "b", .inputs = "x=2");
    GOAL(world, "c", .inputs = "x=2", .depends_on = "b");
    world_run(world);
    assert_fails_run(world);
    assert_int_equal(world_reply(world, "c")->result, REGISTRATION_SKIPPED);
    assert_steps(world, "update b");
    assert_state(world, "a b c");
}

static void what_a_failed_read_depends_on_stays_under_its_new_name(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "d", .is_gone = true);
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "d", .inputs = "x=1", .depends_on = "b");
    GOAL(world, "nb", .inputs = "x=1", .aliases = "b");
    GOAL(world, "d", .inputs = "x=1", .read_id = "id-d");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "nb d");
}

static void what_stays_under_its_new_name_keeps_what_it_depends_on_now(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "d", .inputs = "x=1", .depends_on = "b", .protect = true);
    GOAL(world, "k", .is_component = true);
    GOAL(world, "nb", .inputs = "x=1", .aliases = "b", .depends_on = "k");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "k nb d");
}

/* b was made with the a that is live, wherever what is left of another a is. */
static void what_is_replaced_and_not_deleted_keeps_what_it_depends_on(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "b", .replaces = "x", .fails = "delete");
    OLD(world, "a", .id = "first-a", .is_delete = true);
    OLD(world, "a");
    OLD(world, "b", .inputs = "x=1", .depends_on = "a");
    OLD(world, "a", .id = "was-a", .is_delete = true);
    GOAL(world, "b", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "b a b!D");
}

/* Which a it was made with, nobody knows. */
static void what_was_left_over_and_is_not_deleted_keeps_all_it_may_depend_on(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "b", .fails = "delete");
    OLD(world, "a");
    OLD(world, "a", .id = "was-a", .is_delete = true);
    OLD(world, "b", .depends_on = "a", .is_delete = true);
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a a!D b!D");
}

/* What failed stays in the place that it has in the state, behind all that was recorded. */
static void what_stays_and_refers_to_what_failed_stays_behind_it(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .fails = "update");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c", .depends_on = "b");
    world->options.plan.targets = world_urns(world, "a d");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "d");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "d a b c");
}

static void what_goes_with_what_was_deleted_and_not_created_stays_behind_it(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true, .fails = "create");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .deleted_with = "a");
    OLD(world, "c", .depends_on = "a");
    world->options.plan.excludes = world_urns(world, "b c");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a!PR b!PR c");
    world_continue(world);
    world->options.plan.excludes = (struct strs){ 0 };
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "delete c");
    assert_state(world, "");
}

static void what_stays_and_refers_to_what_failed_under_its_new_name_stays_too(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "na", .fails = "update");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .depends_on = "a");
    OLD(world, "c", .depends_on = "a");
    world->options.plan.excludes = world_urns(world, "b c");
    GOAL(world, "na", .inputs = "x=2", .aliases = "a");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a b c");
}

static void what_was_read_and_could_not_be_changed_keeps_what_it_needs(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    world->options.plan.refresh = world->options.plan.run_program = true;
    SCRIPT(world, "a", .fails = "update");
    OLD(world, "b");
    OLD(world, "a", .inputs = "x=1 y=1", .uses = "y:b");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "read a, diff a, check a, diff a, update a");
    assert_state(world, "b a");
}

/* d is to go with its provider, which is replaced, and fails; then it is registered. */
static void what_failed_and_was_registered_then_keeps_what_it_depends_on_now(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "prov", .replaces = "region", .deletes_first = true);
    SCRIPT(world, "d", .fails = "delete");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    OLD(world, "d", .provider = "prov");
    OLD(world, "a", .provider = "prov");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=2");
    GOAL(world, "a");
    GOAL(world, "d", .depends_on = "a");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a!PR d prov");
}

/* c goes before b, the successor of which needs a; and the program does not register c. */
static void what_is_deleted_first_for_what_is_skipped_is_deleted_once(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .fails = "create");
    SCRIPT(world, "b", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "c", .replaces = "y");
    OLD(world, "b", .inputs = "x=1");
    OLD(world, "c", .inputs = "y=1", .uses = "y:b");
    world->options.plan.continue_on_error = true;
    GOAL(world, "a");
    GOAL(world, "b", .inputs = "x=2", .depends_on = "a");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "check a, create a, check b, diff b, check b, diff c, delete c, delete b");
    assert_state(world, "b!PR");
}

/* The program has given b another provider; b is still that of before. */
static void what_failed_keeps_its_provider_from_being_deleted_first(void **state)
{
    struct world *world = *state;
    OLD(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    OLD(world, "b", .inputs = "x=1", .provider = "p");
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "b", .fails = "update");
    SCRIPT(world, "p", .replaces = "region", .deletes_first = true);
    GOAL(world, "b", .inputs = "x=2");
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=2");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "update b");
    assert_state(world, "p b");
}

static void what_failed_keeps_what_it_depended_on_from_being_deleted_first(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1", .deleted_with = "a");
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .fails = "update");
    GOAL(world, "b", .inputs = "x=2");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "update b");
    assert_state(world, "a b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(a_failed_create_leaves_nothing_and_is_not_answered),
        RULE(a_failed_update_leaves_the_state_as_it_was),
        RULE(a_failed_delete_leaves_the_resource),
        RULE(the_old_half_of_a_replacement_stays_to_be_deleted_if_that_fails),
        RULE(a_failed_create_after_a_delete_leaves_a_pending_replacement),
        RULE(a_failed_delete_before_a_replacement_leaves_no_mark),
        RULE(the_first_failure_ends_a_chain),
        RULE(steps_under_way_finish_and_are_recorded_after_a_failure),
        RULE(nothing_new_starts_after_a_failure),
        RULE(with_continue_on_error_others_go_on),
        RULE(what_depends_on_a_failed_resource_is_checked_and_skipped),
        RULE(what_a_failed_delete_depends_on_is_kept),
        RULE(a_failed_delete_keeps_later_levels_from_starting),
        RULE(a_half_made_resource_is_kept_with_its_errors),
        RULE(a_half_done_update_keeps_old_inputs_and_new_outputs),
        RULE(a_half_made_replacement_leaves_the_old_half_to_be_deleted),
        RULE(the_dependent_of_a_failed_chain_is_skipped_when_others_go_on),
        RULE(what_could_not_be_deleted_first_is_skipped_when_it_is_registered),
        RULE(what_a_failed_chain_did_not_come_to_is_as_if_never_condemned),
        RULE(one_chain_at_a_time_if_the_user_says_so),
        RULE(chains_run_at_once_otherwise),
        RULE(stack_outputs_replace_the_old_ones_after_success),
        RULE(stack_outputs_are_merged_over_the_old_ones_after_a_failure),
        RULE(outputs_of_an_unknown_resource_are_refused),
        RULE(outputs_registered_twice_are_refused),
        RULE(what_a_skipped_replacement_was_to_take_along_is_as_if_never_condemned),
        RULE(what_cannot_be_deleted_first_has_no_successor),
        RULE(what_a_dependent_cannot_be_deleted_before_stays),
        RULE(a_provider_is_not_closed_under_a_question),
        RULE(what_a_skipped_resource_depends_on_stays),
        RULE(what_a_failed_read_depends_on_stays_under_its_new_name),
        RULE(what_stays_under_its_new_name_keeps_what_it_depends_on_now),
        RULE(what_is_replaced_and_not_deleted_keeps_what_it_depends_on),
        RULE(what_was_left_over_and_is_not_deleted_keeps_all_it_may_depend_on),
        RULE(what_stays_and_refers_to_what_failed_stays_behind_it),
        RULE(what_goes_with_what_was_deleted_and_not_created_stays_behind_it),
        RULE(what_stays_and_refers_to_what_failed_under_its_new_name_stays_too),
        RULE(what_was_read_and_could_not_be_changed_keeps_what_it_needs),
        RULE(what_failed_and_was_registered_then_keeps_what_it_depends_on_now),
        RULE(what_is_deleted_first_for_what_is_skipped_is_deleted_once),
        RULE(what_failed_keeps_its_provider_from_being_deleted_first),
        RULE(what_failed_keeps_what_it_depended_on_from_being_deleted_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
