/* schema_package.c — all that a package has. */
#include "schema/schema_package.h"

#include "model/value_json.h"
#include "model/value_ops.h"
#include "schema/schema_reader.h"

static struct strs definition_tokens(struct schema *schema, const struct map *definitions)
{
    str *tokens = ARENA_ARRAY(schema->arena, str, definitions->len);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t i = 0; map_next(definitions, &i, &entry);)
        tokens[len++] = entry->key;
    return strs_sorted(schema->arena, (struct strs){ tokens, len });
}

struct strs schema_resource_tokens(struct schema *schema)
{
    return definition_tokens(schema, &schema->resources);
}

struct strs schema_function_tokens(struct schema *schema)
{
    return definition_tokens(schema, &schema->functions);
}

struct strs schema_type_tokens(struct schema *schema)
{
    return definition_tokens(schema, &schema->types);
}

str schema_provider_token(struct schema *schema)
{
    return arena_concat(schema->arena, STR("pulumi:providers:"), schema->name);
}

const struct schema_resource *schema_provider(struct schema *schema)
{
    str token = schema_provider_token(schema);
    const struct schema_resource *provider = schema_resource(schema, token);

    if (provider)
        return provider;
    struct schema_resource *empty = ARENA_NEW(schema->arena, struct schema_resource);
    empty->token = token;
    empty->is_provider = true;
    map_put(&schema->read_resources, token, empty);
    return empty;
}

struct schema_type *schema_type_definition(struct schema_type *type)
{
    return type->definition ? type->definition : type;
}

bool schema_function_is_method(struct schema *schema, str token)
{
    if (!schema->has_methods) {
        struct strs resources = schema_resource_tokens(schema);
        schema->has_methods = true;
        for (size_t i = 0; i <= resources.len; i++) {
            const struct schema_resource *resource =
                i < resources.len ? schema_resource(schema, resources.items[i])
                                  : schema_provider(schema);
            for (size_t k = 0; resource && k < resource->methods.len; k++)
                map_put(&schema->methods, resource->methods.items[k].value,
                        (void *)(uintptr_t)resource);
        }
    }
    return map_has(&schema->methods, token);
}

/* --- configuration --- */

struct config_spec {
    struct schema *schema;
    struct schema_properties variables;
    struct strs required;
};

static fallible read_variables(struct json_reader *reader, void *spec_)
{
    struct config_spec *spec = spec_;
    return schema_read_property_list(spec->schema, reader, &spec->variables);
}

struct schema_properties schema_config(struct schema *schema)
{
    static const struct json_field fields[] = {
        { "variables", read_variables, 0 },
        JSON_FIELD("defaults", struct config_spec, required, json_field_strs),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct config_spec spec = { .schema = schema };

    if (schema->config.len == 0)
        return spec.variables;
    json_reader_init(&reader, schema->arena, schema->config);
    struct error *failure = json_read_fields(&reader, fields, &spec);
    if (failure)
        schema_note_trouble(schema, STR("config"), failure);
    mark_required(spec.variables, spec.required);
    return spec.variables;
}

/* --- hints for languages --- */

struct value schema_language(const struct schema *schema, str languages, str language)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    str raw = schema_raw_member(schema->arena, languages, language);
    struct value hints = VALUE_EMPTY_OBJECT;

    if (raw.len == 0)
        return hints;
    json_reader_init(&reader, schema->arena, raw);
    struct error *failure = value_read_plain(&reader, &hints);
    bool is_object = !failure && hints.kind == VALUE_OBJECT;
    error_ignore(failure, "what is not understood says nothing");
    return is_object ? hints : VALUE_EMPTY_OBJECT;
}

bool schema_language_bool(struct value hints, str key, bool otherwise)
{
    const struct value *value = value_find(hints, key);

    return value && value->kind == VALUE_BOOL ? value->boolean : otherwise;
}

struct value schema_language_object(struct value hints, str key)
{
    const struct value *value = value_find(hints, key);

    return value && value->kind == VALUE_OBJECT ? *value : VALUE_EMPTY_OBJECT;
}

/* --- what generators ask of a function or a resource --- */

struct schema_properties schema_parameters(struct arena *arena,
                                           const struct schema_function *function)
{
    struct schema_property *ordered =
        ARENA_ARRAY(arena, struct schema_property, function->arguments.len + 1);
    size_t len = 0;

    if (!function->arguments.len)
        return function->inputs;
    for (size_t i = 0; i < function->arguments.len; i++) {
        const struct schema_property *input =
            schema_property(function->inputs, function->arguments.items[i]);
        if (input)
            ordered[len++] = *input;
    }
    return (struct schema_properties){ ordered, len };
}

struct strs schema_secret_outputs(struct arena *arena, const struct schema_resource *resource)
{
    str *names = ARENA_ARRAY(arena, str, resource->outputs.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < resource->outputs.len; i++)
        if (resource->outputs.items[i].is_secret)
            names[len++] = resource->outputs.items[i].name;
    return (struct strs){ names, len };
}
