/* test_plan_import.c — import by option, resources that are only read, and the way between both. */
#include "unit/engine_world.h"

static void an_import_reads_and_takes_over(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .inputs = "x=1", .outputs = "x=1 o=1");
    GOAL(world, "a", .inputs = "x=1", .import_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "import a");
    assert_calls(world, "read a, check a, diff a");
    assert_str_equal(world_call(world, "read a", 0)->id, STR("there"));
    assert_str_equal(world_call(world, "check a", 0)->olds, STR("x=1"));
    assert_str_equal(world_state(world, "a")->id, STR("there"));
    assert_str_equal(world_state(world, "a")->options.import_id, STR("there"));
    assert_str_equal(world_reply(world, "a")->outputs, STR("o=1 x=1"));
}

static void an_import_that_differs_is_updated_in_the_same_run(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2", .import_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "import a, update a");
    assert_value(world, world_state(world, "a")->inputs, "x=2");
    assert_int_equal(world->changes[OP_IMPORT], 1);
    assert_int_equal(world->changes[OP_UPDATE], 1);
}

static void what_was_imported_before_is_not_imported_again(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .id = "there", .import_id = "there");
    OLD(world, "b", .id = "there");
    GOAL(world, "a", .import_id = "there");
    GOAL(world, "b", .import_id = "there");
    world_run(world);
    assert_steps(world, "same a, same b");
}

static void an_import_of_another_id_replaces_what_is_managed(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .id = "here");
    GOAL(world, "a", .import_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "import-replacement a, replace a, delete-replaced a");
    assert_str_equal(world_call(world, "delete a", 0)->id, STR("here"));
    assert_str_equal(world_state(world, "a")->id, STR("there"));
}

static void what_is_imported_under_another_name_is_not_deleted(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .id = "there");
    GOAL(world, "b", .import_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "import b, delete a");
    assert_calls(world, "read b, check b, diff b");
    assert_state(world, "b");
}

/* The run that imported it may have ended before it came to deletes. */
static void what_is_to_be_deleted_and_is_imported_is_not_deleted(void **state)
{
    struct world *world = *state;
    OLD(world, "b", .id = "one", .import_id = "one");
    OLD(world, "a", .id = "one", .is_delete = true);
    OLD(world, "d", .id = "two", .is_delete = true);
    OLD(world, "e", .id = "three", .is_delete = true);
    OLD(world, "f", .id = "four", .import_id = "four");
    OLD(world, "f", .id = "four", .is_delete = true);
    GOAL(world, "b", .import_id = "one");
    GOAL(world, "f");
    GOAL(world, "c", .import_id = "two");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "check b, diff b, check f, diff f, read c, check c, diff c, delete e");
    assert_state(world, "b f c");
}

static void what_was_imported_and_replaced_is_deleted(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .id = "there", .import_id = "there", .inputs = "x=1");
    world->options.plan.refresh = true;
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(world_call(world, "delete a", 0)->id, STR("there"));
    assert_state(world, "a");
}

static void an_import_that_finds_nothing_fails(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .is_gone = true);
    GOAL(world, "a", .import_id = "there");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "resource 'there' does not exist");
    assert_state(world, "");
}

static void an_import_that_would_have_to_be_replaced_is_refused(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .inputs = "x=1", .replaces = "x");
    GOAL(world, "a", .inputs = "x=2", .import_id = "there");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "previously-imported resources that still specify an ID");
    assert_steps(world, "import a");
    assert_state(world, "a");
}

static void a_preview_only_warns_of_an_import_that_would_be_replaced(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    SCRIPT(world, "a", .inputs = "x=1", .replaces = "x");
    GOAL(world, "a", .inputs = "x=2", .import_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_says(world, "warning a: previously-imported");
    assert_steps(world, "import a, create-replacement a(x), replace a(x)");
}

static void an_import_keeps_ignored_properties_as_they_were_read(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .inputs = "i=1 x=1");
    GOAL(world, "a", .inputs = "i=2 x=1", .import_id = "there", .ignore_changes = "i");
    world_run(world);
    assert_steps(world, "import a");
    assert_value(world, world_state(world, "a")->inputs, "i=1 x=1");
}

static void an_update_that_fails_leaves_what_was_imported(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .inputs = "x=1", .fails = "update");
    GOAL(world, "a", .inputs = "x=2", .import_id = "there");
    world_run(world);
    assert_fails_run(world);
    assert_value(world, world_state(world, "a")->inputs, "x=1");
}

static void what_is_read_is_recorded_as_external(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .outputs = "o=1");
    GOAL(world, "a", .read_id = "there", .inputs = "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "read a");
    assert_calls(world, "read a");
    assert_true(world_state(world, "a")->is_external);
    assert_str_equal(world_state(world, "a")->id, STR("there"));
    assert_value(world, world_state(world, "a")->inputs, "x=1");
    assert_str_equal(world_reply(world, "a")->outputs, STR("o=1"));
}

