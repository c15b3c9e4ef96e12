/* test_str_distance.c — edits between two strings. */
#include "unit/check.h"

#include "base/str_distance.h"

static size_t exact(str a, str b)
{
    return str_distance(a, b, STR_LETTERS_EXACT, STR_DISTANCE_UNLIMITED);
}

static void equal_strings_are_not_apart(void **state)
{
    (void)state;
    assert_int_equal(exact(STR(""), STR("")), 0);
    assert_int_equal(exact(STR("stack"), STR("stack")), 0);
}

static void each_edit_counts_one(void **state)
{
    (void)state;
    assert_int_equal(exact(STR("stack"), STR("stacks")), 1);
    assert_int_equal(exact(STR("stack"), STR("tack")), 1);
    assert_int_equal(exact(STR("stack"), STR("stuck")), 1);
    assert_int_equal(exact(STR("stack"), STR("satck")), 2); /* a swap is two */
    assert_int_equal(exact(STR(""), STR("abc")), 3);
    assert_int_equal(exact(STR("kitten"), STR("sitting")), 3);
    assert_int_equal(exact(STR("sitting"), STR("kitten")), 3);
}

static void case_counts_unless_it_is_ignored(void **state)
{
    (void)state;
    assert_int_equal(exact(STR("Name"), STR("name")), 1);
    assert_int_equal(
        str_distance(STR("NAMES"), STR("name"), STR_LETTERS_ANY_CASE, STR_DISTANCE_UNLIMITED), 1);
    /* '[' and '{' differ by the bit that makes a letter small, and are no letters */
    assert_int_equal(str_distance(STR("["), STR("{"), STR_LETTERS_ANY_CASE, STR_DISTANCE_UNLIMITED),
                     1);
}

static void what_is_beyond_the_limit_is_one_more(void **state)
{
    (void)state;
    assert_int_equal(str_distance(STR("kitten"), STR("sitting"), STR_LETTERS_EXACT, 3), 3);
    assert_int_equal(str_distance(STR("kitten"), STR("sitting"), STR_LETTERS_EXACT, 2), 3);
    assert_int_equal(str_distance(STR("abcdef"), STR("uvwxyz"), STR_LETTERS_EXACT, 2), 3);
    assert_int_equal(str_distance(STR("a"), STR("abcdef"), STR_LETTERS_EXACT, 2), 3);
    assert_int_equal(str_distance(STR("a"), STR("b"), STR_LETTERS_EXACT, 0), 1);
}

static void long_strings_are_compared_whole(void **state)
{
    char a[1000], b[1000];

    (void)state;
    memset(a, 'x', sizeof(a));
    memset(b, 'x', sizeof(b));
    b[999] = 'y';
    assert_int_equal(exact((str){ a, sizeof(a) }, (str){ b, sizeof(b) }), 1);
    assert_int_equal(exact((str){ a, sizeof(a) }, (str){ a, 900 }), 100);
}

/* The definition itself, exponential and plainly right. */
static size_t by_definition(str a, str b)
{
    if (!a.len || !b.len)
        return a.len + b.len;
    str a_rest = str_slice(a, 1, a.len), b_rest = str_slice(b, 1, b.len);
    size_t best = by_definition(a_rest, b_rest) + (a.ptr[0] != b.ptr[0]);
    size_t deleted = by_definition(a_rest, b) + 1, inserted = by_definition(a, b_rest) + 1;
    best = deleted < best ? deleted : best;
    return inserted < best ? inserted : best;
}

static void all_short_strings_are_as_defined(void **state)
{
    enum { WORDS = 1 << 5 };
    char a[5], b[5];

    (void)state;
    for (unsigned i = 0; i < WORDS; i++)
        for (unsigned j = 0; j < WORDS; j++)
            for (size_t len = 1; len <= 5; len++) {
                for (size_t k = 0; k < 5; k++) {
                    a[k] = i >> k & 1 ? 'a' : 'b';
                    b[k] = j >> k & 1 ? 'a' : 'b';
                }
                str first = { a, len }, second = { b, 5 };
                size_t right = by_definition(first, second);
                assert_int_equal(exact(first, second), right);
                assert_int_equal(str_distance(first, second, STR_LETTERS_EXACT, 1),
                                 right > 1 ? 2 : right);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_strings_are_not_apart),
        cmocka_unit_test(each_edit_counts_one),
        cmocka_unit_test(case_counts_unless_it_is_ignored),
        cmocka_unit_test(what_is_beyond_the_limit_is_one_more),
        cmocka_unit_test(long_strings_are_compared_whole),
        cmocka_unit_test(all_short_strings_are_as_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
