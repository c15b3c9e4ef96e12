/* message_to_json.c — any compiled message as JSON. */
#include "support/message_json.h"

#include "base/base64.h"
#include "proto/message.h"
#include "support/json_value.h"
#include "support/struct_value.h"

struct members {
    VEC(struct member);
};

static void members_release(struct members *members)
{
    vec_release(members);
}

static struct value base64_value(struct arena *arena, ProtobufCBinaryData bytes)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    base64_encode(&text, message_bytes(bytes));
    return value_string(arena_copy(arena, strbuf_str(&text)));
}

fallible message_struct(struct arena *arena, str bytes, struct value *out)
{
    if (!bytes.ptr) {
        *out = VALUE_EMPTY_OBJECT;
        return NULL;
    }
    return struct_decode(arena, bytes, TEXT_COPIED, out);
}

#define LOAD(type, from) (*(type const *)(from))

/* One element, at `at`. Large integers are text, as JSON cannot hold them all. */
static fallible element_to_json(struct arena *arena, const ProtobufCFieldDescriptor *field,
                                const void *at, struct value *out)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32: *out = value_number(LOAD(int32_t, at)); return NULL;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32: *out = value_number(LOAD(uint32_t, at)); return NULL;
    case PROTOBUF_C_TYPE_FLOAT: *out = value_number((double)LOAD(float, at)); return NULL;
    case PROTOBUF_C_TYPE_DOUBLE: *out = value_number(LOAD(double, at)); return NULL;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
        *out = value_string(arena_printf(arena, "%lld", (long long)LOAD(int64_t, at)));
        return NULL;
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        *out = value_string(arena_printf(arena, "%llu", (unsigned long long)LOAD(uint64_t, at)));
        return NULL;
    case PROTOBUF_C_TYPE_BOOL: *out = value_bool(LOAD(protobuf_c_boolean, at)); return NULL;
    case PROTOBUF_C_TYPE_ENUM:
        *out = message_enum_json(arena, field->descriptor, LOAD(int, at));
        return NULL;
    case PROTOBUF_C_TYPE_STRING:
        *out = value_string(arena_copy(arena, message_str(LOAD(char *, at))));
        return NULL;
    case PROTOBUF_C_TYPE_BYTES:
        *out = base64_value(arena, LOAD(ProtobufCBinaryData, at));
        return NULL;
    case PROTOBUF_C_TYPE_MESSAGE: return message_to_json(arena, LOAD(ProtobufCMessage *, at), out);
    }
    BUG_IF(true);
}

/* An entry has a key in its first field and a value in its second. */
static fallible map_to_json(struct arena *arena, ProtobufCMessage *const *entries, size_t len,
                            struct value *out)
{
    CLEANUP(members_release) struct members members = { 0 };

    for (size_t i = 0; i < len; i++) {
        const ProtobufCFieldDescriptor *fields = entries[i]->descriptor->fields;
        const char *base = (const char *)entries[i];
        struct member member = { .key = arena_copy(
                                     arena, message_str(LOAD(char *, base + fields[0].offset))) };
        if (fields[1].type == PROTOBUF_C_TYPE_MESSAGE && !LOAD(void *, base + fields[1].offset))
            member.value = VALUE_EMPTY_OBJECT;
        else
            TRY(element_to_json(arena, &fields[1], base + fields[1].offset, &member.value));
        vec_add(&members, member);
    }
    *out = value_object(arena, members.items, members.len);
    return NULL;
}

static fallible list_to_json(struct arena *arena, const ProtobufCFieldDescriptor *field,
                             const char *elements, size_t len, struct value *out)
{
    CLEANUP(values_release) struct values items = { 0 };
    struct value item;

    for (size_t i = 0; i < len; i++) {
        TRY(element_to_json(arena, field, elements + i * message_field_size(field), &item));
        vec_add(&items, item);
    }
    *out = values_array(arena, &items);
    return NULL;
}

static fallible field_to_json(struct arena *arena, const ProtobufCMessage *message,
                              const ProtobufCFieldDescriptor *field, struct value *out)
{
    const char *base = (const char *)message;
    const char *at = base + field->offset;
    bool is_repeated = field->label == PROTOBUF_C_LABEL_REPEATED;
    size_t len = is_repeated ? LOAD(size_t, base + field->quantifier_offset) : 0;

    switch (message_field_shape(field)) {
    case FIELD_MAP: return map_to_json(arena, LOAD(ProtobufCMessage **, at), len, out);
    case FIELD_STRUCT:
        return struct_decode(arena, message_bytes(LOAD(ProtobufCBinaryData, at)), TEXT_COPIED, out);
    case FIELD_VALUE:
        return struct_decode_value(arena, message_bytes(LOAD(ProtobufCBinaryData, at)), TEXT_COPIED,
                                   out);
    case FIELD_SCALAR: break;
    }
    return is_repeated ? list_to_json(arena, field, LOAD(char *, at), len, out)
                       : element_to_json(arena, field, at, out);
}

fallible message_to_json(struct arena *arena, const ProtobufCMessage *message, struct value *out)
{
    CLEANUP(members_release) struct members members = { 0 };
    const ProtobufCMessageDescriptor *type = message->descriptor;

    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];
        if (!message_field_is_set(message, field))
            continue;
        struct member member = { .key = message_field_name(arena, type, field) };
        TRY(field_to_json(arena, message, field, &member.value));
        vec_add(&members, member);
    }
    *out = value_object(arena, members.items, members.len);
    return NULL;
}
