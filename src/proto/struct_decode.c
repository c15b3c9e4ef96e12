/* struct_decode.c — Struct and Value bytes into a value tree. */
#include "proto/struct_codec.h"

#include "base/memory.h"
#include "model/signatures.h"
#include "proto/struct_rules.h"
#include "proto/wire.h"

#include <stdlib.h>

/* The bytes are walked once, without recursion: an open Struct or ListValue is a frame, and its
 * finished children wait on one scratch stack until their number is known, so that each object and
 * each array is allocated once, in its final size.
 *
 * 1. Only the topmost frame is read from; `at` is never behind its end.
 * 2. The children of a frame are the scratch entries from `first` up to the next frame's `first`,
 * or to the top.
 * 3. A frame below another one is in IN_VALUE and waits for it; the result becomes its `value`. */

enum place { IN_CONTAINER, IN_ENTRY, IN_VALUE };

enum frame_kind { FRAME_OBJECT, FRAME_LIST, FRAME_ROOT_VALUE };

struct frame {
    const unsigned char *end;       /* of the Struct or ListValue */
    const unsigned char *entry_end; /* of the member that is being read */
    const unsigned char *value_end; /* of its Value, or of the list's current one */
    str key;            /* the member that is being read; a list has the one it belongs to */
    struct value value; /* what has been read of it */
    size_t first;
    uint8_t kind;
    uint8_t place;
    bool is_sorted;
    bool has_signature;
    bool has_gaps; /* some child was dropped */
};

struct decoder {
    const unsigned char *at;
    struct arena *arena;
    const struct struct_rules *rules;
    struct member *scratch;
    size_t scratch_len;
    size_t scratch_capacity;
    enum frame_kind nested_kind;
    const unsigned char
        *nested_end; /* not NULL: the topmost frame waits for this container, to be pushed */
    struct frame *frames;
    size_t frame_capacity;
    size_t depth;
    struct value result;
};

enum { FIRST_SCRATCH = 64, FIRST_FRAMES = 32, INSERTION_LIMIT = 24 };

static fallible decode_malformed(void)
{
    return error_new(ERROR_INVALID, "the property values received are not a valid message");
}

static fallible decode_push(struct decoder *decoder, enum frame_kind kind, const unsigned char *end,
                            str key)
{
    if (decoder->depth == VALUE_MAX_DEPTH)
        return error_new(ERROR_INVALID, "property values are nested deeper than %d levels",
                         VALUE_MAX_DEPTH);
    if (decoder->depth == decoder->frame_capacity)
        decoder->frames = memory_grow(decoder->frames, &decoder->frame_capacity,
                                      decoder->depth + FIRST_FRAMES, sizeof(*decoder->frames));

    struct frame *frame = &decoder->frames[decoder->depth++];
    frame->end = end;
    frame->key = key;
    frame->first = decoder->scratch_len;
    frame->kind = (uint8_t)kind;
    frame->place = IN_CONTAINER;
    frame->is_sorted = true;
    frame->has_signature = false;
    frame->has_gaps = false;
    return NULL;
}

static inline struct member *add_child(struct decoder *decoder)
{
    if (decoder->scratch_len == decoder->scratch_capacity)
        decoder->scratch = memory_grow(decoder->scratch, &decoder->scratch_capacity,
                                       decoder->scratch_len + 1, sizeof(*decoder->scratch));
    return &decoder->scratch[decoder->scratch_len++];
}

static inline int decode_compare_keys(str a, str b)
{
    int order = memcmp(a.ptr, b.ptr, a.len < b.len ? a.len : b.len);
    return order ? order : a.len < b.len ? -1 : a.len > b.len;
}

static inline void decode_add_member(struct decoder *decoder, struct frame *frame)
{
    struct member *member = add_child(decoder);

    member->key = frame->key;
    member->value = frame->value;
    if (frame->is_sorted && decoder->scratch_len - 1 > frame->first)
        frame->is_sorted = decode_compare_keys(member[-1].key, member->key) < 0;
    if (frame->key.len == SIGNATURE_LEN && str_equal(frame->key, SIGNATURE_KEY))
        frame->has_signature = true;
    if (frame->value.kind == VALUE_DROPPED)
        frame->has_gaps = true;
}

