/* test_record_state.c — what is on record while steps run, and the state that is left. */
#include "unit/engine_world.h"

static void the_intent_is_recorded_before_the_provider_is_called(void **state)
{
    struct world *world = *state;
    OLD(world, "u", .inputs = "x=1");
    OLD(world, "gone");
    GOAL(world, "a");
    GOAL(world, "u", .inputs = "x=2");
    GOAL(world, "r", .read_id = "there");
    GOAL(world, "i", .import_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(world_call(world, "create a", 0)->pending, STR("creating a"));
    assert_str_equal(world_call(world, "update u", 0)->pending, STR("updating u"));
    assert_str_equal(world_call(world, "read r", 0)->pending, STR("reading r"));
    assert_str_equal(world_call(world, "read i", 0)->pending, STR("importing i"));
    assert_str_equal(world_call(world, "delete gone", 0)->pending, STR("deleting gone"));
}

static void asking_leaves_no_intent(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_str_equal(world_call(world, "check a", 0)->pending, STR(""));
    assert_str_equal(world_call(world, "diff a", 0)->pending, STR(""));
}

static void the_intent_is_gone_when_the_step_has_ended_well_or_badly(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "b", .fails = "create");
    SCRIPT(world, "gone", .fails = "delete");
    OLD(world, "gone");
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a gone");
}

static void the_intent_of_a_lost_provider_stays_on_record(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .lost = "create");
    GOAL(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "it stays a pending operation");
    assert_state(world, "[creating a]");
}

static void creates_that_were_cut_off_are_carried_along_and_others_are_dropped(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    world_pending(world, PENDING_CREATING, "x");
    world_pending(world, PENDING_UPDATING, "y");
    world_pending(world, PENDING_DELETING, "z");
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_says(world, "3 pending operations from previous deployment");
    assert_state(world, "a [creating x]");
}

static void creates_that_were_cut_off_are_dropped_when_asked_for(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_REFRESH;
    world->options.plan.clear_pending_creates = true;
    OLD(world, "a");
    world_pending(world, PENDING_CREATING, "x");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "a");
}

static void a_preview_does_not_warn_of_pending_operations(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    OLD(world, "a");
    world_pending(world, PENDING_UPDATING, "y");
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_int_equal(world->diagnostics.len, 0);
}

static void the_state_has_what_this_run_did_in_its_order_and_then_the_rest(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b");
    OLD(world, "c");
    GOAL(world, "c");
    GOAL(world, "a");
    world->program_fails = true;
    world_run(world);
    assert_state(world, "c a b");
}

static void the_old_half_of_a_replacement_stands_behind_what_is_live(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b");
    world->program_fails = true;
    world_run(world);
    assert_state(world, "a b a!D");
}

static void a_skipped_create_is_not_recorded(void **state)
{
    struct world *world = *state;
    world->options.plan.targets = world_urns(world, "a");
    GOAL(world, "a");
    GOAL(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "a");
}

static void outputs_of_a_component_are_recorded_when_they_are_registered(void **state)
{
    struct world *world = *state;
    GOAL(world, "c", .is_component = true);
    world_outputs(world, "c", "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_value(world, world_state(world, "c")->outputs, "x=1");
}

static void a_component_that_stays_keeps_outputs_that_it_does_not_register(void **state)
{
    struct world *world = *state;
    OLD(world, "c", .is_component = true, .inputs = "i=1", .outputs = "x=1");
    OLD(world, "d", .is_component = true, .inputs = "i=1", .outputs = "x=1");
    GOAL(world, "c", .is_component = true, .inputs = "i=1");
    GOAL(world, "d", .is_component = true, .inputs = "i=2");
    world_run(world);
    assert_steps(world, "same c, update d");
    assert_value(world, world_state(world, "c")->outputs, "x=1");
    assert_value(world, world_state(world, "d")->outputs, "");
}

static void named_outputs_are_recorded_as_secrets(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .outputs = "k=1 o=1");
    GOAL(world, "a", .secret_outputs = "k missing");
    world_run(world);
    assert_succeeds(world);
    assert_value(world, world_state(world, "a")->outputs, "k=!1 o=1");
}

static void outputs_of_secret_inputs_are_secret(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .outputs = "k=1 o=1");
    GOAL(world, "a", .inputs = "k=!1");
    world_run(world);
    assert_succeeds(world);
    assert_value(world, world_state(world, "a")->outputs, "k=!1 o=1");
    assert_str_equal(world_reply(world, "a")->outputs, STR("k=!1 o=1"));
}

