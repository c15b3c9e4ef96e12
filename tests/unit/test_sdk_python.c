/* test_sdk_python.c — the Python SDK of the package in tests/codegen/python, byte for byte, and the
 * names of Python.
 *
 * usage: test_sdk_python [FOLDER]   with a folder it puts the SDK there instead of testing */
#include "unit/check.h"

#include "base/fs.h"
#include "python/python.h"
#include "python/python_names.h"

#include <stdlib.h>

#define CASE "tests/codegen/python"

static void generate(struct arena *arena, str json, struct pairs extra_files, str folder)
{
    struct sdk_request request = { .is_local = true, .extra_files = extra_files };
    struct sdk_files files;

    assert_ok(schema_read(arena, json, &request.schema));
    assert_ok(sdk_files_open(arena, folder, &files));
    assert_ok(python_generate_package(NULL, arena, &request, &files));
    assert_str_equal(files.overlays, python_package(arena, request.schema));
    assert_string_equal(arena_cstr(arena, request.schema->trouble), "");
    assert_ok(sdk_files_keep(&files));
    schema_release(request.schema);
}

static void generate_garden(struct arena *arena, str folder)
{
    str json;

    assert_ok(fs_read(arena, STR(CASE "/schema.json"), FS_ANY_SIZE, &json));
    generate(arena, json, (struct pairs){ 0 }, folder);
}

static str test_folder(struct arena *arena)
{
    char *folder = arena_cstr(arena, STR("/tmp/test-sdk-python-XXXXXX"));

    assert_non_null(mkdtemp(folder));
    return str_from(folder);
}

/* What all SDKs share is not recorded once more: only what is said of the package. */
static void check_utilities(struct arena *arena, str file)
{
    str text;

    assert_ok(fs_read(arena, file, FS_ANY_SIZE, &text));
    assert_true(
        str_ends_with(text, STR("\n# --- this package ---\n\n\n"
                                "def get_plugin_download_url() -> typing.Optional[str]:\n"
                                "    return \"https://plugins.example\"\n\n\n"
                                "def get_version() -> str:\n    return \"1.2.3-beta.4\"\n")));
    assert_ok(fs_remove(file));
}

/* Everything in `wanted` is in `made`, and the other way round. */
static void compare_folders(struct arena *arena, str wanted, str made)
{
    str *names, *others;
    size_t len, other_len;

    assert_ok(fs_list(arena, wanted, &names, &len));
    assert_ok(fs_list(arena, made, &others, &other_len));
    for (size_t i = 0; i < len || i < other_len; i++) {
        assert_true(i < len && i < other_len);
        assert_str_equal(others[i], names[i]);
        str a = fs_path_join(arena, wanted, names[i]), b = fs_path_join(arena, made, names[i]);
        str wanted_text, made_text;
        if (fs_is_directory(a)) {
            compare_folders(arena, a, b);
            continue;
        }
        assert_ok(fs_read(arena, a, FS_ANY_SIZE, &wanted_text));
        assert_ok(fs_read(arena, b, FS_ANY_SIZE, &made_text));
        if (!str_equal(wanted_text, made_text))
            fail_msg("%s is not as recorded", arena_cstr(arena, a));
    }
}

static void the_sdk_is_as_recorded(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = test_folder(&arena), sdk = fs_path_join(&arena, root, STR("sdk"));

    (void)state;
    generate_garden(&arena, sdk);
    check_utilities(&arena, fs_path_join(&arena, sdk, STR("green_fingers_garden/_utilities.py")));
    compare_folders(&arena, STR(CASE "/sdk"), sdk);
    assert_ok(fs_remove_tree(root));
}

static bool has_file(struct arena *arena, str folder, const char *path)
{
    return fs_exists(fs_path_join(arena, folder, str_from(path)));
}

/* Names that would be one file get one each; a module wins, because nothing else can be a folder.
 */
