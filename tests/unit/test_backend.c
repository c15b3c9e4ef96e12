/* test_backend.c — opening a folder, and the life of a stack in it. */
#include "unit/backend_fixture.h"

#include "base/fault.h"
#include "fiber/fiber.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void age(struct fixture *fixture, const char *name, long seconds)
{
    struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = seconds } };
    assert_int_equal(utimensat(AT_FDCWD, fixture_path(fixture, name).ptr, times, 0), 0);
}

/* --- open --- */

static struct error *try_open(struct fixture *fixture, const char *url)
{
    struct backend_options options = fixture->options;
    struct backend *backend;

    options.url = str_from(url);
    struct error *failure = backend_open(&options, &backend);
    if (!failure)
        backend_close(backend);
    return failure;
}

static void a_new_store_gets_the_project_layout(void **state)
{
    assert_str_equal(fixture_read(*state, "meta.yaml"), STR("version: 1\n"));
}

static void a_missing_folder_is_told_as_the_reference_tells_it(void **state)
{
    struct fixture *fixture = *state;

    assert_fails(try_open(fixture, "file:///nope/x"), ERROR_INVALID,
                 "unable to open state directory \"file:///nope/x\": stat /nope/x: no such file or "
                 "directory");
    assert_fails(try_open(fixture, "file:///nope/./x"), ERROR_INVALID,
                 "(resolved to \"file:///nope/x\")");
}

static void tilde_and_percent_signs_and_parameters_are_understood(void **state)
{
    struct fixture *fixture = *state;

    assert_ok(fs_make_directory(arena_concat(&fixture->arena, fixture->folder, STR("/a b")), 0777));
    assert_ok(try_open(fixture, "file://~"));
    assert_ok(try_open(fixture, "file://~/a%20b?no_tmp_dir=true&metadata=skip"));
    assert_true(
        fs_exists(arena_concat(&fixture->arena, fixture->folder, STR("/a b/.pulumi/meta.yaml"))));
    assert_ok(try_open(fixture, "file://~/made/here?create_dir=true&dir_file_mode=0700"));
    assert_true(fs_exists(
        arena_concat(&fixture->arena, fixture->folder, STR("/made/here/.pulumi/meta.yaml"))));
    assert_fails(try_open(fixture, "file://~?color=red"), ERROR_INVALID,
                 "unknown query parameter 'color'");
    assert_fails(try_open(fixture, "file://~?dir_file_mode=x"), ERROR_INVALID, "'dir_file_mode'");
    assert_fails(try_open(fixture, "file://~/a%2"), ERROR_INVALID, "invalid URL escape");
    assert_fails(try_open(fixture, "file://~bob/x"), ERROR_INVALID,
                 "only ~ and ~/PATH are understood");
    assert_fails(try_open(fixture, "gopher://x"), ERROR_INVALID,
                 "unsupported backend URL 'gopher://x': expected file://PATH, https://HOST, "
                 "s3://BUCKET[/PREFIX], gs://BUCKET[/PREFIX], "
                 "azblob://CONTAINER[/PREFIX] or postgres://HOST/DATABASE");
    assert_fails(try_open(fixture, "/x"), ERROR_INVALID, "unsupported backend URL '/x'");
}

static void a_relative_path_starts_at_the_working_directory(void **state)
{
    struct fixture *fixture = *state;
    str former;

    assert_ok(fs_working_directory(&fixture->arena, &former));
    assert_int_equal(chdir(fixture->folder.ptr), 0);
    assert_ok(try_open(fixture, "file://."));
    assert_ok(try_open(fixture, "file://./.pulumi/.."));
    assert_int_equal(chdir(former.ptr), 0);
}

static void a_store_of_another_layout_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const char *url = fixture->options.url.ptr;

    fixture_write(fixture, "meta.yaml", STR("version: 2\n"));
    assert_fails(try_open(fixture, url), ERROR_INVALID,
                 "state store unsupported: 'meta.yaml' version (2) is not supported by this "
                 "version of the Pulumi CLI");
    fixture_write(fixture, "meta.yaml", STR("# nothing\n"));
    assert_fails(try_open(fixture, url), ERROR_INVALID,
                 "corrupt store: missing version in \".pulumi/meta.yaml\"");
    fixture_write(fixture, "meta.yaml", STR("version: x\n"));
    assert_fails(try_open(fixture, url), ERROR_INVALID, "corrupt store");
    assert_ok(fs_remove(fixture_path(fixture, "meta.yaml")));
    fixture_write(fixture, "stacks/old.json", STR("{}"));
    assert_fails(try_open(fixture, url), ERROR_INVALID, "pulumi state upgrade");
}

