/* http.c — decides how a URL is fetched and follows redirects. */
#include "http/http.h"

#include "base/settings.h"
#include "http/http_exchange.h"

#include <errno.h>
#include <strings.h>
#include <unistd.h>

bool http_is_credential(str header)
{
    static const char *const names[] = { "authorization:", "cookie:", "private-token:" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (header.len >= strlen(names[i])
            && strncasecmp(header.ptr, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* --- body --- */

fallible http_body_begin(struct http_body *body, const struct http_request *request)
{
    *body = (struct http_body){ .fd = request->body_fd,
                                .limit = request->body_limit,
                                .progress = request->progress };
    if (ftruncate(body->fd, 0) < 0 || lseek(body->fd, 0, SEEK_SET) < 0)
        return error_os("empty the file for a download");
    if (body->progress)
        body->progress->received = body->progress->total = 0;
    return NULL;
}

fallible http_body_add(struct http_body *body, str bytes)
{
    if (bytes.len > body->limit - body->written)
        return error_new(ERROR_INVALID, "the answer is longer than %llu bytes",
                         (unsigned long long)body->limit);
    body->written += bytes.len;
    while (bytes.len > 0) {
        ssize_t put = write(body->fd, bytes.ptr, bytes.len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return error_os("write a download");
        bytes = str_slice(bytes, (size_t)put, bytes.len);
    }
    if (body->progress)
        body->progress->received = body->written;
    return NULL;
}

/* --- the way --- */

static bool has_proxy(void)
{
    return settings_text("http_proxy").len > 0 || settings_text("all_proxy").len > 0
           || settings_text("ALL_PROXY").len > 0;
}

static bool is_redirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

fallible http_get(const struct http_request *request, int *status)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct http_request current = *request;
    struct http_url first, url;
    str location;

    TRY(http_url_parse(request->url, &first));
    for (int i = 0; i <= HTTP_REDIRECTS; i++) {
        TRY(http_url_parse(current.url, &url));
        if (url.is_https || has_proxy())
            return error_wrap(http_curl_exchange(&current, status), "GET " STR_FMT,
                              STR_ARG(current.url));
        bool is_same_host = str_equal(url.authority, first.authority);
        TRY(error_wrap(
            http_plain_exchange(&current, &url, is_same_host, &scratch, status, &location),
            "GET " STR_FMT, STR_ARG(current.url)));
        if (!is_redirect(*status) || location.len == 0)
            return NULL;
        TRY(http_url_resolve(&scratch, current.url, location, &current.url));
    }
    return error_new(ERROR_INVALID, "GET " STR_FMT ": more than %d redirects",
                     STR_ARG(request->url), HTTP_REDIRECTS);
}

bool http_may_pass(const struct error *failure)
{
    enum error_kind kind = error_kind(failure);

    return kind == ERROR_OTHER || kind == ERROR_TIMEOUT;
}
