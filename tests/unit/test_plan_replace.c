/* test_plan_replace.c — replacement: created first or deleted first, who goes with it, and what
 * forbids it. */
#include "unit/engine_world.h"

#include "engine/step/resource_diff.h"

static void a_replacement_creates_first_and_deletes_at_the_end(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement a(x), replace a(x), create b, delete-replaced a");
    assert_calls(world, "check a, diff a, check a, create a, check b, create b, delete a");
    assert_str_equal(world_call(world, "delete a", 0)->id, STR("id-a"));
    assert_str_equal(world_state(world, "a")->id, STR("new-a"));
    assert_state(world, "a b");
}

static void a_replacement_counts_once(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_int_equal(world->changes[OP_REPLACE], 1);
    assert_int_equal(world->changes[OP_CREATE], 0);
    assert_int_equal(world->changes[OP_CREATE_REPLACEMENT], 0);
    assert_int_equal(world->changes[OP_DELETE], 0);
    assert_int_equal(world->changes[OP_DELETE_REPLACED], 0);
}

static void a_replacement_is_checked_again_without_old_inputs(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .defaults = "name=fresh");
    OLD(world, "a", .inputs = "name=old x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_str_equal(world_call(world, "check a", 0)->olds, STR("name=old x=1"));
    assert_str_equal(world_call(world, "check a", 1)->olds, STR(""));
    assert_str_equal(world_call(world, "create a", 0)->news, STR("name=fresh x=2"));
}

static void a_replacement_gets_the_new_values_of_ignored_properties(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "i=1 x=1");
    GOAL(world, "a", .inputs = "i=2 x=2", .ignore_changes = "i");
    world_run(world);
    assert_str_equal(world_call(world, "diff a", 0)->news, STR("i=1 x=2"));
    assert_str_equal(world_call(world, "create a", 0)->news, STR("i=2 x=2"));
}

static void a_provider_may_ask_to_delete_first(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b");
    world_run(world);
    assert_steps(world, "delete-replaced a, replace a(x), create-replacement a(x), create b");
    assert_calls(world, "check a, diff a, check a, delete a, create a, check b, create b");
    assert_state(world, "a b");
}

static void the_program_decides_against_the_provider_what_is_deleted_first(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2", .delete_first = "no");
    GOAL(world, "b", .inputs = "x=2", .delete_first = "yes");
    world_run(world);
    assert_steps(world, "create-replacement a(x), replace a(x), delete-replaced b, replace b(x), "
                        "create-replacement b(x), delete-replaced a");
}

static void a_detailed_diff_that_replaces_needs_no_keys(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .diff = "some", .detailed = "x:update-replace");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_steps(world, "create-replacement a, replace a, delete-replaced a");
}

static void no_change_beats_keys_that_replace(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .diff = "none");
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "same a");
}

static void replace_on_changes_makes_a_change_a_replacement(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1 y=1");
    OLD(world, "b", .inputs = "x=1 y=1");
    GOAL(world, "a", .inputs = "x=2 y=1", .replace_on_changes = "x");
    GOAL(world, "b", .inputs = "x=2 y=1", .replace_on_changes = "y");
    world_run(world);
    assert_steps(world, "create-replacement a(x), replace a(x), update b, delete-replaced a");
}

static void a_star_in_replace_on_changes_means_any_change(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    GOAL(world, "a", .inputs = "x=2", .replace_on_changes = "*");
    world_run(world);
    assert_steps(world, "create-replacement a(x), replace a(x), delete-replaced a");
}

static void replace_on_changes_looks_at_paths_of_the_detailed_diff(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .detailed = "o.p:update");
    SCRIPT(world, "b", .detailed = "o:update");
    OLD(world, "a", .inputs = "o.p=1");
    OLD(world, "b", .inputs = "o.p=1");
    GOAL(world, "a", .inputs = "o.p=2", .replace_on_changes = "o");
    GOAL(world, "b", .inputs = "o.p=2", .replace_on_changes = "o.q");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement a(o), replace a(o), update b, delete-replaced a");
}