static inline void decode_add_item(struct decoder *decoder, struct frame *frame)
{
    struct member *member = add_child(decoder);

    member->value = frame->value.kind == VALUE_DROPPED ? value_null() : frame->value;
}

/* Stable, for few members. */
static void insertion_sort(struct member *members, size_t len)
{
    for (size_t i = 1; i < len; i++) {
        struct member member = members[i];
        size_t at = i;
        for (; at > 0 && decode_compare_keys(members[at - 1].key, member.key) > 0; at--)
            members[at] = members[at - 1];
        members[at] = member;
    }
}

/* Sorts what came in another order and leaves of equal keys the last. */
static size_t order_members(struct member *members, size_t len)
{
    if (len > INSERTION_LIMIT) {
        CLEANUP(arena_release) struct arena temporary = { 0 };
        struct value sorted = value_object(&temporary, members, len);
        memcpy(members, sorted.members, sorted.len * sizeof(*members));
        return sorted.len;
    }
    insertion_sort(members, len);
    size_t kept = 0;
    for (size_t i = 0; i < len; i++)
        if (i + 1 == len || !str_equal(members[i].key, members[i + 1].key))
            members[kept++] = members[i];
    return kept;
}

static size_t remove_gaps(struct member *members, size_t len, bool is_outermost,
                          const struct struct_rules *rules)
{
    size_t kept = 0;

    for (size_t i = 0; i < len; i++) {
        bool is_skipped = members[i].value.kind == VALUE_DROPPED
                          || (rules->skips_nulls && members[i].value.kind == VALUE_NULL)
                          || (rules->skips_internal_keys && is_outermost
                              && str_starts_with(members[i].key, STR("__")));
        if (!is_skipped)
            members[kept++] = members[i];
    }
    return kept;
}

static fallible finish_object(struct decoder *decoder, struct frame *frame, struct value *out)
{
    const struct struct_rules *rules = decoder->rules;
    struct member *members = decoder->scratch + frame->first;
    size_t len = decoder->scratch_len - frame->first;
    bool is_outermost = decoder->depth == 1;

    if (!frame->is_sorted)
        len = order_members(members, len);
    if (frame->has_gaps || rules->skips_nulls || rules->skips_internal_keys)
        len = remove_gaps(members, len, is_outermost, rules);

    struct value object = { .kind = VALUE_OBJECT, .len = (uint32_t)len, .members = members };
    if (frame->has_signature && rules->on_signature && !is_outermost
        && value_has(object, SIGNATURE_KEY)) {
        TRY(rules->on_signature(rules->context, frame[-1].key, &object));
        *out = object;
        return NULL;
    }
    object.members = len ? arena_copy_bytes(decoder->arena, members, len * sizeof(*members)) : NULL;
    *out = object;
    return NULL;
}

static void finish_list(struct decoder *decoder, struct frame *frame, struct value *out)
{
    const struct member *children = decoder->scratch + frame->first;
    size_t len = decoder->scratch_len - frame->first;
    struct value *items = NULL;

    if (len > 0) {
        items = arena_alloc_raw(decoder->arena, len * sizeof(*items));
        for (size_t i = 0; i < len; i++)
            items[i] = children[i].value;
    }
    *out = (struct value){ .kind = VALUE_ARRAY, .len = (uint32_t)len, .items = items };
}

/* The topmost frame is complete: its result goes to the frame below, or is the result of all. */
static fallible decode_pop(struct decoder *decoder)
{
    struct frame *frame = &decoder->frames[decoder->depth - 1];
    struct value value;

    if (frame->kind == FRAME_OBJECT)
        TRY(finish_object(decoder, frame, &value));
    else if (frame->kind == FRAME_LIST)
        finish_list(decoder, frame, &value);
    else
        value = frame->value;

    decoder->scratch_len = frame->first;
    decoder->depth--;
    if (decoder->depth > 0)
        frame[-1].value = value;
    else
        decoder->result = value;
    return NULL;
}

