/* test_project.c — the project file, what it says about configuration, and the files of the
 * workspace. */
#include "unit/place.h"

#include "base/fs.h"
#include "project/project.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct project parse(struct arena *arena, const char *text)
{
    struct project project = { 0 };
    assert_ok(project_parse(arena, STR("/p/Pulumi.yaml"), str_from(text), &project));
    return project;
}

static void refuse(const char *text, const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct project project;
    struct error *error = project_parse(&arena, STR("/p/Pulumi.yaml"), str_from(text), &project);

    assert_non_null(error);
    if (str_find(error_message(error), str_from(wanted)) == SIZE_MAX)
        print_error("other error: " STR_FMT "\n", STR_ARG(error_message(error)));
    bool is_right = str_find(error_message(error), str_from(wanted)) != SIZE_MAX;
    error_free(error);
    assert_true(is_right);
}

static void everything_a_file_may_hold_is_read(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct project project = parse(
        &arena, "\xef\xbb\xbfname: web\nruntime:\n  name: nodejs\n  options: {typescript: "
                "false}\nmain: src\n"
                "description: a site\nstackConfigDir: stacks\nbackend: {url: 'file://~'}\n"
                "options: {refresh: always}\nrequiredPulumiVersion: '>=3.0.0'\n"
                "packages:\n  a: x@1.2.3\n  b: {source: y, version: 1.0.0, parameters: [p, q]}\n"
                "plugins:\n  providers: [{name: n, path: ./bin}]\n"
                "template: {displayName: T, important: true, config: {k: {description: d, default: "
                "3, secret: true}}}\n"
                "unknown: kept\n");

    assert_str_equal(project.name, STR("web"));
    assert_str_equal(project.directory, STR("/p"));
    assert_str_equal(project.runtime, STR("nodejs"));
    assert_false(value_find(project.runtime_options, STR("typescript"))->boolean);
    assert_str_equal(project.main, STR("src"));
    assert_str_equal(project.backend_url, STR("file://~"));
    assert_true(project.refreshes_always && project.has_description && project.is_template
                && project.template_is_important);
    assert_int_equal(project.package_count, 2);
    assert_str_equal(project.packages[0].version, STR("1.2.3"));
    assert_int_equal(project.packages[1].parameter_count, 2);
    assert_str_equal(project.plugins[0].path, STR("./bin"));
    assert_str_equal(project.template_config[0].default_value, STR("3"));
    assert_true(project.template_config[0].is_secret);
    assert_str_equal(value_find_text(project.document, STR("unknown")), STR("kept"));
    assert_str_equal(stack_config_path(&arena, &project, STR("org/dev")),
                     STR("/p/stacks/Pulumi.org-dev.yaml"));
    assert_ok(project_check_version(&project, STR("v3.260.0")));
    assert_fails(project_check_version(&project, STR("2.1.0")), ERROR_INVALID,
                 "Pulumi CLI version 2.1.0 does not satisfy the version range \">=3.0.0\"");
    project = parse(&arena, "name: a\nruntime: yaml\n");
    assert_str_equal(project.runtime, STR("yaml"));
}

static void mistakes_are_named_with_near_misses(void **state)
{
    (void)state;
    refuse("runtime: yaml\n",
           "could not validate '/p/Pulumi.yaml': project is missing a 'name' attribute");
    refuse("nme: x\n", "project is missing a 'name' attribute; found 'nme' instead");
    refuse("name: a\n", "project is missing a 'runtime' attribute");
    refuse("name: 3\n", "project is missing a non-empty string 'name' attribute");
    refuse("[1]\n", "expected project to be an object, was '[]interface {}'");
    refuse("name: a\nruntime: yaml\nmain: 3\n",
           "1 error occurred:\n\t* #/main: expected string or null, but got number\n\n");
    refuse("name: a\nruntime: yaml\nbackend: {ur: x}\n",
           "#/backend: additionalProperties 'ur' not allowed; did you mean 'url'?");
    refuse("name: a\nruntime: yaml\nbackend: {something: x}\n",
           "#/backend: additionalProperties 'something' not allowed; the only allowed attribute is "
           "'url'");
    refuse("name: a\nruntime: yaml\noptions: {refresh: never}\n",
           "#/options/refresh: value must be \"always\"");
    refuse("name: a\nruntime: {nam: x}\n",
           "#/runtime: additionalProperties 'nam' not allowed; did you mean 'name'?");
    refuse("name: a\nruntime: 3\n", "#/runtime: oneOf failed");
    refuse("name: a\nruntime: yaml\npackages: {x: {version: '1'}}\n",
           "#/packages/x: missing properties: 'source'");
    refuse("name: a\nruntime: yaml\nplugins: {providers: [{nam: x, path: y}]}\n",
           "#/plugins/providers/0: missing properties: 'name'");
    refuse("name: a\nruntime: yaml\nconfig: {x: {tpe: string}}\n",
           "#/config/x: additionalProperties 'tpe' not allowed; did you mean 'type'?");
    refuse("name: a\nruntime: yaml\nconfig: {x: {type: strin}}\n",
           "#/config/x/type: value must be one of \"string\", \"integer\"");
    refuse("name: a\nruntime: yaml\nconfig: {x: 1.5}\n", "#/config/x: oneOf failed");
    refuse("name: [\n", "could not unmarshal '/p/Pulumi.yaml': invalid YAML file: line 2 column 1");
}

