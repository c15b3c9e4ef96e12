/* object_store.c — opens a store by its URL, and does with many objects what a kind does with
 * one. */
#include "backend/object_store.h"

#include "base/log.h"
#include "fiber/parallel.h"

fallible object_store_open(const struct object_store_options *options, struct object_store **out)
{
    str scheme = STR(""), rest;

    str_cut(options->url, STR("://"), &scheme, &rest);
    for (const struct object_store_ops *const *kind = object_store_kinds; *kind; kind++)
        if (str_equal(scheme, str_from((*kind)->scheme)))
            return (*kind)->open(options, out);
    return error_new(ERROR_INVALID, "there is no store of the kind '" STR_FMT "'", STR_ARG(scheme));
}

void object_store_close(struct object_store *owned)
{
    if (owned)
        owned->ops->close(owned);
}

/* --- many at a time --- */

struct many_objects {
    struct object_store *store;
    struct arena *arena;
    struct strs keys;
    struct object *contents;
};

/* The arena is shared by fibers of one thread, which do not switch inside an allocation. */
static struct error *object_store_get_one(void *many_, size_t index)
{
    struct many_objects *many = many_;
    struct arena arena = { 0 };

    struct error *failure =
        many->store->ops->get(many->store, &arena, many->keys.items[index], &many->contents[index]);
    arena_adopt(many->arena, &arena);
    return failure;
}

fallible object_store_get_many(struct object_store *store, struct arena *arena, struct strs keys,
                               struct object *contents)
{
    struct many_objects many = { store, arena, keys, contents };

    return parallel_each(keys.len, OBJECT_STORE_PARALLEL, object_store_get_one, &many);
}

fallible object_store_get_below(struct object_store *store, struct arena *arena, str prefix,
                                struct object_list *out, struct object **contents)
{
    if (store->ops->get_all)
        return store->ops->get_all(store, arena, prefix, out, contents);
    TRY(store->ops->list(store, arena, prefix, false, out));
    str *keys = ARENA_ARRAY(arena, str, out->len);
    for (size_t i = 0; i < out->len; i++)
        keys[i] = out->items[i].key;
    *contents = ARENA_ARRAY(arena, struct object, out->len);
    return object_store_get_many(store, arena, (struct strs){ keys, out->len }, *contents);
}

static struct error *object_store_remove_one(void *many_, size_t index)
{
    struct many_objects *many = many_;

    return many->store->ops->remove(many->store, many->keys.items[index]);
}

fallible object_store_remove_many(struct object_store *store, struct strs keys)
{
    struct many_objects many = { .store = store, .keys = keys };

    if (keys.len > 1 && store->ops->remove_all)
        return store->ops->remove_all(store, keys);
    return parallel_each(keys.len, OBJECT_STORE_PARALLEL, object_store_remove_one, &many);
}

fallible object_store_copy(struct object_store *store, str from, str to, bool *is_found)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_put_result result;
    struct object object;

    if (store->ops->copy)
        return store->ops->copy(store, from, to, is_found);
    TRY(store->ops->get(store, &scratch, from, &object));
    *is_found = object.exists;
    if (!object.exists)
        return NULL;
    return store->ops->put(store, &scratch, to, object.bytes, (struct object_condition){ 0 },
                           &result);
}

fallible object_store_probe(struct object_store *store, str key, str bytes)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_put_result result;

    if (store->conditions != CONDITIONS_UNKNOWN)
        return NULL;
    struct error *failure = store->ops->put(
        store, &scratch, key, bytes, (struct object_condition){ .is_absent = true }, &result);
    if (failure && error_kind(failure) != ERROR_INVALID)
        return failure;
    bool is_obeyed = !failure && !result.is_met;
    error_ignore(failure, "a store that does not know the condition refuses it");
    store->conditions = is_obeyed ? CONDITIONS_OBEYED : CONDITIONS_IGNORED;
    log_info("store", STR_FMT " %s conditions of writes", STR_ARG(store->shown),
             is_obeyed ? "obeys" : "ignores");
    return NULL;
}
