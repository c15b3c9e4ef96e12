/* ts_plan.c — what the SDK has and where: modules, and the forms in which objects are needed. */
#include "nodejs/sdk/ts_names.h"
#include "nodejs/sdk/ts_types.h"

#include "base/fs.h"
#include "model/value_ops.h"

#include <ctype.h>

/* --- modules --- */

str ts_module_path(struct ts_sdk *sdk, const struct schema *schema, str token)
{
    bool is_own = schema == sdk->schema;
    const str *known = is_own ? map_find(&sdk->places, token) : NULL;

    if (known)
        return *known;
    str path = schema_module(schema, token);
    schema_language_rename(schema, STR("nodejs"), STR("moduleToPackage"), path, &path);
    if (is_own) {
        str *kept = ARENA_NEW(&sdk->arena, str);
        *kept = path;
        map_put(&sdk->places, token, kept);
    }
    return path;
}

struct ts_module *ts_module_find(const struct ts_sdk *sdk, str path)
{
    return map_find(&sdk->modules, path);
}

static str ts_lower(struct arena *arena, str text)
{
    char *copy = arena_cstr(arena, text);

    for (size_t i = 0; i < text.len; i++)
        copy[i] = (char)tolower((unsigned char)copy[i]);
    return (str){ copy, text.len };
}

/* Makes it, and those above it, if it is not there. */
static struct ts_module *ts_module_make(struct ts_sdk *sdk, str path)
{
    struct ts_module *module = ts_module_find(sdk, path);
    str above = STR(""), name = path;

    if (module)
        return module;
    module = ARENA_NEW(&sdk->arena, struct ts_module);
    module->path = path;
    module->folder = ts_lower(&sdk->arena, path);
    map_put(&sdk->modules, path, module);
    if (path.len) {
        str_cut_last(path, STR("/"), &above, &name);
        struct ts_module *parent = ts_module_make(sdk, above);
        vec_add(&parent->children, module);
    }
    return module;
}

static struct ts_module *ts_module_for(struct ts_sdk *sdk, str token)
{
    return ts_module_make(sdk, ts_module_path(sdk, sdk->schema, token));
}

bool ts_module_has_enums(const struct ts_module *module)
{
    if (module->enums.len)
        return true;
    for (size_t i = 0; i < module->children.len; i++)
        if (ts_module_has_enums(module->children.items[i]))
            return true;
    return false;
}

/* --- uses --- */

unsigned ts_uses(const struct ts_sdk *sdk, str token)
{
    const unsigned *known = map_find(&sdk->uses, token);

    return known ? *known : 0;
}

/* False if it was marked so before. */
static bool ts_mark_use(struct ts_sdk *sdk, str token, enum ts_use use)
{
    unsigned *known = map_find(&sdk->uses, token);

    if (!known) {
        known = ARENA_NEW(&sdk->arena, unsigned);
        map_put(&sdk->uses, token, known);
    }
    bool is_new = !(*known & use);
    *known |= use;
    return is_new;
}

/* Objects whose properties are still to be looked at: they may be in each other as deep as a schema
 * likes. */
struct ts_waiting {
    VEC(struct schema_type *);
};

static void ts_mark_type(struct ts_sdk *sdk, struct schema_type *type, enum ts_use use,
                         struct ts_waiting *waiting)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        ts_mark_type(sdk, type->element, use, waiting);
    for (size_t i = 0; type->kind == TYPE_UNION && i < type->len; i++)
        ts_mark_type(sdk, type->members[i], use, waiting);
    if (type->kind == TYPE_OBJECT && type->schema == sdk->schema
        && ts_mark_use(sdk, type->token, use))
        vec_add(waiting, type);
}

static void ts_mark_waiting(struct ts_sdk *sdk, struct ts_waiting *waiting, enum ts_use use)
{
    while (waiting->len) {
        struct schema_type *type = waiting->items[--waiting->len];
        const struct schema_properties *list = schema_type_properties(type);
        for (size_t i = 0; list && i < list->len; i++)
            ts_mark_type(sdk, list->items[i].type, use, waiting);
    }
    vec_release(waiting);
}

static void ts_use_type(struct ts_sdk *sdk, struct schema_type *type, enum ts_use use)
{
    struct ts_waiting waiting = { 0 };

    ts_mark_type(sdk, type, use, &waiting);
    ts_mark_waiting(sdk, &waiting, use);
}

static void ts_use_properties(struct ts_sdk *sdk, struct schema_properties list, enum ts_use use)
{
    for (size_t i = 0; i < list.len; i++)
        ts_use_type(sdk, list.items[i].type, use);
}

/* --- members --- */

static void ts_plan_resource(struct ts_sdk *sdk, const struct schema_resource *resource)
{
    if (!resource || resource->is_overlay)
        return;
    struct ts_module *module = ts_module_for(sdk, resource->token);
    vec_add(&module->resources, resource);
    ts_use_properties(sdk, resource->outputs, TS_USE_RESULT);
    ts_use_properties(sdk, resource->inputs, TS_USE_ARGS);
    ts_use_properties(sdk, resource->state, TS_USE_ARGS);
}

