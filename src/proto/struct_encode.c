/* struct_encode.c — a value tree into Struct and Value bytes. */
#include "proto/struct_codec.h"

#include "base/memory.h"
#include "proto/struct_rules.h"
#include "proto/wire.h"

#include <stdlib.h>

/* The bytes are written from the last to the first: when the length of a message is needed, the
 * message is already there, so nothing is measured beforehand. They go into chunks, each filled
 * from its end and put in front of the one before, and are joined when their number is known. Open
 * containers are frames, as in struct_decode.c. */

struct chunk {
    struct chunk *after; /* holds the bytes that follow these */
    unsigned char *begin;
    unsigned char *end;
    unsigned char space[];
};

struct frame {
    struct value container;
    uint32_t left;  /* children still to be written; the last written one has this index */
    size_t written; /* before its first byte */
};

struct encoder {
    const struct struct_rules *rules;
    struct chunk *chunk;
    unsigned char *at; /* the first byte that is written in it */
    size_t in_others;  /* bytes in the chunks behind it */
    struct frame *frames;
    size_t frame_capacity;
    size_t depth;
};

enum { FIRST_CHUNK = 4000, LARGEST_CHUNK = 1 << 20, LONGEST_VARINT = 10, FIRST_FRAMES = 32 };

static void add_chunk(struct encoder *encoder, size_t more)
{
    struct chunk *full = encoder->chunk;
    size_t size = FIRST_CHUNK;

    if (full) {
        full->begin = encoder->at;
        encoder->in_others += (size_t)(full->end - full->begin);
        size = 2 * (size_t)(full->end - full->space);
    }
    if (size > LARGEST_CHUNK)
        size = LARGEST_CHUNK;
    if (size < more)
        size = more;
    struct chunk *chunk = memory_alloc(sizeof(*chunk) + size);
    chunk->after = full;
    chunk->begin = chunk->end = chunk->space + size;
    encoder->chunk = chunk;
    encoder->at = chunk->end;
}

static inline size_t written(const struct encoder *encoder)
{
    return encoder->in_others + (size_t)(encoder->chunk->end - encoder->at);
}

/* Where the next byte goes in front of what is written; there is room for `more` of them. */
static inline unsigned char *front(struct encoder *encoder, size_t more)
{
    if ((size_t)(encoder->at - encoder->chunk->space) < more)
        add_chunk(encoder, more);
    return encoder->at;
}

/* The bytes of all chunks. */
static str encode_join(struct arena *arena, struct encoder *encoder)
{
    size_t len = written(encoder);
    char *bytes = arena_alloc_raw(arena, len);
    char *to = bytes;

    encoder->chunk->begin = encoder->at;
    for (const struct chunk *chunk = encoder->chunk; chunk; chunk = chunk->after) {
        size_t size = (size_t)(chunk->end - chunk->begin);
        if (size)
            memcpy(to, chunk->begin, size);
        to += size;
    }
    return (str){ bytes, len };
}

static void encoder_release(struct encoder *encoder)
{
    for (struct chunk *chunk = encoder->chunk; chunk;) {
        struct chunk *after = chunk->after;
        free(chunk);
        chunk = after;
    }
    free(encoder->frames);
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

/* The contents of a Value that holds no other. */
static inline void put_scalar(struct encoder *encoder, struct value value)
{
    unsigned char *at =
        front(encoder, 2 * LONGEST_VARINT + (value.kind == VALUE_STRING ? value.len : 0));

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
    default: *--at = 0; *--at = TAG_NULL;
    }
    encoder->at = at;
}

/* Makes a member or an item of the Value that was written last. */
static inline void wrap(struct encoder *encoder, const struct frame *parent, size_t before)
{
    bool is_object = parent->container.kind == VALUE_OBJECT;
    str key = is_object ? parent->container.members[parent->left].key : STR("");
    unsigned char *at = front(encoder, key.len + 4 * LONGEST_VARINT);

    at = put_varint(at, written(encoder) - before);
    if (!is_object) {
        *--at = TAG_VALUES;
        encoder->at = at;
        return;
    }
    *--at = TAG_ENTRY_VALUE;
    at = put_text(at, key);
    *--at = TAG_ENTRY_KEY;
    encoder->at = at;
    at = put_varint(at, written(encoder) - before);
    *--at = TAG_FIELDS;
    encoder->at = at;
}

