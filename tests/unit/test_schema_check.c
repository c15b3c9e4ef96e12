/* test_schema_check.c — the verdicts of `schema check` on the schemas in tests/codegen: which are
 * refused, and that what is said about them is said of the same place in the same words. */
#include "unit/check.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "model/value_json.h"
#include "schema/schema_check.h"

#include <string.h>

#define VERDICTS "tests/codegen/schema-check.json"

/* Said in other words here, and why. */
static const char *const own_words[] = {
    "ext-ref-noloader", /* one of the complaints, not the end of the check */
};

static bool has_own_words(str name)
{
    for (size_t i = 0; i < sizeof(own_words) / sizeof(own_words[0]); i++)
        if (str_equal(name, str_from(own_words[i])))
            return true;
    return false;
}

static bool judge(struct arena *arena, str name, str schema, struct value verdict)
{
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    const struct schema_check_options options = { .dangling = DANGLING_IS_ERROR };
    str text = value_find_text(verdict, STR("out"));
    bool is_refused = value_find(verdict, STR("rc"))->number != 0, is_right;

    assert_ok(schema_check_json(arena, schema, &options, &complaints));
    is_right = is_refused == (complaints.error_count > 0);
    if (!is_right)
        print_error(STR_FMT ": %zu errors\n", STR_ARG(name), complaints.error_count);
    for (size_t i = 0; i < complaints.len && !has_own_words(name); i++) {
        const struct schema_complaint *complaint = &complaints.items[i];
        str line = arena_concat(arena, complaint->place, complaint->place.len ? STR(": ") : STR(""),
                                complaint->text);
        if (str_find(text, line) != SIZE_MAX)
            continue;
        print_error(STR_FMT ": says '" STR_FMT "'\n", STR_ARG(name), STR_ARG(line));
        is_right = false;
    }
    return is_right;
}

static void every_verdict_is_the_same(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct value root;
    size_t wrong = 0, count = 0;
    str text;

    (void)state;
    assert_ok(fs_read(&arena, STR(VERDICTS), 1 << 20, &text));
    json_reader_init(&reader, &arena, text);
    assert_ok(value_read_plain(&reader, &root));
    struct value cases = *value_find(root, STR("cases"));
    struct value results = *value_find(root, STR("results"));
    for (uint32_t i = 0; i < cases.len; i++) {
        CLEANUP(strbuf_release) struct strbuf json = { 0 };
        struct json_writer writer = { .out = &json };
        value_write(&writer, cases.members[i].value, SECRET_BARE);
        const struct value *verdict = value_find(results, cases.members[i].key);
        wrong += !judge(&arena, cases.members[i].key, strbuf_str(&json), *verdict);
        count++;
    }
    assert_int_equal(count, 49);
    assert_int_equal(wrong, 0);
}

#define WITH_REFERENCE(ref)                                                                   \
    STR("{\"name\":\"p\",\"resources\":{\"p:index:R\":{\"inputProperties\":{\"a\":{\"$ref\":" \
        "\"" ref "\"}}}}}")
#define PLACE_OF_REFERENCE "#/resources/p:index:R/inputProperties/a/$ref"

static struct schema_complaints check_dangling(struct arena *arena, str schema,
                                               enum schema_dangling dangling)
{
    const struct schema_check_options options = { .dangling = dangling };
    struct schema_complaints complaints = { 0 };

    assert_ok(schema_check_json(arena, schema, &options, &complaints));
    return complaints;
}

static void what_resources_are_listed_by_is_checked(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    CLEANUP(schema_complaints_release)
    struct schema_complaints told = check_dangling(
        &arena,
        STR("{\"name\":\"p\",\"resources\":{\"p:index:R\":{\"listInputs\":{\"properties\":{\"a\":{"
            "\"$ref\":\"#/types/p:index:X\"}},\"required\":[\"b\"]}}}}"),
        DANGLING_IS_ERROR);
    assert_int_equal(told.error_count, 2);
    assert_str_equal(told.items[0].place,
                     STR("#/resources/p:index:R/listInputs/properties/a/$ref"));
    assert_str_equal(told.items[1].place, STR("#/resources/p:index:R/listInputs/required/0"));
}

