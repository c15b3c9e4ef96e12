/* marshal.h — property values on the wire: an object with a signature in it is a secret, an asset,
 * an output … */
#pragma once

#include "model/value.h"

/* What the sender of bytes may use and what of it is kept. The zero value keeps nothing special:
 * all plain, unknowns dropped. */
struct unmarshal_options {
    bool keep_unknowns;      /* else: unknown members vanish, unknown list items become null */
    bool reject_unknowns;    /* fail on them; wins over keep_unknowns */
    bool keep_secrets;       /* else: the element */
    bool keep_resources;     /* else: the id of the resource, or its URN if it has none */
    bool keep_output_values; /* else: the element, unknown or secret; dependencies are lost */
    bool upgrade_to_output_values; /* with keep_output_values: unknowns and secrets become outputs
                                      too */
    bool joins_secrets;            /* a secret that is nothing but a secret is one */
    bool skip_nulls;               /* members of objects, at every level */
    bool skip_internal_keys;       /* members of the outermost object whose key begins with "__" */
    bool reject_assets;
    bool propagate_nil; /* a NULL slice becomes VALUE_NULL instead of an empty object */
    bool copy_text; /* else strings point into the bytes, which have to live as long as the value */
    const char *label; /* begins every message of a failure; may be NULL */
    const char *name;  /* of a value that is no member, for messages; may be NULL */
};

/* What the receiver of bytes understands. The zero value is a receiver that understands nothing
 * special. */
struct marshal_options {
    bool keep_unknowns; /* else: unknown members and list items vanish */
    bool reject_unknowns;
    bool keep_secrets;
    bool keep_resources;
    bool keep_output_values;
    bool upgrade_to_output_values;
    bool skip_nulls;
    bool skip_internal_keys;
    bool reject_assets;
    bool propagate_nil;        /* VALUE_NULL becomes a NULL slice instead of an empty Struct */
    bool accepts_byte_strings; /* else: text that is not UTF-8 fails */
    bool elide_asset_contents; /* assets and archives go out with their hash only */
    const char *label;
};

/* A Struct. Results live in the arena. Failures are ERROR_INVALID and name the member. Neither
 * direction recurses. */
fallible properties_unmarshal(struct arena *arena, str bytes,
                              const struct unmarshal_options *options, struct value *out);
fallible properties_marshal(struct arena *arena, struct value properties,
                            const struct marshal_options *options, str *out);

/* A Value. One that is dropped is VALUE_NULL, or a NULL slice. */
fallible property_unmarshal(struct arena *arena, str bytes, const struct unmarshal_options *options,
                            struct value *out);
fallible property_marshal(struct arena *arena, struct value value,
                          const struct marshal_options *options, str *out);

/* --- mending what a provider's reply lost on the way --- */

/* Secrets that went in come out as secrets again: objects in both are walked together; any other
 * member whose input contains a secret is wrapped. For providers that know no secrets. */
struct value value_annotate_secrets(struct arena *arena, struct value inputs, struct value outputs);

/* Assets and archives of `value` that have only a hash get the contents of the one in `from` with
 * the same hash. */
struct value value_restore_elided_assets(struct arena *arena, struct value from,
                                         struct value value);
