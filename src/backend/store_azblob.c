/* store_azblob.c — azblob://CONTAINER[/PREFIX]: objects in a container of Azure's blob storage. The
 * version of an object is its ETag. */
#include "backend/store_azblob.h"

#include "backend/file_io.h"
#include "backend/store_web.h"
#include "base/clock.h"
#include "base/hex.h"
#include "base/memory.h"
#include "cloud/azure_credentials.h"
#include "cloud/azure_sign.h"
#include "cloud/cloud_call.h"
#include "cloud/xml.h"
#include "fiber/fiber.h"

#include <stdlib.h>

enum { AZBLOB_HEADERS = 6, COPY_WAIT_MS = 50, COPY_WAITS = 600 };

struct azblob_store {
    struct object_store store;
    struct azblob_options options;
    struct http_client *http;
    struct azure_credentials *credentials; /* NULL: with a key or a signature */
};

/* --- one request --- */

struct azblob_call {
    const char *method;
    const char *about; /* for messages: "read", "write" */
    str key;           /* with the prefix; empty: the container */
    struct pairs query;
    struct pair headers[AZBLOB_HEADERS]; /* names in lower case */
    size_t header_count;
    str body;
};

static void azblob_add_header(struct azblob_call *call, str name, str value)
{
    BUG_IF(call->header_count == AZBLOB_HEADERS);
    call->headers[call->header_count++] = (struct pair){ name, value };
}

/* /CONTAINER/KEY, escaped, behind the address of the service. */
static str azblob_url_of(const struct azblob_store *azblob, struct arena *arena, str key,
                         struct pairs query)
{
    const struct azblob_options *options = &azblob->options;
    str path =
        key.len > 0 ? arena_concat(arena, STR("/"), percent_encode(arena, key, "/")) : STR("");
    str form = cloud_form(arena, query.items, query.len);

    return arena_concat(arena, options->service, STR("/"), options->container, path,
                        form.len ? STR("?") : STR(""), form);
}

/* What comes behind the host, without the query. */
static str azblob_path_of(str url)
{
    str before, path = url;

    str_cut(path, STR("://"), &before, &path);
    str_cut(path, STR("?"), &path, &before);
    size_t slash = str_find_char(path, '/');
    return str_slice(path, slash == SIZE_MAX ? path.len : slash, path.len);
}

static fallible azblob_authorize(struct azblob_store *azblob, struct arena *arena,
                                 const struct azblob_call *call, str url, struct pairs headers,
                                 str *out)
{
    const struct azblob_options *options = &azblob->options;
    const struct azure_request request = {
        .method = str_from(call->method),
        .path = azblob_path_of(url),
        .query = call->query,
        .headers = headers,
        .length = call->body.len,
    };

    *out = STR("");
    if (options->key.hidden_len > 0)
        return azure_sign(arena, &request, options->account, options->key, out);
    return azblob->credentials ? azure_credentials_header(azblob->credentials, arena, out) : NULL;
}

/* *authorization is what it was sent with. */
static fallible azblob_send_once(struct azblob_store *azblob, struct arena *arena,
                                 const struct azblob_call *call, str *authorization,
                                 struct http_response *response)
{
    struct pair own[] = {
        { STR("x-ms-date"), clock_format_http(arena, clock_now()) },
        { STR("x-ms-version"), STR("2021-12-02") },
    };
    struct pairs headers = pairs_join(arena, (struct pairs){ call->headers, call->header_count },
                                      (struct pairs){ own, 2 });
    struct pairs query = pairs_join(arena, call->query, azblob->options.token);
    str url = azblob_url_of(azblob, arena, call->key, query);
    str lines[AZBLOB_HEADERS + 3];
    size_t count = 0;

    TRY(azblob_authorize(azblob, arena, call, url, headers, authorization));
    for (size_t i = 0; i < headers.len; i++)
        lines[count++] =
            arena_concat(arena, headers.items[i].key, STR(": "), headers.items[i].value);
    if (authorization->len > 0)
        lines[count++] = *authorization;
    const struct http_request request = {
        .method = str_from(call->method),
        .url = url,
        .headers = lines,
        .header_count = count,
        .upload.bytes = call->body,
        .sink.limit = FILE_LIMIT,
        .retry = store_web_retry(NULL),
    };
    return http_send(azblob->http, &request, arena, response);
}

