/* schema.c — reads schemas: first where each definition is in the text, then those that are asked for. */
#include "yaml/schema.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/urn.h"
#include "model/value_json.h"
#include "yaml/syntax.h"

/* --- the index --- */

static fallible index_definitions(struct json_reader *reader, struct arena *arena, struct map *out)
{
    str key;
    bool more;

    TRY(json_object_begin(reader));
    while (true) {
        str raw;
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            return NULL;
        key = arena_copy(arena, key);
        TRY(json_skip(reader, &raw));
        map_put(out, key, arena_copy_bytes(arena, &raw, sizeof(raw)));
    }
}

static fallible index_member(struct json_reader *reader, str key, struct schema *schema)
{
    if (str_equal(key, STR("name")))
        return json_read_string(reader, &schema->name);
    if (str_equal(key, STR("version")))
        return json_read_string(reader, &schema->version);
    if (str_equal(key, STR("resources")))
        return index_definitions(reader, schema->arena, &schema->resources);
    if (str_equal(key, STR("functions")))
        return index_definitions(reader, schema->arena, &schema->functions);
    if (str_equal(key, STR("types")))
        return index_definitions(reader, schema->arena, &schema->types);
    return json_skip(reader, str_equal(key, STR("provider")) ? &schema->provider : NULL);
}

struct error *schema_read(struct arena *arena, str json, struct schema **out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct schema *schema = ARENA_NEW(arena, struct schema);
    str key;
    bool more;

    schema->arena = arena;
    json_reader_init(&reader, arena, json);
    struct error *failure = json_object_begin(&reader);
    while (!failure) {
        failure = json_object_next(&reader, &key, &more);
        if (failure || !more)
            break;
        failure = index_member(&reader, key, schema);
    }
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

/* --- types --- */

/* A property, or just a type: the same fields, since a property has its type's among its own. */
struct spec {
    str type;
    str ref;
    struct schema_type *items;
    struct schema_type *values; /* additionalProperties */
    struct schema_type **alternatives;
    size_t alternative_count;
    struct schema_property property;
};

static fallible read_spec(struct schema *schema, struct json_reader *reader, struct spec *out);

static struct schema_type *new_type(struct schema *schema, enum type_kind kind)
{
    struct schema_type *type = ARENA_NEW(schema->arena, struct schema_type);

    type->kind = kind;
    type->schema = schema;
    return type;
}

static str decode_percent(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '%' && i + 2 < text.len && (text.ptr[i + 1] == '2') && (text.ptr[i + 2] | 0x20) == 'f') {
            strbuf_add_char(&out, '/');
            i += 2;
        } else {
            strbuf_add_char(&out, text.ptr[i]);
        }
    }
    return arena_copy(arena, strbuf_str(&out));
}

struct values {
    VEC(struct value);
};

static void values_release(struct values *values)
{
    vec_release(values);
}

static fallible read_enum_value(struct json_reader *reader, struct value *out)
{
    str key;
    bool more;

    TRY(json_object_begin(reader));
    while (true) {
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            return NULL;
        if (str_equal(key, STR("value")))
            TRY(value_read_plain(reader, out));
        else
            TRY(json_skip(reader, NULL));
    }
}

static fallible read_enum(struct json_reader *reader, struct schema_type *type)
{
    CLEANUP(values_release) struct values values = { 0 };
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        struct value value = value_null();
        TRY(json_array_next(reader, &more));
        if (!more)
            break;
        TRY(read_enum_value(reader, &value));
        vec_add(&values, value);
    }
    type->kind = TYPE_ENUM;
    type->len = values.len;
    type->values = arena_copy_bytes(reader->arena, values.items, values.len * sizeof(*values.items));
    return NULL;
}

/* An object, unless it has a list of values. */
static fallible read_type_definition(struct schema *schema, str raw, struct schema_type *type)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    str key;
    bool more;

    json_reader_init(&reader, schema->arena, raw);
    TRY(json_object_begin(&reader));
    while (true) {
        TRY(json_object_next(&reader, &key, &more));
        if (!more)
            return NULL;
        if (str_equal(key, STR("enum")))
            return read_enum(&reader, type);
        TRY(json_skip(&reader, NULL));
    }
}

