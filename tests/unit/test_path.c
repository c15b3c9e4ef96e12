/* test_path.c — property paths: text, matching, finding, changing, resetting. */
#include "unit/check.h"

#include "model/path_set.h"
#include "model/value_json.h"

static struct path parse(struct arena *arena, const char *text)
{
    struct path path = { 0 };
    assert_ok(path_parse(arena, str_from(text), &path));
    return path;
}

static struct value json(struct arena *arena, const char *text)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value value = value_null();
    json_reader_init(&reader, arena, str_from(text));
    assert_ok(value_read(&reader, &value));
    return value;
}

static void assert_json(struct value value, const char *wanted)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out };
    value_write(&writer, value, SECRET_PLAINTEXT);
    assert_str_equal(strbuf_str(&out), str_from(wanted));
}

static void assert_formats(const char *text, const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    assert_str_equal(path_format(&arena, parse(&arena, text)), str_from(wanted));
}

static void paths_have_one_written_form(void **state)
{
    (void)state;
    assert_formats("root", "root");
    assert_formats("root[\"nested\"].x", "root.nested.x");
    assert_formats("a[0][12].b", "a[0][12].b");
    assert_formats("[\"key with \\\"quotes\\\"\"][\"a.b\"]",
                   "[\"key with \\\"quotes\\\"\"][\"a.b\"]");
    assert_formats("a.[0]", "a[0]");
    assert_formats("foo-bar.$x", "[\"foo-bar\"][\"$x\"]");
    assert_formats("a.*[*]", "a[\"*\"][\"*\"]");
    assert_formats("[\"\"]", "[\"\"]");
    assert_formats("", "");
    assert_formats("h\xc3\xa9", "[\"h\xc3\xa9\"]");
}

static void what_is_no_path_is_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct path path;
    assert_fails(path_parse(&arena, STR(".a"), &path), ERROR_INVALID,
                 "expected property path to start with a name or index");
    assert_fails(path_parse(&arena, STR("a."), &path), ERROR_INVALID,
                 "expected property path to end with a name or index");
    assert_fails(path_parse(&arena, STR("a[\"b"), &path), ERROR_INVALID,
                 "missing closing quote in property name");
    assert_fails(path_parse(&arena, STR("a[\"b\""), &path), ERROR_INVALID,
                 "missing closing bracket in property access");
    assert_fails(path_parse(&arena, STR("a[1"), &path), ERROR_INVALID,
                 "missing closing bracket in array index");
    assert_fails(path_parse(&arena, STR("a[x]"), &path), ERROR_INVALID, "invalid array index");
    assert_fails(path_parse(&arena, STR("a[-1]"), &path), ERROR_INVALID, "invalid array index");
    assert_fails(path_parse(&arena, STR("a[99999999999999999999]"), &path), ERROR_INVALID,
                 "invalid array index");
}

static bool contains(const char *path, const char *other)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(path_set_release) struct path_set set = { .arena = &arena };

    path_set_add(&set, parse(&arena, path));
    return path_set_find(&set, parse(&arena, other)) == 0;
}

static void a_path_contains_what_lies_below_it(void **state)
{
    (void)state;
    assert_true(contains("foo[\"bar\"][1]", "foo.bar[1].baz"));
    assert_true(contains("a", "a"));
    assert_true(contains("*", "anything[3]"));
    assert_true(contains("foo.*.baz", "foo.bar.baz.bam"));
    assert_true(contains("l[*].p", "l[7].p"));
    assert_false(contains("t.k", "t"));
    assert_false(contains("a", "b"));
    assert_false(contains("a[1]", "a[2]"));
    assert_false(contains("a[1]", "a[\"1\"]"));
}

static size_t find_in(struct path_set *set, const char *other)
{
    return path_set_find(set, parse(set->arena, other));
}

