/* test_value.c — property values: objects, equality, questions and rewriting. */
#include "unit/check.h"

#include "model/value.h"

#include <math.h>

static struct value text(const char *content)
{
    return value_string(str_from(content));
}

static struct value pair(struct arena *arena, const char *key1, struct value value1,
                         const char *key2, struct value value2)
{
    struct member members[] = { { str_from(key1), value1 }, { str_from(key2), value2 } };
    return value_object(arena, members, 2);
}

static struct value single(struct arena *arena, const char *key, struct value value)
{
    struct member member = { str_from(key), value };
    return value_object(arena, &member, 1);
}

static struct value unknown_output(struct arena *arena)
{
    return (struct value){ .kind = VALUE_OUTPUT, .output = ARENA_NEW(arena, struct output) };
}

static struct value known_output(struct arena *arena, struct value element, bool is_secret)
{
    struct output *output = ARENA_NEW(arena, struct output);
    output->element = element;
    output->is_known = true;
    output->is_secret = is_secret;
    return (struct value){ .kind = VALUE_OUTPUT, .output = output };
}

static struct value sealed(struct arena *arena, const char *ciphertext)
{
    struct value value = value_secret(arena, value_null());
    value.secret->is_opaque = true;
    value.secret->ciphertext = str_from(ciphertext);
    return value;
}

static void a_value_takes_sixteen_bytes(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct value), 16);
}

static void the_last_of_equal_keys_wins_and_keys_are_sorted(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct member members[] = {
        { STR("b"), value_number(1) }, { STR("a"), value_number(2) }, { STR("b"), value_number(3) },
        { STR("c"), value_number(4) }, { STR("a"), value_number(5) },
    };
    struct value object = value_object(&arena, members, 5);
    assert_int_equal(object.len, 3);
    assert_str_equal(object.members[0].key, STR("a"));
    assert_true(object.members[0].value.number == 5);
    assert_true(object.members[1].value.number == 3);
    assert_true(object.members[2].value.number == 4);
}

