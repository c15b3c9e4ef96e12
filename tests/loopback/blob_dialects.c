/* blob_dialects.c — the server of blobs in the words of two clouds, as far as their clients use
 * them. */
#include "loopback/blob_server.h"

#include "base/clock.h"
#include "base/hex.h"
#include "base/strbuf.h"

#include <stdio.h>

enum { PAGE = 3 };

struct listing {
    str prefix;
    str after;
    bool is_flat;
    size_t count;
    str last;
    bool is_cut;
};

/* Whether a blob belongs to this page. */
static bool listing_takes(struct listing *listing, str key)
{
    if (listing->is_cut || !str_starts_with(key, listing->prefix)
        || (listing->after.len > 0 && str_compare(key, listing->after) <= 0))
        return false;
    str rest = str_slice(key, listing->prefix.len, key.len);
    if (listing->is_flat && str_find_char(rest, '/') != SIZE_MAX)
        return false;
    listing->is_cut = listing->count == PAGE;
    if (listing->is_cut)
        return false;
    listing->count++;
    listing->last = key;
    return true;
}

static str decoded(struct arena *arena, str text)
{
    str out;

    BUG_IF(!percent_decode(arena, text, &out));
    return out;
}

/* --- Google Cloud Storage --- */

static void gs_serve_listing(struct blob_server *server, struct arena *arena, str query,
                             struct strbuf *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct listing listing = {
        .prefix = blob_parameter(arena, query, STR("prefix=")),
        .after = server->forgets_pages ? STR("") : blob_parameter(arena, query, STR("pageToken=")),
        .is_flat = blob_parameter(arena, query, STR("delimiter=")).len > 0,
    };

    blob_sort(server);
    strbuf_add(&text, STR("{\"kind\":\"storage#objects\",\"items\":["));
    for (size_t i = 0; i < server->blobs.len; i++) {
        const struct blob *blob = &server->blobs.items[i];
        if (listing_takes(&listing, str_from(blob->key)))
            strbuf_printf(&text,
                          "%s{\"name\":\"%s\",\"generation\":\"%lu\",\"size\":\"%zu\","
                          "\"updated\":\"%s\"}",
                          listing.count > 1 ? "," : "", blob->key, blob->version, blob->len,
                          clock_format_ms(arena, clock_now()).ptr);
    }
    strbuf_add(&text, STR("]"));
    if (listing.is_cut)
        strbuf_printf(&text, ",\"nextPageToken\":\"" STR_FMT "\"", STR_ARG(listing.last));
    strbuf_add(&text, STR("}"));
    blob_answer(out, "200 OK", "", strbuf_str(&text));
}

static void gs_serve_upload(struct blob_server *server, struct arena *arena,
                            const struct blob_request *request, struct strbuf *out)
{
    str name = blob_parameter(arena, request->query, STR("name="));
    str wanted = blob_parameter(arena, request->query, STR("ifGenerationMatch="));
    struct blob *blob = blob_find(server, name);
    char generation[32];

    snprintf(generation, sizeof(generation), "%lu", blob ? blob->version : 0);
    if (wanted.len > 0 && !server->ignores_conditions && !str_equal(wanted, str_from(generation))) {
        blob_answer(out, "412 Precondition Failed", "", STR("{\"error\":{\"code\":412}}"));
        return;
    }
    blob = blob_store(server, name, request->body);
    str text = arena_printf(arena, "{\"generation\":\"%lu\"}", blob->version);
    blob_answer(out, "200 OK", "Content-Type: application/json\r\n", text);
}

static void gs_serve_object(struct blob_server *server, struct arena *arena, str key,
                            const struct blob_request *request, struct strbuf *out)
{
    str target, from = key;
    bool is_copy = str_cut(key, STR("/rewriteTo/b/bucket/o/"), &from, &target);
    struct blob *blob = blob_find(server, decoded(arena, from));
    char generation[64];

    if (!blob) {
        blob_answer(out, "404 Not Found", "", STR("No such object"));
    } else if (is_copy && request->query.len == 0) {
        blob_answer(out, "200 OK", "", STR("{\"done\":false,\"rewriteToken\":\"more\"}"));
    } else if (is_copy) {
        blob_store(server, decoded(arena, target), (str){ blob->bytes, blob->len });
        blob_answer(out, "200 OK", "", STR("{\"done\":true}"));
    } else if (str_equal(request->method, STR("DELETE"))) {
        blob_remove(server, blob);
        blob_answer(out, "204 No Content", "", STR(""));
    } else {
        snprintf(generation, sizeof(generation), "X-Goog-Generation: %lu\r\n", blob->version);
        blob_answer(out, "200 OK", generation, (str){ blob->bytes, blob->len });
    }
}

void blob_serve_gs(struct blob_server *server, const struct blob_request *request,
                   struct strbuf *out)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str before, key;

    if (str_equal(request->key, STR("upload/storage/v1/b/bucket/o")))
        gs_serve_upload(server, &arena, request, out);
    else if (str_equal(request->key, STR("storage/v1/b/bucket/o")))
        gs_serve_listing(server, &arena, request->query, out);
    else if (str_cut(request->key, STR("storage/v1/b/bucket/o/"), &before, &key))
        gs_serve_object(server, &arena, key, request, out);
    else
        blob_answer(out, "404 Not Found", "",
                    STR("{\"error\":{\"code\":404,\"message\":\"The specified bucket does not "
                        "exist.\"}}"));
}

