/* test_backend_history.c — history, backups and tags. */
#include "unit/backend_fixture.h"

#include "base/clock.h"

/* Entries are told apart by their time, so each gets its own. */
static void add_entry(struct fixture *fixture, const char *message, int64_t time)
{
    static const struct pair environment[] = { { STR_INIT("exec.kind"), STR_INIT("cli") },
                                               { STR_INIT("a"), STR_INIT("<b>") } };
    static const struct op_count changes[] = { { STR_INIT("update"), 2 },
                                               { STR_INIT("create"), 6 } };
    struct history_entry entry = {
        .kind = STR("update"),
        .result = STR("succeeded"),
        .message = str_from(message),
        .start_time = time,
        .end_time = time + 4,
        .environment = environment,
        .environment_count = 2,
        .config = STR("{\"p1:pw\":{\"secure\":\"v1:x\"}}"),
        .changes = changes,
        .change_count = 2,
    };

    clock_fake(time * NS_PER_S);
    assert_ok(backend_add_history(fixture->backend, fixture->stack, &entry));
    clock_fake(0);
}

static void an_entry_is_written_as_the_reference_writes_it(void **state)
{
    struct fixture *fixture = *state;

    fixture_create(fixture, 1);
    add_entry(fixture, "hello", 1794793425);
    assert_str_equal(
        fixture_read(fixture, "history/p1/dev/dev-1794793425000000000.history.json"),
        STR("{\"kind\":\"update\",\"startTime\":1794793425,\"message\":\"hello\",\"environment\":"
            "{\"a\":\"<b>\",\"exec.kind\":\"cli\"},\"config\":{\"p1:pw\":{\"secure\":\"v1:x\"}},"
            "\"version\":0,\"result\":\"succeeded\",\"endTime\":1794793429,"
            "\"resourceChanges\":{\"create\":6,\"update\":2}}"));
    str checkpoint = fixture_read(fixture, "stacks/p1/dev.json");
    assert_str_equal(
        fixture_read(fixture, "history/p1/dev/dev-1794793425000000000.checkpoint.json"),
        checkpoint);
    assert_str_equal(fixture_read(fixture, "backups/p1/dev/dev.1794793425000000000.json"),
                     checkpoint);
}

static void an_entry_reads_back_as_it_was(void **state)
{
    struct fixture *fixture = *state;
    struct history history;

    fixture_create(fixture, 1);
    add_entry(fixture, "hello", 1794793425);
    assert_ok(backend_history(fixture->backend, fixture->stack, &fixture->arena, 1, 0, &history));
    assert_int_equal(history.len, 1);
    const struct history_entry *entry = &history.items[0];
    assert_str_equal(entry->kind, STR("update"));
    assert_str_equal(entry->result, STR("succeeded"));
    assert_str_equal(entry->message, STR("hello"));
    assert_int_equal(entry->start_time, 1794793425);
    assert_int_equal(entry->end_time, 1794793429);
    assert_int_equal(entry->environment_count, 2);
    assert_str_equal(entry->environment[1].key, STR("exec.kind"));
    assert_str_equal(entry->config, STR("{\"p1:pw\":{\"secure\":\"v1:x\"}}"));
    assert_int_equal(entry->change_count, 2);
    assert_str_equal(entry->changes[0].op, STR("create"));
    assert_int_equal(entry->changes[0].count, 6);
}

static void pages_come_newest_first(void **state)
{
    struct fixture *fixture = *state;
    struct history history;

    assert_ok(backend_history(fixture->backend, fixture->stack, &fixture->arena, 1, 0, &history));
    assert_int_equal(history.len, 0);
    fixture_create(fixture, 1);
    for (int i = 0; i < 5; i++)
        add_entry(fixture, arena_printf(&fixture->arena, "m%d", i).ptr, 1794793425 + i);
    assert_ok(backend_history(fixture->backend, fixture->stack, &fixture->arena, 1, 2, &history));
    assert_int_equal(history.len, 2);
    assert_str_equal(history.items[0].message, STR("m4"));
    assert_ok(backend_history(fixture->backend, fixture->stack, &fixture->arena, 3, 2, &history));
    assert_int_equal(history.len, 1);
    assert_str_equal(history.items[0].message, STR("m0"));
    assert_ok(backend_history(fixture->backend, fixture->stack, &fixture->arena, 4, 2, &history));
    assert_int_equal(history.len, 0);
    assert_ok(
        backend_history(fixture->backend, fixture->stack, &fixture->arena, SIZE_MAX, 2, &history));
    assert_int_equal(history.len, 0);
    assert_ok(backend_history(fixture->backend, fixture->stack, &fixture->arena, 0, 3, &history));
    assert_int_equal(history.len, 3);
}

