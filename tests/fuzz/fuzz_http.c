/* fuzz_http.c — heads and URLs of any content: what is read of them stays within bounds, and reads
 * back the same. */
#include "http/http_headers.h"
#include "http/http_url.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As libcurl hands it over: line by line. */
static void read_head(struct arena *arena, str input)
{
    CLEANUP(http_head_release) struct http_head head = { 0 };
    struct error *failure = NULL;
    str line, rest = input;
    uint64_t wait_ms;

    while (!failure && str_cut(rest, STR("\n"), &line, &rest))
        failure = http_head_add(
            &head, arena,
            str_slice(input, (size_t)(line.ptr - input.ptr), (size_t)(rest.ptr - input.ptr)));
    bool is_good = !failure;
    error_ignore(failure, "too long");
    if (!is_good)
        return;
    struct http_response response = { .headers = http_head_finish(&head, arena) };
    if (response.headers.len > HTTP_HEADERS_MAX)
        abort();
    for (size_t i = 0; i < response.headers.len; i++) {
        struct http_header *header = &response.headers.items[i];
        if (header->name.len + header->value.len > HTTP_HEAD_MAX)
            abort();
        if (!memchr(header->name.ptr, '\0', header->name.len)
            && http_response_header(&response, header->name.ptr).ptr == NULL)
            abort();
        http_retry_after(header->value, 0, &wait_ms);
    }
}

static bool is_inside(str text, str part)
{
    return part.len == 0 || (part.ptr >= text.ptr && part.ptr + part.len <= text.ptr + text.len);
}

static void read_url(struct arena *arena, str input)
{
    struct http_url url, again;
    str target;

    struct error *failure = http_url_resolve(arena, STR("http://example.com/a"), input, &target);
    error_ignore(failure, "no URL");
    failure = http_url_parse(input, &url);
    if (failure) {
        error_ignore(failure, "no URL");
        return;
    }
    if (url.host.len == 0 || !is_inside(input, url.host) || !is_inside(input, url.target))
        abort();
    /* What is shown is a URL of the same host, without credentials. */
    failure = http_url_parse(http_url_show(arena, &url), &again);
    if (failure || again.has_credentials || !str_equal(again.host, url.host)
        || again.port != url.port)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size };
    uint64_t wait_ms;

    read_head(&arena, input);
    read_url(&arena, input);
    http_retry_after(input, 0, &wait_ms);
    http_header_may_travel(input);
    return 0;
}
