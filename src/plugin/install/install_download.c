/* install_download.c — fetches the archive of a plugin, several times if need be, and checks it. */
#include "plugin/install/install_parts.h"

#include "base/hash.h"
#include "base/hex.h"
#include "base/json.h"
#include "fiber/offload.h"
#include "http/http.h"
#include "plugin/plugin_git.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { ATTEMPTS = 5, FIRST_WAIT_MS = 80, ANSWER_MAX = 8 << 20 };
static const uint64_t archive_max = 4ULL << 30;

struct download {
    const struct install_request *request; /* NULL: of something that is no plugin */
    const struct install_listener *listener;
    struct arena *arena;
    struct http_client *client;
};

void install_progress(const struct http_progress *progress, uint64_t *received, uint64_t *total)
{
    *received = progress->received;
    *total = progress->total;
}

/* --- one source --- */

/* Its query may be a permission, and nobody is to read it. */
static str url_without_query(str url)
{
    str shown = url, query;

    str_cut(url, STR("?"), &shown, &query);
    return shown;
}

/* Adds a hint where the limit for anonymous requests was reached, or the source may be private. */
static fallible download_refused(const struct install_source *source, int status)
{
    bool is_github = str_starts_with(source->url, STR("https://api.github.com/"));
    enum error_kind kind = status == 404 || status == 403 ? ERROR_NOT_FOUND : ERROR_OTHER;

    return error_new(kind, "%d HTTP error fetching %s from " STR_FMT "%s", status,
                     source->noun ? source->noun : "plugin",
                     STR_ARG(url_without_query(source->url)),
                     is_github && (status == 404 || status == 403)
                         ? ". If this is a private repository, or its limit of requests is "
                           "reached, set GITHUB_TOKEN"
                         : "");
}

/* As the reference: everything but a clear "no" is worth another attempt. */
static bool download_may_pass(int status)
{
    return status >= 400 && status != 401 && status != 403 && status != 404;
}

static fallible download_get(struct download *download, const struct install_source *source,
                             struct http_request *request, struct http_response *response)
{
    request->url = source->url;
    request->headers = source->headers;
    request->header_count = source->header_count;
    TRY(http_send(download->client, request, download->arena, response));
    if ((response->status == 401 || response->status == 403)
        && source->public_header_count < source->header_count) {
        request->headers = source->public_headers;
        request->header_count = source->public_header_count;
        TRY(http_send(download->client, request, download->arena, response));
    }
    if (http_response_is_good(response))
        return NULL;
    struct error *failure = download_refused(source, response->status);
    return response->attempts == ATTEMPTS ? error_wrap(failure, "failed all %d attempts", ATTEMPTS)
                                          : failure;
}

/* What is needed to report a retry. */
struct retelling {
    const struct install_listener *listener;
    const struct install_source *source;
};

static void report_setback(void *retelling_, const struct http_setback *setback)
{
    const struct retelling *retelling = retelling_;
    const struct install_listener *listener = retelling->listener;
    struct error *failure =
        setback->status ? download_refused(retelling->source, setback->status) : NULL;

    if (listener && listener->retry)
        listener->retry(listener->context, failure ? error_message(failure) : setback->problem,
                        setback->wait_ms, setback->attempt, setback->attempts);
    error_free(failure);
}

static fallible download_fetch(struct download *download, const struct install_source *source,
                               int fd)
{
    const struct install_listener *listener = download->listener;
    struct retelling retelling = { listener, source };
    struct http_request request = {
        .sink = { .kind = HTTP_TO_FILE, .fd = fd, .limit = archive_max },
        .retry = { .attempts = ATTEMPTS,
                   .first_wait_ms = FIRST_WAIT_MS,
                   .may_pass = download_may_pass,
                   .report = report_setback,
                   .context = &retelling },
        .progress = ARENA_NEW(download->arena, struct http_progress),
    };
    struct http_response response;

    if (listener && listener->begin_download)
        listener->begin_download(listener->context, request.progress);
    struct error *failure = download_get(download, source, &request, &response);
    if (listener && listener->end_download)
        listener->end_download(listener->context);
    return failure;
}

/* --- answers that are not the archive itself --- */

static fallible read_answer(struct download *download, const struct install_source *source,
                            str *out)
{
    struct http_request request = { .sink.limit = ANSWER_MAX };
    struct http_response response;

    TRY(download_get(download, source, &request, &response));
    *out = response.body;
    return NULL;
}

/* GitHub says at which address the archive is available. */
static fallible find_asset(struct download *download, const struct install_source *source,
                           struct install_source *out)
{
    str archive = install_archive_name(download->arena, download->request), text;
    struct install_release release;