static struct schema_type *named_type(struct schema *schema, str token)
{
    struct schema_type *type = map_find(&schema->read_types, token);
    const str *raw = map_find(&schema->types, token);

    if (type)
        return type;
    if (!raw)
        return new_type(schema, TYPE_ANY);
    type = new_type(schema, TYPE_OBJECT);
    type->token = token;
    type->raw = *raw;
    map_put(&schema->read_types, token, type);
    struct error *failure = read_type_definition(schema, *raw, type);
    if (failure) {
        error_ignore(failure, "what is not understood may be anything");
        type->kind = TYPE_ANY;
    }
    return type;
}

/* "#/types/TOKEN", "#/resources/TOKEN", "pulumi.json#/Asset"; what is in other packages may be anything. */
static struct schema_type *referenced_type(struct schema *schema, str ref)
{
    str prefix, rest;

    if (str_equal(ref, STR("pulumi.json#/Asset")))
        return new_type(schema, TYPE_ASSET);
    if (str_equal(ref, STR("pulumi.json#/Archive")))
        return new_type(schema, TYPE_ARCHIVE);
    if (str_cut(ref, STR("#/types/"), &prefix, &rest) && prefix.len == 0)
        return named_type(schema, decode_percent(schema->arena, rest));
    if (!str_cut(ref, STR("#/resources/"), &prefix, &rest) || prefix.len != 0)
        return new_type(schema, TYPE_ANY);
    struct schema_type *type = new_type(schema, TYPE_RESOURCE);
    type->token = decode_percent(schema->arena, rest);
    return type;
}

static struct schema_type *type_of_spec(struct schema *schema, const struct spec *spec)
{
    static const struct {
        const char *name;
        enum type_kind kind;
    } words[] = {
        { "string", TYPE_STRING }, { "integer", TYPE_INTEGER }, { "number", TYPE_NUMBER },
        { "boolean", TYPE_BOOL },  { "array", TYPE_ARRAY },     { "object", TYPE_MAP },
    };

    if (spec->alternative_count) {
        struct schema_type *type = new_type(schema, TYPE_UNION);
        type->members = spec->alternatives;
        type->len = spec->alternative_count;
        return type;
    }
    if (spec->ref.len)
        return referenced_type(schema, spec->ref);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (!str_equal(spec->type, str_from(words[i].name)))
            continue;
        struct schema_type *type = new_type(schema, words[i].kind);
        type->element = type->kind == TYPE_ARRAY ? spec->items : spec->values;
        if ((type->kind == TYPE_ARRAY || type->kind == TYPE_MAP) && !type->element)
            type->element = type->kind == TYPE_MAP ? new_type(schema, TYPE_STRING) : new_type(schema, TYPE_ANY);
        return type;
    }
    return new_type(schema, TYPE_ANY);
}

static fallible read_type(struct schema *schema, struct json_reader *reader, struct schema_type **out)
{
    struct spec spec;

    TRY(read_spec(schema, reader, &spec));
    *out = spec.property.type;
    return NULL;
}

struct types {
    VEC(struct schema_type *);
};

static void types_release(struct types *types)
{
    vec_release(types);
}

static fallible read_alternatives(struct schema *schema, struct json_reader *reader, struct spec *spec)
{
    CLEANUP(types_release) struct types types = { 0 };
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        struct schema_type *type;
        TRY(json_array_next(reader, &more));
        if (!more)
            break;
        TRY(read_type(schema, reader, &type));
        vec_add(&types, type);
    }
    spec->alternatives = arena_copy_bytes(schema->arena, types.items, types.len * sizeof(*types.items));
    spec->alternative_count = types.len;
    return NULL;
}