static void every_key_of_a_large_object_is_found(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    enum { COUNT = 1000 };
    struct member members[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        members[i] = (struct member){ arena_printf(&arena, "k%zu", (i * 7919) % COUNT),
                                      value_number((double)i) };
    struct value object = value_object(&arena, members, COUNT);
    assert_int_equal(object.len, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(value_find(object, members[i].key)->number == (double)i);
    assert_null(value_find(object, STR("k1000")));
    assert_null(value_find(object, STR("")));
}

static bool is_below(const void *limit, struct member member)
{
    return member.value.number < *(const double *)limit;
}

static void members_are_kept_by_choice(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value object = pair(&arena, "a", value_number(1), "c", value_number(3));
    const double all = 4, some = 2, none = 0;

    (void)state;
    assert_ptr_equal(value_keep(&arena, object, is_below, &all).members, object.members);
    struct value less = value_keep(&arena, object, is_below, &some);
    assert_int_equal(less.len, 1);
    assert_true(value_has(less, STR("a")));
    assert_int_equal(object.len, 2);
    assert_int_equal(value_keep(&arena, object, is_below, &none).len, 0);
}

static void members_are_added_replaced_and_removed_in_copies(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value object = pair(&arena, "a", value_number(1), "c", value_number(3));
    struct value more = value_with(&arena, object, STR("b"), value_number(2));
    assert_int_equal(object.len, 2);
    assert_int_equal(more.len, 3);
    assert_str_equal(more.members[1].key, STR("b"));
    struct value replaced = value_with(&arena, more, STR("a"), value_bool(true));
    assert_int_equal(replaced.len, 3);
    assert_int_equal(value_find(replaced, STR("a"))->kind, VALUE_BOOL);
    struct value less = value_without(&arena, replaced, STR("c"));
    assert_int_equal(less.len, 2);
    assert_false(value_has(less, STR("c")));
    assert_int_equal(value_without(&arena, single(&arena, "x", value_null()), STR("x")).len, 0);
    assert_int_equal(value_with(&arena, value_null(), STR("x"), value_null()).len, 1);
}

static void merging_prefers_what_is_over(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value under = pair(&arena, "a", value_number(1), "b", value_number(2));
    struct value over = pair(&arena, "b", value_number(3), "c", value_number(4));
    struct value both = value_merge(&arena, under, over);
    assert_int_equal(both.len, 3);
    assert_true(value_find(both, STR("b"))->number == 3);
    assert_int_equal(value_merge(&arena, value_null(), value_null()).kind, VALUE_OBJECT);
}

static void a_null_member_equals_an_absent_one(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value with = pair(&arena, "a", value_number(1), "b", value_null());
    struct value without = single(&arena, "a", value_number(1));
    assert_true(value_equal(with, without));
    assert_true(value_equal(without, with));
    assert_false(value_identical(with, without));
    assert_false(value_identical(without, with));
    assert_true(value_identical(with, value_copy(&arena, with)));
    assert_false(value_equal(with, single(&arena, "b", value_null())));
    struct value nulls[] = { value_null(), value_null() };
    assert_false(value_equal(value_array(&arena, nulls, 1), value_array(&arena, nulls, 2)));
}

static void numbers_equal_by_value_and_nan_equals_itself(void **state)
{
    (void)state;
    assert_true(value_equal(value_number(NAN), value_number(NAN)));
    assert_true(value_equal(value_number(-0.0), value_number(0)));
    assert_false(value_equal(value_number(1), value_number(2)));
    assert_false(value_equal(value_number(1), text("1")));
}

static void assets_equal_by_hash_alone(void **state)
{
    (void)state;
    struct asset a = { .hash = STR("h"), .path = STR("one") },
                 b = { .hash = STR("h"), .text = STR("two") };
    struct asset c = { .hash = STR("other"), .path = STR("one") }, d = { .path = STR("one") };
    struct value va = { .kind = VALUE_ASSET, .asset = &a },
                 vb = { .kind = VALUE_ASSET, .asset = &b };
    struct value vc = { .kind = VALUE_ASSET, .asset = &c },
                 vd = { .kind = VALUE_ASSET, .asset = &d };
    assert_true(value_equal(va, vb));
    assert_false(value_equal(va, vc));
    assert_true(value_equal(vd, va));
    vb.kind = VALUE_ARCHIVE;
    assert_false(value_equal(va, vb));
}

static void sealed_secrets_equal_by_ciphertext(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    assert_true(value_equal(sealed(&arena, "c"), sealed(&arena, "c")));
    assert_false(value_equal(sealed(&arena, "c"), sealed(&arena, "d")));
    struct value open = value_secret(&arena, text("x"));
    assert_false(value_equal(open, sealed(&arena, "c")));
    assert_true(value_equal(open, value_secret(&arena, text("x"))));
    assert_false(value_equal(open, text("x")));
}

static void references_equal_by_urn_and_id(void **state)
{
    (void)state;
    struct reference a = {
        .urn = STR("u"), .has_id = true, .id = text("i"), .package_version = STR("1")
    };
    struct reference b = a, c = a, d = a;
    b.package_version = STR("2");
    c.has_id = false;
    d.id = value_computed(UNKNOWN_STRING);
    struct value va = { .kind = VALUE_REFERENCE, .reference = &a },
                 vb = { .kind = VALUE_REFERENCE, .reference = &b };
    struct value vc = { .kind = VALUE_REFERENCE, .reference = &c },
                 vd = { .kind = VALUE_REFERENCE, .reference = &d };
    assert_true(value_equal(va, vb));
    assert_false(value_equal(va, vc));
    assert_false(value_equal(va, vd));
    assert_true(value_equal(vd, vd));
}

static void unknowns_secrets_and_byte_strings_are_seen_at_any_depth(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value item = single(&arena, "x", value_secret(&arena, value_computed(UNKNOWN_BOOL)));
    struct value deep = single(&arena, "a", value_array(&arena, &item, 1));
    assert_true(value_contains_unknown(deep));
    assert_true(value_contains_secret(deep));
    assert_false(value_contains_byte_string(deep));
    assert_true(value_contains_byte_string(value_secret(&arena, text("\xff"))));
    assert_false(value_contains_byte_string(text("h\xc3\xa9")));
    assert_true(value_contains_unknown(unknown_output(&arena)));
    assert_true(value_contains_secret(known_output(&arena, text("x"), true)));
    assert_false(value_contains_secret(known_output(&arena, text("x"), false)));
    assert_true(value_contains_secret(sealed(&arena, "c")));
}

static void unwrapping_removes_secrets_and_outputs_but_not_unknowns(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value =
        pair(&arena, "s", value_secret(&arena, known_output(&arena, text("x"), true)), "u",
             unknown_output(&arena));
    struct value plain = value_without_secrets(&arena, value);
    assert_true(value_equal(*value_find(plain, STR("s")), text("x")));
    assert_int_equal(value_find(plain, STR("u"))->kind, VALUE_COMPUTED);
}

static void a_value_with_nothing_to_do_is_not_copied(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value = pair(&arena, "a", single(&arena, "b", text("x")), "n", value_number(1));
    assert_ptr_equal(value_without_secrets(&arena, value).members, value.members);
    assert_ptr_equal(value_without_outputs(&arena, value).members, value.members);
}

static void lowered_outputs_keep_secrecy_and_ignorance(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value lowered = value_without_outputs(&arena, known_output(&arena, text("x"), true));
    assert_int_equal(lowered.kind, VALUE_SECRET);
    assert_true(value_equal(lowered.secret->element, text("x")));
    assert_int_equal(value_without_outputs(&arena, unknown_output(&arena)).kind, VALUE_COMPUTED);
    struct value nested = value_secret(&arena, known_output(&arena, text("y"), false));
    assert_true(
        value_equal(value_without_outputs(&arena, nested), value_secret(&arena, text("y"))));
    struct value twice = known_output(&arena, unknown_output(&arena), true);
    lowered = value_without_outputs(&arena, value_secret(&arena, twice));
    assert_int_equal(lowered.kind, VALUE_SECRET);
    assert_int_equal(lowered.secret->element.kind, VALUE_COMPUTED);
}

static void a_copy_equals_and_outlives_the_original(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena kept = { 0 };
    CLEANUP(arena_release) struct arena expected = { 0 };
    struct arena original = { 0 };
    struct asset member = { .hash = arena_copy(&original, STR("m")),
                            .text = arena_copy(&original, STR("t")),
                            .has_text = true };
    struct asset archive = { .has_members = true };
    archive.members =
        single(&original, "f", (struct value){ .kind = VALUE_ASSET, .asset = &member });
    struct reference reference = { .urn = arena_copy(&original, STR("u")),
                                   .has_id = true,
                                   .id = value_computed(UNKNOWN_STRING) };
    str urn = arena_copy(&original, STR("dep"));
    struct output output = { .element = value_string(arena_copy(&original, STR("o"))),
                             .is_known = true,
                             .dependencies = &urn,
                             .dependency_count = 1 };
    struct value items[] = {
        { .kind = VALUE_ARCHIVE, .asset = &archive },
        { .kind = VALUE_REFERENCE, .reference = &reference },
        { .kind = VALUE_OUTPUT, .output = &output },
        value_secret(&original, text("s")),
        sealed(&original, "c"),
        value_number(1),
        value_bool(true),
        value_null(),
        value_string(STR("")),
        value_array(&original, NULL, 0),
        VALUE_EMPTY_OBJECT,
    };
    struct value value =
        single(&original, "list", value_array(&original, items, sizeof(items) / sizeof(items[0])));
    struct value copy = value_copy(&kept, value);
    assert_true(value_equal(copy, value));
    struct value second = value_copy(&expected, copy);
    arena_release(&original);
    assert_true(value_equal(copy, second));
}

static void the_deepest_allowed_nesting_is_walked(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value = text("x");
    for (int i = 0; i < VALUE_MAX_DEPTH; i++)
        value = i % 3 == 0   ? value_secret(&arena, value)
                : i % 3 == 1 ? value_array(&arena, &value, 1)
                             : single(&arena, "k", value);
    assert_true(value_equal(value, value_copy(&arena, value)));
    assert_false(value_contains_secret(value_without_secrets(&arena, value)));
    assert_false(value_contains_unknown(value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_takes_sixteen_bytes),
        cmocka_unit_test(the_last_of_equal_keys_wins_and_keys_are_sorted),
        cmocka_unit_test(every_key_of_a_large_object_is_found),
        cmocka_unit_test(members_are_kept_by_choice),
        cmocka_unit_test(members_are_added_replaced_and_removed_in_copies),
        cmocka_unit_test(merging_prefers_what_is_over),
        cmocka_unit_test(a_null_member_equals_an_absent_one),
        cmocka_unit_test(numbers_equal_by_value_and_nan_equals_itself),
        cmocka_unit_test(assets_equal_by_hash_alone),
        cmocka_unit_test(sealed_secrets_equal_by_ciphertext),
        cmocka_unit_test(references_equal_by_urn_and_id),
        cmocka_unit_test(unknowns_secrets_and_byte_strings_are_seen_at_any_depth),
        cmocka_unit_test(unwrapping_removes_secrets_and_outputs_but_not_unknowns),
        cmocka_unit_test(a_value_with_nothing_to_do_is_not_copied),
        cmocka_unit_test(lowered_outputs_keep_secrecy_and_ignorance),
        cmocka_unit_test(a_copy_equals_and_outlives_the_original),
        cmocka_unit_test(the_deepest_allowed_nesting_is_walked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