static void types_may_be_allowed_to_dangle(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str schema = WITH_REFERENCE("#/types/p:index:X");

    (void)state;
    CLEANUP(schema_complaints_release)
    struct schema_complaints none = check_dangling(&arena, schema, DANGLING_IS_FINE);
    assert_int_equal(none.len, 0);
    CLEANUP(schema_complaints_release)
    struct schema_complaints told = check_dangling(&arena, schema, DANGLING_IS_WARNING);
    assert_int_equal(told.len, 1);
    assert_int_equal(told.error_count, 0);
    assert_str_equal(told.items[0].place, STR(PLACE_OF_REFERENCE));
    assert_str_equal(told.items[0].text,
                     STR("type p:index:X not found in package p: it may be any value"));
    CLEANUP(schema_complaints_release)
    struct schema_complaints stand_in = check_dangling(
        &arena, WITH_REFERENCE("#/types/p:index:X\",\"type\":\"string"), DANGLING_IS_WARNING);
    assert_int_equal(stand_in.len, 0);
}

static void resources_other_than_the_provider_never_dangle(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    CLEANUP(schema_complaints_release)
    struct schema_complaints complaints =
        check_dangling(&arena, WITH_REFERENCE("#/resources/p:index:X"), DANGLING_IS_FINE);
    assert_int_equal(complaints.error_count, 1);
    assert_str_equal(complaints.items[0].text,
                     STR("resource type p:index:X not found in package p"));
    CLEANUP(schema_complaints_release)
    struct schema_complaints provider =
        check_dangling(&arena, WITH_REFERENCE("#/resources/pulumi:providers:p"), DANGLING_IS_ERROR);
    assert_int_equal(provider.len, 0);
    CLEANUP(schema_complaints_release)
    struct schema_complaints foreign =
        check_dangling(&arena, WITH_REFERENCE("#/resources/pulumi:providers:q"), DANGLING_IS_ERROR);
    assert_int_equal(foreign.error_count, 1);
}

/* Answers for a package that was made from parameters, and for no other. */
static struct error *load_parameterized(void *context, const struct schema_dependency *wanted,
                                        struct arena *arena, str *json)
{
    (void)context;
    (void)arena;
    if (!str_equal(wanted->name, STR("base")) || !str_equal(wanted->version, STR("2.0.0"))
        || !str_equal(wanted->parameter_name, STR("q"))
        || !str_equal(wanted->parameter_value, STR("aGk=")))
        return error_new(ERROR_NOT_FOUND, "asked for " STR_FMT, STR_ARG(wanted->name));
    *json = STR("{\"name\":\"q\",\"version\":\"1.0.0\",\"types\":{\"q:index:T\":{}}}");
    return NULL;
}

static void other_packages_are_asked_for_as_the_schema_says(void **state)
{
    static const struct schema_others others = { .load = load_parameterized };
    const struct schema_check_options options = { .dangling = DANGLING_IS_FINE, .others = &others };
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };

    (void)state;
    assert_ok(schema_check_json(
        &arena,
        STR("{\"name\":\"p\",\"dependencies\":[{\"name\":\"base\",\"version\":\"2.0.0\","
            "\"parameterization\":{\"name\":\"q\",\"version\":\"1.0.0\",\"value\":\"aGk=\"}}],"
            "\"resources\":{\"p:index:R\":{\"inputProperties\":{"
            "\"a\":{\"$ref\":\"/q/v1.0.0/schema.json#/types/q:index:T\"},"
            "\"b\":{\"$ref\":\"/q/v1.0.0/schema.json#/types/q:index:U\"}}}}}"),
        &options, &complaints));
    assert_int_equal(complaints.len, 1);
    assert_int_equal(complaints.error_count, 1);
    assert_str_equal(complaints.items[0].text, STR("type q:index:U not found in package q"));
}

