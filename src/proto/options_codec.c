/* options_codec.c — the options of a resource in and out of messages. The list says what an option
 * is called in a message; the message's descriptor says where it is and what type it has there. */
#include "proto/options_codec.h"

#include "base/duration.h"
#include "proto/message.h"

#include "pb/analyzer.pb-c.h"
#include "pb/provider.pb-c.h"
#include "pb/resource.pb-c.h"

#include <stdio.h>

typedef ProtobufCMessageDescriptor descriptor;
typedef ProtobufCFieldDescriptor field_descriptor;

const descriptor *const options_messages[OPTION_WIRES] = {
    [WIRE_REGISTER] = &pb__register_resource_request__descriptor,
    [WIRE_TRANSFORM] = &pb__transform_resource_options__descriptor,
    [WIRE_CONSTRUCT] = &pb__construct_request__descriptor,
    [WIRE_READ] = &pb__read_resource_request__descriptor,
    [WIRE_HOOK] = &pb__resource_options__descriptor,
    [WIRE_POLICY] = &pb__analyzer_resource_options__descriptor,
};

/* --- fields of messages --- */

static const field_descriptor *wire_find_field(const descriptor *type, const char *name)
{
    return protobuf_c_message_descriptor_get_field_by_name(type, name);
}

static const void *field_in(const ProtobufCMessage *message, const field_descriptor *field)
{
    return (const char *)message + field->offset;
}

static void *field_of(ProtobufCMessage *message, const field_descriptor *field)
{
    return (char *)message + field->offset;
}

static bool is_optional(const field_descriptor *field)
{
    return field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
}

static bool is_present(const ProtobufCMessage *message, const field_descriptor *field)
{
    uint32_t chosen;

    memcpy(&chosen, (const char *)message + field->quantifier_offset, sizeof(chosen));
    return chosen == field->id;
}

static size_t wire_count(const ProtobufCMessage *message, const field_descriptor *field)
{
    size_t count;

    memcpy(&count, (const char *)message + field->quantifier_offset, sizeof(count));
    return count;
}

/* Sets a repeated field. */
static void wire_put_list(ProtobufCMessage *message, const field_descriptor *field,
                          const void *items, size_t count)
{
    memcpy(field_of(message, field), &items, sizeof(items));
    memcpy((char *)message + field->quantifier_offset, &count, sizeof(count));
}

/* The pointer that a field of text, lists or messages is. */
static void *pointer_in(const ProtobufCMessage *message, const field_descriptor *field)
{
    void *pointer;

    memcpy(&pointer, field_in(message, field), sizeof(pointer));
    return pointer;
}

static void wire_put_pointer(ProtobufCMessage *message, const field_descriptor *field,
                             const void *pointer)
{
    memcpy(field_of(message, field), &pointer, sizeof(pointer));
}

static ProtobufCMessage *wire_new_message(struct arena *arena, const descriptor *type)
{
    ProtobufCMessage *message = arena_alloc(arena, type->sizeof_message);

    type->message_init(message);
    return message;
}

static struct strs wire_get_texts(struct arena *arena, const ProtobufCMessage *message,
                                  const field_descriptor *field)
{
    return message_strs(arena, pointer_in(message, field), wire_count(message, field));
}

static void wire_put_texts(struct arena *arena, ProtobufCMessage *message,
                           const field_descriptor *field, struct strs list)
{
    wire_put_list(message, field, message_cstrs(arena, list), list.len);
}

/* --- booleans: present or absent, with a second field that says so, or just so --- */

static const field_descriptor *find_defined(const ProtobufCMessage *message,
                                            const field_descriptor *field)
{
    char name[64];

    BUG_IF((size_t)snprintf(name, sizeof(name), "%s_defined", field->name) >= sizeof(name));
    return is_optional(field) ? NULL : wire_find_field(message->descriptor, name);
}

static void wire_get_bool(const ProtobufCMessage *message, const field_descriptor *field, bool *out,
                          bool *is_given)
{
    const field_descriptor *defined = find_defined(message, field);
    bool value = *(const protobuf_c_boolean *)field_in(message, field);

    *is_given = is_optional(field)
                    ? is_present(message, field)
                    : value || (defined && *(const protobuf_c_boolean *)field_in(message, defined));
    *out = *is_given && value;
}

static void wire_put_bool(ProtobufCMessage *message, const field_descriptor *field, bool value,
                          bool is_given)
{
    const field_descriptor *defined = find_defined(message, field);

    if (is_optional(field) && !is_given)
        return;
    *(protobuf_c_boolean *)field_of(message, field) = value;
    if (is_optional(field))
        message_mark(message, field->offset);
    if (defined)
        *(protobuf_c_boolean *)field_of(message, defined) = is_given;
}

/* --- texts --- */

