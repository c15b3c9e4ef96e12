/* test_schema.c — what is read of the schema of a package. */
#include "unit/check.h"

#include "base/strbuf.h"
#include "schema/schema.h"

static const char text[] =
    "{\"name\":\"pkg\",\"version\":\"1.2.3\",\"language\":{\"x\":[1]},"
    "\"resources\":{\"pkg:index:R\":{\"isComponent\":true,\"aliases\":[{\"type\":\"pkg:index:Old\"}"
    ",{\"name\":\"x\"}],"
    "\"inputProperties\":{\"b\":{\"type\":\"string\"},\"a\":{\"type\":\"integer\"}},"
    "\"requiredInputs\":[\"b\",\"none\"]"
    ","
    "\"properties\":{"
    "\"z\":{\"type\":\"string\",\"replaceOnChanges\":true,\"secret\":true},"
    "\"list\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"replaceOnChanges\":true},"
    "\"deep\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/types/pkg:index:Deep\"}},"
    "\"map\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/types/"
    "pkg:index%2fother:Leaf\"}}}}},"
    "\"types\":{\"pkg:index:Deep\":{\"properties\":{\"again\":{\"$ref\":\"#/types/"
    "pkg:index:Deep\"},"
    "\"key\":{\"type\":\"string\",\"replaceOnChanges\":true}}},"
    "\"pkg:index/"
    "other:Leaf\":{\"properties\":{\"key\":{\"type\":\"object\",\"replaceOnChanges\":true}}},"
    "\"pkg:index:E\":{\"type\":\"string\",\"enum\":[{\"name\":\"A\",\"value\":\"a\"},{\"value\":"
    "\"b\"}]}},"
    "\"functions\":{\"pkg:index:f\":{\"inputs\":{\"properties\":{\"e\":{\"$ref\":\"#/types/"
    "pkg:index:E\"}},"
    "\"required\":[\"e\"]},\"outputs\":{\"properties\":{\"o\":{\"oneOf\":[{\"type\":\"string\"},{"
    "\"type\":\"number\"}]}"
    "}}},"
    "\"pkg:index:g\":{\"returnType\":{\"type\":\"boolean\"}}}}";

static struct schema *read_text(struct arena *arena)
{
    struct schema *schema;

    assert_ok(schema_read(arena, str_from(text), &schema));
    return schema;
}

static void a_resource_has_its_properties_in_the_order_of_their_names(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema = read_text(&arena);
    const struct schema_resource *resource = schema_resource(schema, STR("pkg:index:R"));

    (void)state;
    assert_str_equal(schema->version, STR("1.2.3"));
    assert_true(resource->is_component);
    assert_int_equal(resource->inputs.len, 2);
    assert_str_equal(resource->inputs.items[0].name, STR("a"));
    assert_false(resource->inputs.items[0].is_required);
    assert_true(resource->inputs.items[1].is_required);
    assert_true(schema_property(resource->outputs, STR("z"))->is_secret);
    assert_int_equal(resource->alias_count, 1);
    assert_str_equal(resource->alias_types[0], STR("pkg:index:Old"));
    assert_null(schema_resource(schema, STR("pkg:index:S")));
    schema_release(schema);
}

static void what_replaces_is_found_at_any_depth(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf all = { 0 };
    struct schema *schema = read_text(&arena);
    struct strs paths = schema_replace_paths(&arena, schema_resource(schema, STR("pkg:index:R")));

    (void)state;
    for (size_t i = 0; i < paths.len; i++)
        strbuf_printf(&all, STR_FMT " ", STR_ARG(paths.items[i]));
    assert_str_equal(strbuf_str(&all), STR("deep[*].again.key deep[*].key list[*] map.*.key.* z "));
    schema_release(schema);
}

static void a_function_has_arguments_and_a_result(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema = read_text(&arena);
    const struct schema_function *f = schema_function(schema, STR("pkg:index:f"));
    const struct schema_function *g = schema_function(schema, STR("pkg:index:g"));

    (void)state;
    assert_int_equal(f->inputs.items[0].type->kind, TYPE_ENUM);
    assert_int_equal(f->inputs.items[0].type->len, 2);
    assert_true(f->inputs.items[0].is_required);
    assert_null(f->result);
    assert_int_equal(schema_property(f->outputs, STR("o"))->type->kind, TYPE_UNION);
    assert_int_equal(g->result->kind, TYPE_BOOL);
    schema_release(schema);
}

