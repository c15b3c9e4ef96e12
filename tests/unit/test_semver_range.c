/* test_semver_range.c — which versions a range holds. */
#include "unit/check.h"

#include "base/semver_range.h"

static bool holds(str text, str range)
{
    struct semver version;
    bool result = false;
    assert_true(semver_parse_tolerant(text, &version));
    assert_ok(semver_in_range(&version, range, &result));
    return result;
}

static void comparisons_joined_by_blanks_must_all_hold(void **state)
{
    (void)state;
    assert_true(holds(STR("v3.260.0"), STR(">=3.5.0 !3.7.7")));
    assert_false(holds(STR("3.7.7"), STR(">=3.5.0 !3.7.7")));
    assert_false(holds(STR("3.4.9"), STR(">= 3.5.0 !3.7.7")));
    assert_true(holds(STR("1.2.3"), STR("1.2.3")));
    assert_true(holds(STR("1.2.3"), STR("==1.2.3")));
    assert_false(holds(STR("1.2.4"), STR("=1.2.3")));
    assert_true(holds(STR("1.2.3"), STR(">1.2.2<1.2.4")));
    assert_false(holds(STR("1.2.3"), STR("<1.2.3")));
    assert_true(holds(STR("1.2.3"), STR("<=1.2.3")));
    assert_false(holds(STR("1.2.3"), STR(">1.2.3")));
}

static void alternatives_need_one(void **state)
{
    (void)state;
    assert_true(holds(STR("3.3.0"), STR("<3.4.0 || >3.8.0")));
    assert_true(holds(STR("3.9.0"), STR("<3.4.0 || >3.8.0")));
    assert_false(holds(STR("3.5.0"), STR("<3.4.0||>3.8.0")));
}

static void x_stands_for_any_number(void **state)
{
    (void)state;
    assert_true(holds(STR("3.9.1"), STR("3.x")));
    assert_true(holds(STR("3.9.1"), STR("3.9.x")));
    assert_false(holds(STR("4.0.0"), STR("3.x")));
    assert_false(holds(STR("3.5.0"), STR("!3.x")));
    assert_true(holds(STR("4.0.0"), STR(">3.x")));
    assert_false(holds(STR("3.9.0"), STR(">3.x")));
    assert_true(holds(STR("3.9.0"), STR("<=3.x")));
    assert_true(holds(STR("3.9.0"), STR("x")));
}

static void a_prerelease_comes_before_its_release(void **state)
{
    (void)state;
    assert_false(holds(STR("3.0.0-dev"), STR(">=3.0.0")));
    assert_true(holds(STR("3.0.0"), STR(">3.0.0-rc.1")));
}

static void what_is_no_range_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = { "",        ">=",  "abc",     "1.2.3 ||",
                                       ">>1.0.0", "1.2", "=>1.2.3", "> \t" };
    struct semver version = { .major = 1 };
    bool result;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_fails(semver_in_range(&version, str_from(bad[i]), &result), ERROR_INVALID,
                     "invalid version range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_joined_by_blanks_must_all_hold),
        cmocka_unit_test(alternatives_need_one),
        cmocka_unit_test(x_stands_for_any_number),
        cmocka_unit_test(a_prerelease_comes_before_its_release),
        cmocka_unit_test(what_is_no_range_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
