/* test_regex_cost.c — which regular expressions may be compiled. */
#include "unit/check.h"

#include "base/regex_cost.h"

static void ordinary_patterns_are_affordable(void **state)
{
    static const char *const patterns[] = {
        "", "^https?://[^/]+/(.*)$", "(.*)(?:/[^/]*)", "[][+*{]+x{1,200}", "a\\+\\+\\+", "((a+)+)+",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
        assert_true(regex_is_affordable(str_from(patterns[i])));
}

static void repetitions_of_repetitions_are_not(void **state)
{
    static const char *const patterns[] = {
        "g++++++++++++++++++++++++++++++",
        "((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)",
        "a{1000}{1000}",
        "a{99999999999999999999999999999999}",
        "(((a{100}){100}){100})",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
        assert_false(regex_is_affordable(str_from(patterns[i])));
}

static void groups_have_a_depth(void **state)
{
    char pattern[512];

    (void)state;
    memset(pattern, '(', 200);
    memset(pattern + 200, ')', 200);
    assert_false(regex_is_affordable((str){ pattern, 400 }));
    assert_true(regex_is_affordable(STR(")))a)")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_patterns_are_affordable),
        cmocka_unit_test(repetitions_of_repetitions_are_not),
        cmocka_unit_test(groups_have_a_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