static void members_that_share_a_name_have_files_of_their_own(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = test_folder(&arena), sdk = fs_path_join(&arena, root, STR("sdk"));

    (void)state;
    generate(&arena,
             STR("{\"name\":\"p\",\"version\":\"1.0.0\",\"resources\":{"
                 "\"p:index:Thing\":{},\"p:thing:Other\":{},\"p:index:Outputs\":{}},"
                 "\"functions\":{\"p:index:thing\":{\"outputs\":{\"properties\":{}}}}}"),
             (struct pairs){ 0 }, sdk);
    assert_true(has_file(&arena, sdk, "pulumi_p/thing/other.py"));
    assert_true(has_file(&arena, sdk, "pulumi_p/thing_.py"));
    assert_true(has_file(&arena, sdk, "pulumi_p/thing__.py"));
    assert_true(has_file(&arena, sdk, "pulumi_p/outputs_.py"));
    assert_ok(fs_remove_tree(root));
}

/* Overlays are part of the module whose folder they are in. */
/* Only there: results are dictionaries, resources and arguments are not. */
static void a_result_may_have_properties_named_as_methods_of_dictionaries(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str sdk = test_folder(&arena), outputs, inputs;

    (void)state;
    generate(&arena,
             STR("{\"name\":\"p\",\"types\":{\"p:index:T\":{\"type\":\"object\",\"properties\":{"
                 "\"values\":{\"type\":\"string\"},\"other\":{\"type\":\"string\"}}}},"
                 "\"resources\":{\"p:index:R\":{\"properties\":{\"t\":{\"$ref\":"
                 "\"#/types/p:index:T\"}},\"inputProperties\":{\"t\":{\"$ref\":"
                 "\"#/types/p:index:T\"}}}}}"),
             (struct pairs){ 0 }, sdk);
    assert_ok(fs_read(&arena, fs_path_join(&arena, sdk, STR("pulumi_p/outputs.py")), FS_ANY_SIZE,
                      &outputs));
    assert_ok(fs_read(&arena, fs_path_join(&arena, sdk, STR("pulumi_p/_inputs.py")), FS_ANY_SIZE,
                      &inputs));
    assert_int_not_equal(str_find(outputs, STR("def values(self) -> Optional[_builtins.str]:  "
                                               "# type: ignore[override]\n")),
                         SIZE_MAX);
    assert_int_not_equal(str_find(outputs, STR("def other(self) -> Optional[_builtins.str]:\n")),
                         SIZE_MAX);
    assert_int_equal(str_find(inputs, STR("ignore")), SIZE_MAX);
    assert_ok(fs_remove_tree(sdk));
}

static void modules_export_what_overlays_add(void **state)
{
    static const struct pair overlays[] = { { STR_INIT("store/extra.py"), STR_INIT("X = 1\n") },
                                            { STR_INIT("store/data.txt"), STR_INIT("x") } };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = test_folder(&arena), sdk = fs_path_join(&arena, root, STR("sdk")), text;

    (void)state;
    generate(&arena, STR("{\"name\":\"p\",\"version\":\"1.0.0\"}"), (struct pairs){ overlays, 2 },
             sdk);
    assert_ok(fs_read(&arena, fs_path_join(&arena, sdk, STR("pulumi_p/store/__init__.py")),
                      FS_ANY_SIZE, &text));
    assert_true(str_ends_with(text, STR("\nfrom .extra import *\n")));
    assert_ok(fs_remove_tree(root));
}

/* A chain of types as long as this would not fit on a stack. */
static void types_may_refer_to_types_without_end(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf json = { 0 };
    str root = test_folder(&arena), sdk = fs_path_join(&arena, root, STR("sdk")), text;

    (void)state;
    strbuf_add(&json, STR("{\"name\":\"p\",\"version\":\"1.0.0\",\"types\":{"));
    for (int i = 0; i < 20000; i++)
        strbuf_printf(&json,
                      "%s\"p:index:T%d\":{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":"
                      "\"#/types/p:index:T%d\"}}}",
                      i ? "," : "", i, (i + 1) % 20000);
    strbuf_add(&json, STR("},\"resources\":{\"p:index:R\":{\"inputProperties\":{\"t\":{\"$ref\":"
                          "\"#/types/p:index:T0\"}}}}}"));
    generate(&arena, strbuf_str(&json), (struct pairs){ 0 }, sdk);
    assert_ok(
        fs_read(&arena, fs_path_join(&arena, sdk, STR("pulumi_p/_inputs.py")), FS_ANY_SIZE, &text));
    assert_true(str_find(text, STR("class T19999ArgsDict(TypedDict):")) != SIZE_MAX);
    assert_ok(fs_remove_tree(root));
}

