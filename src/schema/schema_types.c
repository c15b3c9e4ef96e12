/* schema_types.c — reads the types of a schema, and objects with properties. */
#include "schema/schema_package.h"
#include "schema/schema_reader.h"

#include "model/value_json.h"

#include <stdlib.h>

enum { SCHEMA_MAX_DEPTH = 200 };

/* --- types --- */

/* A property, or just a type: the same fields, since a property has its type's among its own.
 * Readers that need the schema are given all of it, which is why the schema is first here and in
 * what is read below. */
struct spec {
    struct schema *schema;
    str type;
    str ref;
    struct schema_type *items;
    struct schema_type *values; /* additionalProperties */
    struct schema_type **alternatives;
    size_t alternative_count;
    str discriminator;
    struct pairs mapping;
    bool is_plain;
    struct schema_property property;
};

static fallible read_spec(struct schema *schema, struct json_reader *reader, struct spec *out);

struct schema_type *schema_new_type(struct schema *schema, enum type_kind kind)
{
    struct schema_type *type = ARENA_NEW(schema->arena, struct schema_type);

    type->kind = kind;
    type->schema = schema;
    return type;
}

struct enum_item {
    struct value value;
    str name;
    str description;
    str deprecation;
};

struct enum_items {
    VEC(struct enum_item);
};

static fallible schema_read_value(struct json_reader *reader, void *value)
{
    return value_read_plain(reader, value);
}

static enum type_kind enum_base(struct value value)
{
    return value.kind == VALUE_NUMBER ? TYPE_NUMBER
           : value.kind == VALUE_BOOL ? TYPE_BOOL
                                      : TYPE_STRING;
}

static void enum_take_items(struct arena *arena, struct schema_type *type,
                            const struct enum_items *items)
{
    struct value *values = ARENA_ARRAY(arena, struct value, items->len);
    str *names = ARENA_ARRAY(arena, str, items->len);
    str *descriptions = ARENA_ARRAY(arena, str, items->len);
    str *deprecations = ARENA_ARRAY(arena, str, items->len);

    for (size_t i = 0; i < items->len; i++) {
        values[i] = items->items[i].value;
        names[i] = items->items[i].name;
        descriptions[i] = items->items[i].description;
        deprecations[i] = items->items[i].deprecation;
    }
    type->kind = TYPE_ENUM;
    type->len = items->len;
    type->values = values;
    type->names = names;
    type->value_descriptions = descriptions;
    type->value_deprecations = deprecations;
    type->base = items->len ? enum_base(values[0]) : TYPE_STRING;
}

static fallible read_enum(struct json_reader *reader, void *type_)
{
    static const struct json_field fields[] = {
        JSON_FIELD("value", struct enum_item, value, schema_read_value),
        JSON_FIELD("name", struct enum_item, name, json_field_string),
        JSON_FIELD("description", struct enum_item, description, json_field_string),
        JSON_FIELD("deprecationMessage", struct enum_item, deprecation, json_field_string),
        { 0 },
    };
    CLEANUP(vec_drop) struct enum_items items = { 0 };
    struct schema_type *type = type_;
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        struct enum_item item = { .value = value_null() };
        TRY(json_array_next(reader, &more));
        if (!more)
            break;
        TRY(json_read_fields(reader, fields, &item));
        vec_add(&items, item);
    }
    enum_take_items(reader->arena, type, &items);
    return NULL;
}

static fallible read_enum_base(struct json_reader *reader, void *type_)
{
    struct schema_type *type = type_;
    str word;

    TRY(json_read_string(reader, &word));
    if (type->kind == TYPE_ENUM && str_equal(word, STR("integer")))
        type->base = TYPE_INTEGER;
    return NULL;
}

/* An object, unless it has a list of values. */
static fallible read_type_definition(struct schema *schema, str raw, struct schema_type *type)
{
    static const struct json_field values[] = {
        { "enum", read_enum, 0 },
        JSON_FIELD("description", struct schema_type, description, json_field_string),
        JSON_FIELD("language", struct schema_type, languages, json_field_raw),
        JSON_FIELD("isOverlay", struct schema_type, is_overlay, json_field_bool),
        JSON_FIELD("overlaySupportedLanguages", struct schema_type, overlay_languages,
                   json_field_strs),
        { 0 },
    };
    static const struct json_field base[] = { { "type", read_enum_base, 0 }, { 0 } };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    CLEANUP(json_reader_release) struct json_reader again = { 0 };

    json_reader_init(&reader, schema->arena, raw);
    TRY(json_read_fields(&reader, values, type));
    if (type->kind != TYPE_ENUM)
        return NULL;
    json_reader_init(&again, schema->arena, raw);
    return json_read_fields(&again, base, type);
}

struct schema_type *schema_named_type(struct schema *schema, str token)
{
    struct schema_type *type = map_find(&schema->read_types, token);
    const str *raw = map_find(&schema->types, token);

