/* message.c — compiled messages to bytes and back. */
#include "proto/message.h"

#include "base/hex.h"
#include "proto/message_check.h"

#include "pb/common.pb-c.h"
#include "pb/plugin.pb-c.h"

#include <stdlib.h>

/* What a message may unfold to: the library spends about 40 bytes on each field while it reads and
 * up to 250 on an empty submessage of two bytes, so a large message of tiny parts is refused before
 * it takes the machine's memory. */
enum { UNPACK_ALLOWANCE = 16 << 20, UNPACK_FACTOR = 64 };

struct budget {
    struct arena *arena;
    size_t left;
};

static void *budget_alloc(void *budget_, size_t size)
{
    struct budget *budget = budget_;

    if (size > budget->left)
        return NULL;
    budget->left -= size;
    return arena_alloc_raw(budget->arena, size);
}

static void budget_free(void *budget, void *memory)
{
    (void)budget;
    (void)memory; /* the arena's */
}

str message_pack(struct arena *arena, const ProtobufCMessage *message)
{
    size_t size = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = arena_alloc_raw(arena, size + 1);
    size_t written = protobuf_c_message_pack(message, bytes);

    BUG_IF(written != size);
    return (str){ (const char *)bytes, size };
}

/* No message of ours contains itself, so the library's recursion is bounded by the types
 * (test_message.c proves it). */
fallible message_unpack(struct arena *arena, const ProtobufCMessageDescriptor *type, str bytes,
                        void **out)
{
    struct budget budget = { arena, UNPACK_ALLOWANCE };
    ProtobufCAllocator allocator = { budget_alloc, budget_free, &budget };
    size_t unfolded;

    TRY(message_check(type, bytes));
    if (__builtin_mul_overflow(bytes.len, (size_t)UNPACK_FACTOR, &unfolded)
        || __builtin_add_overflow(budget.left, unfolded, &budget.left))
        budget.left = SIZE_MAX;

    void *message =
        protobuf_c_message_unpack(type, &allocator, bytes.len, (const uint8_t *)bytes.ptr);
    if (!message)
        return message_malformed(type, bytes);
    *out = message;
    return NULL;
}

enum { STATUS_INTERNAL = 13 };

fallible message_request(struct arena *arena, const ProtobufCMessageDescriptor *type, str bytes,
                         void **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct error *failure = message_unpack(arena, type, bytes, out);

    if (!failure)
        return NULL;
    str message =
        arena_concat(&scratch, STR("grpc: error unmarshalling request: "), error_message(failure));
    error_ignore(failure, "said as a status");
    return error_from_status(STATUS_INTERNAL, message, STR(""));
}

char *message_cstr(struct arena *arena, str text)
{
    return arena_cstr(arena, text);
}

struct strs message_strs(struct arena *arena, char *const *items, size_t len)
{
    if (len == 0)
        return (struct strs){ 0 };
    str *slices = ARENA_ARRAY(arena, str, len);

    for (size_t i = 0; i < len; i++)
        slices[i] = message_str(items[i]);
    return (struct strs){ slices, len };
}

char **message_cstrs(struct arena *arena, struct strs list)
{
    if (list.len == 0)
        return NULL;
    char **items = ARENA_ARRAY(arena, char *, list.len);

    for (size_t i = 0; i < list.len; i++)
        items[i] = message_cstr(arena, list.items[i]);
    return items;
}

struct pairs message_pairs(struct arena *arena, Pb__StringEntry *const *entries, size_t len)
{
    struct pair *items = ARENA_ARRAY(arena, struct pair, len);

    for (size_t i = 0; i < len; i++)
        items[i] = (struct pair){ message_str(entries[i]->key), message_str(entries[i]->value) };
    return (struct pairs){ items, len };
}

Pb__StringEntry **message_entries(struct arena *arena, struct pairs list)
{
    Pb__StringEntry **entries = ARENA_ARRAY(arena, Pb__StringEntry *, list.len);

    for (size_t i = 0; i < list.len; i++) {
        entries[i] = ARENA_NEW(arena, Pb__StringEntry);
        pb__string_entry__init(entries[i]);
        entries[i]->key = message_cstr(arena, list.items[i].key);
        entries[i]->value = message_cstr(arena, list.items[i].value);
    }
    return entries;
}