static void wire_put_text(struct arena *arena, ProtobufCMessage *message,
                          const field_descriptor *field, str text)
{
    if (text.len)
        wire_put_pointer(message, field, message_cstr(arena, text));
}

/* --- values --- */

static void wire_get_value(const ProtobufCMessage *message, const field_descriptor *field,
                           struct requested_value *out)
{
    *out = (struct requested_value){ 0 };
    if (is_present(message, field))
        out->encoded = message_bytes(*(const ProtobufCBinaryData *)field_in(message, field));
}

static void wire_put_value(ProtobufCMessage *message, const field_descriptor *field,
                           const struct requested_value *value)
{
    if (!value->encoded.ptr)
        return;
    *(ProtobufCBinaryData *)field_of(message, field) = message_binary(value->encoded);
    message_mark(message, field->offset);
}

/* --- timeouts: as text, or in seconds for policies --- */

static const struct {
    const char *name;
    size_t text;
    size_t seconds;
} timeouts[] = {
#define TIMEOUT(member)                                                                         \
    {                                                                                           \
#member, offsetof(struct requested_timeouts, member), offsetof(struct timeouts, member) \
    }
    TIMEOUT(create),
    TIMEOUT(update),
    TIMEOUT(delete),
    TIMEOUT(read),
};
enum { TIMEOUTS = sizeof(timeouts) / sizeof(timeouts[0]) };

static void wire_get_timeouts(const ProtobufCMessage *message, const field_descriptor *field,
                              struct requested_timeouts *out, bool *is_given)
{
    const ProtobufCMessage *part = pointer_in(message, field);

    *out = (struct requested_timeouts){ 0 };
    *is_given = part != NULL;
    for (int i = 0; part && i < TIMEOUTS; i++) {
        const field_descriptor *one = wire_find_field(part->descriptor, timeouts[i].name);
        *(str *)(void *)((char *)out + timeouts[i].text) = message_str(pointer_in(part, one));
    }
}

static void wire_put_timeout(struct arena *arena, ProtobufCMessage *message,
                             const field_descriptor *field, str text, double seconds)
{
    if (field->type == PROTOBUF_C_TYPE_DOUBLE)
        *(double *)field_of(message, field) = seconds;
    else if (text.ptr)
        wire_put_text(arena, message, field, text);
    else if (seconds != 0)
        wire_put_text(arena, message, field, duration_format(arena, seconds));
}

static void wire_put_timeouts(struct arena *arena, ProtobufCMessage *message,
                              const field_descriptor *field, const struct requested_timeouts *given,
                              bool is_given)
{
    const descriptor *type = field->descriptor;
    bool in_seconds = wire_find_field(type, timeouts[0].name)->type == PROTOBUF_C_TYPE_DOUBLE;

    if (!is_given && !in_seconds) /* policies always get them */
        return;
    ProtobufCMessage *part = wire_new_message(arena, type);
    for (int i = 0; i < TIMEOUTS; i++)
        wire_put_timeout(
            arena, part, wire_find_field(type, timeouts[i].name),
            *(const str *)(const void *)((const char *)given + timeouts[i].text),
            *(const double *)(const void *)((const char *)&given->seconds + timeouts[i].seconds));
    wire_put_pointer(message, field, part);
}

/* --- hooks --- */

static const char *const hook_fields[HOOK_KINDS] = {
    [HOOK_BEFORE_CREATE] = "before_create", [HOOK_AFTER_CREATE] = "after_create",
    [HOOK_BEFORE_UPDATE] = "before_update", [HOOK_AFTER_UPDATE] = "after_update",
    [HOOK_BEFORE_DELETE] = "before_delete", [HOOK_AFTER_DELETE] = "after_delete",
    [HOOK_ON_ERROR] = "on_error",
};

static void wire_get_hooks(struct arena *arena, const ProtobufCMessage *message,
                           const field_descriptor *field, struct strs *out, bool *is_given)
{
    const ProtobufCMessage *part = pointer_in(message, field);

    *is_given = part != NULL;
    for (int kind = 0; kind < HOOK_KINDS; kind++)
        out[kind] =
            part ? wire_get_texts(arena, part, wire_find_field(part->descriptor, hook_fields[kind]))
                 : (struct strs){ 0 };
}

static void wire_put_hooks(struct arena *arena, ProtobufCMessage *message,
                           const field_descriptor *field, const struct strs *hooks, bool is_given)
{
    if (!is_given)
        return;
    ProtobufCMessage *part = wire_new_message(arena, field->descriptor);
    for (int kind = 0; kind < HOOK_KINDS; kind++) {
        /* The reference keeps error hooks to itself when a provider constructs. */
        if (kind == HOOK_ON_ERROR && message->descriptor == options_messages[WIRE_CONSTRUCT])
            continue;
        wire_put_texts(arena, part, wire_find_field(part->descriptor, hook_fields[kind]),
                       hooks[kind]);
    }
    wire_put_pointer(message, field, part);
}

