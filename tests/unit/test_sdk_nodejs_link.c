/* test_sdk_nodejs_link.c — package.json and the settings of pnpm when an SDK is linked: what is
 * added, and that the rest stays as it is. */
#include "unit/check.h"

#include "base/fs.h"
#include "fiber/fiber.h"
#include "nodejs/node_manifest.h"
#include "nodejs/nodejs.h"

#include <stdlib.h>

static str with_dependency(struct arena *arena, const char *manifest)
{
    str out;

    assert_ok(node_manifest_set(arena, str_from(manifest), STR("dependencies"), STR("@a/m"),
                                STR("\"file:sdks/a-m\""), &out));
    return out;
}

static void dependencies_stay_sorted_and_the_rest_as_it_is(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_str_equal(with_dependency(&arena, "{\n    \"name\":  \"x\\u00e9\",\n"
                                             "    \"dependencies\": {\n"
                                             "        \"@a/b\": \"1\",\n"
                                             "        \"zod\": \"^3\"\n    },\n"
                                             "    \"n\": 1.50\n}\n"),
                     STR("{\n    \"name\":  \"x\\u00e9\",\n"
                         "    \"dependencies\": {\n"
                         "        \"@a/b\": \"1\",\n"
                         "        \"@a/m\": \"file:sdks/a-m\",\n"
                         "        \"zod\": \"^3\"\n    },\n"
                         "    \"n\": 1.50\n}\n"));
}

static void an_older_place_is_replaced(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_str_equal(
        with_dependency(&arena, "{\"dependencies\": {\"@a/m\": \"1.0.0\", \"b\": \"2\"}}"),
        STR("{\"dependencies\": {\"@a/m\": \"file:sdks/a-m\", \"b\": \"2\"}}"));
}

static void dependencies_are_made_where_there_are_none(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_str_equal(with_dependency(&arena, "{\n\t\"name\": \"x\"\n}\n"),
                     STR("{\n\t\"name\": \"x\",\n\t\"dependencies\": {\n"
                         "\t\t\"@a/m\": \"file:sdks/a-m\"\n\t}\n}\n"));
    assert_str_equal(with_dependency(&arena, "{}"),
                     STR("{\n  \"dependencies\": {\n    \"@a/m\": \"file:sdks/a-m\"\n  }\n}"));
}

static void a_list_gets_a_text_once(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str once, twice;

    (void)state;
    assert_ok(
        node_manifest_add(&arena, STR("{\n  \"t\": [\"b\"]\n}"), STR("t"), STR("@a/m"), &once));
    assert_str_equal(once, STR("{\n  \"t\": [\n    \"b\",\n    \"@a/m\"\n  ]\n}"));
    assert_ok(node_manifest_add(&arena, once, STR("t"), STR("@a/m"), &twice));
    assert_str_equal(once, twice);
}

static void what_is_no_object_is_refused(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str out;

    (void)state;
    assert_fails(node_manifest_set(&arena, STR("[]"), STR("d"), STR("k"), STR("1"), &out),
                 ERROR_INVALID, "it is no JSON object");
}

/* --- whole projects --- */

struct project {
    struct arena arena;
    str root;
    struct host host;
    struct program program;
    struct schema *schema;
    struct sdk_link link;
};

static void project_make(struct project *project, const char *manager, const char *version)
{
    struct arena *arena = &project->arena;
    static const Pb__PackageDependency package = PB__PACKAGE_DEPENDENCY__INIT;
    char *root = arena_cstr(arena, STR("/tmp/test-node-link-XXXXXX"));

    assert_non_null(mkdtemp(root));
    project->root = str_from(root);
    str tool = fs_path_join(arena, project->root, str_from(manager));
    assert_ok(fs_create(tool, arena_printf(arena, "#!/bin/sh\necho %s\n", version), 0755));
    assert_ok(fs_create(fs_path_join(arena, project->root, STR("package.json")),
                        STR("{\n  \"type\": \"module\"\n}\n"), 0644));
    project->host = (struct host){ .search_path = project->root };
    struct member options[] = {
        { STR("packagemanager"), value_string(str_from(manager)) },
        { STR("typescript"), value_bool(false) },
    };
    project->program = (struct program){ .root = project->root,
                                         .directory = project->root,
                                         .options = value_object(arena, options, 2) };
    assert_ok(
        schema_read(arena, STR("{\"name\": \"my-pkg\", \"namespace\": \"a\"}"), &project->schema));
    project->link = (struct sdk_link){ &package, STR("sdks/a-my-pkg"), project->schema };
}

static str project_file(struct project *project, const char *name)
{
    str text;

    assert_ok(fs_read(&project->arena, fs_path_join(&project->arena, project->root, str_from(name)),
                      FS_ANY_SIZE, &text));
    return text;
}

static void project_end(struct project *project)
{
    schema_release(project->schema);
    assert_ok(fs_remove_tree(project->root));
    arena_release(&project->arena);
}

/* Package managers are processes, which only a fiber can wait for. */
struct project_linking {
    struct project *project;
    str instructions;
    struct error *failure;
};

