/* fuzz_host_files.c — the files by which the language hosts learn what a program needs, chosen by
 * the first byte: what is found is a part of what was written. */
#include "fuzz/fuzz_support.h"

#include "base/semver.h"
#include "base/strbuf.h"
#include "common/plugin_json.h"
#include "common/words.h"
#include "go/golang.h"
#include "nodejs/node_manager.h"
#include "nodejs/node_manifest.h"
#include "python/python.h"

static struct program make_program(void)
{
    return (struct program){ .root = fuzz_folder(),
                             .directory = fuzz_folder(),
                             .options = VALUE_EMPTY_OBJECT };
}

static void try_plugin_json(struct arena *arena, str text)
{
    struct plugin_json plugin;
    struct packages packages = { 0 };

    str path = fuzz_file(arena, STR("pulumi-plugin.json"), text);
    if (!fuzz_accepts(plugin_json_load(arena, path, &plugin)))
        return;
    REQUIRE(!plugin.is_resource || !plugin.says_no);
    packages_add(&packages, arena, &plugin);
    REQUIRE(packages.len == 1 && packages.items[0]->name);
    vec_release(&packages);
}

/* The package is in node_modules, and the program's own file asks for it by name. */
static void try_package_json(struct arena *arena, str text)
{
    struct program program = make_program();
    struct packages packages = { 0 };
    struct dependencies dependencies = { 0 };

    fuzz_file(arena, STR("node_modules/p/package.json"), text);
    fuzz_file(arena, STR("package.json"), text);
    REQUIRE(fuzz_accepts(node_required_packages(NULL, arena, &program, &packages)));
    REQUIRE(packages.len <= 1);
    REQUIRE(packages.len == 0 || (packages.items[0]->name[0] && packages.items[0]->version[0]));
    fuzz_accepts(node_dependencies(NULL, arena, &program, true, &dependencies));
    REQUIRE(dependencies.len <= 1);
    vec_release(&packages);
    vec_release(&dependencies);
}

static void try_workspaces(struct arena *arena, str text)
{
    static const str files[] = { STR_INIT("package.json"), STR_INIT("pnpm-workspace.yaml") };
    size_t which = fuzz_choice(&text, 2);
    str path = fuzz_file(arena, files[which], text);
    str root = node_workspace_root(arena, fs_path_join(arena, fuzz_folder(), STR("packages/a")));

    REQUIRE(root.len == 0 || str_equal(root, fuzz_folder()));
    REQUIRE(fuzz_accepts(fs_remove(path)));
}

static void try_go_mod(struct arena *arena, str text)
{
    struct modules modules = { 0 };

    fuzz_file(arena, STR("go.mod"), text);
    REQUIRE(fuzz_accepts(go_modules_read(arena, fuzz_folder(), &modules)));
    for (size_t i = 0; i < modules.len; i++) {
        const struct module *module = &modules.items[i];
        REQUIRE(str_find(text, module->path) != SIZE_MAX
                && str_find(text, module->version) != SIZE_MAX);
        REQUIRE(!module->is_replaced || str_find(text, STR("=>")) != SIZE_MAX);
    }
    go_modules_release(&modules);
}

static void try_pyproject(struct arena *arena, str text)
{
    fuzz_file(arena, STR("pyproject.toml"), text);
    str name = python_package_name(arena, fuzz_folder());
    REQUIRE(str_find(text, name) != SIZE_MAX);
    REQUIRE(name.len == 0 || str_find(text, STR("build-backend")) != SIZE_MAX);
}

static void try_python_version(struct arena *arena, str text)
{
    struct semver version;
    str semver;

    if (python_version_to_semver(arena, text, &semver))
        REQUIRE(semver_parse_tolerant(semver, &version) || text.len > 15);
}

/* METADATA and RECORD of a package that is installed, parted by a NUL byte. */
static void try_site_packages(struct arena *arena, str text)
{
    struct program program = make_program();
    struct python python = { .program = &program, .virtualenv = fuzz_folder() };
    struct distributions found = { 0 };
    str metadata = fuzz_part(&text);

    fuzz_file(arena, STR("lib/python3.11/site-packages/p-1.dist-info/METADATA"), metadata);
    fuzz_file(arena, STR("lib/python3.11/site-packages/p-1.dist-info/RECORD"), text);
    REQUIRE(fuzz_accepts(python_distributions(NULL, arena, &python, &found)));
    REQUIRE(found.len == 1 && str_find(metadata, found.items[0].version) != SIZE_MAX);
    vec_release(&found);
}

/* A manifest with one more dependency says so, and says it again when it is set again. */
static void try_manifest(struct arena *arena, str text)
{
    str once, twice, list;

    if (!fuzz_accepts(node_manifest_set(arena, text, STR("dependencies"), STR("@a/b"),
                                        STR("\"file:sdks/b\""), &once)))
        return;
    REQUIRE(str_find(once, STR("\"file:sdks/b\"")) != SIZE_MAX);
    REQUIRE(fuzz_accepts(node_manifest_set(arena, once, STR("dependencies"), STR("@a/b"),
                                           STR("\"file:sdks/b\""), &twice)));
    REQUIRE(str_equal(once, twice));
    REQUIRE(fuzz_accepts(node_manifest_add(arena, once, STR("trusted"), STR("@a/b"), &list)));
    REQUIRE(fuzz_accepts(node_manifest_add(arena, list, STR("trusted"), STR("@a/b"), &twice)));
    REQUIRE(str_equal(list, twice));
}

/* What was split is quoted and splits to the same. */
static void try_words(struct arena *arena, str text)
{
    CLEANUP(words_release) struct words words = { 0 }, again = { 0 };
    CLEANUP(strbuf_release) struct strbuf quoted = { 0 };

    if (str_find_char(text, '\0') != SIZE_MAX || !fuzz_accepts(words_split(&words, arena, text)))
        return;
    for (size_t i = 0; i < words.len; i++) {
        strbuf_add(&quoted, STR(" '"));
        for (const char *c = words.items[i]; *c; c++)
            strbuf_add(&quoted, *c == '\'' ? STR("'\\''") : (str){ c, 1 });
        strbuf_add_char(&quoted, '\'');
    }
    REQUIRE(fuzz_accepts(words_split(&again, arena, strbuf_str(&quoted))));
    REQUIRE(words.len == again.len);
    for (size_t i = 0; i < words.len; i++)
        REQUIRE(strcmp(words.items[i], again.items[i]) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const files[])(struct arena * arena, str text) = {
        try_plugin_json,    try_package_json,  try_workspaces, try_go_mod,   try_pyproject,
        try_python_version, try_site_packages, try_words,      try_manifest,
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };

    files[fuzz_choice(&input, sizeof(files) / sizeof(files[0]))](&arena, input);
    return 0;
}