/* Each type has two of the next: there are more ways through them than time. */
static void types_may_have_more_paths_than_can_be_walked(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf json = { 0 };
    str root = test_folder(&arena), sdk = fs_path_join(&arena, root, STR("sdk")), text;

    (void)state;
    strbuf_add(&json, STR("{\"name\":\"p\",\"version\":\"1.0.0\",\"types\":{"));
    for (int i = 0; i < 60; i++)
        strbuf_printf(&json,
                      "\"p:index:T%d\":{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":"
                      "\"#/types/p:index:T%d\"},\"b\":{\"$ref\":\"#/types/p:index:T%d\"}}},",
                      i, i + 1, i + 1);
    strbuf_add(&json, STR("\"p:index:T60\":{\"type\":\"object\"}},\"resources\":{\"p:index:R\":{"
                          "\"properties\":{\"t\":{\"$ref\":\"#/types/p:index:T0\"},"
                          "\"r\":{\"type\":\"string\",\"replaceOnChanges\":true}}}}}"));
    generate(&arena, strbuf_str(&json), (struct pairs){ 0 }, sdk);
    assert_ok(fs_read(&arena, fs_path_join(&arena, sdk, STR("pulumi_p/r.py")), FS_ANY_SIZE, &text));
    assert_true(str_find(text, STR("replace_on_changes=[\"r\"]")) != SIZE_MAX);
    assert_ok(fs_remove_tree(root));
}

static void expect_refused(const char *json, const char *complaint)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = test_folder(&arena);
    struct sdk_request request = { 0 };
    struct sdk_files files;

    assert_ok(schema_read(&arena, str_from(json), &request.schema));
    assert_ok(sdk_files_open(&arena, fs_path_join(&arena, root, STR("sdk")), &files));
    struct error *failure = python_generate_package(NULL, &arena, &request, &files);
    assert_non_null(failure);
    assert_str_equal(error_message(failure), str_from(complaint));
    error_free(failure);
    sdk_files_drop(&files);
    schema_release(request.schema);
    assert_ok(fs_remove_tree(root));
}

static void a_schema_that_asks_for_what_is_not_there_is_refused(void **state)
{
    (void)state;
    expect_refused("{\"name\":\"p\",\"language\":{\"python\":{\"inputTypes\":\"x\"}}}",
                   "language.python.inputTypes of the schema is 'x'; it can be 'classes' or "
                   "'classes-and-dicts'");
}

static void names_that_python_cannot_tell_apart_are_refused(void **state)
{
    (void)state;
    expect_refused("{\"name\":\"p\",\"resources\":{\"p:index:R\":{\"inputProperties\":{"
                   "\"fooBar\":{\"type\":\"string\"},\"foo_bar\":{\"type\":\"string\"}}}}}",
                   "'p:index:R' has a property 'fooBar' and a property 'foo_bar', which would both "
                   "be 'foo_bar' in Python; rename one of them in the schema");
    expect_refused("{\"name\":\"p\",\"resources\":{\"p:index:R\":{\"properties\":{"
                   "\"\":{\"type\":\"string\"}}}}}",
                   "'p:index:R' has a property '', of which no name can be made in Python; rename "
                   "it in the schema");
    expect_refused("{\"name\":\"p\",\"types\":{\"p:index:E\":{\"type\":\"string\",\"enum\":["
                   "{\"value\":\"a.b\"},{\"value\":\"a b\"}]}}}",
                   "'p:index:E' has a value 'a.b' and a value 'a b', which would both be 'A_B' in "
                   "Python; rename one of them in the schema");
}

