/* test_import_file.c — lists of resources to import: names that become URNs, and mistakes. */
#include "unit/check.h"

#include "cli/operate/import_file.h"

static struct error *read_list(struct arena *arena, const char *text, struct import_list *out)
{
    const struct stack_ref stack = { .name = STR("dev"), .project = STR("proj") };

    return import_file_read(arena, str_from(text), stack, true, out);
}

#define assert_refused(text, why)                                             \
    do {                                                                      \
        CLEANUP(arena_release) struct arena refused_ = { 0 };                 \
        struct import_list none_;                                             \
        assert_fails(read_list(&refused_, text, &none_), ERROR_INVALID, why); \
    } while (0)

static void parents_and_providers_become_urns(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct import_list list;

    assert_ok(read_list(
        &arena,
        "{\"nameTable\":{\"p\":\"urn:pulumi:dev::proj::pulumi:providers:x::p\"},\"resources\":["
        "{\"type\":\"x:y:Z\",\"name\":\"child\",\"id\":\"1\",\"parent\":\"top\",\"provider\":\"p\"}"
        ","
        "{\"type\":\"x:y:Top\",\"name\":\"top\",\"logicalName\":\"t\",\"component\":true}]}",
        &list));
    assert_int_equal(list.specs.len, 2);
    assert_str_equal(list.specs.items[0].parent, STR("urn:pulumi:dev::proj::x:y:Top::t"));
    assert_str_equal(list.specs.items[0].provider,
                     STR("urn:pulumi:dev::proj::pulumi:providers:x::p"));
    assert_str_equal(list.names[1], STR("top"));
    assert_true(list.specs.items[1].protect);
}

static void a_name_of_two_resources_is_no_parent(void **state)
{
    (void)state;
    assert_refused("{\"resources\":[{\"type\":\"x:y:A\",\"name\":\"a\",\"id\":\"1\"},"
                   "{\"type\":\"x:y:B\",\"name\":\"a\",\"id\":\"2\"},"
                   "{\"type\":\"x:y:C\",\"name\":\"c\",\"id\":\"3\",\"parent\":\"a\"}]}",
                   "resource 'c' of type 'x:y:C' has an ambiguous parent");
}

static void two_resources_may_not_get_one_urn(void **state)
{
    (void)state;
    assert_refused("{\"resources\":[{\"type\":\"x:y:A\",\"name\":\"a\",\"id\":\"1\"},"
                   "{\"type\":\"x:y:A\",\"name\":\"a\",\"id\":\"2\"}]}",
                   "resource 'a' of type 'x:y:A' has an ambiguous URN");
    /* Not the last of its name, either. */
    assert_refused("{\"resources\":[{\"type\":\"x:y:A\",\"name\":\"a\",\"id\":\"1\"},"
                   "{\"type\":\"x:y:B\",\"name\":\"a\",\"id\":\"2\"},"
                   "{\"type\":\"x:y:A\",\"name\":\"c\",\"logicalName\":\"a\",\"id\":\"3\"}]}",
                   "resource 'c' of type 'x:y:A' has an ambiguous URN");
    assert_refused("{\"nameTable\":{\"p\":\"urn:pulumi:dev::proj::x:y:A::a\"},"
                   "\"resources\":[{\"type\":\"x:y:A\",\"name\":\"a\",\"id\":\"1\"}]}",
                   "resource 'a' of type 'x:y:A' has an ambiguous URN");
}

static void nothing_is_its_own_ancestor(void **state)
{
    (void)state;
    assert_refused("{\"resources\":["
                   "{\"type\":\"x:y:A\",\"name\":\"a\",\"id\":\"1\",\"parent\":\"b\"},"
                   "{\"type\":\"x:y:B\",\"name\":\"b\",\"id\":\"2\",\"parent\":\"a\"}]}",
                   "resource 'a' of type 'x:y:A' is its own ancestor");
}

static void every_mistake_is_named(void **state)
{
    (void)state;
    assert_refused(
        "{\"resources\":[{\"name\":\"a\"},{\"type\":\"x:y:B\",\"id\":\"1\"}]}",
        "3 errors occurred:\n    1) resource 'a' has no type\n    2) resource 'a' has no "
        "ID\n    3) resource '1' of type 'x:y:B' has no name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_and_providers_become_urns),
        cmocka_unit_test(a_name_of_two_resources_is_no_parent),
        cmocka_unit_test(two_resources_may_not_get_one_urn),
        cmocka_unit_test(nothing_is_its_own_ancestor),
        cmocka_unit_test(every_mistake_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
