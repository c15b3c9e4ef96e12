/* registrations.c — who is being registered below whom: an invoke that depends on a component waits for what is still
 * coming. */
#include "engine/monitor/monitor.h"

#include "engine/deployment.h"

void registrations_begin(struct monitor *monitor, struct registration *reg)
{
    (void)reg;
    work_group_add(&monitor->in_flight, 1);
}

void registrations_end(struct monitor *monitor, struct registration *reg)
{
    (void)reg;
    work_group_done(&monitor->in_flight);
}

static bool is_below(const struct monitor *monitor, const struct remembered *resource, str ancestor)
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
        if (resource->is_custom && !resource->has_id && is_below(monitor, resource, component))
            return true;
    }
    return false;
}

struct error *registrations_has_unresolved(struct monitor *monitor, struct strs urns, bool *out)
{
    *out = false;
    for (size_t i = 0; i < urns.len && !*out; i++) {
        const struct remembered *resource = monitor_recall(monitor, urns.items[i]);
        if (!resource)
            continue;
        *out = resource->is_custom ? !resource->has_id : has_unresolved_below(monitor, urns.items[i]);
    }
    return NULL;
}
