/* store_s3.c — objects in a bucket of S3: signed requests, conditions, attempts, and what went
 * wrong in words. */
#include "backend/store_s3.h"

#include "backend/file_io.h"
#include "base/base64.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/memory.h"
#include "base/vec.h"
#include "cloud/xml.h"

#include <stdlib.h>

enum { S3_ATTEMPTS = 6, S3_WAIT_MS = 20, S3_LONGEST_WAIT_MS = 5000, S3_HEADERS = 8 };

struct s3_store {
    struct object_store store;
    struct s3_options options;
    struct s3_place place;
    struct http_client *http;
    struct aws_identity *identity;
};

/* --- one request --- */

struct s3_call {
    const char *method;
    str key; /* with the prefix; empty: the bucket itself */
    struct pairs query;
    struct pair headers[S3_HEADERS];
    size_t header_count;
    str body;
    bool is_conditional;
};

static void s3_add_header(struct s3_call *call, str name, str value)
{
    BUG_IF(call->header_count == S3_HEADERS);
    call->headers[call->header_count++] = (struct pair){ name, value };
}

/* AWS answers 409 to one of two conditional writes at the same time: it may be repeated. */
static bool s3_may_pass(int status)
{
    return status == 408 || status == 409 || status == 429
           || (status >= 500 && status != 501 && status != 505);
}

static fallible s3_send_once(struct s3_store *s3, struct arena *arena, const struct s3_call *call,
                             struct http_response *response)
{
    struct aws_credentials credentials;
    struct aws_signed done;
    str path = call->key.len > 0 || str_equal(s3->place.path, STR("/"))
                   ? arena_concat(arena, s3->place.path, call->key)
                   : str_slice(s3->place.path, 0, s3->place.path.len - 1);
    const struct aws_request request = {
        .method = str_from(call->method),
        .origin = s3->place.origin,
        .path = path,
        .query = call->query,
        .headers = { call->headers, call->header_count },
        .body = call->body,
        .hashes_body = true,
    };

    TRY(aws_identity_get(s3->identity, arena, &credentials));
    aws_sign(arena, &request,
             &(struct aws_signing){ .credentials = &credentials,
                                    .region = aws_identity_region(s3->identity),
                                    .service = STR("s3"),
                                    .time = clock_now() },
             &done);
    const struct http_request sent = {
        .method = request.method,
        .url = done.url,
        .headers = done.headers.items,
        .header_count = done.headers.len,
        .upload.bytes = call->body,
        .sink.limit = FILE_LIMIT,
        .retry = { .attempts = S3_ATTEMPTS,
                   .first_wait_ms = S3_WAIT_MS,
                   .longest_wait_ms = S3_LONGEST_WAIT_MS,
                   .may_pass = call->is_conditional ? s3_may_pass : NULL },
    };
    return http_send(s3->http, &sent, arena, response);
}

static bool s3_is_expired(struct arena *arena, const struct http_response *response)
{
    str code = xml_text(arena, response->body, "Code");

    return str_equal(code, STR("ExpiredToken")) || str_equal(code, STR("TokenRefreshRequired"))
           || str_equal(code, STR("ExpiredTokenException"));
}

/* Credentials that have ended in the middle are asked for once more. */
static fallible s3_send(struct s3_store *s3, struct arena *arena, const struct s3_call *call,
                        struct http_response *response)
{
    TRY(s3_send_once(s3, arena, call, response));
    if ((response->status != 400 && response->status != 403) || !s3_is_expired(arena, response))
        return NULL;
    aws_identity_expire(s3->identity);
    return s3_send_once(s3, arena, call, response);
}

/* --- what went wrong --- */

static const struct {
    const char *code;
    const char *advice;
} s3_advice[] = {
    { "NoSuchBucket",
      "the bucket does not exist: create it, or check its name, the region and the endpoint" },
    { "AccessDenied", "the credentials have no permission for this: they need to list the bucket, "
                      "and to read, write and delete its objects" },
    { "InvalidAccessKeyId", "the server does not know the access key: check the credentials" },
    { "SignatureDoesNotMatch",
      "the secret key does not belong to the access key: check the credentials" },
    { "ExpiredToken", "the credentials have expired: log in again" },
    { "InvalidToken", "the session token is not valid: log in again" },
    { "AuthorizationHeaderMalformed", "the bucket is in another region: set region in the URL" },
    { "PermanentRedirect", "the bucket is in another region: set region in the URL" },
    { "RequestTimeTooSkewed", "the clock of this machine is wrong" },
    { "AllAccessDisabled", "the bucket is closed for everybody" },
};

