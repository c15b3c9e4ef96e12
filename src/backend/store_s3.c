/* store_s3.c — objects in a bucket of S3, one at a time; the store itself. */
#include "backend/store_s3.h"

#include "base/base64.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/memory.h"

#include <stdlib.h>

/* --- objects --- */

static str s3_sha256_base64(struct arena *arena, str bytes)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    unsigned char digest[SHA256_SIZE];

    hash_sha256(bytes, digest);
    base64_encode(&text, (str){ (const char *)digest, SHA256_SIZE });
    return arena_copy(arena, strbuf_str(&text));
}

static struct error *s3_get(struct object_store *store, struct arena *arena, str key,
                            struct object *out)
{
    struct s3_store *s3 = (struct s3_store *)store;
    struct s3_call call = { .method = "GET", .key = s3_key(s3, arena, key) };
    struct http_response response;

    if (s3->options.checks_checksums)
        s3_add_header(&call, STR("x-amz-checksum-mode"), STR("ENABLED"));
    TRY(s3_explain(s3, s3_send(s3, arena, &call, &response)));
    *out = (struct object){ .exists = !s3_is_missing(arena, &response) };
    if (!out->exists)
        return NULL;
    if (!http_response_is_good(&response))
        return s3_failed(s3, arena, &call, &response);
    str checksum = http_response_header(&response, "x-amz-checksum-sha256");
    if (s3->options.checks_checksums && checksum.len > 0 && str_find_char(checksum, '-') == SIZE_MAX
        && !str_equal(checksum, s3_sha256_base64(arena, response.body)))
        return error_new(ERROR_OTHER,
                         STR_FMT ": what came of " STR_FMT " does not have its checksum",
                         STR_ARG(store->shown), STR_ARG(call.key));
    out->bytes = response.body;
    out->version = http_response_header(&response, "etag");
    return NULL;
}

/* Of what is written, also by a copy. */
static void s3_add_encryption(const struct s3_store *s3, struct s3_call *call)
{
    if (s3->options.encryption.len > 0)
        s3_add_header(call, STR("x-amz-server-side-encryption"), s3->options.encryption);
    if (s3->options.encryption_key.len > 0)
        s3_add_header(call, STR("x-amz-server-side-encryption-aws-kms-key-id"),
                      s3->options.encryption_key);
}

/* An answer was lost, and the second attempt met what the first had written. */
static fallible s3_was_ours(struct object_store *store, struct arena *arena, str key, str bytes,
                            struct object_put_result *out)
{
    struct object found;

    TRY(s3_get(store, arena, key, &found));
    out->is_met = found.exists && str_equal(found.bytes, bytes);
    out->version = found.version;
    return NULL;
}

static struct error *s3_put(struct object_store *store, struct arena *arena, str key, str bytes,
                            struct object_condition condition, struct object_put_result *out)
{
    struct s3_store *s3 = (struct s3_store *)store;
    struct s3_call call = {
        .method = "PUT",
        .key = s3_key(s3, arena, key),
        .body = bytes,
        .is_conditional = condition.is_absent || condition.version.len > 0,
    };
    struct http_response response;

    s3_add_encryption(s3, &call);
    if (s3->options.sends_checksums)
        s3_add_header(&call, STR("x-amz-checksum-sha256"), s3_sha256_base64(arena, bytes));
    if (condition.is_absent)
        s3_add_header(&call, STR("if-none-match"), STR("*"));
    else if (condition.version.len > 0)
        s3_add_header(&call, STR("if-match"), condition.version);
    TRY(s3_explain(s3, s3_send(s3, arena, &call, &response)));
    bool is_gone =
        call.is_conditional && condition.version.len > 0 && s3_is_missing(arena, &response);
    *out = (struct object_put_result){ .is_met = response.status != 412 && !is_gone };
    if (!out->is_met)
        return response.sends > 1 ? s3_was_ours(store, arena, key, bytes, out) : NULL;
    if (!http_response_is_good(&response))
        return s3_failed(s3, arena, &call, &response);
    out->version = arena_copy(arena, http_response_header(&response, "etag"));
    return NULL;
}

fallible s3_remove(struct object_store *store, str key)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct s3_store *s3 = (struct s3_store *)store;
    struct s3_call call = { .method = "DELETE", .key = s3_key(s3, &scratch, key) };
    struct http_response response;

    TRY(s3_explain(s3, s3_send(s3, &scratch, &call, &response)));
    if (http_response_is_good(&response) || s3_is_missing(&scratch, &response))
        return NULL;
    return s3_failed(s3, &scratch, &call, &response);
}

static struct error *s3_copy(struct object_store *store, str from, str to, bool *is_found)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct s3_store *s3 = (struct s3_store *)store;
    struct s3_call call = { .method = "PUT", .key = s3_key(s3, &scratch, to) };
    struct http_response response;
    str source = arena_concat(&scratch, s3->options.bucket, STR("/"), s3_key(s3, &scratch, from));

    s3_add_header(&call, STR("x-amz-copy-source"), percent_encode(&scratch, source, "/"));
    s3_add_encryption(s3, &call);
    TRY(s3_explain(s3, s3_send(s3, &scratch, &call, &response)));
    *is_found = !s3_is_missing(&scratch, &response);
    if (!*is_found)
        return NULL;
    /* A copy can fail after its 200. */
    if (http_response_is_good(&response) && str_find(response.body, STR("<Error>")) == SIZE_MAX)
        return NULL;
    return s3_failed(s3, &scratch, &call, &response);
}

/* --- open and close --- */

static void s3_close(struct object_store *owned)
{
    struct s3_store *s3 = (struct s3_store *)owned;

    aws_identity_free(s3->identity);
    if (s3->http)
        http_client_free(s3->http);
    arena_release(&owned->arena);
    free(owned);
}

static fallible s3_fill(struct s3_store *s3, const struct object_store_options *options)
{
    struct arena *arena = &s3->store.arena;
    struct object_store_options copy = { arena_copy(arena, options->url),
                                         arena_copy(arena, options->home) };

    s3->store.shown = object_url_show(arena, copy.url);
    TRY(s3_url_parse(arena, &copy, &s3->options));
    s3->http = http_client_new();
    TRY(aws_identity_new(&s3->options.aws, s3->http, &s3->identity));
    return s3_place_of(arena, &s3->options, aws_identity_region(s3->identity), &s3->place);
}

extern const struct object_store_ops object_store_s3;

static struct error *s3_open(const struct object_store_options *options, struct object_store **out)
{
    struct s3_store *s3 = memory_zalloc(sizeof(*s3));

    s3->store.ops = &object_store_s3;
    struct error *failure = s3_fill(s3, options);
    if (failure) {
        failure = error_wrap(failure, "backend URL '" STR_FMT "'", STR_ARG(s3->store.shown));
        s3_close(&s3->store);
        return failure;
    }
    *out = &s3->store;
    return NULL;
}

const struct object_store_ops object_store_s3 = {
    .scheme = "s3",
    .open = s3_open,
    .close = s3_close,
    .get = s3_get,
    .put = s3_put,
    .list = s3_list,
    .remove = s3_remove,
    .copy = s3_copy,
    .remove_all = s3_remove_all,
};
