/* reseal.c — copies resources with secrets that have a plaintext only. */
#include "cli/reseal.h"

static struct value forget(struct arena *arena, struct value value)
{
    if (value.kind == VALUE_SECRET)
        return value_secret(arena, forget(arena, value.secret->element));
    if (value.kind == VALUE_ARRAY) {
        struct value *items = ARENA_ARRAY(arena, struct value, value.len);
        for (size_t i = 0; i < value.len; i++)
            items[i] = forget(arena, value.items[i]);
        value.items = items;
    } else if (value.kind == VALUE_OBJECT) {
        struct member *members = ARENA_ARRAY(arena, struct member, value.len);
        for (size_t i = 0; i < value.len; i++)
            members[i] = (struct member){ value.members[i].key, forget(arena, value.members[i].value) };
        value.members = members;
    }
    return value;
}

static struct resource *reopened(struct arena *arena, const struct resource *resource)
{
    struct resource *copy = resource_copy(arena, resource);

    copy->inputs = forget(arena, copy->inputs);
    copy->outputs = forget(arena, copy->outputs);
    copy->options.replacement_trigger = forget(arena, copy->options.replacement_trigger);
    return copy;
}

void reseal_forget(struct arena *arena, struct snapshot *snapshot)
{
    struct pending_operation *pending = ARENA_ARRAY(arena, struct pending_operation, snapshot->pending_count);

    for (size_t i = 0; i < snapshot->resource_count; i++)
        snapshot->resources[i] = reopened(arena, snapshot->resources[i]);
    for (size_t i = 0; i < snapshot->pending_count; i++)
        pending[i] =
            (struct pending_operation){ reopened(arena, snapshot->pending[i].resource), snapshot->pending[i].kind };
    snapshot->pending = pending;
}