/* A token that has ended in the middle is asked for once more. */
static fallible azblob_send(struct azblob_store *azblob, struct arena *arena,
                            const struct azblob_call *call, struct http_response *response)
{
    str authorization;
    struct error *failure = azblob_send_once(azblob, arena, call, &authorization, response);

    if (!failure && response->status == 401 && azblob->credentials) {
        azure_credentials_refused(azblob->credentials, authorization);
        failure = azblob_send_once(azblob, arena, call, &authorization, response);
    }
    return error_wrap(failure, STR_FMT, STR_ARG(azblob->store.shown));
}

/* --- what went wrong --- */

static str azblob_code(struct arena *arena, const struct http_response *response)
{
    str code = http_response_header(response, "x-ms-error-code");

    return code.len ? code : xml_text(arena, response->body, "Code");
}

static bool azblob_is_missing(struct arena *arena, const struct http_response *response)
{
    return response->status == 404
           && !str_equal(azblob_code(arena, response), STR("ContainerNotFound"));
}

static const struct {
    const char *code;
    const char *advice;
} azblob_advice[] = {
    { "ContainerNotFound", "create the container, or check its name" },
    { "AuthenticationFailed", "check AZURE_STORAGE_KEY, the shared access signature or the login, "
                              "and the clock of this machine" },
    { "AuthorizationFailure",
      "check AZURE_STORAGE_KEY or the shared access signature: it is wrong, "
      "or has no permission for this" },
    { "AuthorizationPermissionMismatch",
      "the credentials have no permission for this: they need the role Storage Blob Data "
      "Contributor" },
    { "AccountIsDisabled", "the storage account is disabled" },
    { "InvalidAuthenticationInfo", "log in again" },
};

static const char *azblob_advise(str code, int status)
{
    for (size_t i = 0; i < sizeof(azblob_advice) / sizeof(*azblob_advice); i++)
        if (str_equal(code, str_from(azblob_advice[i].code)))
            return azblob_advice[i].advice;
    if (status == 401 || status == 403)
        return "the credentials have no permission for this";
    return status >= 500 || status == 429 ? "try again later"
                                          : "check the URL: is this Azure's blob storage?";
}

static fallible azblob_failed(const struct azblob_store *azblob, struct arena *arena,
                              const struct azblob_call *call, const struct http_response *response)
{
    str code = azblob_code(arena, response);
    str problem = code.len ? code : cloud_problem(arena, response->body);
    bool may_pass = response->status >= 500 || response->status == 429;

    return error_new(may_pass ? ERROR_OTHER : ERROR_INVALID,
                     STR_FMT ": %s " STR_FMT ": HTTP status %d%s" STR_FMT "%s: %s",
                     STR_ARG(azblob->store.shown), call->about,
                     STR_ARG(call->key.len ? call->key : STR("the container")), response->status,
                     problem.len ? " (" : "", STR_ARG(problem), problem.len ? ")" : "",
                     azblob_advise(code, response->status));
}

/* --- objects --- */

static str azblob_key(const struct azblob_store *azblob, struct arena *arena, str key)
{
    return arena_concat(arena, azblob->options.prefix, key);
}

static struct error *azblob_get(struct object_store *store, struct arena *arena, str key,
                                struct object *out)
{
    struct azblob_store *azblob = (struct azblob_store *)store;
    struct azblob_call call = { .method = "GET",
                                .about = "read",
                                .key = azblob_key(azblob, arena, key) };
    struct http_response response;

    TRY(azblob_send(azblob, arena, &call, &response));
    *out = (struct object){ .exists = !azblob_is_missing(arena, &response) };
    if (!out->exists)
        return NULL;
    if (!http_response_is_good(&response))
        return azblob_failed(azblob, arena, &call, &response);
    out->bytes = response.body;
    out->version = http_response_header(&response, "etag");
    if (out->version.len > 0)
        return NULL;
    return error_new(ERROR_INVALID,
                     STR_FMT ": read " STR_FMT ": the answer has no ETag: check the URL: is this "
                             "Azure's blob storage?",
                     STR_ARG(store->shown), STR_ARG(call.key));
}

