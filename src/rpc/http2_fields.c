/* http2_fields.c — what HTTP demands of a list of fields (RFC 9113, section 8). */
#include "rpc/http2_internal.h"

/* Pseudo-headers: where they belong, and which must be there. */
static const struct {
    str name;
    enum http2_list_kind kind;
    bool is_required;
} pseudo[] = {
    { STR_INIT(":method"), LIST_REQUEST, true }, { STR_INIT(":scheme"), LIST_REQUEST, true },
    { STR_INIT(":path"), LIST_REQUEST, true },   { STR_INIT(":authority"), LIST_REQUEST, false },
    { STR_INIT(":status"), LIST_ANSWER, true },
};

enum { PSEUDO_COUNT = sizeof(pseudo) / sizeof(pseudo[0]) };

/* Fields about the connection in HTTP/1. */
static const str forbidden[] = {
    STR_INIT("connection"),        STR_INIT("keep-alive"), STR_INIT("proxy-connection"),
    STR_INIT("transfer-encoding"), STR_INIT("upgrade"),
};

static bool field_is_name(str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c <= 0x20 || c >= 0x7f || c == ':' || (c >= 'A' && c <= 'Z'))
            return false;
    }
    return name.len > 0;
}

static bool is_value(str value)
{
    return !memchr(value.ptr, '\0', value.len) && !memchr(value.ptr, '\n', value.len)
           && !memchr(value.ptr, '\r', value.len);
}

/* Marks a pseudo-header as seen; false if it does not belong here, comes twice or is empty. */
static bool check_pseudo(struct hpack_field field, enum http2_list_kind kind, unsigned *seen)
{
    for (unsigned i = 0; i < PSEUDO_COUNT; i++) {
        if (!str_equal(field.name, pseudo[i].name))
            continue;
        if (pseudo[i].kind != kind || *seen & 1u << i
            || (pseudo[i].is_required && field.value.len == 0))
            return false;
        *seen |= 1u << i;
        return true;
    }
    return false;
}

static bool check_length(str value, struct http2_stream *stream)
{
    uint64_t length;

    if (!str_to_u64(value, &length) || (stream->has_length && stream->length_left != length))
        return false;
    stream->has_length = true;
    stream->length_left = length;
    return true;
}

static bool check_regular(struct hpack_field field, enum http2_list_kind kind,
                          struct http2_stream *stream)
{
    if (!field_is_name(field.name))
        return false;
    for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++)
        if (str_equal(field.name, forbidden[i]))
            return false;
    if (str_equal(field.name, STR("te")))
        return str_equal(field.value, STR("trailers"));
    if (kind != LIST_TRAILERS && str_equal(field.name, STR("content-length")))
        return check_length(field.value, stream);
    return true;
}

bool http2_check_fields(const struct hpack_list *headers, enum http2_list_kind kind,
                        struct http2_stream *stream)
{
    unsigned seen = 0;
    bool is_past_pseudo = false;

    for (size_t i = 0; i < headers->len; i++) {
        struct hpack_field field = hpack_list_get(headers, i);
        bool is_pseudo = field.name.len && field.name.ptr[0] == ':';
        if (is_pseudo && is_past_pseudo)
            return false;
        is_past_pseudo = !is_pseudo;
        bool ok = is_pseudo ? check_pseudo(field, kind, &seen) : check_regular(field, kind, stream);
        if (!ok || !is_value(field.value))
            return false;
    }
    for (unsigned i = 0; i < PSEUDO_COUNT; i++)
        if (pseudo[i].kind == kind && pseudo[i].is_required && !(seen & 1u << i))
            return false;
    return true;
}