    if (type || !raw)
        return type;
    type = schema_new_type(schema, TYPE_OBJECT);
    type->token = arena_copy(schema->arena, token);
    type->raw = *raw;
    map_put(&schema->read_types, type->token, type);
    struct error *failure = read_type_definition(schema, *raw, type);
    if (failure) {
        schema_note_trouble(schema, token, failure);
        type->kind = TYPE_ANY; /* what is not understood may be anything */
    }
    return type;
}

static struct schema_type *type_of_word(struct schema *schema, const struct spec *spec)
{
    static const struct {
        const char *name;
        enum type_kind kind;
    } words[] = {
        { "string", TYPE_STRING }, { "integer", TYPE_INTEGER }, { "number", TYPE_NUMBER },
        { "boolean", TYPE_BOOL },  { "array", TYPE_ARRAY },     { "object", TYPE_MAP },
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (!str_equal(spec->type, str_from(words[i].name)))
            continue;
        struct schema_type *type = schema_new_type(schema, words[i].kind);
        type->element = type->kind == TYPE_ARRAY ? spec->items : spec->values;
        if ((type->kind == TYPE_ARRAY || type->kind == TYPE_MAP) && !type->element)
            type->element = type->kind == TYPE_MAP ? schema_new_type(schema, TYPE_STRING)
                                                   : schema_new_type(schema, TYPE_ANY);
        return type;
    }
    return schema_new_type(schema, TYPE_ANY);
}

static struct schema_type *type_of_spec(struct schema *schema, const struct spec *spec)
{
    if (spec->alternative_count) {
        struct schema_type *type = schema_new_type(schema, TYPE_UNION);
        type->members = spec->alternatives;
        type->len = spec->alternative_count;
        type->discriminator = spec->discriminator;
        type->mapping = spec->mapping;
        if (spec->type.len)
            type->preset = type_of_word(schema, spec);
        return type;
    }
    if (!spec->ref.len)
        return type_of_word(schema, spec);
    struct schema_type *type = schema_referenced_type(schema, spec->ref);
    bool is_dangling = type->kind == TYPE_ANY && type->token.len;
    return is_dangling && spec->type.len ? type_of_word(schema, spec) : type;
}

/* A use of a type that others use in another way is a copy. */
static struct schema_type *plain_type(struct schema *schema, struct schema_type *type)
{
    struct schema_type *plain = ARENA_NEW(schema->arena, struct schema_type);

    *plain = *type;
    plain->is_plain = true;
    plain->definition = type;
    return plain;
}

static fallible read_type(struct schema *schema, struct json_reader *reader,
                          struct schema_type **out)
{
    struct spec spec;

    TRY(read_spec(schema, reader, &spec));
    *out = spec.property.type;
    return NULL;
}

struct types {
    VEC(struct schema_type *);
};

static fallible read_alternatives(struct json_reader *reader, void *spec_)
{
    CLEANUP(vec_drop) struct types types = { 0 };
    struct spec *spec = spec_;
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        struct schema_type *type;
        TRY(json_array_next(reader, &more));
        if (!more)
            break;
        TRY(read_type(spec->schema, reader, &type));
        vec_add(&types, type);
    }
    spec->alternatives =
        arena_copy_bytes(reader->arena, types.items, types.len * sizeof(*types.items));
    spec->alternative_count = types.len;
    return NULL;
}

/* References become tokens. */
static fallible read_mapping(struct json_reader *reader, void *spec_)
{
    struct spec *spec = spec_;
    struct pairs refs;
    str prefix, token;

    TRY(json_field_pairs(reader, &refs));
    struct pair *mapping = ARENA_ARRAY(reader->arena, struct pair, refs.len);
    for (size_t i = 0; i < refs.len; i++) {
        bool is_type = str_cut(refs.items[i].value, STR("#/types/"), &prefix, &token);
        mapping[i].key = refs.items[i].key;
        mapping[i].value = is_type ? schema_decode_token(reader->arena, token) : STR("");
    }
    spec->mapping = (struct pairs){ mapping, refs.len };
    return NULL;
}

static fallible read_discriminator(struct json_reader *reader, void *spec)
{
    static const struct json_field fields[] = {
        JSON_FIELD("propertyName", struct spec, discriminator, json_field_string),
        { "mapping", read_mapping, 0 },
        { 0 },
    };
    return json_read_fields(reader, fields, spec);
}

static fallible schema_read_items(struct json_reader *reader, void *spec_)
{
    struct spec *spec = spec_;
    return read_type(spec->schema, reader, &spec->items);
}

static fallible read_values(struct json_reader *reader, void *spec_)
{
    struct spec *spec = spec_;
    return read_type(spec->schema, reader, &spec->values);
}

static fallible read_constant(struct json_reader *reader, void *property_)
{
    struct schema_property *property = property_;

    TRY(value_read_plain(reader, &property->constant));
    property->has_constant = property->constant.kind != VALUE_NULL;
    return NULL;
}

