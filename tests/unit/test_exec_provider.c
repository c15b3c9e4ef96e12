/* test_exec_provider.c — what becomes of resources whose provider failed, or was replaced. */
#include "unit/engine_world.h"

static void what_stays_stays_behind_its_provider_that_failed(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "prov", .fails = "configure");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    world->options.plan.excludes = world_urns(world, "a");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "b");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "b prov a");
}

static void what_has_a_provider_that_failed_is_skipped(void **state)
{
    struct world *world = *state;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "prov", .fails = "configure", .times = 1);
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    GOAL(world, "a", .provider = "prov");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "prov a");
}

/* a is protected, and was made by the instance of its provider that is to go. */
static void what_is_protected_keeps_its_provider_that_was_replaced(void **state)
{
    struct world *world = *state;
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .id = "id-new");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .is_delete = true);
    OLD(world, "a", .provider = "prov", .protect = true);
    GOAL(world, "prov", .type = "pulumi:providers:pulumi");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "prov prov!D a");
}

static void what_is_protected_keeps_its_provider_that_was_refreshed_and_replaced(void **state)
{
    struct world *world = *state;
    world->options.plan.refresh = world->options.plan.run_program = true;
    SCRIPT(world, "prov", .replaces = "region");
    OLD(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=here");
    OLD(world, "a", .provider = "prov", .protect = true);
    GOAL(world, "prov", .type = "pulumi:providers:pulumi", .inputs = "region=there");
    world_run(world);
    assert_fails_run(world);
    assert_state(world, "prov!D prov a");
}

static void a_destroy_with_its_program_leaves_what_has_a_provider_that_failed(void **state)
{
    struct world *world = *state;
    world->options.kind = OPERATION_DESTROY;
    world->options.plan.run_program = true;
    world->options.plan.continue_on_error = true;
    SCRIPT(world, "prov", .fails = "configure");
    OLD(world, "a");
    OLD(world, "b");
    GOAL(world, "prov", .type = "pulumi:providers:pulumi");
    GOAL(world, "a", .provider = "prov");
    GOAL(world, "b", .depends_on = "a");
    world_run(world);
    assert_fails_run(world);
    assert_calls(world, "configure prov");
    assert_state(world, "a b");
}

static void a_provider_that_cannot_be_configured_is_tried_again(void **state)
{
    struct world *world = *state;
    world->hooks = "retry";
    world->retries = 2;
    OLD(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=1");
    SCRIPT(world, "p", .fails = "configure", .times = 1);
    SCRIPT(world, "q", .fails = "configure", .times = 1);
    GOAL(world, "p", .type = "pulumi:providers:pulumi", .inputs = "region=2",
         .hooks[HOOK_ON_ERROR] = "retry");
    GOAL(world, "q", .type = "pulumi:providers:pulumi", .hooks[HOOK_ON_ERROR] = "retry");
    world_run(world);
    assert_succeeds(world);
    assert_calls(world, "diff-config p, configure p, configure p, configure q, configure q");
    assert_state(world, "p q");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RULE(what_stays_stays_behind_its_provider_that_failed),
        RULE(what_has_a_provider_that_failed_is_skipped),
        RULE(what_is_protected_keeps_its_provider_that_was_replaced),
        RULE(what_is_protected_keeps_its_provider_that_was_refreshed_and_replaced),
        RULE(a_destroy_with_its_program_leaves_what_has_a_provider_that_failed),
        RULE(a_provider_that_cannot_be_configured_is_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