static void the_config_section_is_checked(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    refuse("name: a\nruntime: yaml\nconfig: {x: {type: array}}\n",
           "The configuration key 'x' declares an array but does not specify the underlying type");
    refuse(
        "name: a\nruntime: yaml\nconfig: {x: {type: array, items: {type: string}, default: [1]}}\n",
        "The default value specified for configuration key 'x' is not of the expected type "
        "'array<string>'");
    refuse("name: a\nruntime: yaml\nconfig: {x: {type: array, items: {type: array}}}\n",
           "#/config/x/items: missing properties: 'items'");
    refuse(
        "name: a\nruntime: yaml\nconfig: {'aws:x': {type: string}}\n",
        "Configuration key 'aws:x' is not namespaced by the project and should not define a type");
    refuse("name: a\nruntime: yaml\nconfig: {'aws:x': {default: b}}\n",
           "Did you mean to use the 'value' attribute instead of 'default'?");
    refuse("name: a\nruntime: yaml\nconfig: {'aws:x': {secret: true}}\n",
           "Configuration key 'aws:x' is namespaced and must provide an attribute 'value'");
    refuse("name: a\nruntime: yaml\nconfig: {x: {default: b, value: c}}\n",
           "project config 'x' cannot have both a 'default' and 'value' attribute");
    refuse("name: a\nruntime: yaml\nconfig: dir\nstackConfigDir: other\n",
           "Should not use both config and stackConfigDir");
    struct project project = parse(&arena, "name: a\nruntime: yaml\nconfig: dir\n");
    assert_str_equal(stack_config_path(&arena, &project, STR("dev")),
                     STR("/p/dir/Pulumi.dev.yaml"));
}

static const char *const typed_project =
    "name: a\nruntime: yaml\nconfig:\n  size: 3\n  aws:region: us-west-2\n  lst: {type: array, "
    "items: {type: string}}\n"
    "  sec: {type: string, secret: true}\n  a:flag: {type: boolean, default: true}\n"
    "  deep.er: {type: integer, default: 7}\n  obj: {default: {x: [1]}}\n";

static void put(struct arena *arena, struct config *config, const char *name, struct value value)
{
    config_put(arena, config, (struct config_key){ STR("a"), str_from(name) }, value);
}

static void a_stack_takes_the_projects_values_and_defaults(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct project project = parse(&arena, typed_project);
    struct config config = { 0 };

    put(&arena, &config, "size", value_string(STR("5")));
    assert_ok(project_apply_config(&arena, &project, &config, NULL));
    config_write_json(&writer, &config);
    assert_str_equal(strbuf_str(&text),
                     STR("{\"a:deep\":{\"er\":\"7\"},\"a:flag\":\"true\",\"a:obj\":{\"x\":[1]},\"a:"
                         "size\":\"5\",\"aws:region\":\"us-west-2\"}"));
}

