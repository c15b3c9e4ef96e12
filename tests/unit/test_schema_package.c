/* test_schema_package.c — what an SDK is made from: all of a package, and what it says of each
 * part. */
#include "unit/check.h"

#include "model/value_ops.h"
#include "schema/schema_package.h"

static const char text[] =
    "{\"name\":\"pkg\",\"displayName\":\"The Package\",\"version\":\"1.2.3\",\"keywords\":[\"a\","
    "\"b\"],\"homepage\":\"h\",\"license\":\"l\",\"attribution\":\"at\",\"publisher\":\"p\","
    "\"logoUrl\":\"u\",\"language\":{\"nodejs\":{\"packageName\":\"@x/pkg\",\"flag\":true,"
    "\"moduleToPackage\":{\"m\":\"n\",\"r\":\"\"}}},"
    "\"config\":{\"variables\":{\"region\":{\"type\":\"string\",\"default\":\"eu\",\"defaultInfo\":"
    "{\"environment\":[\"R1\",\"R2\"]}},\"key\":{\"type\":\"string\",\"secret\":true}},"
    "\"defaults\":[\"key\"]},"
    "\"extensionParameterization\":{\"baseProvider\":{\"name\":\"base\",\"version\":\"0.1.0\","
    "\"parameterization\":{\"basePlugin\":{\"name\":\"plug\",\"version\":\"0.2.0\"},\"parameter\":"
    "\"eA==\"}},\"parameter\":\"eQ==\"},"
    "\"dependencies\":[{\"name\":\"bridge\",\"version\":\"1.0.0\",\"parameterization\":{\"name\":"
    "\"other\",\"version\":\"2.0.0\",\"value\":\"eA==\"}}],"
    "\"types\":{\"pkg:index:E\":{\"type\":\"string\",\"description\":\"An E.\",\"enum\":[{\"name\":"
    "\"A\",\"value\":\"a\",\"description\":\"First.\",\"deprecationMessage\":\"old\"}]},"
    "\"pkg:index:O\":{\"type\":\"object\",\"isOverlay\":true,\"overlaySupportedLanguages\":["
    "\"go\"],\"properties\":{\"p\":{\"type\":\"string\"}}}},"
    "\"resources\":{\"pkg:index:Z\":{},\"pkg:index:R\":{\"deprecationMessage\":\"gone\","
    "\"language\":{\"go\":{\"name\":\"GoR\"}},"
    "\"stateInputs\":{\"properties\":{\"s\":{\"type\":\"string\"}},\"required\":[\"s\"]},"
    "\"listInputs\":{\"properties\":{\"l\":{\"type\":\"string\"}},\"required\":[\"l\"]},"
    "\"methods\":{\"z\":\"pkg:index:R/z\",\"a\":\"pkg:index:R/a\"},"
    "\"inputProperties\":{"
    "\"o\":{\"$ref\":\"#/types/pkg:index:O\",\"plain\":true,\"willReplaceOnChanges\":true},"
    "\"far\":{\"$ref\":\"/other/v2.0.0/schema.json#/types/other:index:T\"},"
    "\"farResource\":{\"$ref\":\"/other/v2.0.0/schema.json#/resources/other:index:R\"},"
    "\"provider\":{\"$ref\":\"#/provider\"},"
    "\"any\":{\"$ref\":\"pulumi.json#/Any\"},"
    "\"byHand\":{\"type\":\"string\",\"$ref\":\"#/types/pkg:index:Missing\"}}}},"
    "\"functions\":{\"pkg:index:R/a\":{\"inputs\":{\"properties\":{\"__self__\":{\"$ref\":"
    "\"#/resources/pkg:index:R\"}}},\"outputs\":{\"type\":\"string\",\"plain\":true}},"
    "\"pkg:index:R/z\":{},\"pkg:index:f\":{\"multiArgumentInputs\":[\"y\",\"x\"],\"inputs\":{"
    "\"properties\":{\"x\":{\"type\":\"string\"},\"y\":{\"type\":\"string\"}}},\"plain\":false,"
    "\"outputs\":{\"$ref\":\"#/types/pkg:index:O\"},\"deprecationMessage\":\"no\"}}}";

static const char other_text[] = "{\"name\":\"other\",\"version\":\"2.0.0\",\"types\":{"
                                 "\"other:index:T\":{\"type\":\"object\",\"properties\":{\"q\":{"
                                 "\"type\":\"number\"}}}}}";

static fallible load_other_text(void *count, const struct schema_dependency *wanted,
                                struct arena *arena, str *json)
{
    (void)arena;
    ++*(size_t *)count;
    assert_str_equal(wanted->name, STR("bridge"));
    assert_str_equal(wanted->parameter_name, STR("other"));
    assert_str_equal(wanted->parameter_value, STR("eA=="));
    *json = str_from(other_text);
    return NULL;
}

