/* test_sdk.c — the files of an SDK, and names in the cases of languages. */
#include "unit/check.h"

#include "base/fs.h"
#include "common/names.h"
#include "common/sdk.h"

#include <stdlib.h>

static str scratch_folder(struct arena *arena)
{
    char *folder = arena_cstr(arena, STR("/tmp/test-sdk-XXXXXX"));

    assert_non_null(mkdtemp(folder));
    return str_from(folder);
}

static size_t entries_of(struct arena *arena, str folder)
{
    size_t len;
    str *names;

    assert_ok(fs_list(arena, folder, &names, &len));
    return len;
}

static void files_are_nowhere_until_all_are_there(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = scratch_folder(&arena), sdk = fs_path_join(&arena, root, STR("sdks/acme")), content;
    struct sdk_files files;

    (void)state;
    assert_ok(sdk_files_open(&arena, sdk, &files));
    assert_ok(sdk_put(&files, STR("b/two.ts"), STR("2")));
    assert_ok(sdk_put(&files, STR("one.ts"), STR("1")));
    assert_ok(sdk_put(&files, STR("README.md"), STR("#")));
    assert_false(fs_exists(sdk));
    assert_int_equal(sdk_paths(&arena, &files, STR(".ts")).len, 2);
    assert_str_equal(sdk_paths(&arena, &files, STR(".ts")).items[0], STR("b/two.ts"));
    assert_ok(sdk_files_keep(&files));
    assert_ok(fs_read(&arena, fs_path_join(&arena, sdk, STR("b/two.ts")), 0, &content));
    assert_str_equal(content, STR("2"));
    assert_int_equal(entries_of(&arena, fs_path_directory(sdk)), 1);
    assert_ok(fs_remove_tree(root));
}

static void what_is_dropped_leaves_nothing(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = scratch_folder(&arena), sdk = fs_path_join(&arena, root, STR("acme"));
    struct sdk_files files;

    (void)state;
    assert_ok(sdk_files_open(&arena, sdk, &files));
    assert_ok(sdk_put(&files, STR("one.ts"), STR("1")));
    sdk_files_drop(&files);
    assert_int_equal(entries_of(&arena, root), 0);
    assert_ok(fs_remove_tree(root));
}

static void files_of_others_stay_in_a_folder_that_has_some(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = scratch_folder(&arena), content;
    struct sdk_files files;

    (void)state;
    assert_ok(fs_create(fs_path_join(&arena, root, STR("mine")), STR("m"), 0644));
    assert_ok(fs_create(fs_path_join(&arena, root, STR("one.ts")), STR("old"), 0644));
    assert_ok(sdk_files_open(&arena, root, &files));
    assert_ok(sdk_put(&files, STR("one.ts"), STR("1")));
    assert_ok(sdk_files_keep(&files));
    assert_ok(fs_read(&arena, fs_path_join(&arena, root, STR("one.ts")), 0, &content));
    assert_str_equal(content, STR("1"));
    assert_int_equal(entries_of(&arena, root), 2);
    assert_false(fs_exists(files.stage));
    assert_ok(fs_remove_tree(root));
}

static void two_parts_at_one_path_are_an_error_but_overlays_win(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = scratch_folder(&arena), sdk = fs_path_join(&arena, root, STR("acme"));
    struct sdk_files files;

    (void)state;
    assert_ok(sdk_files_open(&arena, sdk, &files));
    assert_ok(sdk_put(&files, STR("one.ts"), STR("1")));
    assert_fails(sdk_put(&files, STR("one.ts"), STR("2")), ERROR_EXISTS,
                 "two parts of the package would both be the file 'one.ts': their names differ "
                 "only in what the language cannot tell apart");
    assert_ok(sdk_put_extra(&files, STR("one.ts"), STR("3")));
    assert_fails(sdk_put(&files, STR("../x"), STR("")), ERROR_INVALID,
                 "'../x' is no path inside an SDK");
    sdk_files_drop(&files);
    assert_ok(fs_remove_tree(root));
}

static void names_change_their_case(void **state)
{
    static const struct {
        const char *name, *camel, *pascal, *snake;
    } rows[] = {
        { "bucketName", "bucketName", "BucketName", "bucket_name" },
        { "HTTPServer", "httpserver", "HTTPServer", "http_server" },
        { "random-pet", "randomPet", "RandomPet", "random-pet" },
        { "SHA256Hash", "sha256hash", "SHA256Hash", "sha256_hash" },
        { "", "", "", "" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        str name = str_from(rows[i].name);
        assert_str_equal(name_camel(&arena, name), str_from(rows[i].camel));
        assert_str_equal(name_pascal(&arena, name), str_from(rows[i].pascal));
        assert_str_equal(name_snake(&arena, name), str_from(rows[i].snake));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_nowhere_until_all_are_there),
        cmocka_unit_test(what_is_dropped_leaves_nothing),
        cmocka_unit_test(files_of_others_stay_in_a_folder_that_has_some),
        cmocka_unit_test(two_parts_at_one_path_are_an_error_but_overlays_win),
        cmocka_unit_test(names_change_their_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
