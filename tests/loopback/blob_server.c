/* blob_server.c — keeps blobs in memory and serves them on fibers. */
#include "loopback/blob_server.h"

#include "base/clock.h"
#include "base/hex.h"
#include "base/strbuf.h"
#include "fiber/fiber.h"

#include <stdio.h>

enum { REQUEST_MAX = 64 << 20 };

struct connection {
    struct blob_server *server;
    struct stream *stream;
};

/* --- blobs --- */

struct blob *blob_find(struct blob_server *server, str key)
{
    for (size_t i = 0; i < server->blobs.len; i++)
        if (str_equal(str_from(server->blobs.items[i].key), key))
            return &server->blobs.items[i];
    return NULL;
}

static char *copy_bytes(str bytes)
{
    char *copy = memory_zalloc(bytes.len + 1);

    memcpy(copy, bytes.ptr, bytes.len);
    return copy;
}

struct blob *blob_store(struct blob_server *server, str key, str bytes)
{
    struct blob *blob = blob_find(server, key);

    if (!blob) {
        vec_add(&server->blobs, ((struct blob){ .key = copy_bytes(key) }));
        blob = &server->blobs.items[server->blobs.len - 1];
    }
    free(blob->bytes);
    blob->bytes = copy_bytes(bytes);
    blob->len = bytes.len;
    blob->version = ++server->versions;
    return blob;
}

void blob_remove(struct blob_server *server, struct blob *blob)
{
    free(blob->key);
    free(blob->bytes);
    vec_remove(&server->blobs, (size_t)(blob - server->blobs.items));
}

/* --- a request --- */

str blob_header(str head, str name)
{
    str before, value, rest;

    if (!str_cut(head, name, &before, &value))
        return STR("");
    str_cut(value, STR("\r\n"), &value, &rest);
    return str_trim(value);
}

/* False: more of it has to come. */
static bool request_parse(str text, struct blob_request *out, size_t *len)
{
    str head, rest, line, target;
    uint64_t length = 0;

    if (!str_cut(text, STR("\r\n\r\n"), &head, &rest))
        return false;
    str digits = blob_header(head, STR("\r\nContent-Length:"));
    BUG_IF(digits.len > 0 && (!str_to_u64(digits, &length) || length > REQUEST_MAX));
    if (rest.len < length)
        return false;
    str_cut(head, STR("\r\n"), &line, &(str){ 0 });
    BUG_IF(!str_cut(line, STR(" /"), &out->method, &target));
    str_cut(target, STR(" "), &target, &line);
    out->is_listing = str_starts_with(target, STR("?prefix="));
    out->key = out->is_listing ? str_slice(target, STR("?prefix=").len, target.len) : target;
    out->query = STR("");
    if (!out->is_listing && str_cut(out->key, STR("?"), &out->key, &out->query))
        out->is_listing = str_find(out->query, STR("list-type=2")) != SIZE_MAX;
    out->if_match = blob_header(head, STR("\r\nIf-Match:"));
    out->if_none_match = blob_header(head, STR("\r\nIf-None-Match:"));
    if (out->if_match.len == 0)
        out->if_match = blob_header(head, STR("\r\nif-match:"));
    if (out->if_none_match.len == 0)
        out->if_none_match = blob_header(head, STR("\r\nif-none-match:"));
    out->source = blob_header(head, STR("\r\nx-amz-copy-source:"));
    out->authorization = blob_header(head, STR("\r\nauthorization:"));
    if (out->authorization.len == 0)
        out->authorization = blob_header(head, STR("\r\nAuthorization:"));
    out->head = head;
    out->body = str_slice(rest, 0, length);
    *len = (size_t)(rest.ptr - text.ptr) + length;
    return true;
}

/* --- its answer --- */

void blob_answer(struct strbuf *out, const char *status, const char *headers, str body)
{
    strbuf_printf(out, "HTTP/1.1 %s\r\nContent-Length: %zu\r\n%s\r\n", status, body.len, headers);
    strbuf_add(out, body);
}

static void answer(struct strbuf *out, const char *status, const char *etag, str body)
{
    char header[64] = "";

    if (*etag)
        snprintf(header, sizeof(header), "ETag: %s\r\n", etag);
    blob_answer(out, status, header, body);
}

static void answer_listing(struct blob_server *server, str prefix, struct strbuf *out)
{
    CLEANUP(strbuf_release) struct strbuf keys = { 0 };

    for (size_t i = 0; i < server->blobs.len; i++)
        if (str_starts_with(str_from(server->blobs.items[i].key), prefix))
            strbuf_printf(&keys, "%s\n", server->blobs.items[i].key);
    answer(out, "200 OK", "", strbuf_str(&keys));
}

/* --- as S3 --- */

enum { S3_PAGE = 3 };