static struct schema *read_package(struct arena *arena, const char *json)
{
    struct schema *schema;

    assert_ok(schema_read(arena, str_from(json), &schema));
    return schema;
}

static void a_package_lists_what_it_has_by_token(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema = read_package(&arena, text);
    struct strs resources = schema_resource_tokens(schema);
    struct strs functions = schema_function_tokens(schema);
    struct strs types = schema_type_tokens(schema);

    (void)state;
    assert_int_equal(resources.len, 2);
    assert_str_equal(resources.items[0], STR("pkg:index:R"));
    assert_int_equal(functions.len, 3);
    assert_str_equal(functions.items[0], STR("pkg:index:R/a"));
    assert_int_equal(types.len, 2);
    assert_str_equal(types.items[1], STR("pkg:index:O"));
    assert_str_equal(schema_provider(schema)->token, STR("pulumi:providers:pkg"));
    assert_true(schema_provider(schema)->is_provider);
    assert_true(schema_function_is_method(schema, STR("pkg:index:R/z")));
    assert_false(schema_function_is_method(schema, STR("pkg:index:f")));
    schema_release(schema);
}

static void a_package_says_who_made_it_and_of_what(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema = read_package(&arena, text);
    struct value told = schema_language(schema, schema->language, STR("nodejs"));

    (void)state;
    assert_str_equal(schema->display_name, STR("The Package"));
    assert_int_equal(schema->keywords.len, 2);
    assert_str_equal(schema->homepage, STR("h"));
    assert_str_equal(schema->attribution, STR("at"));
    assert_str_equal(schema->publisher, STR("p"));
    assert_str_equal(schema->logo_url, STR("u"));
    assert_str_equal(schema->extension.name, STR("base"));
    assert_str_equal(schema->extension.value, STR("eQ=="));
    assert_str_equal(schema->extension.plugin_name, STR("plug"));
    assert_str_equal(schema->extension.plugin_value, STR("eA=="));
    assert_str_equal(value_find_text(told, STR("packageName")), STR("@x/pkg"));
    assert_true(schema_language_bool(told, STR("flag"), false));
    assert_true(schema_language_bool(told, STR("none"), true));
    assert_int_equal(schema_language_object(told, STR("moduleToPackage")).len, 2);
    assert_int_equal(schema_language(schema, schema->language, STR("cobol")).len, 0);
    schema_release(schema);
}

static void modules_are_renamed_or_moved_to_the_root(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const str language = STR("nodejs"), key = STR("moduleToPackage");
    struct schema *schema = read_package(&arena, text);
    str name = STR("as it was");

    (void)state;
    assert_false(schema_language_rename(schema, language, key, STR("other"), &name));
    assert_false(schema_language_rename(schema, STR("cobol"), key, STR("m"), &name));
    assert_str_equal(name, STR("as it was"));
    assert_true(schema_language_rename(schema, language, key, STR("m"), &name));
    assert_str_equal(name, STR("n"));
    assert_true(schema_language_rename(schema, language, key, STR("r"), &name));
    assert_str_equal(name, STR(""));
    schema_release(schema);
}

static void configuration_has_defaults_and_where_they_come_from(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema = read_package(&arena, text);
    struct schema_properties config = schema_config(schema);

    (void)state;
    assert_int_equal(config.len, 2);
    assert_true(config.items[0].is_required);
    assert_true(config.items[0].is_secret);
    assert_false(config.items[1].is_required);
    assert_true(config.items[1].has_default);
    assert_str_equal(value_text(config.items[1].preset), STR("eu"));
    assert_int_equal(config.items[1].environment.len, 2);
    assert_str_equal(config.items[1].environment.items[1], STR("R2"));
    schema_release(schema);
}

static void a_resource_has_methods_state_and_what_languages_are_told(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema = read_package(&arena, text);
    const struct schema_resource *resource = schema_resource(schema, STR("pkg:index:R"));
    struct value told = schema_language(schema, resource->languages, STR("go"));

    (void)state;
    assert_str_equal(resource->deprecation, STR("gone"));
    assert_true(resource->has_state);
    assert_true(resource->is_listed);
    assert_int_equal(resource->list.len, 1);
    assert_true(resource->list.items[0].is_required);
    assert_true(resource->state.items[0].is_required);
    assert_int_equal(resource->methods.len, 2);
    assert_str_equal(resource->methods.items[0].key, STR("a"));
    assert_str_equal(resource->methods.items[1].value, STR("pkg:index:R/z"));
    assert_str_equal(value_find_text(told, STR("name")), STR("GoR"));
    assert_false(schema_resource(schema, STR("pkg:index:Z"))->has_state);
    assert_false(schema_resource(schema, STR("pkg:index:Z"))->is_listed);
    schema_release(schema);
}

