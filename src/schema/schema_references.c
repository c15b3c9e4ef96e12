/* schema_references.c — types that are named in a reference: of this package, of the core, of other
 * packages. */
#include "schema/schema_package.h"
#include "schema/schema_reader.h"

#include "base/strbuf.h"

str schema_decode_token(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '%' && i + 2 < text.len && (text.ptr[i + 1] == '2')
            && (text.ptr[i + 2] | 0x20) == 'f') {
            strbuf_add_char(&out, '/');
            i += 2;
        } else {
            strbuf_add_char(&out, text.ptr[i]);
        }
    }
    return arena_copy(arena, strbuf_str(&out));
}

/* --- other packages --- */

static fallible read_parameter_name(struct json_reader *reader, void *dependency)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct schema_dependency, parameter_name, json_field_string),
        JSON_FIELD("version", struct schema_dependency, parameter_version, json_field_string),
        JSON_FIELD("value", struct schema_dependency, parameter_value, json_field_string),
        { 0 },
    };
    return json_read_fields(reader, fields, dependency);
}

struct dependency_list {
    VEC(struct schema_dependency);
};

static fallible read_dependency_list(struct json_reader *reader, struct dependency_list *list)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct schema_dependency, name, json_field_string),
        JSON_FIELD("version", struct schema_dependency, version, json_field_string),
        JSON_FIELD("downloadURL", struct schema_dependency, download_url, json_field_string),
        { "parameterization", read_parameter_name, 0 },
        { 0 },
    };
    bool more;

    TRY(json_array_begin(reader));
    while (true) {
        struct schema_dependency dependency = { 0 };
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_read_fields(reader, fields, &dependency));
        vec_add(list, dependency);
    }
}

struct schema_dependencies schema_dependencies(struct schema *schema)
{
    CLEANUP(vec_drop) struct dependency_list list = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    if (schema->dependencies.len == 0)
        return (struct schema_dependencies){ 0 };
    json_reader_init(&reader, schema->arena, schema->dependencies);
    struct error *failure = read_dependency_list(&reader, &list);
    if (failure)
        schema_note_trouble(schema, STR("dependencies"), failure);
    return (struct schema_dependencies){
        arena_copy_bytes(schema->arena, list.items, list.len * sizeof(*list.items)), list.len
    };
}

/* The package of that name and version, as the schema says where it comes from. */
static struct schema_dependency find_dependency(struct schema *schema, str name, str version)
{
    struct schema_dependencies list = schema_dependencies(schema);

    for (size_t i = 0; i < list.len; i++) {
        const struct schema_dependency *item = &list.items[i];
        bool is_parameterized = item->parameter_name.len != 0;
        if (str_equal(is_parameterized ? item->parameter_name : item->name, name)
            && str_equal(is_parameterized ? item->parameter_version : item->version, version))
            return *item;
    }
    return (struct schema_dependency){ .name = name, .version = version };
}

static fallible load_other_schema(struct schema *schema, str name, str version, struct schema **out)
{
    str key = arena_concat(schema->arena, name, STR("@"), version), json;

    *out = map_find(&schema->read_others, key);
    if (*out)
        return NULL;
    if (!schema->others)
        return error_new(ERROR_NOT_FOUND,
                         "nobody was named who has the schema of package '" STR_FMT "'",
                         STR_ARG(name));
    struct schema_dependency wanted = find_dependency(schema, name, version);
    TRY(schema->others->load(schema->others->context, &wanted, schema->arena, &json));
    TRY(schema_read(schema->arena, json, out));
    (*out)->others = schema->others;
    map_put(&schema->read_others, key, *out);
    return NULL;
}

/* "/PKG/vVERSION/schema.json" */
static fallible find_package(struct schema *schema, str path, struct schema **out)
{
    str name, version, rest;

    *out = schema;
    if (path.len == 0)
        return NULL;
    if (!str_cut(str_slice(path, 1, path.len), STR("/"), &name, &rest)
        || !str_cut(rest, STR("/"), &version, &rest))
        return error_new(ERROR_INVALID, "invalid type reference '" STR_FMT "'", STR_ARG(path));
    if (str_starts_with(version, STR("v")))
        version = str_slice(version, 1, version.len);
    if (str_equal(name, schema->name) && str_equal(version, schema->version))
        return NULL;
    return load_other_schema(schema, name, version, out);
}

/* --- references --- */

static struct schema_type *core_type(struct schema *schema, str name)
{
    struct schema_type *type = schema_new_type(schema, TYPE_ANY);

    if (str_equal(name, STR("Asset")))
        type->kind = TYPE_ASSET;
    else if (str_equal(name, STR("Archive")))
        type->kind = TYPE_ARCHIVE;
    else
        type->is_json = str_equal(name, STR("Json"));
    return type;
}

static fallible read_reference(struct schema *schema, str ref, struct schema_type **out)
{
    struct schema *owner;
    str package, path, kind, rest;

    if (!str_cut(ref, STR("#/"), &package, &path))
        return error_new(ERROR_INVALID, "invalid type reference '" STR_FMT "'", STR_ARG(ref));
    TRY(find_package(schema, package, &owner));
    if (str_cut(path, STR("types/"), &kind, &rest) && kind.len == 0) {
        str token = schema_decode_token(schema->arena, rest);
        *out = schema_named_type(owner, token);
        if (!*out) { /* written by hand where it is used, or an oversight that the check finds */
            *out = schema_new_type(owner, TYPE_ANY);
            (*out)->token = token;
        }
        return NULL;
    }
    bool is_provider = str_equal(path, STR("provider"));
    if (!is_provider && (!str_cut(path, STR("resources/"), &kind, &rest) || kind.len != 0))
        return error_new(ERROR_INVALID, "invalid type reference '" STR_FMT "'", STR_ARG(ref));
    *out = schema_new_type(owner, TYPE_RESOURCE);
    (*out)->token =
        is_provider ? schema_provider_token(owner) : schema_decode_token(schema->arena, rest);
    return NULL;
}

/* What the package does not have, and what is in other packages that nobody has, may be
 * anything. */
struct schema_type *schema_referenced_type(struct schema *schema, str ref)
{
    struct schema_type *type = NULL;
    str core, name;

    if (str_cut(ref, STR("pulumi.json#/"), &core, &name) && core.len == 0)
        return core_type(schema, name);
    struct error *failure = read_reference(schema, ref, &type);
    if (!failure)
        return type;
    schema_note_trouble(schema, ref, failure);
    return schema_new_type(schema, TYPE_ANY);
}
