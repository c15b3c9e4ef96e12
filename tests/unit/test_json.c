/* test_json.c — the reader and the writer, exact about numbers, escapes and errors. */
#include "unit/check.h"

#include "base/json.h"
#include "base/pairs.h"

#include <math.h>
#include <stdlib.h>

/* Writes the tokens back compactly: what the reader understood. */
static fallible copy_value(struct json_reader *reader, struct json_writer *writer)
{
    for (;;) {
        struct json_token token;
        TRY(json_next(reader, &token));
        switch (token.kind) {
        case JSON_END: return NULL;
        case JSON_NULL: json_null(writer); break;
        case JSON_TRUE: json_bool(writer, true); break;
        case JSON_FALSE: json_bool(writer, false); break;
        case JSON_NUMBER: json_number(writer, token.number); break;
        case JSON_STRING: json_string(writer, token.text); break;
        case JSON_KEY: json_key(writer, token.text); break;
        case JSON_OBJECT_BEGIN: json_begin_object(writer); break;
        case JSON_OBJECT_END: json_end_object(writer); break;
        case JSON_ARRAY_BEGIN: json_begin_array(writer); break;
        case JSON_ARRAY_END: json_end_array(writer); break;
        }
    }
}

static fallible rewrite(str input, unsigned indent, struct strbuf *out)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_writer writer = { .out = out, .indent = indent };

    /* A block of exactly the size, so that ASan sees a read behind the end. */
    str exact = { arena_copy_bytes(&arena, input.ptr, input.len), input.len };
    json_reader_init(&reader, &arena, exact);
    TRY(copy_value(&reader, &writer));
    return json_writer_finish(&writer);
}

static void assert_rewrites(str input, unsigned indent, str wanted)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    assert_ok(rewrite(input, indent, &out));
    assert_str_equal(strbuf_str(&out), wanted);
}

#define assert_refused(input, text)                                       \
    do {                                                                  \
        CLEANUP(strbuf_release) struct strbuf out_ = { 0 };               \
        assert_fails(rewrite(STR(input), 0, &out_), ERROR_INVALID, text); \
    } while (0)

static void every_kind_of_value_survives_compactly(void **state)
{
    (void)state;
    assert_rewrites(STR(" { \"a\" : [ 1 , -2.50 , true , false , null , { } , [ ] ] "
                        ",\r\n\t\"b\":{\"c\":\"d\"} } \n"),
                    0, STR("{\"a\":[1,-2.5,true,false,null,{},[]],\"b\":{\"c\":\"d\"}}"));
    assert_rewrites(STR("\"x\""), 0, STR("\"x\""));
    assert_rewrites(STR("0"), 0, STR("0"));
}

static void an_indent_puts_one_member_on_a_line_and_keeps_empty_brackets_together(void **state)
{
    (void)state;
    assert_rewrites(STR("{\"a\":[1,{}],\"b\":[],\"c\":{\"d\":null}}"), 4,
                    STR("{\n    \"a\": [\n        1,\n        {}\n    ],\n    \"b\": [],\n    "
                        "\"c\": {\n        \"d\": "
                        "null\n    }\n}"));
}

static void escapes_are_decoded_and_written_as_the_reference_does(void **state)
{
    (void)state;
    assert_rewrites(
        STR("\"\\u0041\\/\\b\\f\\n\\r\\t\\\"\\\\ \\u0000\\u001f \x7f <>& \\u2028\\u2029 "
            "h\xc3\xa9\""),
        0, STR("\"A/\\b\\f\\n\\r\\t\\\"\\\\ \\u0000\\u001f \x7f <>& \\u2028\\u2029 h\xc3\xa9\""));
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    json_format_string(&out, STR("a<b>c&d, and some more text to pass sixteen bytes <&>"), true);
    assert_str_equal(strbuf_str(&out),
                     STR("\"a\\u003cb\\u003ec\\u0026d, and some more text to pass sixteen bytes "
                         "\\u003c\\u0026\\u003e\""));
}

static void surrogates_pair_up_or_become_replacements(void **state)
{
    (void)state;
    assert_rewrites(STR("\"\\ud83d\\ude00\""), 0, STR("\"\xf0\x9f\x98\x80\""));
    assert_rewrites(STR("\"\\ud83dx\""), 0, STR("\"\xef\xbf\xbdx\""));
    assert_rewrites(STR("\"\\ud83d\\u0041\""), 0, STR("\"\xef\xbf\xbd\x41\""));
    assert_rewrites(STR("\"\\ude00\\ud83d\""), 0, STR("\"\xef\xbf\xbd\xef\xbf\xbd\""));
    assert_rewrites(STR("\"\\ud83d\\ud83d\\ude00\""), 0, STR("\"\xef\xbf\xbd\xf0\x9f\x98\x80\""));
}

