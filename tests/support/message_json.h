/* message_json.h — any compiled message as JSON and back, by its description: how scripts write
 * requests and answers, and how traces show them.
 *
 * Names are those of the protocol's own JSON form. A repeated entry is an object, `bytes` in a
 * oneof of their own are a Struct (or a Value, where the name says so), other bytes are base64, an
 * enum is its name. */
#pragma once

#include "base/error.h"
#include "model/value.h"

#include <protobuf-c/protobuf-c.h>

/* Fields that hold nothing are left out. */
fallible message_to_json(struct arena *arena, const ProtobufCMessage *message, struct value *out);

/* Names may be in snake_case or camelCase; unknown ones fail. The message lives in the arena. */
fallible message_from_json(struct arena *arena, struct value json,
                           const ProtobufCMessageDescriptor *type, void **out);

/* Lays `over` on top: what it holds wins, lists are joined, messages and Structs are merged member
 * by member. */
fallible message_merge(struct arena *arena, ProtobufCMessage *into, const ProtobufCMessage *over);

/* A Struct field as a value: absent is an empty object. And back. */
fallible message_struct(struct arena *arena, str bytes, struct value *out);

/* --- private to message_*.c --- */

/* What a field is called in traces. */
str message_field_name(struct arena *arena, const ProtobufCMessageDescriptor *type,
                       const ProtobufCFieldDescriptor *field);
/* What the value of an enum is called; the number if it has no name. */
struct value message_enum_json(struct arena *arena, const ProtobufCEnumDescriptor *type,
                               int number);
bool message_enum_value(const ProtobufCEnumDescriptor *type, str name, int *out);

enum field_shape { FIELD_SCALAR, FIELD_STRUCT, FIELD_VALUE, FIELD_MAP };
enum field_shape message_field_shape(const ProtobufCFieldDescriptor *field);
size_t message_field_size(const ProtobufCFieldDescriptor *field);
/* Whether it is present: chosen in its oneof, non-empty, not zero. */
bool message_field_is_set(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field);
