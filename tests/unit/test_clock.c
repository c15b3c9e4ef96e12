/* test_clock.c — times as text. */
#include "unit/check.h"

#include "base/clock.h"

#include <stdlib.h>
#include <time.h>

static void assert_formats(int64_t time, str wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    int64_t back = 0;
    assert_str_equal(clock_format(&arena, time), wanted);
    assert_true(clock_parse(wanted, &back));
    assert_true(back == time);
}

static void trailing_zeros_of_the_fraction_are_trimmed(void **state)
{
    (void)state;
    assert_formats(INT64_C(1794793429428000000), STR("2026-11-16T01:43:49.428Z"));
    assert_formats(INT64_C(1794793429000000000), STR("2026-11-16T01:43:49Z"));
    assert_formats(INT64_C(1794793429000000001), STR("2026-11-16T01:43:49.000000001Z"));
    assert_formats(INT64_C(-1), STR("1969-12-31T23:59:59.999999999Z"));
    CLEANUP(arena_release) struct arena arena = { 0 };
    assert_str_equal(clock_format_ms(&arena, INT64_C(1794793429000000001)),
                     STR("2026-11-16T01:43:49.000Z"));
}

static void seconds_of_others_have_bounds(void **state)
{
    (void)state;
    assert_true(clock_of_seconds(1794793429) == INT64_C(1794793429000000000));
    assert_true(clock_of_seconds(-1) == 0);
    assert_true(clock_of_seconds(INT64_MIN) == 0);
    assert_formats(clock_of_seconds(INT64_C(9214646398)), STR("2261-12-31T23:59:58Z"));
    assert_formats(clock_of_seconds(INT64_C(9214646400)), STR("2261-12-31T23:59:59Z"));
    assert_formats(clock_of_seconds(INT64_C(9000000000000000)), STR("2261-12-31T23:59:59Z"));
    assert_formats(clock_of_seconds(INT64_MAX), STR("2261-12-31T23:59:59Z"));
}

static void the_local_zone_shows_its_offset(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };

    setenv("TZ", "JST-9", 1);
    tzset();
    assert_str_equal(clock_format_local(&arena, INT64_C(1794793429428000000)),
                     STR("2026-11-16T10:43:49.428+09:00"));
    setenv("TZ", "NST3:30", 1);
    tzset();
    assert_str_equal(clock_format_local(&arena, INT64_C(1794793429000000000)),
                     STR("2026-11-15T22:13:49-03:30"));
    setenv("TZ", "UTC", 1);
    tzset();
    assert_str_equal(clock_format_local(&arena, INT64_C(1794793429000000000)),
                     STR("2026-11-16T01:43:49Z"));
}

static void zones_and_fractions_are_understood(void **state)
{
    (void)state;
    int64_t a, b;
    assert_true(clock_parse(STR("2026-11-16T10:43:49.428+09:00"), &a));
    assert_true(clock_parse(STR("2026-11-16T01:43:49.4280000001234Z"), &b));
    assert_true(a == b);
    assert_true(clock_parse(STR("2024-02-29T00:00:00Z"), &a));
}

static void what_is_no_time_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "2026-11-16",
        "2026-11-16T01:43:49",
        "2026-13-16T01:43:49Z",
        "2026-02-29T01:43:49Z",
        "2026-11-16T24:00:00Z",
        "2026-11-16T01:43:49.Z",
        "2026-11-16T01:43:49Zx",
        "0001-01-01T00:00:00Z",
        "2026-11-16 01:43:49Z",
        "2026-11-16T01:43:49+9:00",
    };
    int64_t time;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(clock_parse(str_from(bad[i]), &time));
}

static void a_faked_clock_stands_still(void **state)
{
    (void)state;
    clock_fake(42);
    assert_true(clock_now() == 42 && clock_monotonic() == 42);
    clock_fake(0);
    assert_true(clock_now() > INT64_C(1600000000) * NS_PER_S);
    assert_true(clock_monotonic() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trailing_zeros_of_the_fraction_are_trimmed),
        cmocka_unit_test(seconds_of_others_have_bounds),
        cmocka_unit_test(the_local_zone_shows_its_offset),
        cmocka_unit_test(zones_and_fractions_are_understood),
        cmocka_unit_test(what_is_no_time_is_refused),
        cmocka_unit_test(a_faked_clock_stands_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