static void the_old_layout_can_be_used_when_told_so(void **state)
{
    struct fixture *fixture = *state;
    struct stack_summaries stacks;

    assert_ok(fs_remove(fixture_path(fixture, "meta.yaml")));
    fixture->options.diy.uses_legacy_layout = true;
    fixture->options.diy.ignores_legacy_error = true;
    fixture->stack.project = STR("");
    fixture_reopen(fixture);
    fixture_create(fixture, 3);
    assert_true(fixture_has(fixture, "stacks/dev.json"));
    assert_false(fixture_has(fixture, "meta.yaml"));
    assert_int_equal(count_loaded(fixture), 3);
    assert_ok(backend_list_stacks(fixture->backend, &fixture->arena, STR(""), &stacks));
    assert_int_equal(stacks.len, 1);
}

static void an_upgrade_moves_old_stacks_into_projects(void **state)
{
    struct fixture *fixture = *state;
    struct history_entry entry = { .kind = STR("update"), .result = STR("succeeded") };
    struct layout_upgrade upgrade;
    struct history history;

    assert_ok(fs_remove(fixture_path(fixture, "meta.yaml")));
    fixture->options.diy.uses_legacy_layout = true;
    fixture->options.diy.ignores_legacy_error = true;
    fixture_reopen(fixture);
    fixture->stack = (struct stack_ref){ .project = STR(""), .name = STR("empty") };
    fixture_create(fixture, 0);
    fixture->stack.name = STR("dev");
    fixture_create(fixture, 3);
    assert_ok(backend_add_history(fixture->backend, fixture->stack, &entry));

    assert_ok(backend_upgrade(fixture->backend, &fixture->arena, &upgrade));
    assert_int_equal(upgrade.upgraded, 1);
    assert_int_equal(upgrade.skipped_count, 1);
    assert_str_equal(upgrade.skipped[0].key, STR("empty"));
    assert_str_equal(upgrade.skipped[0].value, STR("no project name found"));
    fixture->stack.project = STR("p1");
    assert_int_equal(count_loaded(fixture), 3);
    assert_ok(backend_history(fixture->backend, fixture->stack, &fixture->arena, 1, 0, &history));
    assert_int_equal(history.len, 1);
    assert_true(fixture_has(fixture, "stacks/dev.json.bak"));
    fixture->options.diy.ignores_legacy_error = false;
    fixture_reopen(fixture);
    assert_int_equal(count_loaded(fixture), 3);
}

/* --- create, save, load --- */

static void a_missing_stack_is_not_found_with_exit_code_6(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot;
    bool has_deployment;

    struct error *failure =
        backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot, &has_deployment);
    assert_non_null(failure);
    assert_int_equal(error_exit_code(failure), 6);
    assert_fails(failure, ERROR_NOT_FOUND, "no stack named 'dev' found");
}

static void a_stack_is_created_once(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 0);
    bool exists;

    assert_ok(backend_stack_exists(fixture->backend, fixture->stack, &exists));
    assert_false(exists);
    fixture_create(fixture, 2);
    assert_ok(backend_stack_exists(fixture->backend, fixture->stack, &exists));
    assert_true(exists);
    assert_int_equal(count_loaded(fixture), 2);
    assert_fails(backend_create_stack(fixture->backend, fixture->stack, &snapshot), ERROR_EXISTS,
                 "stack 'organization/p1/dev' already exists");
    assert_int_equal(count_loaded(fixture), 2);
}

static void the_file_is_as_the_reference_writes_it(void **state)
{
    struct fixture *fixture = *state;

    fixture_create(fixture, 1);
    assert_str_equal(fixture_read(fixture, "stacks/p1/dev.json"),
                     STR("{\"version\":3,\"checkpoint\":{\"stack\":\"organization/p1/"
                         "dev\",\"latest\":{\"manifest\":"
                         "{\"time\":\"2026-11-16T01:43:49.428Z\",\"magic\":\"\",\"version\":\"\"},"
                         "\"resources\":["
                         "{\"urn\":\"urn:pulumi:dev::p1::my:mod:Comp::r0\",\"custom\":false,"
                         "\"type\":\"my:mod:Comp\"}],"
                         "\"metadata\":{}}}}"));
}