/* Each path against each key would take hours. */
static void many_paths_of_replace_on_changes_find_many_changed_keys(void **state)
{
    enum { COUNT = 300000 };
    static str paths[COUNT], keys[COUNT + 1];

    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    for (int i = 0; i < COUNT; i++) {
        paths[i] = arena_printf(&arena, "p%d", i);
        keys[i] = arena_printf(&arena, "k%d", i);
    }
    keys[COUNT] = paths[COUNT / 2];
    struct diff_answer diff = { .changes = CHANGES_SOME, .changed_keys = { keys, COUNT + 1 } };
    diff.replace_keys = (struct strs){ keys, COUNT };
    assert_ok(diff_apply_replace_on_changes(&arena, &diff, (struct strs){ paths, COUNT }, false));
    assert_int_equal(diff.replace_keys.len, COUNT + 1);
    assert_str_equal(diff.replace_keys.items[COUNT], keys[COUNT]);
}

static void a_changed_trigger_replaces_without_asking_the_provider(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .trigger = "v=1");
    GOAL(world, "a", .trigger = "v=2");
    world_run(world);
    assert_steps(world, "create-replacement a, replace a, delete-replaced a");
    assert_calls(world, "check a, check a, create a, delete a");
}

static void a_trigger_that_comes_or_goes_replaces_nothing(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b", .trigger = "v=1");
    GOAL(world, "a", .trigger = "v=1");
    GOAL(world, "b");
    world_run(world);
    assert_steps(world, "same a, same b");
}

static void a_tainted_resource_is_replaced_without_diff(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .defaults = "name=fresh");
    OLD(world, "a", .inputs = "name=old", .is_tainted = true);
    GOAL(world, "a");
    world_run(world);
    assert_steps(world, "create-replacement a(id), replace a(id), delete-replaced a");
    assert_calls(world, "check a, create a, delete a");
    assert_str_equal(world_call(world, "check a", 0)->olds, STR(""));
    assert_false(world_state(world, "a")->is_tainted);
}

static void what_is_named_by_replace_is_replaced_and_others_take_part_too(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    OLD(world, "b", .inputs = "x=1");
    world->options.plan.replaces = world_urns(world, "a");
    GOAL(world, "a");
    GOAL(world, "b", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "create-replacement a(id), replace a(id), update b, delete-replaced a");
}

static void a_replaced_component_says_why_when_its_outputs_are_registered(void **state)
{
    struct world *world = *state;
    OLD(world, "c", .is_component = true, .is_tainted = true);
    GOAL(world, "c", .is_component = true);
    world_outputs(world, "c", "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement c(id), replace c(id), delete-replaced c");
    assert_outcomes(world, "replace c(id)");
    assert_value(world, world_state(world, "c")->outputs, "x=1");
}

static void replace_with_follows_what_it_names(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .replace_with = "a");
    world_run(world);
    assert_steps(world, "create-replacement a(x), replace a(x), create-replacement b(replaceWith), "
                        "replace b(replaceWith), delete-replaced a, delete-replaced b");
}

static void deleted_with_is_replaced_with_what_it_names(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .deleted_with = "a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .deleted_with = "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement a(x), replace a(x), create-replacement b(deletedWith), "
                        "replace b(deletedWith), delete-replaced b, delete-replaced a");
    assert_calls(world, "check a, diff a, check a, create a, check b, check b, create b, delete a");
}

static void what_goes_with_a_deleted_first_resource_is_deleted_before_it(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .replace_with = "a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .replace_with = "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete-replaced b, delete-replaced a, replace a(x), "
                        "create-replacement a(x), replace b, create-replacement b");
}

/* a ← b ← c by properties, d by dependsOn only. */
static void a_family(struct world *world, const char *x)
{
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    SCRIPT(world, "c", .replaces = "z");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    OLD(world, "c", .inputs = "z=1", .uses = "z:b");
    OLD(world, "d", .depends_on = "a");
    GOAL(world, "a", .inputs = x);
}

