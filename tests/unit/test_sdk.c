/* test_sdk.c — the files of an SDK, the calls that ask for one, and names in the cases of
 * languages.
 */
#include "unit/check.h"

#include "base/fs.h"
#include "common/host.h"
#include "common/language_ops.h"
#include "common/names.h"
#include "common/sdk.h"
#include "proto/message.h"

#include "pb/codegen.pb-c.h"

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
    assert_fails(sdk_put(&files, STR("a//x"), STR("")), ERROR_INVALID,
                 "'a//x' is no path inside an SDK");
    sdk_files_drop(&files);
    assert_ok(fs_remove_tree(root));
}

/* --- the calls --- */

static struct error *put_one_file(struct host *host, struct arena *arena,
                                  const struct sdk_request *request, struct sdk_files *out)
{
    (void)host;
    (void)arena;
    return sdk_put(out, STR("name"), request->schema->name);
}

static struct error *say_what_is_linked(struct host *host, struct arena *arena,
                                        const struct program *program, struct sdk_links links,
                                        str *instructions)
{
    (void)host;
    (void)program;
    assert_int_equal(links.len, 1);
    assert_null(links.items[0].schema);
    *instructions = arena_concat(arena, message_str(links.items[0].package->name), STR(" at "),
                                 links.items[0].path);
    return NULL;
}

static const struct language_ops one_file_language = { .generate_package = put_one_file,
                                                       .link = say_what_is_linked };

/* What the host says about a schema; its folder is `root`/sdk. */
static const Pb__GeneratePackageResponse *generated(struct arena *arena, str root,
                                                    const char *schema)
{
    Pb__GeneratePackageRequest request = PB__GENERATE_PACKAGE_REQUEST__INIT;
    struct host host = { .ops = &one_file_language };
    str response;
    void *answer;

    request.directory = message_cstr(arena, fs_path_join(arena, root, STR("sdk")));
    request.schema = message_cstr(arena, str_from(schema));
    assert_ok(sdk_generate(&host, arena, MESSAGE_PACK(arena, &request), &response));
    assert_ok(message_unpack(arena, &pb__generate_package_response__descriptor, response, &answer));
    return answer;
}

static void a_schema_with_errors_makes_no_sdk_and_all_of_them_are_told(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = scratch_folder(&arena);

    (void)state;
    const Pb__GeneratePackageResponse *answer =
        generated(&arena, root,
                  "{\"name\":\"p\",\"resources\":{\"p:index:R\":{\"inputProperties\":"
                  "{\"a\":{\"$ref\":\"#/resources/p:index:X\"}},\"requiredInputs\":[\"b\"]}}}");
    assert_int_equal(answer->n_diagnostics, 2);
    for (size_t i = 0; i < answer->n_diagnostics; i++)
        assert_int_equal(answer->diagnostics[i]->severity, PB__DIAGNOSTIC_SEVERITY__DIAG_ERROR);
    assert_string_equal(answer->diagnostics[0]->summary,
                        "#/resources/p:index:R/inputProperties/a/$ref: resource type p:index:X not "
                        "found in package p");
    assert_string_equal(answer->diagnostics[1]->summary,
                        "#/resources/p:index:R/requiredInputs/0: unknown required property \"b\"");
    assert_int_equal(entries_of(&arena, root), 0);
    assert_int_equal(generated(&arena, root, "{\"name\":")->n_diagnostics, 1);
    assert_int_equal(entries_of(&arena, root), 0);
    assert_ok(fs_remove_tree(root));
}

static void a_type_that_is_not_there_is_a_warning_beside_the_sdk(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str root = scratch_folder(&arena), content;

    (void)state;
    const Pb__GeneratePackageResponse *answer =
        generated(&arena, root,
                  "{\"name\":\"p\",\"types\":{\"p:index:T\":{\"type\":\"object\",\"properties\":"
                  "{\"a\":{\"$ref\":\"#/types/p:index:X\"}}}}}");
    assert_int_equal(answer->n_diagnostics, 1);
    assert_int_equal(answer->diagnostics[0]->severity, PB__DIAGNOSTIC_SEVERITY__DIAG_WARNING);
    assert_non_null(strstr(answer->diagnostics[0]->summary, "type p:index:X not found"));
    assert_ok(fs_read(&arena, fs_path_join(&arena, root, STR("sdk/name")), 0, &content));
    assert_str_equal(content, STR("p"));
    assert_ok(fs_remove_tree(root));
}

/* Nobody is named who has schemas: to ask would fail. */
static void nobody_is_asked_for_the_schema_of_the_core(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    Pb__LinkRequest__LinkDependency dependency = PB__LINK_REQUEST__LINK_DEPENDENCY__INIT;
    Pb__LinkRequest__LinkDependency *dependencies[] = { &dependency };
    Pb__PackageDependency package = PB__PACKAGE_DEPENDENCY__INIT;
    Pb__LinkRequest request = PB__LINK_REQUEST__INIT;
    struct host host = { .ops = &one_file_language };
    str response;
    void *answer;

    (void)state;
    package.name = message_cstr(&arena, STR("pulumi"));
    dependency.package = &package;
    dependency.path = message_cstr(&arena, STR("/x/core.tgz"));
    request.packages = dependencies;
    request.n_packages = 1;
    assert_ok(sdk_link(&host, &arena, MESSAGE_PACK(&arena, &request), &response));
    assert_ok(message_unpack(&arena, &pb__link_response__descriptor, response, &answer));
    assert_string_equal(((const Pb__LinkResponse *)answer)->import_instructions,
                        "pulumi at /x/core.tgz");
    package.name = message_cstr(&arena, STR("other"));
    assert_fails(sdk_link(&host, &arena, MESSAGE_PACK(&arena, &request), &response),
                 ERROR_NOT_FOUND, "getting the schema of package 'other'");
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
        cmocka_unit_test(a_schema_with_errors_makes_no_sdk_and_all_of_them_are_told),
        cmocka_unit_test(a_type_that_is_not_there_is_a_warning_beside_the_sdk),
        cmocka_unit_test(nobody_is_asked_for_the_schema_of_the_core),
        cmocka_unit_test(names_change_their_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
