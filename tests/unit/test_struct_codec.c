/* test_struct_codec.c — Struct and Value bytes against the value tree. */
#include "unit/check.h"

#include "support/struct_value.h"

#include <math.h>

static struct value decoded(struct arena *arena, str bytes)
{
    struct value value;
    assert_ok(struct_decode(arena, bytes, TEXT_BORROWED, &value));
    return value;
}

static str encoded(struct arena *arena, struct value value)
{
    str bytes;
    assert_ok(struct_encode(arena, value, &bytes));
    return bytes;
}

static struct value object(struct arena *arena, str key, struct value value)
{
    return value_object(arena, &(struct member){ key, value }, 1);
}

/* A field of bytes. */
static str field(struct arena *arena, char tag, str contents)
{
    char head[4] = { tag, (char)(contents.len & 0x7f), (char)(contents.len >> 7 & 0x7f),
                     (char)(contents.len >> 14) };
    head[1] = (char)(head[1] | 0x80);
    head[2] = (char)(head[2] | 0x80);
    return arena_concat(arena, (str){ head, sizeof(head) }, contents);
}

/* A Struct whose only member is the Struct with these bytes. */
static str as_member(struct arena *arena, str bytes)
{
    str value = field(arena, 0x12, field(arena, 0x2a, bytes));
    return field(arena, 0x0a, arena_concat(arena, STR("\x0a\x01k"), value));
}

static void every_plain_kind_has_its_bytes(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value items[] = { value_null(), value_bool(false), value_string(STR("")) };
    struct member members[] = {
        { STR("l"), value_array(&arena, items, 3) },
        { STR("n"), value_number(1.5) },
        { STR("o"), VALUE_EMPTY_OBJECT },
        { STR("s"), value_string(STR("x")) },
        { STR("t"), value_bool(true) },
        { STR("z"), value_null() },
    };
    struct value value = value_object(&arena, members, 6);
    str wanted =
        STR("\x0a\x13\x0a\x01l\x12\x0e\x32\x0c\x0a\x02\x08\x00\x0a\x02\x20\x00\x0a\x02\x1a\x00"
            "\x0a\x0e\x0a\x01n\x12\x09\x11\x00\x00\x00\x00\x00\x00\xf8\x3f"
            "\x0a\x07\x0a\x01o\x12\x02\x2a\x00"
            "\x0a\x08\x0a\x01s\x12\x03\x1a\x01x"
            "\x0a\x07\x0a\x01t\x12\x02\x20\x01"
            "\x0a\x07\x0a\x01z\x12\x02\x08\x00");
    assert_str_equal(encoded(&arena, value), wanted);
    assert_true(value_equal(decoded(&arena, wanted), value));
    assert_str_equal(encoded(&arena, decoded(&arena, wanted)), wanted);
}

static void an_empty_struct_is_no_bytes_but_not_null(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str bytes = encoded(&arena, VALUE_EMPTY_OBJECT);
    assert_non_null(bytes.ptr);
    assert_int_equal(bytes.len, 0);
    struct value value = decoded(&arena, (str){ 0 });
    assert_int_equal(value.kind, VALUE_OBJECT);
    assert_int_equal(value.len, 0);
}

static void numbers_travel_bit_by_bit(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    const double numbers[] = { 0, -0.0, NAN, INFINITY, -INFINITY, 9007199254740993.0, 5e-324 };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        struct value value;
        str bytes;
        assert_ok(struct_encode_value(&arena, value_number(numbers[i]), &bytes));
        assert_int_equal(bytes.len, 9);
        assert_ok(struct_decode_value(&arena, bytes, TEXT_BORROWED, &value));
        assert_memory_equal(&value.number, &numbers[i], sizeof(double));
    }
}

static void keys_are_sorted_and_the_last_of_equal_ones_wins(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value = decoded(&arena, STR("\x0a\x08\x0a\x01"
                                             "b\x12\x03\x1a\x01"
                                             "1\x0a\x08\x0a\x01"
                                             "a\x12\x03\x1a\x01"
                                             "2\x0a\x08\x0a\x01"
                                             "b\x12\x03\x1a\x01"
                                             "3"));
    assert_int_equal(value.len, 2);
    assert_str_equal(value.members[0].key, STR("a"));
    assert_str_equal(value_text(value.members[1].value), STR("3"));
}