/* --- Azure's blob storage --- */

#define BOX "acc/box/"

static void azblob_serve_listing(struct blob_server *server, struct arena *arena, str query,
                                 struct strbuf *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct listing listing = {
        .prefix = blob_parameter(arena, query, STR("prefix=")),
        .after = server->forgets_pages ? STR("") : blob_parameter(arena, query, STR("marker=")),
        .is_flat = blob_parameter(arena, query, STR("delimiter=")).len > 0,
    };

    blob_sort(server);
    strbuf_add(&text, STR("<?xml version=\"1.0\"?><EnumerationResults><Blobs>"));
    for (size_t i = 0; i < server->blobs.len; i++) {
        const struct blob *blob = &server->blobs.items[i];
        if (listing_takes(&listing, str_from(blob->key)))
            strbuf_printf(&text,
                          "<Blob><Name>%s</Name><Properties><Last-Modified>%s</Last-Modified>"
                          "<Etag>0x%lX</Etag><Content-Length>%zu</Content-Length></Properties>"
                          "</Blob>",
                          blob->key, clock_format_http(arena, clock_now()).ptr, blob->version,
                          blob->len);
    }
    strbuf_add(&text, STR("</Blobs><NextMarker>"));
    if (listing.is_cut)
        strbuf_add(&text, listing.last);
    strbuf_add(&text, STR("</NextMarker></EnumerationResults>"));
    blob_answer(out, "200 OK", "", strbuf_str(&text));
}

static void azblob_serve_copy(struct blob_server *server, struct arena *arena, str key, str source,
                              struct strbuf *out)
{
    str before, from = STR("");
    const struct blob *blob;

    str_cut(source, STR(BOX), &before, &from);
    blob = blob_find(server, decoded(arena, from));
    if (!blob) {
        blob_answer(out, "404 Not Found", "x-ms-error-code: CannotVerifyCopySource\r\n", STR(""));
        return;
    }
    blob_store(server, key, (str){ blob->bytes, blob->len });
    blob_answer(out, "202 Accepted", "x-ms-copy-status: pending\r\n", STR(""));
}

static void azblob_serve_write(struct blob_server *server, str key,
                               const struct blob_request *request, struct strbuf *out)
{
    struct blob *blob = blob_find(server, key);
    char etag[64] = "";

    if (blob)
        snprintf(etag, sizeof(etag), "\"0x%lX\"", blob->version);
    if (request->if_none_match.len > 0 && blob) {
        blob_answer(out, "409 Conflict", "x-ms-error-code: BlobAlreadyExists\r\n", STR(""));
    } else if (request->if_match.len > 0 && !str_equal(request->if_match, str_from(etag))) {
        blob_answer(out, "412 Precondition Failed", "x-ms-error-code: ConditionNotMet\r\n",
                    STR(""));
    } else if (blob_header(request->head, STR("\r\nx-ms-blob-type:")).len == 0) {
        blob_answer(out, "400 Bad Request", "x-ms-error-code: MissingRequiredHeader\r\n", STR(""));
    } else {
        blob = blob_store(server, key, request->body);
        snprintf(etag, sizeof(etag), "ETag: \"0x%lX\"\r\n", blob->version);
        blob_answer(out, "201 Created", etag, STR(""));
    }
}

static void azblob_serve_object(struct blob_server *server, struct arena *arena, str key,
                                const struct blob_request *request, struct strbuf *out)
{
    str source = blob_header(request->head, STR("\r\nx-ms-copy-source:"));
    struct blob *blob = blob_find(server, key);
    char headers[128];

    if (source.len > 0) {
        azblob_serve_copy(server, arena, key, source, out);
    } else if (str_equal(request->method, STR("PUT"))) {
        azblob_serve_write(server, key, request, out);
    } else if (!blob) {
        blob_answer(out, "404 Not Found", "x-ms-error-code: BlobNotFound\r\n", STR(""));
    } else if (str_equal(request->method, STR("DELETE"))) {
        blob_remove(server, blob);
        blob_answer(out, "202 Accepted", "", STR(""));
    } else if (str_equal(request->method, STR("HEAD"))) {
        strbuf_printf(out,
                      "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\nx-ms-copy-status: success\r\n\r\n",
                      blob->len);
    } else {
        snprintf(headers, sizeof(headers), "ETag: \"0x%lX\"\r\n", blob->version);
        blob_answer(out, "200 OK", headers, (str){ blob->bytes, blob->len });
    }
}

void blob_serve_azblob(struct blob_server *server, const struct blob_request *request,
                       struct strbuf *out)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str before, key;

    if (!str_starts_with(request->authorization, STR("SharedKey acc:")))
        blob_answer(out, "403 Forbidden", "x-ms-error-code: AuthenticationFailed\r\n", STR(""));
    else if (str_equal(request->key, STR("acc/box")))
        azblob_serve_listing(server, &arena, request->query, out);
    else if (str_cut(request->key, STR(BOX), &before, &key))
        azblob_serve_object(server, &arena, decoded(&arena, key), request, out);
    else
        blob_answer(out, "404 Not Found", "x-ms-error-code: ContainerNotFound\r\n", STR(""));
}
