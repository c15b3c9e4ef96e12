/* test_display_property.c — how values and their changes are printed. */
#include "unit/check.h"

#include "base/json.h"
#include "display/color.h"
#include "display/detailed_diff.h"
#include "display/diff_summary.h"
#include "display/list_match.h"
#include "model/value_json.h"

#include <math.h>

static struct value from_json(struct arena *arena, str text)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value value;

    json_reader_init(&reader, arena, text);
    assert_ok(value_read_plain(&reader, &value));
    return value;
}

static str printed(struct arena *arena, const struct strbuf *text)
{
    return color_strip(arena, strbuf_str(text));
}

static void values_are_aligned_trees(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct property_printer printer = {
        .out = &out, .op = OP_CREATE, .indent = 1, .truncates = true
    };

    property_print_object(
        &printer,
        from_json(&arena, STR("{\"long\":1.5,\"a\":null,\"b\":[],\"c\":[{\"d\":\"x\\n\\\"\"}],"
                              "\"e\":{},\"__internal\":1,\"n\":12345678901234567890}")));
    assert_str_equal(printed(&arena, &out), STR("    a         : <null>\n"
                                                "    b         : []\n"
                                                "    c         : [\n"
                                                "        [0]: {\n"
                                                "            d: \"x\\n\\\"\"\n"
                                                "        }\n"
                                                "    ]\n"
                                                "    e         : {}\n"
                                                "    long      : 1.5\n"
                                                "    n         : 12345678901234567168\n"));
}

/* The state and the wire keep them, though JSON has no word for them. */
static void numbers_that_are_none_are_named(void **state)
{
    static const struct {
        double number;
        const char *shown;
    } cases[] = { { NAN, "    k: NaN\n" },
                  { INFINITY, "    k: +Inf\n" },
                  { -INFINITY, "    k: -Inf\n" } };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        CLEANUP(strbuf_release) struct strbuf out = { 0 };
        struct property_printer printer = { .out = &out, .op = OP_SAME, .indent = 1 };
        property_print_member(&printer, STR("k"), 1, value_number(cases[i].number));
        assert_str_equal(printed(&arena, &out), str_from(cases[i].shown));
    }
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct property_printer printer = {
        .out = &out, .op = OP_SAME, .indent = 1, .truncates = true
    };

    property_print_member(&printer, STR("k"), 1, value_string(STR("1\n2\n3\n4\n5")));
    assert_str_equal(printed(&arena, &out), STR("    k: \"1\\n2\\n3\\n...\"\n"));
}

static void a_change_marks_what_came_and_went(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct property_printer printer = { .out = &out, .op = OP_UPDATE, .indent = 1 };
    struct value old = from_json(
        &arena, STR("{\"a\":1,\"b\":[1,2],\"c\":{\"x\":1,\"y\":2},\"d\":\"\",\"g\":true}"));
    struct value new =
        from_json(&arena, STR("{\"a\":2,\"b\":[1,3,4],\"c\":{\"x\":1},\"d\":[1],\"h\":true}"));

    property_print_change(&printer, old, new, NULL);
    assert_str_equal(printed(&arena, &out), STR("  ~ a: 1 => 2\n"
                                                "  ~ b: [\n"
                                                "        [0]: 1\n"
                                                "      ~ [1]: 2 => 3\n"
                                                "      + [2]: 4\n"
                                                "    ]\n"
                                                "  ~ c: {\n"
                                                "        x: 1\n"
                                                "      - y: 2\n"
                                                "    }\n"
                                                "  + d: [\n"
                                                "  +     [0]: 1\n"
                                                "    ]\n"
                                                "  - g: true\n"
                                                "  + h: true\n"));
}

static void what_becomes_secret_is_hidden_on_both_sides(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct property_printer printer = { .out = &out, .op = OP_UPDATE, .indent = 1 };
    struct value old = value_string(STR("in the clear")),
                 new = value_secret(&arena, value_string(STR("hidden")));

    property_print_member_change(&printer, STR("pw"), 2, &old, &new);
    assert_str_equal(printed(&arena, &out), STR("  ~ pw: [secret] => [secret]\n"));
    strbuf_clear(&out);
    printer.shows_secrets = true;
    property_print_member_change(&printer, STR("pw"), 2, &old, &new);
    assert_str_equal(printed(&arena, &out), STR("  ~ pw: \"in the clear\" => \"hidden\"\n"));
}

static void texts_of_many_lines_are_compared_by_line(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct property_printer printer = { .out = &out, .op = OP_UPDATE, .indent = 1 };
    struct value old = value_string(STR("1\n2\n3\n4\n5")),
                 new = value_string(STR("1\n2\n3\nfour\n5"));

    property_print_member_change(&printer, STR("t"), 1, &old, &new);
    assert_str_equal(printed(&arena, &out), STR("  ~ t: \n"
                                                "        ...\n"
                                                "        2\n"
                                                "        3\n"
                                                "      - 4\n"
                                                "      + four\n"
                                                "        5\n"));
}

