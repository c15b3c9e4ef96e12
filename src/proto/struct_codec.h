/* struct_codec.h — Struct and Value as bytes, straight from and to our value tree; no signature
 * means anything here. */
#pragma once

#include "model/value.h"

/* Nesting is limited to VALUE_MAX_DEPTH. Neither direction recurses, so both may run on a fiber's
 * stack. */

enum text_storage {
    TEXT_BORROWED, /* strings and keys point into the bytes, which must live as long as the value */
    TEXT_COPIED,   /* the bytes are copied into the arena first */
};

/* A Struct; the result is a VALUE_OBJECT. Keys are sorted, the last of equal keys wins, a Value
 * without a kind is null, unknown fields are skipped. Text that is not UTF-8, nesting that is too
 * deep and bytes that are no message fail as ERROR_INVALID. */
fallible struct_decode(struct arena *arena, str bytes, enum text_storage storage,
                       struct value *out);

/* The reverse, of null, bool, number, string, array and object; anything else inside is a bug of
 * the caller. Members are written in the order of their keys. The bytes are in the arena and never
 * NULL. Fails on text that is not UTF-8 and on deep nesting. */
fallible struct_encode(struct arena *arena, struct value object, str *out);
