/* test_sdk_go.c — SDKs in Go: one that is recorded in tests/codegen/sdk in both forms, names,
 * comments, and go.mod of programs that use them.
 *
 * With a folder as argument it writes the recorded SDK there instead; a setting for generics may
 * follow. */
#include "unit/check.h"

#include "base/fs.h"
#include "common/sdk.h"
#include "go/golang.h"
#include "go/sdk/go_docs.h"
#include "go/sdk/go_sdk.h"

#include <stdlib.h>

static const char bakery_file[] = "tests/codegen/sdk/bakery.json";
static const char bakery_sdk[] = "tests/codegen/sdk/go";
static const char generic_sdk[] = "tests/codegen/sdk/go-generics";

static fallible go_sdk_into(struct arena *arena, str json, str folder)
{
    struct sdk_request request = { 0 };
    struct sdk_files files;

    TRY(schema_read(arena, json, &request.schema));
    TRY(sdk_files_open(arena, folder, &files));
    struct error *failure = go_generate_package(NULL, arena, &request, &files);
    schema_release(request.schema);
    if (!failure)
        return sdk_files_keep(&files);
    sdk_files_drop(&files);
    return failure;
}

static str go_sdk_folder(struct arena *arena)
{
    char *folder = arena_cstr(arena, STR("/tmp/test-go-sdk-XXXXXX"));

    assert_non_null(mkdtemp(folder));
    return str_from(folder);
}

/* --- what is recorded --- */

/* How many files there are, all of which the other folder has as well. */
static size_t count_same_files(struct arena *arena, str left, str right)
{
    size_t len, count = 0;
    str *names, ours, theirs;

    assert_ok(fs_list(arena, left, &names, &len));
    for (size_t i = 0; i < len; i++) {
        str path = fs_path_join(arena, left, names[i]);
        str other = fs_path_join(arena, right, names[i]);
        if (fs_is_directory(path)) {
            count += count_same_files(arena, path, other);
            continue;
        }
        assert_ok(fs_read(arena, path, FS_ANY_SIZE, &ours));
        assert_ok(fs_read(arena, other, FS_ANY_SIZE, &theirs));
        if (!str_equal(ours, theirs))
            fail_msg("'" STR_FMT "' and '" STR_FMT "' differ", STR_ARG(path), STR_ARG(other));
        count++;
    }
    return count;
}

static void an_sdk_is_as_it_is_recorded(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = go_sdk_folder(&arena), json, made = fs_path_join(&arena, folder, STR("sdk"));

    (void)state;
    assert_ok(fs_read(&arena, str_from(bakery_file), FS_ANY_SIZE, &json));
    assert_ok(go_sdk_into(&arena, json, made));
    size_t count = count_same_files(&arena, made, str_from(bakery_sdk));
    assert_int_equal(count_same_files(&arena, str_from(bakery_sdk), made), count);
    assert_ok(fs_remove_tree(folder));
}

/* The recorded schema with a setting for generics; NULL: as it is. */
static str schema_with_generics(struct arena *arena, const char *setting)
{
    str json, head, rest;

    assert_ok(fs_read(arena, str_from(bakery_file), FS_ANY_SIZE, &json));
    if (!setting)
        return json;
    assert_true(str_cut(json, STR("{"), &head, &rest));
    return arena_concat(arena, STR("{\"language\": {\"go\": {\"generics\": \""), str_from(setting),
                        STR("\"}},"), rest);
}

/* What is recorded of it is what differs from the usual form. */
static void the_form_with_generics_is_as_it_is_recorded(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = go_sdk_folder(&arena), made = fs_path_join(&arena, folder, STR("sdk"));
    str beside = fs_path_join(&arena, made, STR("bakery/x")), root;
    str recorded = str_from(generic_sdk), usual = fs_path_join(&arena, made, STR("bakery"));

    (void)state;
    assert_ok(go_sdk_into(&arena, schema_with_generics(&arena, "side-by-side"), made));
    size_t count = count_same_files(&arena, beside, recorded);
    assert_int_equal(count_same_files(&arena, recorded, beside), count);
    assert_ok(fs_read(&arena, fs_path_join(&arena, usual, STR("bread.go")), FS_ANY_SIZE, &root));
    assert_true(str_find(root, STR("func (i *Bread) ToOutput(ctx context.Context) "
                                   "pulumix.Output[*Bread] {"))
                != SIZE_MAX);
    assert_ok(fs_read(&arena, fs_path_join(&arena, usual, STR("init.go")), FS_ANY_SIZE, &root));
    assert_true(str_find(root, STR("\tif internal.IsFirst(\"index/bread\") {\n")) != SIZE_MAX);
    assert_ok(fs_remove_tree(folder));
}