static void a_set_finds_the_first_path_that_contains_another(void **state)
{
    static const char *const paths[] = { "t.k",  "foo[\"bar\"][1]", "foo.*.baz", "l[*].p", "l[7]",
                                         "a[1]", "foo[\"bar\"][1]", "foo",       "t.k.*" };
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(path_set_release) struct path_set set = { .arena = &arena };

    assert_true(find_in(&set, "") == SIZE_MAX);
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
        path_set_add(&set, parse(&arena, paths[i]));
    assert_int_equal(find_in(&set, "foo.bar[1].x"), 1);
    assert_int_equal(find_in(&set, "foo.bar.baz.x"), 2);
    assert_int_equal(find_in(&set, "foo.bar"), 7);
    assert_int_equal(find_in(&set, "l[7].p"), 3);
    assert_int_equal(find_in(&set, "l[7].q"), 4);
    assert_int_equal(find_in(&set, "t.k.x"), 0);
    assert_int_equal(find_in(&set, "l[*].p"), 3);
    assert_true(find_in(&set, "t") == SIZE_MAX);
    assert_true(find_in(&set, "a[2]") == SIZE_MAX);
    assert_true(find_in(&set, "a[\"1\"]") == SIZE_MAX);
    assert_true(find_in(&set, "") == SIZE_MAX);
    assert_true(find_in(&set, "*") == SIZE_MAX);
    path_set_add(&set, parse(&arena, "*"));
    assert_int_equal(find_in(&set, "a[2]"), 9);
    assert_int_equal(find_in(&set, "*"), 9);
    path_set_add(&set, parse(&arena, ""));
    assert_int_equal(find_in(&set, ""), 10);
}

/* Each path against each other would take hours. */
static void a_set_of_many_paths_answers_as_fast_as_one(void **state)
{
    enum { COUNT = 500000 };

    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(path_set_release) struct path_set set = { .arena = &arena };
    for (int i = 0; i < COUNT; i++)
        path_set_add(&set, parse(&arena, arena_printf(&arena, "o.k%d", i).ptr));
    for (int i = 0; i < COUNT; i++)
        assert_true(find_in(&set, arena_printf(&arena, "o.x%d", i).ptr) == SIZE_MAX);
}

static void finding_looks_through_secrets(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value root = json(&arena, "{\"a\":{\"b\":[1,{\"c\":2}]}}");
    struct value wrapped = value_with(&arena, root, STR("s"), value_secret(&arena, root));
    assert_true(path_find(parse(&arena, "a.b[1].c"), wrapped)->number == 2);
    assert_true(path_find(parse(&arena, "s.a.b[0]"), wrapped)->number == 1);
    assert_null(path_find(parse(&arena, "a.b[2]"), wrapped));
    assert_null(path_find(parse(&arena, "a.b.c"), wrapped));
    assert_null(path_find(parse(&arena, "a[0]"), wrapped));
    assert_null(path_find(parse(&arena, ""), wrapped));
    struct output unknown = { 0 };
    assert_null(
        path_find(parse(&arena, "x"), (struct value){ .kind = VALUE_OUTPUT, .output = &unknown }));
}

static bool reset_one(struct arena *arena, const char *path, struct value old, struct value *root)
{
    CLEANUP(path_resets_release) struct path_resets resets = { .arena = arena };

    return path_reset(&resets, parse(arena, path), old, root);
}

static void assert_reset(const char *path, const char *old, const char *new, bool is_done,
                         const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value root = json(&arena, new), before = value_copy(&arena, root);
    struct value result = root;
    assert_int_equal(reset_one(&arena, path, json(&arena, old), &result), is_done);
    assert_json(result, wanted);
    assert_true(value_equal(root, before));
}

static void resetting_takes_the_old_value_back(void **state)
{
    (void)state;
    assert_reset("a", "{\"a\":1}", "{\"a\":2,\"b\":3}", true, "{\"a\":1,\"b\":3}");
    assert_reset("a", "{}", "{\"a\":2}", true, "{}");
    assert_reset("a", "{\"a\":1}", "{}", true, "{\"a\":1}");
    assert_reset("a.b", "{\"a\":{\"b\":1}}", "{\"a\":{\"b\":2,\"c\":3}}", true,
                 "{\"a\":{\"b\":1,\"c\":3}}");
    assert_reset("l[0].p", "{\"l\":[{\"p\":1}]}", "{\"l\":[{\"p\":2},{\"p\":3}]}", true,
                 "{\"l\":[{\"p\":1},{\"p\":3}]}");
    assert_reset("l[1]", "{\"l\":[1,2]}", "{\"l\":[3,4]}", true, "{\"l\":[3,2]}");
    assert_reset("l[5]", "{\"l\":[1]}", "{\"l\":[2]}", true, "{\"l\":[2]}");
}

