/* struct_encode.c — a value tree into Struct and Value bytes. */
#include "base/memory.h"
#include "proto/struct_rules.h"
#include "proto/wire.h"

#include <stdlib.h>

/* The bytes are written from the last to the first: when the length of a message is needed, the message is already there, so nothing is
 * measured beforehand. Positions are counted from the end, which a growing buffer leaves alone. Open containers are frames, as in
 * struct_decode.c. */

struct frame {
    struct value container;
    uint32_t left;   /* children still to be written; the last written one has this index */
    size_t written;  /* before its first byte */
};

struct encoder {
    const struct struct_rules *rules;
    unsigned char *buffer;
    size_t capacity;
    size_t written;
    struct frame *frames;
    size_t depth;
};

enum { FIRST_BUFFER = 4096, LONGEST_VARINT = 10 };

static void grow(struct encoder *encoder, size_t more)
{
    size_t capacity = encoder->capacity ? encoder->capacity : FIRST_BUFFER;

    while (capacity - encoder->written < more)
        if (__builtin_mul_overflow(capacity, (size_t)2, &capacity))
            memory_exhausted(SIZE_MAX);
    unsigned char *buffer = memory_alloc(capacity);
    if (encoder->written)
        memcpy(buffer + capacity - encoder->written, encoder->buffer + encoder->capacity - encoder->written,
               encoder->written);
    free(encoder->buffer);
    encoder->buffer = buffer;
    encoder->capacity = capacity;
}

/* Where the next byte goes in front of what is written; there is room for `more` of them. */
static inline unsigned char *front(struct encoder *encoder, size_t more)
{
    if (encoder->capacity - encoder->written < more)
        grow(encoder, more);
    return encoder->buffer + encoder->capacity - encoder->written;
}

static inline unsigned char *put_varint(unsigned char *front, uint64_t number)
{
    if (number < 0x80) {
        *--front = (unsigned char)number;
        return front;
    }
    unsigned char bytes[LONGEST_VARINT];
    size_t len = 0;
    for (; number >= 0x80; number >>= 7)
        bytes[len++] = (unsigned char)(number | 0x80);
    bytes[len++] = (unsigned char)number;
    front -= len;
    memcpy(front, bytes, len);
    return front;
}

static inline unsigned char *put_text(unsigned char *front, str text)
{
    front -= text.len;
    if (text.len)
        memcpy(front, text.ptr, text.len);
    return put_varint(front, text.len);
}

static inline void advance(struct encoder *encoder, const unsigned char *front)
{
    encoder->written = (size_t)(encoder->buffer + encoder->capacity - front);
}

/* The contents of a Value that holds no other. */
static inline void put_scalar(struct encoder *encoder, struct value value)
{
    unsigned char *at = front(encoder, 2 * LONGEST_VARINT + (value.kind == VALUE_STRING ? value.len : 0));

    switch (value.kind) {
    case VALUE_STRING:
        at = put_text(at, value_text(value));
        *--at = TAG_STRING;
        break;
    case VALUE_NUMBER:
        at -= sizeof(value.number);
        memcpy(at, &value.number, sizeof(value.number));
        *--at = TAG_NUMBER;
        break;
    case VALUE_BOOL:
        *--at = value.boolean;
        *--at = TAG_BOOL;
        break;
    default:
        *--at = 0;
        *--at = TAG_NULL;
    }
    advance(encoder, at);
}

/* Makes a member or an item of the Value that was written last. */
static inline void wrap(struct encoder *encoder, const struct frame *parent, size_t before)
{
    bool is_object = parent->container.kind == VALUE_OBJECT;
    str key = is_object ? parent->container.members[parent->left].key : STR("");
    unsigned char *at = front(encoder, key.len + 4 * LONGEST_VARINT);

    at = put_varint(at, encoder->written - before);
    if (!is_object) {
        *--at = TAG_VALUES;
        advance(encoder, at);
        return;
    }
    *--at = TAG_ENTRY_VALUE;
    at = put_text(at, key);
    *--at = TAG_ENTRY_KEY;
    advance(encoder, at);
    at = put_varint(at, encoder->written - before);
    *--at = TAG_FIELDS;
    advance(encoder, at);
}

static fallible push(struct encoder *encoder, struct value container)
{
    if (encoder->depth == VALUE_MAX_DEPTH)
        return error_new(ERROR_INVALID, "property values are nested deeper than %d levels", VALUE_MAX_DEPTH);
    encoder->frames[encoder->depth++] = (struct frame){ container, container.len, encoder->written };
    return NULL;
}

/* The member that is being written, or the one whose list is. */
static str current_key(const struct encoder *encoder)
{
    for (size_t i = encoder->depth; i > 0; i--) {
        const struct frame *frame = &encoder->frames[i - 1];
        if (frame->container.kind == VALUE_OBJECT)
            return frame->container.members[frame->left].key;
    }
    return STR("");
}

