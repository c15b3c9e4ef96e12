/* test_backend_modes.c — who may read what the file backend writes. */
#include "unit/backend_fixture.h"

#include "base/vec.h"

#include <sys/stat.h>
#include <unistd.h>

/* Everything below a path has the one mode or the other, and something is there at all. */
static size_t check_tree(struct fixture *fixture, str path, unsigned folder_mode,
                         unsigned file_mode)
{
    struct fs_status status;
    size_t count = 1, len;
    str *names;

    assert_ok(fs_stat(path, &status));
    unsigned wanted = status.is_directory ? folder_mode : file_mode;
    if (status.mode != wanted)
        print_error(STR_FMT " has the mode %o instead of %o\n", STR_ARG(path), status.mode, wanted);
    assert_int_equal(status.mode, wanted);
    if (!status.is_directory)
        return count;
    assert_ok(fs_list(&fixture->arena, path, &names, &len));
    for (size_t i = 0; i < len; i++)
        count += check_tree(fixture, fs_path_join(&fixture->arena, path, names[i]), folder_mode,
                            file_mode);
    return count;
}

/* One of everything: state, its backup, tags, history, lock, journal. Returns the number of files
 * and folders. */
static size_t fill_and_check(struct fixture *fixture, unsigned folder_mode, unsigned file_mode)
{
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 3);
    struct history_entry entry = { .kind = STR("update"), .result = STR("succeeded") };
    str value = STR("b");
    struct backend_lock *lock;
    struct journal *journal;

    fixture_create(fixture, 2);
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    assert_ok(backend_change_tag(fixture->backend, fixture->stack, STR("a"), &value));
    assert_ok(backend_add_history(fixture->backend, fixture->stack, &entry));
    assert_ok(backend_lock(fixture->backend, fixture->stack, &lock));
    assert_ok(journal_open(fixture->backend, fixture->stack, &journal));
    size_t count = check_tree(fixture, fixture_path(fixture, ""), folder_mode, file_mode);
    journal_close(journal);
    assert_ok(backend_unlock(lock));
    return count;
}

static void what_is_new_is_for_its_owner_alone(void **state)
{
    mode_t former = umask(022);
    size_t count = fill_and_check(*state, 0700, 0600);

    umask(former);
    assert_true(count > 14);
}

static void dir_file_mode_lets_others_in(void **state)
{
    struct fixture *fixture = *state;
    mode_t former = umask(0);

    assert_ok(fs_remove_tree(fixture_path(fixture, "")));
    fixture->options.url =
        arena_concat(&fixture->arena, STR("file://"), fixture->folder, STR("?dir_file_mode=0770"));
    fixture_reopen(fixture);
    fill_and_check(fixture, 0770, 0660);
    umask(former);
}

static void what_is_there_keeps_its_mode(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 3);
    str file = fixture_path(fixture, "stacks/p1/dev.json"),
        folder = fixture_path(fixture, "stacks/p1");
    struct fs_status status;

    fixture_create(fixture, 2);
    assert_int_equal(chmod(file.ptr, 0640), 0);
    assert_int_equal(chmod(folder.ptr, 0750), 0);
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    assert_ok(fs_stat(file, &status));
    assert_int_equal(status.mode, 0640);
    assert_ok(fs_stat(folder, &status));
    assert_int_equal(status.mode, 0750);
}

/* As after `sudo`: what the user owns stays the user's. */
static void what_is_there_keeps_its_owner(void **state)
{
    struct fixture *fixture = *state;
    struct snapshot snapshot = sample_snapshot(&fixture->arena, 3);
    str files[] = { fixture_path(fixture, "stacks/p1/dev.json"), fixture_path(fixture, "file") };
    struct stat status;

    if (geteuid() != 0)
        skip();
    fixture_create(fixture, 2);
    assert_ok(fs_replace(files[1], STR("old"), 0600));
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(chown(files[i].ptr, 4711, 4712), 0);
    assert_ok(backend_save(fixture->backend, fixture->stack, &snapshot));
    assert_ok(fs_replace(files[1], STR("new"), 0600));
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(stat(files[i].ptr, &status), 0);
        assert_int_equal(status.st_uid, 4711);
        assert_int_equal(status.st_gid, 4712);
        assert_int_equal(status.st_mode & 07777, 0600);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_is_new_is_for_its_owner_alone),
        TEST(dir_file_mode_lets_others_in),
        TEST(what_is_there_keeps_its_mode),
        TEST(what_is_there_keeps_its_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
