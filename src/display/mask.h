/* mask.h — keeps the plaintext of secret configuration out of everything that is shown. */
#pragma once

#include "base/secret.h"
#include "model/value.h"

/* Texts to hide. The zero value hides nothing. */
struct mask {
    const struct secret *texts;
    size_t len;
};

/* From plaintexts: too short ones and truth values would blot out ordinary text and are left out;
 * each also as JSON writes it. */
struct mask mask_new(struct arena *arena, struct secret_list secrets);

/* The text with every secret replaced by "[secret]"; the same slice if there is none. */
str mask_text(struct mask mask, struct arena *arena, str text);

/* The value as events show it: strings masked, contents of text assets left out. */
struct value mask_value(struct mask mask, struct arena *arena, struct value value);