static void the_file_that_stack_init_writes_first_is_read(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot;
    bool has_deployment = true;

    fixture_write(fixture, "stacks/p1/dev.json",
                  STR("{\"version\":0,\"checkpoint\":{\"stack\":\"organization/p1/dev\"}}"));
    assert_ok(backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot,
                           &has_deployment));
    assert_false(has_deployment);
    assert_int_equal(snapshot.resource_count, 0);
}

static void a_stack_without_deployment_can_be_created(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot;
    bool has_deployment = true;

    assert_ok(backend_create_stack(fixture->backend, fixture->stack, NULL));
    assert_ok(backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot,
                           &has_deployment));
    assert_false(has_deployment);
}

static void saving_keeps_the_former_file_and_drops_stale_descriptions(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 5);

    fixture_create(fixture, 2);
    str former = fixture_read(fixture, "stacks/p1/dev.json");
    fixture_write(fixture, "stacks/p1/dev.json.attrs", STR("{\"md5\":\"old\"}"));
    fixture_write(fixture, "stacks/p1/dev.json.bak.attrs", STR("{\"md5\":\"old\"}"));
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    assert_str_equal(fixture_read(fixture, "stacks/p1/dev.json.bak"), former);
    assert_false(fixture_has(fixture, "stacks/p1/dev.json.attrs"));
    assert_false(fixture_has(fixture, "stacks/p1/dev.json.bak.attrs"));
    assert_int_equal(count_loaded(fixture), 5);
}

static void a_private_file_stays_private(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 5);
    struct fs_status status;

    fixture_create(fixture, 2);
    assert_int_equal(chmod(fixture_path(fixture, "stacks/p1/dev.json").ptr, 0600), 0);
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    assert_ok(fs_stat(fixture_path(fixture, "stacks/p1/dev.json"), &status));
    assert_int_equal(status.mode, 0600);
}

static void every_format_is_read_and_written(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 30000); /* several chunks */

    fixture_create(fixture, 1);
    for (int round = 0; round < 4; round++) {
        fixture->options.diy.compresses_gzip = round == 0 || round == 3;
        fixture->options.diy.compresses_zstd = round == 1;
        fixture_reopen(fixture);
        snapshot.resource_count -= 1;
        assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
        assert_int_equal(fixture_has(fixture, "stacks/p1/dev.json"), round == 2);
        assert_int_equal(fixture_has(fixture, "stacks/p1/dev.json.gz"), round == 0 || round == 3);
        assert_int_equal(fixture_has(fixture, "stacks/p1/dev.json.zst"), round == 1);
        assert_int_equal(count_loaded(fixture), snapshot.resource_count);
    }
    assert_true(fixture_has(fixture, "stacks/p1/dev.json.bak"));
    assert_true(fixture_has(fixture, "stacks/p1/dev.json.gz.bak"));
}

static void both_formats_at_once_are_refused(void **state)
{
    struct fixture *fixture = *state;
    struct backend *backend;

    fixture->options.diy.compresses_gzip = fixture->options.diy.compresses_zstd = true;
    assert_fails(backend_open(&fixture->options, &backend), ERROR_INVALID,
                 "DIY_BACKEND_GZIP and DIY_BACKEND_ZSTD cannot both be enabled");
    fixture->options.diy.compresses_gzip = fixture->options.diy.compresses_zstd = false;
}

static void the_newest_file_is_the_current_one(void **state)
{
    struct fixture *fixture = *state;

    fixture_create(fixture, 1);
    str one = fixture_read(fixture, "stacks/p1/dev.json");
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 2);
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    fixture_write(fixture, "stacks/p1/dev.json.gz", one); /* the content decides how it is read */
    age(fixture, "stacks/p1/dev.json.gz", 1000);
    assert_int_equal(count_loaded(fixture), 2);
    age(fixture, "stacks/p1/dev.json", 999);
    assert_int_equal(count_loaded(fixture), 1);
}

static void a_file_from_the_future_does_not_win_over_a_new_format(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 2);
    int status;

    fixture_create(fixture, 1);
    age(fixture, "stacks/p1/dev.json", 4000000000);
    fixture->options.diy.compresses_zstd = true;
    fixture_reopen(fixture);
    pid_t child = fork();
    if (child == 0) {
        fault_arm(STR("checkpoint.after-rename:1"), STR(""));
        assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_true(fixture_has(fixture, "stacks/p1/dev.json"));
    assert_int_equal(count_loaded(fixture), 2);
}

