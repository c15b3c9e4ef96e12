/* message_fields.c — where the fields of any compiled message are and what they hold. */
#include "support/message_json.h"

#include <string.h>

static bool ends_with(const char *text, const char *suffix)
{
    return str_ends_with(str_from(text), str_from(suffix));
}

/* proto/common.proto has the conventions that this reads back. */
enum field_shape message_field_shape(const ProtobufCFieldDescriptor *field)
{
    const ProtobufCMessageDescriptor *entry = field->descriptor;

    if (field->type == PROTOBUF_C_TYPE_MESSAGE && field->label == PROTOBUF_C_LABEL_REPEATED
        && ends_with(entry->short_name, "Entry"))
        return FIELD_MAP;
    if (field->type != PROTOBUF_C_TYPE_BYTES || !(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF))
        return FIELD_SCALAR;
    return strcmp(field->name, "replacement_trigger") == 0 ? FIELD_VALUE : FIELD_STRUCT;
}

size_t message_field_size(const ProtobufCFieldDescriptor *field)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_ENUM: return sizeof(int32_t);
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE: return sizeof(int64_t);
    case PROTOBUF_C_TYPE_BOOL: return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE: return sizeof(void *);
    case PROTOBUF_C_TYPE_BYTES: return sizeof(ProtobufCBinaryData);
    }
    return 0;
}

static bool scalar_is_set(const ProtobufCFieldDescriptor *field, const void *member)
{
    static const char zero[sizeof(ProtobufCBinaryData)];
    const char *text;

    if (field->type == PROTOBUF_C_TYPE_BYTES)
        return ((const ProtobufCBinaryData *)member)->len > 0;
    if (field->type != PROTOBUF_C_TYPE_STRING)
        return memcmp(member, zero, message_field_size(field)) != 0;
    memcpy(&text, member, sizeof(text));
    return text && *text;
}

bool message_field_is_set(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field)
{
    const char *base = (const char *)message;
    uint32_t chosen;
    size_t count;

    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) {
        memcpy(&chosen, base + field->quantifier_offset, sizeof(chosen));
        return chosen == field->id;
    }
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        memcpy(&count, base + field->quantifier_offset, sizeof(count));
        return count > 0;
    }
    return scalar_is_set(field, base + field->offset);
}
