/* object_store.h — a store of objects, which are bytes under a key: what the kinds of it implement
 * (s3, gs, azblob, postgres). One backend (backend_object.c) keeps stacks in all of them.
 *
 * Keys are relative: ".pulumi/stacks/P/S.json". A kind puts the prefix of its URL before them, and
 * takes it off in listings. Calls come from many fibers at a time, each waits as fibers do (http,
 * sockets, offload); none touches what another call owns. Cancellation ends what only reads.
 *
 * What is not there, and a condition that does not hold, are answers and no failures. A failure has
 * the kind ERROR_INVALID if the next attempt would meet it again (credentials, permission, no such
 * bucket, an answer that cannot be understood), ERROR_CANCELED, or any other kind if it may pass:
 * by then the store itself has tried several times. Its message names the store
 * (object_store.shown), what was tried, and what to do; it has no secrets.
 *
 * Credentials and signatures are in src/cloud (aws_*, google_*, azure_*), which the secrets
 * managers use too. */
#pragma once

#include "base/error.h"
#include "base/pairs.h"

struct object_store_ops;

/* Every kind embeds this as its first member. */
struct object_store {
    const struct object_store_ops *ops;
    struct arena arena; /* everything that lives as long as the store */
    str shown;          /* the URL for messages: without password and query */
    /* Whether put obeys its condition. The backend asks by object_store_probe before it relies on
     * it; a kind that knows sets it at open. */
    enum { CONDITIONS_UNKNOWN, CONDITIONS_OBEYED, CONDITIONS_IGNORED } conditions;
};

struct object_store_options {
    str url;  /* as the user gave it */
    str home; /* for ~ and for the files of credentials */
};

struct object {
    bool exists;
    str bytes;
    /* Changes with each write of other bytes (S3: with other bytes only): an ETag, a generation. */
    str version;
};

/* An object in a listing. */
struct object_entry {
    str key;
    int64_t modified; /* nanoseconds since 1970, as exact as the store is */
    uint64_t size;
    str version; /* empty: the listing does not tell */
};
struct object_list {
    struct object_entry *items; /* sorted by the bytes of the keys */
    size_t len;
};

/* What has to hold for a write; the zero value is nothing. */
struct object_condition {
    bool is_absent; /* there is no such object yet */
    str version;    /* it is still this one; empty: any */
    str guard;      /* this other object is there; empty: none has to be (object_lock_ops.h) */
};
struct object_put_result {
    bool is_met; /* false: nothing was written */
    str version; /* of what was written */
};

struct object_store_ops {
    const char *scheme; /* what comes before ://, as in object_stores.def */

    /* Reads the URL: an unknown or bad parameter is ERROR_INVALID. No request is sent before the
     * first operation, but a kind with sessions may connect. */
    fallible (*open)(const struct object_store_options *options, struct object_store **out);
    void (*close)(struct object_store *owned);

    fallible (*get)(struct object_store *store, struct arena *arena, str key, struct object *out);
    /* Atomic and durable. A write whose answer was lost and which is there after all counts as
     * written, also under a condition. */
    fallible (*put)(struct object_store *store, struct arena *arena, str key, str bytes,
                    struct object_condition condition, struct object_put_result *out);
    /* All objects whose keys begin like this, in any depth. `is_flat`: only those without a / in
     * the rest of the key. Nothing there is an empty list. */
    fallible (*list)(struct object_store *store, struct arena *arena, str prefix, bool is_flat,
                     struct object_list *out);
    /* Also of what is not there. */
    fallible (*remove)(struct object_store *store, str key);

    /* --- what a kind may do better than the calls above; NULL: it does not --- */

    /* On the server. *is_found is false if there is nothing to copy. Else: get and put. */
    fallible (*copy)(struct object_store *store, str from, str to, bool *is_found);
    /* In one request. Else: many removals at a time. */
    fallible (*remove_all)(struct object_store *store, struct strs keys);
    /* A listing with the bytes, in one request (`contents[i]` is of `out->items[i]`). Else: list,
     * then many gets at a time. */
    fallible (*get_all)(struct object_store *store, struct arena *arena, str prefix,
                        struct object_list *out, struct object **contents);

    /* Locks that end with their process, and guards of writes (object_lock_ops.h). */
    const struct object_lock_ops *locks;
};

/* The kinds there are (object_stores.def), up to NULL. Of its own file, so that a test program can
 * have more. */
extern const struct object_store_ops *const object_store_kinds[];

/* --- for every kind (object_store.c) --- */

fallible object_store_open(const struct object_store_options *options, struct object_store **out);
void object_store_close(struct object_store *owned); /* NULL is fine */

/* At most this many requests of one call are under way at a time. */
enum { OBJECT_STORE_PARALLEL = 16 };
/* Each by the better way if the kind has it. contents[i] of keys.items[i]. Block. */
fallible object_store_get_many(struct object_store *store, struct arena *arena, struct strs keys,
                               struct object *contents);
fallible object_store_get_below(struct object_store *store, struct arena *arena, str prefix,
                                struct object_list *out, struct object **contents);
fallible object_store_remove_many(struct object_store *store, struct strs keys);
fallible object_store_copy(struct object_store *store, str from, str to, bool *is_found);
/* Finds out whether conditions are obeyed: writes these bytes, which are at this key already, once
 * more on condition that there are none. */
fallible object_store_probe(struct object_store *store, str key, str bytes);

/* --- URLs of stores (object_url.c): SCHEME://BUCKET[/PREFIX][?NAME=VALUE&…]. Pure, fuzzed. --- */

struct object_url {
    str scheme;
    str bucket;              /* what comes before the first /, user information included */
    str prefix;              /* "" or "a/b/": decoded, with / at its end */
    struct pairs parameters; /* decoded */
};
fallible object_url_parse(struct arena *arena, str url, struct object_url *out);
/* The value of the last one of this name; empty if there is none. */
str object_url_parameter(const struct object_url *url, const char *name);
bool object_url_has(const struct object_url *url, const char *name);
/* true, false, 1, 0, t, f …; `otherwise` if absent; ERROR_INVALID names the parameter. */
fallible object_url_bool(const struct object_url *url, const char *name, bool otherwise, bool *out);
/* Refuses parameters that are not in the list, which ends with NULL. */
fallible object_url_check(const struct object_url *url, const char *const *known);
/* Without user information and query: for messages. */
str object_url_show(struct arena *arena, str url);
