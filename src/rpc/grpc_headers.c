/* grpc_headers.c — request headers with a meaning to gRPC, and those it leaves to the
 * application. */
#include "rpc/grpc.h"

#include "base/memory.h"

#include <stdio.h>

bool grpc_is_content_type(str value)
{
    str prefix = STR("application/grpc");

    if (!str_starts_with(value, prefix))
        return false;
    return value.len == prefix.len || value.ptr[prefix.len] == '+' || value.ptr[prefix.len] == ';';
}

/* --- timeouts --- */

enum { MOST_DIGITS = 8 };

str grpc_format_timeout(char room[GRPC_TIMEOUT_ROOM], uint64_t milliseconds)
{
    static const struct {
        uint64_t milliseconds;
        char unit;
    } units[] = { { 1, 'm' }, { 1000, 'S' }, { 60 * 1000, 'M' }, { 60 * 60 * 1000, 'H' } };
    size_t i = 0;

    while (i < 3 && milliseconds / units[i].milliseconds > 99999999)
        i++;
    uint64_t count = milliseconds / units[i].milliseconds;
    int len = snprintf(room, GRPC_TIMEOUT_ROOM, "%u%c",
                       count > 99999999 ? 99999999u : (unsigned)count, units[i].unit);
    return (str){ room, (size_t)len };
}

bool grpc_parse_timeout(str text, uint64_t *milliseconds)
{
    uint64_t count;

    if (text.len < 2 || text.len > MOST_DIGITS + 1
        || !str_to_u64(str_slice(text, 0, text.len - 1), &count))
        return false;
    switch (text.ptr[text.len - 1]) {
    case 'n': *milliseconds = (count + 999999) / 1000000; return true;
    case 'u': *milliseconds = (count + 999) / 1000; return true;
    case 'm': *milliseconds = count; return true;
    case 'S': *milliseconds = count * 1000; return true;
    case 'M': *milliseconds = count * 60 * 1000; return true;
    case 'H': *milliseconds = count * 60 * 60 * 1000; return true;
    default: return false;
    }
}

/* --- metadata --- */

/* One block: the spans, then the text they point into. */
struct grpc_metadata {
    size_t count;
    size_t text_len;
    struct hpack_span spans[];
};

static bool is_metadata(str name)
{
    static const str transport[] = {
        STR_INIT("te"),           STR_INIT("content-type"),  STR_INIT("accept-encoding"),
        STR_INIT("grpc-timeout"), STR_INIT("grpc-encoding"), STR_INIT("grpc-accept-encoding"),
    };
    if (name.len == 0 || name.ptr[0] == ':')
        return false;
    for (size_t i = 0; i < sizeof(transport) / sizeof(transport[0]); i++)
        if (str_equal(name, transport[i]))
            return false;
    return true;
}

struct grpc_metadata *grpc_metadata_copy(const struct hpack_list *headers)
{
    size_t count = 0, text_len = 0;

    for (size_t i = 0; i < headers->len; i++) {
        struct hpack_field field = hpack_list_get(headers, i);
        if (is_metadata(field.name)) {
            count++;
            text_len += field.name.len + field.value.len;
        }
    }
    if (count == 0)
        return NULL;
    size_t spans_len = count * sizeof(struct hpack_span);
    struct grpc_metadata *copy = memory_alloc(sizeof(*copy) + spans_len + text_len);
    char *text = (char *)copy->spans + spans_len;
    size_t at = 0;
    copy->count = 0;
    copy->text_len = text_len;
    for (size_t i = 0; i < headers->len; i++) {
        struct hpack_field field = hpack_list_get(headers, i);
        if (!is_metadata(field.name))
            continue;
        size_t len = field.name.len + field.value.len; /* the value follows the name in a list */
        memcpy(text + at, field.name.ptr, len);
        copy->spans[copy->count++] = (struct hpack_span){ (uint32_t)at, (uint32_t)field.name.len,
                                                          (uint32_t)field.value.len };
        at += len;
    }
    return copy;
}

size_t grpc_metadata_size(const struct grpc_metadata *metadata)
{
    if (!metadata)
        return 0;
    return sizeof(*metadata) + metadata->count * sizeof(struct hpack_span) + metadata->text_len;
}

str grpc_metadata_find(const struct grpc_metadata *metadata, str name)
{
    const char *text = metadata ? (const char *)(metadata->spans + metadata->count) : NULL;

    for (size_t i = 0; metadata && i < metadata->count; i++) {
        const struct hpack_span *span = &metadata->spans[i];
        if (str_equal((str){ text + span->at, span->name_len }, name))
            return (str){ text + span->at + span->name_len, span->value_len };
    }
    return STR("");
}
