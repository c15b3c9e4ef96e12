/* schema_paths.c — which properties of a resource replace it when they change: a.b, list[*].c,
 * map.*.d. */
#include "schema/schema_package.h"

#include "base/vec.h"

enum { MAX_DEPTH = 64 };

/* Objects that a resource has anywhere, and whether something in them, however deep, replaces it.
 * Without that, types that refer to each other have more paths than anybody can walk. */
struct reachable {
    struct arena *arena;
    struct map leads; /* token → bool * */
    VEC(struct schema_type *);
};

struct walk {
    struct arena *arena;
    const struct map *leads;
    const struct schema_type
        *inside[MAX_DEPTH]; /* types of the properties on the way: some contain themselves */
    size_t depth;
    VEC(str);
};

static struct schema_type *reachable_object(struct schema_type *type)
{
    while (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
        type = type->element;
    return type->kind == TYPE_OBJECT ? type : NULL;
}

static bool reachable_leads(const struct map *leads, struct schema_type *type)
{
    struct schema_type *object = reachable_object(type);
    const bool *found = object ? map_find(leads, object->token) : NULL;

    return found && *found;
}

static void reachable_add(struct reachable *reachable, const struct schema_properties *properties)
{
    for (size_t i = 0; properties && i < properties->len; i++) {
        struct schema_type *object = reachable_object(properties->items[i].type);
        if (!object || map_has(&reachable->leads, object->token))
            continue;
        map_put(&reachable->leads, object->token, ARENA_NEW(reachable->arena, bool));
        vec_add(reachable, object);
    }
}

static bool reachable_object_leads(const struct reachable *reachable, struct schema_type *object)
{
    const struct schema_properties *properties = schema_type_properties(object);

    for (size_t i = 0; properties && i < properties->len; i++)
        if (properties->items[i].replaces
            || reachable_leads(&reachable->leads, properties->items[i].type))
            return true;
    return false;
}

/* Goes round until nothing is new: what leads somewhere makes all that have it lead there. */
static void reachable_find(struct reachable *reachable, const struct schema_properties *properties)
{
    bool has_changed = true;

    reachable_add(reachable, properties);
    for (size_t i = 0; i < reachable->len; i++)
        reachable_add(reachable, schema_type_properties(reachable->items[i]));
    while (has_changed) {
        has_changed = false;
        for (size_t i = reachable->len; i > 0; i--) {
            bool *leads = map_find(&reachable->leads, reachable->items[i - 1]->token);
            if (*leads || !reachable_object_leads(reachable, reachable->items[i - 1]))
                continue;
            *leads = true;
            has_changed = true;
        }
    }
}

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
        if (property->replaces) {
            vec_add(walk, walk_path_of(walk, path, property));
            continue;
        }
        if (!reachable_leads(walk->leads, type)
            || walk_is_inside(walk, schema_type_definition(type)))
            continue;
        walk->inside[walk->depth++] = schema_type_definition(type);
        walk_schema_properties(walk, walk_path_of(walk, path, property),
                               schema_type_properties(reachable_object(type)));
        walk->depth--;
    }
}

struct strs schema_replace_paths(struct arena *arena, const struct schema_resource *resource)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct reachable reachable = { .arena = &scratch };
    struct walk walk = { .arena = arena, .leads = &reachable.leads };

    reachable_find(&reachable, &resource->outputs);
    walk_schema_properties(&walk, STR(""), &resource->outputs);
    struct strs paths = { arena_copy_bytes(arena, walk.items, walk.len * sizeof(*walk.items)),
                          walk.len };
    vec_release(&walk);
    vec_release(&reachable);
    map_release(&reachable.leads);
    return paths;
}
