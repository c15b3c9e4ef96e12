/* pysdk_plan.c — what an SDK consists of: modules, what is in them, and the shapes of types. */
#include "python/sdk/pysdk.h"

#include "base/fs.h"

/* --- modules --- */

static struct pysdk_module *plan_module(struct pysdk *sdk, str path)
{
    struct pysdk_module *module = map_find(&sdk->modules, path);
    str parent, name;

    if (module)
        return module;
    module = ARENA_NEW(sdk->arena, struct pysdk_module);
    module->path = arena_copy(sdk->arena, path);
    map_put(&sdk->modules, module->path, module);
    if (path.len) {
        bool is_deep = str_cut_last(module->path, STR("/"), &parent, &name);
        module->parent = plan_module(sdk, is_deep ? parent : STR(""));
        vec_add(&module->parent->children, module);
        map_put(&module->parent->files, is_deep ? name : module->path, sdk);
    }
    return module;
}

static str plan_path_of(struct pysdk *sdk, str token)
{
    str dotted = python_module(sdk->arena, sdk->schema, token);
    char *path = arena_cstr(sdk->arena, dotted);

    for (size_t i = 0; i < dotted.len; i++)
        if (path[i] == '.')
            path[i] = '/';
    return (str){ path, dotted.len };
}

/* Asked for every use of a type, and it takes a regular expression to find out. */
struct pysdk_module *pysdk_module_of(struct pysdk *sdk, str token)
{
    struct pysdk_module *module = map_find(&sdk->homes, token);

    if (!module) {
        module = plan_module(sdk, plan_path_of(sdk, token));
        map_put(&sdk->homes, arena_copy(sdk->arena, token), module);
    }
    return module;
}

str pysdk_take_file(struct pysdk *sdk, struct pysdk_module *module, str name, str token)
{
    while (map_has(&module->files, name))
        name = arena_concat(sdk->arena, name, STR("_"));
    map_put(&module->files, name, sdk);
    if (token.len) {
        str *place = ARENA_NEW(sdk->arena, str);
        *place = name;
        map_put(&sdk->places, token, place);
    }
    return name;
}

/* --- shapes --- */

unsigned pysdk_shapes(const struct pysdk *sdk, str token)
{
    const unsigned *shapes = map_find(&sdk->shapes, token);
    return shapes ? *shapes : 0;
}

/* Objects refer to objects, in chains of any length: those whose properties are still to be marked
 * wait in a list. */
struct plan_waiting {
    VEC(struct schema_type *);
};

static void plan_mark_object(struct pysdk *sdk, struct schema_type *type, unsigned shape,
                             struct plan_waiting *waiting)
{
    unsigned *shapes = map_find(&sdk->shapes, type->token);

    if (!shapes) {
        shapes = ARENA_NEW(sdk->arena, unsigned);
        map_put(&sdk->shapes, type->token, shapes);
    }
    if ((*shapes & shape) != shape)
        vec_add(waiting, type);
    *shapes |= shape;
}

static void plan_mark(struct pysdk *sdk, struct schema_type *type, unsigned shape,
                      struct plan_waiting *waiting)
{
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        plan_mark(sdk, type->element, shape, waiting);
    for (size_t i = 0; type->kind == TYPE_UNION && i < type->len; i++)
        plan_mark(sdk, type->members[i], shape, waiting);
    if (type->kind == TYPE_OBJECT && type->schema == sdk->schema)
        plan_mark_object(sdk, type, shape, waiting);
}

static void plan_mark_properties(struct pysdk *sdk, struct schema_properties properties,
                                 unsigned shape)
{
    struct plan_waiting waiting = { 0 };

    for (size_t i = 0; i < properties.len; i++)
        plan_mark(sdk, properties.items[i].type, shape, &waiting);
    while (waiting.len) {
        struct schema_type *type = waiting.items[--waiting.len];
        const struct schema_properties *inner = schema_type_properties(type);
        for (size_t i = 0; inner && i < inner->len; i++)
            plan_mark(sdk, inner->items[i].type, shape, &waiting);
    }
    vec_release(&waiting);
}

/* --- what there is --- */

static void plan_resource(struct pysdk *sdk, str token, const struct schema_resource *resource)
{
    struct pysdk_module *module = pysdk_module_of(sdk, token);

    vec_add(&module->resources, token);
    plan_mark_properties(sdk, resource->outputs, SHAPE_RESULT | SHAPE_STATE);
    plan_mark_properties(sdk, resource->inputs, SHAPE_ARGUMENT);
    if (resource->has_state)
        plan_mark_properties(sdk, resource->state, SHAPE_ARGUMENT);
}

static void plan_function(struct pysdk *sdk, str token, const struct schema_function *function)
{
    bool is_method = schema_function_is_method(sdk->schema, token);

    if (!is_method)
        vec_add(&pysdk_module_of(sdk, token)->functions, token);
    plan_mark_properties(sdk, function->inputs,
                         SHAPE_FUNCTION | SHAPE_PLAIN | (is_method ? SHAPE_ARGUMENT : 0U));
    plan_mark_properties(sdk, function->outputs, SHAPE_FUNCTION | SHAPE_RESULT);
    if (function->object)
        plan_mark_properties(sdk, *schema_type_properties(function->object),
                             SHAPE_FUNCTION | SHAPE_RESULT);
    if (is_method && function->result) {
        const struct schema_property single = { .type = function->result };
        plan_mark_properties(sdk, (struct schema_properties){ &single, 1 },
                             SHAPE_FUNCTION | SHAPE_RESULT);
    }
}

