/* test_resource.c — lists of texts and property dependencies. */
#include "unit/check.h"

#include "model/resource.h"

#define LIST(...)                                 \
    ((struct strs){ (const str[]){ __VA_ARGS__ }, \
                    sizeof((const str[]){ __VA_ARGS__ }) / sizeof(str) })

static void order_matters_to_lists_but_not_to_sets(void **state)
{
    (void)state;
    struct strs ab = LIST(STR("a"), STR("b")), ba = LIST(STR("b"), STR("a")),
                aa = LIST(STR("a"), STR("a"));
    assert_false(strs_equal(ab, ba));
    assert_true(strs_equal_set(ab, ba));
    assert_false(strs_equal_set(ab, aa));
    assert_true(strs_equal((struct strs){ 0 }, (struct strs){ 0 }));
    assert_true(strs_has(ab, STR("b")));
    assert_false(strs_has(ab, STR("c")));
}

static void a_union_keeps_the_first_occurrence(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct strs both =
        strs_union(&arena, LIST(STR("b"), STR("a"), STR("b")), LIST(STR("c"), STR("a")));
    assert_true(strs_equal(both, LIST(STR("b"), STR("a"), STR("c"))));
    assert_true(strs_equal(strs_sorted(&arena, both), LIST(STR("a"), STR("b"), STR("c"))));
    assert_int_equal(strs_union(&arena, (struct strs){ 0 }, (struct strs){ 0 }).len, 0);
}

static void a_copied_list_outlives_its_texts(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct arena short_lived = { 0 };
    str item = arena_copy(&short_lived, STR("gone"));
    struct strs copy = strs_copy(&arena, (struct strs){ &item, 1 });
    arena_release(&short_lived);
    assert_true(strs_equal(copy, LIST(STR("gone"))));
}

static void property_dependencies_are_found_by_key(void **state)
{
    (void)state;
    struct property_dependency items[] = { { STR("a"), LIST(STR("u1")) },
                                           { STR("b"), { 0 } },
                                           { STR("d"), LIST(STR("u2")) } };
    struct property_dependencies list = { items, 3 };
    assert_str_equal(property_dependencies_find(list, STR("d"))->items[0], STR("u2"));
    assert_int_equal(property_dependencies_find(list, STR("b"))->len, 0);
    assert_null(property_dependencies_find(list, STR("c")));
}

static void the_values_of_a_resource_are_inputs_outputs_and_options(void **state)
{
    (void)state;
    struct resource resource = { .inputs = VALUE_EMPTY_OBJECT, .outputs = VALUE_EMPTY_OBJECT };
    size_t cursor = 0;

    resource.options.replacement_trigger = value_bool(true);
    assert_ptr_equal(resource_next_value(&resource, &cursor), &resource.inputs);
    assert_ptr_equal(resource_next_value(&resource, &cursor), &resource.outputs);
    assert_ptr_equal(resource_next_value(&resource, &cursor),
                     &resource.options.replacement_trigger);
    assert_null(resource_next_value(&resource, &cursor));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_matters_to_lists_but_not_to_sets),
        cmocka_unit_test(a_union_keeps_the_first_occurrence),
        cmocka_unit_test(a_copied_list_outlives_its_texts),
        cmocka_unit_test(property_dependencies_are_found_by_key),
        cmocka_unit_test(the_values_of_a_resource_are_inputs_outputs_and_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
