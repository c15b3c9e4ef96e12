/* wire.h — private to the Struct codec: the tags of Struct, Value and ListValue, varints and
 * text. */
#pragma once

#include "base/str.h"

/* Field number and wire type of everything in the three messages fits into one byte. */
enum wire_tag {
    TAG_FIELDS = 0x0a, /* Struct.fields, an entry */
    TAG_ENTRY_KEY = 0x0a,
    TAG_ENTRY_VALUE = 0x12,
    TAG_VALUES = 0x0a, /* ListValue.values */
    TAG_NULL = 0x08,
    TAG_NUMBER = 0x11,
    TAG_STRING = 0x1a,
    TAG_BOOL = 0x20,
    TAG_STRUCT = 0x2a,
    TAG_LIST = 0x32,
};

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* False if the bytes end first or the number has more than 64 bits. */
static inline bool wire_varint(const unsigned char **at, const unsigned char *end, uint64_t *out)
{
    const unsigned char *p = *at;
    uint64_t value = 0;

    if (p < end && *p < 0x80) {
        *out = *p;
        *at = p + 1;
        return true;
    }
    for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
        unsigned char byte = *p++;
        if (shift == 63 && byte > 1)
            return false;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = value;
            *at = p;
            return true;
        }
    }
    return false;
}

/* A length that fits into what is left; `*end_out` is where it ends. */
static inline bool wire_length(const unsigned char **at, const unsigned char *end,
                               const unsigned char **end_out)
{
    uint64_t length;

    if (!wire_varint(at, end, &length) || length > (uint64_t)(end - *at))
        return false;
    *end_out = *at + length;
    return true;
}

/* Field numbers end at 29 bits, and there is no field 0. */
static inline bool wire_is_tag(uint64_t tag)
{
    return tag >> 3 != 0 && tag >> 3 < UINT64_C(1) << 29;
}

/* Passes over the contents of a field that nobody asked for. Groups are refused. */
static inline bool wire_skip(const unsigned char **at, const unsigned char *end, uint64_t tag)
{
    uint64_t number;
    const unsigned char *field_end;
    size_t width = (tag & 7) == WIRE_FIXED64 ? 8 : 4;

    if (!wire_is_tag(tag))
        return false;
    switch (tag & 7) {
    case WIRE_VARINT: return wire_varint(at, end, &number);
    case WIRE_FIXED64:
    case WIRE_FIXED32:
        if ((size_t)(end - *at) < width)
            return false;
        *at += width;
        return true;
    case WIRE_BYTES:
        if (!wire_length(at, end, &field_end))
            return false;
        *at = field_end;
        return true;
    default: return false;
    }
}

/* Most text is short and ASCII: eight bytes at a time, the last eight overlapping. */
static inline bool wire_is_utf8(const unsigned char *text, size_t len)
{
    uint64_t word, bits = 0;

    if (len < sizeof(word)) {
        for (size_t i = 0; i < len; i++)
            bits |= (uint64_t)text[i];
        return bits < 0x80 || str_is_utf8((str){ (const char *)text, len });
    }
    for (size_t i = 0; i + sizeof(word) <= len; i += sizeof(word)) {
        memcpy(&word, text + i, sizeof(word));
        bits |= word;
    }
    memcpy(&word, text + len - sizeof(word), sizeof(word));
    bits |= word;
    return !(bits & UINT64_C(0x8080808080808080)) || str_is_utf8((str){ (const char *)text, len });
}
