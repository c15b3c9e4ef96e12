/* test_sdk_go_modules.c — what go.mod and go.work say about the modules of a program. */
#include "unit/check.h"

#include "base/fs.h"
#include "go/golang.h"

struct folder {
    struct arena arena;
    char path[sizeof("/tmp/go modules-XXXXXX")];
};

static void put(struct folder *folder, const char *name, const char *text)
{
    str path = fs_path_join(&folder->arena, str_from(folder->path), str_from(name));

    assert_ok(fs_make_directory(fs_path_directory(path), 0700));
    assert_ok(fs_replace(path, str_from(text), 0600));
}

static void folder_open(struct folder *folder)
{
    *folder = (struct folder){ .path = "/tmp/go modules-XXXXXX" };
    assert_non_null(mkdtemp(folder->path));
    put(folder, "app/go.mod",
        "module example.com/app\n\ngo 1.21\n\n"
        "require (\n\texample.com/dep/v2 v2.3.4\n\texample.com/far v1.0.0 // indirect\n"
        "\texample.com/near v1.0.0//indirect\n)\n"
        "replace example.com/far => \"../my far\"\n");
}

static void folder_close(struct folder *folder)
{
    assert_ok(fs_remove_tree(str_from(folder->path)));
    arena_release(&folder->arena);
}

static void read_modules(struct folder *folder, struct modules *out)
{
    str app = fs_path_join(&folder->arena, str_from(folder->path), STR("app"));

    *out = (struct modules){ 0 };
    assert_ok(go_modules_read(&folder->arena, app, out));
    assert_ok(go_workspace_read(&folder->arena, out));
}

static void a_path_in_quotes_may_have_blanks(void **state)
{
    struct modules modules;
    struct folder folder;

    (void)state;
    folder_open(&folder);
    read_modules(&folder, &modules);
    assert_int_equal(modules.len, 3);
    assert_false(modules.items[0].is_replaced);
    assert_true(modules.items[1].is_replaced && modules.items[1].is_indirect);
    assert_str_equal(modules.items[1].replacement, STR("../my far"));
    assert_true(modules.items[2].is_indirect);
    assert_str_equal(modules.items[2].version, STR("v1.0.0"));
    go_modules_release(&modules);
    folder_close(&folder);
}

/* Those that are required and those that are not; the program's own is not among them. */
static void modules_of_a_workspace_are_taken_from_there(void **state)
{
    struct modules modules;
    struct folder folder;

    (void)state;
    folder_open(&folder);
    put(&folder, "go.work",
        "go 1.21\n\nuse ./app\nuse (\n\t./sdk/dep // here\n\t./other\n)\n"
        "replace example.com/near => ./near\n");
    put(&folder, "sdk/dep/go.mod", "module example.com/dep/v2\n");
    put(&folder, "other/go.mod", "module \"example.com/other\"\n");
    read_modules(&folder, &modules);
    assert_int_equal(modules.len, 4);
    assert_true(modules.items[0].is_replaced);
    assert_str_equal(modules.items[0].replacement,
                     fs_path_join(&folder.arena, str_from(folder.path), STR("sdk/dep")));
    assert_str_equal(modules.items[2].replacement,
                     fs_path_join(&folder.arena, str_from(folder.path), STR("near")));
    assert_str_equal(modules.items[3].path, STR("example.com/other"));
    go_modules_release(&modules);

    assert_int_equal(setenv("GOWORK", "off", 1), 0);
    read_modules(&folder, &modules);
    assert_int_equal(modules.len, 3);
    assert_false(modules.items[0].is_replaced);
    go_modules_release(&modules);
    assert_int_equal(unsetenv("GOWORK"), 0);
    folder_close(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_in_quotes_may_have_blanks),
        cmocka_unit_test(modules_of_a_workspace_are_taken_from_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
