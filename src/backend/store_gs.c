/* store_gs.c — gs://BUCKET[/PREFIX]: objects in a bucket of Google Cloud Storage. The version of an
 * object is its generation. */
#include "backend/store_gs.h"

#include "backend/file_io.h"
#include "backend/store_web.h"
#include "base/hex.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/settings.h"
#include "cloud/cloud_call.h"
#include "cloud/google_credentials.h"

#include <stdlib.h>

struct gs_store {
    struct object_store store;
    str bucket; /* escaped */
    str prefix; /* "" or "a/b/" */
    str origin; /* https://HOST */
    struct http_client *http;
    struct google_credentials *credentials; /* NULL: requests go out without a token */
};

/* --- one request --- */

struct gs_call {
    const char *method;
    const char *about; /* for messages: "read", "write" */
    str key;           /* with the prefix, for messages; empty: the bucket */
    str target;        /* path and query */
    str body;
    str content_type;
};

/* *authorization is what it was sent with. */
static fallible gs_send_once(struct gs_store *gs, struct arena *arena, const struct gs_call *call,
                             str *authorization, struct http_response *response)
{
    str headers[GOOGLE_HEADERS + 1];
    size_t count = 0;

    if (gs->credentials)
        TRY(google_credentials_headers(gs->credentials, arena, headers, &count));
    *authorization = count > 0 ? headers[0] : STR("");
    if (call->content_type.len > 0)
        headers[count++] = arena_concat(arena, STR("Content-Type: "), call->content_type);
    const struct http_request request = {
        .method = str_from(call->method),
        .url = arena_concat(arena, gs->origin, call->target),
        .headers = headers,
        .header_count = count,
        .upload.bytes = call->body,
        .sink.limit = FILE_LIMIT,
        .retry = store_web_retry(NULL),
    };
    return http_send(gs->http, &request, arena, response);
}

/* A token that has ended in the middle is asked for once more. */
static fallible gs_send(struct gs_store *gs, struct arena *arena, const struct gs_call *call,
                        struct http_response *response)
{
    str authorization;
    struct error *failure = gs_send_once(gs, arena, call, &authorization, response);

    if (!failure && response->status == 401 && gs->credentials) {
        google_credentials_refused(gs->credentials, authorization);
        failure = gs_send_once(gs, arena, call, &authorization, response);
    }
    return error_wrap(failure, STR_FMT, STR_ARG(gs->store.shown));
}

/* --- what went wrong --- */

static bool gs_names_bucket(const struct http_response *response)
{
    return str_find(response->body, STR("bucket does not exist")) != SIZE_MAX;
}

static bool gs_is_missing(const struct http_response *response)
{
    return response->status == 404 && !gs_names_bucket(response);
}

static const char *gs_advise(const struct http_response *response)
{
    if (gs_names_bucket(response))
        return "create the bucket, or check its name";
    if (response->status == 401)
        return "the credentials are not valid any more: log in again";
    if (response->status == 403)
        return "the credentials have no permission for this: they need to list the bucket, and to "
               "read, write and delete its objects (roles/storage.objectAdmin)";
    return response->status >= 500 || response->status == 429
               ? "try again later"
               : "check the URL: is this Google Cloud Storage?";
}

static fallible gs_failed(const struct gs_store *gs, struct arena *arena,
                          const struct gs_call *call, const struct http_response *response)
{
    str problem = cloud_problem(arena, response->body);
    bool may_pass = response->status >= 500 || response->status == 429;

    return error_new(
        may_pass ? ERROR_OTHER : ERROR_INVALID,
        STR_FMT ": %s " STR_FMT ": HTTP status %d%s" STR_FMT "%s: %s", STR_ARG(gs->store.shown),
        call->about, STR_ARG(call->key.len ? call->key : STR("the bucket")), response->status,
        problem.len ? " (" : "", STR_ARG(problem), problem.len ? ")" : "", gs_advise(response));
}

/* --- objects --- */

static str gs_key(const struct gs_store *gs, struct arena *arena, str key)
{
    return arena_concat(arena, gs->prefix, key);
}

/* /storage/v1/b/BUCKET/o/KEY */
static str gs_path(const struct gs_store *gs, struct arena *arena, str key)
{
    return arena_concat(arena, STR("/storage/v1/b/"), gs->bucket, STR("/o/"),
                        percent_encode(arena, key, ""));
}

static struct error *gs_get(struct object_store *store, struct arena *arena, str key,
                            struct object *out)
{
    struct gs_store *gs = (struct gs_store *)store;
    struct gs_call call = { .method = "GET", .about = "read", .key = gs_key(gs, arena, key) };
    struct http_response response;

