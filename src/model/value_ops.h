/* value_ops.h — asking values and making others from them; the second half of value.h, which
 * includes it. */
#pragma once

#include "model/value.h"

/* --- objects: all of these take VALUE_OBJECT (or VALUE_NULL for an empty one) and return a new one
 * --- */

const struct value *value_find(struct value object, str key); /* NULL if absent */
bool value_has(struct value object, str key);
/* Which member it is, or which one it would have to be. */
size_t value_place(struct value object, str key, bool *is_there);
struct value value_with(struct arena *arena, struct value object, str key, struct value value);
struct value value_without(struct arena *arena, struct value object, str key);
/* Those of the members that `keeps` says. */
struct value value_keep(struct arena *arena, struct value object,
                        bool (*keeps)(const void *context, struct member member),
                        const void *context);
/* Without what providers keep for themselves among the properties, such as `__defaults`. */
struct value value_without_internal(struct arena *arena, struct value object);
/* All of both; `over` wins. */
struct value value_merge(struct arena *arena, struct value under, struct value over);
/* A string member, or an empty slice. */
str value_find_text(struct value object, str key);

/* --- asking --- */

/* Structural; an object member that is null equals an absent one; assets by hash; references by URN
 * and id; secrets by plaintext (by ciphertext while one is sealed); outputs with their
 * dependencies; NaN equals NaN. */
bool value_equal(struct value a, struct value b);
/* As value_equal, but nothing is overlooked: nulls, where an asset comes from, the package version
 * of a reference. One can stand for the other. */
bool value_identical(struct value a, struct value b);
bool value_contains_unknown(
    struct value value); /* computed or unknown output, also inside secrets */
bool value_contains_secret(struct value value);
bool value_contains_sealed(struct value value);      /* a secret without plaintext */
bool value_contains_byte_string(struct value value); /* as far as secrets are open */

/* What is directly inside a list, an object, an open secret or a known output; NULL behind the
 * last.
 */
const struct value *value_child(const struct value *value, size_t index);

/* --- transforming; each returns the same value when there is nothing to do --- */

enum rule_verdict {
    RULE_KEPT,     /* as it was; what is inside comes next */
    RULE_REPLACED, /* something else, to which the rule is applied again */
    RULE_LEFT,     /* final; what is inside stays, too */
};
typedef enum rule_verdict value_rule(void *context, struct arena *arena, struct value *value);
/* From the outside in; only what changes is copied. */
struct value value_rewrite(struct arena *arena, value_rule *rule, void *context,
                           struct value value);

/* A whole number of a configuration keeps all its digits: what `number` cannot hold is in `len`. */
struct value value_integer(int64_t integer);
/* Those that `number` cannot hold. */
bool value_is_integer(struct value value, int64_t *out);
/* Plain value: secrets and outputs unwrapped, unknowns stay. A sealed secret is a bug of the
 * caller. */
struct value value_without_secrets(struct arena *arena, struct value value);
/* Drops the wire-only kind: outputs become their element, unknown or secret. A secret that is
 * nothing but a secret is one. */
struct value value_without_outputs(struct arena *arena, struct value value);
/* A deep copy into another arena. */
struct value value_copy(struct arena *arena, struct value value);
/* The same, but what is identical in `like`, which lasts as long, is shared with it. */
struct value value_copy_like(struct arena *arena, struct value value, struct value like);