static void each_invalid_byte_becomes_one_replacement(void **state)
{
    (void)state;
    assert_rewrites(
        STR("\"a\xff\xfe z \xe2\x82 \\n\xc0\""), 0,
        STR("\"a\xef\xbf\xbd\xef\xbf\xbd z \xef\xbf\xbd\xef\xbf\xbd \\n\xef\xbf\xbd\""));
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    json_format_string(&out, STR("a\xff"), false);
    assert_str_equal(strbuf_str(&out), STR("\"a\\ufffd\""));
}

static void a_plain_string_is_a_slice_of_the_input(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    str input = STR("\"a string that is rather long and has h\xc3\xa9 in it\"");
    struct json_token token;

    json_reader_init(&reader, &arena, input);
    assert_ok(json_next(&reader, &token));
    assert_ptr_equal(token.text.ptr, input.ptr + 1);
    assert_int_equal(arena.total, 0);
}

static void assert_number(str text, str wanted)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    double number;
    assert_true(json_parse_number(text, &number));
    json_format_number(&out, number);
    assert_str_equal(strbuf_str(&out), wanted);
}

static void numbers_are_written_with_the_fewest_digits_that_read_back(void **state)
{
    (void)state;
    assert_number(STR("0.1"), STR("0.1"));
    assert_number(STR("1e-9"), STR("1e-9"));
    assert_number(STR("0.0000001"), STR("1e-7"));
    assert_number(STR("0.000001"), STR("0.000001"));
    assert_number(STR("1E21"), STR("1e+21"));
    assert_number(STR("1.5e300"), STR("1.5e+300"));
    assert_number(STR("100000000000000000000"), STR("100000000000000000000"));
    assert_number(STR("12345678901234567890"), STR("12345678901234567000"));
    assert_number(STR("123456789012345678901234567890"), STR("1.2345678901234568e+29"));
    assert_number(STR("-0"), STR("-0"));
    assert_number(STR("0.30000000000000004"), STR("0.30000000000000004"));
    assert_number(STR("5e-324"), STR("5e-324"));
    assert_number(STR("2.2250738585072011e-308"), STR("2.225073858507201e-308"));
    assert_number(STR("1.7976931348623157e308"), STR("1.7976931348623157e+308"));
    assert_number(STR("9007199254740993"), STR("9007199254740992"));
    assert_number(STR("26588175335111.3125"), STR("26588175335111.312"));
    assert_number(STR("9.5367431640625e-7"), STR("9.5367431640625e-7"));
    assert_number(STR("5.684341886080802e-14"), STR("5.684341886080802e-14"));
    assert_number(STR("1e23"), STR("1e+23"));
    assert_number(STR("0e999999999999"), STR("0"));
    assert_number(STR("1e-999999999999"), STR("0"));
}

static void a_random_double_reads_back_bit_by_bit(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    uint64_t bits = UINT64_C(0x9e3779b97f4a7c15);

    for (int i = 0; i < 20000; i++) {
        double number, back;
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&number, &bits, sizeof(number));
        if (!isfinite(number))
            continue;
        strbuf_clear(&out);
        json_format_number(&out, number);
        assert_true(json_parse_number(strbuf_str(&out), &back));
        assert_memory_equal(&back, &number, sizeof(number));
    }
}

static void a_number_that_does_not_fit_is_refused_only_when_it_is_read(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    str raw;

    assert_refused("1e400", "line 1 column 1: number out of range");
    json_reader_init(&reader, &arena, STR("[1e400]"));
    assert_ok(json_skip(&reader, &raw));
    assert_str_equal(raw, STR("[1e400]"));
}

