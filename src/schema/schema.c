/* schema.c — reads schemas: first where each definition is in the text, then those that are asked
 * for. */
#include "schema/schema_reader.h"

#include "model/urn.h"

/* --- the index --- */

static fallible index_definitions(struct json_reader *reader, void *map)
{
    str key;
    bool more;

    TRY(json_object_begin(reader));
    while (true) {
        str raw;
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            return NULL;
        key = arena_copy(reader->arena, key);
        TRY(json_skip(reader, &raw));
        map_put(map, key, arena_copy_bytes(reader->arena, &raw, sizeof(raw)));
    }
}

static fallible schema_read_raw(struct json_reader *reader, void *raw)
{
    return json_skip(reader, raw);
}

static fallible schema_read_meta(struct json_reader *reader, void *schema)
{
    static const struct json_field fields[] = {
        JSON_FIELD("moduleFormat", struct schema, module_format, json_field_string),
        JSON_FIELD("supportPack", struct schema, supports_pack, json_field_bool),
        { 0 },
    };
    return json_read_fields(reader, fields, schema);
}

static fallible read_base_provider(struct json_reader *reader, void *base)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct schema_base, name, json_field_string),
        JSON_FIELD("version", struct schema_base, version, json_field_string),
        { 0 },
    };
    return json_read_fields(reader, fields, base);
}

static fallible schema_read_base(struct json_reader *reader, void *base_)
{
    static const struct json_field fields[] = {
        { "baseProvider", read_base_provider, 0 },
        JSON_FIELD("parameter", struct schema_base, value, json_field_string),
        { 0 },
    };
    struct schema_base *base = base_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    base->is_given = kind != JSON_NULL;
    return json_read_fields(reader, fields, base);
}

fallible schema_read(struct arena *arena, str json, struct schema **out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct schema, name, json_field_string),
        JSON_FIELD("version", struct schema, version, json_field_string),
        JSON_FIELD("namespace", struct schema, namespace, json_field_string),
        JSON_FIELD("description", struct schema, description, json_field_string),
        JSON_FIELD("repository", struct schema, repository, json_field_string),
        JSON_FIELD("pluginDownloadURL", struct schema, download_url, json_field_string),
        JSON_FIELD("parameterization", struct schema, parameterization, schema_read_base),
        JSON_FIELD("extensionParameterization", struct schema, extension, schema_read_base),
        JSON_FIELD("language", struct schema, language, schema_read_raw),
        { "meta", schema_read_meta, 0 },
        JSON_FIELD("resources", struct schema, resources, index_definitions),
        JSON_FIELD("functions", struct schema, functions, index_definitions),
        JSON_FIELD("types", struct schema, types, index_definitions),
        JSON_FIELD("provider", struct schema, provider, schema_read_raw),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct schema *schema = ARENA_NEW(arena, struct schema);

    schema->arena = arena;
    json_reader_init(&reader, arena, json);
    struct error *failure = json_read_fields(&reader, fields, schema);
    if (failure) {
        schema_release(schema);
        return failure;
    }
    *out = schema;
    return NULL;
}

void schema_release(struct schema *schema)
{
    map_release(&schema->resources);
    map_release(&schema->functions);
    map_release(&schema->types);
    map_release(&schema->read_resources);
    map_release(&schema->read_functions);
    map_release(&schema->read_types);
}

/* --- resources and functions --- */

struct resource_spec {
    struct schema *schema;
    struct schema_resource resource;
    struct names required;
    struct names always;
    struct names aliases;
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

static fallible schema_read_aliases(struct json_reader *reader, void *names_)
{
    static const struct json_field fields[] = { { "type", json_field_string, 0 }, { 0 } };
    struct names *names = names_;
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
        JSON_FIELD("requiredInputs", struct resource_spec, required, schema_read_names),
        JSON_FIELD("required", struct resource_spec, always, schema_read_names),
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
        mark_required(out->inputs, &spec.required);
        mark_required(out->outputs, &spec.always);
        out->alias_types = arena_copy_bytes(schema->arena, spec.aliases.items,
                                            spec.aliases.len * sizeof(*spec.aliases.items));
        out->alias_count = spec.aliases.len;
    }
    names_release(&spec.required);
    names_release(&spec.always);
    names_release(&spec.aliases);
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
        error_ignore(failure, "treated as if there were no schema for it");
        return NULL;
    }
    if (raw == &schema->provider)
        keep_text(schema, &resource->outputs);
    map_put(&schema->read_resources, resource->token, resource);
    return resource;
}

struct function_spec {
    struct schema *schema;
    str description;
    struct schema_properties inputs;
    str result; /* JSON */
};

static fallible read_arguments(struct json_reader *reader, void *spec_)
{
    struct function_spec *spec = spec_;
    return schema_read_object(spec->schema, reader, &spec->inputs);
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
};

static fallible read_form(struct schema *schema, str raw, struct result_form *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    bool more = true;
    str key;

    *out = (struct result_form){ .is_empty = true };
    json_reader_init(&reader, schema->arena, raw);
    TRY(json_object_begin(&reader));
    while (true) {
        str value;
        TRY(json_object_next(&reader, &key, &more));
        if (!more)
            return NULL;
        out->is_empty = false;
        bool is_properties = str_equal(key, STR("properties"));
        TRY(json_skip(&reader, &value));
        if (is_properties && !str_equal(value, STR("null")))
            out->properties = value;
    }
}

/* An object has its properties here or is one of the package's types. Everything else, maps
 * included, is a single value, which the answer holds under a name of its own. */
static fallible read_result(struct schema *schema, str raw, struct schema_function *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct schema_property whole;
    struct result_form form;

    TRY(read_form(schema, raw, &form));
    if (form.is_empty || form.properties.len)
        return read_object_result(schema, raw, out);
    json_reader_init(&reader, schema->arena, raw);
    TRY(read_property(schema, &reader, &whole));
    if (whole.type->kind == TYPE_OBJECT)
        out->outputs = *schema_type_properties(whole.type);
    else
        out->result = whole.type;
    return NULL;
}

static fallible read_function(struct schema *schema, str raw, struct schema_function *out)
{
    static const struct json_field fields[] = {
        { "inputs", read_arguments, 0 },
        JSON_FIELD("description", struct function_spec, description, json_field_string),
        JSON_FIELD("outputs", struct function_spec, result, schema_read_raw),
        JSON_FIELD("returnType", struct function_spec, result, schema_read_raw),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct function_spec spec = { .schema = schema };

    json_reader_init(&reader, schema->arena, raw);
    TRY(json_read_fields(&reader, fields, &spec));
    out->inputs = spec.inputs;
    out->description = spec.description;
    return spec.result.len ? read_result(schema, spec.result, out) : NULL;
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
        error_ignore(failure, "treated as if there were no schema for it");
        return NULL;
    }
    map_put(&schema->read_functions, function->token, function);
    return function;
}
