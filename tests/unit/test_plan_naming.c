/* test_plan_naming.c — autonaming: which name the configuration proposes to a provider. */
#include "unit/engine_world.h"

/* Runs a program of one resource "a" under this configuration; gives what Check was told. */
static const struct call *name_with(struct world *world, const char *config)
{
    struct config_fact *fact = ARENA_NEW(&world->arena, struct config_fact);
    *fact = (struct config_fact){ .key = STR("pulumi:autonaming"),
                                  .text = secret_hide(str_from(config)) };
    world->config = (struct config_facts){ fact, 1 };
    world->supports_autonaming = true;
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    return world_call(world, "check a", 0);
}

static void without_configuration_nothing_is_proposed(void **state)
{
    struct world *world = *state;
    world->supports_autonaming = true;
    GOAL(world, "a");
    world_run(world);
    assert_false(world_call(world, "check a", 0)->has_autonaming);
}

static void verbatim_enforces_the_name_of_the_resource(void **state)
{
    const struct call *call = name_with(*state, "{\"mode\":\"verbatim\"}");
    assert_true(call->has_autonaming);
    assert_int_equal(call->autonaming_mode, AUTONAMING_ENFORCE);
    assert_str_equal(call->proposed_name, STR("a"));
}

static void disabled_leaves_naming_to_nobody(void **state)
{
    const struct call *call = name_with(*state, "{\"mode\":\"disabled\"}");
    assert_true(call->has_autonaming);
    assert_int_equal(call->autonaming_mode, AUTONAMING_DISABLE);
}

static void a_pattern_is_expanded_and_proposed(void **state)
{
    const struct call *call =
        name_with(*state, "{\"pattern\":\"${project}-${stack}-${name}-${hex(4)}\"}");
    assert_int_equal(call->autonaming_mode, AUTONAMING_PROPOSE);
    assert_int_equal(call->proposed_name.len, 12);
    assert_true(str_starts_with(call->proposed_name, STR("p-dev-a-")));
}

static void a_pattern_may_be_enforced(void **state)
{
    const struct call *call = name_with(*state, "{\"pattern\":\"x-${name}\",\"enforce\":true}");
    assert_int_equal(call->autonaming_mode, AUTONAMING_ENFORCE);
    assert_str_equal(call->proposed_name, STR("x-a"));
}

static void a_section_of_the_provider_wins(void **state)
{
    const struct call *call = name_with(
        *state,
        "{\"mode\":\"disabled\",\"providers\":{\"pulumi\":{\"pattern\":\"prov-${name}\"}}}");
    assert_str_equal(call->proposed_name, STR("prov-a"));
}

static void a_section_of_the_resource_type_wins_over_that(void **state)
{
    const struct call *call =
        name_with(*state, "{\"providers\":{\"pulumi\":{\"mode\":\"disabled\",\"resources\":{"
                          "\"pulumi:t:R\":{\"pattern\":\"type-${name}\"}}}}}");
    assert_str_equal(call->proposed_name, STR("type-a"));
}

static void a_provider_without_support_is_told_nothing(void **state)
{
    struct world *world = *state;
    const struct config_fact fact[] = { { .key = STR("pulumi:autonaming"),
                                          .text = secret_hide(STR("{\"mode\":\"verbatim\"}")) } };
    world->config = (struct config_facts){ fact, 1 };
    GOAL(world, "a");
    world_run(world);
    assert_succeeds(world);
    assert_false(world_call(world, "check a", 0)->has_autonaming);
}

static void a_name_without_anything_random_makes_replacements_delete_first(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    name_with(world, "{\"pattern\":\"${name}\"}");
    assert_steps(world, "delete-replaced a, replace a(x), create-replacement a(x)");
}

static void a_name_with_something_random_lets_replacements_create_first(void **state)
{
    struct world *world = *state;
    SCRIPT(world, "a", .replaces = "x");
    OLD(world, "a", .inputs = "x=1");
    name_with(world, "{\"pattern\":\"${name}-${hex(8)}\"}");
    assert_steps(world, "create-replacement a(x), replace a(x), delete-replaced a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(without_configuration_nothing_is_proposed),
        RULE(verbatim_enforces_the_name_of_the_resource),
        RULE(disabled_leaves_naming_to_nobody),
        RULE(a_pattern_is_expanded_and_proposed),
        RULE(a_pattern_may_be_enforced),
        RULE(a_section_of_the_provider_wins),
        RULE(a_section_of_the_resource_type_wins_over_that),
        RULE(a_provider_without_support_is_told_nothing),
        RULE(a_name_without_anything_random_makes_replacements_delete_first),
        RULE(a_name_with_something_random_lets_replacements_create_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
