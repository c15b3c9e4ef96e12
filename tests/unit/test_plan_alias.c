/* test_plan_alias.c — which state a registration continues: its own, one under another name, or
 * none. */
#include "unit/engine_world.h"

static void a_resource_is_found_under_its_alias(void **state)
{
    struct world *world = *state;
    OLD(world, "old", .inputs = "x=1");
    GOAL(world, "new", .inputs = "x=1", .aliases = "old");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same new");
    assert_state(world, "new");
    assert_str_equal(world_state(world, "new")->id, STR("id-old"));
}

static void an_alias_by_name_keeps_type_and_parent_of_now(void **state)
{
    struct world *world = *state;
    OLD(world, "c", .is_component = true);
    OLD(world, "old", .parent = "c");
    GOAL(world, "c", .is_component = true);
    GOAL(world, "new", .parent = "c", .alias.name = STR("old"));
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same c, same new");
}

static void an_alias_by_type_keeps_the_name(void **state)
{
    struct world *world = *state;
    OLD(world, "a", .type = "pulumi:t:Old");
    GOAL(world, "a", .type = "pulumi:t:New", .alias.type = STR("pulumi:t:Old"));
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same a");
    assert_int_equal(world->result.resource_count, 2);
}

static void an_alias_without_parent_finds_what_had_none(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    GOAL(world, "c", .is_component = true);
    GOAL(world, "a", .parent = "c", .alias.has_no_parent = true);
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create c, same a");
}

static void an_alias_by_parent_finds_what_stood_below_it(void **state)
{
    struct world *world = *state;
    OLD(world, "c", .is_component = true, .type = "pulumi:t:Box");
    OLD(world, "a", .parent = "c");
    GOAL(world, "c", .is_component = true, .type = "pulumi:t:Box");
    GOAL(world, "a", .alias_from = "c");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same c, same a");
    assert_int_equal(world_state(world, "a")->parent.len, 0);
}

static void children_follow_a_parent_that_was_found_by_alias(void **state)
{
    struct world *world = *state;
    OLD(world, "box", .is_component = true, .type = "pulumi:t:Old");
    OLD(world, "box-inner", .parent = "box");
    GOAL(world, "case", .is_component = true, .type = "pulumi:t:New", .aliases = "box");
    GOAL(world, "case-inner", .parent = "case");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same case, same case-inner");
    assert_str_equal(world_state(world, "case-inner")->id, STR("id-box-inner"));
}

/* The types of its parents are in its URN: those of e and b become the same. */
static void a_child_does_not_follow_its_parent_to_a_name_that_is_taken(void **state)
{
    struct world *world = *state;
    OLD(world, "k", .is_component = true);
    OLD(world, "e", .parent = "k");
    OLD(world, "c", .parent = "e", .protect = true);
    OLD(world, "g", .parent = "c", .protect = true);
    GOAL(world, "b");
    GOAL(world, "e", .aliases = "e");
    GOAL(world, "c", .parent = "b");
    world_run(world);
    assert_says(world, "cannot be deleted");
    assert_state(world, "b e c k c g");

    world_continue(world);
    GOAL(world, "b");
    GOAL(world, "e");
    GOAL(world, "c", .parent = "b");
    world->options.plan.ignore_protect = true;
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "b e c");
    assert_str_equal(world_state(world, "c")->id, STR("new-c"));
}

static void a_resource_under_its_own_urn_does_not_need_its_alias(void **state)
{
    struct world *world = *state;
    OLD(world, "old");
    OLD(world, "new");
    GOAL(world, "new", .aliases = "old");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same new, delete old");
    assert_str_equal(world_state(world, "new")->id, STR("id-new"));
}

static void the_first_alias_that_is_in_the_state_wins(void **state)
{
    struct world *world = *state;
    OLD(world, "one");
    OLD(world, "two");
    GOAL(world, "new", .aliases = "none two one");
    world_run(world);
    assert_succeeds(world);
    assert_str_equal(world_state(world, "new")->id, STR("id-two"));
    assert_steps(world, "same new, delete one");
}

static void an_alias_claimed_twice_is_refused(void **state)
{
    struct world *world = *state;
    OLD(world, "old");
    GOAL(world, "one", .aliases = "old");
    GOAL(world, "two", .aliases = "old");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "Duplicate resource alias");
    assert_steps(world, "same one");
}

static void an_alias_of_something_registered_is_refused(void **state)
{
    struct world *world = *state;
    OLD(world, "old");
    GOAL(world, "old");
    GOAL(world, "new", .aliases = "old");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "Duplicate resource alias");
    assert_steps(world, "same old");
}

static void a_urn_that_was_claimed_by_an_alias_is_refused(void **state)
{
    struct world *world = *state;
    OLD(world, "old");
    GOAL(world, "new", .aliases = "old");
    GOAL(world, "old");
    world_run(world);
    assert_fails_run(world);
    assert_says(world, "conflicting with alias on resource with URN");
    assert_steps(world, "same new");
}

static void references_to_an_aliased_resource_follow_it(void **state)
{
    struct world *world = *state;
    OLD(world, "old");
    OLD(world, "b", .inputs = "x=1", .uses = "x:old");
    world->options.plan.targets = world_urns(world, "new");
    GOAL(world, "new", .aliases = "old");
    world->program_fails = true; /* b is not reached */
    world_run(world);
    assert_str_equal(world_names(world, world_state(world, "b")->dependencies), STR("new"));
}

