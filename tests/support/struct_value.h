/* struct_value.h — a Value of the wire on its own, without special values: in the programs it comes
 * with the rules of marshal only. */
#pragma once

#include "proto/struct_rules.h"

static inline fallible struct_decode_value(struct arena *arena, str bytes,
                                           enum text_storage storage, struct value *out)
{
    if (storage == TEXT_COPIED)
        bytes = arena_copy(arena, bytes);
    return struct_decode_value_with(arena, bytes, &(struct struct_rules){ 0 }, out);
}

static inline fallible struct_encode_value(struct arena *arena, struct value value, str *out)
{
    return struct_encode_value_with(arena, value, &(struct struct_rules){ 0 }, out);
}
