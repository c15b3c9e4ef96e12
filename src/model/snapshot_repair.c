/* snapshot_repair.c — topological order and removal of dangling references. */
#include "model/snapshot_repair.h"

#include "base/map.h"
#include "base/vec.h"
#include "model/resource_links.h"
#include "model/urn.h"

/* --- order --- */

enum mark { UNSEEN, OPEN, DONE };

/* A resource whose references are being followed. Chains of dependencies are as long as the stack
 * is large, so they are followed on a list of these and not by recursion. */
struct visit {
    size_t index;
    struct link_cursor cursor;
};

struct sorting {
    const struct snapshot *snapshot;
    struct map live; /* URN, also a former one → struct resource **, its place in the snapshot */
    struct map deleted;
    struct map providers; /* reference → struct resource **: it names one of several instances */
    bool goes_by_place;   /* what is to be deleted may mean what is live */
    enum mark *marks;
    struct {
        VEC(struct visit);
    } visits;
    struct resource **sorted;
    size_t sorted_len;
};

static void sorting_release(struct sorting *sorting)
{
    map_release(&sorting->live);
    map_release(&sorting->deleted);
    map_release(&sorting->providers);
    vec_release(&sorting->visits);
}

/* Of two copies what is to be deleted usually means the one that is to be deleted, too. It was made
 * with one that was live then, which may still be live: test_snapshot.c:
 * what_is_to_be_deleted_may_need_what_is_live. */
static struct resource **deleted_or_live(const struct sorting *sorting, struct resource **from,
                                         struct resource **deleted, struct resource **live)
{
    return sorting->goes_by_place && live < from && from < deleted ? live : deleted;
}

/* The place of the copy that the one at `from` means, or NULL. */
static struct resource **sorting_resolve(const struct sorting *sorting, struct resource **from,
                                         const struct link *link)
{
    struct resource **live = map_find(&sorting->live, link->urn),
                    **deleted = map_find(&sorting->deleted, link->urn);

    if (link->kind == LINK_PROVIDER && map_has(&sorting->providers, (*from)->provider))
        return map_find(&sorting->providers, (*from)->provider);
    if (live && deleted)
        return (*from)->is_delete ? deleted_or_live(sorting, from, deleted, live) : live;
    return live ? live : deleted;
}

static fallible sorting_enter(struct sorting *sorting, size_t index)
{
    struct visit visit = { .index = index };

    if (sorting->marks[index] == DONE)
        return NULL;
    if (sorting->marks[index] == OPEN)
        return error_new(ERROR_INVALID, "snapshot has cyclic dependencies");
    sorting->marks[index] = OPEN;
    vec_add(&sorting->visits, visit);
    return NULL;
}

/* Everything a resource refers to, transitively, and then the resource. */
static fallible visit_all(struct sorting *sorting, size_t start)
{
    TRY(sorting_enter(sorting, start));
    while (sorting->visits.len) {
        struct visit *visit = &sorting->visits.items[sorting->visits.len - 1];
        struct resource **place = &sorting->snapshot->resources[visit->index];
        struct link link;
        if (resource_link_next(*place, &visit->cursor, &link)) {
            struct resource **found = sorting_resolve(sorting, place, &link);
            if (found)
                TRY(sorting_enter(sorting, (size_t)(found - sorting->snapshot->resources)));
            continue;
        }
        sorting->marks[visit->index] = DONE;
        sorting->sorted[sorting->sorted_len++] = *place;
        sorting->visits.len--;
    }
    return NULL;
}

/* Others may still refer to its former names: test_plan_refresh.c:
 * what_others_refer_to_comes_before_them_under_its_new_name. */
static void note_former_names(struct sorting *sorting, struct resource **place)
{
    struct strs aliases = (*place)->aliases;

    for (size_t i = 0; i < aliases.len; i++)
        map_put(&sorting->live, aliases.items[i], place);
}

static void note_name(struct sorting *sorting, struct arena *arena, struct resource **place)
{
    const struct resource *resource = *place;

    map_put(resource->is_delete ? &sorting->deleted : &sorting->live, resource->urn, place);
    if (type_is_provider(resource->type))
        map_put(&sorting->providers, provider_ref_format(arena, resource->urn, resource->id),
                place);
}

static fallible sort_all(struct sorting *sorting)
{
    size_t count = sorting->snapshot->resource_count;

    for (size_t i = 0; i < count; i++)
        sorting->marks[i] = UNSEEN;
    sorting->visits.len = 0;
    sorting->sorted_len = 0;
    for (size_t i = 0; i < count; i++)
        TRY(visit_all(sorting, i));
    return NULL;
}

fallible snapshot_sort(struct arena *arena, struct snapshot *snapshot)
{
    CLEANUP(sorting_release) struct sorting sorting = { .snapshot = snapshot };
    size_t count = snapshot->resource_count;

    sorting.marks = ARENA_ARRAY(arena, enum mark, count);
    sorting.sorted = ARENA_ARRAY(arena, struct resource *, count);
    for (size_t i = 0; i < count; i++)
        note_former_names(&sorting, &snapshot->resources[i]);
    for (size_t i = 0; i < count; i++)
        note_name(&sorting, arena, &snapshot->resources[i]);
    struct error *circle = sort_all(&sorting);
    if (circle) {
        error_ignore(circle, "another reading of the same references may be without it");
        sorting.goes_by_place = true;
        TRY(sort_all(&sorting));
    }
    snapshot->resources = sorting.sorted;
    return NULL;
}

/* --- references --- */

/* What has been seen: URN before → URN now, as `str *`. */
static str keep_seen(void *seen, struct link link)
{
    const str *now = map_find(seen, link.urn);

    if (now)
        return *now;
    return link.kind == LINK_PROVIDER || link.kind == LINK_VIEW_OF ? link.urn : STR("");
}

/* The parent's types are part of the name, so it is made again whenever there was a parent. */
static str name_now(struct arena *arena, const struct resource *before,
                    const struct resource *after)
{
    struct urn urn;
    struct error *error = before->parent.len ? urn_parse(before->urn, &urn) : NULL;

    if (error) {
        error_ignore(error, "what has no types in its name keeps its name");
        return before->urn;
    }
    if (before->parent.len == 0)
        return before->urn;
    return urn_make(arena, urn.stack, urn.project, after->parent, urn_type(&urn), urn.name);
}

static void prune(struct arena *arena, struct snapshot *snapshot)
{
    CLEANUP(map_release) struct map seen = { 0 };

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        struct resource *before = snapshot->resources[i];
        struct resource *after = resource_rewrite_links(arena, before, keep_seen, &seen, true);
        str now = name_now(arena, before, after);
        if (!str_equal(now, before->urn)) {
            after = resource_clone_shallow(arena, after);
            after->urn = now;
        }
        map_put(&seen, before->urn, arena_copy_bytes(arena, &now, sizeof(now)));
        snapshot->resources[i] = after;
    }
}

fallible snapshot_repair(struct arena *arena, struct snapshot *snapshot)
{
    TRY(snapshot_sort(arena, snapshot));
    prune(arena, snapshot);
    return NULL;
}
