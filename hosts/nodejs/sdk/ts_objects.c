/* ts_objects.c — types/input.ts and types/output.ts: objects, grouped by module. */
#include "nodejs/sdk/ts_types.h"

#include "common/names.h"
#include "model/value_ops.h"

/* Objects of one module; modules form a tree. */
struct ts_group {
    str name; /* "v1" */
    struct {
        VEC(struct ts_group *);
    } children;
    struct {
        VEC(struct schema_type *);
    } objects;
};

/* --- the tree --- */

static struct ts_group *ts_group_make(struct arena *arena, struct map *groups, str path)
{
    struct ts_group *group = map_find(groups, path);
    str above = STR(""), name = path;

    if (group)
        return group;
    group = ARENA_NEW(arena, struct ts_group);
    map_put(groups, path, group);
    if (path.len) {
        str_cut_last(path, STR("/"), &above, &name);
        struct ts_group *parent = ts_group_make(arena, groups, above);
        vec_add(&parent->children, group);
    }
    str space = ts_namespace(arena, name);
    group->name = space.len ? str_slice(space, 0, space.len - 1) : space;
    return group;
}

static int ts_group_compare(const void *a, const void *b)
{
    return str_compare((*(struct ts_group *const *)a)->name, (*(struct ts_group *const *)b)->name);
}

static int ts_object_compare(const void *a, const void *b)
{
    return str_compare(schema_member((*(struct schema_type *const *)a)->token),
                       schema_member((*(struct schema_type *const *)b)->token));
}

static struct ts_group *ts_group_all(struct ts_sdk *sdk, struct map *groups)
{
    const struct map_entry *entry;
    struct ts_group *root = ts_group_make(&sdk->arena, groups, STR(""));

    for (size_t i = 0; i < sdk->objects.len; i++) {
        struct schema_type *type = sdk->objects.items[i];
        struct ts_group *group =
            ts_group_make(&sdk->arena, groups, ts_module_path(sdk, sdk->schema, type->token));
        vec_add(&group->objects, type);
    }
    for (size_t i = 0; map_next(groups, &i, &entry);) {
        struct ts_group *group = entry->value;
        if (group->children.len)
            qsort(group->children.items, group->children.len, sizeof(struct ts_group *),
                  ts_group_compare);
        if (group->objects.len)
            qsort(group->objects.items, group->objects.len, sizeof(struct schema_type *),
                  ts_object_compare);
    }
    return root;
}

static void ts_groups_release(struct map *groups)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(groups, &i, &entry);) {
        struct ts_group *group = entry->value;
        vec_release(&group->children);
        vec_release(&group->objects);
    }
    map_release(groups);
}

/* --- one object --- */

/* A schema can say for this language alone what is required, apart for arguments and results. */
static struct schema_properties ts_object_properties(struct ts_file *file, struct schema_type *type,
                                                     enum ts_place place)
{
    const struct schema_properties *list = schema_type_properties(type);

    if (!list || !type->languages.len)
        return list ? *list : (struct schema_properties){ 0 };
    struct value hints = schema_language(file->sdk->schema, type->languages, STR("nodejs"));
    const struct value *required =
        value_find(hints, place == TS_RESULT ? STR("requiredOutputs") : STR("requiredInputs"));
    if (!required || required->kind != VALUE_ARRAY)
        return *list;
    struct schema_property *changed =
        ARENA_ARRAY(&file->arena, struct schema_property, list->len + 1);
    for (size_t i = 0; i < list->len; i++) {
        changed[i] = list->items[i];
        changed[i].is_required = false;
        for (size_t k = 0; k < required->len; k++)
            if (required->items[k].kind == VALUE_STRING
                && str_equal(value_text(required->items[k]), changed[i].name))
                changed[i].is_required = true;
    }
    return (struct schema_properties){ changed, list->len };
}

static void ts_object_defaults(struct ts_file *file, const struct schema_type *type,
                               struct schema_properties properties, enum ts_place place)
{
    struct arena *arena = &file->arena;
    str name = ts_object_name(file->sdk, arena, type, place);