/* Each of them copied all that were there: gigabytes. */
static void many_values_of_the_project_are_taken_at_once(void **state)
{
    enum { MANY = 5000, MOST_BYTES = 32 << 20 };
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(arena_release) struct arena apart = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct config config = { 0 };

    strbuf_add(&text, STR("name: a\nruntime: yaml\nconfig:\n  twice: second\n"));
    for (int i = 0; i < MANY; i++)
        strbuf_printf(&text, "  k%d: v%d\n", i, i);
    strbuf_add(&text, STR("  a:twice: first\n  k7.inside: deep\n"));
    strbuf_add_char(&text, '\0');
    struct project project = parse(&arena, text.ptr);
    assert_ok(project_apply_config(&apart, &project, &config, NULL));
    assert_int_equal(config.len, MANY + 1);
    assert_true(apart.total < MOST_BYTES);
    /* In the order of their texts, not of the file. */
    assert_str_equal(
        value_text(*config_find(&config, (struct config_key){ STR("a"), STR("twice") })),
        STR("first"));
}

static void a_stack_is_held_to_the_types(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct project project = parse(&arena, typed_project);
    struct config config = { 0 };
    struct value list[] = { value_string(STR("x")), value_number(3) };

    assert_ok(project_apply_config(&arena, &project, &config, NULL));
    assert_fails(project_validate_config(&arena, &project, STR("dev"), &config, NULL),
                 ERROR_INVALID, "Stack 'dev' is missing configuration values 'lst' and 'sec'");
    put(&arena, &config, "sec", value_string(STR("clear")));
    assert_fails(project_validate_config(&arena, &project, STR("dev"), &config, NULL),
                 ERROR_INVALID, "Stack 'dev' is missing configuration value 'lst'");
    put(&arena, &config, "lst", value_array(&arena, list, 2));
    assert_fails(project_validate_config(&arena, &project, STR("dev"), &config, NULL),
                 ERROR_INVALID,
                 "Stack 'dev' with configuration key 'lst' must be of type 'array<string>'");
    put(&arena, &config, "lst", value_array(&arena, list, 1));
    assert_fails(project_validate_config(&arena, &project, STR("dev"), &config, NULL),
                 ERROR_INVALID,
                 "Stack 'dev' with configuration key 'sec' must be encrypted as it's secret");
}

static void the_nearest_project_file_is_found(void **state)
{
    struct place *place = *state;
    struct arena *arena = &place->arena;
    str path, below = fs_path_join(arena, place->root, STR("a/b")), directory, entry;
    struct project project;

    assert_fails(project_find(arena, STR("/"), &path), ERROR_NOT_FOUND,
                 "no Pulumi.yaml project file found (searching upwards from /). If you have not "
                 "created a project yet, "
                 "use `pulumi new` to do so");
    assert_ok(fs_make_directory(below, 0755));
    assert_ok(fs_create(fs_path_join(arena, place->root, STR("Pulumi.yml")),
                        STR("name: a\nruntime: yaml\nmain: a/b\n"), 0644));
    assert_ok(project_find(arena, below, &path));
    assert_str_equal(path, fs_path_join(arena, place->root, STR("Pulumi.yml")));
    assert_ok(project_load(arena, path, &project));
    assert_ok(project_program(arena, &project, &directory, &entry));
    assert_str_equal(directory, below);
    assert_str_equal(entry, STR("."));
    assert_ok(fs_create(fs_path_join(arena, place->root, STR("Pulumi.json")),
                        STR("{\"name\": \"j\", \"runtime\": \"nodejs\", \"main\": \"x/y.js\"}"),
                        0644));
    assert_ok(project_find(arena, below, &path));
    assert_ok(project_load(arena, path, &project));
    assert_str_equal(project.name, STR("j"));
    assert_fails(project_program(arena, &project, &directory, &entry), ERROR_NOT_FOUND,
                 "project 'main' could not be read");
}

static void names_are_checked(void **state)
{
    (void)state;
    assert_ok(project_name_check(STR("a-b_c.d9")));
    assert_fails(project_name_check(STR("")), ERROR_INVALID, "may not be empty");
    assert_fails(project_name_check(STR("a/b")), ERROR_INVALID, "may only contain");
}

static void instantiates(const char *text, const struct project_instance *instance,
                         const char *wanted)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str made;

    assert_ok(project_instantiate(&arena, STR("Pulumi.yaml"), str_from(text), instance, &made));
    assert_str_equal(made, str_from(wanted));
}