static void history_follows_the_compression(void **state)
{
    struct fixture *fixture = *state;
    struct history history;

    fixture->options.diy.compresses_gzip = true;
    fixture_reopen(fixture);
    fixture_create(fixture, 1);
    add_entry(fixture, "zipped", 1794793425);
    assert_true(fixture_has(fixture, "history/p1/dev/dev-1794793425000000000.history.json.gz"));
    assert_true(fixture_has(fixture, "history/p1/dev/dev-1794793425000000000.checkpoint.json.gz"));
    assert_true(fixture_has(fixture, "backups/p1/dev/dev.1794793425000000000.json.gz"));
    assert_ok(backend_history(fixture->backend, fixture->stack, &fixture->arena, 1, 0, &history));
    assert_str_equal(history.items[0].message, STR("zipped"));
}

static void a_backup_survives_an_edit_of_the_stack_file(void **state)
{
    struct fixture *fixture = *state;

    fixture_create(fixture, 1);
    str before = fixture_read(fixture, "stacks/p1/dev.json");
    add_entry(fixture, "x", 1794793425);
    FILE *file = fopen(fixture_path(fixture, "stacks/p1/dev.json").ptr, "r+");
    assert_non_null(file);
    fputs("oops", file);
    fclose(file);
    assert_str_equal(fixture_read(fixture, "backups/p1/dev/dev.1794793425000000000.json"), before);
}

static void backups_can_be_turned_off(void **state)
{
    struct fixture *fixture = *state;

    fixture->options.diy.disables_backups = true;
    fixture_reopen(fixture);
    fixture_create(fixture, 1);
    add_entry(fixture, "x", 1794793425);
    assert_false(fixture_has(fixture, "backups"));
}

static void a_damaged_entry_is_named(void **state)
{
    struct fixture *fixture = *state;
    struct history history;

    fixture_write(fixture, "history/p1/dev/dev-1.history.json", STR("{\"kind\":"));
    assert_fails(backend_history(fixture->backend, fixture->stack, &fixture->arena, 1, 0, &history),
                 ERROR_INVALID, "dev-1.history.json' is damaged");
}

/* --- tags --- */

static void tags_are_kept_sorted_and_the_last_one_takes_the_file_along(void **state)
{
    struct fixture *fixture = *state;
    str bar = STR("bar"), quoted = STR("\"b\"");
    struct tags tags;

    fixture_create(fixture, 0);
    assert_ok(backend_change_tag(fixture->backend, fixture->stack, STR("foo"), &bar));
    assert_ok(backend_change_tag(fixture->backend, fixture->stack, STR("a"), &quoted));
    assert_str_equal(fixture_read(fixture, "stacks/p1/dev.pulumi-tags"),
                     STR("{\"version\":1,\"tags\":{\"a\":\"\\\"b\\\"\",\"foo\":\"bar\"}}"));
    assert_ok(backend_tags(fixture->backend, fixture->stack, &fixture->arena, &tags));
    assert_int_equal(tags.len, 2);
    assert_str_equal(tags.items[0].key, STR("a"));
    assert_str_equal(tags.items[1].value, STR("bar"));
    assert_ok(backend_change_tag(fixture->backend, fixture->stack, STR("foo"), NULL));
    assert_ok(backend_change_tag(fixture->backend, fixture->stack, STR("a"), NULL));
    assert_false(fixture_has(fixture, "stacks/p1/dev.pulumi-tags"));
    assert_ok(backend_tags(fixture->backend, fixture->stack, &fixture->arena, &tags));
    assert_int_equal(tags.len, 0);
}

static void tags_of_another_version_are_refused(void **state)
{
    struct fixture *fixture = *state;
    struct tags tags;

    fixture_write(fixture, "stacks/p1/dev.pulumi-tags", STR("{\"version\":2,\"tags\":{}}"));
    assert_fails(backend_tags(fixture->backend, fixture->stack, &fixture->arena, &tags),
                 ERROR_INVALID, "unsupported stack tags version: 2 (expected 1)");
}

static void tags_need_a_stack(void **state)
{
    struct fixture *fixture = *state;

    assert_fails(backend_change_tag(fixture->backend, fixture->stack, STR("a"), NULL),
                 ERROR_NOT_FOUND, "no stack named 'dev'");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(an_entry_is_written_as_the_reference_writes_it),
        TEST(an_entry_reads_back_as_it_was),
        TEST(pages_come_newest_first),
        TEST(history_follows_the_compression),
        TEST(a_backup_survives_an_edit_of_the_stack_file),
        TEST(backups_can_be_turned_off),
        TEST(a_damaged_entry_is_named),
        TEST(tags_are_kept_sorted_and_the_last_one_takes_the_file_along),
        TEST(tags_of_another_version_are_refused),
        TEST(tags_need_a_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