static void plan_members(struct pysdk *sdk)
{
    struct strs resources = schema_resource_tokens(sdk->schema);
    struct strs functions = schema_function_tokens(sdk->schema);

    /* An extension belongs to the provider of another package. */
    if (!sdk->schema->extension.is_given)
        plan_resource(sdk, schema_provider_token(sdk->schema), schema_provider(sdk->schema));
    for (size_t i = 0; i < resources.len; i++) {
        const struct schema_resource *resource = schema_resource(sdk->schema, resources.items[i]);
        if (resource)
            plan_resource(sdk, resources.items[i], resource);
    }
    for (size_t i = 0; i < functions.len; i++) {
        const struct schema_function *function = schema_function(sdk->schema, functions.items[i]);
        if (function)
            plan_function(sdk, functions.items[i], function);
    }
}

static bool plan_replaces(struct schema_properties properties)
{
    for (size_t i = 0; i < properties.len; i++)
        if (properties.items[i].replaces)
            return true;
    return false;
}

struct strs pysdk_replace_paths(struct pysdk *sdk, struct arena *arena,
                                const struct schema_resource *resource)
{
    if (!sdk->types_replace && !plan_replaces(resource->outputs))
        return (struct strs){ 0 };
    return schema_replace_paths(arena, resource);
}

static void plan_types(struct pysdk *sdk)
{
    struct strs types = schema_type_tokens(sdk->schema);

    for (size_t i = 0; i < types.len; i++) {
        struct schema_type *type = schema_named_type(sdk->schema, types.items[i]);
        const struct schema_properties *properties = type ? schema_type_properties(type) : NULL;
        sdk->types_replace |= properties && plan_replaces(*properties);
        if (!type || type->is_overlay)
            continue;
        if (type->kind == TYPE_ENUM)
            vec_add(&pysdk_module_of(sdk, types.items[i])->enums, types.items[i]);
        else if (pysdk_shapes(sdk, types.items[i]))
            vec_add(&pysdk_module_of(sdk, types.items[i])->objects, types.items[i]);
    }
}

/* Overlays may have folders of their own; their Python files are names of those. */
static void plan_extra_files(struct pysdk *sdk)
{
    for (size_t i = 0; i < sdk->request->extra_files.len; i++) {
        str path = sdk->request->extra_files.items[i].key;
        if (!str_ends_with(path, STR(".py")))
            continue;
        str folder = fs_path_directory(path), name = fs_path_name(path);
        struct pysdk_module *module =
            plan_module(sdk, str_equal(folder, STR(".")) ? STR("") : folder);
        name = str_slice(name, 0, name.len - 3);
        if (str_equal(name, STR("__init__")) || map_has(&module->files, name))
            continue;
        map_put(&module->files, name, sdk);
        vec_add(&module->exports, name);
    }
}

/* Files that modules have besides those of their members. */
static void plan_reserve_files(struct pysdk *sdk)
{
    static const char *const names[] = { "_utilities", "_inputs", "_enums", "outputs" };
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);) {
        struct pysdk_module *module = entry->value;
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            map_put(&module->files, str_from(names[k]), sdk);
    }
}

static void plan_file_names(struct pysdk *sdk)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);) {
        struct pysdk_module *module = entry->value;
        for (size_t k = 0; k < module->resources.len; k++) {
            str token = module->resources.items[k];
            const struct schema_resource *resource = schema_resource(sdk->schema, token);
            str name = resource->is_provider ? STR("provider")
                       : sdk->is_kubernetes  ? python_class_name(sdk->arena, schema_member(token))
                                             : python_member(sdk->arena, token);
            if (!resource->is_overlay)
                vec_add(&module->exports, pysdk_take_file(sdk, module, name, token));
        }
    }
}

static int plan_compare_modules(const void *a, const void *b)
{
    return str_compare((*(struct pysdk_module *const *)a)->path,
                       (*(struct pysdk_module *const *)b)->path);
}

void pysdk_plan(struct pysdk *sdk)
{
    struct schema_properties config = schema_config(sdk->schema);
    const struct map_entry *entry;

    plan_module(sdk, STR(""));
    if (config.len && !sdk->is_kubernetes)
        plan_module(sdk, STR("config"))->has_config = true;
    plan_mark_properties(sdk, config, SHAPE_RESULT);
    plan_members(sdk);
    plan_types(sdk);
    plan_reserve_files(sdk);
    plan_extra_files(sdk);
    plan_file_names(sdk);
    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);) {
        struct pysdk_module *module = entry->value;
        if (module->children.len > 1)
            qsort(module->children.items, module->children.len, sizeof(module->children.items[0]),
                  plan_compare_modules);
    }
}

void pysdk_release(struct pysdk *sdk)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&sdk->modules, &i, &entry);) {
        struct pysdk_module *module = entry->value;
        vec_release(&module->resources);
        vec_release(&module->functions);
        vec_release(&module->objects);
        vec_release(&module->enums);
        vec_release(&module->children);
        vec_release(&module->exports);
        map_release(&module->files);
    }
    map_release(&sdk->modules);
    map_release(&sdk->homes);
    map_release(&sdk->shapes);
    map_release(&sdk->places);
}