static void retained_checkpoints_are_kept_beside(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 5);
    str *names;
    size_t len;

    fixture_create(fixture, 2);
    fixture->options.diy.retains_checkpoints = true;
    fixture_reopen(fixture);
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    assert_ok(fs_list(&fixture->arena, fixture_path(fixture, "stacks/p1"), &names, &len));
    assert_int_equal(len, 3);
    assert_true(str_starts_with(names[1], STR("dev.json.1")));
}

static void a_damaged_file_names_the_way_back_and_is_not_touched(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 5);
    bool has_deployment;

    fixture_create(fixture, 2);
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    str whole = fixture_read(fixture, "stacks/p1/dev.json");
    str half = str_slice(whole, 0, whole.len / 2);
    fixture_write(fixture, "stacks/p1/dev.json", half);
    assert_fails(
        backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot, &has_deployment),
        ERROR_INVALID, "stacks/p1/dev.json.bak': to go back to it, copy it over the stack file");
    assert_str_equal(fixture_read(fixture, "stacks/p1/dev.json"), half);

    fixture_write(fixture, "stacks/p1/dev.json", STR("\x1f\x8b\x08 cut"));
    assert_fails(
        backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot, &has_deployment),
        ERROR_INVALID, "damaged gzip data");
    fixture_write(fixture, "stacks/p1/dev.json", STR("\x28\xb5\x2f\xfd"));
    assert_fails(
        backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot, &has_deployment),
        ERROR_INVALID, "damaged zstd data");
}

static void a_file_of_a_later_version_is_not_called_damaged(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot;
    bool has_deployment;

    fixture_write(fixture, "stacks/p1/dev.json", STR("{\"version\":7,\"checkpoint\":{}}"));
    struct error *failure =
        backend_load(fixture->backend, fixture->stack, &fixture->arena, &snapshot, &has_deployment);
    assert_non_null(failure);
    assert_true(str_find(error_message(failure), STR("damaged")) == SIZE_MAX);
    assert_fails(failure, ERROR_INVALID, "dev.json': unsupported checkpoint version 7");
}

static void a_failing_disk_leaves_the_former_state(void **state)
{
    static const char *const calls[] = { "fs.create:1", "fs.write:1", "fs.sync:1", "fs.rename:1" };
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 5);
    str *names;
    size_t len;

    fixture_create(fixture, 2);
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        fault_arm(STR(""), str_from(calls[i]));
        struct error *failure = backend_save(fixture->backend, fixture->stack, &snapshot);
        fault_arm(STR(""), STR(""));
        assert_fails(failure, ERROR_OS,
                     "dev.json' (the former state is untouched; run the command again)");
        assert_int_equal(count_loaded(fixture), 2);
    }
    assert_ok(fs_list(&fixture->arena, fixture_path(fixture, "stacks/p1"), &names, &len));
    assert_int_equal(len, 2); /* dev.json and its .bak: no temporary file stays */
}

static void a_file_that_cannot_be_opened_is_told_with_its_reason(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 5);

    fixture_create(fixture, 2);
    for (int nth = 1; nth <= 9; nth++) {
        fault_arm(STR(""), arena_printf(&fixture->arena, "fs.open:%d", nth));
        struct error *failure = backend_save(fixture->backend, fixture->stack, &snapshot);
        fault_arm(STR(""), STR(""));
        if (failure)
            assert_fails(failure, ERROR_OS, "Input/output error");
    }
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
}

/* The system takes what still fits, and refuses the rest. */
static void a_lock_that_does_not_fit_is_told_with_its_reason(void **state)
{
    struct fixture *fixture = *state;
    struct rlimit former, small;
    struct backend_lock *lock;
    struct strs owners;

    fixture_create(fixture, 2);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &former), 0);
    small = (struct rlimit){ .rlim_cur = 1, .rlim_max = former.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct error *failure = backend_lock(fixture->backend, fixture->stack, &lock);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &former), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_fails(failure, ERROR_OS, "File too large");
    assert_ok(backend_describe_locks(fixture->backend, fixture->stack, &fixture->arena, &owners));
    assert_int_equal(owners.len, 0);
}

