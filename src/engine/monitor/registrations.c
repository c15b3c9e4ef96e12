/* registrations.c — which registrations are under way below which parent: an invoke that depends on
 * a component waits for what is still coming. */
#include "engine/monitor/monitor.h"

struct work_group *registrations_begin(struct monitor *monitor, str parent)
{
    struct arena *arena = monitor->arena;
    struct work_group *group = map_find(&monitor->in_flight, parent);

    if (!group) {
        group = ARENA_NEW(arena, struct work_group);
        map_put(&monitor->in_flight, arena_copy(arena, parent), group);
    }
    work_group_add(group, 1);
    return group;
}

void registrations_end(struct work_group *under_way)
{
    if (under_way)
        work_group_done(under_way);
}

static bool registrations_is_below(const struct monitor *monitor, const struct remembered *resource,
                                   str ancestor)
{
    for (const struct remembered *at = resource; at; at = monitor_recall(monitor, at->parent))
        if (str_equal(at->parent, ancestor))
            return true;
    return false;
}

static bool has_unresolved_below(const struct monitor *monitor, str component)
{
    const struct map_entry *entry;

    for (size_t cursor = 0; map_next(&monitor->remembered, &cursor, &entry);) {
        const struct remembered *resource = entry->value;
        if (resource->is_custom && !resource->has_id
            && registrations_is_below(monitor, resource, component))
            return true;
    }
    return false;
}

/* Until nothing is being registered in the component or below it; what comes may bring more. */
static fallible wait_for_children(struct monitor *monitor, str component)
{
    const struct map_entry *entry;
    bool has_waited = true;

    while (has_waited) {
        has_waited = false;
        for (size_t cursor = 0; map_next(&monitor->in_flight, &cursor, &entry) && !has_waited;) {
            struct work_group *group = entry->value;
            const struct remembered *parent = monitor_recall(monitor, entry->key);
            bool is_inside = str_equal(entry->key, component)
                             || (parent && registrations_is_below(monitor, parent, component));
            if (!is_inside || group->count == 0)
                continue;
            has_waited = true;
            TRY(work_group_wait(group));
        }
    }
    return NULL;
}

fallible registrations_has_unresolved(struct monitor *monitor, struct strs urns, bool *out)
{
    *out = false;
    for (size_t i = 0; i < urns.len && !*out; i++) {
        const struct remembered *resource = monitor_recall(monitor, urns.items[i]);
        if (!resource)
            continue;
        if (!resource->is_custom)
            TRY(wait_for_children(monitor, urns.items[i]));
        *out =
            resource->is_custom ? !resource->has_id : has_unresolved_below(monitor, urns.items[i]);
    }
    return NULL;
}