/* The only complaint about a schema that refuses what dangles. */
static void expect_complaint(const char *schema, const char *place, const char *text)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(schema_complaints_release)
    struct schema_complaints complaints =
        check_dangling(&arena, str_from(schema), DANGLING_IS_ERROR);

    assert_int_equal(complaints.error_count, 1);
    assert_str_equal(complaints.items[0].place, str_from(place));
    assert_str_equal(complaints.items[0].text, str_from(text));
}

#define WITH_METHOD(methods, more, function)                                                  \
    "{\"name\":\"p\",\"resources\":{\"p:index:R\":{\"methods\":{" methods "}" more            \
    "}},\"functions\":{\"" function "\":{\"inputs\":{\"properties\":{\"__self__\":{\"$ref\":" \
    "\"#/resources/p:index:R\"}}}}}}"

static void a_method_belongs_to_one_resource_and_has_a_name_of_its_own(void **state)
{
    (void)state;
    expect_complaint(WITH_METHOD("\"a\":\"p:index:R/m\",\"b\":\"p:index:R/m\"", "", "p:index:R/m"),
                     "#/resources/p:index:R/methods/b", "function p:index:R/m is already a method");
    expect_complaint(WITH_METHOD("\"a\":\"p:index:S/m\"", "", "p:index:S/m"),
                     "#/resources/p:index:R/methods/a",
                     "invalid function token format p:index:S/m: expected p:index:R/a");
    expect_complaint(WITH_METHOD("\"a\":\"p:index:R/a\"",
                                 ",\"properties\":{\"a\":{\"type\":\"string\"}}", "p:index:R/a"),
                     "#/resources/p:index:R/methods/a", "p:index:R already has a property named a");
}

static void integers_are_whole_and_the_provider_keeps_its_name(void **state)
{
    (void)state;
    expect_complaint("{\"name\":\"p\",\"types\":{\"p:index:E\":{\"type\":\"integer\",\"enum\":"
                     "[{\"value\":1},{\"value\":9.1}]}}}",
                     "#/types/p:index:E/enum/1/value",
                     "invalid constant of type float64 for integer enum");
    expect_complaint(
        "{\"name\":\"p\",\"resources\":{\"p:index:provider\":{}}}", "#/resources/p:index:provider",
        "invalid token 'p:index:provider' (provider is a reserved word for the root module)");
}

static void a_provider_may_have_methods(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };

    (void)state;
    CLEANUP(schema_complaints_release)
    struct schema_complaints method = check_dangling(
        &arena,
        STR("{\"name\":\"my-p\",\"functions\":{\"pulumi:providers:my-p/terraformConfig\":{}}}"),
        DANGLING_IS_ERROR);
    assert_int_equal(method.len, 0);
    CLEANUP(schema_complaints_release)
    struct schema_complaints resource =
        check_dangling(&arena, STR("{\"name\":\"p\",\"resources\":{\"pulumi:providers:p\":{}}}"),
                       DANGLING_IS_ERROR);
    assert_int_equal(resource.error_count, 1);
}

static void what_is_no_object_is_refused(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    const struct schema_check_options options = { 0 };

    (void)state;
    assert_fails(schema_check_json(&arena, STR("[1]"), &options, &complaints), ERROR_INVALID,
                 "object");
    assert_fails(schema_check_json(&arena, STR(""), &options, &complaints), ERROR_INVALID, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_is_the_same),
        cmocka_unit_test(what_resources_are_listed_by_is_checked),
        cmocka_unit_test(types_may_be_allowed_to_dangle),
        cmocka_unit_test(resources_other_than_the_provider_never_dangle),
        cmocka_unit_test(other_packages_are_asked_for_as_the_schema_says),
        cmocka_unit_test(a_method_belongs_to_one_resource_and_has_a_name_of_its_own),
        cmocka_unit_test(integers_are_whole_and_the_provider_keeps_its_name),
        cmocka_unit_test(a_provider_may_have_methods),
        cmocka_unit_test(what_is_no_object_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