/* Root may write anywhere, so it becomes somebody else first. */
static void a_folder_that_is_not_writable_is_told_with_advice(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 5);
    int status;

    fixture_create(fixture, 2);
    assert_int_equal(chmod(fixture->folder.ptr, 0755), 0);
    assert_int_equal(chmod(fixture_path(fixture, "").ptr, 0755), 0);
    assert_int_equal(chmod(fixture_path(fixture, "stacks").ptr, 0755), 0);
    assert_int_equal(chmod(fixture_path(fixture, "stacks/p1").ptr, 0555), 0);
    assert_int_equal(chmod(fixture_path(fixture, "stacks/p1/dev.json").ptr, 0644), 0);
    pid_t child = fork();
    if (child == 0) {
        struct journal *journal;
        if (getuid() == 0 && setuid(65534) != 0)
            _exit(1);
        assert_fails(backend_save(fixture->backend, fixture->stack, &snapshot), ERROR_OS,
                     "make the folder writable and run the command again");
        assert_fails(journal_open(fixture->backend, fixture->stack, &journal), ERROR_OS,
                     "cannot record what will happen (make the folder writable and run the command "
                     "again): create journal '");
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(chmod(fixture_path(fixture, "stacks/p1").ptr, 0755), 0);
    assert_int_equal(count_loaded(fixture), 2);
}

static void what_a_killed_writer_left_is_swept(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 5);
    struct journal *journal;
    int status;
    str *names;
    size_t len;

    fixture_create(fixture, 2);
    fixture_write(fixture, "stacks/p1/dev.json.json.0123456789abcdef.tmp", STR("another stack's"));
    pid_t child = fork();
    if (child == 0) {
        fault_arm(STR("checkpoint.backed-up:1"), STR(""));
        assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_loaded(fixture), 2);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    journal_close(journal);
    assert_ok(fs_list(&fixture->arena, fixture_path(fixture, "stacks/p1"), &names, &len));
    assert_int_equal(len, 3);
    assert_true(fixture_has(fixture, "stacks/p1/dev.json.json.0123456789abcdef.tmp"));
}

/* --- list --- */

static void stacks_are_listed_with_time_and_count(void **state)
{
    struct fixture *fixture = *state;
    struct stack_summaries stacks;

    fixture->stack = (struct stack_ref){ .project = STR("p2"), .name = STR("b") };
    fixture_create(fixture, 3);
    fixture->stack = (struct stack_ref){ .project = STR("p1"), .name = STR("z") };
    fixture_create(fixture, 1);
    fixture->stack = (struct stack_ref){ .project = STR("p1"), .name = STR("a") };
    assert_ok(backend_create_stack(fixture->backend, fixture->stack, NULL));
    fixture_write(fixture, "stacks/p1/bad.json", STR("{\"version\":3,"));
    fixture_write(fixture, "stacks/p1/z.json.gz", STR("{}"));
    age(fixture, "stacks/p1/z.json.gz", 1);
    fixture_write(fixture, "stacks/p1/no stack.json", STR("{}"));
    fixture_write(fixture, "stacks/p1/z.json.bak", STR("{}"));
    fixture_write(fixture, "stacks/p1/deep/er.json", STR("{}"));

    assert_ok(backend_list_stacks(fixture->backend, &fixture->arena, STR(""), &stacks));
    assert_int_equal(stacks.len, 4);
    assert_str_equal(stacks.items[0].stack.name, STR("a"));
    assert_false(stacks.items[0].has_deployment);
    assert_str_equal(stacks.items[1].stack.name, STR("bad"));
    assert_str_equal(stacks.items[2].stack.name, STR("z"));
    assert_int_equal(stacks.items[2].resource_count, 1);
    assert_str_equal(stacks.items[3].stack.project, STR("p2"));
    assert_int_equal(stacks.items[3].resource_count, 3);
    assert_true(stacks.items[3].has_deployment);
    assert_str_equal(stacks.items[3].last_update, STR("2026-11-16T01:43:49.428Z"));

    assert_ok(backend_list_stacks(fixture->backend, &fixture->arena, STR("p2"), &stacks));
    assert_int_equal(stacks.len, 1);
    assert_ok(backend_list_stacks(fixture->backend, &fixture->arena, STR("none"), &stacks));
    assert_int_equal(stacks.len, 0);
}

/* --- remove --- */

