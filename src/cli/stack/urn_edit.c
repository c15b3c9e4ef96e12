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

static struct value edit_value(const struct edit *edit, struct value value);

static struct value edit_items(const struct edit *edit, struct value value)
{
    struct value *items = NULL;

    for (size_t i = 0; i < value.len; i++) {
        struct value item = edit_value(edit, value.items[i]);
        if (!items && memcmp(&item, &value.items[i], sizeof(item)) != 0)
            items = arena_copy_bytes(edit->arena, value.items, value.len * sizeof(*items));
        if (items)
            items[i] = item;
    }
    value.items = items ? items : value.items;
    return value;
}

static struct value edit_members(const struct edit *edit, struct value value)
{
    struct member *members = NULL;

    for (size_t i = 0; i < value.len; i++) {
        struct value member = edit_value(edit, value.members[i].value);
        if (!members && memcmp(&member, &value.members[i].value, sizeof(member)) != 0)
            members = arena_copy_bytes(edit->arena, value.members, value.len * sizeof(*members));
        if (members)
            members[i].value = member;
    }
    value.members = members ? members : value.members;
    return value;
}

static struct value edit_reference(const struct edit *edit, struct value value)
{
    str urn = edit->map(edit->context, value.reference->urn);

    if (str_equal(urn, value.reference->urn))
        return value;
    struct reference *reference =
        arena_copy_bytes(edit->arena, value.reference, sizeof(*value.reference));
    reference->urn = urn;
    value.reference = reference;
    return value;
}

static struct value edit_secret(const struct edit *edit, struct value value)
{
    if (value.secret->is_opaque)
        return value;
    struct value element = edit_value(edit, value.secret->element);
    return memcmp(&element, &value.secret->element, sizeof(element)) == 0
               ? value
               : value_secret(edit->arena, element);
}

static struct value edit_value(const struct edit *edit, struct value value)
{
    switch ((enum value_kind)value.kind) {
    case VALUE_ARRAY: return edit_items(edit, value);
    case VALUE_OBJECT: return edit_members(edit, value);
    case VALUE_REFERENCE: return edit_reference(edit, value);
    case VALUE_SECRET: return edit_secret(edit, value);
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_STRING:
    case VALUE_ASSET:
    case VALUE_ARCHIVE:
    case VALUE_COMPUTED:
    case VALUE_OUTPUT: return value;
    }
    return value;
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
