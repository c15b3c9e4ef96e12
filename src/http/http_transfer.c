/* http_transfer.c — one request through libcurl: its options, its body, its answer, its end. */
#include "http/http_transfer.h"

#include "base/clock.h"
#include "base/settings.h"
#include "fiber/fiber.h"

#include <errno.h>
#include <unistd.h>

/* --- what is sent --- */

static uint64_t upload_length(const struct http_upload *upload)
{
    return upload->is_file ? upload->length : upload->bytes.len;
}

static size_t transfer_fill(char *into, size_t size, size_t count, void *transfer_)
{
    struct transfer *transfer = transfer_;
    const struct http_upload *upload = &transfer->request->upload;
    uint64_t left = upload_length(upload) - transfer->sent;
    size_t room = size * count;
    ssize_t got = (ssize_t)(left < room ? left : room);

    if (!upload->is_file) {
        memcpy(into, upload->bytes.ptr + transfer->sent, (size_t)got);
    } else {
        do
            got = pread(upload->fd, into, left < room ? (size_t)left : room,
                        (off_t)(upload->offset + transfer->sent));
        while (got < 0 && errno == EINTR);
        if (got < 0)
            transfer->failure = error_os("read what is sent");
        else if (got == 0 && left > 0)
            transfer->failure = error_new(ERROR_INVALID, "the file that is sent became shorter");
    }
    if (transfer->failure)
        return READ_ABORT;
    transfer->sent += (uint64_t)got;
    return (size_t)got;
}

/* libcurl begins anew when a connection that it had kept turns out to be closed. */
static int transfer_rewind(void *transfer_, int64_t offset, int origin)
{
    struct transfer *transfer = transfer_;

    if (origin != SEEK_SET || offset < 0
        || (uint64_t)offset > upload_length(&transfer->request->upload))
        return SEEK_FAIL;
    transfer->sent = (uint64_t)offset;
    return SEEK_OK;
}

/* --- what is received --- */

static fallible sink_begin(const struct http_sink *sink)
{
    if (sink->kind == HTTP_TO_FILE
        && (ftruncate(sink->fd, 0) < 0 || lseek(sink->fd, 0, SEEK_SET) < 0))
        return error_os("empty the file for a download");
    return NULL;
}

