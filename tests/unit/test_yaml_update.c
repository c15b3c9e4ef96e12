/* test_yaml_update.c — changes go into the text and leave the rest of it alone. */
#include "unit/check.h"

#include "base/yaml.h"

/* Both texts as trees; the first one's text updated to mean the second. */
static void assert_updated(const char *text, const char *meaning, const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct yaml_node *old, *new, *again;

    assert_ok(yaml_read(&arena, str_from(text), &old));
    assert_ok(yaml_read(&arena, str_from(meaning), &new));
    str result = yaml_update(&arena, str_from(text), old, new);
    assert_str_equal(result, str_from(wanted));
    assert_ok(yaml_read(&arena, result, &again));
    assert_true(yaml_equal(again, new));
}

static void nothing_changes_where_nothing_changed(void **state)
{
    (void)state;
    assert_updated("# c\na:   'x'  # d\n\nb: {c: 1}\n", "{b: {c: 0x1}, a: x}",
                   "# c\na:   'x'  # d\n\nb: {c: 1}\n");
}

static void a_scalar_is_replaced_in_place(void **state)
{
    (void)state;
    assert_updated("a: 1 # one\nb: 'two' # two\nc:   3\n", "{a: 5, b: 'two', c: 3}",
                   "a: 5 # one\nb: 'two' # two\nc:   3\n");
    assert_updated("a:\nb: 2\n", "{a: x, b: 2}", "a: x\nb: 2\n");
    assert_updated("a: # why\nb: 2\n", "{a: x, b: 2}", "a: x # why\nb: 2\n");
    assert_updated("a: |-\n  one\n  two\n\nb: 2\n", "{a: x, b: 2}", "a: x\n\nb: 2\n");
    assert_updated("a: 1", "{a: 2}", "a: 2");
}

static void a_block_takes_the_place_of_a_scalar_and_back(void **state)
{
    (void)state;
    assert_updated("a: 1 # one\nb: 2\n", "{a: \"x\\ny\", b: 2}", "a: \"x\\ny\" # one\nb: 2\n");
    assert_updated("x:\n  a: 1 # one\n  b: 2\n", "x:\n  a:\n    c: 3\n    d: [4]\n  b: 2\n",
                   "x:\n  a: # one\n    c: 3\n    d: [4]\n  b: 2\n");
    assert_updated("a: # one\n  c: 3\n  d: 4 # four\nb: 2\n", "{a: 1, b: 2}",
                   "a: 1 # four\nb: 2\n");
    assert_updated("a: 1 # one\nb: 2\n", "a: |-\n  x\n  y\nb: 2\n",
                   "a: |- # one\n  x\n  y\nb: 2\n");
}

static void new_keys_go_to_the_end_of_their_map(void **state)
{
    (void)state;
    assert_updated("config:\n  a: 1 # one\n# foot\nz: 1\n", "config: {a: 1, b: 2}\nz: 1\n",
                   "config:\n  a: 1 # one\n  b: 2\n# foot\nz: 1\n");
    assert_updated("config:\n    a: 1", "config: {a: 1, b: 2}\nz: 1\n",
                   "config:\n    a: 1\n    b: 2\nz: 1");
    assert_updated("a:\n  b:\n    c: |\n      text\nz: 1\n",
                   "a: {b: {c: \"text\\n\", d: 1}, e: 2}\nz: 1\n",
                   "a:\n  b:\n    c: |\n      text\n    d: 1\n  e: 2\nz: 1\n");
    assert_updated("# only a comment", "a:\n  b: 1\n", "# only a comment\na:\n  b: 1\n");
    assert_updated("", "a: 1\n", "a: 1\n");
}

static void a_removed_key_takes_the_comments_above_it_along(void **state)
{
    (void)state;
    assert_updated("# head\n\n# of a\na: 1 # one\n# of b\nb:\n  c: 2\n\n# of d\nd: 3\n",
                   "{b: {c: 2}, d: 3}", "# head\n\n# of b\nb:\n  c: 2\n\n# of d\nd: 3\n");
    assert_updated("# of a\na: 1\n# of b\nb:\n  c: 2\n\nd: 3\n", "{a: 1, d: 3}",
                   "# of a\na: 1\n\nd: 3\n");
    assert_updated("a:\n  b: 1\n", "a: {}\n", "a: {}\n");
    assert_updated("a: 1\nb: 2", "a: 1\n", "a: 1\n");
}

static void sequences_are_matched_item_by_item(void **state)
{
    (void)state;
    assert_updated("l:\n  - a # one\n  - b\n", "l: [a, c]\n", "l:\n  - a # one\n  - c\n");
    assert_updated("l:\n- a\n- b # two\nz: 1\n", "l: [a, b, c, {d: 1, e: 2}]\nz: 1\n",
                   "l:\n- a\n- b # two\n- c\n- {d: 1, e: 2}\nz: 1\n");
    assert_updated("l:\n  - a # one\n  - b\n  - c\nz: 1\n", "l: [a]\nz: 1\n",
                   "l:\n  - a # one\nz: 1\n");
    assert_updated("l:\n  - x: 1 # c\n    y: 2\n  - b\n", "l: [{x: 1, y: 3, z: 4}, b]\n",
                   "l:\n  - x: 1 # c\n    y: 3\n    z: 4\n  - b\n");
    assert_updated("l:\n  - x: 1\n    y: 2\n", "l:\n  - y: 2\n", "l:\n  - y: 2\n");
    assert_updated("l:\n  - a\n", "l:\n  - b: 1\n    c: 2\n", "l:\n  - b: 1\n    c: 2\n");
    assert_updated("l:\n  -\n  - b\n", "l: [a, b]\n", "l:\n  - a\n  - b\n");
}