    ts_blank(file);
    ts_doc(file, arena_concat(arena, STR("Sets what is not set in "), name, STR(".")), STR(""));
    ts_open(file, "export function " STR_FMT "ProvideDefaults(val: " STR_FMT "): " STR_FMT " {",
            STR_ARG(name_camel(arena, name)), STR_ARG(name), STR_ARG(name));
    ts_open(file, "return {");
    ts_line(file, "...val,");
    for (size_t i = 0; i < properties.len; i++) {
        const struct schema_property *property = &properties.items[i];
        str argument = ts_member(arena, "val", property->name);
        str preset = ts_default(file, property);
        if (preset.len)
            ts_line(file, STR_FMT ": " STR_FMT " ?? " STR_FMT ",",
                    STR_ARG(ts_key(arena, property->name)), STR_ARG(argument), STR_ARG(preset));
        else if (ts_has_defaults(file->sdk, property->type))
            ts_line(
                file, STR_FMT ": " STR_FMT ",", STR_ARG(ts_key(arena, property->name)),
                STR_ARG(ts_defaults_call(file, property, place, argument, property->is_required)));
    }
    ts_close(file, "};");
    ts_close(file, "}");
}

static void ts_object(struct ts_file *file, struct schema_type *type, enum ts_place place)
{
    struct schema_properties properties = ts_object_properties(file, type, place);

    ts_doc(file, type->description, STR(""));
    ts_interface(file, ts_object_name(file->sdk, &file->arena, type, place), properties, place,
                 false);
    if (ts_has_defaults(file->sdk, type))
        ts_object_defaults(file, type, properties, place);
}

/* --- the files --- */

static void ts_put_object(struct ts_file *file, struct schema_type *type, enum ts_place place,
                          bool *has_some)
{
    if (*has_some)
        ts_blank(file);
    ts_object(file, type, place);
    *has_some = true;
}

/* Whether something of it is in the file. */
static bool ts_group_is_used(const struct ts_sdk *sdk, const struct ts_group *group, bool is_input)
{
    unsigned wanted = is_input ? TS_USE_ARGS | TS_USE_PLAIN : TS_USE_RESULT;

    for (size_t i = 0; i < group->objects.len; i++)
        if (ts_uses(sdk, group->objects.items[i]->token) & wanted)
            return true;
    for (size_t i = 0; i < group->children.len; i++)
        if (ts_group_is_used(sdk, group->children.items[i], is_input))
            return true;
    return false;
}

static void ts_put_group(struct ts_file *file, const struct ts_group *group, bool is_input)
{
    bool has_some = false;

    for (size_t i = 0; i < group->objects.len; i++) {
        struct schema_type *type = group->objects.items[i];
        unsigned uses = ts_uses(file->sdk, type->token);
        if (!is_input && (uses & TS_USE_RESULT))
            ts_put_object(file, type, TS_RESULT, &has_some);
        if (is_input && (uses & TS_USE_PLAIN))
            ts_put_object(file, type, TS_PLAIN, &has_some);
        if (is_input && (uses & TS_USE_ARGS))
            ts_put_object(file, type, TS_ARGS, &has_some);
    }
    for (size_t i = 0; i < group->children.len; i++) {
        const struct ts_group *child = group->children.items[i];
        if (!ts_group_is_used(file->sdk, child, is_input))
            continue;
        if (has_some)
            ts_blank(file);
        has_some = true;
        ts_open(file, "export namespace " STR_FMT " {", STR_ARG(child->name));
        ts_put_group(file, child, is_input);
        ts_close(file, "}");
    }
}

static fallible ts_write_side(struct ts_sdk *sdk, const struct ts_group *root, bool is_input)
{
    CLEANUP(ts_file_release) struct ts_file file;

    ts_file_init(&file, sdk, STR("types"));
    ts_put_group(&file, root, is_input);
    if (!file.body.len)
        ts_line(&file, "export {};");
    return ts_file_write(&file, is_input ? STR("input") : STR("output"));
}

fallible ts_write_types(struct ts_sdk *sdk)
{
    struct map groups = { 0 };
    const struct ts_group *root = ts_group_all(sdk, &groups);
    struct error *failure = ts_write_side(sdk, root, true);

    if (!failure)
        failure = ts_write_side(sdk, root, false);
    ts_groups_release(&groups);
    return failure;
}