static void generics_alone_are_at_the_root(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = go_sdk_folder(&arena), made = fs_path_join(&arena, folder, STR("sdk")), text;

    (void)state;
    assert_ok(go_sdk_into(&arena, schema_with_generics(&arena, "generics-only"), made));
    assert_false(fs_exists(fs_path_join(&arena, made, STR("bakery/x"))));
    assert_ok(
        fs_read(&arena, fs_path_join(&arena, made, STR("bakery/bread.go")), FS_ANY_SIZE, &text));
    assert_true(str_find(text, STR("pulumix.Input[*ToppingArgs]")) != SIZE_MAX);
    assert_true(str_find(text, STR("BreadInput")) == SIZE_MAX);
    assert_ok(fs_remove_tree(folder));
}

/* --- one file of a small schema --- */

static str go_sdk_file(struct arena *arena, const char *json, const char *path)
{
    str folder = go_sdk_folder(arena), text, made = fs_path_join(arena, folder, STR("sdk"));

    assert_ok(go_sdk_into(arena, str_from(json), made));
    assert_ok(fs_read(arena, fs_path_join(arena, made, str_from(path)), FS_ANY_SIZE, &text));
    assert_ok(fs_remove_tree(folder));
    return text;
}

#define assert_has(text, part) assert_true(str_find((text), STR(part)) != SIZE_MAX)

static void a_package_with_parameters_is_registered_before_it_is_used(void **state)
{
    static const char schema[] =
        "{\"name\": \"sub\", \"version\": \"3.0.0\", \"pluginDownloadURL\": \"https://x\","
        " \"parameterization\": {\"baseProvider\": {\"name\": \"base\", \"version\": \"1.1.1\"},"
        " \"parameter\": \"SGk=\"}, \"resources\": {\"sub:index:R\": {}}}";
    CLEANUP(arena_release) struct arena arena = { 0 };
    str utilities = go_sdk_file(&arena, schema, "sub/internal/pulumiUtilities.go");
    str resource = go_sdk_file(&arena, schema, "sub/r.go");
    str plugin = go_sdk_file(&arena, schema, "sub/pulumi-plugin.json");
    str module = go_sdk_file(&arena, schema, "go.mod");

    (void)state;
    assert_has(utilities, "DecodeString(\"SGk=\")");
    assert_has(utilities, "request.Version = \"1.1.1\"");
    assert_has(utilities, "pulumi.PluginDownloadURL(\"https://x\")");
    assert_has(resource,
               "ctx.RegisterPackageResource(\"sub:index:R\", name, args, &resource, ref,");
    assert_has(resource,
               "ctx.ReadPackageResource(\"sub:index:R\", name, id, state, &resource, ref,");
    assert_has(plugin,
               "\"name\": \"base\",\n  \"version\": \"1.1.1\",\n  \"server\": \"https://x\"");
    assert_has(plugin, "\"value\": \"SGk=\"");
    assert_has(module, "module example.com/pulumi-sub/sdk/go/v3\n");
}