static void bad_text_is_refused_with_its_place(void **state)
{
    (void)state;
    assert_refused("", "line 1 column 1: unexpected end of JSON input");
    assert_refused("  \n ", "line 2 column 2: unexpected end of JSON input");
    assert_refused("{\"a\":1,\n \"b\" 2}",
                   "line 2 column 6: invalid character '2' behind the name of a member");
    assert_refused("[1,]", "line 1 column 4: invalid character ']'");
    assert_refused("[,1]", "invalid character ','");
    assert_refused("{,}", "invalid character ','");
    assert_refused("{\"a\":1,}", "invalid character '}'");
    assert_refused("{1:2}", "where the name of a member should begin");
    assert_refused("[1}", "invalid character '}' behind an array item");
    assert_refused("[1 2]", "behind an array item");
    assert_refused("1 2", "behind the value");
    assert_refused("[", "unexpected end");
    assert_refused("{\"a\"", "unexpected end");
    assert_refused("\"a", "unexpected end");
    assert_refused("\"a\\", "unexpected end");
    assert_refused("\"\\x\"", "in a string escape");
    assert_refused("\"\\u12g4\"", "invalid \\u escape");
    assert_refused("\"\\u12", "invalid \\u escape");
    assert_refused("\"a\nb\"", "invalid byte 0x0a in a string");
    assert_refused("nul", "unexpected end");
    assert_refused("nulL", "line 1 column 4: invalid character 'L'");
    assert_refused("True", "where a value should begin");
    assert_refused("01", "behind the value");
    assert_refused("-", "unexpected end");
    assert_refused("+1", "where a value should begin");
    assert_refused("1.", "unexpected end");
    assert_refused(".5", "where a value should begin");
    assert_refused("1e", "unexpected end");
    assert_refused("1e+x", "in the exponent");
    assert_refused("NaN", "where a value should begin");
    assert_refused("'a'", "where a value should begin");
    assert_refused("\xef\xbb\xbf{}", "invalid byte 0xef");
}

static void depth_is_bounded_and_costs_no_stack(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf deep = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    strbuf_add_repeated(&deep, '[', JSON_MAX_DEPTH);
    strbuf_add_repeated(&deep, ']', JSON_MAX_DEPTH);
    assert_ok(rewrite(strbuf_str(&deep), 0, &out));
    assert_str_equal(strbuf_str(&out), strbuf_str(&deep));
    strbuf_clear(&deep);
    strbuf_add_repeated(&deep, '[', JSON_MAX_DEPTH + 1);
    assert_fails(rewrite(strbuf_str(&deep), 0, &out), ERROR_INVALID, "nested too deeply");
}

static void typed_reads_name_what_they_wanted_and_take_null_for_nothing(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    str text = STR("?");
    double number = 7;
    bool more, flag = true;

    json_reader_init(&reader, &arena, STR("[null,null,null,null,null,\"s\",2]"));
    assert_ok(json_array_begin(&reader));
    assert_ok(json_read_string(&reader, &text));
    assert_ok(json_read_number(&reader, &number));
    assert_ok(json_read_bool(&reader, &flag));
    assert_str_equal(text, STR(""));
    assert_true(number == 0 && !flag);
    assert_ok(json_object_begin(&reader));
    assert_ok(json_object_next(&reader, &text, &more));
    assert_false(more);
    assert_ok(json_array_begin(&reader));
    assert_ok(json_array_next(&reader, &more));
    assert_false(more);
    assert_fails(json_read_number(&reader, &number), ERROR_INVALID,
                 "line 1 column 27: expected a number, found a string");
    assert_fails(json_object_begin(&reader), ERROR_INVALID, "expected an object, found a number");
}

static void walking_visits_members_and_items_in_order(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    str key, raw;
    bool more;
    double sum = 0;
    enum json_kind kind;

    json_reader_init(&reader, &arena,
                     STR("{\"a\" : [1, 2 ,3],\"skip\":  {\"x\":[\"]\",{}]} , \"e\":[],\"z\":4}"));
    assert_ok(json_object_begin(&reader));
    for (;;) {
        assert_ok(json_object_next(&reader, &key, &more));
        if (!more)
            break;
        if (str_equal(key, STR("skip"))) {
            assert_ok(json_skip(&reader, &raw));
            assert_str_equal(raw, STR("{\"x\":[\"]\",{}]}"));
            continue;
        }
        assert_ok(json_peek(&reader, &kind));
        double number;
        if (kind == JSON_NUMBER) {
            assert_ok(json_read_number(&reader, &number));
            sum += number * 100;
            continue;
        }
        assert_ok(json_array_begin(&reader));
        for (;;) {
            assert_ok(json_array_next(&reader, &more));
            if (!more)
                break;
            assert_ok(json_read_number(&reader, &number));
            sum = sum * 10 + number;
        }
    }
    assert_true(sum == 523);
    assert_ok(json_peek(&reader, &kind));
    assert_int_equal(kind, JSON_END);
}

struct json_pair {
    str name;
    double size;
};

static void an_object_goes_into_a_struct_by_its_table(void **state)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct json_pair, name, json_field_string),
        JSON_FIELD("size", struct json_pair, size, json_field_number),
        { 0 },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct json_pair pair = { 0 };

    (void)state;
    json_reader_init(&reader, &arena, STR("{\"size\":2,\"more\":{\"name\":[1]},\"name\":\"a\"}"));
    assert_ok(json_read_fields(&reader, fields, &pair));
    assert_str_equal(pair.name, STR("a"));
    assert_true(pair.size == 2);

    CLEANUP(json_reader_release) struct json_reader bad;
    json_reader_init(&bad, &arena, STR("{\"name\":7}"));
    assert_fails(json_read_fields(&bad, fields, &pair), ERROR_INVALID, "string");
}

