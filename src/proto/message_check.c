/* message_check.c — what compiled messages do not check by themselves: field numbers and text. */
#include "proto/message_check.h"

#include "proto/wire.h"

#include <string.h>

fallible message_malformed(const ProtobufCMessageDescriptor *type, str bytes)
{
    return error_new(ERROR_INVALID, "the %zu bytes received are not a %s message", bytes.len,
                     type->short_name);
}

/* The fields of a message are sorted by number. */
static const ProtobufCFieldDescriptor *message_find_field(const ProtobufCMessageDescriptor *type,
                                                          uint64_t number)
{
    size_t low = 0, high = type->n_fields;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const ProtobufCFieldDescriptor *field = &type->fields[middle];
        if (field->id == number)
            return field;
        if (field->id < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Text that is only shown: where it ends early, nothing is mistaken for something else. */
static bool is_prose(const ProtobufCFieldDescriptor *field)
{
    static const char *const names[] = { "message", "reason", "reasons",     "error",
                                         "errors",  "detail", "description", "summary" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(field->name, names[i]) == 0)
            return true;
    return false;
}

static fallible check_text(const ProtobufCMessageDescriptor *type,
                           const ProtobufCFieldDescriptor *field, str text)
{
    if (!wire_is_utf8((const unsigned char *)text.ptr, text.len))
        return error_new(ERROR_INVALID,
                         "string field contains invalid UTF-8: '%s' of the %s message", field->name,
                         type->short_name);
    if (text.len && memchr(text.ptr, '\0', text.len) && !is_prose(field))
        return error_new(ERROR_INVALID, "string field contains a NUL byte: '%s' of the %s message",
                         field->name, type->short_name);
    return NULL;
}

/* Recursion ends with the types: no message of ours contains itself. */
fallible message_check(const ProtobufCMessageDescriptor *type, str bytes)
{
    const unsigned char *at = (const unsigned char *)(bytes.len ? bytes.ptr : "");
    const unsigned char *end = at + bytes.len;

    while (at < end) {
        const unsigned char *field_end;
        uint64_t tag;

        if (!wire_varint(&at, end, &tag) || !wire_is_tag(tag))
            return message_malformed(type, bytes);
        if ((tag & 7) != WIRE_BYTES) {
            if (!wire_skip(&at, end, tag))
                return message_malformed(type, bytes);
            continue;
        }
        if (!wire_length(&at, end, &field_end))
            return message_malformed(type, bytes);
        const ProtobufCFieldDescriptor *field = message_find_field(type, tag >> 3);
        str contents = { (const char *)at, (size_t)(field_end - at) };
        if (field && field->type == PROTOBUF_C_TYPE_STRING)
            TRY(check_text(type, field, contents));
        else if (field && field->type == PROTOBUF_C_TYPE_MESSAGE)
            TRY(message_check(field->descriptor, contents));
        at = field_end;
    }
    return NULL;
}