/* --- aliases: URNs of old SDKs come first, then the newer form; policies see URNs only --- */

static struct alias wire_get_alias(const Pb__Alias *message)
{
    if (message->alias_case != PB__ALIAS__ALIAS_SPEC)
        return (struct alias){ .urn = message->alias_case == PB__ALIAS__ALIAS_URN
                                          ? message_str(message->urn)
                                          : (str){ 0 } };
    const Pb__Alias__Spec *spec = message->spec;
    struct alias alias = {
        .is_spec = true,
        .name = message_str(spec->name),
        .type = message_str(spec->type),
        .stack = message_str(spec->stack),
        .project = message_str(spec->project),
    };
    if (spec->parent_case == PB__ALIAS__SPEC__PARENT_PARENT_URN)
        alias.parent = message_str(spec->parent_urn);
    alias.gives_no_parent = spec->parent_case == PB__ALIAS__SPEC__PARENT_NO_PARENT;
    alias.has_no_parent = alias.gives_no_parent && spec->no_parent;
    return alias;
}

static void wire_get_aliases(struct arena *arena, const ProtobufCMessage *message,
                             const field_descriptor *field, struct aliases *out)
{
    const field_descriptor *urn_field = wire_find_field(message->descriptor, "alias_urns");
    struct strs urns = urn_field ? wire_get_texts(arena, message, urn_field) : (struct strs){ 0 };
    Pb__Alias *const *given = pointer_in(message, field);
    size_t count = wire_count(message, field);
    struct alias *items = ARENA_ARRAY(arena, struct alias, urns.len + count);

    for (size_t i = 0; i < urns.len; i++)
        items[i].urn = urns.items[i];
    for (size_t i = 0; i < count; i++)
        items[urns.len + i] = wire_get_alias(given[i]);
    *out = (struct aliases){ items, urns.len + count };
}

static Pb__Alias__Spec *wire_new_spec(struct arena *arena, const struct alias *alias)
{
    Pb__Alias__Spec *spec = ARENA_NEW(arena, Pb__Alias__Spec);

    pb__alias__spec__init(spec);
    spec->name = message_cstr(arena, alias->name);
    spec->type = message_cstr(arena, alias->type);
    spec->stack = message_cstr(arena, alias->stack);
    spec->project = message_cstr(arena, alias->project);
    if (alias->parent.ptr) {
        spec->parent_case = PB__ALIAS__SPEC__PARENT_PARENT_URN;
        spec->parent_urn = message_cstr(arena, alias->parent);
    } else if (alias->gives_no_parent) {
        spec->parent_case = PB__ALIAS__SPEC__PARENT_NO_PARENT;
        spec->no_parent = alias->has_no_parent;
    }
    return spec;
}

static Pb__Alias *wire_new_alias(struct arena *arena, const struct alias *alias)
{
    Pb__Alias *message = ARENA_NEW(arena, Pb__Alias);

    pb__alias__init(message);
    if (alias->is_spec) {
        message->alias_case = PB__ALIAS__ALIAS_SPEC;
        message->spec = wire_new_spec(arena, alias);
    } else if (alias->urn.ptr) {
        message->alias_case = PB__ALIAS__ALIAS_URN;
        message->urn = message_cstr(arena, alias->urn);
    }
    return message;
}

static void wire_put_aliases(struct arena *arena, ProtobufCMessage *message,
                             const field_descriptor *field, struct aliases aliases)
{
    void **items = ARENA_ARRAY(arena, void *, aliases.len);

    for (size_t i = 0; i < aliases.len; i++)
        items[i] = field->type == PROTOBUF_C_TYPE_STRING
                       ? (void *)message_cstr(arena, aliases.items[i].urn)
                       : (void *)wire_new_alias(arena, &aliases.items[i]);
    wire_put_list(message, field, items, aliases.len);
}

/* --- pairs --- */

static struct pairs wire_get_pairs(struct arena *arena, const ProtobufCMessage *message,
                                   const field_descriptor *field)
{
    ProtobufCMessage *const *entries = pointer_in(message, field);
    size_t count = wire_count(message, field);
    struct pair *items = ARENA_ARRAY(arena, struct pair, count);

    for (size_t i = 0; i < count; i++) {
        const descriptor *type = entries[i]->descriptor;
        const field_descriptor *value = wire_find_field(type, "value");
        items[i].key = message_str(pointer_in(entries[i], wire_find_field(type, "key")));
        items[i].value =
            value->type == PROTOBUF_C_TYPE_BYTES
                ? message_bytes(*(const ProtobufCBinaryData *)field_in(entries[i], value))
                : message_str(pointer_in(entries[i], value));
    }
    return (struct pairs){ items, count };
}

