/* asset_hash_tree.c — hashes of all assets and archives inside a value. */
#include "archive/asset_hash.h"

static bool is_asset(struct value value)
{
    return value.kind == VALUE_ASSET || value.kind == VALUE_ARCHIVE;
}

bool value_needs_hashes(struct value value)
{
    if (is_asset(value))
        return value.asset->hash.len == 0
               || (value.asset->has_members && value_needs_hashes(value.asset->members));
    if (value.kind == VALUE_SECRET)
        return !value.secret->is_opaque && value_needs_hashes(value.secret->element);
    if (value.kind == VALUE_OUTPUT)
        return value.output->is_known && value_needs_hashes(value.output->element);
    for (size_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        if (value_needs_hashes(value.items[i]))
            return true;
    for (size_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        if (value_needs_hashes(value.members[i].value))
            return true;
    return false;
}

fallible value_visit_remote(struct value value, asset_visit *visit, void *context)
{
    if (!value_needs_hashes(value))
        return NULL;
    if (value.kind == VALUE_SECRET)
        return value_visit_remote(value.secret->element, visit, context);
    if (value.kind == VALUE_OUTPUT)
        return value_visit_remote(value.output->element, visit, context);
    if (is_asset(value)) {
        if (value.asset->has_members)
            TRY(value_visit_remote(value.asset->members, visit, context));
        return asset_is_remote(value.asset->uri) ? visit(context, value.asset->uri) : NULL;
    }
    for (size_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        TRY(value_visit_remote(value.items[i], visit, context));
    for (size_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        TRY(value_visit_remote(value.members[i].value, visit, context));
    return NULL;
}

struct hashing {
    struct arena *arena;
    const struct asset_places *places;
    str key; /* the member that is being walked, for messages */
};

static fallible asset_tree_walk(struct hashing *hashing, struct value *inout);

static fallible walk_asset(struct hashing *hashing, struct value *inout)
{
    str key = hashing->key;

    if (inout->asset->has_members) {
        struct asset *archive = arena_copy_bytes(hashing->arena, inout->asset, sizeof(*archive));
        TRY(asset_tree_walk(hashing, &archive->members));
        *inout = (struct value){ .kind = inout->kind, .asset = archive };
    }
    return error_wrap(asset_hash(hashing->arena, hashing->places, *inout, inout),
                      "failed to compute %s hash for \"" STR_FMT "\"",
                      inout->kind == VALUE_ASSET ? "asset" : "archive", STR_ARG(key));
}

static fallible walk_output(struct hashing *hashing, struct value *inout)
{
    struct output *output = arena_copy_bytes(hashing->arena, inout->output, sizeof(*output));

    TRY(asset_tree_walk(hashing, &output->element));
    inout->output = output;
    return NULL;
}

static fallible walk_secret(struct hashing *hashing, struct value *inout)
{
    struct value element = inout->secret->element;

    TRY(asset_tree_walk(hashing, &element));
    *inout = value_secret(hashing->arena, element);
    return NULL;
}

static fallible walk_array(struct hashing *hashing, struct value *inout)
{
    struct value *items =
        arena_copy_bytes(hashing->arena, inout->items, inout->len * sizeof(*items));

    for (size_t i = 0; i < inout->len; i++)
        TRY(asset_tree_walk(hashing, &items[i]));
    inout->items = items;
    return NULL;
}

static fallible walk_object(struct hashing *hashing, struct value *inout)
{
    struct member *members =
        arena_copy_bytes(hashing->arena, inout->members, inout->len * sizeof(*members));

    for (size_t i = 0; i < inout->len; i++) {
        hashing->key = members[i].key;
        TRY(asset_tree_walk(hashing, &members[i].value));
    }
    inout->members = members;
    return NULL;
}

/* Copies only the way to what needs a hash. */
static fallible asset_tree_walk(struct hashing *hashing, struct value *inout)
{
    if (!value_needs_hashes(*inout))
        return NULL;
    if (is_asset(*inout))
        return walk_asset(hashing, inout);
    if (inout->kind == VALUE_SECRET)
        return walk_secret(hashing, inout);
    if (inout->kind == VALUE_OUTPUT)
        return walk_output(hashing, inout);
    return inout->kind == VALUE_ARRAY ? walk_array(hashing, inout) : walk_object(hashing, inout);
}

fallible value_compute_hashes(struct arena *arena, const struct asset_places *places,
                              struct value value, struct value *out)
{
    struct hashing hashing = { arena, places, STR("") };

    TRY(asset_tree_walk(&hashing, &value));
    *out = value;
    return NULL;
}