static fallible read_spec_member(struct schema *schema, struct json_reader *reader, str key, struct spec *out)
{
    if (str_equal(key, STR("type")))
        return json_read_string(reader, &out->type);
    if (str_equal(key, STR("$ref")))
        return json_read_string(reader, &out->ref);
    if (str_equal(key, STR("items")))
        return read_type(schema, reader, &out->items);
    if (str_equal(key, STR("additionalProperties")))
        return read_type(schema, reader, &out->values);
    if (str_equal(key, STR("oneOf")))
        return read_alternatives(schema, reader, out);
    if (str_equal(key, STR("secret")))
        return json_read_bool(reader, &out->property.is_secret);
    if (str_equal(key, STR("replaceOnChanges")))
        return json_read_bool(reader, &out->property.replaces);
    if (str_equal(key, STR("const"))) {
        out->property.has_constant = true;
        return value_read_plain(reader, &out->property.constant);
    }
    return json_skip(reader, NULL);
}

static fallible read_spec(struct schema *schema, struct json_reader *reader, struct spec *out)
{
    str key;
    bool more;

    *out = (struct spec){ 0 };
    if (reader->stack.len > YAML_MAX_DEPTH)
        return json_fail(reader, "the types are nested too deeply");
    TRY(json_object_begin(reader));
    while (true) {
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            break;
        TRY(read_spec_member(schema, reader, key, out));
    }
    out->property.type = type_of_spec(schema, out);
    return NULL;
}

/* --- properties --- */

struct property_list {
    VEC(struct schema_property);
};

static void property_list_release(struct property_list *list)
{
    vec_release(list);
}

static fallible read_properties(struct schema *schema, struct json_reader *reader, struct schema_properties *out)
{
    CLEANUP(property_list_release) struct property_list list = { 0 };
    str key;
    bool more;

    TRY(json_object_begin(reader));
    while (true) {
        struct spec spec;
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            break;
        key = arena_copy(schema->arena, key);
        TRY(read_spec(schema, reader, &spec));
        spec.property.name = key;
        vec_add(&list, spec.property);
    }
    out->items = arena_copy_bytes(schema->arena, list.items, list.len * sizeof(*list.items));
    out->len = list.len;
    return NULL;
}

struct names {
    VEC(str);
};

static void names_release(struct names *names)
{
    vec_release(names);
}

static fallible read_names(struct json_reader *reader, struct names *out)
{
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        str name;
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_read_string(reader, &name));
        vec_add(out, name);
    }
}

static void mark_required(struct schema_properties properties, const struct names *names)
{
    for (size_t i = 0; i < names->len; i++) {
        struct schema_property *property =
            (struct schema_property *)(uintptr_t)schema_property(properties, names->items[i]);
        if (property)
            property->is_required = true;
    }
}

const struct schema_property *schema_property(struct schema_properties properties, str name)
{
    for (size_t i = 0; i < properties.len; i++)
        if (str_equal(properties.items[i].name, name))
            return &properties.items[i];
    return NULL;
}

/* "properties" and "required" of an object. */
static fallible read_object(struct schema *schema, struct json_reader *reader, struct schema_properties *out)
{
    CLEANUP(names_release) struct names required = { 0 };
    str key;
    bool more;

    TRY(json_object_begin(reader));
    while (true) {
        TRY(json_object_next(reader, &key, &more));
        if (!more)
            break;
        if (str_equal(key, STR("properties")))
            TRY(read_properties(schema, reader, out));
        else if (str_equal(key, STR("required")))
            TRY(read_names(reader, &required));
        else
            TRY(json_skip(reader, NULL));
    }
    mark_required(*out, &required);
    return NULL;
}

const struct schema_properties *schema_type_properties(struct schema_type *type)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct schema *schema = (struct schema *)(uintptr_t)type->schema;

    if (type->properties || type->kind != TYPE_OBJECT)
        return type->properties;
    struct schema_properties *properties = ARENA_NEW(schema->arena, struct schema_properties);
    type->properties = properties;
    json_reader_init(&reader, schema->arena, type->raw);
    error_ignore(read_object(schema, &reader, properties), "what is not understood has no properties");
    return properties;
}

