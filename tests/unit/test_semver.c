/* test_semver.c — claims about semantic versions. */
#include "unit/check.h"

#include "base/semver.h"

static struct semver parsed(const char *text)
{
    struct semver version;
    assert_true(semver_parse(str_from(text), &version));
    return version;
}

static int order(const char *a, const char *b)
{
    struct semver first = parsed(a), second = parsed(b);
    int result = semver_compare(&first, &second);
    assert_int_equal(semver_compare(&second, &first) > 0, result < 0);
    return (result > 0) - (result < 0);
}

static void a_version_has_five_parts(void **state)
{
    (void)state;
    struct semver version = parsed("1.22.333-rc.1+build.7");
    assert_int_equal(version.major, 1);
    assert_int_equal(version.minor, 22);
    assert_int_equal(version.patch, 333);
    assert_str_equal(version.pre, STR("rc.1"));
    assert_str_equal(version.build, STR("build.7"));
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    const char *const texts[] = { "0.0.0", "1.2.3", "1.2.3-a", "1.2.3+b", "1.2.3-a.b-c.0+d.01" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct semver version = parsed(texts[i]);
        assert_str_equal(semver_format(&arena, &version), str_from(texts[i]));
    }
}

static void strict_parsing_refuses_what_is_not_a_version(void **state)
{
    (void)state;
    const char *const texts[] = { "",           "1",
                                  "1.2",        "v1.2.3",
                                  "1.2.3.4",    "1.2.x",
                                  "01.2.3",     "1.2.3-",
                                  "1.2.3-a..b", "1.2.3+",
                                  "1.2.3-01",   " 1.2.3",
                                  "1.2.3-ä",    "99999999999999999999.0.0" };
    struct semver version;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert_false(semver_parse(str_from(texts[i]), &version));
}

static void tolerant_parsing_fills_in_what_is_missing(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    const char *const texts[][2] = { { "v1.2.3", "1.2.3" },
                                     { " 1.2 ", "1.2.0" },
                                     { "7", "7.0.0" },
                                     { "v01.002.3", "1.2.3" },
                                     { "1.2.3-rc+b", "1.2.3-rc+b" } };
    struct semver version;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        assert_true(semver_parse_tolerant(str_from(texts[i][0]), &version));
        assert_str_equal(semver_format(&arena, &version), str_from(texts[i][1]));
    }
    assert_false(semver_parse_tolerant(STR("1.2-rc"), &version));
    assert_false(semver_parse_tolerant(STR("latest"), &version));
    assert_false(semver_parse_tolerant(STR(""), &version));
    assert_false(semver_parse_tolerant((str){ 0 }, &version)); /* a field that was not given */
}

static void versions_are_ordered_by_precedence(void **state)
{
    (void)state;
    const char *const ascending[] = { "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
                                      "1.0.0-beta",  "1.0.0-beta.2",  "1.0.0-beta.11",
                                      "1.0.0-rc.1",  "1.0.0",         "1.0.1",
                                      "1.2.0",       "2.0.0" };
    for (size_t i = 0; i + 1 < sizeof(ascending) / sizeof(*ascending); i++)
        assert_int_equal(order(ascending[i], ascending[i + 1]), -1);
    assert_int_equal(order("1.0.0+a", "1.0.0+b"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_has_five_parts),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(strict_parsing_refuses_what_is_not_a_version),
        cmocka_unit_test(tolerant_parsing_fills_in_what_is_missing),
        cmocka_unit_test(versions_are_ordered_by_precedence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