static fallible http_transfer_sink_write(int fd, str bytes)
{
    while (bytes.len > 0) {
        ssize_t put = write(fd, bytes.ptr, bytes.len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return error_os("write a download");
        bytes = str_slice(bytes, (size_t)put, bytes.len);
    }
    return NULL;
}

static fallible sink_add(struct transfer *transfer, str bytes)
{
    const struct http_sink *sink = &transfer->request->sink;
    uint64_t limit = sink->limit ? sink->limit : HTTP_ANSWER_MAX;

    if (bytes.len > limit - transfer->length)
        return error_new(ERROR_INVALID, "the answer is longer than %llu bytes",
                         (unsigned long long)limit);
    transfer->length += bytes.len;
    if (transfer->request->progress)
        transfer->request->progress->received = transfer->length;
    switch (sink->kind) {
    case HTTP_TO_FILE: return http_transfer_sink_write(sink->fd, bytes);
    case HTTP_TO_CALLBACK: return sink->take(sink->context, bytes);
    case HTTP_TO_MEMORY: break;
    }
    strbuf_add(&transfer->body, bytes);
    return NULL;
}

/* Of a refusal so much is read that its reason is known; the rest might have no end. False: it is
 * enough. */
static bool refusal_add(struct transfer *transfer, str bytes)
{
    str kept = str_slice(bytes, 0, HTTP_REFUSAL_MAX - transfer->body.len);

    strbuf_add(&transfer->body, kept);
    transfer->is_enough = kept.len < bytes.len;
    return !transfer->is_enough;
}

static size_t transfer_take(char *bytes, size_t size, size_t count, void *transfer_)
{
    struct transfer *transfer = transfer_;
    str piece = { bytes, size * count };
    long status = 0;

    transfer->curl->easy_getinfo(transfer->easy, INFO_RESPONSE_CODE, &status);
    if (status < 200 || status >= 300)
        return refusal_add(transfer, piece) ? piece.len : 0;
    transfer->failure = sink_add(transfer, piece);
    return transfer->failure ? 0 : piece.len;
}

static size_t transfer_take_header(char *bytes, size_t size, size_t count, void *transfer_)
{
    struct transfer *transfer = transfer_;

    transfer->failure =
        http_head_add(&transfer->head, &transfer->arena, (str){ bytes, size * count });
    return transfer->failure ? 0 : size * count;
}

static int transfer_tick(void *transfer_, int64_t total, int64_t received, int64_t upload_total,
                         int64_t uploaded)
{
    struct transfer *transfer = transfer_;
    struct http_progress *progress = transfer->request->progress;

    (void)upload_total;
    if (received + uploaded != transfer->moved) {
        transfer->moved = received + uploaded;
        transfer->active = clock_monotonic();
    }
    if (progress && total > 0)
        progress->total = (uint64_t)total;
    return 0;
}

/* Counts the requests that go out. */
static int transfer_watch(void *easy, int type, char *bytes, size_t size, void *transfer_)
{
    struct transfer *transfer = transfer_;

    (void)easy;
    transfer->sends += type == DEBUG_HEADER_OUT
                       && str_starts_with((str){ bytes, size }, transfer->request->method);
    return 0;
}

/* --- options --- */

static void transfer_add_header(struct transfer *transfer, str header)
{
    transfer->header_list =
        transfer->curl->slist_append(transfer->header_list, arena_cstr(&transfer->arena, header));
}

static void transfer_set_headers(struct transfer *transfer)
{
    const struct http_request *request = transfer->request;

    for (size_t i = 0; i < request->header_count; i++)
        if (!transfer->is_elsewhere || http_header_may_travel(request->headers[i]))
            transfer_add_header(transfer, request->headers[i]);
    transfer_add_header(transfer, STR("Expect:")); /* no round trip before a body */
    transfer->curl->easy_setopt(transfer->easy, OPT_HTTPHEADER, transfer->header_list);
}

static void transfer_set_method(struct transfer *transfer)
{
    const struct curl *curl = transfer->curl;
    const struct http_upload *upload = &transfer->request->upload;
    str method = transfer->request->method;
    bool has_body = upload_length(upload) > 0 || str_equal(method, STR("POST"))
                    || str_equal(method, STR("PUT")) || str_equal(method, STR("PATCH"));

    if (str_equal(method, STR("HEAD"))) {
        curl->easy_setopt(transfer->easy, OPT_NOBODY, 1L);
        return;
    }
    curl->easy_setopt(transfer->easy, OPT_CUSTOMREQUEST, arena_cstr(&transfer->arena, method));
    if (!has_body)
        return;
    curl->easy_setopt(transfer->easy, OPT_UPLOAD, 1L);
    curl->easy_setopt(transfer->easy, OPT_INFILESIZE_LARGE, (int64_t)upload_length(upload));
    curl->easy_setopt(transfer->easy, OPT_READFUNCTION, transfer_fill);
    curl->easy_setopt(transfer->easy, OPT_READDATA, transfer);
    curl->easy_setopt(transfer->easy, OPT_SEEKFUNCTION, transfer_rewind);
    curl->easy_setopt(transfer->easy, OPT_SEEKDATA, transfer);
}

/* libcurl reads the variables of a proxy itself, except for two rules of the reference: requests to
 * this machine use no proxy, and HTTP_PROXY in capitals is used, too. */
static void transfer_set_proxy(struct transfer *transfer)
{
    const struct curl *curl = transfer->curl;
    str capitals = settings_text("HTTP_PROXY");

    if (http_url_is_near(&transfer->url))
        curl->easy_setopt(transfer->easy, OPT_PROXY, "");
    else if (!transfer->url.is_https && capitals.len > 0 && !settings_has("http_proxy"))
        curl->easy_setopt(transfer->easy, OPT_PROXY, arena_cstr(&transfer->arena, capitals));
}

static void transfer_set_path(struct transfer *transfer, int option, str path)
{
    if (path.len > 0)
        transfer->curl->easy_setopt(transfer->easy, option, arena_cstr(&transfer->arena, path));
}

static void transfer_set_trust(struct transfer *transfer)
{
    const struct http_trust *trust = &transfer->request->trust;
    bool has_own = trust->authorities.len > 0 || trust->authorities_folder.len > 0;

    transfer_set_path(transfer, OPT_CAINFO,
                      has_own ? trust->authorities : settings_text("SSL_CERT_FILE"));
    transfer_set_path(transfer, OPT_CAPATH,
                      has_own ? trust->authorities_folder : settings_text("SSL_CERT_DIR"));
    transfer_set_path(transfer, OPT_SSLCERT, trust->certificate);
    transfer_set_path(transfer, OPT_SSLKEY, trust->key);
    if (!trust->believes_anyone)
        return;
    transfer->curl->easy_setopt(transfer->easy, OPT_SSL_VERIFYPEER, 0L);
    transfer->curl->easy_setopt(transfer->easy, OPT_SSL_VERIFYHOST, 0L);
}

static void transfer_set_options(struct transfer *transfer)
{
    const struct curl *curl = transfer->curl;
    const struct http_request *request = transfer->request;
    void *easy = transfer->easy;

    curl->easy_setopt(easy, OPT_PRIVATE, transfer);
    curl->easy_setopt(easy, OPT_URL, arena_cstr(&transfer->arena, request->url));
    curl->easy_setopt(easy, OPT_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
    curl->easy_setopt(easy, OPT_HTTP_VERSION, (long)HTTP_VERSION_1_1);
    curl->easy_setopt(easy, OPT_NOSIGNAL, 1L);
    curl->easy_setopt(easy, OPT_QUICK_EXIT,
                      1L); /* the end does not wait for the lookup of a name */
    curl->easy_setopt(easy, OPT_CONNECTTIMEOUT_MS,
                      (long)(request->connect_ms ? request->connect_ms : HTTP_CONNECT_MS));
    curl->easy_setopt(easy, OPT_USERAGENT, HTTP_USER_AGENT);
    curl->easy_setopt(easy, OPT_ERRORBUFFER, transfer->text);
    curl->easy_setopt(easy, OPT_WRITEFUNCTION, transfer_take);
    curl->easy_setopt(easy, OPT_WRITEDATA, transfer);
    curl->easy_setopt(easy, OPT_HEADERFUNCTION, transfer_take_header);
    curl->easy_setopt(easy, OPT_HEADERDATA, transfer);
    curl->easy_setopt(easy, OPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl->easy_setopt(easy, OPT_NOPROGRESS, 0L);
    curl->easy_setopt(easy, OPT_XFERINFOFUNCTION, transfer_tick);
    curl->easy_setopt(easy, OPT_XFERINFODATA, transfer);
    /* On a connection that turns out to be closed libcurl sends a second time by itself. */
    if (transfer->is_once)
        curl->easy_setopt(easy, OPT_FRESH_CONNECT, 1L);
    curl->easy_setopt(easy, OPT_VERBOSE, 1L);
    curl->easy_setopt(easy, OPT_DEBUGFUNCTION, transfer_watch);
    curl->easy_setopt(easy, OPT_DEBUGDATA, transfer);
    if (request->accepts_gzip)
        curl->easy_setopt(easy, OPT_ACCEPT_ENCODING, "gzip");
    transfer_set_method(transfer);
    transfer_set_headers(transfer);
    transfer_set_proxy(transfer);
    transfer_set_trust(transfer);
}

/* --- its life --- */

void transfer_start(struct transfer *transfer, const struct curl *curl, void *multi)
{
    transfer->curl = curl;
    transfer->active = clock_monotonic();
    if (transfer->request->progress)
        transfer->request->progress->received = transfer->request->progress->total = 0;
    transfer->failure = sink_begin(&transfer->request->sink);
    if (!transfer->failure) {
        transfer->easy = curl->easy_init();
        if (transfer->easy)
            transfer_set_options(transfer);
        if (!transfer->easy || curl->multi_add_handle(multi, transfer->easy) != 0)
            transfer->failure = error_new(ERROR_INVALID, "libcurl cannot make a request");
    }
    transfer->is_over = transfer->failure != NULL;
}

/* Our own message where libcurl has none, or an unclear one. */
static fallible transfer_failure(struct transfer *transfer, int code)
{
    const char *text = transfer->text[0] ? transfer->text : transfer->curl->easy_strerror(code);
    long number = 0;

    if (code == CODE_NO_HOST || code == CODE_NO_PROXY_HOST)
        return error_new(ERROR_NOT_FOUND, "%s", text);
    if (code == CODE_UNTRUSTED || code == CODE_BAD_CERTIFICATE || code == CODE_BAD_AUTHORITIES)
        return error_new(ERROR_INVALID, "%s", text);
    if (code == CODE_TIMEOUT)
        return error_new(ERROR_TIMEOUT, "%s", text);
    if (code == CODE_PARTIAL)
        return error_new(ERROR_OTHER, "the server ended the answer before it was complete (%s)",
                         text);
    transfer->curl->easy_getinfo(transfer->easy, INFO_OS_ERRNO, &number);
    if (number == 0)
        return error_new(ERROR_OTHER, "%s", text);
    errno = (int)number;
    return error_as(error_os("%s", text), ERROR_OTHER);
}

void transfer_finish(struct transfer *transfer, void *multi, int code)
{
    long status = 0;

    transfer->curl->easy_getinfo(transfer->easy, INFO_RESPONSE_CODE, &status);
    transfer->status = (int)status;
    if (code == CODE_NOT_TAKEN && transfer->is_enough)
        code = 0;
    /* libcurl is content with a head that was cut off. */
    if (code == 0 && !transfer->head.is_complete)
        code = CODE_PARTIAL;
    if (!transfer->failure && code != 0)
        transfer->failure = transfer_failure(transfer, code);
    transfer->curl->multi_remove_handle(multi, transfer->easy);
    transfer->is_over = true;
}

static void transfer_abort(struct transfer *transfer, void *multi, struct error *owned)
{
    transfer->failure = error_join(transfer->failure, owned);
    transfer_finish(transfer, multi, CODE_TIMEOUT);
}

void transfer_check(struct transfer *transfer, void *multi, int64_t now, int64_t *next_look)
{
    uint64_t idle_ms = transfer->request->idle_ms ? transfer->request->idle_ms : HTTP_IDLE_MS;
    int64_t stale = transfer->active + (int64_t)(idle_ms * NS_PER_MS);

    if (transfer->is_canceled)
        transfer_abort(transfer, multi, error_new(ERROR_CANCELED, "canceled"));
    else if (now >= transfer->deadline)
        transfer_abort(transfer, multi,
                       error_new(ERROR_TIMEOUT, "not finished within %llu seconds",
                                 (unsigned long long)transfer->request->whole_ms / 1000));
    else if (now >= stale)
        transfer_abort(transfer, multi,
                       error_new(ERROR_TIMEOUT, "nothing came for %llu seconds",
                                 (unsigned long long)idle_ms / 1000));
    if (stale < *next_look)
        *next_look = stale;
    if (transfer->deadline < *next_look)
        *next_look = transfer->deadline;
}

void transfer_release(struct transfer *transfer)
{
    if (transfer->curl) {
        transfer->curl->slist_free_all(transfer->header_list);
        if (transfer->easy)
            transfer->curl->easy_cleanup(transfer->easy);
    }
    http_head_release(&transfer->head);
    strbuf_release(&transfer->body);
    arena_release(&transfer->arena);
}
