/* blob_client.c — reads and writes blobs over HTTP, with conditions, several times if need be. */
#include "loopback/blob_client.h"

#include "base/vec.h"

#include <stdlib.h>

enum { BLOB_MAX = 64 << 20, ATTEMPTS = 3 };

static fallible unexpected(str method, str url, const struct http_response *response)
{
    str reason = str_trim(response->body);

    return error_new(ERROR_OTHER, STR_FMT " " STR_FMT ": HTTP status %d (" STR_FMT ")",
                     STR_ARG(method), STR_ARG(url), response->status, STR_ARG(reason));
}

static fallible blob_send(const struct blob_client *client, struct arena *arena, str method,
                          str key, const struct http_request *rest, struct http_response *response)
{
    struct http_request request = *rest;

    request.method = method;
    request.url = arena_concat(arena, client->base, key);
    request.sink.limit = BLOB_MAX;
    request.retry = (struct http_retry){ .attempts = ATTEMPTS, .first_wait_ms = 1 };
    TRY(http_send(client->http, &request, arena, response));
    if (http_response_is_good(response) || response->status == 404 || response->status == 412)
        return NULL;
    return unexpected(method, request.url, response);
}

fallible blob_get(const struct blob_client *client, struct arena *arena, str key,
                  struct blob_content *out)
{
    const struct http_request request = { 0 };
    struct http_response response;

    TRY(blob_send(client, arena, STR("GET"), key, &request, &response));
    *out = (struct blob_content){ .exists = response.status != 404 };
    if (out->exists) {
        out->bytes = response.body;
        out->etag = http_response_header(&response, "etag");
    }
    return NULL;
}

/* An answer was lost, and the second attempt met what the first had written. */
static fallible was_ours(const struct blob_client *client, struct arena *arena, str key, str bytes,
                         bool *is_met, str *etag)
{
    struct blob_content content;

    TRY(blob_get(client, arena, key, &content));
    *is_met = content.exists && str_equal(content.bytes, bytes);
    *etag = content.etag;
    return NULL;
}

fallible blob_put_if(const struct blob_client *client, struct arena *arena, str key, str bytes,
                     struct blob_condition condition, bool *is_met, str *etag)
{
    str header = condition.is_absent ? STR("If-None-Match: *")
                                     : arena_concat(arena, STR("If-Match: "), condition.etag);
    const struct http_request request = {
        .headers = &header,
        .header_count = condition.is_absent || condition.etag.len > 0,
        .upload.bytes = bytes,
    };
    struct http_response response;

    TRY(blob_send(client, arena, STR("PUT"), key, &request, &response));
    if (response.status == 412 && response.sends > 1)
        return was_ours(client, arena, key, bytes, is_met, etag);
    *is_met = response.status != 412;
    *etag = http_response_header(&response, "etag");
    return NULL;
}

fallible blob_put(const struct blob_client *client, str key, str bytes)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool is_met;
    str etag;

    return blob_put_if(client, &scratch, key, bytes, (struct blob_condition){ 0 }, &is_met, &etag);
}

fallible blob_delete(const struct blob_client *client, str key)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct http_request request = { 0 };
    struct http_response response;

    return blob_send(client, &scratch, STR("DELETE"), key, &request, &response);
}

static int compare_keys(const void *a, const void *b)
{
    return str_compare(*(const str *)a, *(const str *)b);
}

fallible blob_list(const struct blob_client *client, struct arena *arena, str prefix,
                   struct strs *out)
{
    str before, path, url_prefix = str_slice(client->base, STR("http://").len, client->base.len);
    struct {
        VEC(str);
    } keys = { 0 };
    struct http_response response;
    const struct http_request request = { 0 };

    /* The listing is at the root of the server, and names whole keys. */
    BUG_IF(!str_cut(url_prefix, STR("/"), &before, &path));
    struct blob_client root = *client;
    root.base = str_slice(client->base, 0, client->base.len - path.len);
    TRY(blob_send(&root, arena, STR("GET"), arena_concat(arena, STR("?prefix="), path, prefix),
                  &request, &response));
    str line, rest = response.body;
    while (str_cut(rest, STR("\n"), &line, &rest))
        vec_add(&keys, str_slice(line, path.len, line.len));
    if (keys.len > 0)
        qsort(keys.items, keys.len, sizeof(*keys.items), compare_keys);
    *out = (struct strs){ arena_copy_bytes(arena, keys.items, keys.len * sizeof(*keys.items)),
                          keys.len };
    vec_release(&keys);
    return NULL;
}
