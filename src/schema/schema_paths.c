/* schema_paths.c — which properties of a resource replace it when they change: a.b, list[*].c,
 * map.*.d. */
#include "schema/schema_package.h"

#include "base/vec.h"

enum { MAX_DEPTH = 64 };

struct walk {
    struct arena *arena;
    const struct schema_type
        *inside[MAX_DEPTH]; /* types of the properties on the way: some contain themselves */
    size_t depth;
    VEC(str);
};

static str walk_path_of(struct walk *walk, str before, const struct schema_property *property)
{
    str more = property->type->kind == TYPE_ARRAY ? STR("[*]")
               : property->type->kind == TYPE_MAP ? STR(".*")
                                                  : STR("");

    return arena_concat(walk->arena, before, before.len ? STR(".") : STR(""), property->name, more);
}

static bool walk_is_inside(const struct walk *walk, const struct schema_type *type)
{
    for (size_t i = 0; i < walk->depth; i++)
        if (walk->inside[i] == type)
            return true;
    return walk->depth == MAX_DEPTH;
}

static void walk_schema_properties(struct walk *walk, str path,
                                   const struct schema_properties *properties)
{
    for (size_t i = 0; properties && i < properties->len; i++) {
        const struct schema_property *property = &properties->items[i];
        struct schema_type *type = property->type;
        str here = walk_path_of(walk, path, property);
        if (property->replaces) {
            vec_add(walk, here);
            continue;
        }
        if (walk_is_inside(walk, schema_type_definition(type)))
            continue;
        walk->inside[walk->depth++] = schema_type_definition(type);
        while (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
            type = type->element;
        walk_schema_properties(walk, here,
                               type->kind == TYPE_OBJECT ? schema_type_properties(type) : NULL);
        walk->depth--;
    }
}

struct strs schema_replace_paths(struct arena *arena, const struct schema_resource *resource)
{
    struct walk walk = { .arena = arena };

    walk_schema_properties(&walk, STR(""), &resource->outputs);
    struct strs paths = { arena_copy_bytes(arena, walk.items, walk.len * sizeof(*walk.items)),
                          walk.len };
    vec_release(&walk);
    return paths;
}
