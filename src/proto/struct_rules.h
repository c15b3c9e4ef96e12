/* struct_rules.h — private to the Struct codec and marshal: how special values are made and unmade
 * in the same pass. */
#pragma once

#include "proto/struct_codec.h"

/* A value of this kind is left out: as a member it vanishes, as a list item it becomes null
 * (decoding) or vanishes (encoding). */
enum { VALUE_DROPPED = 0xff };

static inline struct value value_dropped(void)
{
    return (struct value){ .kind = VALUE_DROPPED };
}

struct struct_rules {
    void *context;

    /* Decoding, may be NULL: a string of UNKNOWN_TEXT_LEN bytes was read. `key` is the member that
     * holds it, for messages. */
    fallible (*on_text)(void *context, str key, struct value *inout);
    /* Decoding, may be NULL: an object with the signature key is complete, and it is not the
     * outermost Struct. Its members are gone after the call; what they point to stays. */
    fallible (*on_signature)(void *context, str key, struct value *inout);

    /* Encoding, may be NULL: `value` is special or text that is not UTF-8. The result is encoded in
     * its place, and asked about again if it is special too. */
    fallible (*expand)(void *context, str key, struct value *inout);

    bool skips_nulls;         /* members that are null, at every level */
    bool skips_internal_keys; /* members of the outermost object that begin with "__" */
    const char *label;        /* begins every message of a failure; may be NULL */
};

static inline fallible struct_failure(const struct struct_rules *rules, struct error *owned)
{
    return rules->label ? error_wrap(owned, "%s", rules->label) : owned;
}

fallible struct_decode_with(struct arena *arena, str bytes, const struct struct_rules *rules,
                            struct value *out);
fallible struct_decode_value_with(struct arena *arena, str bytes, const struct struct_rules *rules,
                                  struct value *out);

/* The result of a dropped value is a NULL slice. */
fallible struct_encode_with(struct arena *arena, struct value object,
                            const struct struct_rules *rules, str *out);
fallible struct_encode_value_with(struct arena *arena, struct value value,
                                  const struct struct_rules *rules, str *out);