static void resetting_with_wildcards_covers_everything_there(void **state)
{
    (void)state;
    assert_reset("*", "{\"a\":1,\"b\":2}", "{\"b\":3,\"c\":4}", true, "{\"a\":1,\"b\":2}");
    assert_reset("l[*].q", "{\"l\":[{\"q\":1},{\"q\":2}]}", "{\"l\":[{\"q\":8},{\"q\":9}]}", true,
                 "{\"l\":[{\"q\":1},{\"q\":2}]}");
    assert_reset("l[*]", "{\"l\":[1]}", "{\"l\":[2,3]}", false, "{\"l\":[1,3]}");
    assert_reset("o.*.x", "{\"o\":{\"a\":{\"x\":1}}}", "{\"o\":{\"a\":{\"x\":2},\"b\":{\"x\":3}}}",
                 true, "{\"o\":{\"a\":{\"x\":1},\"b\":{\"x\":3}}}");
    assert_reset("o.*.x", "{\"o\":{\"a\":{\"x\":1},\"b\":{}}}", "{\"o\":{\"a\":{\"x\":2}}}", false,
                 "{\"o\":{\"a\":{\"x\":1}}}");
    assert_reset("*", "{\"a\":1}", "5", false, "5");
}

static void a_container_missing_on_one_side_is_left_alone(void **state)
{
    (void)state;
    assert_reset("a.b", "{\"a\":{\"b\":1}}", "{}", false, "{}");
    assert_reset("a.b", "{}", "{\"a\":{\"b\":2,\"c\":3}}", true, "{\"a\":{\"c\":3}}");
    assert_reset("a.b", "{}", "{}", true, "{}");
    assert_reset("l[0].p", "{\"l\":[]}", "{\"l\":[{\"p\":2}]}", false, "{\"l\":[{\"p\":2}]}");
    assert_reset("l[0]", "{\"l\":[1,2]}", "{\"l\":[]}", false, "{\"l\":[]}");
    assert_reset("l[0]", "{\"l\":1}", "{\"l\":2}", true, "{\"l\":2}");
    assert_reset("l[0]", "{\"l\":[1]}", "{\"l\":2}", false, "{\"l\":2}");
    assert_reset("a.b", "{\"a\":{\"b\":1}}", "{\"a\":7}", false, "{\"a\":7}");
}

static void what_was_secret_stays_secret(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value plain = json(&arena, "{\"a\":{\"b\":1}}"), new = json(&arena, "{\"a\":{\"b\":2}}");
    struct value old =
        value_with(&arena, plain, STR("a"), value_secret(&arena, *value_find(plain, STR("a"))));
    assert_true(reset_one(&arena, "a.b", old, &new));
    assert_int_equal(path_find(parse(&arena, "a.b"), new)->kind, VALUE_SECRET);

    struct value secret =
        value_with(&arena, plain, STR("a"), value_secret(&arena, json(&arena, "{\"b\":2}")));
    assert_true(reset_one(&arena, "a.b", old, &secret));
    assert_int_equal(value_find(secret, STR("a"))->kind, VALUE_SECRET);
    assert_true(path_find(parse(&arena, "a.b"), secret)->number == 1);

    struct value same = old;
    value_find(same, STR("a"))->secret->ciphertext = STR("kept");
    assert_true(reset_one(&arena, "a.b", old, &same));
    assert_str_equal(value_find(same, STR("a"))->secret->ciphertext, STR("kept"));
}