static void wire_put_pairs(struct arena *arena, ProtobufCMessage *message,
                           const field_descriptor *field, struct pairs pairs)
{
    const descriptor *type = field->descriptor;
    const field_descriptor *value = wire_find_field(type, "value");
    ProtobufCMessage **entries = ARENA_ARRAY(arena, ProtobufCMessage *, pairs.len);

    for (size_t i = 0; i < pairs.len; i++) {
        entries[i] = wire_new_message(arena, type);
        wire_put_text(arena, entries[i], wire_find_field(type, "key"), pairs.items[i].key);
        if (value->type == PROTOBUF_C_TYPE_BYTES)
            *(ProtobufCBinaryData *)field_of(entries[i], value) =
                message_binary(pairs.items[i].value);
        else
            wire_put_text(arena, entries[i], value, pairs.items[i].value);
    }
    wire_put_list(message, field, entries, pairs.len);
}

/* --- all of them --- */

static void wire_get_option(struct arena *arena, const struct resource_option *option,
                            const ProtobufCMessage *message, const field_descriptor *field,
                            struct requested_options *out)
{
    void *place = (char *)out + option->place;
    bool *mark = (bool *)out + option->mark;

    switch (option->kind) {
    case KIND_BOOL: wire_get_bool(message, field, place, mark); break;
    case KIND_TEXT:
    case KIND_URN: *(str *)place = message_str(pointer_in(message, field)); break;
    case KIND_TEXTS:
    case KIND_URNS: *(struct strs *)place = wire_get_texts(arena, message, field); break;
    case KIND_VALUE: wire_get_value(message, field, place); break;
    case KIND_TIMEOUTS: wire_get_timeouts(message, field, place, mark); break;
    case KIND_HOOKS: wire_get_hooks(arena, message, field, place, mark); break;
    case KIND_ALIASES: wire_get_aliases(arena, message, field, place); break;
    case KIND_PAIRS:
    case KIND_BYTE_PAIRS: *(struct pairs *)place = wire_get_pairs(arena, message, field); break;
    case KIND_FRAMES:
    case KIND_PROPERTIES:
    case KIND_DEPENDENCIES:
    case FIELD_KINDS: BUG_IF(true); /* no message has an option of this kind */
    }
}

static void wire_put_option(struct arena *arena, const struct resource_option *option,
                            const struct requested_options *options, ProtobufCMessage *message,
                            const field_descriptor *field)
{
    const void *place = (const char *)options + option->place;
    bool is_given = *((const bool *)options + option->mark);

    switch (option->kind) {
    case KIND_BOOL: wire_put_bool(message, field, *(const bool *)place, is_given); break;
    case KIND_TEXT:
    case KIND_URN: wire_put_text(arena, message, field, *(const str *)place); break;
    case KIND_TEXTS:
    case KIND_URNS: wire_put_texts(arena, message, field, *(const struct strs *)place); break;
    case KIND_VALUE: wire_put_value(message, field, place); break;
    case KIND_TIMEOUTS: wire_put_timeouts(arena, message, field, place, is_given); break;
    case KIND_HOOKS: wire_put_hooks(arena, message, field, place, is_given); break;
    case KIND_ALIASES:
        wire_put_aliases(arena, message, field, *(const struct aliases *)place);
        break;
    case KIND_PAIRS:
    case KIND_BYTE_PAIRS:
        wire_put_pairs(arena, message, field, *(const struct pairs *)place);
        break;
    case KIND_FRAMES:
    case KIND_PROPERTIES:
    case KIND_DEPENDENCIES:
    case FIELD_KINDS: BUG_IF(true);
    }
}

static const field_descriptor *field_for(const struct resource_option *option,
                                         enum option_wire wire)
{
    const char *name = option_field(option, wire);
    const field_descriptor *field = name ? wire_find_field(options_messages[wire], name) : NULL;

    BUG_IF(name && !field);
    return field;
}

void options_get(struct arena *arena, enum option_wire wire, const ProtobufCMessage *message,
                 struct requested_options *inout)
{
    BUG_IF(message->descriptor != options_messages[wire]);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const field_descriptor *field = field_for(&option_rows[i], wire);
        if (field)
            wire_get_option(arena, &option_rows[i], message, field, inout);
    }
}

void options_put(struct arena *arena, enum option_wire wire,
                 const struct requested_options *options, ProtobufCMessage *message)
{
    BUG_IF(message->descriptor != options_messages[wire]);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const field_descriptor *field = field_for(&option_rows[i], wire);
        if (field)
            wire_put_option(arena, &option_rows[i], options, message, field);
    }
}