static void a_template_becomes_a_project(void **state)
{
    const struct project_option options[] = { { STR_INIT("packagemanager"), STR_INIT("npm"),
                                                false },
                                              { STR_INIT("port"), STR_INIT("80"), true } };
    const struct project_instance plain = { .name = STR("web"), .description = STR("a: b") };
    const struct project_instance whole = {
        .name = STR("web"), .template_name = STR("starter"), .options = options, .option_count = 2
    };

    (void)state;
    instantiates(
        "# mine\nname: ${PROJECT} # the name\nruntime: go\ntemplate:\n  config: {}\nmain: src\n",
        &plain, "# mine\nname: web # the name\nruntime: go\nmain: src\ndescription: 'a: b'\n");
    instantiates("name: x\ndescription: y\nruntime: nodejs\n", &whole,
                 "name: web\nruntime:\n  name: nodejs\n  options:\n    packagemanager: npm\n    "
                 "port: 80\nconfig:\n  pulumi:tags:\n    value:\n      pulumi:template: starter\n");
    instantiates(
        "name: x\nruntime: {name: go, options: {a: b}}\nconfig:\n  size: {type: integer}\n",
        &(struct project_instance){ .name = STR("web"), .template_name = STR("t") },
        "name: web\nruntime: {name: go, options: {a: b}}\nconfig:\n  size: {type: integer}\n"
        "  pulumi:tags:\n    value:\n      pulumi:template: t\n");
    instantiates("name: x\nruntime: go\nconfig: stacks\n",
                 &(struct project_instance){ .name = STR("web"), .template_name = STR("t") },
                 "name: web\nruntime: go\nconfig: stacks\n");
}

static void a_template_that_cannot_become_one_is_refused(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct project_instance instance = { .name = STR("web") };
    str made;

    (void)state;
    assert_fails(project_instantiate(&arena, STR("P"), STR("name: ["), &instance, &made),
                 ERROR_INVALID, "'P': line");
    assert_fails(project_instantiate(&arena, STR("P"), STR("name: x\n"), &instance, &made),
                 ERROR_INVALID, "missing a 'runtime'");
    assert_fails(project_instantiate_source(&arena, STR("P"), STR("- ["), NULL, 0, &made),
                 ERROR_INVALID, "'P': line");
}

static void a_stack_config_is_saved_and_loaded(void **state)
{
    struct place *place = *state;
    struct arena *arena = &place->arena;
    struct stack_config stack, again;
    str path = fs_path_join(arena, place->root, STR("deep/Pulumi.dev.yaml"));

    assert_ok(stack_config_load(arena, path, STR("a"), &stack));
    assert_false(stack.existed);
    put(arena, &stack.config, "k", value_string(STR("v")));
    assert_ok(stack_config_save(&stack));
    assert_ok(stack_config_load(arena, path, STR("a"), &again));
    assert_true(again.existed);
    assert_int_equal(again.config.len, 1);
    put(arena, &stack.config, "l", value_string(STR("w")));
    assert_ok(stack_config_save(&stack));
    str text;
    assert_ok(fs_read(arena, path, 1000, &text));
    assert_str_equal(text, STR("config:\n  a:k: v\n  a:l: w\n"));
}

static void the_selected_stack_is_remembered_for_each_backend(void **state)
{
    struct place *place = *state;
    struct arena *arena = &place->arena;
    struct workspace workspace = { .user_home = place->root };
    struct project project = parse(arena, "name: p1\nruntime: yaml\n");
    str stack, path, text;

    assert_ok(workspace_selected_stack(arena, &workspace, &project, STR("file:///a"), &stack));
    assert_str_equal(stack, STR(""));
    assert_ok(
        workspace_select_stack(&workspace, &project, STR("file:///a"), STR("organization/p1/dev")));
    assert_ok(workspace_select_stack(&workspace, &project, STR("file:///b"),
                                     STR("organization/p1/prod")));
    assert_ok(workspace_selected_stack(arena, &workspace, &project, STR("file:///a"), &stack));
    assert_str_equal(stack, STR("organization/p1/dev"));
    assert_ok(workspace_path(
        arena, &workspace,
        STR("workspaces/p1-3cb4967322f36d7a491f46d51d197b172738f193-workspace.json"), &path));
    assert_ok(fs_read(arena, path, 1000, &text));
    assert_str_equal(
        text, STR("{\n    \"stacks\": {\n        \"file:///a\": \"organization/p1/dev\",\n        "
                  "\"file:///b\": \"organization/p1/prod\"\n    }\n}"));
    assert_ok(workspace_select_stack(&workspace, &project, STR("file:///a"), STR("")));
    assert_ok(workspace_select_stack(&workspace, &project, STR("file:///b"), STR("")));
    assert_false(fs_exists(path));
    assert_ok(fs_create(path, STR("{\"stack\":\"dev\"}"), 0600));
    assert_ok(workspace_selected_stack(arena, &workspace, &project, STR("file:///a"), &stack));
    assert_str_equal(stack, STR("dev"));
}