static void who_finds_its_name_taken_gets_another(void **state)
{
    static const char schema[] =
        "{\"name\": \"p\", \"resources\": {\"p:index:Lamp\": {\"inputProperties\": {\"a\":"
        " {\"$ref\": \"#/types/p:index:Lamp\"}}}}, \"types\": {\"p:index:Lamp\": {\"type\":"
        " \"object\", \"properties\": {\"a\": {\"type\": \"string\"}}}}, \"functions\":"
        " {\"p:index:getLamp\": {\"outputs\": {\"properties\": {\"a\": {\"type\": \"string\"}}}}}}";
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_has(go_sdk_file(&arena, schema, "p/lamp.go"), "\tA LampTypePtrInput\n");
    assert_has(go_sdk_file(&arena, schema, "p/pulumiTypes.go"), "type LampTypeArgs struct {\n");
    assert_has(go_sdk_file(&arena, schema, "p/getLamp.go"), "func LookupLamp(ctx *pulumi.Context,");
}

static void expect_go_sdk_refused(const char *json, const char *complaint)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = go_sdk_folder(&arena), made = fs_path_join(&arena, folder, STR("sdk"));
    struct error *failure = go_sdk_into(&arena, str_from(json), made);

    assert_non_null(failure);
    if (str_find(error_message(failure), str_from(complaint)) == SIZE_MAX)
        fail_msg("'" STR_FMT "'", STR_ARG(error_message(failure)));
    error_free(failure);
    assert_false(fs_exists(made));
    assert_ok(fs_remove_tree(folder));
}

static void what_cannot_be_made_is_refused_by_name(void **state)
{
    (void)state;
    expect_go_sdk_refused("{\"name\": \"p\", \"meta\": {\"supportPack\": true}}",
                          "package 'p' has no version");
    expect_go_sdk_refused("{\"name\": \"p\", \"language\": {\"go\": {\"generics\":"
                          " \"some\"}}}",
                          "use none, side-by-side or generics-only");
    expect_go_sdk_refused("{\"name\": \"p\", \"language\": {\"go\": {\"generics\":"
                          " \"side-by-side\"}}, \"resources\": {\"p:x/y:R\": {}}}",
                          "has a module 'x/y' where the form with generics belongs");
    expect_go_sdk_refused("{\"name\": \"p\", \"resources\": {\"p:internal:R\": {}}}",
                          "has a module 'internal', where an SDK in Go has what");
    expect_go_sdk_refused("{\"name\": \"p\", \"resources\": {\"p:index:../R\": {}}}",
                          "of 'p:index:../R' no name can be made in Go");
    expect_go_sdk_refused("{\"name\": \"p\", \"resources\": {\"p:index:R\": {\"properties\":"
                          " {\"fooBar\": {\"type\": \"string\"}, \"FooBar\": {\"type\":"
                          " \"string\"}}}}}",
                          "which would both be 'FooBar' in Go");
    expect_go_sdk_refused("{\"name\": \"p\", \"resources\": {\"p:index:R\": {\"properties\":"
                          " {\"_\": {\"type\": \"string\"}}}}}",
                          "has a property '_', of which no name can be made in Go");
    expect_go_sdk_refused("{\"name\": \"p\", \"resources\": {\"p:index:R\": {\"methods\":"
                          " {\"a(){}\": \"p:index:R/a\"}}}, \"functions\": {\"p:index:R/a\":"
                          " {}}}",
                          "has a method 'a(){}', of which no name can be made in Go");
    expect_go_sdk_refused("{\"name\": \"p\", \"types\": {\"p:index:E\": {\"type\": \"string\","
                          " \"enum\": [{\"value\": \"a b\"}, {\"value\": \"a.b\"}]}}}",
                          "has two values that would be 'E_A_b'");
    expect_go_sdk_refused("{\"name\": \"p\", \"types\": {\"p:index:E\": {\"type\": \"string\","
                          " \"enum\": [{\"value\": \"+\"}]}}}",
                          "has a value '+' that no name can be made of");
}

/* --- names --- */

