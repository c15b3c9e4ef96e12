/* provider_values.c — property values on their way to and from a provider. */
#include "plugin/provider/provider_values.h"

#include "model/urn.h"
#include "proto/marshal.h"

#include <stdlib.h>

unsigned provider_keeps(const struct provider_traits *traits)
{
    return (traits->accepts_secrets ? KEEP_SECRETS : 0u)
           | (traits->accepts_resources ? KEEP_RESOURCES : 0u)
           | (traits->accepts_byte_strings ? KEEP_BYTE_STRINGS : 0u);
}

unsigned provider_answer_unknowns(bool allows_unknowns)
{
    return allows_unknowns ? KEEP_UNKNOWNS : REJECT_UNKNOWNS;
}

fallible provider_marshal(struct arena *arena, struct value object, unsigned flags, str *out)
{
    struct marshal_options options = {
        .keep_unknowns = flags & KEEP_UNKNOWNS,
        .keep_secrets = flags & KEEP_SECRETS,
        .keep_resources = flags & KEEP_RESOURCES,
        .keep_output_values = flags & KEEP_OUTPUTS,
        .accepts_byte_strings = flags & KEEP_BYTE_STRINGS,
        .elide_asset_contents = flags & ELIDE_CONTENTS,
        .propagate_nil = true,
    };
    return properties_marshal(arena, object, &options, out);
}

fallible provider_unmarshal(struct arena *arena, str bytes, unsigned flags, struct value *out)
{
    struct unmarshal_options options = {
        .keep_unknowns = flags & KEEP_UNKNOWNS,
        .reject_unknowns = flags & REJECT_UNKNOWNS,
        .keep_secrets = flags & KEEP_SECRETS,
        .keep_resources = flags & KEEP_RESOURCES,
        .keep_output_values = flags & KEEP_OUTPUTS,
        .joins_secrets = flags & JOIN_SECRETS,
    };
    return properties_unmarshal(arena, bytes, &options, out);
}

struct value provider_all_secret(struct arena *arena, struct value object)
{
    struct member *members = ARENA_ARRAY(arena, struct member, object.len);
    for (size_t i = 0; i < object.len; i++) {
        members[i] = object.members[i];
        bool is_secret =
            members[i].value.kind == VALUE_SECRET
            || (members[i].value.kind == VALUE_OUTPUT && members[i].value.output->is_secret);
        if (!is_secret)
            members[i].value = value_secret(arena, members[i].value);
    }
    return value_object(arena, members, object.len);
}

/* --- parts of messages --- */

struct check_failures provider_failures(struct arena *arena, Pb__CheckFailure *const *items,
                                        size_t len)
{
    struct check_failure *failures = ARENA_ARRAY(arena, struct check_failure, len);
    for (size_t i = 0; i < len; i++)
        failures[i] = (struct check_failure){ message_str(items[i]->property),
                                              message_str(items[i]->reason) };
    return (struct check_failures){ failures, len };
}

static int compare_diffs(const void *a, const void *b)
{
    return str_compare(((const struct property_diff *)a)->path,
                       ((const struct property_diff *)b)->path);
}

/* The numbers of the wire are those of enum diff_kind; others are updates. */
static struct property_diffs detailed_diff(struct arena *arena, const Pb__DiffResponse *response)
{
    struct property_diff *items =
        ARENA_ARRAY(arena, struct property_diff, response->n_detailed_diff);
    for (size_t i = 0; i < response->n_detailed_diff; i++) {
        const Pb__PropertyDiffEntry *entry = response->detailed_diff[i];
        int kind = entry->value ? (int)entry->value->kind : (int)DIFF_ADD;
        items[i] = (struct property_diff){
            .path = message_str(entry->key),
            .kind = kind >= (int)DIFF_ADD && kind <= (int)DIFF_UPDATE_REPLACE ? (enum diff_kind)kind
                                                                              : DIFF_UPDATE,
            .is_input = entry->value && entry->value->input_diff,
        };
    }
    qsort(items, response->n_detailed_diff, sizeof(*items), compare_diffs);
    return (struct property_diffs){ items, response->n_detailed_diff };
}

void provider_read_diff(struct arena *arena, const Pb__DiffResponse *response,
                        struct diff_answer *out)
{
    int changes = (int)response->changes;
    *out = (struct diff_answer){
        .changes = changes == (int)CHANGES_NONE || changes == (int)CHANGES_SOME
                       ? (enum diff_changes)changes
                       : CHANGES_UNKNOWN,
        .replace_keys = message_get_strs(arena, response, replaces),
        .stable_keys = message_get_strs(arena, response, stables),
        .changed_keys = message_get_strs(arena, response, diffs),
        .has_detailed_diff = response->has_detailed_diff,
        .deletes_before_replace = response->delete_before_replace,
    };
    if (out->has_detailed_diff)
        out->detailed_diff = detailed_diff(arena, response);
}

static fallible view_to_wire(struct arena *arena, const struct resource *resource, unsigned flags,
                             Pb__View *view)
{
    str inputs, outputs;

    TRY(provider_marshal(arena, resource->inputs, flags, &inputs));
    TRY(provider_marshal(arena, resource->outputs, flags, &outputs));
    message_put_bytes(view, inputs, inputs);
    message_put_bytes(view, outputs, outputs);
    view->type = message_cstr(arena, urn_type_of(resource->urn));
    view->name = message_cstr(arena, urn_name_of(resource->urn));
    if (resource->parent.len > 0 && !str_equal(resource->parent, resource->view_of)) {
        view->parent_type = message_cstr(arena, urn_type_of(resource->parent));
        view->parent_name = message_cstr(arena, urn_name_of(resource->parent));
    }
    return NULL;
}

fallible provider_views_to_wire(struct arena *arena, const struct provider_views *views,
                                unsigned flags, Pb__View ***items, size_t *len)
{
    *items = ARENA_ARRAY(arena, Pb__View *, views->len);
    *len = views->len;
    for (size_t i = 0; i < views->len; i++) {
        Pb__View *view = ARENA_NEW(arena, Pb__View);
        pb__view__init(view);
        TRY(view_to_wire(arena, views->items[i], flags, view));
        (*items)[i] = view;
    }
    return NULL;
}

static int compare_dependencies(const void *a, const void *b)
{
    return str_compare(((const struct property_dependency *)a)->key,
                       ((const struct property_dependency *)b)->key);
}

struct property_dependencies provider_all_dependencies(struct arena *arena, struct value object,
                                                       struct property_dependencies given)
{
    struct property_dependency *items =
        ARENA_ARRAY(arena, struct property_dependency, given.len + object.len);
    size_t len = given.len;

    if (given.len > 0)
        memcpy(items, given.items, given.len * sizeof(*items));
    for (size_t i = 0; object.kind == VALUE_OBJECT && i < object.len; i++)
        if (!property_dependencies_find(given, object.members[i].key))
            items[len++] = (struct property_dependency){ .key = object.members[i].key };
    qsort(items, len, sizeof(*items), compare_dependencies);
    return (struct property_dependencies){ items, len };
}