/* --- names --- */

static void names_are_in_snake_case(void **state)
{
    static const char *const names[][2] = {
        { "myHTTPUrl", "my_http_url" },        { "sha256Hash", "sha256_hash" },
        { "SHA256Hash", "sha256_hash" },       { "publicIPs", "public_ips" },
        { "GetPublicIPs", "get_public_i_ps" }, { "class", "class_" },
        { "dash-ed.name", "dash_ed_name" },    { "9lives", "_9lives" },
        { "snake_Case", "snake__case" },       { "", "" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_str_equal(python_name(&arena, str_from(names[i][0])), str_from(names[i][1]));
}

static void versions_are_those_of_the_index_of_packages(void **state)
{
    static const char *const versions[][2] = {
        { "1.2.3", "1.2.3" },
        { "v1.2.3", "1.2.3" },
        { "1.2.3-alpha.1", "1.2.3a1" },
        { "1.2.3-beta2", "1.2.3b2" },
        { "1.2.3-rc.4", "1.2.3rc4" },
        { "1.2.3-dev.5", "1.2.3.dev5" },
        { "1.2.3-alpha.1.internal+exp.sha-1", "1.2.3a1+internal.exp.sha.1" },
        { "1.2.3-nightly", "1.2.3+nightly" },
        { "none", "" },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        assert_str_equal(python_index_version(&arena, str_from(versions[i][0])),
                         str_from(versions[i][1]));
}

/* --- linking --- */

static str link_into(struct arena *arena, str folder, const char *before)
{
    struct program program = { .root = folder, .directory = folder, .options = VALUE_EMPTY_OBJECT };
    str path = fs_path_join(arena, folder, STR("requirements.txt")), text, instructions;
    struct sdk_link link = { .path = STR("sdks/garden") };

    assert_ok(fs_remove_if_present(path));
    if (before)
        assert_ok(fs_create(path, str_from(before), 0644));
    assert_ok(schema_read(arena, STR("{\"name\":\"garden\",\"namespace\":\"green-fingers\"}"),
                          &link.schema));
    assert_ok(python_link(NULL, arena, &program, (struct sdk_links){ &link, 1 }, &instructions));
    assert_str_equal(instructions, STR("You can import the SDK in your Python code with:\n\n"
                                       "  import green_fingers_garden as garden\n"));
    schema_release(link.schema);
    assert_ok(fs_read(arena, path, FS_ANY_SIZE, &text));
    return text;
}

static void requirements_name_the_sdk_once(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = test_folder(&arena);

    (void)state;
    assert_str_equal(link_into(&arena, root, NULL), STR("sdks/garden\n"));
    assert_str_equal(link_into(&arena, root, "# mine\npulumi>=3\n\nsdks/garden\nx"),
                     STR("# mine\npulumi>=3\n\nx\nsdks/garden\n"));
    assert_str_equal(link_into(&arena, root, "Green-Fingers.garden>=1\r\npulumi\r\n"),
                     STR("pulumi\r\nsdks/garden\r\n"));
    assert_ok(fs_remove_tree(root));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sdk_is_as_recorded),
        cmocka_unit_test(members_that_share_a_name_have_files_of_their_own),
        cmocka_unit_test(a_result_may_have_properties_named_as_methods_of_dictionaries),
        cmocka_unit_test(modules_export_what_overlays_add),
        cmocka_unit_test(types_may_refer_to_types_without_end),
        cmocka_unit_test(types_may_have_more_paths_than_can_be_walked),
        cmocka_unit_test(a_schema_that_asks_for_what_is_not_there_is_refused),
        cmocka_unit_test(names_that_python_cannot_tell_apart_are_refused),
        cmocka_unit_test(names_are_in_snake_case),
        cmocka_unit_test(versions_are_those_of_the_index_of_packages),
        cmocka_unit_test(requirements_name_the_sdk_once),
    };

    if (argc > 1) {
        CLEANUP(arena_release) struct arena arena = { 0 };
        generate_garden(&arena, str_from(argv[1]));
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
