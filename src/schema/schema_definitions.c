/* schema_definitions.c — reads the resources and functions of a schema. */
#include "schema/schema_reader.h"

#include "model/urn.h"

/* --- resources --- */

struct resource_spec {
    struct schema *schema;
    struct schema_resource resource;
    struct strs required;
    struct strs always;
    struct str_list aliases;
};

static fallible schema_read_inputs(struct json_reader *reader, void *spec_)
{
    struct resource_spec *spec = spec_;
    return schema_read_property_list(spec->schema, reader, &spec->resource.inputs);
}

static fallible read_outputs(struct json_reader *reader, void *spec_)
{
    struct resource_spec *spec = spec_;
    return schema_read_property_list(spec->schema, reader, &spec->resource.outputs);
}

static fallible schema_read_state(struct json_reader *reader, void *spec_)
{
    struct resource_spec *spec = spec_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    spec->resource.has_state = kind != JSON_NULL;
    return schema_read_object(spec->schema, reader, &spec->resource.state);
}

static fallible schema_read_list(struct json_reader *reader, void *spec_)
{
    struct resource_spec *spec = spec_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    spec->resource.is_listed = kind != JSON_NULL;
    return schema_read_object(spec->schema, reader, &spec->resource.list);
}

static fallible schema_read_methods(struct json_reader *reader, void *pairs_)
{
    struct pairs *pairs = pairs_;

    TRY(json_field_pairs(reader, pairs));
    *pairs = pairs_sorted(reader->arena, *pairs);
    return NULL;
}

static fallible schema_read_aliases(struct json_reader *reader, void *names_)
{
    static const struct json_field fields[] = { { "type", json_field_string, 0 }, { 0 } };
    struct str_list *names = names_;
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        str type = { 0 };
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_read_fields(reader, fields, &type));
        if (type.len)
            vec_add(names, type);
    }
}

static fallible schema_read_resource(struct schema *schema, str raw, struct schema_resource *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("isComponent", struct resource_spec, resource.is_component, json_field_bool),
        JSON_FIELD("description", struct resource_spec, resource.description, json_field_string),
        JSON_FIELD("deprecationMessage", struct resource_spec, resource.deprecation,
                   json_field_string),
        JSON_FIELD("isOverlay", struct resource_spec, resource.is_overlay, json_field_bool),
        JSON_FIELD("overlaySupportedLanguages", struct resource_spec, resource.overlay_languages,
                   json_field_strs),
        JSON_FIELD("language", struct resource_spec, resource.languages, json_field_raw),
        JSON_FIELD("methods", struct resource_spec, resource.methods, schema_read_methods),
        { "stateInputs", schema_read_state, 0 },
        { "listInputs", schema_read_list, 0 },
        JSON_FIELD("requiredInputs", struct resource_spec, required, json_field_strs),
        JSON_FIELD("required", struct resource_spec, always, json_field_strs),
        JSON_FIELD("aliases", struct resource_spec, aliases, schema_read_aliases),
        { "inputProperties", schema_read_inputs, 0 },
        { "properties", read_outputs, 0 },
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct resource_spec spec = { .schema = schema, .resource.token = out->token };

    json_reader_init(&reader, schema->arena, raw);
    struct error *failure = json_read_fields(&reader, fields, &spec);
    if (!failure) {
        *out = spec.resource;
        mark_required(out->inputs, spec.required);
        mark_required(out->outputs, spec.always);
        out->alias_types = arena_copy_bytes(schema->arena, spec.aliases.items,
                                            spec.aliases.len * sizeof(*spec.aliases.items));
        out->alias_count = spec.aliases.len;
    }
    str_list_release(&spec.aliases);
    return failure;
}

static bool is_text(const struct schema_type *type)
{
    return type->kind == TYPE_STRING
           || (type->kind == TYPE_ENUM && type->len && type->values[0].kind == VALUE_STRING);
}

/* Providers have their configuration as text, so nothing else is an output of theirs. */
static void keep_text(struct schema *schema, struct schema_properties *outputs)
{
    struct schema_property *kept = ARENA_ARRAY(schema->arena, struct schema_property, outputs->len);
    size_t len = 0;

    for (size_t i = 0; i < outputs->len; i++)
        if (is_text(outputs->items[i].type))
            kept[len++] = outputs->items[i];
    *outputs = (struct schema_properties){ kept, len };
}