static void secrets_are_sealed_when_they_are_recorded(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .outputs = "o=2");
    GOAL(world, "a", .inputs = "k=!1", .secret_outputs = "o");
    world_run(world);
    assert_succeeds(world);
    const struct value *input = value_find(world_state(world, "a")->inputs, STR("k"));
    const struct value *output = value_find(world_state(world, "a")->outputs, STR("o"));
    assert_str_equal(input->secret->ciphertext, STR("sealed:1"));
    assert_str_equal(output->secret->ciphertext, STR("sealed:2"));
    for (size_t i = 0; i < world->records.len; i++)
        assert_true(str_find(world->records.items[i].text, STR("plaintext")) == SIZE_MAX);
}

static void an_output_that_was_secret_stays_secret_while_its_resource_stays(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .outputs = "k=!1", .secret_outputs = "k");
    GOAL(world, "a");
    world_run(world);
    assert_steps(world, "same a");
    assert_value(world, world_state(world, "a")->outputs, "k=!1");
}

static void times_say_when_a_resource_was_made_and_changed(void **state)
{
    struct world *world = *state;
    OLD(world, "s");
    OLD(world, "u", .inputs = "x=1");
    GOAL(world, "s");
    GOAL(world, "u", .inputs = "x=2");
    GOAL(world, "a");
    world_run(world);
    const str then = STR("2020-01-01T00:00:00Z");
    assert_str_equal(world_state(world, "s")->modified, then);
    assert_str_equal(world_state(world, "u")->created, then);
    assert_false(str_equal(world_state(world, "u")->modified, then));
    assert_true(world_state(world, "a")->created.len > 0);
    assert_str_equal(world_state(world, "a")->created, world_state(world, "a")->modified);
}

static void a_provider_may_ask_to_be_read_before_the_next_update(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .refreshes_before_update = true);
    GOAL(world, "a");
    world_run(world);
    assert_true(world_state(world, "a")->refreshes_before_update);
    world_continue(world);
    GOAL(world, "a");
    world_run(world);
    assert_steps(world, "refresh a, same a");
    assert_false(world_state(world, "a")->refreshes_before_update);
}

static void what_is_recorded_outlives_the_request(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .inputs = "x=text o.p=deep", .ignore_changes = "y", .aliases = "was");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a", .parent = "a", .hooks[HOOK_ON_ERROR] = "h");
    world_run(world);
    assert_succeeds(world);
    assert_value(world, world_state(world, "a")->inputs, "o.p=deep x=text");
    assert_str_equal(world_state(world, "a")->options.ignore_changes.items[0], STR("y"));
    assert_str_equal(world_names(world, world_state(world, "b")->dependencies), STR("a"));
    assert_str_equal(world_state(world, "b")->parent, world_urn(world, "a"));
    assert_str_equal(world_state(world, "b")->options.hooks[HOOK_ON_ERROR].items[0], STR("h"));
}

static void a_failed_replacement_that_was_read_leaves_what_was_managed(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .fails = "read");
    OLD(world, "a", .id = "here");
    GOAL(world, "a", .read_id = "there");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "a");
    assert_false(world_state(world, "a")->is_external);
    assert_str_equal(world_state(world, "a")->id, STR("here"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(the_intent_is_recorded_before_the_provider_is_called),
        RULE(asking_leaves_no_intent),
        RULE(the_intent_is_gone_when_the_step_has_ended_well_or_badly),
        RULE(the_intent_of_a_lost_provider_stays_on_record),
        RULE(creates_that_were_cut_off_are_carried_along_and_others_are_dropped),
        RULE(creates_that_were_cut_off_are_dropped_when_asked_for),
        RULE(a_preview_does_not_warn_of_pending_operations),
        RULE(the_state_has_what_this_run_did_in_its_order_and_then_the_rest),
        RULE(the_old_half_of_a_replacement_stands_behind_what_is_live),
        RULE(a_skipped_create_is_not_recorded),
        RULE(outputs_of_a_component_are_recorded_when_they_are_registered),
        RULE(a_component_that_stays_keeps_outputs_that_it_does_not_register),
        RULE(named_outputs_are_recorded_as_secrets),
        RULE(outputs_of_secret_inputs_are_secret),
        RULE(secrets_are_sealed_when_they_are_recorded),
        RULE(an_output_that_was_secret_stays_secret_while_its_resource_stays),
        RULE(times_say_when_a_resource_was_made_and_changed),
        RULE(a_provider_may_ask_to_be_read_before_the_next_update),
        RULE(what_is_recorded_outlives_the_request),
        RULE(a_failed_replacement_that_was_read_leaves_what_was_managed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