static bool is_plain(struct value value)
{
    return value.kind <= VALUE_OBJECT && (value.kind != VALUE_STRING || str_is_utf8(value_text(value)));
}

/* Replaces what the wire has no form for, until it has one or is dropped. */
static fallible make_plain(struct encoder *encoder, struct value *inout)
{
    const struct struct_rules *rules = encoder->rules;

    while (!is_plain(*inout) && inout->kind != VALUE_DROPPED) {
        if (rules->expand) {
            TRY(rules->expand(rules->context, current_key(encoder), inout));
            continue;
        }
        BUG_IF(inout->kind != VALUE_STRING);
        str key = current_key(encoder);
        return error_new(ERROR_INVALID, "the value of property '" STR_FMT "' is not valid UTF-8", STR_ARG(key));
    }
    return NULL;
}

static fallible write_child(struct encoder *encoder, struct frame *frame)
{
    const struct struct_rules *rules = encoder->rules;
    bool is_object = frame->container.kind == VALUE_OBJECT;
    struct value value = is_object ? frame->container.members[frame->left].value : frame->container.items[frame->left];
    size_t before = encoder->written;

    if (is_object) {
        str key = frame->container.members[frame->left].key;
        if (rules->skips_nulls && value.kind == VALUE_NULL)
            return NULL;
        if (rules->skips_internal_keys && encoder->depth == 1 && str_starts_with(key, STR("__")))
            return NULL;
        if (!str_is_utf8(key))
            return error_new(ERROR_INVALID, "the name of a property is not valid UTF-8");
    }
    if (!is_plain(value))
        TRY(make_plain(encoder, &value));
    if (value.kind == VALUE_DROPPED)
        return NULL;
    if (value.kind == VALUE_OBJECT || value.kind == VALUE_ARRAY)
        return push(encoder, value);
    put_scalar(encoder, value);
    wrap(encoder, frame, before);
    return NULL;
}

/* All children are written: turns them into a Value, and that into a child of the frame below. */
static void pop(struct encoder *encoder)
{
    const struct frame *frame = &encoder->frames[encoder->depth - 1];

    encoder->depth--;
    if (encoder->depth == 0)
        return;
    unsigned char *at = front(encoder, 2 * LONGEST_VARINT);
    at = put_varint(at, encoder->written - frame->written);
    *--at = frame->container.kind == VALUE_OBJECT ? TAG_STRUCT : TAG_LIST;
    advance(encoder, at);
    wrap(encoder, frame - 1, frame->written);
}

/* Encodes what a container holds: the contents of a Struct or a ListValue. */
static fallible run(struct encoder *encoder, struct value container)
{
    TRY(push(encoder, container));
    while (encoder->depth > 0) {
        struct frame *frame = &encoder->frames[encoder->depth - 1];
        if (frame->left == 0) {
            pop(encoder);
            continue;
        }
        frame->left--;
        TRY(write_child(encoder, frame));
    }
    return NULL;
}

static fallible encode(struct arena *arena, struct value container, const struct struct_rules *rules, str *out)
{
    struct encoder encoder = { .rules = rules };
    encoder.frames = memory_alloc(VALUE_MAX_DEPTH * sizeof(*encoder.frames));

    struct error *failure = run(&encoder, container);
    if (!failure) {
        const unsigned char *begin = front(&encoder, 0);
        *out = (str){ arena_copy_bytes(arena, begin, encoder.written), encoder.written };
    }
    free(encoder.frames);
    free(encoder.buffer);
    return failure;
}

fallible struct_encode_with(struct arena *arena, struct value object, const struct struct_rules *rules, str *out)
{
    BUG_IF(object.kind != VALUE_OBJECT);
    return encode(arena, object, rules, out);
}

/* A Value is a list of one without the list's tag and length. */
fallible struct_encode_value_with(struct arena *arena, struct value value, const struct struct_rules *rules, str *out)
{
    struct value list = { .kind = VALUE_ARRAY, .len = 1, .items = &value };
    str bytes;

    TRY(encode(arena, list, rules, &bytes));
    if (bytes.len == 0) {
        *out = (str){ 0 };
        return NULL;
    }
    const unsigned char *at = (const unsigned char *)bytes.ptr + 1;
    const unsigned char *end = (const unsigned char *)bytes.ptr + bytes.len;
    const unsigned char *value_end;
    bool is_whole = wire_length(&at, end, &value_end) && value_end == end;
    BUG_IF(!is_whole);
    *out = (str){ (const char *)at, (size_t)(end - at) };
    return NULL;
}

static const struct struct_rules plain = { 0 };

fallible struct_encode(struct arena *arena, struct value object, str *out)
{
    return struct_encode_with(arena, object, &plain, out);
}

fallible struct_encode_value(struct arena *arena, struct value value, str *out)
{
    return struct_encode_value_with(arena, value, &plain, out);
}