static void ts_plan_function(struct ts_sdk *sdk, const struct schema_function *function)
{
    struct ts_module *module = ts_module_for(sdk, function->token);

    if (!function->is_overlay && !schema_function_is_method(sdk->schema, function->token))
        vec_add(&module->functions, function);
    ts_use_properties(sdk, function->inputs, TS_USE_PLAIN);
    if (function->has_outputs || !function->has_plain) {
        ts_use_properties(sdk, function->inputs, TS_USE_ARGS);
        ts_use_properties(sdk, function->inputs, TS_USE_OUTPUT_ARGS);
    }
    if (function->object)
        ts_use_type(sdk, function->object, TS_USE_RESULT);
    else if (function->result)
        ts_use_type(sdk, function->result, TS_USE_RESULT);
    else
        ts_use_properties(sdk, function->outputs, TS_USE_RESULT);
}

static void ts_plan_type(struct ts_sdk *sdk, str token)
{
    struct schema_type *type = schema_named_type(sdk->schema, token);

    if (!type)
        return;
    if (type->kind == TYPE_OBJECT)
        sdk->has_types = true;
    if (type->is_overlay)
        return;
    if (type->kind == TYPE_OBJECT)
        vec_add(&sdk->objects, type);
    if (type->kind != TYPE_ENUM)
        return;
    struct ts_module *module = ts_module_for(sdk, token);
    vec_add(&module->enums, type);
    sdk->has_enums = true;
    sdk->has_types = true;
}

/* TypeScript that was given is part of the module in whose folder it lies. */
static void ts_plan_extra_file(struct ts_sdk *sdk, str path)
{
    str folder = fs_path_directory(path);

    if (!str_ends_with(path, STR(".ts")))
        return;
    struct ts_module *module = ts_module_make(
        sdk, str_equal(folder, STR(".")) ? STR("") : arena_copy(&sdk->arena, folder));
    vec_add(&module->extra_files, path);
}

static void ts_plan_settings(struct ts_sdk *sdk)
{
    sdk->hints = schema_language(sdk->schema, sdk->schema->language, STR("nodejs"));
    str mode = value_find_text(sdk->hints, STR("compatibility"));
    sdk->is_kubernetes = str_equal(mode, STR("kubernetes20"));
    sdk->keeps_old_names = sdk->is_kubernetes || str_equal(mode, STR("tfbridge20"));
    sdk->lifts_single =
        schema_language_bool(sdk->hints, STR("liftSingleValueMethodReturns"), false);
    sdk->hides_alternatives =
        schema_language_bool(sdk->hints, STR("disableUnionOutputTypes"), false);
    sdk->has_package = sdk->schema->parameterization.is_given || sdk->schema->extension.is_given;
}

static fallible ts_plan_members(struct ts_sdk *sdk)
{
    struct strs resources = schema_resource_tokens(sdk->schema);
    struct strs functions = schema_function_tokens(sdk->schema);
    struct strs types = schema_type_tokens(sdk->schema);

    for (size_t i = 0; i < resources.len; i++)
        ts_plan_resource(sdk, schema_resource(sdk->schema, resources.items[i]));
    for (size_t i = 0; i < functions.len; i++) {
        const struct schema_function *function = schema_function(sdk->schema, functions.items[i]);
        if (function)
            ts_plan_function(sdk, function);
    }
    if (ts_module_find(sdk, STR("types")))
        return error_new(ERROR_INVALID,
                         "the package '" STR_FMT
                         "' has a module called 'types', where this language has the types of "
                         "arguments and results; rename it with moduleToPackage of "
                         "language.nodejs in the schema",
                         STR_ARG(sdk->schema->name));
    for (size_t i = 0; i < types.len; i++)
        ts_plan_type(sdk, types.items[i]);
    return NULL;
}

fallible ts_plan(struct ts_sdk *sdk)
{
    ts_plan_settings(sdk);
    ts_module_make(sdk, STR(""));
    struct schema_properties config = schema_config(sdk->schema);
    if (config.len && !sdk->is_kubernetes)
        ts_module_make(sdk, STR("config"));
    ts_use_properties(sdk, config, TS_USE_RESULT);
    if (!sdk->schema->extension.is_given)
        ts_plan_resource(sdk, schema_provider(sdk->schema));
    TRY(ts_plan_members(sdk));
    ts_find_defaults(sdk);
    if (sdk->has_types)
        ts_module_make(sdk, STR("types"));
    for (size_t i = 0; i < sdk->request->extra_files.len; i++)
        ts_plan_extra_file(sdk, sdk->request->extra_files.items[i].key);
    return NULL;
}

void ts_plan_release(struct ts_sdk *sdk)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);) {
        struct ts_module *module = entry->value;
        vec_release(&module->children);
        vec_release(&module->resources);
        vec_release(&module->functions);
        vec_release(&module->enums);
        vec_release(&module->extra_files);
    }
    map_release(&sdk->modules);
    map_release(&sdk->places);
    map_release(&sdk->uses);
    map_release(&sdk->presets);
    vec_release(&sdk->objects);
    arena_release(&sdk->arena);
}
