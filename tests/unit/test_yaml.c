/* test_yaml.c — reading, resolving and writing YAML. */
#include "unit/check.h"

#include "base/strbuf.h"
#include "base/yaml.h"

#include <math.h>

static struct yaml_node *read_text(struct arena *arena, str text)
{
    struct yaml_node *root = NULL;
    assert_ok(yaml_read(arena, text, &root));
    return root;
}

static enum yaml_type type_of(const char *text)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    return yaml_resolve(read_text(&arena, str_from(text))).type;
}

static void only_true_and_false_are_booleans(void **state)
{
    (void)state;
    assert_int_equal(type_of("true"), YAML_BOOL);
    assert_int_equal(type_of("False"), YAML_BOOL);
    assert_int_equal(type_of("yes"), YAML_STRING);
    assert_int_equal(type_of("on"), YAML_STRING);
    assert_int_equal(type_of("'true'"), YAML_STRING);
    assert_int_equal(type_of("!!str true"), YAML_STRING);
    assert_int_equal(type_of("~"), YAML_NULL);
    assert_int_equal(type_of("Null"), YAML_NULL);
    assert_int_equal(type_of(""), YAML_NULL);
}

static void assert_number(const char *text, enum yaml_type type, double wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct yaml_scalar scalar = yaml_resolve(read_text(&arena, str_from(text)));
    assert_int_equal(scalar.type, type);
    assert_true(scalar.number == wanted);
}

static void numbers_have_many_forms(void **state)
{
    (void)state;
    assert_number("12", YAML_INT, 12);
    assert_number("-1_000", YAML_INT, -1000);
    assert_number("+7", YAML_INT, 7);
    assert_number("0o17", YAML_INT, 15);
    assert_number("017", YAML_INT, 15);
    assert_number("08", YAML_FLOAT, 8);
    assert_number("0x1F", YAML_INT, 31);
    assert_number("0b101", YAML_INT, 5);
    assert_number("18446744073709551615", YAML_INT, 18446744073709551615.0);
    assert_number("123456789012345678901234567890", YAML_FLOAT, 123456789012345678901234567890.0);
    assert_number("1.50", YAML_FLOAT, 1.5);
    assert_number("1e3", YAML_FLOAT, 1000);
    assert_number(".5", YAML_FLOAT, 0.5);
    assert_number("1.", YAML_FLOAT, 1);
    assert_number("-.inf", YAML_FLOAT, -INFINITY);
    assert_number("!!float 5", YAML_FLOAT, 5);
    assert_int_equal(type_of(".NaN"), YAML_FLOAT);
    assert_int_equal(type_of("1e400"), YAML_STRING);
    assert_int_equal(type_of("1.2.3"), YAML_STRING);
    assert_int_equal(type_of("0x"), YAML_STRING);
    assert_int_equal(type_of("."), YAML_STRING);
    assert_int_equal(type_of("--1"), YAML_STRING);
    assert_int_equal(type_of("12e03x"), YAML_STRING);
}

static void dates_are_seen(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "2020-01-02", "2020-01-02 00:00:00 +0000 UTC" },
        { "2020-1-2T3:4:5Z", "2020-01-02 03:04:05 +0000 UTC" },
        { "2020-01-02 03:04:05.120", "2020-01-02 03:04:05.12 +0000 UTC" },
        { "2020-01-02T03:04:05+09:00", "2020-01-02 03:04:05 +0900 +0900" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        struct yaml_node *node = read_text(&arena, str_from(cases[i][0]));
        assert_int_equal(yaml_resolve(node).type, YAML_TIMESTAMP);
        assert_str_equal(yaml_timestamp_text(&arena, node), str_from(cases[i][1]));
    }
    assert_int_equal(type_of("2020-13-01"), YAML_STRING);
    assert_int_equal(type_of("2020-01-02T"), YAML_STRING);
    assert_int_equal(type_of("2020-02-30"), YAML_STRING);
}

static void nodes_know_their_places(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = STR("# h\xc3\xa9\nk\xc3\xa9y: v\xc3\xa4lue # c\nlist:\n  - a\n  - {b: c}\n");
    struct yaml_node *root = read_text(&arena, text);

    assert_int_equal(root->len, 2);
    struct yaml_node *value = root->pairs[0].value;
    assert_int_equal(value->line, 2);
    assert_int_equal(value->column, 6);
    assert_str_equal(str_slice(text, value->start, value->end), STR("v\xc3\xa4lue"));
    struct yaml_node *list = yaml_find(root, STR("list"));
    assert_str_equal(str_slice(text, list->start, list->end), STR("- a\n  - {b: c}"));
    assert_int_equal(list->items[1]->style, YAML_FLOW);
}

static void a_mark_of_byte_order_has_no_column(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = STR("\xef\xbb\xbf\xef\xbb\xbf"
                   "a: 1\nb: x\n");
    struct yaml_node *root = read_text(&arena, text);

    assert_int_equal(root->len, 2);
    assert_int_equal(root->pairs[0].key->column, 1);
    struct yaml_node *value = yaml_find(root, STR("b"));
    assert_str_equal(str_slice(text, value->start, value->end), STR("x"));
}