static fallible decode_read_text(struct decoder *decoder, struct frame *frame,
                                 const unsigned char *end)
{
    size_t len = (size_t)(end - decoder->at);
    const struct struct_rules *rules = decoder->rules;

    if (!wire_is_utf8(decoder->at, len))
        return error_new(ERROR_INVALID, "the value of property '" STR_FMT "' is not valid UTF-8",
                         STR_ARG(frame->key));
    frame->value = (struct value){ .kind = VALUE_STRING,
                                   .len = (uint32_t)len,
                                   .text = (const char *)decoder->at };
    decoder->at = end;
    if (len == UNKNOWN_TEXT_LEN && rules->on_text)
        return rules->on_text(rules->context, frame->key, &frame->value);
    return NULL;
}

static fallible read_number(struct decoder *decoder, struct frame *frame)
{
    double number;

    if (frame->value_end - decoder->at < (ptrdiff_t)sizeof(number))
        return decode_malformed();
    memcpy(&number, decoder->at, sizeof(number)); /* little-endian on both sides */
    decoder->at += sizeof(number);
    frame->value = value_number(number);
    return NULL;
}

/* Reads on in the frame's Value. Leaves it in IN_VALUE if it has to wait for a container inside. */
static fallible decode_read_value(struct decoder *decoder, struct frame *frame)
{
    while (decoder->at < frame->value_end) {
        uint64_t tag, number;
        const unsigned char *end;

        if (!wire_varint(&decoder->at, frame->value_end, &tag))
            return decode_malformed();
        switch (tag) {
        case TAG_STRING:
            if (!wire_length(&decoder->at, frame->value_end, &end))
                return decode_malformed();
            TRY(decode_read_text(decoder, frame, end));
            break;
        case TAG_STRUCT:
        case TAG_LIST:
            if (!wire_length(&decoder->at, frame->value_end, &end))
                return decode_malformed();
            decoder->nested_kind = tag == TAG_STRUCT ? FRAME_OBJECT : FRAME_LIST;
            decoder->nested_end = end;
            return NULL;
        case TAG_NUMBER: TRY(read_number(decoder, frame)); break;
        case TAG_BOOL:
            if (!wire_varint(&decoder->at, frame->value_end, &number))
                return decode_malformed();
            frame->value = value_bool(number != 0);
            break;
        case TAG_NULL:
            if (!wire_varint(&decoder->at, frame->value_end, &number))
                return decode_malformed();
            frame->value = value_null();
            break;
        default:
            if (!wire_skip(&decoder->at, frame->value_end, tag))
                return decode_malformed();
        }
    }
    frame->place = frame->kind == FRAME_OBJECT ? IN_ENTRY : IN_CONTAINER;
    return NULL;
}

/* Reads on in the entry of an object. Leaves the frame in IN_VALUE if it has to wait for its
 * value. */
static fallible read_entry(struct decoder *decoder, struct frame *frame)
{
    while (decoder->at < frame->entry_end) {
        uint64_t tag;
        const unsigned char *end;

        if (!wire_varint(&decoder->at, frame->entry_end, &tag))
            return decode_malformed();
        switch (tag) {
        case TAG_ENTRY_KEY:
            if (!wire_length(&decoder->at, frame->entry_end, &end))
                return decode_malformed();
            frame->key = (str){ (const char *)decoder->at, (size_t)(end - decoder->at) };
            decoder->at = end;
            if (!wire_is_utf8((const unsigned char *)frame->key.ptr, frame->key.len))
                return error_new(ERROR_INVALID, "the name of a property is not valid UTF-8");
            break;
        case TAG_ENTRY_VALUE:
            if (!wire_length(&decoder->at, frame->entry_end, &frame->value_end))
                return decode_malformed();
            frame->value = value_null();
            frame->place = IN_VALUE;
            TRY(decode_read_value(decoder, frame));
            if (frame->place == IN_VALUE)
                return NULL;
            break;
        default:
            if (!wire_skip(&decoder->at, frame->entry_end, tag))
                return decode_malformed();
        }
    }
    decode_add_member(decoder, frame);
    frame->place = IN_CONTAINER;
    return NULL;
}

