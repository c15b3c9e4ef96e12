/* message_merge.c — one message laid over another. */
#include "support/message_json.h"

#include "proto/message.h"
#include "proto/struct_codec.h"

static void join_lists(struct arena *arena, const ProtobufCFieldDescriptor *field, char *into,
                       const char *over)
{
    size_t size = message_field_size(field), len, more;
    char *first, *second;

    memcpy(&len, into + field->quantifier_offset, sizeof(len));
    memcpy(&more, over + field->quantifier_offset, sizeof(more));
    memcpy(&first, into + field->offset, sizeof(first));
    memcpy(&second, over + field->offset, sizeof(second));
    char *joined = arena_alloc_array(arena, size, len + more);
    if (len)
        memcpy(joined, first, len * size);
    memcpy(joined + len * size, second, more * size);
    len += more;
    memcpy(into + field->quantifier_offset, &len, sizeof(len));
    memcpy(into + field->offset, &joined, sizeof(joined));
}

static fallible merge_structs(struct arena *arena, ProtobufCBinaryData *into,
                              ProtobufCBinaryData over)
{
    struct value under_value, over_value;
    str bytes;

    TRY(struct_decode(arena, message_bytes(*into), TEXT_BORROWED, &under_value));
    TRY(struct_decode(arena, message_bytes(over), TEXT_BORROWED, &over_value));
    TRY(struct_encode(arena, value_merge(arena, under_value, over_value), &bytes));
    *into = message_binary(bytes);
    return NULL;
}

static fallible merge_field(struct arena *arena, const ProtobufCFieldDescriptor *field,
                            ProtobufCMessage *into, const ProtobufCMessage *over)
{
    char *to = (char *)into + field->offset;
    const char *from = (const char *)over + field->offset;
    bool was_set = message_field_is_set(into, field);

    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        join_lists(arena, field, (char *)into, (const char *)over);
        return NULL;
    }
    if (was_set && field->type == PROTOBUF_C_TYPE_MESSAGE)
        return message_merge(arena, *(ProtobufCMessage **)(void *)to,
                             *(ProtobufCMessage *const *)(const void *)from);
    if (was_set && message_field_shape(field) == FIELD_STRUCT)
        return merge_structs(arena, (void *)to, *(const ProtobufCBinaryData *)(const void *)from);
    memcpy(to, from, message_field_size(field));
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
        memcpy((char *)into + field->quantifier_offset, &field->id, sizeof(field->id));
    return NULL;
}

fallible message_merge(struct arena *arena, ProtobufCMessage *into, const ProtobufCMessage *over)
{
    BUG_IF(into->descriptor != over->descriptor);
    for (unsigned i = 0; i < over->descriptor->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &over->descriptor->fields[i];
        if (message_field_is_set(over, field))
            TRY(merge_field(arena, field, into, over));
    }
    return NULL;
}
