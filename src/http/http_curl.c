/* http_curl.c — HTTPS through libcurl, which is loaded when the first such URL is fetched: a
 * program that only uses what is on the machine starts without it. The transfer runs on a helper
 * thread. */
#include "http/http_exchange.h"

#include "base/settings.h"
#include "fiber/fiber.h"
#include "fiber/offload.h"
#include "fiber/sync.h"

#include <dlfcn.h>

/* From libcurl's stable interface; its headers are not needed to build. */
enum {
    OPT_LOW_SPEED_LIMIT = 19,
    OPT_LOW_SPEED_TIME = 20,
    OPT_NOPROGRESS = 43,
    OPT_FOLLOWLOCATION = 52,
    OPT_MAXREDIRS = 68,
    OPT_CONNECTTIMEOUT = 78,
    OPT_NOSIGNAL = 99,
    OPT_PROTOCOLS = 181,
    OPT_REDIR_PROTOCOLS = 182,
    OPT_WRITEDATA = 10001,
    OPT_URL = 10002,
    OPT_ERRORBUFFER = 10010,
    OPT_USERAGENT = 10018,
    OPT_HTTPHEADER = 10023,
    OPT_XFERINFODATA = 10057,
    OPT_CAINFO = 10065,
    OPT_WRITEFUNCTION = 20011,
    OPT_XFERINFOFUNCTION = 20219,
    INFO_RESPONSE_CODE = 0x200002,
    PROTOCOL_HTTP = 1,
    PROTOCOL_HTTPS = 2,
    CODE_NO_PROXY_HOST = 5,
    CODE_NO_HOST = 6,
    CODE_TIMEOUT = 28,
    CODE_UNTRUSTED = 60,
    GLOBAL_DEFAULT = 3,
    ERROR_TEXT_MAX = 256,
};

struct curl {
    void *(*easy_init)(void);
    int (*easy_setopt)(void *easy, int option, ...);
    int (*easy_perform)(void *easy);
    int (*easy_getinfo)(void *easy, int info, ...);
    const char *(*easy_strerror)(int code);
    void (*easy_cleanup)(void *easy);
    void *(*slist_append)(void *list, const char *text);
    void (*slist_free_all)(void *list);
    int (*global_init)(long flags);
};

static fallible load(struct curl *curl)
{
    static const struct {
        const char *name;
        size_t offset;
    } symbols[] = {
        { "curl_easy_init", offsetof(struct curl, easy_init) },
        { "curl_easy_setopt", offsetof(struct curl, easy_setopt) },
        { "curl_easy_perform", offsetof(struct curl, easy_perform) },
        { "curl_easy_getinfo", offsetof(struct curl, easy_getinfo) },
        { "curl_easy_strerror", offsetof(struct curl, easy_strerror) },
        { "curl_easy_cleanup", offsetof(struct curl, easy_cleanup) },
        { "curl_slist_append", offsetof(struct curl, slist_append) },
        { "curl_slist_free_all", offsetof(struct curl, slist_free_all) },
        { "curl_global_init", offsetof(struct curl, global_init) },
    };
    /* Never closed: the system counts, and the library stays for the next download. */
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);

    if (!library)
        return error_new(
            ERROR_INVALID,
            "HTTPS needs libcurl, which is not installed: install the package libcurl4");
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol)
            return error_new(ERROR_INVALID, "libcurl.so.4 has no function %s", symbols[i].name);
        memcpy((char *)curl + symbols[i].offset, &symbol, sizeof(symbol));
    }
    return curl->global_init(GLOBAL_DEFAULT) == 0
               ? NULL
               : error_new(ERROR_INVALID, "libcurl cannot be initialised");
}

struct transfer {
    struct curl curl;
    const struct http_request *request;
    const char *url;
    const char *ca_file; /* NULL: the system's */
    void *headers;
    void *easy;
    struct http_body body;
    struct error *failure; /* of writing */
    char text[ERROR_TEXT_MAX];
    int code;
    long status;
    _Atomic bool is_canceled;
    struct latch done;
    struct latch ended;
};

/* --- on the helper thread --- */

static size_t take(char *bytes, size_t size, size_t count, void *transfer_)
{
    struct transfer *transfer = transfer_;
    long status = 0;

    transfer->curl.easy_getinfo(transfer->easy, INFO_RESPONSE_CODE, &status);
    if (status < 200 || status >= 300)
        return size * count;
    transfer->failure = http_body_add(&transfer->body, (str){ bytes, size * count });
    return transfer->failure ? 0 : size * count;
}

static int tick(void *transfer_, int64_t total, int64_t received, int64_t upload_total,
                int64_t uploaded)
{
    struct transfer *transfer = transfer_;

    if (transfer->body.progress && total > 0 && received >= 0 && upload_total == 0 && uploaded == 0)
        transfer->body.progress->total = (uint64_t)total;
    return transfer->is_canceled;
}

