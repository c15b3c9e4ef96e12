/* marshal_reply.c — mends what a provider's reply lost on the way: secrets and the contents of
 * assets. */
#include "proto/marshal.h"

#include "base/map.h"

/* --- secrets --- */

static bool is_object(struct value value)
{
    return value.kind == VALUE_OBJECT;
}

struct value value_annotate_secrets(struct arena *arena, struct value inputs, struct value outputs)
{
    if (!is_object(inputs) || !is_object(outputs) || !value_contains_secret(inputs))
        return outputs;
    struct member *members =
        arena_copy_bytes(arena, outputs.members, outputs.len * sizeof(*members));

    for (size_t i = 0; i < outputs.len; i++) {
        const struct value *input = value_find(inputs, members[i].key);
        struct value output = members[i].value;
        if (!input)
            continue;
        if (is_object(*input) && is_object(output))
            members[i].value = value_annotate_secrets(arena, *input, output);
        else if (output.kind != VALUE_SECRET && value_contains_secret(*input))
            members[i].value = value_secret(arena, output);
    }
    return (struct value){ .kind = VALUE_OBJECT, .len = outputs.len, .members = members };
}

/* --- contents of assets --- */

struct originals {
    struct map assets; /* by hash; the values are struct asset */
    struct map archives;
};

static void originals_release(struct originals *originals)
{
    map_release(&originals->assets);
    map_release(&originals->archives);
}

static void reply_collect(struct originals *originals, struct value value)
{
    if (value.kind == VALUE_ASSET)
        map_put(&originals->assets, value.asset->hash, (void *)(uintptr_t)value.asset);
    else if (value.kind == VALUE_ARCHIVE)
        map_put(&originals->archives, value.asset->hash, (void *)(uintptr_t)value.asset);
    else if (value.kind == VALUE_SECRET && !value.secret->is_opaque)
        reply_collect(originals, value.secret->element);
    for (size_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        reply_collect(originals, value.items[i]);
    for (size_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        reply_collect(originals, value.members[i].value);
}

static bool is_elided(const struct asset *asset)
{
    return asset->text.len == 0 && asset->path.len == 0 && asset->uri.len == 0
           && !asset->has_members;
}

static struct value restore(struct arena *arena, const struct originals *originals,
                            struct value value);

static struct value restore_asset(struct arena *arena, const struct map *originals,
                                  struct value value)
{
    const struct asset *original = map_find(originals, value.asset->hash);

    if (!original || !is_elided(value.asset))
        return value;
    struct asset *asset = arena_copy_bytes(arena, original, sizeof(*original));
    return (struct value){ .kind = value.kind, .asset = asset };
}

static struct value restore_array(struct arena *arena, const struct originals *originals,
                                  struct value array)
{
    struct value *items = arena_copy_bytes(arena, array.items, array.len * sizeof(*items));

    for (size_t i = 0; i < array.len; i++)
        items[i] = restore(arena, originals, items[i]);
    array.items = items;
    return array;
}

static struct value restore_object(struct arena *arena, const struct originals *originals,
                                   struct value object)
{
    struct member *members = arena_copy_bytes(arena, object.members, object.len * sizeof(*members));

    for (size_t i = 0; i < object.len; i++)
        members[i].value = restore(arena, originals, members[i].value);
    object.members = members;
    return object;
}

static bool contains_elided(struct value value)
{
    if (value.kind == VALUE_ASSET || value.kind == VALUE_ARCHIVE)
        return is_elided(value.asset);
    if (value.kind == VALUE_SECRET)
        return !value.secret->is_opaque && contains_elided(value.secret->element);
    for (size_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        if (contains_elided(value.items[i]))
            return true;
    for (size_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        if (contains_elided(value.members[i].value))
            return true;
    return false;
}

/* Copies only the way to what was elided. */
static struct value restore(struct arena *arena, const struct originals *originals,
                            struct value value)
{
    if (!contains_elided(value))
        return value;
    if (value.kind == VALUE_ASSET)
        return restore_asset(arena, &originals->assets, value);
    if (value.kind == VALUE_ARCHIVE)
        return restore_asset(arena, &originals->archives, value);
    if (value.kind == VALUE_SECRET)
        return value_secret(arena, restore(arena, originals, value.secret->element));
    return value.kind == VALUE_ARRAY ? restore_array(arena, originals, value)
                                     : restore_object(arena, originals, value);
}

struct value value_restore_elided_assets(struct arena *arena, struct value from, struct value value)
{
    CLEANUP(originals_release) struct originals originals = { 0 };

    if (contains_elided(value))
        reply_collect(&originals, from);
    return restore(arena, &originals, value);
}