/* --- resources and functions --- */

static fallible read_aliases(struct json_reader *reader, struct names *out)
{
    str key;
    bool more, has_more;

    TRY(json_array_begin(reader));
    while (true) {
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_object_begin(reader));
        while (true) {
            str type = { 0 };
            TRY(json_object_next(reader, &key, &has_more));
            if (!has_more)
                break;
            if (!str_equal(key, STR("type"))) {
                TRY(json_skip(reader, NULL));
                continue;
            }
            TRY(json_read_string(reader, &type));
            if (type.len)
                vec_add(out, type);
        }
    }
}

static fallible read_resource(struct schema *schema, str raw, struct schema_resource *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    CLEANUP(names_release) struct names required = { 0 };
    CLEANUP(names_release) struct names aliases = { 0 };
    str key;
    bool more;

    json_reader_init(&reader, schema->arena, raw);
    TRY(json_object_begin(&reader));
    while (true) {
        TRY(json_object_next(&reader, &key, &more));
        if (!more)
            break;
        if (str_equal(key, STR("isComponent")))
            TRY(json_read_bool(&reader, &out->is_component));
        else if (str_equal(key, STR("inputProperties")))
            TRY(read_properties(schema, &reader, &out->inputs));
        else if (str_equal(key, STR("properties")))
            TRY(read_properties(schema, &reader, &out->outputs));
        else if (str_equal(key, STR("requiredInputs")))
            TRY(read_names(&reader, &required));
        else if (str_equal(key, STR("aliases")))
            TRY(read_aliases(&reader, &aliases));
        else
            TRY(json_skip(&reader, NULL));
    }
    mark_required(out->inputs, &required);
    out->alias_types = arena_copy_bytes(schema->arena, aliases.items, aliases.len * sizeof(*aliases.items));
    out->alias_count = aliases.len;
    return NULL;
}

const struct schema_resource *schema_resource(struct schema *schema, str token)
{
    struct schema_resource *resource = map_find(&schema->read_resources, token);
    const str *raw =
        type_is_provider(token) && schema->provider.ptr ? &schema->provider : map_find(&schema->resources, token);

    if (resource || !raw)
        return resource;
    resource = ARENA_NEW(schema->arena, struct schema_resource);
    resource->token = arena_copy(schema->arena, token);
    struct error *failure = read_resource(schema, *raw, resource);
    if (failure) {
        error_ignore(failure, "treated as if there were no schema for it");
        return NULL;
    }
    map_put(&schema->read_resources, resource->token, resource);
    return resource;
}

/* The result is an object with properties, or a type of its own under the same names. */
static fallible read_outputs(struct schema *schema, str raw, struct schema_function *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct spec spec;

    json_reader_init(&reader, schema->arena, raw);
    TRY(read_spec(schema, &reader, &spec));
    if (spec.property.type->kind != TYPE_MAP && spec.property.type->kind != TYPE_ANY) {
        out->result = spec.property.type;
        return NULL;
    }
    json_reader_release(&reader);
    json_reader_init(&reader, schema->arena, raw);
    return read_object(schema, &reader, &out->outputs);
}

static fallible read_function(struct schema *schema, str raw, struct schema_function *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    str key, outputs = { 0 };
    bool more;

    json_reader_init(&reader, schema->arena, raw);
    TRY(json_object_begin(&reader));
    while (true) {
        TRY(json_object_next(&reader, &key, &more));
        if (!more)
            break;
        if (str_equal(key, STR("inputs")))
            TRY(read_object(schema, &reader, &out->inputs));
        else if (str_equal(key, STR("outputs")) || str_equal(key, STR("returnType")))
            TRY(json_skip(&reader, &outputs));
        else
            TRY(json_skip(&reader, NULL));
    }
    return outputs.len ? read_outputs(schema, outputs, out) : NULL;
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
