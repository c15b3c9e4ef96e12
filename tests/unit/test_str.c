/* test_str.c — slices. */
#include "unit/check.h"

static void cutting_takes_the_first_or_the_last_separator(void **state)
{
    (void)state;
    str head, tail;
    assert_true(str_cut(STR("a::b::c"), STR("::"), &head, &tail));
    assert_str_equal(head, STR("a"));
    assert_str_equal(tail, STR("b::c"));
    assert_true(str_cut_last(STR("a::b::c"), STR("::"), &head, &tail));
    assert_str_equal(head, STR("a::b"));
    assert_str_equal(tail, STR("c"));
    assert_false(str_cut(STR("abc"), STR("::"), &head, &tail));
    assert_false(str_cut_last(STR("a"), STR("::"), &head, &tail));
}

static void a_prefix_orders_before_what_it_begins(void **state)
{
    (void)state;
    assert_true(str_compare(STR("ab"), STR("abc")) < 0);
    assert_true(str_compare(STR("b"), STR("abc")) > 0);
    assert_int_equal(str_compare(STR(""), STR("")), 0);
}

static void overlong_and_surrogate_sequences_are_not_utf8(void **state)
{
    (void)state;
    assert_true(
        str_is_utf8(STR("plain ascii that is longer than a word, h\xc3\xa9, \xf0\x9f\x98\x80")));
    assert_false(str_is_utf8(STR("\xc0\x80")));
    assert_false(str_is_utf8(STR("\xed\xa0\x80")));
    assert_false(str_is_utf8(STR("\xf4\x90\x80\x80")));
    assert_false(str_is_utf8(STR("cut \xe2\x82")));
}

static void a_number_must_fit_and_have_only_digits(void **state)
{
    (void)state;
    uint64_t number = 7;
    assert_true(str_to_u64(STR("18446744073709551615"), &number));
    assert_true(number == UINT64_MAX);
    assert_false(str_to_u64(STR("18446744073709551616"), &number));
    assert_false(str_to_u64(STR(""), &number));
    assert_false(str_to_u64(STR("-1"), &number));
}

static void true_and_false_have_six_spellings_each(void **state)
{
    (void)state;
    bool is_set = false;

    assert_true(str_to_bool(STR("True"), &is_set) && is_set);
    assert_true(str_to_bool(STR("f"), &is_set) && !is_set);
    assert_false(str_to_bool(STR("yes"), &is_set));
    assert_false(str_to_bool(STR(""), &is_set));
}

static void parts_are_taken_off_one_by_one(void **state)
{
    str rest = STR("a,,b,"), part;

    (void)state;
    assert_true(str_next(&rest, STR(","), &part));
    assert_str_equal(part, STR("a"));
    assert_true(str_next(&rest, STR(","), &part));
    assert_str_equal(part, STR(""));
    assert_true(str_next(&rest, STR(","), &part));
    assert_str_equal(part, STR("b"));
    assert_false(str_next(&rest, STR(","), &part));
    rest = STR("all");
    assert_true(str_next(&rest, STR(","), &part));
    assert_str_equal(part, STR("all"));
    assert_false(str_next(&rest, STR(","), &part));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cutting_takes_the_first_or_the_last_separator),
        cmocka_unit_test(parts_are_taken_off_one_by_one),
        cmocka_unit_test(a_prefix_orders_before_what_it_begins),
        cmocka_unit_test(overlong_and_surrogate_sequences_are_not_utf8),
        cmocka_unit_test(a_number_must_fit_and_have_only_digits),
        cmocka_unit_test(true_and_false_have_six_spellings_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