static fallible encode_push(struct encoder *encoder, struct value container)
{
    if (encoder->depth == VALUE_MAX_DEPTH)
        return error_new(ERROR_INVALID, "property values are nested deeper than %d levels",
                         VALUE_MAX_DEPTH);
    if (encoder->depth == encoder->frame_capacity)
        encoder->frames = memory_grow(encoder->frames, &encoder->frame_capacity,
                                      encoder->depth + FIRST_FRAMES, sizeof(*encoder->frames));
    encoder->frames[encoder->depth++] =
        (struct frame){ container, container.len, written(encoder) };
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
    return value.kind <= VALUE_OBJECT
           && (value.kind != VALUE_STRING
               || wire_is_utf8((const unsigned char *)value.text, value.len));
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
        return error_new(ERROR_INVALID, "the value of property '" STR_FMT "' is not valid UTF-8",
                         STR_ARG(key));
    }
    return NULL;
}

static fallible write_child(struct encoder *encoder, struct frame *frame)
{
    const struct struct_rules *rules = encoder->rules;
    bool is_object = frame->container.kind == VALUE_OBJECT;
    struct value value = is_object ? frame->container.members[frame->left].value
                                   : frame->container.items[frame->left];
    size_t before = written(encoder);

    if (is_object) {
        str key = frame->container.members[frame->left].key;
        if (rules->skips_nulls && value.kind == VALUE_NULL)
            return NULL;
        if (rules->skips_internal_keys && encoder->depth == 1 && str_starts_with(key, STR("__")))
            return NULL;
        if (!wire_is_utf8((const unsigned char *)key.ptr, key.len))
            return error_new(ERROR_INVALID, "the name of a property is not valid UTF-8");
    }
    if (!is_plain(value))
        TRY(make_plain(encoder, &value));
    if (value.kind == VALUE_DROPPED)
        return NULL;
    if (value.kind == VALUE_OBJECT || value.kind == VALUE_ARRAY)
        return encode_push(encoder, value);
    put_scalar(encoder, value);
    wrap(encoder, frame, before);
    return NULL;
}

/* All children are written: turns them into a Value, and that into a child of the frame below. */
static void encode_pop(struct encoder *encoder)
{
    const struct frame *frame = &encoder->frames[encoder->depth - 1];

    encoder->depth--;
    if (encoder->depth == 0)
        return;
    unsigned char *at = front(encoder, 2 * LONGEST_VARINT);
    at = put_varint(at, written(encoder) - frame->written);
    *--at = frame->container.kind == VALUE_OBJECT ? TAG_STRUCT : TAG_LIST;
    encoder->at = at;
    wrap(encoder, frame - 1, frame->written);
}

/* Encodes what a container holds: the contents of a Struct or a ListValue. */
static fallible encode_run(struct encoder *encoder, struct value container)
{
    TRY(encode_push(encoder, container));
    while (encoder->depth > 0) {
        struct frame *frame = &encoder->frames[encoder->depth - 1];
        if (frame->left == 0) {
            encode_pop(encoder);
            continue;
        }
        frame->left--;
        TRY(write_child(encoder, frame));
    }
    return NULL;
}

static fallible encode_container(struct arena *arena, struct value container,
                                 const struct struct_rules *rules, str *out)
{
    CLEANUP(encoder_release) struct encoder encoder = { .rules = rules };

    add_chunk(&encoder, 0);
    TRY(struct_failure(rules, encode_run(&encoder, container)));
    *out = encode_join(arena, &encoder);
    return NULL;
}

fallible struct_encode_with(struct arena *arena, struct value object,
                            const struct struct_rules *rules, str *out)
{
    BUG_IF(object.kind != VALUE_OBJECT);
    return encode_container(arena, object, rules, out);
}

/* A Value is a list of one without the list's tag and length. */
fallible struct_encode_value_with(struct arena *arena, struct value value,
                                  const struct struct_rules *rules, str *out)
{
    struct value list = { .kind = VALUE_ARRAY, .len = 1, .items = &value };
    str bytes;

    TRY(encode_container(arena, list, rules, &bytes));
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