static void many_unsorted_keys_are_sorted_too(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    enum { MANY = 1000 };
    struct member members[1];
    str bytes = STR("");
    for (size_t i = 0; i < MANY; i++) {
        members[0].key = arena_printf(&arena, "%zu", i * 7919 % MANY);
        members[0].value = value_number((double)i);
        bytes = arena_concat(&arena, bytes, encoded(&arena, value_object(&arena, members, 1)));
    }
    bytes =
        arena_concat(&arena, bytes, encoded(&arena, object(&arena, STR("500"), value_bool(true))));
    struct value value = decoded(&arena, bytes);
    assert_int_equal(value.len, MANY);
    for (size_t i = 1; i < value.len; i++)
        assert_true(str_compare(value.members[i - 1].key, value.members[i].key) < 0);
    assert_int_equal(value_find(value, STR("500"))->kind, VALUE_BOOL);
}

static void unusual_but_legal_bytes_are_understood(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    /* value before key */
    struct value value = decoded(&arena, STR("\x0a\x08\x12\x03\x1a\x01x\x0a\x01k"));
    assert_str_equal(value_find_text(value, STR("k")), STR("x"));
    /* a member without value, and one without key */
    value = decoded(&arena, STR("\x0a\x03\x0a\x01k\x0a\x05\x12\x03\x1a\x01x"));
    assert_int_equal(value_find(value, STR("k"))->kind, VALUE_NULL);
    assert_str_equal(value_find_text(value, STR("")), STR("x"));
    /* a Value without kind */
    value = decoded(&arena, STR("\x0a\x05\x0a\x01k\x12\x00"));
    assert_int_equal(value_find(value, STR("k"))->kind, VALUE_NULL);
    /* two kinds: a list, then a string */
    value = decoded(&arena, STR("\x0a\x0c\x0a\x01k\x12\x07\x32\x02\x0a\x00\x1a\x01x"));
    assert_str_equal(value_find_text(value, STR("k")), STR("x"));
    /* a string, then an object */
    value = decoded(&arena, STR("\x0a\x0a\x0a\x01k\x12\x05\x1a\x01x\x2a\x00"));
    assert_int_equal(value_find(value, STR("k"))->kind, VALUE_OBJECT);
    /* a length in two bytes that would fit into one */
    value = decoded(&arena, STR("\x0a\x09\x0a\x81\x00k\x12\x03\x1a\x01x"));
    assert_str_equal(value_find_text(value, STR("k")), STR("x"));
}

static void unknown_fields_are_skipped_at_every_level(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    /* varint field 9 in the Struct, fixed64 field 3 in the entry, bytes field 7 and fixed32 field 8
     * in the Value; a number sent as a varint is an unknown field as well */
    struct value value = decoded(&arena, STR("\x48\x05\x0a\x1c\x0a\x01k\x19"
                                             "12345678\x12\x0e\x3a\x02zz\x45"
                                             "1234\x1a\x01x\x10\x05"));
    assert_int_equal(value.len, 1);
    assert_str_equal(value_find_text(value, STR("k")), STR("x"));
}

static void text_may_hold_nul_bytes(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value = object(&arena, STR("a\0b"), value_string(STR("\0\0")));
    struct value back = decoded(&arena, encoded(&arena, value));
    assert_true(value_equal(value, back));
    assert_str_equal(back.members[0].key, STR("a\0b"));
}

static void text_is_borrowed_or_copied(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    char bytes[] = "\x0a\x08\x0a\x01k\x12\x03\x1a\x01x";
    str message = { bytes, sizeof(bytes) - 1 };
    struct value borrowed, copied;
    assert_ok(struct_decode(&arena, message, TEXT_BORROWED, &borrowed));
    assert_ok(struct_decode(&arena, message, TEXT_COPIED, &copied));
    bytes[9] = 'y';
    assert_str_equal(value_find_text(borrowed, STR("k")), STR("y"));
    assert_str_equal(value_find_text(copied, STR("k")), STR("x"));
}

static void text_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value;
    str bytes;
    assert_fails(
        struct_decode(&arena, STR("\x0a\x08\x0a\x01k\x12\x03\x1a\x01\xff"), TEXT_BORROWED, &value),
        ERROR_INVALID, "the value of property 'k' is not valid UTF-8");
    assert_fails(
        struct_decode(&arena, STR("\x0a\x08\x0a\x01\xff\x12\x03\x1a\x01x"), TEXT_BORROWED, &value),
        ERROR_INVALID, "the name of a property is not valid UTF-8");
    assert_fails(
        struct_encode(
            &arena, object(&arena, STR("k"), value_string(STR("long enough \xff and on"))), &bytes),
        ERROR_INVALID, "the value of property 'k' is not valid UTF-8");
    assert_fails(struct_encode(&arena, object(&arena, STR("\xff"), value_null()), &bytes),
                 ERROR_INVALID, "the name of a property is not valid UTF-8");
}

