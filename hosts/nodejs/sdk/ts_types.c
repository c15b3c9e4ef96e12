/* ts_types.c — types as TypeScript writes them, and interfaces of properties. */
#include "nodejs/sdk/ts_types.h"

#include "model/urn.h"

/* --- names of types --- */

str ts_object_name(const struct ts_sdk *sdk, struct arena *arena, const struct schema_type *type,
                   enum ts_place place)
{
    str name = ts_type_name(arena, type->token);
    bool is_own = type->schema == sdk->schema;
    bool is_called = is_own && (ts_uses(sdk, type->token) & TS_USE_OUTPUT_ARGS);
    str mode = schema_language_text(type->schema, STR("nodejs"), STR("compatibility"));
    bool is_old = is_own
                      ? sdk->keeps_old_names
                      : str_equal(mode, STR("tfbridge20")) || str_equal(mode, STR("kubernetes20"));

    if (place != TS_ARGS || (is_old && !is_called))
        return name;
    return arena_concat(arena, name, STR("Args"));
}

static str ts_object_type(struct ts_file *file, const struct schema_type *type, enum ts_place place)
{
    struct ts_sdk *sdk = file->sdk;
    str name = ts_object_name(sdk, &file->arena, type, place);
    str space = ts_namespace(&file->arena, ts_module_path(file->sdk, type->schema, type->token));
    bool is_input = place != TS_RESULT;

    if (type->schema != sdk->schema)
        return arena_concat(&file->arena, ts_file_package(file, type->schema),
                            is_input ? STR(".types.input.") : STR(".types.output."), space, name);
    file->uses_inputs = file->uses_inputs || is_input;
    file->uses_outputs = file->uses_outputs || !is_input;
    return arena_concat(&file->arena, is_input ? STR("inputs.") : STR("outputs."), space, name);
}

static str ts_enum_type(struct ts_file *file, const struct schema_type *type)
{
    str path = ts_folder_path(&file->arena, ts_module_path(file->sdk, type->schema, type->token));
    str name = ts_type_name(&file->arena, type->token);

    if (type->schema != file->sdk->schema)
        return arena_concat(&file->arena, ts_file_package(file, type->schema), STR("."), path,
                            name);
    file->uses_enums = true;
    return arena_concat(&file->arena, STR("enums."), path, name);
}

static str ts_resource_type(struct ts_file *file, const struct schema_type *type)
{
    if (type->schema == file->sdk->schema)
        return ts_file_class(file, type);
    str package = ts_file_package(file, type->schema);
    if (type_is_provider(type->token))
        return arena_concat(&file->arena, package, STR(".Provider"));
    return arena_concat(
        &file->arena, package, STR("."),
        ts_folder_path(&file->arena, ts_module_path(file->sdk, type->schema, type->token)),
        ts_type_name(&file->arena, type->token));
}

/* --- alternatives --- */

/* What a type may be, each once. */
struct ts_parts {
    VEC(str);
};

static void ts_parts_add(struct ts_parts *parts, str text)
{
    for (size_t i = 0; i < parts->len; i++)
        if (str_equal(parts->items[i], text))
            return;
    vec_add(parts, text);
}

static str ts_parts_text(struct arena *arena, const struct ts_parts *parts)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < parts->len; i++) {
        if (i)
            strbuf_add(&out, STR(" | "));
        strbuf_add(&out, parts->items[i]);
    }
    return arena_copy(arena, strbuf_str(&out));
}

static void ts_add_type(struct ts_file *file, struct ts_parts *parts,
                        const struct schema_type *type, enum ts_place place, bool is_optional);
static void ts_add_bare(struct ts_file *file, struct ts_parts *parts,
                        const struct schema_type *type, enum ts_place place, bool is_promised);

static str ts_list_type(struct ts_file *file, const struct schema_type *type, enum ts_place place)
{
    CLEANUP(vec_drop) struct ts_parts element = { 0 };

    ts_add_type(file, &element, type->element, place, false);
    str text = ts_parts_text(&file->arena, &element);
    if (type->kind == TYPE_MAP)
        return arena_concat(&file->arena, STR("{ [key: string]: "), text, STR(" }"));
    if (element.len > 1)
        return arena_concat(&file->arena, STR("("), text, STR(")[]"));
    return arena_concat(&file->arena, text, STR("[]"));
}

/* Inside of a promise the members are not promised again. */
static void ts_add_union(struct ts_file *file, struct ts_parts *parts,
                         const struct schema_type *type, enum ts_place place, bool is_promised)
{
    if (place == TS_RESULT && file->sdk->hides_alternatives) {
        if (type->preset)
            ts_add_bare(file, parts, type->preset, place, false);
        else
            ts_parts_add(parts, STR("any"));
        return;
    }
    for (size_t i = 0; i < type->len; i++) {
        if (is_promised)
            ts_add_bare(file, parts, type->members[i], place, false);
        else
            ts_add_type(file, parts, type->members[i], place, false);
    }
}