static void aliases_and_merge_keys_are_resolved(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct yaml_node *root =
        read_text(&arena, STR("base: &b {x: 1, y: 2}\nother: &o {z: 9, x: 8}\n"
                              "a:\n  <<: *b\n  y: 3\nb: *b\nc:\n  <<: [*b, *o]\n"));
    struct yaml_node *a = yaml_find(root, STR("a")), *c = yaml_find(root, STR("c"));

    assert_int_equal(a->len, 2);
    assert_str_equal(yaml_find(a, STR("x"))->text, STR("1"));
    assert_str_equal(yaml_find(a, STR("y"))->text, STR("3"));
    assert_true(yaml_equal(yaml_find(root, STR("base")), yaml_find(root, STR("b"))));
    assert_int_equal(c->len, 3);
    assert_str_equal(yaml_find(c, STR("x"))->text, STR("1"));
    assert_null(yaml_find(c, STR("<<")));
}

static void only_the_first_document_counts(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    assert_str_equal(read_text(&arena, STR("--- a\n--- b\n"))->text, STR("a"));
    assert_true(yaml_is_null(read_text(&arena, STR("# nothing\n"))));
}

static void a_document_may_be_json_with_pairs_of_escapes(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct yaml_node *root =
        read_text(&arena, STR("{\"\\ud83d\\ude00\": \"\\\\ud83d \\\"\", 'b': '\\ud83d\\ude00'}"));

    assert_str_equal(root->pairs[0].key->text, STR("\xf0\x9f\x98\x80"));
    assert_str_equal(root->pairs[0].value->text, STR("\\ud83d \""));
    assert_str_equal(root->pairs[1].value->text, STR("\\ud83d\\ude00"));
}

static void assert_refused(str text, const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct yaml_node *root;
    struct error *error = yaml_read(&arena, text, &root);
    assert_non_null(error);
    if (str_find(error_message(error), str_from(wanted)) == SIZE_MAX)
        print_error("other error: " STR_FMT "\n", STR_ARG(error_message(error)));
    assert_true(str_find(error_message(error), str_from(wanted)) != SIZE_MAX);
    assert_int_equal(error_kind(error), ERROR_INVALID);
    error_free(error);
}

static void bad_text_is_refused_with_its_place(void **state)
{
    (void)state;
    assert_refused(STR("a: 1\nb: [1, 2\n"), "line 3 column 1: did not find expected ',' or ']'");
    assert_refused(STR("a: 1\n\tb: 2\n"),
                   "line 2 column 1: found a tab character that violates indentation");
    assert_refused(STR("a: 1\nb: 2\na: 3\n"),
                   "line 3 column 1: mapping key \"a\" already defined at line 1");
    assert_refused(STR("\xc3\xa4:\n\tb: 2\n"),
                   "line 2 column 1: found character that cannot start any token: a tab; indent by "
                   "spaces");
    assert_refused(STR("a:\n  - @b\n"),
                   "line 2 column 5: found character that cannot start any token "
                   "(");
    assert_refused(STR("a: *nope\n"), "line 1 column 4: unknown anchor 'nope' referenced");
    assert_refused(STR("a: &x\n  b: *x\n"), "anchor 'x' value contains itself");
    assert_refused(STR("? [a]\n: b\n"), "line 1 column 3: a mapping key must be a scalar");
    assert_refused(STR("a: \xff\n"), "line 1 column 4: invalid leading UTF-8 octet");
    assert_refused(STR("<<: 3\n"), "map merge requires map");
}