str blob_parameter(struct arena *arena, str query, str name)
{
    str pair, value = STR(""), rest = query;

    while (rest.len > 0) {
        if (!str_cut(rest, STR("&"), &pair, &rest)) {
            pair = rest;
            rest = STR("");
        }
        if (str_starts_with(pair, name))
            BUG_IF(!percent_decode(arena, str_slice(pair, name.len, pair.len), &value));
    }
    return value;
}

static int compare_blobs(const void *a, const void *b)
{
    return strcmp(((const struct blob *)a)->key, ((const struct blob *)b)->key);
}

void blob_sort(struct blob_server *server)
{
    if (server->blobs.len > 0)
        qsort(server->blobs.items, server->blobs.len, sizeof(*server->blobs.items), compare_blobs);
}

/* Keys behind the token, a few at a time. */
static void answer_s3_listing(struct blob_server *server, const struct blob_request *request,
                              struct strbuf *out)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str prefix = blob_parameter(&arena, request->query, STR("prefix="));
    str after = server->forgets_pages
                    ? STR("")
                    : blob_parameter(&arena, request->query, STR("continuation-token="));
    bool is_flat = blob_parameter(&arena, request->query, STR("delimiter=")).len > 0;
    str bucket = arena_concat(&arena, request->key, STR("/")), last = STR("");
    size_t count = 0;

    blob_sort(server);
    strbuf_add(&text, STR("<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"x\">"));
    for (size_t i = 0; i < server->blobs.len; i++) {
        const struct blob *blob = &server->blobs.items[i];
        str key = str_from(blob->key);
        if (!str_starts_with(key, bucket))
            continue;
        key = str_slice(key, bucket.len, key.len);
        if (!str_starts_with(key, prefix) || (after.len > 0 && str_compare(key, after) <= 0)
            || (is_flat && str_find_char(str_slice(key, prefix.len, key.len), '/') != SIZE_MAX))
            continue;
        if (count++ == S3_PAGE) {
            strbuf_printf(&text,
                          "<IsTruncated>true</IsTruncated><NextContinuationToken>" STR_FMT
                          "</NextContinuationToken>",
                          STR_ARG(last));
            break;
        }
        strbuf_printf(&text,
                      "<Contents><Key>" STR_FMT "</Key><LastModified>%s</LastModified><ETag>&quot;"
                      "%016llx&quot;</ETag><Size>%zu</Size></Contents>",
                      STR_ARG(key), clock_format_ms(&arena, clock_now()).ptr,
                      (unsigned long long)str_hash((str){ blob->bytes, blob->len }), blob->len);
        last = key;
    }
    strbuf_add(&text, STR("</ListBucketResult>"));
    answer(out, "200 OK", "", strbuf_str(&text));
}

/* POST /BUCKET?delete= with the keys. */
static void answer_s3_removal(struct blob_server *server, const struct blob_request *request,
                              struct strbuf *out)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str rest = request->body, key;

    while (str_cut(rest, STR("<Key>"), &key, &rest)) {
        BUG_IF(!str_cut(rest, STR("</Key>"), &key, &rest));
        struct blob *blob = blob_find(server, arena_concat(&arena, request->key, STR("/"), key));
        if (blob)
            blob_remove(server, blob);
    }
    answer(out, "200 OK", "", STR("<DeleteResult/>"));
}

static void etag_of(const struct blob_server *server, const struct blob *blob, char *out,
                    size_t size)
{
    if (!blob)
        *out = '\0';
    else if (server->is_s3)
        snprintf(out, size, "\"%016llx\"",
                 (unsigned long long)str_hash((str){ blob->bytes, blob->len }));
    else
        snprintf(out, size, "\"v%lu\"", blob->version);
}

static bool is_signed(const struct blob_request *request)
{
    return str_starts_with(request->authorization, STR("AWS4-HMAC-SHA256 Credential=suite-key/"));
}

static bool meets_conditions(const struct blob_request *request, const char *etag)
{
    if (request->if_none_match.len > 0 && *etag)
        return false;
    return request->if_match.len == 0 || str_equal(request->if_match, str_from(etag));
}

static void serve_request(struct blob_server *server, const struct blob_request *request,
                          struct strbuf *out)
{
    struct blob *blob = blob_find(server, request->key);
    char etag[32] = "";