/* Values of others never change, whichever paths come after each other. */
static void paths_that_meet_are_reset_in_turn(void **state)
{
    static const char *const paths[] = { "a",   "a.b",  "a.new", "*.b", "l[0]",   "l[*].p", "*",
                                         "a.x", "gone", "added", "a.*", "l[1].p", "a.b" };
    CLEANUP(arena_release) struct arena arena = { 0 };
    const char *old_text = "{\"a\":{\"b\":1,\"new\":2},\"gone\":7,\"l\":[{\"p\":1},{\"p\":2}]}";
    const char *new_text = "{\"a\":{\"b\":3,\"x\":4},\"added\":5,\"l\":[{\"p\":8},{\"p\":9}]}";
    enum { COUNT = sizeof(paths) / sizeof(*paths) };

    (void)state;
    for (size_t from = 0; from < COUNT; from++) {
        CLEANUP(path_resets_release) struct path_resets resets = { .arena = &arena };
        struct value old = json(&arena, old_text), new = json(&arena, new_text);
        struct value together = new, one_by_one = new;
        for (size_t i = from; i < COUNT; i++) {
            bool is_done = path_reset(&resets, parse(&arena, paths[i]), old, &together);
            assert_int_equal(reset_one(&arena, paths[i], old, &one_by_one), is_done);
            assert_true(value_identical(together, one_by_one));
        }
        assert_true(value_identical(old, json(&arena, old_text)));
        assert_true(value_identical(new, json(&arena, new_text)));
    }
}

/* A program says how many paths there are. */
static void many_paths_cost_what_one_does(void **state)
{
    enum { COUNT = 2000 };
    static const char *const keys[] = { "k", "gone", "added", "o.k" };
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(arena_release) struct arena spent = { 0 };
    struct member olds[2 * COUNT + 2], news[2 * COUNT + 2];
    struct value items[COUNT];

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        olds[i] = (struct member){ arena_printf(&arena, "k%04d", i), value_number(1) };
        news[i] = (struct member){ olds[i].key, value_number(2) };
        olds[COUNT + i] = (struct member){ arena_printf(&arena, "gone%04d", i), value_number(1) };
        news[COUNT + i] = (struct member){ arena_printf(&arena, "added%04d", i), value_number(2) };
        items[i] = value_number(3);
    }
    struct value array = value_array(&arena, items, COUNT);
    olds[2 * COUNT] = (struct member){ STR("o"), value_object(&arena, olds, COUNT) };
    news[2 * COUNT] = (struct member){ STR("o"), value_object(&arena, news, COUNT) };
    olds[2 * COUNT + 1] = news[2 * COUNT + 1] = (struct member){ STR("l"), array };
    struct value old = value_object(&arena, olds, 2 * COUNT + 2);
    struct value new = value_object(&arena, news, 2 * COUNT + 2);

    CLEANUP(path_resets_release) struct path_resets resets = { .arena = &spent };
    for (size_t kind = 0; kind < sizeof(keys) / sizeof(*keys); kind++)
        for (int i = 0; i < COUNT; i++) {
            str text = arena_printf(&arena, "%s%04d", keys[kind], i);
            path_reset(&resets, parse(&arena, text.ptr), old, &new);
        }
    for (int i = 0; i < COUNT; i++) {
        path_reset(&resets, parse(&arena, arena_printf(&arena, "l[%d]", i).ptr), old, &new);
        path_reset(&resets, parse(&arena, "o.*"), old, &new);
        path_reset(&resets, parse(&arena, "*"), old, &new);
    }
    assert_true(value_equal(new, old));
    assert_true(spent.total < 64 * COUNT * sizeof(struct member));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_have_one_written_form),
        cmocka_unit_test(what_is_no_path_is_refused),
        cmocka_unit_test(a_path_contains_what_lies_below_it),
        cmocka_unit_test(a_set_finds_the_first_path_that_contains_another),
        cmocka_unit_test(a_set_of_many_paths_answers_as_fast_as_one),
        cmocka_unit_test(finding_looks_through_secrets),
        cmocka_unit_test(resetting_takes_the_old_value_back),
        cmocka_unit_test(resetting_with_wildcards_covers_everything_there),
        cmocka_unit_test(a_container_missing_on_one_side_is_left_alone),
        cmocka_unit_test(what_was_secret_stays_secret),
        cmocka_unit_test(paths_that_meet_are_reset_in_turn),
        cmocka_unit_test(many_paths_cost_what_one_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
