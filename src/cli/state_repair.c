/* state_repair.c — topological order and removal of dangling links. */
#include "cli/state_repair.h"

#include "base/map.h"
#include "model/resource_links.h"
#include "model/urn.h"

/* --- order --- */

enum mark { UNSEEN, OPEN, DONE };

struct sorting {
    const struct snapshot *snapshot;
    struct map live;    /* URN → index + 1 */
    struct map deleted; /* the copies marked for deletion */
    enum mark *marks;
    struct resource **sorted;
    size_t count;
};

/* A name with two copies means the one of the same kind as whoever refers to it. */
static size_t target(const struct sorting *sorting, const struct resource *from, str urn)
{
    const struct map *first = from->is_delete ? &sorting->deleted : &sorting->live;
    const struct map *second = from->is_delete ? &sorting->live : &sorting->deleted;
    uintptr_t found = (uintptr_t)map_find(first, urn);

    return found ? found : (uintptr_t)map_find(second, urn);
}

static fallible visit(struct sorting *sorting, size_t index)
{
    struct resource *resource = sorting->snapshot->resources[index];
    struct link_cursor cursor = { 0 };
    struct link link;

    if (sorting->marks[index] == DONE)
        return NULL;
    if (sorting->marks[index] == OPEN)
        return error_new(ERROR_INVALID, "snapshot has cyclic dependencies");
    sorting->marks[index] = OPEN;
    while (resource_link_next(resource, &cursor, &link)) {
        size_t found = target(sorting, resource, link.urn);
        if (found && found - 1 != index)
            TRY(visit(sorting, found - 1));
    }
    sorting->marks[index] = DONE;
    sorting->sorted[sorting->count++] = resource;
    return NULL;
}

static fallible sort(struct arena *arena, struct snapshot *snapshot)
{
    struct sorting sorting = { .snapshot = snapshot };
    struct error *failure = NULL;

    sorting.marks = ARENA_ARRAY(arena, enum mark, snapshot->resource_count);
    sorting.sorted = ARENA_ARRAY(arena, struct resource *, snapshot->resource_count);
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        struct resource *resource = snapshot->resources[i];
        map_put(resource->is_delete ? &sorting.deleted : &sorting.live, resource->urn, (void *)(uintptr_t)(i + 1));
    }
    for (size_t i = 0; i < snapshot->resource_count && !failure; i++)
        failure = visit(&sorting, i);
    map_release(&sorting.live);
    map_release(&sorting.deleted);
    if (!failure)
        snapshot->resources = sorting.sorted;
    return failure;
}

/* --- links --- */

struct pruning {
    struct map seen; /* old URN → str *, what it is called now */
};

static str prune_link(void *pruning_, struct link link)
{
    const struct pruning *pruning = pruning_;
    const str *now = map_find(&pruning->seen, link.urn);

    if (now)
        return *now;
    return link.kind == LINK_PROVIDER || link.kind == LINK_VIEW_OF ? link.urn : STR("");
}

static void prune(struct arena *arena, struct snapshot *snapshot)
{
    struct pruning pruning = { 0 };

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        struct resource *resource = snapshot->resources[i];
        struct resource *pruned = resource_rewrite_links(arena, resource, prune_link, &pruning, true);
        str *name = ARENA_NEW(arena, str);
        *name = resource->urn;
        if (!str_equal(pruned->parent, resource->parent)) {
            *name = urn_make(arena, urn_stack_of(resource->urn), urn_project_of(resource->urn), pruned->parent,
                             resource->type, urn_name_of(resource->urn));
            pruned->urn = *name;
        }
        map_put(&pruning.seen, resource->urn, name);
        snapshot->resources[i] = pruned;
    }
    map_release(&pruning.seen);
}

fallible state_repair(struct arena *arena, struct snapshot *snapshot)
{
    TRY(sort(arena, snapshot));
    prune(arena, snapshot);
    return NULL;
}