void message_mark(ProtobufCMessage *message, size_t offset)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;
    const ProtobufCFieldDescriptor *found = NULL;

    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];
        if (field->offset != offset || !(field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF))
            continue;
        BUG_IF(found != NULL); /* a choice: its case has to be set by name */
        found = field;
    }
    BUG_IF(found == NULL);
    memcpy((char *)message + found->quantifier_offset, &found->id, sizeof(found->id));
}

/* qsort may reorder equals, so the place on the wire decides between them. */
struct numbered_entry {
    str key;
    size_t place;
};

static int compare_entries(const void *a, const void *b)
{
    const struct numbered_entry *left = a;
    const struct numbered_entry *right = b;
    int order = str_compare(left->key, right->key);

    return order ? order : left->place < right->place ? -1 : 1;
}

struct property_dependencies message_dependencies(struct arena *arena,
                                                  struct Pb__UrnsEntry *const *entries, size_t len)
{
    if (len == 0)
        return (struct property_dependencies){ 0 };
    struct numbered_entry *order = ARENA_ARRAY(arena, struct numbered_entry, len);
    for (size_t i = 0; i < len; i++)
        order[i] = (struct numbered_entry){ message_str(entries[i]->key), i };
    qsort(order, len, sizeof(*order), compare_entries);

    struct property_dependency *items = ARENA_ARRAY(arena, struct property_dependency, len);
    size_t kept = 0;
    for (size_t i = 0; i < len; i++) {
        const Pb__Urns *urns = entries[order[i].place]->value;
        if (i + 1 < len && str_equal(order[i].key, order[i + 1].key))
            continue;
        items[kept].key = order[i].key;
        if (urns)
            items[kept].urns = message_get_strs(arena, urns, urns);
        kept++;
    }
    return (struct property_dependencies){ items, kept };
}

struct Pb__UrnsEntry **message_urns_entries(struct arena *arena, struct property_dependencies list)
{
    if (list.len == 0)
        return NULL;
    Pb__UrnsEntry **entries = ARENA_ARRAY(arena, Pb__UrnsEntry *, list.len);

    for (size_t i = 0; i < list.len; i++) {
        Pb__Urns *urns = ARENA_NEW(arena, Pb__Urns);
        pb__urns__init(urns);
        message_put_strs(arena, urns, urns, list.items[i].urns);

        Pb__UrnsEntry *entry = ARENA_NEW(arena, Pb__UrnsEntry);
        pb__urns_entry__init(entry);
        entry->key = message_cstr(arena, list.items[i].key);
        entry->value = urns;
        entries[i] = entry;
    }
    return entries;
}

struct value checksums_of(struct arena *arena, struct pairs pairs)
{
    struct member *members = ARENA_ARRAY(arena, struct member, pairs.len);

    for (size_t i = 0; i < pairs.len; i++)
        members[i] = (struct member){ arena_copy(arena, pairs.items[i].key),
                                      value_string(hex_encode(arena, pairs.items[i].value)) };
    return pairs.len ? value_object(arena, members, pairs.len) : value_null();
}

struct value checksums_decode(struct arena *arena, struct Pb__BytesEntry *const *entries,
                              size_t count)
{
    struct pair *pairs = ARENA_ARRAY(arena, struct pair, count);

    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct pair){ message_str(entries[i]->key), message_bytes(entries[i]->value) };
    return checksums_of(arena, (struct pairs){ pairs, count });
}

struct Pb__Parameterization *message_parameter(struct arena *arena, str name, str version,
                                               str value)
{
    Pb__Parameterization *message = ARENA_NEW(arena, Pb__Parameterization);

    pb__parameterization__init(message);
    message->name = message_cstr(arena, name);
    message->version = message_cstr(arena, version);
    message->value = message_binary(value);
    return message;
}

struct Pb__PackageDependency *message_package(struct arena *arena, str name, str version,
                                              str server)
{
    Pb__PackageDependency *message = ARENA_NEW(arena, Pb__PackageDependency);

    pb__package_dependency__init(message);
    message->name = message_cstr(arena, name);
    message->kind = message_cstr(arena, STR("resource"));
    message->version = message_cstr(arena, version);
    message->server = message_cstr(arena, server);
    return message;
}
