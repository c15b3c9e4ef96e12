/* message_from_json.c — JSON as any compiled message, and one message laid over another. */
#include "support/message_json.h"

#include "base/base64.h"
#include "base/strbuf.h"
#include "proto/message.h"
#include "support/json_value.h"
#include "support/struct_value.h"

#include <ctype.h>
#include <stdlib.h>

#define STORE(type, at, value) (*(type *)(at) = (value))

/* acceptSecrets, accept_secrets and AcceptSecrets are one name. */
static bool is_same_name(str a, str b)
{
    size_t i = 0, j = 0;

    while (true) {
        while (i < a.len && a.ptr[i] == '_')
            i++;
        while (j < b.len && b.ptr[j] == '_')
            j++;
        if (i == a.len || j == b.len)
            return i == a.len && j == b.len;
        if (tolower((unsigned char)a.ptr[i++]) != tolower((unsigned char)b.ptr[j++]))
            return false;
    }
}

static const ProtobufCFieldDescriptor *find_field(const ProtobufCMessageDescriptor *type, str name)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    for (unsigned i = 0; i < type->n_fields; i++)
        if (is_same_name(name, str_from(type->fields[i].name))
            || is_same_name(name, message_field_name(&scratch, type, &type->fields[i])))
            return &type->fields[i];
    return NULL;
}

static fallible number_from_json(struct value json, double *out)
{
    if (json.kind == VALUE_NUMBER) {
        *out = json.number;
        return NULL;
    }
    if (json.kind == VALUE_STRING) {
        CLEANUP(arena_release) struct arena scratch = { 0 };
        char *end, *text = arena_cstr(&scratch, value_text(json));
        *out = strtod(text, &end);
        if (*text && !*end)
            return NULL;
    }
    return error_new(ERROR_INVALID, "a number is wanted");
}

static fallible bytes_from_json(struct arena *arena, struct value json, str *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };

    if (json.kind != VALUE_STRING || !base64_decode(&bytes, value_text(json)))
        return error_new(ERROR_INVALID, "base64 text is wanted");
    *out = arena_copy(arena, strbuf_str(&bytes));
    return NULL;
}

static fallible enum_from_json(const ProtobufCEnumDescriptor *type, struct value json, int *out)
{
    double number;

    if (json.kind == VALUE_STRING && message_enum_value(type, value_text(json), out))
        return NULL;
    if (json.kind == VALUE_STRING)
        return error_new(ERROR_INVALID, "no %s is called '" STR_FMT "'", type->short_name,
                         STR_ARG(value_text(json)));
    TRY(number_from_json(json, &number));
    *out = (int)number;
    return NULL;
}

static fallible integer_from_json(size_t size, struct value json, void *at)
{
    double number;

    TRY(number_from_json(json, &number));
    if (size == sizeof(int32_t))
        STORE(int32_t, at, (int32_t)number);
    else
        STORE(int64_t, at, (int64_t)number);
    return NULL;
}

static fallible text_from_json(struct arena *arena, struct value json, char **out)
{
    if (json.kind != VALUE_STRING)
        return error_new(ERROR_INVALID, "text is wanted");
    *out = message_cstr(arena, value_text(json));
    return NULL;
}

static fallible element_from_json(struct arena *arena, const ProtobufCFieldDescriptor *field,
                                  struct value json, void *at)
{
    double number;
    str bytes;

    switch (field->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64: return integer_from_json(message_field_size(field), json, at);
    case PROTOBUF_C_TYPE_FLOAT:
        TRY(number_from_json(json, &number));
        STORE(float, at, (float)number);
        return NULL;
    case PROTOBUF_C_TYPE_DOUBLE: return number_from_json(json, at);
    case PROTOBUF_C_TYPE_BOOL:
        if (json.kind != VALUE_BOOL)
            return error_new(ERROR_INVALID, "true or false is wanted");
        STORE(protobuf_c_boolean, at, json.boolean);
        return NULL;
    case PROTOBUF_C_TYPE_ENUM: return enum_from_json(field->descriptor, json, at);
    case PROTOBUF_C_TYPE_STRING: return text_from_json(arena, json, at);
    case PROTOBUF_C_TYPE_BYTES:
        TRY(bytes_from_json(arena, json, &bytes));
        STORE(ProtobufCBinaryData, at, message_binary(bytes));
        return NULL;
    case PROTOBUF_C_TYPE_MESSAGE: return message_from_json(arena, json, field->descriptor, at);
    }
    BUG_IF(true);
}

