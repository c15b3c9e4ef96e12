/* test_cli_tools.c — small pieces of commands: times on the line, files that are not watched, plans
 * of a repair, short names. */
#include "unit/check.h"

#include "base/clock.h"
#include "cli/folder_watch.h"
#include "cli/log_list.h"
#include "cli/stack/repair_plan.h"
#include "cli/stack/resource_names.h"

static const int64_t NOW = 1000000 * (int64_t)NS_PER_S;

static int64_t seconds(const char *text)
{
    int64_t time = -1;

    return log_time_parse(str_from(text), NOW, &time) ? time / NS_PER_S : -1;
}

static void times_are_dates_or_how_long_ago(void **state)
{
    (void)state;
    assert_int_equal(seconds("90s"), 1000000 - 90);
    assert_int_equal(seconds("1h30m"), 1000000 - 5400);
    assert_int_equal(seconds("7d"), 1000000 - 7 * 86400);
    assert_int_equal(seconds("1970-01-02"), 86400);
    assert_int_equal(seconds("1970-01-01T01:00:00Z"), 3600);
}

static void other_words_are_no_times(void **state)
{
    static const char *const words[] = { "", "1", "h", "1w", "1h2", "-1h", "soon", "9999999999d" };

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        assert_int_equal(seconds(words[i]), -1);
}

static void what_editors_and_tools_leave_is_not_watched(void **state)
{
    static const char *const ignored[] = { ".git",         ".main.ts.swp", "index.ts~", "4913",
                                           "node_modules", "__pycache__",  "a.pyc",     "#x#" };
    static const char *const watched[] = { "index.ts", "Pulumi.yaml", "Pulumi.dev.yaml", "src" };

    (void)state;
    for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
        assert_true(folder_watch_ignores(str_from(ignored[i])));
    for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
        assert_false(folder_watch_ignores(str_from(watched[i])));
}

/* Resources by the letters of their names, in two orders. */
static str plan_of(struct arena *arena, const char *before, const char *after)
{
    struct snapshot snapshot = { .resource_count = strlen(before) };
    struct resource *by_letter[128] = { NULL };
    struct resource **lists[2];

    for (size_t i = 0; i < 2; i++)
        lists[i] = ARENA_ARRAY(arena, struct resource *, snapshot.resource_count);
    for (size_t i = 0; i < snapshot.resource_count; i++) {
        struct resource *resource = ARENA_NEW(arena, struct resource);
        resource->urn = arena_printf(arena, "urn:pulumi:s::p::t:m:T::%c", before[i]);
        by_letter[(unsigned char)before[i]] = lists[0][i] = resource;
    }
    for (size_t i = 0; i < snapshot.resource_count; i++)
        lists[1][i] = by_letter[(unsigned char)after[i]];
    snapshot.resources = lists[1];
    return repair_plan_text(arena, &(struct repair_plan){ lists[0], lists[1], &snapshot });
}

static void a_plan_names_only_what_moves(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_int_equal(plan_of(&arena, "abcd", "abcd").len, 0);
    assert_str_equal(plan_of(&arena, "dabc", "abcd"),
                     STR("The following resources will be reordered to appear before their "
                         "dependents:\n\n* urn:pulumi:s::p::t:m:T::d\n\n"));
    assert_true(str_find(plan_of(&arena, "abcd", "dabc"), STR("::d\n")) != SIZE_MAX);
    assert_true(str_find(plan_of(&arena, "abcd", "dabc"), STR("::a\n")) == SIZE_MAX);
}

static void short_names_are_identifiers(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct resource root = { .urn = STR("urn:pulumi:s::p::pulumi:pulumi:Stack::p-s"),
                             .type = STR("pulumi:pulumi:Stack") };
    struct resource odd = { .urn = STR("urn:pulumi:s::p::t:m:T::1-ö.x"), .type = STR("t:m:T") };
    struct resource *list[] = { &root, &odd };
    struct snapshot snapshot = { .resources = list, .resource_count = 2 };
    struct pairs names = resource_names(&arena, &snapshot);

    (void)state;
    assert_int_equal(names.len, 1);
    assert_true(str_starts_with(names.items[0].key, STR("_1___x_")));
    assert_int_equal(names.items[0].key.len, sizeof("_1___x_") - 1 + 6);
    assert_str_equal(names.items[0].value, odd.urn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_dates_or_how_long_ago),
        cmocka_unit_test(other_words_are_no_times),
        cmocka_unit_test(what_editors_and_tools_leave_is_not_watched),
        cmocka_unit_test(a_plan_names_only_what_moves),
        cmocka_unit_test(short_names_are_identifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