static struct event_step *step_with(struct arena *arena, str old, str new,
                                    const struct property_diff *diffs, size_t count)
{
    struct event_step *step = ARENA_NEW(arena, struct event_step);
    struct resource *before = ARENA_NEW(arena, struct resource),
                    *after = ARENA_NEW(arena, struct resource);

    before->inputs = from_json(arena, old);
    after->inputs = from_json(arena, new);
    *step = (struct event_step){ .op = OP_UPDATE, .old = before, .new = after };
    step->has_detailed_diff = count > 0;
    step->detailed_diff = (struct property_diffs){ diffs, count };
    return step;
}

static struct value asset_at(struct arena *arena, const char *path, const char *hash)
{
    struct asset *asset = ARENA_NEW(arena, struct asset);

    *asset = (struct asset){ .path = str_from(path), .hash = str_from(hash) };
    return (struct value){ .kind = VALUE_ASSET, .asset = asset };
}

static struct value archive_of(struct arena *arena, const char *hash, struct member *members,
                               size_t len)
{
    struct asset *asset = ARENA_NEW(arena, struct asset);

    *asset = (struct asset){ .hash = str_from(hash), .has_members = true };
    asset->members = value_object(arena, members, len);
    return (struct value){ .kind = VALUE_ARCHIVE, .asset = asset };
}

static void of_an_archive_only_the_members_that_changed_are_shown(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct property_printer printer = { .out = &out, .op = OP_UPDATE, .indent = 1 };
    struct member olds[] = { { STR_INIT("a"), asset_at(&arena, "a.txt", "aaaaaaaaa") },
                             { STR_INIT("gone"), asset_at(&arena, "g", "ggggggggg") },
                             { STR_INIT("same"), asset_at(&arena, "s", "sssssssss") } };
    struct member news[] = { { STR_INIT("a"), asset_at(&arena, "b.txt", "bbbbbbbbb") },
                             { STR_INIT("new"), asset_at(&arena, "n", "nnnnnnnnn") },
                             { STR_INIT("same"), asset_at(&arena, "s", "sssssssss") } };
    struct member old = { STR_INIT("x"), archive_of(&arena, "111111111", olds, 3) };
    struct member new = { STR_INIT("x"), archive_of(&arena, "222222222", news, 3) };

    property_print_change(&printer, value_object(&arena, &old, 1), value_object(&arena, &new, 1),
                          NULL);
    assert_str_equal(printed(&arena, &out),
                     STR("  ~ x: archive(assets:1111111->2222222) {\n"
                         "      ~ \"a\"   : asset(file:aaaaaaa->bbbbbbb) { a.txt->b.txt }\n"
                         "          - \"gone\": asset(file:ggggggg) { g }\n"
                         "          + \"new\" : asset(file:nnnnnnn) { n }\n"
                         "    }\n"));
}

static void only_the_paths_a_provider_names_are_shown(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const struct property_diff diffs[] = {
        { STR_INIT("list[10]"), DIFF_ADD, true },
        { STR_INIT("list[2].x"), DIFF_UPDATE, true },
        { STR_INIT("o.gone"), DIFF_DELETE_REPLACE, true },
        { STR_INIT("fresh.deep"), DIFF_ADD, true },
    };
    struct event_step *step = step_with(
        &arena, STR("{\"list\":[0,1,{\"x\":1}],\"o\":{\"gone\":1,\"same\":1},\"other\":1}"),
        STR("{\"list\":[0,1,{\"x\":2}],\"o\":{\"same\":1},\"other\":2,\"fresh\":{\"deep\":1}}"),
        diffs, 4);
    struct property_printer printer = { .out = &out, .op = OP_UPDATE, .indent = 1 };

    detailed_diff_print(&printer, detailed_diff_build(&arena, (struct mask){ 0 }, step, false));
    assert_str_equal(printed(&arena, &out), STR("  + fresh: {\n"
                                                "      + deep: 1\n"
                                                "    }\n"
                                                "  ~ list : [\n"
                                                "      ~ [2]: {\n"
                                                "              ~ x: 1 => 2\n"
                                                "            }\n"
                                                "      + [10]: [unknown]\n"
                                                "    ]\n"
                                                "  ~ o    : {\n"
                                                "      - gone: 1\n"
                                                "    }\n"));
    assert_str_equal(color_strip(&arena, diff_summary(&arena, step)), STR("diff: +fresh~list,o"));
}