static void deleting_first_takes_along_dependents_that_would_be_replaced(void **state)
{
    struct world *world = *state;
    a_family(world, "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "c", .inputs = "z=1", .uses = "z:b");
    GOAL(world, "d", .depends_on = "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete-replaced c, delete-replaced b, delete-replaced a, replace a(x), "
                        "create-replacement a(x), replace b, create-replacement b(y), "
                        "replace c, create-replacement c(z), same d");
    assert_state(world, "a b c d");
}

static void a_dependent_is_asked_with_unknowns_before_it_is_deleted_first(void **state)
{
    struct world *world = *state;
    a_family(world, "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "c", .inputs = "z=1", .uses = "z:b");
    GOAL(world, "d", .depends_on = "a");
    world_run(world);
    assert_str_equal(world_call(world, "diff b", 0)->news, STR("y=?"));
    assert_str_equal(world_call(world, "diff c", 0)->news, STR("z=?"));
    assert_calls(world, "check a, diff a, check a, diff b, diff c, delete c, delete b, delete a, "
                        "create a, check b, create b, check c, create c, check d, diff d");
}

static void a_dependent_that_was_deleted_first_is_checked_without_old_inputs(void **state)
{
    struct world *world = *state;
    a_family(world, "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "c", .inputs = "z=1", .uses = "z:b");
    world_run(world);
    assert_str_equal(world_call(world, "check b", 0)->olds, STR(""));
}

static void dependents_that_would_only_be_updated_stay(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    world_run(world);
    assert_steps(world, "delete-replaced a, replace a(x), create-replacement a(x), same b");
}

static void replace_on_changes_of_the_state_condemns_a_dependent(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a", .replace_on_changes = "y");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    world_run(world);
    assert_steps(world, "delete-replaced b, delete-replaced a, replace a(x), "
                        "create-replacement a(x), replace b, create-replacement b(y)");
}

static void a_deleted_dependent_that_is_not_registered_again_leaves_the_state(void **state)
{
    struct world *world = *state;
    a_family(world, "x=2");
    GOAL(world, "d", .depends_on = "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete-replaced c, delete-replaced b, delete-replaced a, replace a(x), "
                        "create-replacement a(x), same d, remove-pending-replace c, "
                        "remove-pending-replace b");
    assert_state(world, "a d");
}

static void resources_of_a_provider_deleted_first_go_before_it(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region", .deletes_first = true);
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete-replaced a, delete-replaced prov, replace prov(region), "
                        "create-replacement prov(region), replace a, create-replacement a");
}

static void what_was_read_and_goes_on_under_another_name_is_not_condemned(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .replace_with = "a");
    GOAL(world, "nb", .aliases = "b");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_steps(world, "refresh a, refresh b, same nb, delete-replaced a, replace a(x), "
                        "create-replacement a(x)");
    assert_state(world, "nb a");
}

static void what_is_left_of_an_earlier_replacement_goes_without_its_successor(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region", .deletes_first = true);
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a");
    OLD(world, "v", .view_of = "a");
    OLD(world, "a", .provider = "prov", .id = "was-a", .is_delete = true);
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a");
    world_run(world);
    assert_steps(world, "delete a, delete-replaced prov, replace prov(region), "
                        "create-replacement prov(region), same a, same v");
    assert_str_equal(world_call(world, "delete a", 0)->id, STR("was-a"));
    assert_state(world, "prov a v");
}

static void what_was_read_leaves_with_its_provider_and_is_not_deleted(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov", .is_external = true, .protect = true);
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    world->options.plan.excludes = world_urns(world, "a b");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "discard-replaced a, delete-replaced prov, replace prov(region), "
                        "create-replacement prov(region), same a, same b");
    assert_state(world, "prov a!PR b");
    world_continue(world);
    world->options.plan.excludes = (struct strs){ 0 };
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov", .read_id = "id-a");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same prov, read a, same b");
    assert_state(world, "prov a b");
}

/* a is read by another instance of its provider and still exists: it does not take c along. */
static void what_goes_with_something_that_is_read_again_is_deleted(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region", .deletes_first = true);
    SCRIPT(world, "c", .replaces = "x");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov", .is_external = true);
    OLD(world, "c", .inputs = "x=1", .deleted_with = "a");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov", .read_id = "id-a");
    GOAL(world, "c", .inputs = "x=2", .deleted_with = "a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "discard-replaced a, delete-replaced prov, replace prov(region), "
                        "create-replacement prov(region), read a, create-replacement c(x), "
                        "replace c(x), delete-replaced c");
    assert_str_equal(world_call(world, "delete c", 0)->id, STR("id-c"));
    assert_state(world, "prov a c");
}

/* The state has two instances of the provider, and a was made by the one that is to go. */
static void what_an_earlier_run_did_not_move_is_moved_now(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "prov", .replaces = "region");
    SCRIPT(world, "a", .fails = "create");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "prov prov!D a");
    world_continue(world);
    SCRIPT(world, "prov", .replaces = "region");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same prov, create-replacement a(provider), replace a(provider), "
                        "delete-replaced a, delete-replaced prov");
    assert_state(world, "prov a");
}

static void what_is_protected_before_and_now_is_not_replaced(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1", .protect = true);
    GOAL(world, "a", .inputs = "x=2", .protect = true);
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "");
    assert_says(world, "unable to replace resource");
}

static void unprotecting_and_replacing_may_be_one_run(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1", .protect = true);
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement a(x), replace a(x), delete-replaced a");
}