static void *message_new(struct arena *arena, const ProtobufCMessageDescriptor *type)
{
    ProtobufCMessage *message = arena_alloc(arena, type->sizeof_message);

    protobuf_c_message_init(type, message);
    return message;
}

static fallible map_from_json(struct arena *arena, const ProtobufCMessageDescriptor *type,
                              struct value json, void *entries_, size_t *len)
{
    ProtobufCMessage **entries = ARENA_ARRAY(arena, ProtobufCMessage *, json.len + 1);

    if (json.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "an object is wanted");
    for (size_t i = 0; i < json.len; i++) {
        entries[i] = message_new(arena, type);
        char *base = (char *)entries[i];
        STORE(char *, base + type->fields[0].offset, message_cstr(arena, json.members[i].key));
        TRY(element_from_json(arena, &type->fields[1], json.members[i].value,
                              base + type->fields[1].offset));
    }
    STORE(ProtobufCMessage **, entries_, entries);
    *len = json.len;
    return NULL;
}

static fallible list_from_json(struct arena *arena, const ProtobufCFieldDescriptor *field,
                               struct value json, void *at, size_t *len)
{
    size_t size = message_field_size(field);

    if (json.kind != VALUE_ARRAY)
        return error_new(ERROR_INVALID, "a list is wanted");
    char *elements = arena_alloc_array(arena, size, json.len + 1);
    for (size_t i = 0; i < json.len; i++)
        TRY(element_from_json(arena, field, json.items[i], elements + i * size));
    STORE(char *, at, elements);
    *len = json.len;
    return NULL;
}

static fallible field_from_json(struct arena *arena, const ProtobufCFieldDescriptor *field,
                                struct value json, ProtobufCMessage *message)
{
    char *base = (char *)message, *at = base + field->offset;
    str bytes;

    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
        STORE(uint32_t, base + field->quantifier_offset, field->id);
    switch (message_field_shape(field)) {
    case FIELD_MAP:
        return map_from_json(arena, field->descriptor, json, at,
                             (size_t *)(void *)(base + field->quantifier_offset));
    case FIELD_STRUCT:
        if (json.kind != VALUE_OBJECT)
            return error_new(ERROR_INVALID, "an object is wanted");
        TRY(struct_encode(arena, json, &bytes));
        STORE(ProtobufCBinaryData, at, message_binary(bytes));
        return NULL;
    case FIELD_VALUE:
        TRY(struct_encode_value(arena, json, &bytes));
        STORE(ProtobufCBinaryData, at, message_binary(bytes));
        return NULL;
    case FIELD_SCALAR: break;
    }
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return list_from_json(arena, field, json, at,
                              (size_t *)(void *)(base + field->quantifier_offset));
    return element_from_json(arena, field, json, at);
}

fallible message_from_json(struct arena *arena, struct value json,
                           const ProtobufCMessageDescriptor *type, void **out)
{
    ProtobufCMessage *message = message_new(arena, type);

    if (json.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "%s: an object is wanted", type->short_name);
    for (size_t i = 0; i < json.len; i++) {
        const struct member *member = &json.members[i];
        const ProtobufCFieldDescriptor *field = find_field(type, member->key);
        if (!field)
            return error_new(ERROR_INVALID, "%s has no field '" STR_FMT "'", type->short_name,
                             STR_ARG(member->key));
        if (member->value.kind == VALUE_NULL && message_field_shape(field) != FIELD_VALUE)
            continue;
        TRY(error_wrap(field_from_json(arena, field, member->value, message), "%s.%s",
                       type->short_name, field->name));
    }
    *out = message;
    return NULL;
}