static void ts_add_bare(struct ts_file *file, struct ts_parts *parts,
                        const struct schema_type *type, enum ts_place place, bool is_promised)
{
    switch (type->kind) {
    case TYPE_ANY: ts_parts_add(parts, STR("any")); break;
    case TYPE_BOOL: ts_parts_add(parts, STR("boolean")); break;
    case TYPE_INTEGER:
    case TYPE_NUMBER: ts_parts_add(parts, STR("number")); break;
    case TYPE_STRING: ts_parts_add(parts, STR("string")); break;
    case TYPE_ASSET:
        ts_parts_add(parts, STR("pulumi.asset.Asset"));
        ts_parts_add(parts, STR("pulumi.asset.Archive"));
        file->uses_pulumi = true;
        break;
    case TYPE_ARCHIVE:
        ts_parts_add(parts, STR("pulumi.asset.Archive"));
        file->uses_pulumi = true;
        break;
    case TYPE_ARRAY:
    case TYPE_MAP: ts_parts_add(parts, ts_list_type(file, type, place)); break;
    case TYPE_UNION: ts_add_union(file, parts, type, place, is_promised); break;
    case TYPE_OBJECT: ts_parts_add(parts, ts_object_type(file, type, place)); break;
    case TYPE_ENUM: ts_parts_add(parts, ts_enum_type(file, type)); break;
    case TYPE_RESOURCE: ts_parts_add(parts, ts_resource_type(file, type)); break;
    }
}

/* Wraps what is there in a promise; what is anything is one already. */
static void ts_add_promise(struct ts_file *file, struct ts_parts *parts, struct ts_parts *inner,
                           bool is_optional)
{
    bool is_any = inner->len == 1 && str_equal(inner->items[0], STR("any"));

    if (is_any) {
        ts_parts_add(parts, STR("any"));
        if (is_optional)
            ts_parts_add(parts, STR("undefined"));
        return;
    }
    if (is_optional)
        ts_parts_add(inner, STR("undefined"));
    file->uses_pulumi = true;
    ts_parts_add(parts, arena_concat(&file->arena, STR("pulumi.Input<"),
                                     ts_parts_text(&file->arena, inner), STR(">")));
}

static void ts_add_type(struct ts_file *file, struct ts_parts *parts,
                        const struct schema_type *type, enum ts_place place, bool is_optional)
{
    CLEANUP(vec_drop) struct ts_parts inner = { 0 };

    if (place == TS_ARGS && !type->is_plain) {
        ts_add_bare(file, &inner, type, place, true);
        ts_add_promise(file, parts, &inner, is_optional);
        return;
    }
    ts_add_bare(file, parts, type, place, false);
    if (is_optional)
        ts_parts_add(parts, STR("undefined"));
}

str ts_type(struct ts_file *file, const struct schema_type *type, enum ts_place place,
            bool is_optional)
{
    CLEANUP(vec_drop) struct ts_parts parts = { 0 };

    ts_add_type(file, &parts, type, place, is_optional);
    return ts_parts_text(&file->arena, &parts);
}

/* --- properties --- */

/* A text that is always the same is its own type. */
static str ts_property_type(struct ts_file *file, const struct schema_property *property,
                            enum ts_place place, bool is_optional)
{
    CLEANUP(vec_drop) struct ts_parts inner = { 0 };
    CLEANUP(vec_drop) struct ts_parts parts = { 0 };
    bool is_text = property->type->kind == TYPE_STRING && property->has_constant
                   && property->constant.kind == VALUE_STRING;

    if (!is_text)
        return ts_type(file, property->type, place, is_optional);
    ts_parts_add(&inner, ts_quoted(&file->arena, value_text(property->constant)));
    if (place == TS_ARGS && !property->type->is_plain) {
        ts_add_promise(file, &parts, &inner, is_optional);
        return ts_parts_text(&file->arena, &parts);
    }
    if (is_optional)
        ts_parts_add(&inner, STR("undefined"));
    return ts_parts_text(&file->arena, &inner);
}

str ts_output_type(struct ts_file *file, const struct schema_property *property)
{
    bool is_optional = !property->is_required && !file->sdk->is_kubernetes;

    return ts_property_type(file, property, TS_RESULT, is_optional);
}

void ts_property(struct ts_file *file, const struct schema_property *property, enum ts_place place,
                 bool is_readonly)
{
    bool is_promised = place == TS_ARGS && !property->type->is_plain;
    str type = ts_property_type(file, property, place, is_promised && !property->is_required);

    ts_doc(file, property->description, property->deprecation);
    ts_begin(file);
    if (is_readonly)
        strbuf_add(&file->body, STR("readonly "));
    strbuf_add(&file->body, ts_key(&file->arena, property->name));
    strbuf_add(&file->body, property->is_required ? STR(": ") : STR("?: "));
    strbuf_add(&file->body, type);
    strbuf_add(&file->body, STR(";\n"));
}

void ts_interface(struct ts_file *file, str name, struct schema_properties properties,
                  enum ts_place place, bool is_readonly)
{
    if (!properties.len) {
        ts_line(file, "export interface " STR_FMT " {}", STR_ARG(name));
        return;
    }
    ts_open(file, "export interface " STR_FMT " {", STR_ARG(name));
    for (size_t i = 0; i < properties.len; i++)
        ts_property(file, &properties.items[i], place, is_readonly);
    ts_close(file, "}");
}

struct schema_properties ts_without_self(struct arena *arena, struct schema_properties list)
{
    struct schema_property *kept = ARENA_ARRAY(arena, struct schema_property, list.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < list.len; i++)
        if (!str_equal(list.items[i].name, STR("__self__")))
            kept[len++] = list.items[i];
    return (struct schema_properties){ kept, len };
}

bool ts_all_optional(struct schema_properties list)
{
    for (size_t i = 0; i < list.len; i++)
        if (list.items[i].is_required)
            return false;
    return true;
}
