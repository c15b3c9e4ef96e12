/* wire.h — private to the Struct codec: the tags of Struct, Value and ListValue, and varints. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Field number and wire type of everything in the three messages fits into one byte. */
enum wire_tag {
    TAG_FIELDS = 0x0a,      /* Struct.fields, an entry */
    TAG_ENTRY_KEY = 0x0a,
    TAG_ENTRY_VALUE = 0x12,
    TAG_VALUES = 0x0a,      /* ListValue.values */
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
static inline bool wire_length(const unsigned char **at, const unsigned char *end, const unsigned char **end_out)
{
    uint64_t length;

    if (!wire_varint(at, end, &length) || length > (uint64_t)(end - *at))
        return false;
    *end_out = *at + length;
    return true;
}

/* Passes over the contents of a field that nobody asked for. Groups are refused. */
static inline bool wire_skip(const unsigned char **at, const unsigned char *end, uint64_t tag)
{
    uint64_t number;
    const unsigned char *field_end;
    size_t width = (tag & 7) == WIRE_FIXED64 ? 8 : 4;

    if (tag >> 3 == 0)
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
