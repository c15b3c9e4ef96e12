/* loopback_store.c — a kind of object store that only tests have: blobs on a server of the test
 * (loopback://HOST:PORT/PREFIX). */
#include "backend/object_store.h"
#include "base/memory.h"
#include "loopback/blob_client.h"

#include <stdlib.h>

struct loopback_store {
    struct object_store store;
    struct blob_client blobs;
};

static const struct blob_client *loopback_blobs(const struct object_store *store)
{
    return &((const struct loopback_store *)store)->blobs;
}

static struct error *loopback_get(struct object_store *store, struct arena *arena, str key,
                                  struct object *out)
{
    struct blob_content content;

    TRY(blob_get(loopback_blobs(store), arena, key, &content));
    *out = (struct object){ content.exists, content.bytes, content.etag };
    return NULL;
}

static struct error *loopback_put(struct object_store *store, struct arena *arena, str key,
                                  str bytes, struct object_condition condition,
                                  struct object_put_result *out)
{
    return blob_put_if(loopback_blobs(store), arena, key, bytes,
                       (struct blob_condition){ condition.is_absent, condition.version },
                       &out->is_met, &out->version);
}

static struct error *loopback_list(struct object_store *store, struct arena *arena, str prefix,
                                   bool is_flat, struct object_list *out)
{
    struct strs keys;

    TRY(blob_list(loopback_blobs(store), arena, prefix, &keys));
    *out = (struct object_list){ ARENA_ARRAY(arena, struct object_entry, keys.len), 0 };
    for (size_t i = 0; i < keys.len; i++) {
        str rest = str_slice(keys.items[i], prefix.len, keys.items[i].len);
        if (!is_flat || str_find_char(rest, '/') == SIZE_MAX)
            out->items[out->len++] = (struct object_entry){ .key = keys.items[i] };
    }
    return NULL;
}

static struct error *loopback_remove(struct object_store *store, str key)
{
    return blob_delete(loopback_blobs(store), key);
}

static void loopback_close(struct object_store *owned)
{
    http_client_free(((struct loopback_store *)owned)->blobs.http);
    arena_release(&owned->arena);
    free(owned);
}

extern const struct object_store_ops object_store_loopback;

static struct error *loopback_open(const struct object_store_options *options,
                                   struct object_store **out)
{
    struct loopback_store *store = memory_zalloc(sizeof(*store));
    struct arena *arena = &store->store.arena;
    str rest = str_slice(options->url, STR("loopback://").len, options->url.len);

    store->store.ops = &object_store_loopback;
    store->store.shown = object_url_show(arena, options->url);
    store->blobs = (struct blob_client){
        .http = http_client_new(),
        .base = arena_concat(arena, STR("http://"), rest, STR("/")),
    };
    *out = &store->store;
    return NULL;
}

const struct object_store_ops object_store_loopback = {
    .scheme = "loopback",
    .open = loopback_open,
    .close = loopback_close,
    .get = loopback_get,
    .put = loopback_put,
    .list = loopback_list,
    .remove = loopback_remove,
};