static void hidden_paths_are_only_named(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const str hidden[] = { STR_INIT("o") };
    const struct property_diff diffs[] = { { STR_INIT("o.a"), DIFF_UPDATE, true },
                                           { STR_INIT("o.b"), DIFF_UPDATE, true } };
    struct event_step *step = step_with(&arena, STR("{\"o\":{\"a\":1,\"b\":1}}"),
                                        STR("{\"o\":{\"a\":2,\"b\":2}}"), diffs, 2);
    struct resource new = *step->new;
    struct property_printer printer = { .out = &out, .op = OP_UPDATE, .indent = 1 };

    new.options.hide_diff = (struct strs){ hidden, 1 };
    step->new = &new;
    detailed_diff_print(&printer, detailed_diff_build(&arena, (struct mask){ 0 }, step, false));
    assert_str_equal(printed(&arena, &out), STR("  ~ o (hidden)\n"));
}

static void assert_change(bool matches_lists, const char *old, const char *new, const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct property_printer printer = {
        .out = &out, .op = OP_UPDATE, .indent = 1, .matches_lists = matches_lists
    };
    struct value before = from_json(&arena, str_from(old)),
                 after = from_json(&arena, str_from(new));

    property_print_change(&printer, before, after, NULL);
    assert_str_equal(printed(&arena, &out), str_from(wanted));
}

static void lists_are_matched_element_by_element_for_people(void **state)
{
    (void)state;
    assert_change(true, "{\"l\":[\"a\",\"b\",\"c\"]}", "{\"l\":[\"z\",\"a\",\"b\",\"c\"]}",
                  "  ~ l: [\n"
                  "      + [0]: \"z\"\n"
                  "        [1]: \"a\"\n"
                  "        [2]: \"b\"\n"
                  "        [3]: \"c\"\n"
                  "    ]\n");
    assert_change(false, "{\"l\":[\"a\",\"b\"]}", "{\"l\":[\"z\",\"a\",\"b\"]}",
                  "  ~ l: [\n"
                  "      ~ [0]: \"a\" => \"z\"\n"
                  "      ~ [1]: \"b\" => \"a\"\n"
                  "      + [2]: \"b\"\n"
                  "    ]\n");
    assert_change(true, "{\"l\":[1,2,3,4]}", "{\"l\":[1,9,4]}",
                  "  ~ l: [\n"
                  "        [0]: 1\n"
                  "      ~ [1]: 2 => 9\n"
                  "      - [2]: 3\n"
                  "        [2]: 4\n"
                  "    ]\n");
}

static void objects_in_lists_are_known_by_what_they_share(void **state)
{
    (void)state;
    assert_change(true, "{\"l\":[{\"name\":\"a\",\"v\":1},{\"name\":\"b\",\"v\":1}]}",
                  "{\"l\":[{\"name\":\"b\",\"v\":2}]}",
                  "  ~ l: [\n"
                  "      - [0]: {\n"
                  "              - name: \"a\"\n"
                  "              - v   : 1\n"
                  "            }\n"
                  "      ~ [0]: {\n"
                  "                name: \"b\"\n"
                  "              ~ v   : 1 => 2\n"
                  "            }\n"
                  "    ]\n");
    assert_change(true, "{\"l\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":4}]}",
                  "{\"l\":[{\"z\":0},{\"x\":1,\"y\":5},{\"x\":3,\"y\":6}]}",
                  "  ~ l: [\n"
                  "      + [0]: {\n"
                  "              + z: 0\n"
                  "            }\n"
                  "      ~ [1]: {\n"
                  "                x: 1\n"
                  "              ~ y: 2 => 5\n"
                  "            }\n"
                  "      ~ [2]: {\n"
                  "                x: 3\n"
                  "              ~ y: 4 => 6\n"
                  "            }\n"
                  "    ]\n");
}

static void secrets_in_lists_are_hidden_on_both_sides(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct property_printer printer = {
        .out = &out, .op = OP_UPDATE, .indent = 1, .matches_lists = true
    };
    struct value plain = value_string(STR("hunter2"));
    struct value old = value_array(&arena, (struct value[]){ plain }, 1);
    struct value new = value_array(
        &arena, (struct value[]){ value_string(STR("z")), value_secret(&arena, plain) }, 2);

    property_print_member_change(&printer, STR("l"), 1, &old, &new);
    assert_str_equal(printed(&arena, &out), STR("  ~ l: [\n"
                                                "      + [0]: \"z\"\n"
                                                "      ~ [1]: [secret] => [secret]\n"
                                                "    ]\n"));
}

