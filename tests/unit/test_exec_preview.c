/* test_exec_preview.c — a preview decides like an update and changes nothing; what is unknown. */
#include "unit/engine_world.h"

static void a_preview_has_the_steps_of_the_update(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "r", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "r", .inputs = "x=1");
    OLD(world, "gone");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "r", .inputs = "x=2");
    GOAL(world, "new");
    world->options.preview = true;
    world_run(world);
    str previewed = arena_copy(&world->arena, strbuf_str(&world->steps));
    world->options.preview = false;
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(previewed, strbuf_str(&world->steps));
}

static void a_preview_tells_the_provider_and_never_deletes(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "gone");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "new");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "check a, diff a, update a, check new, create new");
    assert_true(world_call(world, "update a", 0)->preview);
    assert_true(world_call(world, "create new", 0)->preview);
    assert_int_equal(world->changes[OP_DELETE], 1);
}

static void a_preview_records_nothing(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_null(world->deployment.recorder.replay);
    assert_value(world, world_state(world, "a")->inputs, "x=1");
}

static void a_new_resource_has_no_id_in_a_preview(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(world_reply(world, "a")->id, STR(""));
}

static void unknown_inputs_reach_check_diff_and_update_as_unknown(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=?");
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(world_call(world, "check a", 0)->news, STR("x=?"));
    assert_str_equal(world_call(world, "diff a", 0)->news, STR("x=?"));
    assert_str_equal(world_call(world, "update a", 0)->news, STR("x=?"));
    assert_steps(world, "update a");
}

static void an_unknown_trigger_replaces_in_a_preview_and_is_refused_in_an_update(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .trigger = "v=1");
    GOAL(world, "a", .trigger = "v=?");
    world->options.preview = true;
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement a, replace a, delete-replaced a");
    world->options.preview = false;
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "replacement trigger contains unknowns");
    assert_steps(world, "");
}

static void a_failure_in_a_preview_has_no_event_of_its_own(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    SCRIPT(world, "a", .fails = "create");
    GOAL(world, "a");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "error a: Preview failed: ");
    assert_true(str_find(strbuf_str(&world->history), STR("fail create a")) == SIZE_MAX);
}

static void a_component_is_shown_at_once_in_a_preview_and_at_its_outputs_in_an_update(void **state)
{
    struct world *world = *state;
    GOAL(world, "c", .is_component = true);
    GOAL(world, "a", .parent = "c");
    world_outputs(world, "c", "x=1");
    world->options.preview = true;
    world_run(world);
    assert_order(world, "begin create c", "end create c", "begin create a", "end create a",
                 "end create c");
    world->options.preview = false;
    world_run(world);
    assert_str_equal(str_slice(strbuf_str(&world->history), 0, 24),
                     STR("begin create c\nanswer c\n"));
    assert_order(world, "end create a", "end create c");
}

static void a_preview_reports_every_target_that_needs_what_is_not_created(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    OLD(world, "a");
    OLD(world, "b");
    GOAL(world, "one");
    GOAL(world, "two");
    GOAL(world, "a", .depends_on = "one");
    GOAL(world, "b", .depends_on = "two");
    world->options.plan.targets = world_urns(world, "a b");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "error a: Resource");
    assert_says(world, "error b: Resource");
}

static void a_read_is_made_in_a_preview_too(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    SCRIPT(world, "a", .outputs = "o=1");
    GOAL(world, "a", .read_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "read a");
    assert_str_equal(world_reply(world, "a")->outputs, STR("o=1"));
}

static void a_preview_of_a_destroy_deletes_nothing(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    world->options.kind = OPERATION_DESTROY;
    OLD(world, "a");
    OLD(world, "b", .depends_on = "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete b, delete a");
    assert_calls(world, "");
    assert_state(world, "a b");
}

static void timeouts_reach_the_provider(void **state)
{
    struct world *world = *state;
    OLD(world, "b", .inputs = "x=1");
    GOAL(world, "a", .timeouts.create = 5);
    GOAL(world, "b", .inputs = "x=2", .timeouts.update = 6);
    world_run(world);
    assert_true(world_call(world, "create a", 0)->timeout == 5);
    assert_true(world_call(world, "update b", 0)->timeout == 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(a_preview_has_the_steps_of_the_update),
        RULE(a_preview_tells_the_provider_and_never_deletes),
        RULE(a_preview_records_nothing),
        RULE(a_new_resource_has_no_id_in_a_preview),
        RULE(unknown_inputs_reach_check_diff_and_update_as_unknown),
        RULE(an_unknown_trigger_replaces_in_a_preview_and_is_refused_in_an_update),
        RULE(a_failure_in_a_preview_has_no_event_of_its_own),
        RULE(a_component_is_shown_at_once_in_a_preview_and_at_its_outputs_in_an_update),
        RULE(a_preview_reports_every_target_that_needs_what_is_not_created),
        RULE(a_read_is_made_in_a_preview_too),
        RULE(a_preview_of_a_destroy_deletes_nothing),
        RULE(timeouts_reach_the_provider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