static fallible read_preset(struct json_reader *reader, void *property_)
{
    struct schema_property *property = property_;

    TRY(value_read_plain(reader, &property->preset));
    property->has_default = property->preset.kind != VALUE_NULL;
    return NULL;
}

static fallible read_preset_info(struct json_reader *reader, void *property)
{
    static const struct json_field fields[] = {
        JSON_FIELD("environment", struct schema_property, environment, json_field_strs),
        JSON_FIELD("language", struct schema_property, preset_languages, json_field_raw),
        { 0 },
    };
    return json_read_fields(reader, fields, property);
}

static fallible read_spec(struct schema *schema, struct json_reader *reader, struct spec *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("type", struct spec, type, json_field_string),
        JSON_FIELD("$ref", struct spec, ref, json_field_string),
        JSON_FIELD("description", struct spec, property.description, json_field_string),
        JSON_FIELD("secret", struct spec, property.is_secret, json_field_bool),
        JSON_FIELD("replaceOnChanges", struct spec, property.replaces, json_field_bool),
        JSON_FIELD("willReplaceOnChanges", struct spec, property.will_replace, json_field_bool),
        JSON_FIELD("deprecationMessage", struct spec, property.deprecation, json_field_string),
        JSON_FIELD("language", struct spec, property.languages, json_field_raw),
        JSON_FIELD("plain", struct spec, is_plain, json_field_bool),
        JSON_FIELD("const", struct spec, property, read_constant),
        JSON_FIELD("default", struct spec, property, read_preset),
        JSON_FIELD("defaultInfo", struct spec, property, read_preset_info),
        { "items", schema_read_items, 0 },
        { "additionalProperties", read_values, 0 },
        { "oneOf", read_alternatives, 0 },
        { "discriminator", read_discriminator, 0 },
        { 0 },
    };

    *out = (struct spec){ .schema = schema };
    if (reader->stack.len > SCHEMA_MAX_DEPTH)
        return json_fail(reader, "the types are nested too deeply");
    TRY(json_read_fields(reader, fields, out));
    out->property.type = type_of_spec(schema, out);
    if (out->is_plain)
        out->property.type = plain_type(schema, out->property.type);
    return NULL;
}

fallible read_property(struct schema *schema, struct json_reader *reader,
                       struct schema_property *out)
{
    struct spec spec;

    TRY(read_spec(schema, reader, &spec));
    *out = spec.property;
    return NULL;
}

/* --- properties --- */

struct property_list {
    VEC(struct schema_property);
    struct schema *schema;
};

static int compare_properties(const void *a, const void *b)
{
    return str_compare(((const struct schema_property *)a)->name,
                       ((const struct schema_property *)b)->name);
}

static fallible read_listed_property(struct json_reader *reader, str key, void *list_)
{
    struct property_list *list = list_;
    struct schema_property property;

    TRY(read_property(list->schema, reader, &property));
    property.name = arena_copy(list->schema->arena, key);
    vec_add(list, property);
    return NULL;
}

fallible schema_read_property_list(struct schema *schema, struct json_reader *reader,
                                   struct schema_properties *out)
{
    CLEANUP(vec_drop) struct property_list list = { .schema = schema };

    TRY(json_read_members(reader, read_listed_property, &list));
    if (list.len)
        qsort(list.items, list.len, sizeof(*list.items), compare_properties);
    out->items = arena_copy_bytes(schema->arena, list.items, list.len * sizeof(*list.items));
    out->len = list.len;
    return NULL;
}

void mark_required(struct schema_properties properties, struct strs names)
{
    for (size_t i = 0; i < names.len; i++) {
        struct schema_property *property =
            (struct schema_property *)(uintptr_t)schema_property(properties, names.items[i]);
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

struct object_spec {
    struct schema *schema;
    struct schema_properties properties;
    struct strs required;
};

static fallible read_object_properties(struct json_reader *reader, void *object_)
{
    struct object_spec *object = object_;
    return schema_read_property_list(object->schema, reader, &object->properties);
}

fallible schema_read_object(struct schema *schema, struct json_reader *reader,
                            struct schema_properties *out)
{
    static const struct json_field fields[] = {
        { "properties", read_object_properties, 0 },
        JSON_FIELD("required", struct object_spec, required, json_field_strs),
        { 0 },
    };
    struct object_spec object = { .schema = schema };

    TRY(json_read_fields(reader, fields, &object));
    mark_required(object.properties, object.required);
    *out = object.properties;
    return NULL;
}

const struct schema_properties *schema_type_properties(struct schema_type *type)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct schema *schema = (struct schema *)(uintptr_t)type->schema;

    if (type->definition)
        return schema_type_properties(type->definition);
    if (type->properties || type->kind != TYPE_OBJECT)
        return type->properties;
    struct schema_properties *properties = ARENA_NEW(schema->arena, struct schema_properties);
    type->properties = properties;
    json_reader_init(&reader, schema->arena, type->raw);
    struct error *failure = schema_read_object(schema, &reader, properties);
    if (failure)
        schema_note_trouble(schema, type->token, failure);
    return properties;
}