/* Begins the next child of an object or a list. */
static fallible read_child(struct decoder *decoder, struct frame *frame)
{
    uint64_t tag;

    if (!wire_varint(&decoder->at, frame->end, &tag))
        return decode_malformed();
    if (tag != TAG_FIELDS) /* which is TAG_VALUES as well */
        return wire_skip(&decoder->at, frame->end, tag) ? NULL : decode_malformed();
    frame->value = value_null();
    if (frame->kind == FRAME_OBJECT) {
        if (!wire_length(&decoder->at, frame->end, &frame->entry_end))
            return decode_malformed();
        frame->key = STR("");
        frame->place = IN_ENTRY;
        return read_entry(decoder, frame);
    }
    if (!wire_length(&decoder->at, frame->end, &frame->value_end))
        return decode_malformed();
    frame->place = IN_VALUE;
    TRY(decode_read_value(decoder, frame));
    if (frame->place != IN_VALUE)
        decode_add_item(decoder, frame);
    return NULL;
}

/* Goes on where the topmost frame stopped, until it is complete or has to wait. */
static fallible decode_read_frame(struct decoder *decoder, struct frame *frame)
{
    if (frame->place == IN_VALUE) {
        TRY(decode_read_value(decoder, frame));
        if (frame->place == IN_VALUE)
            return NULL;
        if (frame->kind == FRAME_LIST)
            decode_add_item(decoder, frame);
    }
    if (frame->place == IN_ENTRY) {
        TRY(read_entry(decoder, frame));
        if (frame->place == IN_VALUE)
            return NULL;
    }
    while (decoder->at < frame->end) {
        TRY(read_child(decoder, frame));
        if (frame->place == IN_VALUE)
            return NULL;
    }
    return decode_pop(decoder);
}

static fallible decode_run(struct arena *arena, str bytes, const struct struct_rules *rules,
                           enum frame_kind root, struct value *out)
{
    if (bytes.len > UINT32_MAX)
        return error_new(ERROR_INVALID, "%zu bytes of property values are too many", bytes.len);

    const unsigned char *begin = (const unsigned char *)(bytes.len ? bytes.ptr : "");
    struct decoder decoder = { .at = begin, .arena = arena, .rules = rules };
    decoder.scratch =
        memory_grow(NULL, &decoder.scratch_capacity, FIRST_SCRATCH, sizeof(*decoder.scratch));

    struct error *failure = decode_push(&decoder, root, begin + bytes.len, STR(""));
    if (root == FRAME_ROOT_VALUE) { /* as if a list had just begun an item */
        decoder.frames[0].value_end = begin + bytes.len;
        decoder.frames[0].value = value_null();
        decoder.frames[0].place = IN_VALUE;
    }
    while (!failure && decoder.depth > 0) {
        struct frame *frame = &decoder.frames[decoder.depth - 1];
        decoder.nested_end = NULL;
        failure = decode_read_frame(&decoder, frame);
        if (!failure && decoder.nested_end)
            failure = decode_push(&decoder, decoder.nested_kind, decoder.nested_end, frame->key);
    }

    free(decoder.frames);
    free(decoder.scratch);
    if (!failure)
        *out = decoder.result;
    return struct_failure(rules, failure);
}

fallible struct_decode_with(struct arena *arena, str bytes, const struct struct_rules *rules,
                            struct value *out)
{
    return decode_run(arena, bytes, rules, FRAME_OBJECT, out);
}

fallible struct_decode_value_with(struct arena *arena, str bytes, const struct struct_rules *rules,
                                  struct value *out)
{
    return decode_run(arena, bytes, rules, FRAME_ROOT_VALUE, out);
}

static const struct struct_rules plain = { 0 };

fallible struct_decode(struct arena *arena, str bytes, enum text_storage storage, struct value *out)
{
    if (storage == TEXT_COPIED)
        bytes = arena_copy(arena, bytes);
    return struct_decode_with(arena, bytes, &plain, out);
}
