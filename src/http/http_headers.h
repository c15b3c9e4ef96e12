/* http_headers.h — the head of a response, line by line. No I/O. */
#pragma once

#include "base/vec.h"
#include "http/http.h"

enum { HTTP_HEAD_MAX = 64 * 1024, HTTP_HEADERS_MAX = 256 };

/* Collects the head of the last response: earlier ones are informational (1xx), or of a proxy. The
 * zero value is empty. */
struct http_head {
    VEC(struct http_header);
    size_t bytes;     /* of all lines; bounded */
    bool is_complete; /* its empty line has come */
};
void http_head_release(struct http_head *head);
/* One line with its end. A status line starts anew; what has no colon is passed over. Texts are
 * copied to the arena. */
fallible http_head_add(struct http_head *head, struct arena *arena, str line);
struct http_headers http_head_finish(struct http_head *head, struct arena *arena);

bool http_name_equal(str name, const char *wanted);
/* Retry-After: seconds, or a date seen from `now` (nanoseconds since 1970). False if it is neither.
 */
bool http_retry_after(str value, int64_t now, uint64_t *wait_ms);
/* Whether a request header may go to another host: it describes the content, not the sender. */
bool http_header_may_travel(str header);
