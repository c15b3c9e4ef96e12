/* install_download.c — fetches the archive of a plugin, several times if need be, and checks it. */
#include "plugin/install/install_parts.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/json.h"
#include "fiber/fiber.h"
#include "fiber/offload.h"
#include "http/http.h"
#include "plugin/plugin_git.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { ATTEMPTS = 5, FIRST_WAIT_MS = 80, ANSWER_MAX = 8 << 20 };
static const uint64_t archive_max = 4ULL << 30;

struct download {
    const struct install_request *request;
    struct arena *arena;
    int fd;
};

void install_progress(const struct http_progress *progress, uint64_t *received, uint64_t *total)
{
    *received = progress->received;
    *total = progress->total;
}

/* --- one source --- */

/* A hint for those who ran into the limit for strangers, or look for what is not public. */
static fallible refused(const struct install_source *source, int status)
{
    bool is_github = str_starts_with(source->url, STR("https://api.github.com/"));
    enum error_kind kind = status == 404 || status == 403 ? ERROR_NOT_FOUND : ERROR_OTHER;

    return error_new(kind, "%d HTTP error fetching plugin from " STR_FMT "%s", status,
                     STR_ARG(source->url),
                     is_github && (status == 404 || status == 403)
                         ? ". If this is a private repository, or its limit of requests is "
                           "reached, set GITHUB_TOKEN"
                         : "");
}

static fallible get(struct download *download, const struct install_source *source, uint64_t limit,
                    struct http_progress *progress)
{
    struct http_request request = {
        .url = source->url,
        .headers = source->headers,
        .header_count = source->header_count,
        .body_fd = download->fd,
        .body_limit = limit,
        .progress = progress,
    };
    int status;

    TRY(http_get(&request, &status));
    if ((status == 401 || status == 403) && source->public_header_count < source->header_count) {
        request.headers = source->public_headers;
        request.header_count = source->public_header_count;
        TRY(http_get(&request, &status));
    }
    return status >= 200 && status < 300 ? NULL : refused(source, status);
}

static fallible attempt(struct download *download, const struct install_source *source)
{
    const struct install_listener *listener = download->request->listener;
    struct http_progress *progress = ARENA_NEW(download->arena, struct http_progress);

    if (listener && listener->begin_download)
        listener->begin_download(listener->context, progress);
    struct error *failure = get(download, source, archive_max, progress);
    if (listener && listener->end_download)
        listener->end_download(listener->context);
    return failure;
}

static fallible fetch(struct download *download, const struct install_source *source)
{
    const struct install_listener *listener = download->request->listener;
    uint64_t wait_ms = FIRST_WAIT_MS;

    for (unsigned i = 1;; i++, wait_ms *= 2) {
        struct error *failure = attempt(download, source);
        if (!failure || !http_may_pass(failure))
            return failure;
        if (i == ATTEMPTS)
            return error_wrap(failure, "failed all %d attempts", ATTEMPTS);
        if (listener && listener->retry)
            listener->retry(listener->context, error_message(failure), wait_ms, i, ATTEMPTS);
        error_ignore(failure, "tried again");
        TRY(fiber_sleep_ms(wait_ms));
    }
}

/* --- answers that are not the archive itself --- */

static fallible read_answer(struct download *download, const struct install_source *source,
                            str *out)
{
    TRY(get(download, source, ANSWER_MAX, NULL));
    off_t len = lseek(download->fd, 0, SEEK_END);
    if (len < 0)
        return error_os("read a download");
    char *text = arena_alloc_raw(download->arena, (size_t)len + 1);
    if (pread(download->fd, text, (size_t)len, 0) != len)
        return error_os("read a download");
    *out = (str){ text, (size_t)len };
    return NULL;
}

struct asset_entry {
    str name;
    str url;
};
struct release {
    str archive; /* the name of the file that is looked for */
    str tag;
    str archive_url; /* empty: it has no such archive */
};

static fallible read_assets(struct json_reader *reader, void *release_)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct asset_entry, name, json_field_string),
        JSON_FIELD("url", struct asset_entry, url, json_field_string),
        { 0 },
    };
    struct release *release = release_;
    bool more;

    TRY(json_array_begin(reader));
    for (;;) {
        struct asset_entry entry = { STR(""), STR("") };
        TRY(json_array_next(reader, &more));
        if (!more)
            return NULL;
        TRY(json_read_fields(reader, fields, &entry));
        if (release->archive.len > 0 && str_equal(entry.name, release->archive))
            release->archive_url = entry.url;
    }
}

static fallible read_release(struct arena *arena, str text, str archive, struct release *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("tag_name", struct release, tag, json_field_string),
        { "assets", read_assets, 0 },
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;

    *out = (struct release){ archive, STR(""), STR("") };
    json_reader_init(&reader, arena, text);
    return json_read_fields(&reader, fields, out);
}

/* GitHub says by which address the archive is to be had. */
static fallible find_asset(struct download *download, const struct install_source *source,
                           struct install_source *out)
{
    str archive = install_archive_name(download->arena, download->request), text;
    struct release release;

    TRY(read_answer(download, source, &text));
    TRY(error_as(error_wrap(read_release(download->arena, text, archive, &release),
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

static fallible fetch_from(struct download *download, const struct install_source *source)
{
    struct install_source asset;

    if (source->answers_with == ANSWER_ARCHIVE)
        return fetch(download, source);
    TRY(find_asset(download, source, &asset));
    return fetch(download, &asset);
}

fallible install_download(const struct install_request *request, int fd)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct download download = { request, &scratch, fd };
    struct install_sources sources;
    struct error *failure = NULL;

    TRY(install_find_sources(request, &scratch, &sources));
    for (size_t i = 0; i < sources.len; i++) {
        struct error *next = fetch_from(&download, &sources.items[i]);
        if (!next) {
            error_ignore(failure, "another place has it");
            return install_check(request, fd);
        }
        bool is_final = error_kind(next) == ERROR_CANCELED || error_kind(next) == ERROR_OS;
        failure = error_join(failure, next);
        if (is_final)
            break;
    }
    return failure;
}

fallible plugin_latest_version(const struct install_request *request, struct arena *arena, str *out)
{
    struct install_source source;
    char path[] = "/tmp/plugin-release-XXXXXX";
    struct release release;
    str text;

    if (plugin_is_git(request->url))
        return install_latest_tag(request, arena, out);
    TRY(install_find_latest(request, arena, &source));
    int fd = mkstemp(path);
    if (fd < 0)
        return error_os("create '%s'", path);
    unlink(path);
    struct download download = { request, arena, fd };
    struct error *failure = read_answer(&download, &source, &text);
    close(fd);
    TRY(failure);
    TRY(error_wrap(read_release(arena, text, STR(""), &release), "the answer of " STR_FMT,
                   STR_ARG(source.url)));
    if (release.tag.len == 0)
        return error_new(ERROR_INVALID, "the answer of " STR_FMT " names no version",
                         STR_ARG(source.url));
    *out = str_starts_with(release.tag, STR("v")) ? str_slice(release.tag, 1, release.tag.len)
                                                  : release.tag;
    return NULL;
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
