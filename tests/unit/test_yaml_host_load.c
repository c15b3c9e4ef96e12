/* test_yaml_host_load.c — where programs in YAML are found, and the packages they need. */
#include "unit/check.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "yaml/serve/load.h"

#include <stdlib.h>

struct folder {
    struct arena arena;
    char path[32];
};

static void folder_open(struct folder *folder)
{
    *folder = (struct folder){ .path = "/tmp/yaml-load-XXXXXX" };
    assert_non_null(mkdtemp(folder->path));
}

static void folder_close(struct folder *folder)
{
    assert_ok(fs_remove_tree(str_from(folder->path)));
    arena_release(&folder->arena);
}

static void put(struct folder *folder, const char *name, const char *text)
{
    str path = fs_path_join(&folder->arena, str_from(folder->path), str_from(name));

    assert_ok(fs_make_directory(fs_path_directory(path), 0700));
    assert_ok(fs_replace(path, str_from(text), 0600));
}

static str program_name(struct folder *folder)
{
    struct loaded loaded;

    loaded_init(&loaded, &folder->arena);
    assert_ok(load_program(&loaded, str_from(folder->path)));
    str name = loaded.source.name;
    loaded_release(&loaded);
    return name;
}

static void a_program_is_main_json_or_main_yaml_or_the_project(void **state)
{
    struct folder folder;
    struct loaded loaded;

    (void)state;
    folder_open(&folder);
    loaded_init(&loaded, &folder.arena);
    assert_fails(load_program(&loaded, str_from(folder.path)), ERROR_NOT_FOUND, "no program in '");
    loaded_release(&loaded);
    put(&folder, "Pulumi.json", "{\"name\": \"x\", \"runtime\": \"yaml\"}");
    assert_str_equal(program_name(&folder), STR("Pulumi.json"));
    put(&folder, "Pulumi.yml", "name: x\nruntime: yaml\n");
    assert_str_equal(program_name(&folder), STR("Pulumi.yml"));
    put(&folder, "Pulumi.yaml", "name: x\nruntime: yaml\nbackend: {url: y}\n");
    assert_str_equal(program_name(&folder), STR("Pulumi.yaml"));
    put(&folder, "Main.yaml", "outputs: {a: 1}");
    assert_str_equal(program_name(&folder), STR("Main.yaml"));
    put(&folder, "Main.json", "{\"outputs\": {\"a\": 1}}");
    assert_str_equal(program_name(&folder), STR("Main.json"));
    folder_close(&folder);
}

static void a_program_that_is_no_yaml_is_named(void **state)
{
    struct folder folder;
    struct loaded loaded;

    (void)state;
    folder_open(&folder);
    put(&folder, "Main.yaml", "a: [b");
    loaded_init(&loaded, &folder.arena);
    assert_ok(load_program(&loaded, str_from(folder.path)));
    str text = diags_text(&folder.arena, &loaded.diags);
    assert_true(str_starts_with(text, STR("Main.yaml: line ")));
    loaded_release(&loaded);
    folder_close(&folder);
}

static struct package_decl the_serving(const struct packages *packages, const char *name)
{
    struct package_list list = { 0 };

    packages_serving(packages, str_from(name), &list);
    assert_int_equal(list.len, 1);
    struct package_decl found = list.items[0];
    vec_release(&list);
    return found;
}

static void packages_are_declared_in_files_below_the_program(void **state)
{
    struct folder folder;
    struct loaded loaded;

    (void)state;
    folder_open(&folder);
    put(&folder, "Pulumi.yaml", "name: x");
    put(&folder, "sdks/plain.yaml",
        "packageDeclarationVersion: 1\nname: plain\nversion: 1.2.3\ndownloadUrl: 'https://x'\n");
    put(&folder, "sdks/deep/one.yaml",
        "packageDeclarationVersion: 1\nname: base\nversion: 2.0.0\n"
        "parameterization: {name: sub, version: 0.1.0, value: aGk=}\n");
    put(&folder, "other.yaml", "packageDeclarationVersion: 2\nname: later");
    put(&folder, "broken.yaml", "a: [b");
    loaded_init(&loaded, &folder.arena);
    assert_ok(load_program(&loaded, str_from(folder.path)));
    assert_int_equal(loaded.packages.len, 2);
    assert_str_equal(the_serving(&loaded.packages, "plain").download_url, STR("https://x"));
    assert_str_equal(the_serving(&loaded.packages, "sub").parameterization.value, STR("hi"));
    assert_int_equal(the_serving(&loaded.packages, "base").version.len, 0);
    loaded_release(&loaded);
    put(&folder, "sdks/deep/one.yaml", "packageDeclarationVersion: 1\nversion: 2.0.0\n");
    loaded_init(&loaded, &folder.arena);
    assert_fails(load_program(&loaded, str_from(folder.path)), ERROR_INVALID,
                 "sdks/deep/one.yaml: package name is required");
    loaded_release(&loaded);
    folder_close(&folder);
}

static void a_program_needs_the_packages_of_its_resources_and_functions(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf all = { 0 };
    struct loaded loaded;
    struct package_list list = { 0 };

    (void)state;
    loaded_init(&loaded, &arena);
    loaded.source = (struct source){
        STR("Pulumi.yaml"),
        STR("resources: {a: {type: 'b:A', options: {version: 1.0.0}}, s: {type: 'pulumi:Stash'}, "
            "p: {type: "
            "'pulumi:providers:d'}}\n"
            "variables: {v: {fn::invoke: {function: 'a:mod:f'}}, w: {fn::c:f: {}}}\n"),
    };
    load_text(&loaded);
    vec_add(&loaded.packages, ((struct package_decl){ .name = STR("d"), .version = STR("4.0.0") }));
    packages_required(loaded.program, &loaded.packages, &list);
    for (size_t i = 0; i < list.len; i++)
        strbuf_printf(&all, STR_FMT "@" STR_FMT " ", STR_ARG(list.items[i].name),
                      STR_ARG(list.items[i].version));
    assert_str_equal(strbuf_str(&all), STR("a@ b@1.0.0 c@ d@4.0.0 "));
    vec_release(&list);
    loaded_release(&loaded);
}

static void a_plugin_is_all_files_of_its_folder(void **state)
{
    struct folder folder;
    struct loaded loaded;

    (void)state;
    folder_open(&folder);
    put(&folder, "PulumiPlugin.yaml", "name: comp\nruntime: yaml\ncomponents: {A: {}}\n");
    put(&folder, "more.yaml", "components: {B: {inputs: {x: {type: string}}}}\n");
    loaded_init(&loaded, &folder.arena);
    assert_ok(load_plugin(&loaded, str_from(folder.path)));
    assert_int_equal(loaded.diags.errors, 0);
    assert_int_equal(loaded.program->component_count, 2);
    loaded_release(&loaded);
    put(&folder, "more.yaml", "resources: {r: {type: 'a:B'}}\n");
    loaded_init(&loaded, &folder.arena);
    struct error *failure = load_plugin(&loaded, str_from(folder.path));
    assert_true(failure || loaded.diags.errors);
    error_freep(&failure);
    loaded_release(&loaded);
    folder_close(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_is_main_json_or_main_yaml_or_the_project),
        cmocka_unit_test(a_program_that_is_no_yaml_is_named),
        cmocka_unit_test(packages_are_declared_in_files_below_the_program),
        cmocka_unit_test(a_program_needs_the_packages_of_its_resources_and_functions),
        cmocka_unit_test(a_plugin_is_all_files_of_its_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