static void a_stack_with_resources_is_removed_only_by_force(void **state)
{
    struct fixture *fixture = *state;
    bool exists;

    fixture_create(fixture, 1);
    assert_fails(backend_remove_stack(fixture->backend, fixture->stack, false, false),
                 ERROR_INVALID,
                 "'dev' still has resources; removal rejected. Possible actions:\n- Make sure that "
                 "'dev' is");
    assert_ok(backend_remove_stack(fixture->backend, fixture->stack, true, false));
    assert_ok(backend_stack_exists(fixture->backend, fixture->stack, &exists));
    assert_false(exists);
    assert_true(fixture_has(fixture, "stacks/p1/dev.json.bak"));
    assert_fails(backend_remove_stack(fixture->backend, fixture->stack, true, false),
                 ERROR_NOT_FOUND, "no stack named");
}

static void a_lone_root_stack_counts_as_empty(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 1);

    snapshot.resources[0]->type = STR("pulumi:pulumi:Stack");
    snapshot.resources[0]->urn = STR("urn:pulumi:dev::p1::pulumi:pulumi:Stack::p1-dev");
    assert_ok(backend_create_stack(fixture->backend, fixture->stack, &snapshot));
    assert_ok(backend_remove_stack(fixture->backend, fixture->stack, false, false));
}

static void removal_takes_tags_and_history_and_on_demand_backups(void **state)
{
    struct fixture *fixture = *state;
    struct history_entry entry = { .kind = STR("update"), .result = STR("succeeded") };
    str value = STR("bar");

    for (int round = 0; round < 2; round++) {
        fixture_create(fixture, 0);
        assert_ok(backend_add_history(fixture->backend, fixture->stack, &entry));
        assert_ok(backend_change_tag(fixture->backend, fixture->stack, STR("foo"), &value));
        assert_ok(backend_remove_stack(fixture->backend, fixture->stack, false, round == 1));
        assert_false(fixture_has(fixture, "stacks/p1/dev.pulumi-tags"));
        assert_false(fixture_has(fixture, "history/p1/dev"));
        assert_int_equal(fixture_has(fixture, "backups/p1/dev"), round == 0);
        assert_int_equal(fixture_has(fixture, "stacks/p1/dev.json.bak"), round == 0);
    }
}

static void forced_removal_puts_a_journal_aside(void **state)
{
    struct fixture *fixture = *state;
    struct journal *journal;

    fixture_create(fixture, 0);
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    assert_ok(journal_append(journal, sample_record(&fixture->arena, 1), true));
    journal_close(journal);
    assert_fails(backend_remove_stack(fixture->backend, fixture->stack, false, false),
                 ERROR_INVALID, "still has resources");
    assert_ok(backend_remove_stack(fixture->backend, fixture->stack, true, false));
    assert_true(fixture_has(fixture, "stacks/p1/dev.journal.stale"));
    fixture_create(fixture, 0);
    assert_int_equal(count_loaded(fixture), 0);
}

/* --- rename --- */

static void a_rename_takes_everything_along(void **state)
{
    struct fixture *fixture = *state;
    struct stack_ref renamed = { .project = STR("p2"), .name = STR("prod") };
    struct history_entry entry = { .kind = STR("update"), .result = STR("succeeded") };
    str value = STR("bar");
    struct tags tags;
    struct history history;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 2);
    str *names;
    size_t len;

    fixture_create(fixture, 2);
    assert_ok(backend_add_history(fixture->backend, fixture->stack, &entry));
    assert_ok(backend_change_tag(fixture->backend, fixture->stack, STR("foo"), &value));
    assert_ok(backend_rename_stack(fixture->backend, fixture->stack, renamed, &snapshot));

    assert_false(fixture_has(fixture, "stacks/p1/dev.json"));
    assert_true(fixture_has(fixture, "stacks/p1/dev.json.bak"));
    assert_true(str_find(fixture_read(fixture, "stacks/p2/prod.json"),
                         STR("\"stack\":\"organization/p2/prod\""))
                != SIZE_MAX);
    assert_ok(backend_tags(fixture->backend, renamed, &fixture->arena, &tags));
    assert_int_equal(tags.len, 1);
    assert_ok(backend_history(fixture->backend, renamed, &fixture->arena, 1, 0, &history));
    assert_int_equal(history.len, 1);
    assert_ok(fs_list(&fixture->arena, fixture_path(fixture, "history/p2/prod"), &names, &len));
    assert_int_equal(len, 2);
    assert_true(str_starts_with(names[0], STR("prod-")) && str_starts_with(names[1], STR("prod-")));
    assert_true(fixture_has(fixture, "backups/p2/prod"));
    assert_false(fixture_has(fixture, "history/p1/dev"));
}