static void credentials_survive_login_and_logout(void **state)
{
    struct place *place = *state;
    struct arena *arena = &place->arena;
    struct workspace workspace = { .home = place->root };
    struct credentials credentials;
    str path = fs_path_join(arena, place->root, STR("credentials.json")), text;

    assert_ok(credentials_load(arena, &workspace, &credentials));
    assert_int_equal(credentials.len, 0);
    credentials_login(arena, &credentials, (struct account){ .url = STR("file:///state") });
    assert_ok(credentials_save(&workspace, &credentials));
    assert_ok(fs_read(arena, path, 1000, &text));
    assert_str_equal(
        text,
        STR("{\n    \"current\": \"file:///state\",\n    \"accessTokens\": {\n        "
            "\"file:///state\": \"\"\n    },\n"
            "    \"accounts\": {\n        \"file:///state\": {\n            \"lastValidatedAt\": "
            "\"0001-01-01T00:00:00Z\"\n"
            "        }\n    }\n}"));
    struct fs_status status;
    assert_ok(fs_stat(path, &status));
    assert_int_equal(status.mode, 0600);

    assert_ok(fs_replace(path,
                         STR("{\"current\":\"https://x\",\"accessTokens\":{\"https://"
                             "x\":\"t\"},\"accounts\":{\"https://x\":"
                             "{\"accessToken\":\"t\",\"username\":\"u\",\"organizations\":[\"o\"],"
                             "\"lastValidatedAt\":\"2026-"
                             "01-01T00:00:00Z\"}}}"),
                         0600));
    assert_ok(credentials_load(arena, &workspace, &credentials));
    assert_str_equal(credentials_find(&credentials, STR("https://x"))->username, STR("u"));
    credentials_login(arena, &credentials, (struct account){ .url = STR("file:///a") });
    assert_ok(credentials_save(&workspace, &credentials));
    assert_ok(fs_read(arena, path, 1000, &text));
    assert_true(str_find(text, STR("\"organizations\": [")) != SIZE_MAX);
    credentials_logout(&credentials, STR("file:///a"));
    assert_str_equal(credentials.current, STR(""));
    credentials_logout(&credentials, STR("https://x"));
    assert_ok(credentials_save(&workspace, &credentials));
    assert_false(fs_exists(path));
}

/* What another process adds before we have read the file stays; it waits for what we write. */
static void credentials_are_changed_by_one_at_a_time(void **state)
{
    struct place *place = *state;
    struct workspace workspace = { .home = place->root };
    struct credentials ours;
    int status;

    assert_ok(credentials_edit(&place->arena, &workspace, &ours));
    pid_t child = fork();
    if (child == 0) {
        struct credentials theirs;
        close(ours.lock); /* as another process, which has not inherited it */
        struct error *failure = credentials_edit(&place->arena, &workspace, &theirs);
        if (!failure) {
            credentials_login(&place->arena, &theirs, (struct account){ .url = STR("file:///b") });
            failure = credentials_save(&workspace, &theirs);
        }
        _exit(failure ? 1 : 0);
    }
    credentials_login(&place->arena, &ours, (struct account){ .url = STR("file:///a") });
    assert_ok(credentials_save(&workspace, &ours));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_ok(credentials_load(&place->arena, &workspace, &ours));
    assert_int_equal(ours.len, 2);
}

/* Refused before anything is written over them. */
static void credentials_that_are_none_are_refused(void **state)
{
    static const char *const texts[] = { "1", "[]", "\"text\"", "{} {\"current\":\"x\"}", "{" };
    struct place *place = *state;
    const struct workspace workspace = { .home = place->root };
    str path = fs_path_join(&place->arena, place->root, STR("credentials.json"));
    struct credentials credentials;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_ok(fs_replace(path, str_from(texts[i]), 0600));
        assert_fails(credentials_load(&place->arena, &workspace, &credentials), ERROR_INVALID,
                     "failed to read Pulumi credentials file");
    }
    assert_ok(fs_replace(path, STR("null"), 0600));
    assert_ok(credentials_load(&place->arena, &workspace, &credentials));
    assert_int_equal(credentials.len, 0);
}