static struct error *azblob_put(struct object_store *store, struct arena *arena, str key, str bytes,
                                struct object_condition condition, struct object_put_result *out)
{
    struct azblob_store *azblob = (struct azblob_store *)store;
    struct azblob_call call = {
        .method = "PUT", .about = "write", .key = azblob_key(azblob, arena, key), .body = bytes
    };
    bool is_conditional = condition.is_absent || condition.version.len > 0;
    struct http_response response;

    azblob_add_header(&call, STR("content-type"), store_web_content_type(bytes));
    azblob_add_header(&call, STR("x-ms-blob-type"), STR("BlockBlob"));
    if (condition.is_absent)
        azblob_add_header(&call, STR("if-none-match"), STR("*"));
    else if (condition.version.len > 0)
        azblob_add_header(&call, STR("if-match"), condition.version);
    TRY(azblob_send(azblob, arena, &call, &response));
    bool exists = condition.is_absent && response.status == 409
                  && str_equal(azblob_code(arena, &response), STR("BlobAlreadyExists"));
    bool is_gone = condition.version.len > 0 && azblob_is_missing(arena, &response);
    *out = (struct object_put_result){
        .is_met = !is_conditional || (response.status != 412 && !exists && !is_gone),
    };
    if (!out->is_met)
        return response.sends > 1 ? store_web_was_ours(store, arena, key, bytes, out) : NULL;
    if (!http_response_is_good(&response))
        return azblob_failed(azblob, arena, &call, &response);
    out->version = http_response_header(&response, "etag");
    return NULL;
}

static struct error *azblob_remove(struct object_store *store, str key)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct azblob_store *azblob = (struct azblob_store *)store;
    struct azblob_call call = { .method = "DELETE",
                                .about = "delete",
                                .key = azblob_key(azblob, &scratch, key) };
    struct http_response response;

    TRY(azblob_send(azblob, &scratch, &call, &response));
    if (http_response_is_good(&response) || azblob_is_missing(&scratch, &response))
        return NULL;
    return azblob_failed(azblob, &scratch, &call, &response);
}

/* A large copy goes on after its answer. */
static fallible azblob_wait_for_copy(struct azblob_store *azblob, str key, str status)
{
    const struct azblob_call call = { .method = "HEAD", .about = "copy", .key = key };

    for (unsigned i = 0; i < COPY_WAITS && str_equal(status, STR("pending")); i++) {
        struct arena scratch = { 0 };
        struct http_response response;
        TRY(fiber_sleep_ms(COPY_WAIT_MS));
        struct error *failure = azblob_send(azblob, &scratch, &call, &response);
        if (!failure && !http_response_is_good(&response))
            failure = azblob_failed(azblob, &scratch, &call, &response);
        if (!failure
            && !str_equal(http_response_header(&response, "x-ms-copy-status"), STR("pending")))
            status = str_equal(http_response_header(&response, "x-ms-copy-status"), STR("success"))
                         ? STR("success")
                         : STR("failed");
        arena_release(&scratch);
        TRY(failure);
    }
    if (status.len == 0 || str_equal(status, STR("success")))
        return NULL;
    return error_new(ERROR_OTHER, STR_FMT ": the copy to " STR_FMT " is '" STR_FMT "'",
                     STR_ARG(azblob->store.shown), STR_ARG(key), STR_ARG(status));
}

static struct error *azblob_copy(struct object_store *store, str from, str to, bool *is_found)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct azblob_store *azblob = (struct azblob_store *)store;
    struct azblob_call call = { .method = "PUT",
                                .about = "copy",
                                .key = azblob_key(azblob, &scratch, to) };
    struct http_response response;

    azblob_add_header(
        &call, STR("x-ms-copy-source"),
        azblob_url_of(azblob, &scratch, azblob_key(azblob, &scratch, from), azblob->options.token));
    TRY(azblob_send(azblob, &scratch, &call, &response));
    *is_found = !azblob_is_missing(&scratch, &response);
    if (!*is_found)
        return NULL;
    if (!http_response_is_good(&response))
        return azblob_failed(azblob, &scratch, &call, &response);
    return azblob_wait_for_copy(azblob, call.key,
                                http_response_header(&response, "x-ms-copy-status"));
}

