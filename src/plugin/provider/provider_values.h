/* provider_values.h — property values on their way to and from a provider. */
#pragma once

#include "plugin/provider/provider_grpc.h"
#include "proto/marshal.h"

#include "pb/provider.pb-c.h"

/* What stays as it is; everything else is converted to plain values. */
enum wire_flags {
    KEEP_UNKNOWNS = 1,
    KEEP_SECRETS = 2,
    KEEP_RESOURCES = 4,
    KEEP_OUTPUTS = 8,
    KEEP_BYTE_STRINGS = 16,
    ELIDE_CONTENTS = 32,  /* of assets: only their hash is sent */
    REJECT_UNKNOWNS = 64, /* in an answer they are an error */
    JOIN_SECRETS = 128,   /* a secret that is nothing but a secret is one */
    KEEP_RICH = KEEP_SECRETS | KEEP_RESOURCES,
};

/* What this provider understands of secrets, references and byte strings. */
unsigned provider_keeps(const struct provider_traits *traits);
/* KEEP_UNKNOWNS where they are allowed, else REJECT_UNKNOWNS. */
unsigned provider_answer_unknowns(bool allows_unknowns);

/* An object as a Struct. VALUE_NULL is an absent one: a NULL pointer. */
fallible provider_marshal(struct arena *arena, struct value object, unsigned flags, str *out);

/* The reverse; absent bytes (a NULL pointer) are an empty object. The value lives in the arena and
 * may borrow the bytes. */
fallible provider_unmarshal(struct arena *arena, str bytes, unsigned flags, struct value *out);

/* Marks every member as secret. */
struct value provider_all_secret(struct arena *arena, struct value object);

struct check_failures provider_failures(struct arena *arena, Pb__CheckFailure *const *items,
                                        size_t len);
void provider_read_diff(struct arena *arena, const Pb__DiffResponse *response,
                        struct diff_answer *out);
fallible provider_views_to_wire(struct arena *arena, const struct provider_views *views,
                                unsigned flags, Pb__View ***items, size_t *len);

/* The dependencies with an entry for every member of the object, maybe an empty one. */
struct property_dependencies provider_all_dependencies(struct arena *arena, struct value object,
                                                       struct property_dependencies given);