    TRY(read_answer(download, source, &text));
    TRY(error_as(error_wrap(install_release_parse(download->arena, text, archive, &release),
                            "the answer of " STR_FMT, STR_ARG(source->url)),
                 ERROR_OTHER));
    if (release.archive_url.len == 0)
        return error_new(ERROR_NOT_FOUND, "the release at " STR_FMT " has no file '" STR_FMT "'",
                         STR_ARG(source->url), STR_ARG(archive));
    str *headers = ARENA_ARRAY(download->arena, str, 2);
    headers[0] = STR("Accept: application/octet-stream");
    if (source->header_count > 1)
        headers[1] = source->headers[1];
    *out = (struct install_source){ .url = release.archive_url,
                                    .headers = headers,
                                    .header_count = source->header_count,
                                    .public_headers = headers,
                                    .public_header_count = 1 };
    return NULL;
}

/* --- all sources --- */

static fallible download_fetch_from(struct download *download, const struct install_source *source,
                                    int fd)
{
    struct install_source asset;

    if (source->answers_with == ANSWER_ARCHIVE)
        return download_fetch(download, source, fd);
    TRY(find_asset(download, source, &asset));
    return download_fetch(download, &asset, fd);
}

/* From the first place that has it. */
static fallible download_fetch_any(struct download *download, int fd)
{
    struct install_sources sources;
    struct error *failure = NULL;

    TRY(install_find_sources(download->request, download->arena, &sources));
    for (size_t i = 0; i < sources.len; i++) {
        struct error *next = download_fetch_from(download, &sources.items[i], fd);
        if (!next) {
            error_ignore(failure, "another place has it");
            return NULL;
        }
        bool is_final = error_kind(next) == ERROR_CANCELED || error_kind(next) == ERROR_OS;
        failure = error_join(failure, next);
        if (is_final)
            break;
    }
    return failure;
}

fallible install_download(const struct install_request *request, int fd)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct download download = { request, request->listener, &scratch, http_client_new() };
    struct error *failure = download_fetch_any(&download, fd);

    http_client_free(download.client);
    return failure ? failure : install_check(request, fd);
}

fallible install_fetch(str url, const char *noun, const struct install_listener *listener, int fd)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct download download = { NULL, listener, &scratch, http_client_new() };
    const struct install_source source = { .answers_with = ANSWER_ARCHIVE,
                                           .url = url,
                                           .noun = noun };
    struct error *failure = download_fetch(&download, &source, fd);

    http_client_free(download.client);
    return failure;
}

static fallible find_latest(struct download *download, str *out)
{
    struct install_source source;
    struct install_release release;
    str text;

    TRY(install_find_latest(download->request, download->arena, &source));
    TRY(read_answer(download, &source, &text));
    TRY(error_wrap(install_release_parse(download->arena, text, STR(""), &release),
                   "the answer of " STR_FMT, STR_ARG(source.url)));
    if (release.tag.len == 0)
        return error_new(ERROR_INVALID, "the answer of " STR_FMT " names no version",
                         STR_ARG(source.url));
    *out = str_starts_with(release.tag, STR("v")) ? str_slice(release.tag, 1, release.tag.len)
                                                  : release.tag;
    return NULL;
}

fallible plugin_latest_version(const struct install_request *request, struct arena *arena, str *out)
{
    if (plugin_is_git(request->package.download_url))
        return install_latest_tag(request, arena, out);
    struct download download = { request, request->listener, arena, http_client_new() };
    struct error *failure = find_latest(&download, out);
    http_client_free(download.client);
    return failure;
}

/* --- checksum --- */

struct digest {
    int fd;
    unsigned char sum[SHA256_SIZE];
    struct error *failure;
};

static void compute(void *digest_)
{
    struct digest *digest = digest_;
    struct sha256 sha = { 0 };
    char piece[32 * 1024];
    off_t at = 0;

    for (;;) {
        ssize_t got = pread(digest->fd, piece, sizeof(piece), at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            digest->failure = error_os("read a download");
        if (got <= 0)
            break;
        sha256_add(&sha, (str){ piece, (size_t)got });
        at += got;
    }
    sha256_finish(&sha, digest->sum);
}

fallible install_check(const struct install_request *request, int fd)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct digest digest = { .fd = fd };
    str wanted;

    if (request->checksum.len == 0)
        return NULL;
    if (!hex_decode(&scratch, request->checksum, &wanted))
        return error_new(ERROR_INVALID, "checksum '" STR_FMT "' is not hexadecimal",
                         STR_ARG(request->checksum));
    offload(compute, &digest);
    TRY(digest.failure);
    str actual = { (const char *)digest.sum, sizeof(digest.sum) };
    if (str_equal(actual, wanted))
        return NULL;
    return error_new(ERROR_INVALID, "invalid checksum, expected " STR_FMT ", actual " STR_FMT,
                     STR_ARG(request->checksum), STR_ARG(hex_encode(&scratch, actual)));
}
