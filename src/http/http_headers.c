/* http_headers.c — reads the head of a response, and what its headers mean. */
#include "http/http_headers.h"

#include "base/clock.h"

#include <stdio.h>
#include <strings.h>

bool http_name_equal(str name, const char *wanted)
{
    return name.len == strlen(wanted) && strncasecmp(name.ptr, wanted, name.len) == 0;
}

void http_head_release(struct http_head *head)
{
    vec_release(head);
}

fallible http_head_add(struct http_head *head, struct arena *arena, str line)
{
    struct http_header header;

    if (str_starts_with(line, STR("HTTP/"))) {
        head->len = 0;
        head->bytes = 0;
        head->is_complete = false;
    }
    head->bytes += line.len;
    if (head->bytes > HTTP_HEAD_MAX || head->len >= HTTP_HEADERS_MAX)
        return error_new(ERROR_OTHER, "the head of the response is too long");
    line = str_trim(line);
    head->is_complete = head->is_complete || line.len == 0;
    if (!str_cut(line, STR(":"), &header.name, &header.value))
        return NULL;
    header.name = arena_copy(arena, header.name);
    header.value = arena_copy(arena, str_trim(header.value));
    vec_add(head, header);
    return NULL;
}

struct http_headers http_head_finish(struct http_head *head, struct arena *arena)
{
    return (struct http_headers){
        arena_copy_bytes(arena, head->items, head->len * sizeof(*head->items)), head->len
    };
}

/* --- Retry-After --- */

bool http_retry_after(str value, int64_t now, uint64_t *wait_ms)
{
    uint64_t seconds;
    int64_t time;

    if (str_to_u64(value, &seconds)) {
        *wait_ms = seconds > UINT64_MAX / 1000 ? UINT64_MAX : seconds * 1000;
        return true;
    }
    if (value.len == 0 || !clock_parse_http(value, &time))
        return false;
    *wait_ms = time > now ? (uint64_t)(time - now) / NS_PER_MS : 0;
    return true;
}

/* --- redirects --- */

bool http_header_may_travel(str header)
{
    static const char *const names[] = { "accept",           "accept-encoding", "accept-language",
                                         "content-encoding", "content-type",    "range",
                                         "user-agent" };
    str name, value;

    if (!str_cut(header, STR(":"), &name, &value))
        return false;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (http_name_equal(name, names[i]))
            return true;
    return false;
}