const struct schema_resource *schema_resource(struct schema *schema, str token)
{
    struct schema_resource *resource = map_find(&schema->read_resources, token);
    const str *raw = type_is_provider(token) && schema->provider.ptr
                         ? &schema->provider
                         : map_find(&schema->resources, token);

    if (resource || !raw)
        return resource;
    resource = ARENA_NEW(schema->arena, struct schema_resource);
    resource->token = arena_copy(schema->arena, token);
    struct error *failure = schema_read_resource(schema, *raw, resource);
    if (failure) {
        schema_note_trouble(schema, token, failure);
        return NULL;
    }
    if (raw == &schema->provider) {
        resource->is_provider = true;
        keep_text(schema, &resource->outputs);
    }
    map_put(&schema->read_resources, resource->token, resource);
    return resource;
}

/* --- functions --- */

struct function_spec {
    struct schema *schema;
    struct schema_function function;
    str result; /* JSON */
};

static fallible read_arguments(struct json_reader *reader, void *spec_)
{
    struct function_spec *spec = spec_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    spec->function.has_inputs = kind != JSON_NULL;
    return schema_read_object(spec->schema, reader, &spec->function.inputs);
}

static fallible read_object_result(struct schema *schema, str raw, struct schema_function *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    json_reader_init(&reader, schema->arena, raw);
    return schema_read_object(schema, &reader, &out->outputs);
}

struct result_form {
    str properties;
    bool is_empty;
    bool is_plain;
};

static fallible read_form(struct schema *schema, str raw, struct result_form *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct pairs members;

    json_reader_init(&reader, schema->arena, raw);
    TRY(json_field_raw_pairs(&reader, &members));
    *out = (struct result_form){ .is_empty = members.len == 0 };
    for (size_t i = 0; i < members.len; i++) {
        str key = members.items[i].key, value = members.items[i].value;
        if (str_equal(key, STR("properties")) && !str_equal(value, STR("null")))
            out->properties = value;
        if (str_equal(key, STR("plain")) && str_equal(value, STR("true")))
            out->is_plain = true;
    }
    return NULL;
}

/* An object has its properties here or is one of the package's types. Everything else, maps
 * included, is a single value, which the answer holds under a name of its own. */
static fallible read_result(struct schema *schema, str raw, struct schema_function *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct schema_property whole;
    struct result_form form;

    TRY(read_form(schema, raw, &form));
    out->has_outputs = !form.is_empty;
    out->gives_plain = form.is_plain;
    if (form.is_empty || form.properties.len)
        return read_object_result(schema, raw, out);
    json_reader_init(&reader, schema->arena, raw);
    TRY(read_property(schema, &reader, &whole));
    if (whole.type->kind == TYPE_OBJECT) {
        out->object = whole.type;
        out->outputs = *schema_type_properties(whole.type);
    } else {
        out->result = whole.type;
    }
    return NULL;
}

static fallible read_function(struct schema *schema, str raw, struct schema_function *out)
{
    static const struct json_field fields[] = {
        { "inputs", read_arguments, 0 },
        JSON_FIELD("description", struct function_spec, function.description, json_field_string),
        JSON_FIELD("deprecationMessage", struct function_spec, function.deprecation,
                   json_field_string),
        JSON_FIELD("isOverlay", struct function_spec, function.is_overlay, json_field_bool),
        JSON_FIELD("overlaySupportedLanguages", struct function_spec, function.overlay_languages,
                   json_field_strs),
        JSON_FIELD("multiArgumentInputs", struct function_spec, function.arguments,
                   json_field_strs),
        JSON_FIELD("plain", struct function_spec, function.has_plain, json_field_bool),
        JSON_FIELD("language", struct function_spec, function.languages, json_field_raw),
        JSON_FIELD("outputs", struct function_spec, result, json_field_raw),
        JSON_FIELD("returnType", struct function_spec, result, json_field_raw),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct function_spec spec = { .schema = schema,
                                  .function = { .token = out->token, .has_plain = true } };

    json_reader_init(&reader, schema->arena, raw);
    TRY(json_read_fields(&reader, fields, &spec));
    *out = spec.function;
    return spec.result.len && !str_equal(spec.result, STR("null"))
               ? read_result(schema, spec.result, out)
               : NULL;
}

const struct schema_function *schema_function(struct schema *schema, str token)
{
    struct schema_function *function = map_find(&schema->read_functions, token);
    const str *raw = map_find(&schema->functions, token);

    if (function || !raw)
        return function;
    function = ARENA_NEW(schema->arena, struct schema_function);
    function->token = arena_copy(schema->arena, token);
    struct error *failure = read_function(schema, *raw, function);
    if (failure) {
        schema_note_trouble(schema, token, failure);
        return NULL;
    }
    map_put(&schema->read_functions, function->token, function);
    return function;
}