static void cut_or_broken_bytes_are_refused(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    const str broken[] = {
        STR("\x0a"),                                         /* no length */
        STR("\x0a\x05\x0a\x01"),                             /* length past the end */
        STR("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), /* a length of 2^64 - 1 */
        STR("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), /* more than 64 bits */
        STR("\x0a\x08\x0a\x01k\x12\x04\x1a\x01x"),           /* a value longer than its entry */
        STR("\x0a\x08\x0a\x01k\x12\x03\x1a\x02x"),           /* a text longer than its value */
        STR("\x0a\x09\x0a\x01k\x12\x04\x11\x00\x00\x00"),    /* a short number */
        STR("\x0a\x06\x0a\x01k\x12\x01\x20"),                /* a bool without value */
        STR("\x0a\x06\x0a\x01k\x12\x01\x13"),                /* a group */
        STR("\x02\x00"),                                     /* field 0 */
    };
    for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
        struct value value;
        assert_fails(struct_decode(&arena, broken[i], TEXT_BORROWED, &value), ERROR_INVALID,
                     "the property values received are not a valid message");
    }
}

static void nesting_is_limited_in_both_directions(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value = VALUE_EMPTY_OBJECT;
    for (int i = 1; i < VALUE_MAX_DEPTH; i++)
        value = i % 2 ? value_array(&arena, &value, 1) : object(&arena, STR("k"), value);
    value = object(&arena, STR("k"), value.items[0]);

    struct value back;
    str bytes = encoded(&arena, value);
    assert_ok(struct_decode(&arena, bytes, TEXT_BORROWED, &back));
    assert_true(value_equal(value, back));

    struct value deeper = object(&arena, STR("k"), object(&arena, STR("k"), value));
    assert_fails(struct_encode(&arena, deeper, &bytes), ERROR_INVALID,
                 "nested deeper than 500 levels");
    bytes = as_member(&arena, bytes);
    assert_fails(struct_decode(&arena, bytes, TEXT_BORROWED, &back), ERROR_INVALID,
                 "nested deeper than 500 levels");
}

static void a_single_value_travels_without_a_struct(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value text = value_string(STR("trigger"));
    struct value values[] = { value_null(), value_bool(true), text, value_array(&arena, &text, 1),
                              VALUE_EMPTY_OBJECT };
    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
        struct value back;
        str bytes;
        assert_ok(struct_encode_value(&arena, values[i], &bytes));
        assert_ok(struct_decode_value(&arena, bytes, TEXT_BORROWED, &back));
        assert_int_equal(back.kind, values[i].kind);
        assert_true(value_equal(values[i], back));
    }
    struct value back;
    assert_ok(struct_decode_value(&arena, STR(""), TEXT_BORROWED, &back));
    assert_int_equal(back.kind, VALUE_NULL);
}

static void a_text_longer_than_the_first_buffer_is_written_whole(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    for (size_t len = 100; len < 100000; len = len * 3 + 1) {
        char *text = arena_alloc(&arena, len);
        memset(text, 'a', len);
        struct value value = object(&arena, STR("k"), value_string((str){ text, len }));
        assert_true(value_equal(value, decoded(&arena, encoded(&arena, value))));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plain_kind_has_its_bytes),
        cmocka_unit_test(an_empty_struct_is_no_bytes_but_not_null),
        cmocka_unit_test(numbers_travel_bit_by_bit),
        cmocka_unit_test(keys_are_sorted_and_the_last_of_equal_ones_wins),
        cmocka_unit_test(many_unsorted_keys_are_sorted_too),
        cmocka_unit_test(unusual_but_legal_bytes_are_understood),
        cmocka_unit_test(unknown_fields_are_skipped_at_every_level),
        cmocka_unit_test(text_may_hold_nul_bytes),
        cmocka_unit_test(text_is_borrowed_or_copied),
        cmocka_unit_test(text_that_is_not_utf8_is_refused),
        cmocka_unit_test(cut_or_broken_bytes_are_refused),
        cmocka_unit_test(nesting_is_limited_in_both_directions),
        cmocka_unit_test(a_single_value_travels_without_a_struct),
        cmocka_unit_test(a_text_longer_than_the_first_buffer_is_written_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