    call.target = arena_concat(arena, gs_path(gs, arena, call.key), STR("?alt=media"));
    TRY(gs_send(gs, arena, &call, &response));
    *out = (struct object){ .exists = !gs_is_missing(&response) };
    if (!out->exists)
        return NULL;
    if (!http_response_is_good(&response))
        return gs_failed(gs, arena, &call, &response);
    out->bytes = response.body;
    out->version = http_response_header(&response, "x-goog-generation");
    if (out->version.len > 0)
        return NULL;
    return error_new(ERROR_INVALID,
                     STR_FMT ": read " STR_FMT ": the answer has no generation: check the URL: is "
                             "this Google Cloud Storage?",
                     STR_ARG(store->shown), STR_ARG(call.key));
}

static fallible gs_read_generation(const struct gs_store *gs, struct arena *arena, str body,
                                   str *out)
{
    static const struct json_field fields[] = { { "generation", json_field_string, 0 }, { 0 } };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };

    *out = STR("");
    json_reader_init(&reader, arena, body);
    struct error *failure = json_read_fields(&reader, fields, out);
    if (!failure && out->len == 0)
        failure = error_new(ERROR_INVALID, "it has no generation");
    return error_wrap(failure,
                      STR_FMT ": the answer to a write is not that of Google Cloud Storage",
                      STR_ARG(gs->store.shown));
}

static struct error *gs_put(struct object_store *store, struct arena *arena, str key, str bytes,
                            struct object_condition condition, struct object_put_result *out)
{
    struct gs_store *gs = (struct gs_store *)store;
    struct gs_call call = {
        .method = "POST",
        .about = "write",
        .key = gs_key(gs, arena, key),
        .body = bytes,
        .content_type = store_web_content_type(bytes),
    };
    bool is_conditional = condition.is_absent || condition.version.len > 0;
    struct http_response response;

    str query = CLOUD_FORM(
        arena, { STR_INIT("uploadType"), STR_INIT("media") }, { STR_INIT("name"), call.key },
        { STR_INIT("ifGenerationMatch"), condition.is_absent ? STR("0") : condition.version });
    call.target = arena_concat(arena, STR("/upload/storage/v1/b/"), gs->bucket, STR("/o?"), query);
    TRY(gs_send(gs, arena, &call, &response));
    bool is_gone = condition.version.len > 0 && gs_is_missing(&response);
    *out = (struct object_put_result){
        .is_met = !is_conditional || (response.status != 412 && !is_gone),
    };
    if (!out->is_met)
        return response.sends > 1 ? store_web_was_ours(store, arena, key, bytes, out) : NULL;
    if (!http_response_is_good(&response))
        return gs_failed(gs, arena, &call, &response);
    return gs_read_generation(gs, arena, response.body, &out->version);
}

static struct error *gs_remove(struct object_store *store, str key)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct gs_store *gs = (struct gs_store *)store;
    struct gs_call call = { .method = "DELETE",
                            .about = "delete",
                            .key = gs_key(gs, &scratch, key) };
    struct http_response response;

    call.target = gs_path(gs, &scratch, call.key);
    TRY(gs_send(gs, &scratch, &call, &response));
    if (http_response_is_good(&response) || gs_is_missing(&response))
        return NULL;
    return gs_failed(gs, &scratch, &call, &response);
}

struct gs_rewrite {
    bool is_done;
    str token;
};

static struct error *gs_copy(struct object_store *store, str from, str to, bool *is_found)
{
    static const struct json_field fields[] = {
        JSON_FIELD("done", struct gs_rewrite, is_done, json_field_bool),
        JSON_FIELD("rewriteToken", struct gs_rewrite, token, json_field_string),
        { 0 },
    };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct gs_store *gs = (struct gs_store *)store;
    struct gs_call call = { .method = "POST", .about = "copy", .key = gs_key(gs, &scratch, from) };
    str path =
        arena_concat(&scratch, gs_path(gs, &scratch, call.key), STR("/rewriteTo/b/"), gs->bucket,
                     STR("/o/"), percent_encode(&scratch, gs_key(gs, &scratch, to), ""));
    struct gs_rewrite rewrite = { 0 };

    do {
        CLEANUP(json_reader_release) struct json_reader reader = { 0 };
        struct http_response response;
        call.target =
            rewrite.token.len
                ? arena_concat(&scratch, path, STR("?"),
                               CLOUD_FORM(&scratch, { STR_INIT("rewriteToken"), rewrite.token }))
                : path;
        TRY(gs_send(gs, &scratch, &call, &response));
        *is_found = !gs_is_missing(&response);
        if (!*is_found)
            return NULL;
        if (!http_response_is_good(&response))
            return gs_failed(gs, &scratch, &call, &response);
        rewrite = (struct gs_rewrite){ 0 };
        json_reader_init(&reader, &scratch, response.body);
        TRY(error_wrap(json_read_fields(&reader, fields, &rewrite),
                       STR_FMT ": the answer to a copy", STR_ARG(store->shown)));
        if (!rewrite.is_done && !rewrite.token.len)
            return error_new(ERROR_INVALID, STR_FMT ": a copy was not made, and cannot go on",
                             STR_ARG(store->shown));
    } while (!rewrite.is_done);
    return NULL;
}

