/* test_fs.c — files that are replaced whole, folders, paths. */
#include "unit/place.h"

#include "base/fault.h"
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static str at(struct place *place, const char *name)
{
    return fs_path_join(&place->arena, place->root, str_from(name));
}

static str content(struct place *place, str path)
{
    str text = { 0 };
    assert_ok(fs_read(&place->arena, path, FS_ANY_SIZE, &text));
    return text;
}

static size_t count(struct place *place, str path)
{
    str *names;
    size_t len = 0;
    assert_ok(fs_list(&place->arena, path, &names, &len));
    return len;
}

static void a_name_is_safe_where_folders_cannot_be_synced(void **state)
{
    (void)state;
    assert_ok(fs_sync_name(STR("/proc/version")));
}

static void a_temporary_folder_is_where_the_environment_says(void **state)
{
    struct place *place = *state;
    str one, two;

    setenv("TMPDIR", place->root.ptr, 1);
    assert_ok(fs_make_temporary(&place->arena, "some-", &one));
    assert_ok(fs_make_temporary(&place->arena, "some-", &two));
    assert_true(str_starts_with(one, at(place, "some-")) && !str_equal(one, two));
    assert_true(fs_is_directory(one) && fs_is_directory(two));
    setenv("TMPDIR", at(place, "none").ptr, 1);
    assert_fails(fs_make_temporary(&place->arena, "some-", &one), ERROR_NOT_FOUND, "create '");
    unsetenv("TMPDIR");
}

