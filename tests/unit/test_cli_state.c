/* test_cli_state.c — edits of a state: moves, near misses, import files. */
#include "unit/check.h"

#include "cli/operate/import_file.h"
#include "cli/stack/state_find.h"
#include "cli/stack/state_move.h"
#include "cli/stack/urn_edit.h"
#include "model/urn.h"

#define URN(name) STR("urn:pulumi:dev::proj::a:b:C::" name)
#define ROOT STR("urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev")
#define PROVIDER STR("urn:pulumi:dev::proj::pulumi:providers:a::default")

static struct resource *resource(struct arena *arena, str urn, str parent)
{
    struct resource *made = ARENA_NEW(arena, struct resource);

    *made = (struct resource){ .urn = urn, .type = urn_type_of(urn), .parent = parent };
    made->inputs = made->outputs = VALUE_EMPTY_OBJECT;
    made->is_custom = !str_equal(made->type, ROOT_STACK_TYPE);
    made->id = made->is_custom ? STR("id") : STR("");
    return made;
}

static struct resource *depending(struct arena *arena, str urn, str on)
{
    struct resource *made = resource(arena, urn, ROOT);
    str *list = ARENA_ARRAY(arena, str, 1);

    list[0] = on;
    made->dependencies = (struct strs){ list, 1 };
    made->provider = provider_ref_format(arena, PROVIDER, STR("id"));
    return made;
}

static void a_move_takes_children_and_copies_the_provider(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource *kid =
        resource(&arena, STR("urn:pulumi:dev::proj::a:b:C$a:b:C::kid"), URN("a"));
    struct resource *list[] = { resource(&arena, ROOT, STR("")),
                                resource(&arena, PROVIDER, ROOT),
                                depending(&arena, URN("stay"), STR("")),
                                depending(&arena, URN("a"), URN("stay")),
                                kid,
                                depending(&arena, URN("left"), URN("a")) };
    struct snapshot from = { .resources = list, .resource_count = 6 }, to = { 0 };
    const str urns[] = { URN("a"), URN("nobody") };
    struct state_move move = {
        .arena = &arena,
        .from_stack = { .project = STR("proj"), .name = STR("dev") },
        .to_stack = { .project = STR("proj"), .name = STR("prod") },
        .from = &from,
        .to = &to,
        .urns = { urns, 2 },
    };

    list[2]->dependencies = (struct strs){ 0 };
    assert_ok(state_move(&move));
    assert_int_equal(move.missing.len, 1);
    assert_int_equal(move.moved.len, 2);
    assert_int_equal(from.resource_count, 4);
    assert_int_equal(from.resources[3]->dependencies.len, 0);
    assert_int_equal(to.resource_count, 4);
    assert_str_equal(to.resources[0]->urn,
                     STR("urn:pulumi:prod::proj::pulumi:pulumi:Stack::proj-prod"));
    assert_str_equal(to.resources[1]->urn,
                     STR("urn:pulumi:prod::proj::pulumi:providers:a::default"));
    assert_str_equal(to.resources[2]->provider,
                     STR("urn:pulumi:prod::proj::pulumi:providers:a::default::id"));
    assert_str_equal(to.resources[3]->parent, STR("urn:pulumi:prod::proj::a:b:C::a"));
    assert_non_null(strstr(move.left_behind.ptr, "left has a dependency on"));
    assert_non_null(
        strstr(move.cut_off.ptr, "has a dependency on urn:pulumi:dev::proj::a:b:C::stay"));
    assert_ok(snapshot_verify(&from));
    assert_ok(snapshot_verify(&to));
    state_move_release(&move);
}

static void near_misses_are_suggested(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource *list[] = { resource(&arena, ROOT, STR("")),
                                resource(&arena, URN("bucket"), ROOT) };
    struct snapshot snapshot = { .resources = list, .resource_count = 2 };
    size_t index;

    assert_ok(state_find(&snapshot, URN("bucket"), &index));
    assert_int_equal(index, 1);
    assert_fails(state_find(&snapshot, URN("buckte"), &index), ERROR_NOT_FOUND,
                 "Did you mean:\n  urn:pulumi:dev::proj::a:b:C::bucket\n");
    assert_fails(state_find(&snapshot, STR("bucket"), &index), ERROR_INVALID,
                 "is not a valid resource URN");
}

static void names_in_an_import_file_become_urns(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct stack_ref stack = { .project = STR("proj"), .name = STR("dev") };
    struct import_list list;

    assert_ok(import_file_read(
        &arena,
        STR("{\"nameTable\":{\"p\":\"urn:pulumi:dev::proj::pulumi:providers:a::p\"},\"resources\":["
            "{\"type\":\"a:b:C\",\"name\":\"kid\",\"logicalName\":\"the "
            "kid\",\"id\":\"1\",\"parent\":\"comp\","
            "\"provider\":\"p\"},{\"type\":\"x:y:Z\",\"name\":\"comp\",\"component\":true}]}"),
        stack, true, &list));
    assert_int_equal(list.specs.len, 2);
    assert_str_equal(list.specs.items[0].name, STR("the kid"));
    assert_str_equal(list.specs.items[0].parent, STR("urn:pulumi:dev::proj::x:y:Z::comp"));
    assert_str_equal(list.specs.items[0].provider,
                     STR("urn:pulumi:dev::proj::pulumi:providers:a::p"));
    assert_fails(import_file_read(
                     &arena,
                     STR("{\"resources\":[{\"type\":\"a:b:C\"},{\"name\":\"x\",\"id\":\"1\"}]}"),
                     stack, true, &list),
                 ERROR_INVALID,
                 "3 errors occurred:\n    1) resource 0 of type 'a:b:C' has no name\n    2) "
                 "resource 0 of type 'a:b:C' "
                 "has no ID\n"
                 "    3) resource 'x' has no type");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_takes_children_and_copies_the_provider),
        cmocka_unit_test(near_misses_are_suggested),
        cmocka_unit_test(names_in_an_import_file_become_urns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