static void a_preview_shows_the_replacement_of_something_protected_and_fails(void **state)
{
    struct world *world = *state;
    world->options.preview = true;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1", .protect = true);
    GOAL(world, "a", .inputs = "x=2", .protect = true);
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "create-replacement a(x), replace a(x), delete-replaced a");
}

static void a_protected_dependent_forbids_deleting_first(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a", .protect = true);
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a", .protect = true);
    world_run(world);
    assert_fails_run(world);
    assert_steps(world, "");
    assert_says(world, "as part of replacing");
}

static void ignore_protect_lets_everything_be_replaced(void **state)
{
    struct world *world = *state;
    world->options.plan.ignore_protect = true;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1", .protect = true);
    OLD(world, "b", .inputs = "y=1", .uses = "y:a", .protect = true);
    GOAL(world, "a", .inputs = "x=2", .protect = true);
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a", .protect = true);
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "check a, diff a, check a, diff b, delete b, delete a, create a, check b, "
                        "create b");
}

static void what_was_deleted_first_and_not_made_again_is_only_created(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    OLD(world, "a", .inputs = "x=1", .is_pending_replacement = true);
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "replace a(x), create-replacement a(x)");
    assert_state(world, "a");
}

static void a_pending_replacement_without_delete_first_is_deleted_once_more(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1", .is_pending_replacement = true);
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement a, replace a, delete-replaced a");
}

static void what_goes_on_under_another_name_is_not_condemned(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a");
    GOAL(world, "new", .inputs = "y=1 z=2", .aliases = "b");
    GOAL(world, "a", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "update new, delete-replaced a, replace a(x), create-replacement a(x)");
    assert_true(str_find(strbuf_str(&world->call_text), STR("delete b")) == SIZE_MAX);
    assert_str_equal(world_state(world, "new")->id, STR("id-b"));
}

/* The program went back, so it is not deleted first: what was deleted is deleted once more, unless
 * that would be its successor. */
static void what_is_created_again_with_the_same_id_is_not_deleted(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .id = "named");
    OLD(world, "a", .id = "named", .is_pending_replacement = true);
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "check a, diff a, check a, create a");
    assert_state(world, "a");
}

/* d goes on with another provider, and q has to be deleted to be replaced: the old instance of d
 * could not be deleted without it. */
static void what_is_left_over_goes_before_its_provider(void **state)
{
    struct world *world = *state;
    OLD(world, "q", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    OLD(world, "d", .provider = "q", .inputs = "x=1");
    SCRIPT(world, "q", .replaces = "region", .deletes_first = true);
    SCRIPT(world, "d", .replaces = "x");
    GOAL(world, "d", .inputs = "x=2");
    GOAL(world, "q", .type = "pulumi:providers:pulumi", .inputs = "region=2");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end create-replacement d", "end delete d", "begin delete-replaced q");
    assert_state(world, "d q");
}

/* q goes with a, and the program fails before it registers d. */
static void what_goes_with_another_takes_along_what_it_has_made(void **state)
{
    struct world *world = *state;
    world->program_fails = true;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "q", .type = "pulumi:providers:pulumi", .replace_with = "a");
    OLD(world, "d", .provider = "q");
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "q", .type = "pulumi:providers:pulumi", .replace_with = "a");
    world_run(world);
    assert_order(world, "end delete-replaced d", "begin delete-replaced q",
                 "end delete-replaced a");
    assert_state(world, "a q d!PR");
}

/* a has moved to another provider, and that of before is replaced later. */
static void what_was_read_and_replaced_goes_before_its_provider(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    OLD(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    OLD(world, "a", .inputs = "x=1", .provider = "p");
    SCRIPT(world, "a", .replaces = "x");
    SCRIPT(world, "default", .replaces = "region");
    SCRIPT(world, "p", .replaces = "region", .deletes_first = true);
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=2");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "end create-replacement a", "call delete a", "begin delete-replaced p");
    assert_state(world, "a p");
}

/* Their provider has left the state since. */
static void a_pending_replacement_without_a_provider_is_not_deleted_again(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1", .uses = "y:a", .provider = "p",
        .is_pending_replacement = true);
    OLD(world, "c", .inputs = "x=1", .provider = "p", .deleted_with = "a",
        .is_pending_replacement = true);
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "b", .inputs = "y=1", .uses = "y:a");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "delete-replaced a, replace a(x), create-replacement a(x), "
                        "create-replacement b, replace b, remove-pending-replace b, "
                        "remove-pending-replace c");
    assert_state(world, "a b");
}