static const char *s3_advise(str code, int status)
{
    for (size_t i = 0; i < sizeof(s3_advice) / sizeof(*s3_advice); i++)
        if (str_equal(code, str_from(s3_advice[i].code)))
            return s3_advice[i].advice;
    if (status == 403)
        return "the credentials have no permission for this";
    if (status == 301 || status == 307)
        return "the bucket is in another region: set region in the URL";
    return status >= 500 ? "try again later" : "check the URL: is this a server that speaks S3?";
}

static fallible s3_failed(const struct s3_store *s3, struct arena *arena,
                          const struct s3_call *call, const struct http_response *response)
{
    str code = xml_text(arena, response->body, "Code");
    str message = xml_text(arena, response->body, "Message");
    str region = http_response_header(response, "x-amz-bucket-region");
    bool may_pass = s3_may_pass(response->status);

    if (region.len > 0)
        message = arena_concat(arena, message, message.len ? STR("; ") : STR(""),
                               STR("its region is "), region);
    str text = arena_concat(arena, code, message.len && code.len ? STR(", ") : STR(""), message);
    return error_new(may_pass ? ERROR_OTHER : ERROR_INVALID,
                     STR_FMT ": %s " STR_FMT ": HTTP status %d%s" STR_FMT "%s: %s",
                     STR_ARG(s3->store.shown), call->method,
                     STR_ARG(call->key.len ? call->key : STR("of the bucket")), response->status,
                     text.len ? " (" : "", STR_ARG(text), text.len ? ")" : "",
                     s3_advise(code, response->status));
}

/* Of requests that got no answer, and of credentials that were not found. */
static fallible s3_explain(const struct s3_store *s3, struct error *owned)
{
    return error_wrap(owned, STR_FMT, STR_ARG(s3->store.shown));
}

static bool s3_is_missing(struct arena *arena, const struct http_response *response)
{
    str code = response->status == 404 ? xml_text(arena, response->body, "Code") : STR("");

    return response->status == 404 && (code.len == 0 || str_equal(code, STR("NoSuchKey")));
}

/* --- objects --- */

static str s3_key(const struct s3_store *s3, struct arena *arena, str key)
{
    return arena_concat(arena, s3->options.prefix, key);
}

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

static struct error *s3_remove(struct object_store *store, str key)
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

/* --- listing --- */

struct s3_found {
    VEC(struct object_entry);
};

static fallible s3_list_page(struct s3_store *s3, struct arena *arena, str prefix, bool is_flat,
                             str token, struct s3_page *out)
{
    struct pair query[5] = {
        { STR("list-type"), STR("2") },
        { STR("max-keys"), STR("1000") },
        { STR("prefix"), prefix },
    };
    size_t count = 3;
    struct http_response response;

    if (is_flat)
        query[count++] = (struct pair){ STR("delimiter"), STR("/") };
    if (token.len > 0)
        query[count++] = (struct pair){ STR("continuation-token"), token };
    struct s3_call call = { .method = "GET", .query = { query, count } };
    TRY(s3_explain(s3, s3_send(s3, arena, &call, &response)));
    if (!http_response_is_good(&response))
        return s3_failed(s3, arena, &call, &response);
    return error_wrap(s3_page_parse(arena, response.body, out),
                      STR_FMT ": check the URL: is this a server that speaks S3?",
                      STR_ARG(s3->store.shown));
}

static int s3_compare(const void *a, const void *b)
{
    return str_compare(((const struct object_entry *)a)->key,
                       ((const struct object_entry *)b)->key);
}

static fallible s3_list_pages(struct s3_store *s3, struct arena *arena, str prefix, bool is_flat,
                              struct s3_found *found)
{
    str whole = s3_key(s3, arena, prefix), token = STR("");

    do {
        struct s3_page page;
        TRY(s3_list_page(s3, arena, whole, is_flat, token, &page));
        for (size_t i = 0; i < page.objects.len; i++) {
            struct object_entry entry = page.objects.items[i];
            if (!str_starts_with(entry.key, whole))
                continue;
            entry.key = str_slice(entry.key, s3->options.prefix.len, entry.key.len);
            vec_add(found, entry);
        }
        token = page.next;
    } while (token.len > 0);
    return NULL;
}

static struct error *s3_list(struct object_store *store, struct arena *arena, str prefix,
                             bool is_flat, struct object_list *out)
{
    struct s3_found found = { 0 };
    struct error *failure = s3_list_pages((struct s3_store *)store, arena, prefix, is_flat, &found);

    if (found.len > 0)
        qsort(found.items, found.len, sizeof(*found.items), s3_compare);
    out->items = arena_copy_bytes(arena, found.items, found.len * sizeof(*found.items));
    out->len = found.len;
    vec_release(&found);
    return failure;
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
};
