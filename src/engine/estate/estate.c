/* estate.c — the states before this run, and those that the run has recorded. */
#include "engine/estate/estate.h"

void estate_init(struct estate *estate, struct arena *arena)
{
    *estate = (struct estate){ .arena = arena, .fates.arena = arena };
}

static void estate_release_base(struct estate *estate)
{
    map_release(&estate->olds);
    map_release(&estate->all_olds);
    map_release(&estate->views);
    map_release(&estate->replaced_views);
    map_release(&estate->old_companions);
}

void estate_release(struct estate *estate)
{
    estate_release_base(estate);
    map_release(&estate->news);
    map_release(&estate->new_companions);
    map_release(&estate->reads);
    map_release(&estate->imported);
    fates_release(&estate->fates);
}

/* Index: URN → struct resources *. */
static void estate_add_to(struct estate *estate, struct map *index, str urn,
                          struct resource *resource)
{
    struct resources *list = map_find(index, urn);

    if (!list) {
        list = ARENA_NEW(estate->arena, struct resources);
        map_put(index, urn, list);
    }
    list->items = arena_grow(estate->arena, list->items, list->len, sizeof(struct resource *));
    list->items[list->len++] = resource;
}

static void estate_index_view(struct estate *estate, struct resource *view)
{
    estate_add_to(estate, view->is_delete ? &estate->replaced_views : &estate->views, view->view_of,
                  view);
}

static void estate_index_companion(struct estate *estate, struct map *index, struct resource *state)
{
    const struct resource_options *options = &state->options;

    if (options->deleted_with.len)
        estate_add_to(estate, index, options->deleted_with, state);
    for (size_t i = 0; i < options->replace_with.len; i++)
        estate_add_to(estate, index, options->replace_with.items[i], state);
}

/* What was recorded before has another place in the new base, which its state there knows:
 * test_plan_refresh.c: what_was_read_before_has_its_new_place. */
static void estate_move_news(struct estate *estate)
{
    struct map before = estate->news;
    const struct map_entry *entry;

    map_release(&estate->new_companions);
    estate->news = (struct map){ 0 };
    for (size_t cursor = 0; map_next(&before, &cursor, &entry);) {
        struct resource *now = estate_old(estate, entry->key);
        if (now)
            estate_add_new(estate, now);
    }
    map_release(&before);
}

void estate_set_base(struct estate *estate, struct resource **resources, size_t count)
{
    estate_release_base(estate);
    estate->base = (struct resources){ resources, count };
    for (size_t i = 0; i < count; i++) {
        struct resource *resource = resources[i];
        resource->base_index_plus_one = i + 1;
        resource->operation_id = 0;
        map_put(&estate->all_olds, resource->urn, resource);
        if (resource->view_of.len)
            estate_index_view(estate, resource);
        if (resource->is_delete)
            continue;
        map_put(&estate->olds, resource->urn, resource);
        estate_index_companion(estate, &estate->old_companions, resource);
    }
    estate->graph = graph_new(estate->arena, resources, count);
    estate_move_news(estate);
}

void estate_add_new(struct estate *estate, struct resource *state)
{
    map_put(&estate->news, state->urn, state);
    estate_index_companion(estate, &estate->new_companions, state);
}

struct resource *estate_old(const struct estate *estate, str urn)
{
    return map_find(&estate->olds, urn);
}

struct resource *estate_new(const struct estate *estate, str urn)
{
    return map_find(&estate->news, urn);
}

struct resource *estate_refreshed(struct resource *old)
{
    return old->refreshed ? old->refreshed : old;
}

static str identity(struct arena *arena, const struct resource *resource)
{
    return arena_concat(arena, resource->type, STR("\n"), resource->provider, STR("\n"),
                        resource->id);
}

void estate_note_import(struct estate *estate, struct resource *state)
{
    map_put(&estate->imported, identity(estate->arena, state), state);
}

/* What was imported may have been replaced since: test_plan_import.c:
 * what_was_imported_and_replaced_is_deleted. */
bool estate_is_taken_over(const struct estate *estate, const struct resource *old)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct resource *found =
        estate->imported.len ? map_find(&estate->imported, identity(&scratch, old)) : NULL;

    found = found ? estate_new(estate, found->urn) : NULL;
    return found && str_equal(found->id, old->id)
           && (old->is_delete || !str_equal(found->urn, old->urn));
}

struct resource *estate_current(const struct estate *estate, str urn)
{
    struct resource *found = estate_new(estate, urn);

    return found ? found : map_find(&estate->reads, urn);
}

bool estate_had(const struct estate *estate, str urn)
{
    return map_has(&estate->all_olds, urn);
}

/* Views name their owner as the base has it: test_plan_alias.c:
 * views_are_known_by_the_former_name_of_their_owner. */
static struct provider_views views_in(const struct map *index, const struct resource *owner)
{
    const struct resources *views =
        map_find(index, owner->aliases.len ? owner->aliases.items[0] : owner->urn);

    return views ? (struct provider_views){ views->items, views->len }
                 : (struct provider_views){ 0 };
}

struct provider_views estate_views(const struct estate *estate, const struct resource *owner)
{
    return views_in(&estate->views, owner);
}

struct provider_views estate_replaced_views(const struct estate *estate,
                                            const struct resource *owner)
{
    return views_in(&estate->replaced_views, owner);
}

/* Those that still stand for their URN. */
static struct resources companions_in(const struct map *index, const struct map *states,
                                      struct arena *arena, str urn)
{
    const struct resources *all = map_find(index, urn);
    struct resource **current = all ? ARENA_ARRAY(arena, struct resource *, all->len) : NULL;
    size_t len = 0;

    for (size_t i = 0; all && i < all->len; i++)
        if (map_find(states, all->items[i]->urn) == all->items[i])
            current[len++] = all->items[i];
    return (struct resources){ current, len };
}

struct resources estate_old_companions(const struct estate *estate, struct arena *arena, str urn)
{
    return companions_in(&estate->old_companions, &estate->olds, arena, urn);
}

struct resources estate_new_companions(const struct estate *estate, struct arena *arena, str urn)
{
    return companions_in(&estate->new_companions, &estate->news, arena, urn);
}

bool estate_refreshes_before_update(const struct estate *estate)
{
    for (size_t i = 0; i < estate->base.len; i++)
        if (estate->base.items[i]->refreshes_before_update)
            return true;
    return false;
}