static void a_package_is_written_and_the_rest_of_the_file_stays(void **state)
{
    static const str words[] = { STR_INIT("hashicorp/random"), STR_INIT("--x") };
    static const struct {
        struct project_package package;
        const char *before, *after;
    } rows[] = {
        { { .name = STR_INIT("a"), .source = STR_INIT("a"), .version = STR_INIT("1.0.0") },
          "name: p # mine\nruntime: yaml\n",
          "name: p # mine\nruntime: yaml\npackages:\n  a: a@1.0.0\n" },
        { { .name = STR_INIT("a"), .source = STR_INIT("./a") },
          "name: p\nruntime: yaml\npackages:\n  a: a@1.0.0 # old\n  b: b@1.0.0\n",
          "name: p\nruntime: yaml\npackages:\n  a: ./a # old\n  b: b@1.0.0\n" },
        { { .name = STR_INIT("random"),
            .source = STR_INIT("tf"),
            .version = STR_INIT("1.0.0"),
            .parameters = words,
            .parameter_count = 2 },
          "name: p\nruntime: yaml\n",
          "name: p\nruntime: yaml\npackages:\n  random:\n    source: tf\n    version: 1.0.0\n"
          "    parameters:\n      - hashicorp/random\n      - --x\n" },
        { { .name = STR_INIT("more"),
            .source = STR_INIT("tf"),
            .parameters = words,
            .parameter_count = 1,
            .is_extension = true },
          "name: p\nruntime: yaml\n",
          "name: p\nruntime: yaml\npackages:\n  more:\n    source: tf\n    extensions:\n"
          "      - hashicorp/random\n" }, /* a mapping stays one; others are followed where all are
                                             mappings, and only there */
        { { .name = STR_INIT("a"), .source = STR_INIT("a"), .version = STR_INIT("2.0.0") },
          "name: p\nruntime: yaml\npackages:\n  a:\n    source: a\n  b: b@1.0.0\n",
          "name: p\nruntime: yaml\npackages:\n  a:\n    source: a\n    version: 2.0.0\n"
          "  b: b@1.0.0\n" },
        { { .name = STR_INIT("a"), .source = STR_INIT("a"), .version = STR_INIT("2.0.0") },
          "name: p\nruntime: yaml\npackages:\n  a: a@1.0.0\n  b:\n    source: b\n",
          "name: p\nruntime: yaml\npackages:\n  a: a@2.0.0\n  b:\n    source: b\n" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str path = STR("/p/Pulumi.yaml"), text;
    struct project project;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct project_package *package = &rows[i].package;
        assert_ok(project_put_package(&arena, path, str_from(rows[i].before), package, &text));
        assert_str_equal(text, str_from(rows[i].after));
        assert_ok(project_parse(&arena, path, text, &project));
        const struct project_package *read = &project.packages[0];
        assert_str_equal(read->name, package->name);
        assert_str_equal(read->source, package->source);
        assert_int_equal(read->parameter_count, package->parameter_count);
        assert_int_equal(read->is_extension, package->is_extension);
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_a_file_may_hold_is_read),
        cmocka_unit_test(mistakes_are_named_with_near_misses),
        cmocka_unit_test(the_config_section_is_checked),
        cmocka_unit_test(a_stack_takes_the_projects_values_and_defaults),
        cmocka_unit_test(many_values_of_the_project_are_taken_at_once),
        cmocka_unit_test(a_stack_is_held_to_the_types),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(a_package_is_written_and_the_rest_of_the_file_stays),
        cmocka_unit_test(a_template_becomes_a_project),
        cmocka_unit_test(a_template_that_cannot_become_one_is_refused),
        TEST(the_nearest_project_file_is_found),
        TEST(a_stack_config_is_saved_and_loaded),
        TEST(the_selected_stack_is_remembered_for_each_backend),
        TEST(credentials_survive_login_and_logout),
        TEST(credentials_are_changed_by_one_at_a_time),
        TEST(credentials_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
