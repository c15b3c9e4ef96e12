/* test_sdk_nodejs.c — SDKs in TypeScript, compared with those that are recorded in
 * tests/codegen/sdk.
 *
 * With a folder as argument it writes the SDK of the recorded schema there instead. */
#include "unit/check.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "nodejs/sdk/ts_sdk.h"

#include <stdlib.h>

static const char sdk_schema_file[] = "tests/codegen/sdk/garden.json";
static const char sdk_golden[] = "tests/codegen/sdk/nodejs";

static fallible make_sdk(struct arena *arena, str json, bool is_local, str folder)
{
    struct sdk_request request = { .is_local = is_local };
    struct sdk_files files;

    TRY(schema_read(arena, json, &request.schema));
    TRY(sdk_files_open(arena, folder, &files));
    struct error *failure = ts_sdk_generate(&request, &files);
    schema_release(request.schema);
    if (!failure)
        return sdk_files_keep(&files);
    sdk_files_drop(&files);
    return failure;
}

static str scratch_folder(struct arena *arena)
{
    char *folder = arena_cstr(arena, STR("/tmp/test-node-sdk-XXXXXX"));

    assert_non_null(mkdtemp(folder));
    return str_from(folder);
}

/* Every file of one folder is in the other, with the same text. */
static void expect_same_files(struct arena *arena, str expected, str made)
{
    size_t len;
    str *names;

    assert_ok(fs_list(arena, expected, &names, &len));
    for (size_t i = 0; i < len; i++) {
        str a = fs_path_join(arena, expected, names[i]), b = fs_path_join(arena, made, names[i]);
        str text_a, text_b;
        if (fs_is_directory(a)) {
            expect_same_files(arena, a, b);
            continue;
        }
        assert_ok(fs_read(arena, a, FS_ANY_SIZE, &text_a));
        assert_ok(fs_read(arena, b, FS_ANY_SIZE, &text_b));
        if (!str_equal(text_a, text_b))
            fail_msg("'" STR_FMT "' is not as it is recorded", STR_ARG(b));
    }
}

static void the_sdk_is_as_it_is_recorded(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = scratch_folder(&arena), json;
    str made = fs_path_join(&arena, folder, STR("sdk"));

    (void)state;
    assert_ok(fs_read(&arena, str_from(sdk_schema_file), FS_ANY_SIZE, &json));
    assert_ok(make_sdk(&arena, json, true, made));
    expect_same_files(&arena, str_from(sdk_golden), made);
    expect_same_files(&arena, made, str_from(sdk_golden));
    assert_ok(fs_remove_tree(folder));
}

static str made_file(struct arena *arena, const char *json, bool is_local, const char *path)
{
    str folder = scratch_folder(arena), text;
    str made = fs_path_join(arena, folder, STR("sdk"));

    assert_ok(make_sdk(arena, str_from(json), is_local, made));
    assert_ok(fs_read(arena, fs_path_join(arena, made, str_from(path)), FS_ANY_SIZE, &text));
    assert_ok(fs_remove_tree(folder));
    return text;
}

#define assert_contains(text, part) assert_true(str_find((text), STR(part)) != SIZE_MAX)
#define assert_lacks(text, part) assert_true(str_find((text), STR(part)) == SIZE_MAX)

static void a_published_sdk_is_compiled_by_its_publisher(void **state)
{
    static const char schema[] = "{\"name\": \"p\", \"version\": \"1.0.0\"}";
    CLEANUP(arena_release) struct arena arena = { 0 };
    str manifest = made_file(&arena, schema, false, "package.json");

    (void)state;
    assert_lacks(manifest, "postinstall");
    assert_lacks(manifest, "\"main\"");
    assert_contains(manifest, "\"version\": \"${VERSION}\"");
    assert_contains(manifest, "\"devDependencies\"");
}

static const char parameterized_schema[] =
    "{\"name\": \"sub\", \"version\": \"2.0.0\", \"parameterization\": {\"baseProvider\": "
    "{\"name\":"
    " \"base\", \"version\": \"1.1.1\"}, \"parameter\": \"SGk=\"}, \"resources\": {\"sub:index:R\":"
    " {\"methods\": {\"m\": \"sub:index:R/m\"}}}, \"functions\": {\"sub:index:R/m\": {\"inputs\":"
    " {\"properties\": {\"__self__\": {\"$ref\": \"#/resources/sub:index:R\"}}}, \"outputs\":"
    " {\"type\": \"string\", \"plain\": true}}, \"sub:index:f\": {\"outputs\": {\"type\":"
    " \"string\"}}}}";

static void a_parameterized_package_is_named_in_every_call(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str utilities = made_file(&arena, parameterized_schema, true, "utilities.ts");
    str resource = made_file(&arena, parameterized_schema, true, "r.ts");
    str function = made_file(&arena, parameterized_schema, true, "f.ts");
    str manifest = made_file(&arena, parameterized_schema, true, "package.json");

    (void)state;
    assert_contains(utilities, "base64Parameter: \"SGk=\",");
    assert_contains(utilities, "baseProviderVersion: \"1.1.1\",");
    assert_contains(resource, "opts, false /* dependency */, utilities.getPackage());");
    assert_contains(resource, "}, this, { property: \"res\" }, utilities.getPackage());");
    assert_contains(function, "}, opts, utilities.getPackage());");
    assert_contains(manifest, "\"value\": \"SGk=\"");
    assert_contains(manifest, "\"version\": \"2.0.0\"");
}