static void a_function_says_what_it_gives_and_in_which_forms(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema = read_package(&arena, text);
    const struct schema_function *method = schema_function(schema, STR("pkg:index:R/a"));
    const struct schema_function *nothing = schema_function(schema, STR("pkg:index:R/z"));
    const struct schema_function *function = schema_function(schema, STR("pkg:index:f"));

    (void)state;
    assert_true(method->gives_plain);
    assert_int_equal(method->result->kind, TYPE_STRING);
    assert_int_equal(method->inputs.items[0].type->kind, TYPE_RESOURCE);
    assert_false(nothing->has_inputs);
    assert_false(nothing->has_outputs);
    assert_true(nothing->has_plain);
    assert_false(function->has_plain);
    assert_true(function->has_outputs);
    assert_str_equal(function->object->token, STR("pkg:index:O"));
    assert_int_equal(function->outputs.len, 1);
    assert_str_equal(function->arguments.items[0], STR("y"));
    assert_str_equal(function->deprecation, STR("no"));
    schema_release(schema);
}

static void types_know_their_texts_and_plain_uses_their_definition(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema = read_package(&arena, text);
    const struct schema_resource *resource = schema_resource(schema, STR("pkg:index:R"));
    const struct schema_property *plain = schema_property(resource->inputs, STR("o"));
    struct schema_type *choice = schema_named_type(schema, STR("pkg:index:E"));
    struct schema_type *object = schema_named_type(schema, STR("pkg:index:O"));

    (void)state;
    assert_str_equal(choice->description, STR("An E."));
    assert_str_equal(choice->value_descriptions[0], STR("First."));
    assert_str_equal(choice->value_deprecations[0], STR("old"));
    assert_true(object->is_overlay);
    assert_str_equal(object->overlay_languages.items[0], STR("go"));
    assert_false(object->is_plain);
    assert_true(plain->will_replace);
    assert_true(plain->type->is_plain);
    assert_ptr_equal(schema_type_definition(plain->type), object);
    assert_ptr_equal(schema_type_properties(plain->type), schema_type_properties(object));
    assert_null(schema_named_type(schema, STR("pkg:index:None")));
    schema_release(schema);
}

static void references_reach_other_packages_providers_and_what_is_written_by_hand(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *schema = read_package(&arena, text);
    size_t count = 0;
    const struct schema_others others = { &count, load_other_text };

    (void)state;
    schema->others = &others;
    const struct schema_resource *resource = schema_resource(schema, STR("pkg:index:R"));
    struct schema_type *far = schema_property(resource->inputs, STR("far"))->type;
    struct schema_type *by_hand = schema_property(resource->inputs, STR("byHand"))->type;
    assert_int_equal(far->kind, TYPE_OBJECT);
    assert_str_equal(far->schema->name, STR("other"));
    assert_str_equal(schema_type_properties(far)->items[0].name, STR("q"));
    assert_str_equal(schema_property(resource->inputs, STR("farResource"))->type->schema->name,
                     STR("other"));
    assert_int_equal(count, 1);
    assert_str_equal(schema_property(resource->inputs, STR("provider"))->type->token,
                     STR("pulumi:providers:pkg"));
    assert_int_equal(by_hand->kind, TYPE_STRING); /* what is named beside the reference */
    assert_int_equal(schema->trouble.len, 0);
    schema_release(schema);
}

static void what_is_not_understood_is_remembered(void **state)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct schema *lost = read_package(&arena, text);
    struct schema *broken =
        read_package(&arena, "{\"name\":\"p\",\"resources\":{\"p:index:R\":{\"properties\":7}}}");

    (void)state;
    assert_non_null(schema_resource(lost, STR("pkg:index:R")));
    assert_true(str_find(lost->trouble, STR("nobody was named who has the schema of package "
                                            "'other'"))
                != SIZE_MAX);
    assert_null(schema_resource(broken, STR("p:index:R")));
    assert_true(str_starts_with(broken->trouble, STR("p:index:R: ")));
    schema_release(lost);
    schema_release(broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_package_lists_what_it_has_by_token),
        cmocka_unit_test(a_package_says_who_made_it_and_of_what),
        cmocka_unit_test(modules_are_renamed_or_moved_to_the_root),
        cmocka_unit_test(configuration_has_defaults_and_where_they_come_from),
        cmocka_unit_test(a_resource_has_methods_state_and_what_languages_are_told),
        cmocka_unit_test(a_function_says_what_it_gives_and_in_which_forms),
        cmocka_unit_test(types_know_their_texts_and_plain_uses_their_definition),
        cmocka_unit_test(references_reach_other_packages_providers_and_what_is_written_by_hand),
        cmocka_unit_test(what_is_not_understood_is_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