static void names_are_as_go_wants_them(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_str_equal(go_title(&arena, STR("some-name")), STR("SomeName"));
    assert_str_equal(go_title(&arena, STR("$ref")), STR("Ref"));
    assert_str_equal(go_title(&arena, STR("2fa")), STR("_2fa"));
    assert_str_equal(go_field_name(&arena, STR("elementType"), STR("")), STR("ElementType_"));
    assert_str_equal(go_field_name(&arena, STR("toLampOutput"), STR("Lamp")), STR("ToLampOutput_"));
    assert_str_equal(go_getter_name(&arena, STR("isSecret"), STR(""), false), STR("GetIsSecret"));
    assert_str_equal(go_getter_name(&arena, STR("isSecret"), STR(""), true), STR("IsSecretProp"));
    assert_str_equal(go_parameter_name(&arena, STR("ctx")), STR("ctxArg"));
    assert_str_equal(go_parameter_name(&arena, STR("type")), STR("_type"));
    assert_str_equal(go_member_name(&arena, STR("p:index:Lamp/switchOn")), STR("LampSwitchOn"));
    assert_str_equal(go_package_clause(&arena, STR("some-name")), STR("somename"));
    assert_str_equal(go_package_clause(&arena, STR("func")), STR("func_"));
}

static str constant_of(struct arena *arena, str value)
{
    struct value text = value_string(value);
    str none = STR(""), name = STR("");
    struct schema_type type = { .kind = TYPE_ENUM, .values = &text, .names = &none, .len = 1 };

    assert_ok(go_constant_name(arena, &type, 0, STR("E"), &name));
    return name;
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
    str text = go_sdk_file(&arena, json.ptr, "p/pulumiTypes.go");
    assert_has(text, "func (val *T00000Args) Defaults() *T00000Args {");
}

static void a_constant_makes_way_for_everything_else(void **state)
{
    static const char schema[] =
        "{\"name\": \"p\", \"types\": {\"p:index:E\": {\"type\": \"string\", \"enum\":"
        " [{\"value\": \"input\"}, {\"value\": \"array\"}, {\"value\": \"map\"}]}},"
        " \"resources\": {\"p:index:R\": {\"inputProperties\": {\"e\": {\"type\": \"array\","
        " \"items\": {\"$ref\": \"#/types/p:index:E\"}}}}}}";
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = go_sdk_file(&arena, schema, "p/pulumiEnums.go");

    (void)state;
    assert_has(text, "\tEInput_ = E(\"input\")\n");
    assert_has(text, "\tEArray_ = E(\"array\")\n");
    assert_has(text, "\tEMap    = E(\"map\")\n");
}

static void constants_are_named_by_their_values(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_str_equal(constant_of(&arena, STR("small")), STR("ESmall"));
    assert_str_equal(constant_of(&arena, STR("t2.micro")), STR("E_T2_micro"));
    assert_str_equal(constant_of(&arena, STR("us-east-1")), STR("E_Us_East_1"));
    assert_str_equal(constant_of(&arena, STR("10")), STR("E_10"));
    assert_str_equal(constant_of(&arena, STR("*")), STR("EAsterisk"));
}

/* --- comments --- */

static void expect_comment(const char *description, const char *comment)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    go_put_docs(&out, str_from(description), STR(""), "", NULL);
    assert_str_equal(strbuf_str(&out), str_from(comment));
}

static void comments_are_as_gofmt_leaves_them(void **state)
{
    (void)state;
    expect_comment("", "");
    expect_comment("One.\r\nTwo.  \n", "// One.\n// Two.\n");
    expect_comment("Text\n1. a\n   b\n2) c\n", "// Text\n//\n//  1. a\n//     b\n//  2. c\n");
    expect_comment("* a\n\n* b\n", "//   - a\n//\n//   - b\n");
    /* Code would swallow the list, so the list is text. */
    expect_comment("- a\n```go\nx {\n\ty\n}\n```\n", "// - a\n//\n//\tx {\n//\t\ty\n//\t}\n");
    expect_comment("Say ``x`` and ''y''.", "// Say `x` and \"y\".\n");
    expect_comment("[a]: https://b\nmore\n", "// a: https://b\n// more\n");
    /* A title between paragraphs. */
    expect_comment("A.\n\nNotes on use\n\nB.\n", "// A.\n//\n// # Notes on use\n//\n// B.\n");
    expect_comment("```sh\n- a\n```\n", "//\t```sh\n//\t- a\n//\t```\n");
}

/* --- go.mod of a program --- */