static void names_that_collide_are_an_error(void **state)
{
    static const char schema[] = "{\"name\": \"p\", \"version\": \"1.0.0\", \"resources\": "
                                 "{\"p:index:Foo\": {}, \"p:index:foo\": {}}}";
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = scratch_folder(&arena), made = fs_path_join(&arena, folder, STR("sdk"));

    (void)state;
    struct error *failure = make_sdk(&arena, str_from(schema), true, made);
    assert_non_null(failure);
    assert_contains(error_message(failure), "foo.ts");
    error_free(failure);
    assert_false(fs_exists(made));
    assert_ok(fs_remove_tree(folder));
}

static void a_module_must_not_be_called_types(void **state)
{
    static const char schema[] = "{\"name\": \"p\", \"resources\": {\"p:types:Foo\": {}}}";
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = scratch_folder(&arena);

    (void)state;
    struct error *failure =
        make_sdk(&arena, str_from(schema), true, fs_path_join(&arena, folder, STR("sdk")));
    assert_non_null(failure);
    assert_contains(error_message(failure), "a module called 'types'");
    error_free(failure);
    assert_ok(fs_remove_tree(folder));
}

static void expect_node_sdk_refused(const char *schema, const char *complaint)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = scratch_folder(&arena);

    struct error *failure =
        make_sdk(&arena, str_from(schema), true, fs_path_join(&arena, folder, STR("sdk")));
    assert_non_null(failure);
    assert_true(str_find(error_message(failure), str_from(complaint)) != SIZE_MAX);
    error_free(failure);
    assert_ok(fs_remove_tree(folder));
}

static void names_that_are_none_are_refused(void **state)
{
    (void)state;
    expect_node_sdk_refused("{\"name\": \"p\", \"resources\": {\"p:index:R\": {\"properties\":"
                            " {\"constructor\": {\"type\": \"string\"}}}}}",
                            "has a property 'constructor', which no class of TypeScript can have");
    expect_node_sdk_refused("{\"name\": \"p\", \"types\": {\"p:index:E\": {\"type\":"
                            " \"string\", \"enum\": [{\"value\": \"a.b\"}, {\"value\":"
                            " \"a b\"}]}}}",
                            "which would both be 'A_b' in TypeScript");
    expect_node_sdk_refused("{\"name\": \"p\", \"resources\": {\"p:index:Foo\": {},"
                            " \"p:index:FooArgs\": {}}}",
                            "'p:index:FooArgs' would be, or have, a 'FooArgs' in TypeScript");
    expect_node_sdk_refused("{\"name\": \"p\", \"resources\": {\"p:index:R\": {\"methods\":"
                            " {\"a(){}\": \"p:index:R/a\"}}}, \"functions\": {\"p:index:R/a\":"
                            " {}}}",
                            "has a method 'a(){}', of which no name can be made in TypeScript");
}

static void values_that_are_true_or_false_have_names(void **state)
{
    static const char schema[] = "{\"name\": \"p\", \"types\": {\"p:index:E\": {\"type\":"
                                 " \"boolean\", \"enum\": [{\"value\": true}, {\"value\":"
                                 " false}]}}, \"resources\": {\"p:index:R\":"
                                 " {\"inputProperties\": {\"e\":"
                                 " {\"$ref\": \"#/types/p:index:E\"}}}}}";
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    str text = made_file(&arena, schema, true, "types/enums/index.ts");
    assert_true(str_find(text, STR("    True: true,\n    False: false,\n")) != SIZE_MAX);
}

static void a_message_does_not_end_its_comment(void **state)
{
    static const char schema[] = "{\"name\": \"p\", \"resources\": {\"p:index:R\":"
                                 " {\"deprecationMessage\": \"old\\n*/ exit() /*\"}}}";
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_lacks(made_file(&arena, schema, true, "r.ts"), "\n*/ exit()");
}

/* A chain of types as long as this would not fit on a stack; the last has a default. */
static void types_may_refer_to_types_without_end(void **state)
{
    enum { LONG = 50000 };
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf json = { 0 };

    (void)state;
    strbuf_add(&json, STR("{\"name\": \"p\", \"types\": {"));
    for (int i = 0; i < LONG; i++)
        strbuf_printf(&json,
                      "\"p:index:T%05d\": {\"type\": \"object\", \"properties\": {\"next\":"
                      " {\"$ref\": \"#/types/p:index:T%05d\"}}},",
                      i, i + 1);
    strbuf_add(&json, STR("\"p:index:T50000\": {\"type\": \"object\", \"properties\": {\"a\":"
                          " {\"type\": \"string\", \"default\": \"b\"}}}}, \"resources\":"
                          " {\"p:index:R\": {\"inputProperties\": {\"t\": {\"$ref\":"
                          " \"#/types/p:index:T00000\"}}}}}"));
    strbuf_add_char(&json, '\0');
    str text = made_file(&arena, json.ptr, true, "types/input.ts");
    assert_contains(text, "ProvideDefaults(val: T00000Args): T00000Args {");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sdk_is_as_it_is_recorded),
        cmocka_unit_test(a_published_sdk_is_compiled_by_its_publisher),
        cmocka_unit_test(a_parameterized_package_is_named_in_every_call),
        cmocka_unit_test(names_that_collide_are_an_error),
        cmocka_unit_test(a_module_must_not_be_called_types),
        cmocka_unit_test(names_that_are_none_are_refused),
        cmocka_unit_test(values_that_are_true_or_false_have_names),
        cmocka_unit_test(a_message_does_not_end_its_comment),
        cmocka_unit_test(types_may_refer_to_types_without_end),
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str json;

    if (argc > 1) {
        struct error *failure = fs_read(&arena, str_from(sdk_schema_file), FS_ANY_SIZE, &json);
        if (!failure)
            failure = make_sdk(&arena, json, true, str_from(argv[1]));
        int exit_code = failure ? 1 : 0;
        error_free(failure);
        return exit_code;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