static void what_becomes_a_component_leaves_no_views(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "v", .view_of = "a");
    GOAL(world, "a", .inputs = "x=1", .type = "pulumi:t:R", .is_component = true);
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "delete a");
    assert_state(world, "a");
}

/* Another provider has made b; that of a is deleted first. */
static void what_is_left_over_goes_before_what_it_needs(void **state)
{
    struct world *world = *state;
    OLD(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    OLD(world, "a", .id = "a-0", .provider = "p", .is_delete = true);
    OLD(world, "b", .id = "b-0", .depends_on = "a", .is_delete = true);
    OLD(world, "a", .inputs = "x=1");
    SCRIPT(world, "p", .replaces = "region", .deletes_first = true);
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=2");
    GOAL(world, "a", .inputs = "x=1");
    world_run(world);
    assert_succeeds(world);
    assert_order(world, "call delete b", "end delete b", "call delete a");
    for (size_t lines = 0; lines < world->records.len; lines++)
        world_state_after(world, lines);
    assert_state(world, "p a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(a_replacement_creates_first_and_deletes_at_the_end),
        RULE(a_replacement_counts_once),
        RULE(a_replacement_is_checked_again_without_old_inputs),
        RULE(a_replacement_gets_the_new_values_of_ignored_properties),
        RULE(a_provider_may_ask_to_delete_first),
        RULE(the_program_decides_against_the_provider_what_is_deleted_first),
        RULE(a_detailed_diff_that_replaces_needs_no_keys),
        RULE(no_change_beats_keys_that_replace),
        RULE(replace_on_changes_makes_a_change_a_replacement),
        RULE(a_star_in_replace_on_changes_means_any_change),
        RULE(replace_on_changes_looks_at_paths_of_the_detailed_diff),
        RULE(many_paths_of_replace_on_changes_find_many_changed_keys),
        RULE(a_changed_trigger_replaces_without_asking_the_provider),
        RULE(a_trigger_that_comes_or_goes_replaces_nothing),
        RULE(a_tainted_resource_is_replaced_without_diff),
        RULE(what_is_named_by_replace_is_replaced_and_others_take_part_too),
        RULE(a_replaced_component_says_why_when_its_outputs_are_registered),
        RULE(replace_with_follows_what_it_names),
        RULE(deleted_with_is_replaced_with_what_it_names),
        RULE(what_goes_with_a_deleted_first_resource_is_deleted_before_it),
        RULE(deleting_first_takes_along_dependents_that_would_be_replaced),
        RULE(a_dependent_is_asked_with_unknowns_before_it_is_deleted_first),
        RULE(a_dependent_that_was_deleted_first_is_checked_without_old_inputs),
        RULE(dependents_that_would_only_be_updated_stay),
        RULE(replace_on_changes_of_the_state_condemns_a_dependent),
        RULE(a_deleted_dependent_that_is_not_registered_again_leaves_the_state),
        RULE(resources_of_a_provider_deleted_first_go_before_it),
        RULE(what_was_read_and_goes_on_under_another_name_is_not_condemned),
        RULE(what_is_left_of_an_earlier_replacement_goes_without_its_successor),
        RULE(what_was_read_leaves_with_its_provider_and_is_not_deleted),
        RULE(what_goes_with_something_that_is_read_again_is_deleted),
        RULE(what_an_earlier_run_did_not_move_is_moved_now),
        RULE(what_is_protected_before_and_now_is_not_replaced),
        RULE(unprotecting_and_replacing_may_be_one_run),
        RULE(a_preview_shows_the_replacement_of_something_protected_and_fails),
        RULE(a_protected_dependent_forbids_deleting_first),
        RULE(ignore_protect_lets_everything_be_replaced),
        RULE(what_was_deleted_first_and_not_made_again_is_only_created),
        RULE(a_pending_replacement_without_delete_first_is_deleted_once_more),
        RULE(what_goes_on_under_another_name_is_not_condemned),
        RULE(what_is_created_again_with_the_same_id_is_not_deleted),
        RULE(what_is_left_over_goes_before_its_provider),
        RULE(what_goes_with_another_takes_along_what_it_has_made),
        RULE(what_was_read_and_replaced_goes_before_its_provider),
        RULE(a_pending_replacement_without_a_provider_is_not_deleted_again),
        RULE(what_becomes_a_component_leaves_no_views),
        RULE(what_is_left_over_goes_before_what_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
