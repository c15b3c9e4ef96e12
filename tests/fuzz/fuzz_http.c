/* fuzz_http.c — answers of any content, whole and byte by byte: both ways of feeding give the same
 * head and body. */
#include "base/strbuf.h"
#include "http/http_message.h"
#include "http/http_url.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The body of a chunked answer that comes in pieces of `step` bytes; false if it is malformed. */
static bool read_body(str input, size_t step, struct strbuf *body, bool *is_done)
{
    struct http_chunks chunks = { 0 };
    bool is_good = true;

    for (size_t at = 0; at < input.len && is_good && !chunks.is_done; at += step) {
        str rest = str_slice(input, at, at + step), piece;
        while (rest.len > 0 && is_good && !chunks.is_done) {
            size_t before = rest.len;
            struct error *failure = http_chunks_next(&chunks, &rest, &piece);
            is_good = !failure;
            error_ignore(failure, "malformed");
            if (is_good && rest.len >= before)
                abort(); /* no progress */
            if (is_good)
                strbuf_add(body, piece);
        }
    }
    *is_done = chunks.is_done;
    return is_good;
}

static void compare_bodies(str input)
{
    CLEANUP(strbuf_release) struct strbuf whole = { 0 };
    CLEANUP(strbuf_release) struct strbuf slow = { 0 };
    bool is_done, is_done_slowly;
    bool is_good = read_body(input, SIZE_MAX / 2, &whole, &is_done);

    if (is_good != read_body(input, 1, &slow, &is_done_slowly) || is_done != is_done_slowly
        || !str_equal(strbuf_str(&whole), strbuf_str(&slow)))
        abort();
    if (whole.len > input.len)
        abort();
}

static bool is_inside(str text, str part)
{
    return part.len == 0 || (part.ptr >= text.ptr && part.ptr + part.len <= text.ptr + text.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size }, target;
    struct http_head head = { 0 };
    struct http_url url;

    size_t len = http_head_len(input);
    if (len > size)
        abort();
    struct error *failure = http_head_parse(str_slice(input, 0, len), &head);
    if (!failure && (head.status < 100 || head.status > 999 || !is_inside(input, head.location)))
        abort();
    bool has_location = !failure && head.location.len > 0;
    error_ignore(failure, "malformed");
    if (has_location)
        error_ignore(http_url_resolve(&arena, STR("http://example.com/a"), head.location, &target),
                     "no URL");
    failure = http_url_parse(input, &url);
    if (!failure
        && (url.host.len == 0 || !is_inside(input, url.host) || !is_inside(input, url.target)))
        abort();
    error_ignore(failure, "no URL");
    compare_bodies(str_slice(input, len, size));
    return 0;
}
