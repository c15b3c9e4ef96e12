/* message.h — compiled messages to bytes and back, and the few idioms that their fields need. */
#pragma once

#include "base/error.h"
#include "base/pairs.h"
#include "model/resource.h"

#include <protobuf-c/protobuf-c.h>

struct Pb__BytesEntry;
struct Pb__PackageDependency;
struct Pb__Parameterization;
struct Pb__StringEntry;
struct Pb__UrnsEntry;

/* The bytes of a message, in the arena. An empty message is an empty slice with a valid pointer. */
str message_pack(struct arena *arena, const ProtobufCMessage *message);
#define MESSAGE_PACK(arena, message) message_pack((arena), &(message)->base)

/* Everything the message holds lives in the arena: never call the generated free functions. Unknown
 * fields are ignored. Bytes that are no message, that have text which is not UTF-8, or that would
 * unfold to far more than they are, fail as ERROR_INVALID with the message's name. */
fallible message_unpack(struct arena *arena, const ProtobufCMessageDescriptor *type, str bytes,
                        void **out);

/* The same for what a peer asks of a server of ours: a failure is the status INTERNAL, with the
 * text that gRPC servers give. */
fallible message_request(struct arena *arena, const ProtobufCMessageDescriptor *type, str bytes,
                         void **out);

/* --- text: protobuf-c keeps NUL-terminated strings, so a NUL byte ends them --- */

static inline str message_str(const char *text)
{
    return text ? str_from(text) : STR("");
}

/* A copy. Always one of its own: an optional field that holds the library's shared empty string
 * would not be sent. */
char *message_cstr(struct arena *arena, str text);

/* Lists of text; the slices borrow the message. */
struct strs message_strs(struct arena *arena, char *const *items, size_t len);
char **message_cstrs(struct arena *arena, struct strs list);

#define message_get_strs(arena, message, field) \
    message_strs((arena), (message)->field, (message)->n_##field)
#define message_put_strs(arena, message, field, list)         \
    do {                                                      \
        struct strs put_list_ = (list);                       \
        (message)->n_##field = put_list_.len;                 \
        (message)->field = message_cstrs((arena), put_list_); \
    } while (0)

/* Keys with text; the slices borrow the message. */
struct pairs message_pairs(struct arena *arena, struct Pb__StringEntry *const *entries, size_t len);
struct Pb__StringEntry **message_entries(struct arena *arena, struct pairs list);

#define message_get_pairs(arena, message, field) \
    message_pairs((arena), (message)->field, (message)->n_##field)
#define message_put_pairs(arena, message, field, list)           \
    do {                                                         \
        struct pairs put_pairs_ = (list);                        \
        (message)->n_##field = put_pairs_.len;                   \
        (message)->field = message_entries((arena), put_pairs_); \
    } while (0)

/* --- bytes --- */

static inline str message_bytes(ProtobufCBinaryData data)
{
    return data.data ? (str){ (const char *)data.data, data.len } : STR("");
}

/* Borrows the text; the library does not write through it. */
static inline ProtobufCBinaryData message_binary(str text)
{
    return (ProtobufCBinaryData){ text.len, (uint8_t *)(uintptr_t)text.ptr };
}

/* --- packages --- */

struct Pb__Parameterization *message_parameter(struct arena *arena, str name, str version,
                                               str value);
/* A package of resources, without parameters. */
struct Pb__PackageDependency *message_package(struct arena *arena, str name, str version,
                                              str server);

/* --- fields that may be absent: those in a oneof of their own (see proto/common.proto) --- */

#define message_has(message, field) ((message)->_##field##_case != 0)

/* Sets the field and marks it as present. */
#define message_put(message, field, value) \
    ((message)->field = (value),           \
     message_mark(&(message)->base, offsetof(__typeof__(*(message)), field)))

/* Text that may be absent: empty then. */
#define message_get_str(message, field) \
    (message_has(message, field) ? message_str((message)->field) : STR(""))

/* Bytes that may be absent, as Struct and Value fields are: a NULL pointer means absent, in both
 * directions. */
#define message_get_bytes(message, field) \
    (message_has(message, field) ? message_bytes((message)->field) : (str){ 0 })
#define message_put_bytes(message, field, text)                      \
    do {                                                             \
        str put_bytes_ = (text);                                     \
        if (put_bytes_.ptr)                                          \
            message_put(message, field, message_binary(put_bytes_)); \
    } while (0)

/* Marks the one member of the oneof at this place as present. */
void message_mark(ProtobufCMessage *message, size_t offset);

/* --- property dependencies: sorted by key, the last of equal keys wins --- */

struct property_dependencies message_dependencies(struct arena *arena,
                                                  struct Pb__UrnsEntry *const *entries, size_t len);
struct Pb__UrnsEntry **message_urns_entries(struct arena *arena, struct property_dependencies list);

/* Checksums of a plugin by platform, as an object of hexadecimal text; null if there are none. */
struct value checksums_decode(struct arena *arena, struct Pb__BytesEntry *const *entries,
                              size_t count);
/* The same of platform → bytes. */
struct value checksums_of(struct arena *arena, struct pairs pairs);