static void a_rename_waits_for_the_disk_once_for_the_whole_history(void **state)
{
    struct fixture *fixture = *state;
    struct stack_ref renamed = { .project = STR("p1"), .name = STR("prod") };
    struct history_entry entry = { .kind = STR("update"), .result = STR("succeeded") };
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 2);
    struct history history;

    fixture_create(fixture, 2);
    for (int i = 0; i < 20; i++)
        assert_ok(backend_add_history(fixture->backend, fixture->stack, &entry));
    fault_arm(STR(""), STR("fs.sync:20"));
    struct error *failure =
        backend_rename_stack(fixture->backend, fixture->stack, renamed, &snapshot);
    fault_arm(STR(""), STR(""));
    assert_ok(failure);
    assert_ok(backend_history(fixture->backend, renamed, &fixture->arena, 1, 0, &history));
    assert_int_equal(history.len, 20);
}

static void a_rename_to_a_taken_name_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct stack_ref dev = fixture->stack, prod = { .project = STR("p1"), .name = STR("prod") };
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 2);

    fixture_create(fixture, 2);
    fixture->stack = prod;
    fixture_create(fixture, 3);
    assert_fails(backend_rename_stack(fixture->backend, dev, prod, &snapshot), ERROR_EXISTS,
                 "stack 'organization/p1/prod' already exists");
    assert_int_equal(count_loaded(fixture), 3);
    fixture->stack = dev;
    assert_int_equal(count_loaded(fixture), 2);
}

/* --- on fibers --- */

struct trip {
    struct fixture *fixture;
    size_t loaded;
};

static void make_trip(void *trip_)
{
    struct trip *trip = trip_;
    struct fixture *fixture = trip->fixture;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 4);
    struct backend_lock *lock;

    fixture_create(fixture, 1);
    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    assert_ok(backend_unlock(lock));
    trip->loaded = count_loaded(fixture);
}

static void all_of_it_works_on_helper_threads(void **state)
{
    struct trip trip = { .fixture = *state };

    assert_ok(scheduler_run(make_trip, &trip));
    assert_int_equal(trip.loaded, 4);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_new_store_gets_the_project_layout),
        TEST(a_missing_folder_is_told_as_the_reference_tells_it),
        TEST(tilde_and_percent_signs_and_parameters_are_understood),
        TEST(a_relative_path_starts_at_the_working_directory),
        TEST(a_store_of_another_layout_is_refused),
        TEST(the_old_layout_can_be_used_when_told_so),
        TEST(an_upgrade_moves_old_stacks_into_projects),
        TEST(a_missing_stack_is_not_found_with_exit_code_6),
        TEST(a_stack_is_created_once),
        TEST(the_file_is_as_the_reference_writes_it),
        TEST(the_file_that_stack_init_writes_first_is_read),
        TEST(a_stack_without_deployment_can_be_created),
        TEST(saving_keeps_the_former_file_and_drops_stale_descriptions),
        TEST(a_private_file_stays_private),
        TEST(every_format_is_read_and_written),
        TEST(both_formats_at_once_are_refused),
        TEST(the_newest_file_is_the_current_one),
        TEST(a_file_from_the_future_does_not_win_over_a_new_format),
        TEST(retained_checkpoints_are_kept_beside),
        TEST(a_damaged_file_names_the_way_back_and_is_not_touched),
        TEST(a_file_of_a_later_version_is_not_called_damaged),
        TEST(a_failing_disk_leaves_the_former_state),
        TEST(a_file_that_cannot_be_opened_is_told_with_its_reason),
        TEST(a_lock_that_does_not_fit_is_told_with_its_reason),
        TEST(a_folder_that_is_not_writable_is_told_with_advice),
        TEST(what_a_killed_writer_left_is_swept),
        TEST(stacks_are_listed_with_time_and_count),
        TEST(a_stack_with_resources_is_removed_only_by_force),
        TEST(a_lone_root_stack_counts_as_empty),
        TEST(removal_takes_tags_and_history_and_on_demand_backups),
        TEST(forced_removal_puts_a_journal_aside),
        TEST(a_rename_takes_everything_along),
        TEST(a_rename_waits_for_the_disk_once_for_the_whole_history),
        TEST(a_rename_to_a_taken_name_changes_nothing),
        TEST(all_of_it_works_on_helper_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