/* --- listing --- */

static fallible azblob_list_pages(struct azblob_store *azblob, struct arena *arena, str prefix,
                                  bool is_flat, struct store_entries *entries)
{
    str whole = azblob_key(azblob, arena, prefix);
    struct store_pages pages = { 0 };

    do {
        struct pair query[6] = {
            { STR("comp"), STR("list") },
            { STR("restype"), STR("container") },
            { STR("maxresults"), STR("1000") },
        };
        size_t count = 3;
        struct http_response response;
        struct store_page page;
        if (whole.len > 0)
            query[count++] = (struct pair){ STR("prefix"), whole };
        if (is_flat)
            query[count++] = (struct pair){ STR("delimiter"), STR("/") };
        if (pages.token.len > 0)
            query[count++] = (struct pair){ STR("marker"), pages.token };
        const struct azblob_call call = { .method = "GET",
                                          .about = "list",
                                          .query = { query, count } };
        TRY(azblob_send(azblob, arena, &call, &response));
        if (!http_response_is_good(&response))
            return azblob_failed(azblob, arena, &call, &response);
        TRY(error_wrap(azblob_page_parse(arena, response.body, &page), STR_FMT,
                       STR_ARG(azblob->store.shown)));
        store_entries_add(entries, &page.objects, whole, azblob->options.prefix);
        TRY(store_pages_turn(&pages, &azblob->store, &page));
    } while (pages.token.len > 0);
    return NULL;
}

static struct error *azblob_list(struct object_store *store, struct arena *arena, str prefix,
                                 bool is_flat, struct object_list *out)
{
    struct store_entries entries = { 0 };
    struct error *failure =
        azblob_list_pages((struct azblob_store *)store, arena, prefix, is_flat, &entries);

    store_entries_finish(&entries, arena, out);
    return failure;
}

/* --- open and close --- */

static void azblob_close(struct object_store *owned)
{
    struct azblob_store *azblob = (struct azblob_store *)owned;

    azure_credentials_close(azblob->credentials);
    if (azblob->http)
        http_client_free(azblob->http);
    arena_release(&owned->arena);
    free(owned);
}

static fallible azblob_fill(struct azblob_store *azblob, const struct object_store_options *options)
{
    struct arena *arena = &azblob->store.arena;
    const struct object_store_options copy = { .url = arena_copy(arena, options->url),
                                               .home = options->home };

    azblob->store.shown = object_url_show(arena, copy.url);
    azblob->store.conditions = CONDITIONS_OBEYED;
    TRY(azblob_url_parse(arena, &copy, &azblob->options));
    azblob->http = http_client_new();
    if (azblob->options.resource.len == 0)
        return NULL;
    return azure_credentials_open(azblob->http, azblob->options.resource, STR("organizations"),
                                  &azblob->credentials);
}

extern const struct object_store_ops object_store_azblob;

static struct error *azblob_open(const struct object_store_options *options,
                                 struct object_store **out)
{
    struct azblob_store *azblob = memory_zalloc(sizeof(*azblob));

    azblob->store.ops = &object_store_azblob;
    struct error *failure = azblob_fill(azblob, options);
    if (failure) {
        failure = error_wrap(failure, "backend URL '" STR_FMT "'", STR_ARG(azblob->store.shown));
        azblob_close(&azblob->store);
        return failure;
    }
    *out = &azblob->store;
    return NULL;
}

const struct object_store_ops object_store_azblob = {
    .scheme = "azblob",
    .open = azblob_open,
    .close = azblob_close,
    .get = azblob_get,
    .put = azblob_put,
    .list = azblob_list,
    .remove = azblob_remove,
    .copy = azblob_copy,
};