/* The elements that an alignment keeps are those of both, in order. */
static void long_lists_are_compared_by_place(void **state)
{
    (void)state;
    enum { LEN = 400 };
    struct value olds[LEN], news[LEN];
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct list_pairs pairs = { 0 };

    for (size_t i = 0; i < LEN; i++) {
        olds[i] = value_number((double)i);
        news[i] = value_number((double)i + 1000);
    }
    list_match(value_array(&arena, olds, LEN), value_array(&arena, news, LEN), &pairs);
    assert_int_equal(pairs.len, LEN);
    for (size_t i = 0; i < LEN; i++)
        assert_true(pairs.items[i].old == i && pairs.items[i].new == i);
    vec_release(&pairs);
}

static void texts_that_hold_yaml_or_json_are_compared_as_that(void **state)
{
    (void)state;
    assert_change(false, "{\"t\":\"a: 1\\nb:\\n  - x\\n\"}", "{\"t\":\"a: 2\\nb:\\n  - x\\n\"}",
                  "  ~ t: (yaml) {\n"
                  "      ~ a: 1 => 2\n"
                  "        b: [\n"
                  "            [0]: \"x\"\n"
                  "        ]\n"
                  "    }\n");
    assert_change(false, "{\"t\":\"{\\\"a\\\":1}\"}", "{\"t\":\"a: 1\\nb: 2\\n\"}",
                  "  ~ t: (json => yaml) {\n"
                  "        a: 1\n"
                  "      + b: 2\n"
                  "    }\n");
    assert_change(false, "{\"t\":\"a: 1\\nb: 2\"}", "{\"t\":\"a:  1\\nb:  2\"}",
                  "  ~ t: \"a: 1\\nb: 2\" => \"a:  1\\nb:  2\"\n");
    assert_change(false, "{\"t\":\"one: line\"}", "{\"t\":\"one: other\"}",
                  "  ~ t: \"one: line\" => \"one: other\"\n");
    assert_change(false, "{\"t\":\"a: 1\\n---\\nb: 2\"}", "{\"t\":\"a: 1\\n---\\nb: 3\"}",
                  "  ~ t: \n"
                  "        a: 1\n"
                  "        ---\n"
                  "      - b: 2\n"
                  "      + b: 3\n");
}

static void a_list_in_which_something_was_inserted_shows_just_that(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    const struct property_diff diffs[] = { { STR_INIT("l[0]"), DIFF_UPDATE, true },
                                           { STR_INIT("l[1]"), DIFF_UPDATE, true },
                                           { STR_INIT("l[2]"), DIFF_ADD, true } };
    struct event_step *step = step_with(&arena, STR("{\"l\":[\"a\",\"b\"]}"),
                                        STR("{\"l\":[\"z\",\"a\",\"b\"]}"), diffs, 3);
    struct property_printer printer = {
        .out = &out, .op = OP_UPDATE, .indent = 1, .matches_lists = true
    };

    detailed_diff_print(&printer, detailed_diff_build(&arena, (struct mask){ 0 }, step, false));
    assert_str_equal(printed(&arena, &out), STR("  ~ l: [\n"
                                                "      + [0]: \"z\"\n"
                                                "    ]\n"));
}

static void the_properties_that_force_a_replacement_are_named(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    const str keys[] = { STR_INIT("name"), STR_INIT("size") };
    struct event_step step = { .op = OP_REPLACE, .keys = { keys, 1 } };

    assert_str_equal(replacement_reason(&arena, &step), STR("name forces replacement"));
    step.keys.len = 2;
    assert_str_equal(replacement_reason(&arena, &step), STR("name, size force replacement"));
    step.op = OP_UPDATE;
    assert_str_equal(replacement_reason(&arena, &step), STR(""));
    step = (struct event_step){ .op = OP_REPLACE };
    assert_str_equal(replacement_reason(&arena, &step), STR(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_aligned_trees),
        cmocka_unit_test(numbers_that_are_none_are_named),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(a_change_marks_what_came_and_went),
        cmocka_unit_test(what_becomes_secret_is_hidden_on_both_sides),
        cmocka_unit_test(texts_of_many_lines_are_compared_by_line),
        cmocka_unit_test(of_an_archive_only_the_members_that_changed_are_shown),
        cmocka_unit_test(only_the_paths_a_provider_names_are_shown),
        cmocka_unit_test(hidden_paths_are_only_named),
        cmocka_unit_test(lists_are_matched_element_by_element_for_people),
        cmocka_unit_test(objects_in_lists_are_known_by_what_they_share),
        cmocka_unit_test(secrets_in_lists_are_hidden_on_both_sides),
        cmocka_unit_test(long_lists_are_compared_by_place),
        cmocka_unit_test(texts_that_hold_yaml_or_json_are_compared_as_that),
        cmocka_unit_test(a_list_in_which_something_was_inserted_shows_just_that),
        cmocka_unit_test(the_properties_that_force_a_replacement_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