static void project_link_main(void *linking_)
{
    struct project_linking *linking = linking_;
    struct project *project = linking->project;

    linking->failure = node_link(&project->host, &project->arena, &project->program,
                                 (struct sdk_links){ &project->link, 1 }, &linking->instructions);
}

static str project_link(struct project *project)
{
    struct project_linking linking = { .project = project };

    assert_ok(scheduler_run(project_link_main, &linking));
    assert_ok(linking.failure);
    return linking.instructions;
}

#define assert_has(text, part) assert_true(str_find((text), STR(part)) != SIZE_MAX)

static void npm_may_run_the_script_of_the_sdk(void **state)
{
    struct project project = { 0 };

    (void)state;
    project_make(&project, "npm", "10.0.0");
    assert_has(project_link(&project), "  import * as myPkg from \"@a/my-pkg\";\n");
    assert_str_equal(project_file(&project, "package.json"),
                     STR("{\n  \"type\": \"module\",\n"
                         "  \"dependencies\": {\n    \"@a/my-pkg\": \"file:sdks/a-my-pkg\"\n  },\n"
                         "  \"allowScripts\": {\n    \"file:sdks/a-my-pkg\": true\n  }\n}\n"));
    project_end(&project);
}

static void the_core_is_known_by_its_own_name(void **state)
{
    struct project project = { 0 };

    (void)state;
    project_make(&project, "npm", "10.0.0");
    project.link.path = STR("/x/core.tgz");
    project.link.schema = NULL;
    assert_true(str_find(project_link(&project), STR("import *")) == SIZE_MAX);
    assert_has(project_file(&project, "package.json"), "\"@pulumi/pulumi\": \"file:/x/core.tgz\"");
    project_end(&project);
}

static void bun_trusts_the_sdk(void **state)
{
    struct project project = { 0 };

    (void)state;
    project_make(&project, "bun", "1.0.0");
    project_link(&project);
    assert_has(project_file(&project, "package.json"),
               "\"trustedDependencies\": [\n    \"@a/my-pkg\"\n  ]");
    project_end(&project);
}

static void pnpm_is_told_as_its_version_wants_it(void **state)
{
    static const struct {
        const char *version, *settings;
    } cases[] = {
        { "10.5.0", "onlyBuiltDependencies:\n  - '@a/my-pkg'\n" },
        { "10.34.2", "onlyBuiltDependencies:\n  - '@a/my-pkg@file:sdks/a-my-pkg'\n" },
        { "11.0.0", "allowBuilds:\n  '@a/my-pkg@file:sdks/a-my-pkg': true\n  protobufjs: false\n" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct project project = { 0 };
        project_make(&project, "pnpm", cases[i].version);
        project_link(&project);
        str settings = project_file(&project, "pnpm-workspace.yaml");
        assert_str_equal(settings, str_from(cases[i].settings));
        assert_has(project_file(&project, "package.json"), "\"file:sdks/a-my-pkg\"");
        project_end(&project);
    }
}

static void an_sdk_beside_the_program_is_found_from_its_manifest(void **state)
{
    struct project project = { 0 };
    struct arena *arena = &project.arena;

    (void)state;
    project_make(&project, "yarn", "1.22.0");
    str folder = fs_path_join(arena, project.root, STR("app"));
    assert_ok(fs_make_directory(folder, 0755));
    assert_ok(fs_create(fs_path_join(arena, folder, STR("package.json")), STR("{}"), 0644));
    project.program.directory = folder;
    project_link(&project);
    assert_has(project_file(&project, "app/package.json"), "\"file:../sdks/a-my-pkg\"");
    project_end(&project);
}

static void a_project_without_a_manifest_is_told_what_to_do(void **state)
{
    struct project project = { 0 };
    struct project_linking linking = { .project = &project };

    (void)state;
    project_make(&project, "npm", "10.0.0");
    assert_ok(fs_remove(fs_path_join(&project.arena, project.root, STR("package.json"))));
    assert_ok(scheduler_run(project_link_main, &linking));
    assert_non_null(linking.failure);
    assert_has(error_message(linking.failure), "there is no package.json in");
    error_free(linking.failure);
    project_end(&project);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependencies_stay_sorted_and_the_rest_as_it_is),
        cmocka_unit_test(an_older_place_is_replaced),
        cmocka_unit_test(dependencies_are_made_where_there_are_none),
        cmocka_unit_test(a_list_gets_a_text_once),
        cmocka_unit_test(what_is_no_object_is_refused),
        cmocka_unit_test(npm_may_run_the_script_of_the_sdk),
        cmocka_unit_test(the_core_is_known_by_its_own_name),
        cmocka_unit_test(bun_trusts_the_sdk),
        cmocka_unit_test(pnpm_is_told_as_its_version_wants_it),
        cmocka_unit_test(an_sdk_beside_the_program_is_found_from_its_manifest),
        cmocka_unit_test(a_project_without_a_manifest_is_told_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