static void flow_collections_are_written_anew_in_flow(void **state)
{
    (void)state;
    assert_updated("a: {b: 1,c: 'two'} # x\nd: 1 # y\n", "a: {b: 1, c: 'two', e: 3}\nd: 1\n",
                   "a: {b: 1, c: 'two', e: 3} # x\nd: 1 # y\n");
}

static void what_is_replaced_keeps_its_quotes_and_its_flow(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = STR("a: \"x\" # c\nb: {k: 'v', l: 0x1f}\nc: 'q'\n");
    struct yaml_node *old, *inner = yaml_new_mapping(&arena);

    assert_ok(yaml_read(&arena, text, &old));
    struct yaml_node *new = yaml_copy_shallow(&arena, old);
    yaml_put(&arena, inner, STR("k"), yaml_new_string(&arena, STR("w")));
    yaml_put(&arena, inner, STR("l"), yaml_new_plain(&arena, STR("31")));
    yaml_put(&arena, inner, STR("m"), yaml_new_string(&arena, STR("new")));
    yaml_put(&arena, new, STR("a"), yaml_new_string(&arena, STR("y")));
    yaml_put(&arena, new, STR("b"), inner);
    yaml_put(&arena, new, STR("c"), yaml_new_plain(&arena, STR("5")));
    assert_str_equal(yaml_update(&arena, text, old, new),
                     STR("a: \"y\" # c\nb: {k: 'w', l: 0x1f, m: new}\nc: 5\n"));
}

static void anchors_keep_their_meaning(void **state)
{
    (void)state;
    assert_updated("a: &x 1 # one\nb: *x # two\n", "{a: 1, b: 2}", "a: &x 1 # one\nb: 2 # two\n");
    /* The anchor would be lost, so the document is written anew. */
    assert_updated("a: &x 1 # one\nb: *x\n", "{a: 2, b: 1}", "{a: 2, b: 1}\n");
    assert_updated("base: &b\n  x: 1\na:\n  <<: *b # merged\n  y: 2\n",
                   "base: {x: 1}\na: {x: 5, y: 2}\n",
                   "base: &b\n  x: 1\na:\n  <<: *b # merged\n  y: 2\n  x: 5\n");
}

static void json_with_pairs_of_escapes_is_written_anew(void **state)
{
    (void)state;
    assert_updated("{\"a\": \"\\ud83d\\ude00\", \"c\": 1}\n", "{a: \"\xf0\x9f\x98\x80\", c: 5}",
                   "{a: \"\\U0001F600\", c: 5}\n");
}

static void wide_characters_and_complex_keys_do_not_confuse(void **state)
{
    (void)state;
    assert_updated("# \xe2\x9a\x99\nk\xc3\xa9y: \xc3\xa4 # \xc3\xb6\nb: 1\n",
                   "{\"k\xc3\xa9y\": x, b: 1}", "# \xe2\x9a\x99\nk\xc3\xa9y: x # \xc3\xb6\nb: 1\n");
    assert_updated("? a\n: 1\nb: 2\n", "a: 3\nb: 2\n", "a: 3\nb: 2\n");
}

static void new_lines_end_as_all_others_do(void **state)
{
    (void)state;
    assert_updated("a: 1 # one\r\nm:\r\n  x: 1\r\n", "a: 2\nm:\n  x: 1\n  \"y\":\n    - 3\nb: 4\n",
                   "a: 2 # one\r\nm:\r\n  x: 1\r\n  \"y\":\r\n    - 3\r\nb: 4\r\n");
    assert_updated("a: 1\r\nb: 2", "a: 1\nb: 2\nc: 3\n", "a: 1\r\nb: 2\r\nc: 3");
    assert_updated("a: 1\r\n", "a: 1\nb: |\n  x\n  y\n", "a: 1\r\nb: |\r\n  x\r\n  y\r\n");
    assert_updated("# none\r\n", "b: 2\n", "# none\r\nb: 2\r\n");
    /* Where they differ there is no rule. */
    assert_updated("a: 1\r\nb: 2\n", "a: 1\nb: 2\nc: 3\n", "a: 1\r\nb: 2\nc: 3\n");
    assert_updated("a: 1\nb: 2\r\n", "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\r\nc: 3\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes_where_nothing_changed),
        cmocka_unit_test(a_scalar_is_replaced_in_place),
        cmocka_unit_test(a_block_takes_the_place_of_a_scalar_and_back),
        cmocka_unit_test(new_keys_go_to_the_end_of_their_map),
        cmocka_unit_test(a_removed_key_takes_the_comments_above_it_along),
        cmocka_unit_test(sequences_are_matched_item_by_item),
        cmocka_unit_test(flow_collections_are_written_anew_in_flow),
        cmocka_unit_test(what_is_replaced_keeps_its_quotes_and_its_flow),
        cmocka_unit_test(anchors_keep_their_meaning),
        cmocka_unit_test(json_with_pairs_of_escapes_is_written_anew),
        cmocka_unit_test(wide_characters_and_complex_keys_do_not_confuse),
        cmocka_unit_test(new_lines_end_as_all_others_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