/* --- listing --- */

static fallible gs_list_pages(struct gs_store *gs, struct arena *arena, str prefix, bool is_flat,
                              struct store_entries *entries)
{
    str whole = gs_key(gs, arena, prefix);
    struct store_pages pages = { 0 };

    do {
        struct http_response response;
        struct store_page page;
        str query = CLOUD_FORM(
            arena, { STR_INIT("prefix"), whole }, { STR_INIT("maxResults"), STR_INIT("1000") },
            { STR_INIT("fields"), STR_INIT("nextPageToken,items(name,generation,size,updated)") },
            { STR_INIT("delimiter"), is_flat ? STR("/") : STR("") },
            { STR_INIT("pageToken"), pages.token });
        struct gs_call call = { .method = "GET",
                                .about = "list",
                                .target = arena_concat(arena, STR("/storage/v1/b/"), gs->bucket,
                                                       STR("/o?"), query) };
        TRY(gs_send(gs, arena, &call, &response));
        if (!http_response_is_good(&response))
            return gs_failed(gs, arena, &call, &response);
        TRY(error_wrap(gs_page_parse(arena, response.body, &page), STR_FMT,
                       STR_ARG(gs->store.shown)));
        store_entries_add(entries, &page.objects, whole, gs->prefix);
        TRY(store_pages_turn(&pages, &gs->store, &page));
    } while (pages.token.len > 0);
    return NULL;
}

static struct error *gs_list(struct object_store *store, struct arena *arena, str prefix,
                             bool is_flat, struct object_list *out)
{
    struct store_entries entries = { 0 };
    struct error *failure =
        gs_list_pages((struct gs_store *)store, arena, prefix, is_flat, &entries);

    store_entries_finish(&entries, arena, out);
    return failure;
}

/* --- open and close --- */

static void gs_close(struct object_store *owned)
{
    struct gs_store *gs = (struct gs_store *)owned;

    google_credentials_close(gs->credentials);
    if (gs->http)
        http_client_free(gs->http);
    arena_release(&owned->arena);
    free(owned);
}

/* A stand-in needs no token, and may ignore conditions; the service itself obeys them. */
static fallible gs_find_server(struct gs_store *gs, const struct object_url *url, bool is_anonymous)
{
    struct arena *arena = &gs->store.arena;
    str emulator = settings_text("STORAGE_EMULATOR_HOST");
    str domain = object_url_parameter(url, "universe_domain");

    if (emulator.len > 0) {
        bool has_scheme = str_find(emulator, STR("://")) != SIZE_MAX;
        while (str_ends_with(emulator, STR("/")))
            emulator.len--;
        gs->origin = has_scheme ? emulator : arena_concat(arena, STR("http://"), emulator);
        return NULL;
    }
    if (!is_anonymous)
        TRY(google_credentials_open(gs->http, &gs->credentials));
    if (domain.len == 0)
        domain =
            gs->credentials ? google_credentials_domain(gs->credentials) : STR("googleapis.com");
    gs->origin = arena_concat(arena, STR("https://storage."), domain);
    gs->store.conditions = CONDITIONS_OBEYED;
    return NULL;
}

static fallible gs_fill(struct gs_store *gs, const struct object_store_options *options)
{
    /* The first two are for signed URLs, of which we make none. */
    static const char *const known[] = { "access_id", "private_key_path", "anonymous",
                                         "universe_domain", NULL };
    struct arena *arena = &gs->store.arena;
    struct object_url url;
    bool is_anonymous;

    gs->store.shown = object_url_show(arena, options->url);
    TRY(object_url_parse(arena, arena_copy(arena, options->url), &url));
    TRY(object_url_check(&url, known));
    TRY(object_url_bool(&url, "anonymous", false, &is_anonymous));
    if (url.bucket.len == 0)
        return error_new(ERROR_INVALID, "the URL names no bucket: expected gs://BUCKET[/PREFIX]");
    gs->bucket = percent_encode(arena, url.bucket, "");
    gs->prefix = url.prefix;
    gs->http = http_client_new();
    return gs_find_server(gs, &url, is_anonymous);
}

extern const struct object_store_ops object_store_gs;

static struct error *gs_open(const struct object_store_options *options, struct object_store **out)
{
    struct gs_store *gs = memory_zalloc(sizeof(*gs));

    gs->store.ops = &object_store_gs;
    struct error *failure = gs_fill(gs, options);
    if (failure) {
        failure = error_wrap(failure, "backend URL '" STR_FMT "'", STR_ARG(gs->store.shown));
        gs_close(&gs->store);
        return failure;
    }
    *out = &gs->store;
    return NULL;
}

const struct object_store_ops object_store_gs = {
    .scheme = "gs",
    .open = gs_open,
    .close = gs_close,
    .get = gs_get,
    .put = gs_put,
    .list = gs_list,
    .remove = gs_remove,
    .copy = gs_copy,
};