static void a_file_without_a_name_is_where_the_environment_says(void **state)
{
    struct place *place = *state;
    char link[PATH_MAX] = "";
    int fd;

    setenv("TMPDIR", place->root.ptr, 1);
    int probe = open(place->root.ptr, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    assert_ok(fs_open_nameless("some", &fd));
    str path = arena_printf(&place->arena, "/proc/self/fd/%d", fd);
    assert_true(readlink(path.ptr, link, sizeof(link) - 1) > 0);
    assert_true(str_starts_with(str_from(link), probe < 0 ? STR("/memfd:some") : place->root));
    close(fd);
    close(probe);
    setenv("TMPDIR", at(place, "none").ptr, 1);
    assert_ok(fs_open_nameless("some", &fd));
    close(fd);
    unsetenv("TMPDIR");
}

static void a_mode_that_is_right_already_is_not_changed(void **state)
{
    struct place *place = *state;
    str path = at(place, "f");

    assert_ok(fs_replace(path, STR("one"), 0600));
    fault_arm(STR(""), STR("fs.mode:1"));
    assert_ok(fs_replace(path, STR("two"), 0600));
    assert_int_equal(chmod(path.ptr, 0640), 0);
    assert_fails(fs_replace(path, STR("three"), 0600), ERROR_OS, "change the mode of '");
    fault_arm(STR(""), STR(""));
    assert_str_equal(content(place, path), STR("two"));
}

static void a_replaced_file_has_the_new_content_and_its_old_mode(void **state)
{
    struct place *place = *state;
    str path = at(place, "f");
    struct fs_status status;

    assert_ok(fs_replace(path, STR("one\0two"), 0640));
    assert_str_equal(content(place, path), STR("one\0two"));
    assert_int_equal(chmod(path.ptr, 0604), 0);
    assert_ok(fs_replace(path, STR("three"), 0600));
    assert_str_equal(content(place, path), STR("three"));
    assert_ok(fs_stat(path, &status));
    assert_int_equal(status.mode, 0604);
    assert_int_equal(status.size, 5);
    assert_int_equal(count(place, place->root), 1);
}

static void a_link_stays_a_link(void **state)
{
    struct place *place = *state;
    str link = at(place, "link"), file = at(place, "file");
    struct stat status;

    assert_ok(fs_create(file, STR("old"), 0600));
    assert_int_equal(symlink("file", link.ptr), 0);
    assert_ok(fs_replace(link, STR("new"), 0600));
    assert_int_equal(lstat(link.ptr, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_str_equal(content(place, file), STR("new"));
}

static void a_link_to_nothing_gets_what_it_leads_to(void **state)
{
    struct place *place = *state;
    str link = at(place, "link"), next = at(place, "next"), circle = at(place, "circle");
    struct stat status;

    assert_int_equal(symlink("./next", link.ptr), 0);
    assert_int_equal(symlink(at(place, "file").ptr, next.ptr), 0);
    assert_ok(fs_replace(link, STR("new"), 0600));
    assert_str_equal(content(place, at(place, "file")), STR("new"));
    assert_int_equal(lstat(link.ptr, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(next.ptr, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(symlink("circle", circle.ptr), 0);
    assert_ok(fs_replace(circle, STR("own"), 0600));
    assert_str_equal(content(place, circle), STR("own"));
}

static void a_failure_on_the_way_leaves_the_old_content_and_no_temporary_file(void **state)
{
    static const char *const hooks[] = { "fs.create:1", "fs.write:1", "fs.sync:1", "fs.rename:1" };
    struct place *place = *state;
    str path = at(place, "f");

    assert_ok(fs_replace(path, STR("old"), 0600));
    for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++) {
        fault_arm(STR(""), str_from(hooks[i]));
        struct error *failure = fs_replace(path, STR("new"), 0600);
        assert_non_null(failure);
        assert_int_equal(error_kind(failure), ERROR_OS);
        error_free(failure);
        assert_str_equal(content(place, path), STR("old"));
        assert_int_equal(count(place, place->root), 1);
    }
}

static void failures_name_operation_and_path(void **state)
{
    struct place *place = *state;
    str text;
    struct fs_status status;

    assert_fails(fs_read(&place->arena, STR("/nope/x"), 10, &text), ERROR_NOT_FOUND,
                 "open '/nope/x': No such file or directory");
    assert_fails(fs_remove(STR("/nope/x")), ERROR_NOT_FOUND, "remove '/nope/x'");
    assert_fails(fs_stat(STR("/nope/x"), &status), ERROR_NOT_FOUND, "stat '/nope/x'");
    assert_fails(fs_rename(STR("/nope/x"), STR("/nope/y")), ERROR_NOT_FOUND,
                 "rename '/nope/x' to '/nope/y'");
    assert_fails(fs_replace(STR("/nope/x"), STR(""), 0600), ERROR_NOT_FOUND, "create '/nope/x.");
    assert_fails(fs_read(&place->arena, STR("a\0b"), 10, &text), ERROR_INVALID,
                 "invalid file name");
    assert_fails(fs_read(&place->arena, STR(""), 10, &text), ERROR_INVALID, "empty file name");
    assert_ok(fs_create(at(place, "f"), STR("0123456789"), 0600));
    assert_fails(fs_create(at(place, "f"), STR(""), 0600), ERROR_EXISTS, "create");
    assert_fails(fs_read(&place->arena, at(place, "f"), 9, &text), ERROR_INVALID,
                 "larger than 9 bytes");
    assert_ok(fs_read(&place->arena, at(place, "f"), 10, &text));
    assert_ok(fs_remove_if_present(STR("/nope/x")));
}

static void what_is_not_there_need_not_be_removable(void **state)
{
    struct place *place = *state;

    fault_arm(STR(""), STR("fs.remove:1"));
    assert_ok(fs_remove_if_present(at(place, "none")));
    assert_ok(fs_create(at(place, "f"), STR(""), 0600));
    fault_arm(STR(""), STR("fs.remove:1"));
    assert_fails(fs_remove_if_present(at(place, "f")), ERROR_OS, "remove '");
    assert_fails(fs_remove_if_present(STR("a\0b")), ERROR_INVALID, "invalid file name");
}

static void a_file_without_a_size_is_read_to_its_end(void **state)
{
    struct place *place = *state;
    str text = content(place, STR("/proc/self/status"));

    assert_true(str_starts_with(text, STR("Name:")));
    assert_int_equal(text.ptr[text.len], '\0');
    assert_fails(fs_read(&place->arena, STR("/proc/self/status"), 10, &text), ERROR_INVALID,
                 "larger than 10 bytes");
    assert_fails(fs_read(&place->arena, place->root, 10, &text), ERROR_OS,
                 "read '/tmp/culumi-test.");
    assert_ok(fs_create(at(place, "empty"), STR(""), 0600));
    assert_str_equal(content(place, at(place, "empty")), STR(""));
}

static void a_file_is_copied_and_renamed(void **state)
{
    struct place *place = *state;
    assert_ok(fs_create(at(place, "f"), STR("ab"), 0600));
    assert_ok(fs_copy(at(place, "f"), at(place, "g")));
    assert_ok(fs_rename(at(place, "g"), at(place, "h")));
    assert_str_equal(content(place, at(place, "h")), STR("ab"));
    assert_false(fs_exists(at(place, "g")));
}

static void folders_are_made_with_their_parents_and_listed_in_order(void **state)
{
    struct place *place = *state;
    str *names;
    size_t len;

    assert_ok(fs_make_directory(at(place, "a/b/c"), 0755));
    assert_ok(fs_make_directory(at(place, "a/b/c"), 0755));
    assert_ok(fs_create(at(place, "a/z"), STR(""), 0600));
    assert_ok(fs_create(at(place, "a/B"), STR(""), 0700));
    assert_ok(fs_list(&place->arena, at(place, "a"), &names, &len));
    assert_int_equal(len, 3);
    assert_str_equal(names[0], STR("B"));
    assert_str_equal(names[1], STR("b"));
    assert_str_equal(names[2], STR("z"));
    assert_true(fs_is_directory(at(place, "a/b")) && !fs_is_file(at(place, "a/b")));
    assert_true(fs_is_file(at(place, "a/z")) && !fs_is_executable(at(place, "a/z")));
    assert_true(fs_is_executable(at(place, "a/B")));
    assert_fails(fs_make_directory(at(place, "a/z/y"), 0755), ERROR_NOT_FOUND,
                 "create the directory");
}

static void a_program_is_the_first_executable_file_of_a_search_path(void **state)
{
    struct place *place = *state;
    struct arena *arena = &place->arena;

    assert_ok(fs_make_directory(at(place, "a/tool"), 0755));
    assert_ok(fs_make_directory(at(place, "b"), 0755));
    assert_ok(fs_make_directory(at(place, "c"), 0755));
    assert_ok(fs_create(at(place, "b/tool"), STR(""), 0600));
    assert_ok(fs_create(at(place, "c/tool"), STR(""), 0700));
    str path = arena_concat(arena, STR("relative::"), at(place, "a"), STR(":"), at(place, "b"),
                            STR(":"), at(place, "c"));
    assert_str_equal(fs_find_program(arena, path, STR("tool")), at(place, "c/tool"));
    assert_str_equal(fs_find_program(arena, path, STR("other")), STR(""));
    assert_str_equal(fs_find_program(arena, STR(""), STR("tool")), STR(""));
}

static void a_lock_can_be_taken_again_after_it_was_given_back(void **state)
{
    struct place *place = *state;
    int fd;

    assert_ok(fs_lock(at(place, "lock"), &fd));
    fs_unlock(fd);
    assert_ok(fs_lock(at(place, "lock"), &fd));
    fs_unlock(fd);
}

static void paths_are_cleaned(void **state)
{
    struct place *place = *state;
    struct arena *arena = &place->arena;
    static const char *const cases[][2] = {
        { "", "." },         { "/", "/" },       { "a//b/./c/", "a/b/c" },      { "a/../b", "b" },
        { "a/..", "." },     { "../a", "../a" }, { "../../a/../b", "../../b" }, { "/../a", "/a" },
        { "/a/../..", "/" }, { "./a", "a" },     { "a/b/../../..", ".." },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_str_equal(fs_path_clean(arena, str_from(cases[i][0])), str_from(cases[i][1]));
    assert_str_equal(fs_path_join(arena, STR("/x/"), STR("../y")), STR("/y"));
    assert_str_equal(fs_path_join(arena, STR(""), STR("y")), STR("y"));
    assert_str_equal(fs_path_absolute(arena, STR("/x"), STR("y/z")), STR("/x/y/z"));
    assert_str_equal(fs_path_absolute(arena, STR("/x"), STR("/y/")), STR("/y"));
    assert_str_equal(fs_path_directory(STR("/a/b")), STR("/a"));
    assert_str_equal(fs_path_directory(STR("/a")), STR("/"));
    assert_str_equal(fs_path_directory(STR("a")), STR("."));
    assert_str_equal(fs_path_name(STR("/a/b.yaml")), STR("b.yaml"));
    assert_str_equal(fs_path_extension(STR("/a.d/b.tar.gz")), STR(".gz"));
    assert_str_equal(fs_path_extension(STR("/a.d/b")), STR(""));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_place, remove_place)

/* In place of the C library's: a kernel without large pages refuses what is only a hint to it. */
int madvise(void *address, size_t size, int advice)
{
    (void)address, (void)size, (void)advice;
    errno = EINVAL;
    return -1;
}

/* The names need a block of their own, which is large by then. (Not with the address sanitizer,
 * where every name has one.) */
static void memory_for_names_does_not_fail_a_listing(void **state)
{
    struct place *place = *state;

    assert_ok(fs_create(at(place, "f"), STR(""), 0600));
    while (place->arena.total < 4 << 20)
        arena_alloc_raw(&place->arena, 1000);
    while (place->arena.end > place->arena.next)
        arena_alloc_raw(&place->arena, 16);
    assert_int_equal(count(place, place->root), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_name_is_safe_where_folders_cannot_be_synced),
        TEST(a_temporary_folder_is_where_the_environment_says),
        TEST(a_file_without_a_name_is_where_the_environment_says),
        TEST(a_mode_that_is_right_already_is_not_changed),
        TEST(a_replaced_file_has_the_new_content_and_its_old_mode),
        TEST(a_link_stays_a_link),
        TEST(a_link_to_nothing_gets_what_it_leads_to),
        TEST(a_failure_on_the_way_leaves_the_old_content_and_no_temporary_file),
        TEST(failures_name_operation_and_path),
        TEST(what_is_not_there_need_not_be_removable),
        TEST(a_file_without_a_size_is_read_to_its_end),
        TEST(a_file_is_copied_and_renamed),
        TEST(folders_are_made_with_their_parents_and_listed_in_order),
        TEST(a_program_is_the_first_executable_file_of_a_search_path),
        TEST(a_lock_can_be_taken_again_after_it_was_given_back),
        TEST(paths_are_cleaned),
        TEST(memory_for_names_does_not_fail_a_listing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
