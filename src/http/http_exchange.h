/* http_exchange.h — one request and its answer, by either way; private to this folder. */
#pragma once

#include "base/version.h"
#include "http/http.h"
#include "http/http_url.h"

#define HTTP_USER_AGENT "pulumi-cli/1 (" PULUMI_VERSION "; linux)"

enum { HTTP_PATIENCE_MS = 30 * 1000, HTTP_CONNECT_MS = 15 * 1000, HTTP_REDIRECTS = 10 };

/* One exchange in the clear. `location` is where a redirect leads, in the arena, or empty.
 * Blocks. */
fallible http_plain_exchange(const struct http_request *request, const struct http_url *url,
                             bool sends_credentials, struct arena *arena, int *status,
                             str *location);

/* libcurl follows redirects itself. Blocks. */
fallible http_curl_exchange(const struct http_request *request, int *status);

/* Is this header meant for one host only? */
bool http_is_credential(str header);

/* --- the file that takes the body --- */

struct http_body {
    int fd;
    uint64_t written;
    uint64_t limit;
    struct http_progress *progress;
};
fallible http_body_begin(struct http_body *body, const struct http_request *request);
fallible http_body_add(struct http_body *body, str bytes);