static void a_document_cannot_grow_without_bound(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_add_repeated(&text, '[', YAML_MAX_DEPTH + 1);
    assert_refused(strbuf_str(&text), "nested too deeply");
    strbuf_clear(&text);
    strbuf_add(&text, STR("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"));
    for (int i = 1; i < 10; i++)
        strbuf_printf(&text, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n",
                      i, i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    assert_refused(strbuf_str(&text), "document contains excessive aliasing");
}

/* Writes one string and reads it back. */
static void assert_written(str text, str wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct yaml_node *root = yaml_new_mapping(&arena);

    yaml_put(&arena, root, STR("k"), yaml_new_string(&arena, text));
    str written = yaml_write(&arena, root);
    assert_str_equal(written, arena_concat(&arena, STR("k: "), wanted, STR("\n")));
    assert_true(yaml_equal(read_text(&arena, written), root));
}

static void strings_are_quoted_only_where_they_would_mean_something_else(void **state)
{
    (void)state;
    assert_written(STR("plain text"), STR("plain text"));
    assert_written(STR("12"), STR("\"12\""));
    assert_written(STR("true"), STR("\"true\""));
    assert_written(STR("null"), STR("\"null\""));
    assert_written(STR("yes"), STR("\"yes\""));
    assert_written(STR(""), STR("\"\""));
    assert_written(STR("2020-01-02"), STR("\"2020-01-02\""));
    assert_written(STR("1:30"), STR("\"1:30\""));
    assert_written(STR(" lead"), STR("' lead'"));
    assert_written(STR("trail "), STR("'trail '"));
    assert_written(STR("a: b"), STR("'a: b'"));
    assert_written(STR("a #b"), STR("'a #b'"));
    assert_written(STR("a#b:c"), STR("a#b:c"));
    assert_written(STR("- x"), STR("'- x'"));
    assert_written(STR("-x"), STR("-x"));
    assert_written(STR("it's"), STR("it's"));
    assert_written(STR("'it's"), STR("'''it''s'"));
    assert_written(STR("@x"), STR("'@x'"));
    assert_written(STR("[x"), STR("'[x'"));
    assert_written(STR("x]"), STR("x]"));
    assert_written(STR("tab\there"), STR("\"tab\\there\""));
    assert_written(STR("bell\a\x7f"), STR("\"bell\\a\\x7F\""));
    assert_written(STR("h\xc3\xa9"), STR("h\xc3\xa9"));
    assert_written(STR("\xf0\x9f\x98\x80"), STR("\"\\U0001F600\""));
    assert_written(STR("nul\0in"), STR("\"nul\\0in\""));
    assert_written(STR("v1:ZJx48sbIXlVtUOd0:NGQKh+sP0whthApNMw6fsRJkD1mzlvM="),
                   STR("v1:ZJx48sbIXlVtUOd0:NGQKh+sP0whthApNMw6fsRJkD1mzlvM="));
    assert_written(STR("https://example.com/a?b=c"), STR("https://example.com/a?b=c"));
}

static void lines_become_a_literal_block(void **state)
{
    (void)state;
    assert_written(STR("multi\nline"), STR("|-\n  multi\n  line"));
    assert_written(STR("multi\n\nline\n"), STR("|\n  multi\n\n  line"));
    assert_written(STR("keep\n\n"), STR("|+\n  keep\n"));
    assert_written(STR("a \nb"), STR("\"a \\nb\""));
    assert_written(STR(" a\nb"), STR("|2-\n   a\n  b"));
    assert_written(STR("  a\n\n"), STR("|2+\n    a\n"));
    assert_written(STR("a\n\tb\n"), STR("|\n  a\n  \tb"));
    assert_written(STR("\ta\nb"), STR("\"\\ta\\nb\""));
    assert_written(STR("\na"), STR("\"\\na\""));
    assert_written(STR("\n"), STR("\"\\n\""));
    assert_written(STR("a\r\nb"), STR("\"a\\r\\nb\""));
}

static void collections_are_indented_by_two(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct yaml_node *root = yaml_new_mapping(&arena), *list = yaml_new_sequence(&arena),
                     *inner = yaml_new_mapping(&arena);
    struct yaml_node *nested = yaml_new_sequence(&arena);

    yaml_put(&arena, inner, STR("a"), yaml_new_plain(&arena, STR("1")));
    yaml_put(&arena, inner, STR("b: c"), yaml_new_string(&arena, STR("x\ny")));
    yaml_add(&arena, nested, yaml_new_plain(&arena, STR("true")));
    yaml_add(&arena, nested, yaml_new_string(&arena, STR("true")));
    yaml_add(&arena, list, inner);
    yaml_add(&arena, list, nested);
    yaml_add(&arena, list, yaml_new_mapping(&arena));
    yaml_put(&arena, root, STR("list"), list);
    yaml_put(&arena, root, STR("none"), yaml_new_plain(&arena, STR("")));
    yaml_put(&arena, root, STR("empty"), yaml_new_sequence(&arena));
    str text = yaml_write(&arena, root);
    assert_str_equal(
        text,
        STR("list:\n  - a: 1\n    'b: c': |-\n      x\n      y\n  - - true\n    - \"true\"\n  - "
            "{}\nnone: null\nempty: []\n"));
    assert_true(yaml_equal(read_text(&arena, text), root));
}

static void keys_are_ordered_naturally(void **state)
{
    (void)state;
    static const char *const sorted[] = { "a:b",  "a2",   "a10", "a10b", "a10:b",
                                          "aa:b", "ab:c", "b",   "b1",   "b01" };
    for (size_t i = 0; i < sizeof(sorted) / sizeof(sorted[0]); i++)
        for (size_t k = 0; k < sizeof(sorted) / sizeof(sorted[0]); k++) {
            int order = yaml_compare_keys(str_from(sorted[i]), str_from(sorted[k]));
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_true_and_false_are_booleans),
        cmocka_unit_test(numbers_have_many_forms),
        cmocka_unit_test(dates_are_seen),
        cmocka_unit_test(nodes_know_their_places),
        cmocka_unit_test(a_mark_of_byte_order_has_no_column),
        cmocka_unit_test(aliases_and_merge_keys_are_resolved),
        cmocka_unit_test(only_the_first_document_counts),
        cmocka_unit_test(a_document_may_be_json_with_pairs_of_escapes),
        cmocka_unit_test(bad_text_is_refused_with_its_place),
        cmocka_unit_test(a_document_cannot_grow_without_bound),
        cmocka_unit_test(strings_are_quoted_only_where_they_would_mean_something_else),
        cmocka_unit_test(lines_become_a_literal_block),
        cmocka_unit_test(collections_are_indented_by_two),
        cmocka_unit_test(keys_are_ordered_naturally),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
