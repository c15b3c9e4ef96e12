/* test_diff.c — structural difference of two objects. */
#include "unit/check.h"

#include "model/diff.h"
#include "model/value_json.h"

static struct value json(struct arena *arena, const char *text)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value value = value_null();
    json_reader_init(&reader, arena, str_from(text));
    assert_ok(value_read(&reader, &value));
    return value;
}

static str rendered(struct arena *arena, struct property_diffs diffs)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    for (size_t i = 0; i < diffs.len; i++) {
        assert_true(diffs.items[i].is_input);
        strbuf_printf(&out, "%s%s ", i ? " " : "", diff_kind_names[diffs.items[i].kind]);
        strbuf_add(&out, diffs.items[i].path);
    }
    return arena_copy(arena, strbuf_str(&out));
}

static void assert_diff(const char *old, const char *new, const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    assert_str_equal(rendered(&arena, value_diff(&arena, json(&arena, old), json(&arena, new))),
                     str_from(wanted));
}

static void equal_objects_have_no_difference(void **state)
{
    (void)state;
    assert_diff("{}", "{}", "");
    assert_diff("null", "{}", "");
    assert_diff("{\"a\":[1,{\"b\":2}]}", "{\"a\":[1,{\"b\":2}]}", "");
    assert_diff("{\"a\":null}", "{\"b\":null}", "");
}

static void leaves_are_told_by_their_path(void **state)
{
    (void)state;
    assert_diff("{\"o\":{\"a\":[1,2],\"b\":{\"c\":1}}}", "{\"o\":{\"a\":[1,3],\"b\":{\"c\":2}}}",
                "update o.a[1] update o.b.c");
    assert_diff("{\"a\":1}", "{\"b\":{\"c\":1}}", "delete a add b");
    assert_diff("{\"a\":[1]}", "{\"a\":[1,2,3]}", "add a[1] add a[2]");
    assert_diff("{\"a\":[1,null]}", "{\"a\":[1]}", "delete a[1]");
    assert_diff("{\"a\":null}", "{\"a\":1}", "add a");
    assert_diff("{\"a\":[1]}", "{\"a\":null}", "delete a");
    assert_diff("{\"a\":[null]}", "{\"a\":[1]}", "add a[0]");
    assert_diff("{\"a\":[1]}", "{\"a\":{\"b\":1}}", "update a");
    assert_diff("{\"x.y\":{\"z\":1}}", "{\"x.y\":{\"z\":2}}", "update [\"x.y\"].z");
}

static void paths_come_in_order(void **state)
{
    (void)state;
    assert_diff("{\"b\":1,\"a\":{\"z\":1,\"c\":1}}", "{\"b\":2,\"a\":{\"z\":2,\"c\":2}}",
                "update a.c update a.z update b");
}

static void internal_members_count_only_for_the_engine(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value old = json(&arena, "{\"__defaults\":[],\"a\":{\"__b\":1}}"),
                 new = json(&arena, "{\"__defaults\":[\"a\"],\"a\":{\"__b\":2}}");
    assert_str_equal(rendered(&arena, value_diff(&arena, old, new)), STR("update a.__b"));
    assert_str_equal(rendered(&arena, value_diff_all(&arena, old, new)),
                     STR("add __defaults[0] update a.__b"));
}

static void secrets_are_compared_as_wholes(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value old =
        value_with(&arena, value_null(), STR("s"), value_secret(&arena, json(&arena, "{\"a\":1}")));
    struct value new =
        value_with(&arena, value_null(), STR("s"), value_secret(&arena, json(&arena, "{\"a\":2}")));
    assert_str_equal(rendered(&arena, value_diff(&arena, old, new)), STR("update s"));
    assert_str_equal(rendered(&arena, value_diff(&arena, value_without_secrets(&arena, old),
                                                 value_without_secrets(&arena, new))),
                     STR("update s.a"));
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(diff_kind_names[DIFF_UPDATE_REPLACE], "update-replace");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_objects_have_no_difference),
        cmocka_unit_test(leaves_are_told_by_their_path),
        cmocka_unit_test(paths_come_in_order),
        cmocka_unit_test(internal_members_count_only_for_the_engine),
        cmocka_unit_test(secrets_are_compared_as_wholes),
        cmocka_unit_test(kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