struct lists {
    struct strs texts;
    struct pairs pairs, raw;
};

static void lists_and_objects_with_any_keys_are_read_whole(void **state)
{
    static const struct json_field fields[] = {
        JSON_FIELD("texts", struct lists, texts, json_field_strs),
        JSON_FIELD("pairs", struct lists, pairs, json_field_pairs),
        JSON_FIELD("raw", struct lists, raw, json_field_raw_pairs),
        { 0 },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct lists found = { 0 };

    (void)state;
    json_reader_init(&reader, &arena,
                     STR("{\"texts\":[\"a\",\"\\u0062\"],\"pairs\":{\"k\":\"v\",\"k\":null},"
                         "\"raw\":{\"x\":[1, 2],\"y\":{}}}"));
    assert_ok(json_read_fields(&reader, fields, &found));
    assert_int_equal(found.texts.len, 2);
    assert_str_equal(found.texts.items[1], STR("b"));
    assert_int_equal(found.pairs.len, 2);
    assert_str_equal(found.pairs.items[0].value, STR("v"));
    assert_str_equal(found.pairs.items[1].value, STR(""));
    assert_int_equal(found.raw.len, 2);
    assert_str_equal(found.raw.items[0].value, STR("[1, 2]"));
    assert_str_equal(found.raw.items[1].key, STR("y"));

    CLEANUP(json_reader_release) struct json_reader bad = { 0 };
    json_reader_init(&bad, &arena, STR("{\"pairs\":{\"k\":1}}"));
    assert_fails(json_read_fields(&bad, fields, &found), ERROR_INVALID, "string");
}

static void skipping_is_refused_where_no_value_stands(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;

    json_reader_init(&reader, &arena, STR("[]"));
    assert_ok(json_array_begin(&reader));
    assert_fails(json_skip(&reader, NULL), ERROR_INVALID,
                 "expected a value, found the end of an array");
}

static fallible count_chunk(void *context, str chunk)
{
    size_t *total = context;
    *total += chunk.len;
    return *total > 4000000 ? error_new(ERROR_OTHER, "the disk is full") : NULL;
}

static void large_output_is_handed_over_in_chunks_and_the_first_failure_is_kept(void **state)
{
    (void)state;
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    size_t total = 0;
    struct json_writer writer = { .out = &out, .flush = count_chunk, .flush_context = &total };

    json_begin_array(&writer);
    for (int i = 0; i < 300000; i++)
        json_integer(&writer, -1000000 - i);
    json_end_array(&writer);
    assert_ok(json_writer_finish(&writer));
    assert_int_equal(total, 300000 * 9 + 1);
    assert_true(out.capacity < 3 << 20);

    json_begin_array(&writer);
    for (int i = 0; i < 300000; i++)
        json_integer(&writer, INT64_MIN);
    json_end_array(&writer);
    assert_fails(json_writer_finish(&writer), ERROR_OTHER, "the disk is full");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value_survives_compactly),
        cmocka_unit_test(an_indent_puts_one_member_on_a_line_and_keeps_empty_brackets_together),
        cmocka_unit_test(escapes_are_decoded_and_written_as_the_reference_does),
        cmocka_unit_test(surrogates_pair_up_or_become_replacements),
        cmocka_unit_test(each_invalid_byte_becomes_one_replacement),
        cmocka_unit_test(a_plain_string_is_a_slice_of_the_input),
        cmocka_unit_test(numbers_are_written_with_the_fewest_digits_that_read_back),
        cmocka_unit_test(a_random_double_reads_back_bit_by_bit),
        cmocka_unit_test(a_number_that_does_not_fit_is_refused_only_when_it_is_read),
        cmocka_unit_test(bad_text_is_refused_with_its_place),
        cmocka_unit_test(depth_is_bounded_and_costs_no_stack),
        cmocka_unit_test(typed_reads_name_what_they_wanted_and_take_null_for_nothing),
        cmocka_unit_test(walking_visits_members_and_items_in_order),
        cmocka_unit_test(an_object_goes_into_a_struct_by_its_table),
        cmocka_unit_test(lists_and_objects_with_any_keys_are_read_whole),
        cmocka_unit_test(skipping_is_refused_where_no_value_stands),
        cmocka_unit_test(large_output_is_handed_over_in_chunks_and_the_first_failure_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