static void a_replacement_of_an_aliased_resource_deletes_the_old_urn(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "new", .replaces = "x");
    OLD(world, "old", .inputs = "x=1");
    GOAL(world, "new", .inputs = "x=2", .aliases = "old");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement new(x), replace new(x), delete-replaced old");
    assert_state(world, "new");
}

static void a_renamed_provider_keeps_its_resources(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "renamed", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    GOAL(world, "renamed", .type = "pulumi:providers:pulumi", .inputs = "region=here",
         .aliases = "prov");
    GOAL(world, "a", .provider = "renamed");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "same renamed, same a");
    assert_true(str_find(world_state(world, "a")->provider, STR("::renamed::")) != SIZE_MAX);
}

static void a_provider_that_is_renamed_and_replaced_replaces_its_resources(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "renamed", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    GOAL(world, "renamed", .type = "pulumi:providers:pulumi", .inputs = "region=there",
         .aliases = "prov");
    GOAL(world, "a", .provider = "renamed");
    world_run(world);
    assert_succeeds(world);
    assert_steps(world, "create-replacement renamed(region), replace renamed(region), "
                        "create-replacement a(provider), replace a(provider), delete-replaced a, "
                        "delete-replaced prov");
}

static void what_was_deleted_first_is_not_deleted_again_under_its_new_name(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x", .deletes_first = true);
    SCRIPT(world, "b", .replaces = "y");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "b", .inputs = "y=1 z=1", .uses = "y:a");
    GOAL(world, "a", .inputs = "x=2");
    GOAL(world, "new", .inputs = "y=1 z=2", .aliases = "b");
    world->options.plan.refresh = world->options.plan.run_program = true;
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "read a, diff a, check a, diff a, check a, diff b, delete b, delete a, "
                        "create a, check new, diff new, check new, create new");
    assert_state(world, "a new");
}

static void what_claims_the_state_of_another_is_neither_read_nor_imported(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    OLD(world, "a");
    GOAL(world, "a");
    GOAL(world, "b", .aliases = "a", .import_id = "other");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "read a, diff a, check a, diff a, check b");
    assert_state(world, "a");
}

static void what_claims_the_state_of_another_is_not_destroyed(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    OLD(world, "a");
    GOAL(world, "a");
    GOAL(world, "b", .aliases = "a");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "");
    assert_state(world, "a");
}

static void what_goes_on_under_another_name_is_not_read_under_its_own(void **state)
{
    struct world *world = *state;
    OLD(world, "a");
    GOAL(world, "new", .aliases = "a");
    GOAL(world, "a", .read_id = "other");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "check new, diff new");
    assert_state(world, "new");
}

/* Views name their owner, and have its types in their URN. */
static void views_are_known_by_the_former_name_of_their_owner(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    SCRIPT(world, "new", .view = "v");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "v", .view_of = "a");
    GOAL(world, "k", .is_component = true);
    GOAL(world, "new", .aliases = "a", .parent = "k", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_int_equal(world_call(world, "read new", 0)->view_count, 1);
    assert_int_equal(world_call(world, "update new", 0)->view_count, 1);
    assert_state(world, "k new v");
}

static void a_replacement_under_a_new_name_takes_over_the_names_of_views(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "new", .view = "v", .replaces = "x");
    SCRIPT(world, "a", .fails = "delete");
    OLD(world, "a", .inputs = "x=1");
    OLD(world, "v", .view_of = "a");
    GOAL(world, "k", .is_component = true);
    GOAL(world, "new", .aliases = "a", .parent = "k", .inputs = "x=2");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "k new v new!D v!D");
    world_continue(world);
    GOAL(world, "k", .is_component = true);
    GOAL(world, "new", .parent = "k", .inputs = "x=2");
    world_run(world);
    assert_succeeds(world);
    assert_state(world, "k new v");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(a_resource_is_found_under_its_alias),
        RULE(an_alias_by_name_keeps_type_and_parent_of_now),
        RULE(an_alias_by_type_keeps_the_name),
        RULE(an_alias_without_parent_finds_what_had_none),
        RULE(an_alias_by_parent_finds_what_stood_below_it),
        RULE(children_follow_a_parent_that_was_found_by_alias),
        RULE(a_child_does_not_follow_its_parent_to_a_name_that_is_taken),
        RULE(a_resource_under_its_own_urn_does_not_need_its_alias),
        RULE(the_first_alias_that_is_in_the_state_wins),
        RULE(an_alias_claimed_twice_is_refused),
        RULE(an_alias_of_something_registered_is_refused),
        RULE(a_urn_that_was_claimed_by_an_alias_is_refused),
        RULE(references_to_an_aliased_resource_follow_it),
        RULE(a_replacement_of_an_aliased_resource_deletes_the_old_urn),
        RULE(a_renamed_provider_keeps_its_resources),
        RULE(a_provider_that_is_renamed_and_replaced_replaces_its_resources),
        RULE(what_was_deleted_first_is_not_deleted_again_under_its_new_name),
        RULE(what_claims_the_state_of_another_is_neither_read_nor_imported),
        RULE(what_claims_the_state_of_another_is_not_destroyed),
        RULE(what_goes_on_under_another_name_is_not_read_under_its_own),
        RULE(views_are_known_by_the_former_name_of_their_owner),
        RULE(a_replacement_under_a_new_name_takes_over_the_names_of_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