static void a_read_that_finds_nothing_fails(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .is_gone = true);
    GOAL(world, "a", .read_id = "there");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "resource 'there' does not exist");
}

static void a_read_needs_an_id(void **state)
{
    struct world *world = *state;
    GOAL(world, "a", .read_id = "");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "Expected an ID for");
    assert_calls(world, "");
}

static void a_read_of_an_unknown_id_is_not_made(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    GOAL(world, "a", .read_id = "04da6b54-80e4-46f7-96ec-b56ff0331ba9");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "read a");
    assert_calls(world, "");
    assert_str_equal(world_reply(world, "a")->outputs, STR(""));
}

static void reading_what_is_managed_releases_it(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .id = "there");
    GOAL(world, "a", .read_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "read a");
    assert_calls(world, "read a");
    assert_true(world_state(world, "a")->is_external);
}

static void reading_another_instance_deletes_the_managed_one_at_the_end(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .id = "here");
    GOAL(world, "a", .read_id = "there");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "read-replacement a, replace a, delete-replaced a");
    assert_calls(world, "read a, delete a");
    assert_str_equal(world_call(world, "delete a", 0)->id, STR("here"));
    assert_state(world, "a");
}

static void managing_what_was_read_creates_and_discards(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .is_external = true, .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement a, replace a, discard-replaced a");
    assert_calls(world, "check a, create a");
    assert_str_equal(world_call(world, "check a", 0)->olds, STR(""));
    assert_false(world_state(world, "a")->is_external);
}

static void a_read_counts_only_if_it_changed_what_was_known(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "b", .outputs = "o=2");
    OLD(world, "a", .is_external = true, .inputs = "o=1", .outputs = "o=1");
    OLD(world, "b", .is_external = true, .outputs = "o=1");
    GOAL(world, "a", .read_id = "id-a", .inputs = "o=1");
    GOAL(world, "b", .read_id = "id-b");
    world_run(world);
    assert_steps(world, "read a, read b");
    assert_int_equal(world->changes[OP_READ], 1);
}

/* b was deleted because a had to be; the program now names another b. */
static void what_was_deleted_first_is_replaced_by_its_import(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y", .inputs = "y=1");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1", .import_id = "other");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete-replaced b, delete-replaced a, replace a(x), "
                        "create-replacement a(x), import b");
    assert_state(world, "a b");
    assert_str_equal(world_state(world, "b")->id, STR("other"));
}

static void what_depends_on_something_that_is_not_created_is_not_imported(void **state)
{
    struct world *world = *state;
    world->options.plan.targets = world_urns(world, "b");
    SCRIPT(world, "b", .replaces = "x");
    OLD(world, "b", .inputs = "x=1");
    GOAL(world, "a");
    GOAL(world, "b", .inputs = "x=2", .depends_on = "a", .import_id = "other");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "which was was not specified in --target list");
    assert_calls(world, "");
    assert_state(world, "b");
}

/* The provider says that they are not whole, and gives no ID. */
static void what_is_not_there_is_not_recorded_as_half_there(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "a", .partial = "read", .is_gone = true);
    SCRIPT(world, "b", .partial = "read", .is_gone = true);
    GOAL(world, "a", .import_id = "there");
    GOAL(world, "b", .read_id = "here");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "resource 'there' does not exist");
    assert_says(world, "resource 'here' does not exist");
    assert_state(world, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(an_import_reads_and_takes_over),
        RULE(an_import_that_differs_is_updated_in_the_same_run),
        RULE(what_was_imported_before_is_not_imported_again),
        RULE(an_import_of_another_id_replaces_what_is_managed),
        RULE(what_is_imported_under_another_name_is_not_deleted),
        RULE(what_is_to_be_deleted_and_is_imported_is_not_deleted),
        RULE(what_was_imported_and_replaced_is_deleted),
        RULE(an_import_that_finds_nothing_fails),
        RULE(an_import_that_would_have_to_be_replaced_is_refused),
        RULE(a_preview_only_warns_of_an_import_that_would_be_replaced),
        RULE(an_import_keeps_ignored_properties_as_they_were_read),
        RULE(an_update_that_fails_leaves_what_was_imported),
        RULE(what_is_read_is_recorded_as_external),
        RULE(a_read_that_finds_nothing_fails),
        RULE(a_read_needs_an_id),
        RULE(a_read_of_an_unknown_id_is_not_made),
        RULE(reading_what_is_managed_releases_it),
        RULE(reading_another_instance_deletes_the_managed_one_at_the_end),
        RULE(managing_what_was_read_creates_and_discards),
        RULE(a_read_counts_only_if_it_changed_what_was_known),
        RULE(what_was_deleted_first_is_replaced_by_its_import),
        RULE(what_depends_on_something_that_is_not_created_is_not_imported),
        RULE(what_is_not_there_is_not_recorded_as_half_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
