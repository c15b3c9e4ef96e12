/* schema_paths.c — which properties of a resource replace it when they change: a.b, list[*].c,
 * map.*.d. */
#include "schema/schema_package.h"

#include "base/vec.h"

enum { MAX_DEPTH = 64 };

/* An object that a resource has anywhere, and whether something in it, however deep, replaces the
 * resource. Without that, types that refer to each other have more paths than anybody can walk. */
struct lead {
    struct schema_type *object;
    bool is_found;
    struct lead_user *users; /* who has it */
};

struct lead_user {
    struct lead *lead;
    struct lead_user *next;
};

struct reachable {
    struct arena *arena;
    struct map leads; /* token → struct lead */
    VEC(struct lead *);
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
    const struct lead *found = object ? map_find(leads, object->token) : NULL;

    return found && found->is_found;
}

static struct lead *reachable_lead(struct reachable *reachable, struct schema_type *object)
{
    struct lead *lead = map_find(&reachable->leads, object->token);

    if (lead)
        return lead;
    lead = ARENA_NEW(reachable->arena, struct lead);
    lead->object = object;
    map_put(&reachable->leads, object->token, lead);
    vec_add(reachable, lead);
    return lead;
}

/* `user`: whose properties they are; NULL: the resource's own. */
static void reachable_add(struct reachable *reachable, struct lead *user,
                          const struct schema_properties *properties)
{
    for (size_t i = 0; properties && i < properties->len; i++) {
        struct schema_type *object = reachable_object(properties->items[i].type);
        if (!object)
            continue;
        struct lead *lead = reachable_lead(reachable, object);
        if (!user)
            continue;
        struct lead_user *link = ARENA_NEW(reachable->arena, struct lead_user);
        *link = (struct lead_user){ user, lead->users };
        lead->users = link;
    }
}

static bool replaces_itself(const struct schema_properties *properties)
{
    for (size_t i = 0; properties && i < properties->len; i++)
        if (properties->items[i].replaces)
            return true;
    return false;
}

/* What leads somewhere makes all that have it lead there. */
static void reachable_find(struct reachable *reachable, const struct schema_properties *properties)
{
    struct {
        VEC(struct lead *);
    } found = { 0 };

    reachable_add(reachable, NULL, properties);
    for (size_t i = 0; i < reachable->len; i++) {
        struct lead *lead = reachable->items[i];
        const struct schema_properties *own = schema_type_properties(lead->object);
        reachable_add(reachable, lead, own);
        lead->is_found = replaces_itself(own);
        if (lead->is_found)
            vec_add(&found, lead);
    }
    for (size_t i = 0; i < found.len; i++)
        for (struct lead_user *user = found.items[i]->users; user; user = user->next) {
            if (user->lead->is_found)
                continue;
            user->lead->is_found = true;
            vec_add(&found, user->lead);
        }
    vec_release(&found);
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
