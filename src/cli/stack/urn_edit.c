/* urn_edit.c — walks everything in a resource that may name another. */
#include "cli/stack/urn_edit.h"

#include "fiber/fiber.h"
#include "model/resource_links.h"
#include "model/urn.h"

struct edit {
    struct arena *arena;
    urn_mapping *map;
    void *context;
};

static enum rule_verdict edit_reference(void *edit_, struct arena *arena, struct value *value)
{
    const struct edit *edit = edit_;

    if (value->kind != VALUE_REFERENCE)
        return RULE_KEPT;
    str urn = edit->map(edit->context, value->reference->urn);
    if (!str_equal(urn, value->reference->urn)) {
        struct reference *reference =
            arena_copy_bytes(arena, value->reference, sizeof(*value->reference));
        reference->urn = urn;
        value->reference = reference;
    }
    return RULE_LEFT;
}

static struct value edit_value(struct edit *edit, struct value value)
{
    return value_rewrite(edit->arena, edit_reference, edit, value);
}

static str edit_link(void *edit_, struct link link)
{
    const struct edit *edit = edit_;

    return edit->map(edit->context, link.urn);
}

static struct resource *edit_resource(struct arena *arena, struct resource *resource,
                                      urn_mapping *map, void *context, bool drops_empty)
{
    struct edit edit = { arena, map, context };
    struct resource *edited =
        resource_rewrite_links(arena, resource, edit_link, &edit, drops_empty);
    str urn = map(context, resource->urn);
    struct value inputs = edit_value(&edit, resource->inputs),
                 outputs = edit_value(&edit, resource->outputs);
    bool is_same = str_equal(urn, resource->urn)
                   && memcmp(&inputs, &resource->inputs, sizeof(inputs)) == 0
                   && memcmp(&outputs, &resource->outputs, sizeof(outputs)) == 0;

    if (is_same)
        return edited;
    if (edited == resource)
        edited = resource_clone_shallow(arena, resource);
    edited->urn = urn;
    edited->inputs = inputs;
    edited->outputs = outputs;
    return edited;
}

struct call {
    struct arena *arena;
    struct resource *resource;
    urn_mapping *map;
    void *context;
    bool drops_empty;
};

static void run_call(void *call_)
{
    struct call *call = call_;

    call->resource =
        edit_resource(call->arena, call->resource, call->map, call->context, call->drops_empty);
}

/* Properties may be nested deeper than a fiber's stack allows to follow them. */
struct resource *urn_edit_resource(struct arena *arena, struct resource *resource, urn_mapping *map,
                                   void *context, bool drops_empty)
{
    struct call call = { arena, resource, map, context, drops_empty };

    fiber_on_main_stack(run_call, &call);
    return call.resource;
}

void urn_edit_snapshot(struct arena *arena, struct snapshot *snapshot, urn_mapping *map,
                       void *context)
{
    struct resource **resources = ARENA_ARRAY(arena, struct resource *, snapshot->resource_count);
    struct pending_operation *pending =
        ARENA_ARRAY(arena, struct pending_operation, snapshot->pending_count);

    for (size_t i = 0; i < snapshot->resource_count; i++)
        resources[i] = urn_edit_resource(arena, snapshot->resources[i], map, context, false);
    for (size_t i = 0; i < snapshot->pending_count; i++) {
        pending[i] = snapshot->pending[i];
        pending[i].resource = urn_edit_resource(arena, pending[i].resource, map, context, false);
    }
    snapshot->resources = resources;
    snapshot->pending = pending;
}

str urn_edit_stack(struct arena *arena, str urn, str project, str stack)
{
    struct urn parts;
    struct error *failure = urn_parse(urn, &parts);

    if (failure) {
        error_ignore(failure, "what is no URN names no stack");
        return urn;
    }
    parts.stack = stack;
    parts.project = project;
    if (str_equal(parts.qualified_type, ROOT_STACK_TYPE))
        parts.name = arena_concat(arena, project, STR("-"), stack);
    return urn_format(arena, &parts);
}
