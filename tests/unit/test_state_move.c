/* test_state_move.c — resources that go from one state to another. */
#include "unit/check.h"

#include "cli/stack/state_move.h"
#include "model/value.h"
#include "model/value_ops.h"

#define ROOT "urn:pulumi:here::proj::pulumi:pulumi:Stack::proj-here"
#define PROVIDER "urn:pulumi:here::proj::pulumi:providers:x::p"
#define URN(stack, name) "urn:pulumi:" stack "::proj::x:y:Z::" name

static struct resource state_of(const char *urn, const char *id)
{
    return (struct resource){
        .urn = str_from(urn),
        .type = STR("x:y:Z"),
        .is_custom = true,
        .id = str_from(id),
        .parent = STR(ROOT),
        .provider = STR(PROVIDER "::1"),
        .inputs = VALUE_EMPTY_OBJECT,
        .outputs = VALUE_EMPTY_OBJECT,
    };
}

/* A stack with `a`, which is being replaced, and `b`; and an empty one. */
struct states {
    struct arena arena;
    struct resource root, provider, a, old_a, b;
    struct resource *here[5];
    struct value configured; /* inputs of the provider */
    struct snapshot from, to;
    struct state_move move;
};

static void states_release(struct states *states)
{
    state_move_release(&states->move);
    arena_release(&states->arena);
}

static struct error *move_urns(struct states *states, const str *urns, size_t count)
{
    states->root = state_of(ROOT, "");
    states->root.type = STR("pulumi:pulumi:Stack");
    states->root.parent = states->root.provider = STR("");
    states->root.is_custom = false;
    states->provider = state_of(PROVIDER, "1");
    states->provider.type = STR("pulumi:providers:x");
    states->provider.provider = STR("");
    if (states->configured.kind == VALUE_OBJECT)
        states->provider.inputs = states->configured;
    states->a = state_of(URN("here", "a"), "new");
    states->b = state_of(URN("here", "b"), "b");
    states->old_a = state_of(URN("here", "a"), "old");
    states->old_a.is_delete = true;
    struct resource *here[] = { &states->root, &states->provider, &states->a, &states->b,
                                &states->old_a };
    memcpy(states->here, here, sizeof(here));
    states->from = (struct snapshot){ .resources = states->here, .resource_count = 5 };
    states->move = (struct state_move){
        .arena = &states->arena,
        .from_stack = { .name = STR("here"), .project = STR("proj") },
        .to_stack = { .name = STR("there"), .project = STR("proj") },
        .from = &states->from,
        .to = &states->to,
        .urns = { urns, count },
    };
    return state_move(&states->move);
}

static void a_resource_goes_with_its_provider(void **state)
{
    (void)state;
    CLEANUP(states_release) struct states states = { 0 };
    const str urns[] = { STR_INIT(URN("here", "b")), STR_INIT(URN("here", "nope")) };

    assert_ok(move_urns(&states, urns, 2));
    assert_int_equal(states.from.resource_count, 4);
    assert_int_equal(states.to.resource_count, 3);
    assert_str_equal(states.to.resources[1]->urn,
                     STR("urn:pulumi:there::proj::pulumi:providers:x::p"));
    assert_str_equal(states.to.resources[2]->urn, STR(URN("there", "b")));
    assert_str_equal(states.to.resources[2]->provider,
                     STR("urn:pulumi:there::proj::pulumi:providers:x::p::1"));
    assert_int_equal(states.move.missing.len, 1);
}

static void a_resource_that_is_being_replaced_goes_with_both_its_states(void **state)
{
    (void)state;
    CLEANUP(states_release) struct states states = { 0 };
    const str urns[] = { STR_INIT(URN("here", "a")) };

    assert_ok(move_urns(&states, urns, 1));
    assert_int_equal(states.from.resource_count, 3);
    assert_int_equal(states.to.resource_count, 4);
    assert_str_equal(states.to.resources[2]->id, STR("new"));
    assert_false(states.to.resources[2]->is_delete);
    assert_str_equal(states.to.resources[3]->id, STR("old"));
    assert_true(states.to.resources[3]->is_delete);
    assert_int_equal(states.move.moved.len, 2);
}

static void a_provider_that_both_have_shares_no_secret(void **state)
{
    (void)state;
    CLEANUP(states_release) struct states states = { 0 };
    const str urns[] = { STR_INIT(URN("here", "b")) };
    struct value secret = value_secret(&states.arena, value_string(STR("hush")));

    states.configured = value_with(&states.arena, VALUE_EMPTY_OBJECT, STR("s"), secret);
    assert_ok(move_urns(&states, urns, 1));
    secret.secret->ciphertext = STR("sealed for one");
    assert_int_equal(value_find(states.to.resources[1]->inputs, STR("s"))->secret->ciphertext.len,
                     0);
}

static void a_name_that_the_destination_has_is_refused(void **state)
{
    (void)state;
    CLEANUP(states_release) struct states states = { 0 };
    const str urns[] = { STR_INIT(URN("here", "b")) };
    struct resource there = state_of(URN("there", "b"), "other");
    struct resource *list[] = { &there };

    states.to = (struct snapshot){ .resources = list, .resource_count = 1 };
    assert_fails(move_urns(&states, urns, 1), ERROR_EXISTS,
                 "resource urn:pulumi:there::proj::x:y:Z::b already exists in destination stack");
}

/* A component that makes its own provider, which both it and its child have. */
static void a_provider_below_what_goes_is_there_on_both_sides(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource root = state_of(ROOT, ""), component = state_of(URN("here", "c"), "");
    struct resource provider = state_of("urn:pulumi:here::proj::x:y:Z$pulumi:providers:x::q", "1");
    struct resource child = state_of("urn:pulumi:here::proj::x:y:Z$x:y:Z::d", "d");
    struct resource *here[] = { &root, &component, &provider, &child };
    struct snapshot from = { .resources = here, .resource_count = 4 }, to = { 0 };
    const str urns[] = { STR_INIT(URN("here", "c")) };
    CLEANUP(state_move_release)
    struct state_move move = { .arena = &arena,
                               .from_stack = { .name = STR("here"), .project = STR("proj") },
                               .to_stack = { .name = STR("there"), .project = STR("proj") },
                               .from = &from,
                               .to = &to,
                               .urns = { urns, 1 } };

    root.type = STR("pulumi:pulumi:Stack");
    root.is_custom = component.is_custom = false;
    root.parent = root.provider = component.provider = provider.provider = STR("");
    provider.type = STR("pulumi:providers:x");
    provider.parent = child.parent = component.urn;
    child.provider = STR("urn:pulumi:here::proj::x:y:Z$pulumi:providers:x::q::1");
    assert_ok(state_move(&move));
    assert_ok(snapshot_verify(&from));
    assert_ok(snapshot_verify(&to));
    assert_int_equal(from.resource_count, 2);
    assert_str_equal(from.resources[1]->parent, STR(ROOT));
    assert_int_equal(to.resource_count, 4);
    assert_str_equal(to.resources[1]->urn, STR(URN("there", "c")));
    assert_str_equal(to.resources[2]->parent, STR(URN("there", "c")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resource_goes_with_its_provider),
        cmocka_unit_test(a_resource_that_is_being_replaced_goes_with_both_its_states),
        cmocka_unit_test(a_provider_that_both_have_shares_no_secret),
        cmocka_unit_test(a_name_that_the_destination_has_is_refused),
        cmocka_unit_test(a_provider_below_what_goes_is_there_on_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