    if (server->dialect) {
        server->dialect(server, request, out);
        return;
    }
    etag_of(server, blob, etag, sizeof(etag));
    if (server->is_s3 && !is_signed(request)) {
        answer(out, "403 Forbidden", "", STR("<Error><Code>InvalidAccessKeyId</Code></Error>"));
    } else if (server->is_s3 && str_equal(request->method, STR("POST"))) {
        answer_s3_removal(server, request, out);
    } else if (request->is_listing && server->is_s3) {
        answer_s3_listing(server, request, out);
    } else if (request->is_listing) {
        answer_listing(server, request->key, out);
    } else if (!server->ignores_conditions && !meets_conditions(request, etag)) {
        answer(out, "412 Precondition Failed", "", STR("the condition is not met\n"));
    } else if (request->source.len > 0) {
        const struct blob *source = blob_find(server, request->source);
        if (source)
            blob_store(server, request->key, (str){ source->bytes, source->len });
        answer(out, source ? "200 OK" : "404 Not Found", "", STR("<CopyObjectResult/>"));
    } else if (str_equal(request->method, STR("PUT"))) {
        blob = blob_store(server, request->key, request->body);
        etag_of(server, blob, etag, sizeof(etag));
        answer(out, "200 OK", etag, STR(""));
    } else if (!blob) {
        answer(out, "404 Not Found", "", STR("no such blob\n"));
    } else if (str_equal(request->method, STR("DELETE"))) {
        blob_remove(server, blob);
        answer(out, "204 No Content", "", STR(""));
    } else {
        answer(out, "200 OK", etag, (str){ blob->bytes, blob->len });
    }
}

static enum blob_fault fault_of(struct blob_server *server, const struct blob_request *request)
{
    size_t number = server->requests++;

    if (number < server->fault_first || number - server->fault_first >= server->fault_count)
        return BLOB_GOOD;
    if (server->faults_only_writes && str_equal(request->method, STR("GET")))
        return BLOB_GOOD;
    return server->fault;
}

/* False: the connection ends. */
static bool serve_or_fail(struct blob_server *server, const struct blob_request *request,
                          struct strbuf *out)
{
    switch (fault_of(server, request)) {
    case BLOB_REFUSES: answer(out, "500 No", "", STR("the disk is on fire\n")); return true;
    case BLOB_BUSY: answer(out, "503 Busy\r\nRetry-After: 0", "", STR("")); return true;
    case BLOB_LIMITS: answer(out, "429 Slowly\r\nRetry-After: 0", "", STR("")); return true;
    case BLOB_DROPS: return false;
    case BLOB_FORGETS:
        serve_request(server, request, out);
        strbuf_clear(out);
        return false;
    case BLOB_CUTS:
        serve_request(server, request, out);
        out->len /= 2;
        return false;
    case BLOB_EXPIRES:
        answer(out, "400 Bad", "", STR("<Error><Code>ExpiredToken</Code></Error>"));
        return true;
    case BLOB_GOOD:
    case BLOB_FAULTS: break;
    }
    serve_request(server, request, out);
    return true;
}

/* --- connections --- */

static bool read_request(struct connection *connection, struct strbuf *buffer,
                         struct blob_request *request, size_t *len)
{
    char piece[16 * 1024];
    size_t got = 0;

    while (!request_parse(strbuf_str(buffer), request, len)) {
        struct error *failure = stream_read(connection->stream, piece, sizeof(piece), &got);
        if (failure || got == 0) {
            error_ignore(failure, "the client is gone, or the test is over");
            return false;
        }
        strbuf_add(buffer, (str){ piece, got });
    }
    return true;
}

static void serve_connection(void *connection_)
{
    struct connection *connection = connection_;
    CLEANUP(strbuf_release) struct strbuf buffer = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct blob_request request;
    bool is_open = true;
    size_t len;

    while (is_open && read_request(connection, &buffer, &request, &len)) {
        struct latch *gate = connection->server->gate;
        strbuf_clear(&out);
        if (gate) {
            connection->server->held++;
            error_ignore(latch_wait(gate), "the test is over");
        }
        is_open = serve_or_fail(connection->server, &request, &out);
        error_ignore(stream_write(connection->stream, strbuf_str(&out)), "the client is gone");
        memmove(buffer.ptr, buffer.ptr + len, buffer.len - len);
        buffer.len -= len;
    }
    stream_close(connection->stream);
    work_group_done(&connection->server->fibers);
    free(connection);
}

static void accept_all(void *server_)
{
    struct blob_server *server = server_;
    struct stream *stream;
    struct error *failure;

    while (!(failure = listener_accept(server->listener, &stream))) {
        struct connection *connection = memory_zalloc(sizeof(*connection));
        *connection = (struct connection){ server, stream };
        server->connections++;
        work_group_add(&server->fibers, 1);
        fiber_spawn_in(server->scope, serve_connection, connection);
    }
    error_ignore(failure, "the test is over");
    work_group_done(&server->fibers);
}

void blob_server_open(struct blob_server *server)
{
    *server = (struct blob_server){ 0 };
    struct error *failure = listener_open(0, &server->listener);
    BUG_IF(failure != NULL);
    server->scope = cancel_open(NULL);
    work_group_add(&server->fibers, 1);
    fiber_spawn_in(server->scope, accept_all, server);
}

void blob_server_close(struct blob_server *server)
{
    cancel_fire(server->scope);
    work_group_wait_uncancelable(&server->fibers);
    fiber_yield(); /* the last of them has to end */
    listener_close(server->listener);
    cancel_close(server->scope);
    while (server->blobs.len > 0)
        blob_remove(server, &server->blobs.items[0]);
    vec_release(&server->blobs);
}