static void a_token_is_found_as_programs_write_it(void **state)
{
    static const char json[] = "{\"name\":\"p\",\"resources\":{\"p:index:Plain\":{},\"p:index/"
                               "top:Top\":{},\"p:s3/bucket:Bucket\":{}},"
                               "\"functions\":{\"p:s3/getBucket:getBucket\":{},\"p:index:f\":{}}}";
    static const struct {
        const char *written;
        const char *found; /* NULL: nothing */
    } cases[] = {
        { "p:Plain", "p:index:Plain" },
        { "p:index:Plain", "p:index:Plain" },
        { "p:plain", "p:index:Plain" },
        { "p:Top", "p:index/top:Top" },
        { "p:index:Top", "p:index/top:Top" },
        { "p:s3:Bucket", "p:s3/bucket:Bucket" },
        { "p:S3:bucket", "p:s3/bucket:Bucket" },
        { "p:s3/bucket:Bucket", "p:s3/bucket:Bucket" },
        { "pulumi:providers:p", "pulumi:providers:p" },
        { "p:s4:Bucket", NULL },
        { "p:Bucket", NULL },
        { "p", NULL },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema;

    (void)state;
    assert_ok(schema_read(&arena, str_from(json), &schema));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        str found = schema_resolve_resource(schema, str_from(cases[i].written));
        assert_int_equal(found.ptr != NULL, cases[i].found != NULL);
        if (cases[i].found)
            assert_str_equal(found, str_from(cases[i].found));
    }
    assert_str_equal(schema_resolve_function(schema, STR("p:s3:getBucket")),
                     STR("p:s3/getBucket:getBucket"));
    assert_str_equal(schema_resolve_function(schema, STR("p:f")), STR("p:index:f"));
    schema_release(schema);
}

static void a_result_without_properties_is_one_value(void **state)
{
    static const char json[] =
        "{\"name\":\"p\",\"types\":{\"p:index:T\":{\"type\":\"object\",\"properties\":{\"a\":{"
        "\"type\":"
        "\"string\"}}}},"
        "\"functions\":{"
        "\"p:index:map\":{\"outputs\":{\"type\":\"object\",\"additionalProperties\":{\"type\":"
        "\"number\"}}},"
        "\"p:index:any\":{\"outputs\":{\"$ref\":\"pulumi.json#/Any\"}},"
        "\"p:index:named\":{\"outputs\":{\"$ref\":\"#/types/p:index:T\"}},"
        "\"p:index:object\":{\"outputs\":{\"properties\":{\"b\":{\"type\":\"string\"}}}},"
        "\"p:index:bare\":{\"outputs\":{\"properties\":{}}},"
        "\"p:index:nothing\":{\"outputs\":{}}}}";
    static const struct {
        const char *token;
        int result; /* -1: an object … */
        size_t len; /* … with so many properties */
    } cases[] = {
        { "p:index:map", TYPE_MAP, 0 }, { "p:index:any", TYPE_ANY, 0 },
        { "p:index:named", -1, 1 },     { "p:index:object", -1, 1 },
        { "p:index:bare", -1, 0 },      { "p:index:nothing", -1, 0 },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema;

    (void)state;
    assert_ok(schema_read(&arena, str_from(json), &schema));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct schema_function *found = schema_function(schema, str_from(cases[i].token));
        assert_int_equal(found->result ? (int)found->result->kind : -1, cases[i].result);
        assert_int_equal(found->outputs.len, cases[i].len);
    }
    schema_release(schema);
}

static void the_outputs_of_a_provider_are_text(void **state)
{
    static const char json[] =
        "{\"name\":\"p\",\"types\":{"
        "\"p:index:E\":{\"type\":\"string\",\"enum\":[{\"value\":\"x\"}]},"
        "\"p:index:N\":{\"type\":\"number\",\"enum\":[{\"value\":1}]}},"
        "\"provider\":{\"inputProperties\":{\"n\":{\"type\":\"number\",\"secret\":true}},"
        "\"properties\":{\"a\":{\"type\":\"string\",\"secret\":true},"
        "\"b\":{\"$ref\":\"#/types/p:index:E\"},\"c\":{\"$ref\":\"#/types/p:index:N\"},"
        "\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"secret\":true},"
        "\"n\":{\"type\":\"number\",\"secret\":true}}}}";
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema;

    (void)state;
    assert_ok(schema_read(&arena, str_from(json), &schema));
    const struct schema_resource *provider = schema_resource(schema, STR("pulumi:providers:p"));
    assert_int_equal(provider->outputs.len, 2);
    assert_str_equal(provider->outputs.items[0].name, STR("a"));
    assert_str_equal(provider->outputs.items[1].name, STR("b"));
    assert_true(schema_property(provider->inputs, STR("n"))->is_secret);
    schema_release(schema);
}

static void text_that_is_no_schema_is_refused(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema;

    (void)state;
    assert_fails(schema_read(&arena, STR("[]"), &schema), ERROR_INVALID, "");
    assert_fails(schema_read(&arena, STR("{\"resources\":{\"a\":{}"), &schema), ERROR_INVALID, "");
    assert_fails(schema_read(&arena, STR("{\"name\":5}"), &schema), ERROR_INVALID, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resource_has_its_properties_in_the_order_of_their_names),
        cmocka_unit_test(what_replaces_is_found_at_any_depth),
        cmocka_unit_test(a_function_has_arguments_and_a_result),
        cmocka_unit_test(a_token_is_found_as_programs_write_it),
        cmocka_unit_test(a_result_without_properties_is_one_value),
        cmocka_unit_test(the_outputs_of_a_provider_are_text),
        cmocka_unit_test(text_that_is_no_schema_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