static str linked_go_mod(struct arena *arena, const char *text, const char *path)
{
    static const char schema[] = "{\"name\": \"p\", \"version\": \"2.0.0\", \"meta\":"
                                 " {\"supportPack\": true}}";
    str folder = go_sdk_folder(arena), result, instructions;
    struct program program = { .root = folder, .directory = folder };
    Pb__PackageDependency package = PB__PACKAGE_DEPENDENCY__INIT;
    struct sdk_link link = { .package = &package, .path = str_from(path) };

    package.name = arena_cstr(arena, STR("p"));
    assert_ok(schema_read(arena, str_from(schema), &link.schema));
    str file = fs_path_join(arena, folder, STR("go.mod"));
    assert_ok(fs_create(file, str_from(text), 0644));
    assert_ok(go_link(NULL, arena, &program, (struct sdk_links){ &link, 1 }, &instructions));
    assert_has(instructions, "    \"example.com/pulumi-p/sdk/go/v2/p\"\n");
    assert_ok(fs_read(arena, file, FS_ANY_SIZE, &result));
    schema_release(link.schema);
    assert_ok(fs_remove_tree(folder));
    return result;
}

static void a_link_is_a_replacement_in_go_mod(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    assert_str_equal(linked_go_mod(&arena, "module m\n", "sdks/p"),
                     STR("module m\n\nreplace example.com/pulumi-p/sdk/go/v2 => ./sdks/p\n"));
    assert_str_equal(
        linked_go_mod(&arena, "replace example.com/pulumi-p/sdk/go/v2 => ../old\n\ngo 1.25", "/n"),
        STR("replace example.com/pulumi-p/sdk/go/v2 => /n\n\ngo 1.25\n"));
    assert_str_equal(linked_go_mod(&arena,
                                   "replace (\n\ta => b\n\t\"example.com/pulumi-p/sdk/go/v2\" =>"
                                   " x\n)\n",
                                   "./y"),
                     STR("replace (\n\ta => b\n\texample.com/pulumi-p/sdk/go/v2 => ./y\n)\n"));
}

static void an_sdk_is_packed_under_the_name_of_its_module(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = go_sdk_folder(&arena), artifact, text;
    str sdk = fs_path_join(&arena, folder, STR("sdk"));

    (void)state;
    assert_ok(go_sdk_into(&arena,
                          STR("{\"name\": \"p\", \"version\": \"2.0.0\", \"meta\":"
                              " {\"supportPack\": true}}"),
                          sdk));
    assert_ok(go_pack(NULL, &arena, sdk, fs_path_join(&arena, folder, STR("out")), &artifact));
    assert_str_equal(fs_path_name(artifact), STR("example.com_pulumi-p_sdk_go_v2"));
    assert_ok(
        fs_read(&arena, fs_path_join(&arena, artifact, STR("p/init.go")), FS_ANY_SIZE, &text));
    assert_has(text, "RegisterResourcePackage");
    assert_ok(fs_remove_tree(folder));
}

static int record_go_sdk(const char *folder, const char *generics)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    assert_ok(go_sdk_into(&arena, schema_with_generics(&arena, generics), str_from(folder)));
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_sdk_is_as_it_is_recorded),
        cmocka_unit_test(the_form_with_generics_is_as_it_is_recorded),
        cmocka_unit_test(generics_alone_are_at_the_root),
        cmocka_unit_test(a_package_with_parameters_is_registered_before_it_is_used),
        cmocka_unit_test(who_finds_its_name_taken_gets_another),
        cmocka_unit_test(what_cannot_be_made_is_refused_by_name),
        cmocka_unit_test(names_are_as_go_wants_them),
        cmocka_unit_test(types_may_refer_to_types_without_end),
        cmocka_unit_test(a_constant_makes_way_for_everything_else),
        cmocka_unit_test(constants_are_named_by_their_values),
        cmocka_unit_test(comments_are_as_gofmt_leaves_them),
        cmocka_unit_test(a_link_is_a_replacement_in_go_mod),
        cmocka_unit_test(an_sdk_is_packed_under_the_name_of_its_module),
    };

    if (argc > 1)
        return record_go_sdk(argv[1], argc > 2 ? argv[2] : NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
