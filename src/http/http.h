/* http.h — downloads over HTTP and HTTPS: the face of this folder. */
#pragma once

#include "base/error.h"

#include <stdatomic.h>

/* How far a download is. Others may look while it runs. */
struct http_progress {
    _Atomic uint64_t received;
    _Atomic uint64_t total; /* 0: the server did not say */
};

struct http_request {
    str url;
    const str *headers; /* "Name: value" */
    size_t header_count;
    int body_fd;                    /* a file, emptied first; gets the body of a 2xx answer */
    uint64_t body_limit;            /* longer bodies are refused */
    uint64_t patience_ms;           /* without a byte; 0: 30 s */
    struct http_progress *progress; /* NULL: nobody looks */
};

/* GET, after redirects. An answer with any status is a success.
 * ERROR_INVALID: what the next attempt would meet again (a bad URL, no libcurl, a body too long);
 * ERROR_NOT_FOUND: no such host; ERROR_OS: the body could not be written; ERROR_CANCELED;
 * anything else may be gone at the next attempt. Blocks. */
fallible http_get(const struct http_request *request, int *status);
/* Whether another attempt may do better, by the kinds above. */
bool http_may_pass(const struct error *failure);