static void set_options(struct transfer *transfer)
{
    const struct curl *curl = &transfer->curl;
    void *easy = transfer->easy;
    bool is_https = str_starts_with(transfer->request->url, STR("https://"));
    uint64_t patience_ms =
        transfer->request->patience_ms ? transfer->request->patience_ms : HTTP_PATIENCE_MS;

    curl->easy_setopt(easy, OPT_URL, transfer->url);
    curl->easy_setopt(easy, OPT_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
    curl->easy_setopt(easy, OPT_REDIR_PROTOCOLS,
                      (long)(is_https ? PROTOCOL_HTTPS : PROTOCOL_HTTP | PROTOCOL_HTTPS));
    curl->easy_setopt(easy, OPT_FOLLOWLOCATION, 1L);
    curl->easy_setopt(easy, OPT_MAXREDIRS, (long)HTTP_REDIRECTS);
    curl->easy_setopt(easy, OPT_CONNECTTIMEOUT, (long)HTTP_CONNECT_MS / 1000);
    curl->easy_setopt(easy, OPT_LOW_SPEED_LIMIT, 1L);
    curl->easy_setopt(easy, OPT_LOW_SPEED_TIME, (long)((patience_ms + 999) / 1000));
    curl->easy_setopt(easy, OPT_NOSIGNAL, 1L);
    curl->easy_setopt(easy, OPT_USERAGENT, HTTP_USER_AGENT);
    curl->easy_setopt(easy, OPT_ERRORBUFFER, transfer->text);
    curl->easy_setopt(easy, OPT_WRITEFUNCTION, take);
    curl->easy_setopt(easy, OPT_WRITEDATA, transfer);
    curl->easy_setopt(easy, OPT_NOPROGRESS, 0L);
    curl->easy_setopt(easy, OPT_XFERINFOFUNCTION, tick);
    curl->easy_setopt(easy, OPT_XFERINFODATA, transfer);
    if (transfer->headers)
        curl->easy_setopt(easy, OPT_HTTPHEADER, transfer->headers);
    if (transfer->ca_file)
        curl->easy_setopt(easy, OPT_CAINFO, transfer->ca_file);
}

static void perform(void *transfer_)
{
    struct transfer *transfer = transfer_;

    set_options(transfer);
    transfer->code = transfer->curl.easy_perform(transfer->easy);
    transfer->curl.easy_getinfo(transfer->easy, INFO_RESPONSE_CODE, &transfer->status);
}

/* --- on the loop --- */

/* The helper thread asks a flag; this fiber sets it when the download is canceled. */
static void watch_for_cancel(void *transfer_)
{
    struct transfer *transfer = transfer_;
    struct error *failure = latch_wait(&transfer->done);

    if (failure) {
        transfer->is_canceled = true;
        error_ignore(failure, "told to the helper thread");
    }
    latch_open(&transfer->ended);
}

static fallible judge(struct transfer *transfer)
{
    const char *text =
        transfer->text[0] ? transfer->text : transfer->curl.easy_strerror(transfer->code);
    enum error_kind kind = ERROR_OTHER;

    if (transfer->failure)
        return transfer->failure;
    if (transfer->code == 0)
        return NULL;
    TRY(fiber_canceled());
    if (transfer->code == CODE_NO_HOST || transfer->code == CODE_NO_PROXY_HOST)
        kind = ERROR_NOT_FOUND;
    else if (transfer->code == CODE_UNTRUSTED)
        kind = ERROR_INVALID;
    else if (transfer->code == CODE_TIMEOUT)
        kind = ERROR_TIMEOUT;
    return error_new(kind, "%s", text);
}

static fallible run(struct transfer *transfer, struct arena *arena)
{
    const struct http_request *request = transfer->request;

    for (size_t i = 0; i < request->header_count; i++)
        transfer->headers =
            transfer->curl.slist_append(transfer->headers, arena_cstr(arena, request->headers[i]));
    TRY(http_body_begin(&transfer->body, request));
    TRY(fiber_canceled());
    fiber_spawn(watch_for_cancel, transfer);
    offload(perform, transfer);
    latch_open(&transfer->done);
    latch_wait_uncancelable(&transfer->ended);
    return judge(transfer);
}

fallible http_curl_exchange(const struct http_request *request, int *status)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct transfer *transfer = ARENA_NEW(&scratch, struct transfer);
    str ca_file = settings_text("SSL_CERT_FILE");

    transfer->request = request;
    transfer->url = arena_cstr(&scratch, request->url);
    transfer->ca_file = ca_file.len > 0 ? arena_cstr(&scratch, ca_file) : NULL;
    TRY(load(&transfer->curl));
    transfer->easy = transfer->curl.easy_init();
    if (!transfer->easy)
        return error_new(ERROR_INVALID, "libcurl cannot be initialised");
    struct error *failure = run(transfer, &scratch);
    transfer->curl.slist_free_all(transfer->headers);
    transfer->curl.easy_cleanup(transfer->easy);
    *status = (int)transfer->status;
    return failure;
}
