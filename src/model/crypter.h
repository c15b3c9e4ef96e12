/* crypter.h — how secrets are sealed and unsealed; the managers are elsewhere. */
#pragma once

#include "model/value.h"

/* Both block (a key may have to be derived). Results live in the arena. */
struct crypter {
    fallible (*seal)(struct crypter *crypter, str plaintext, struct arena *arena, str *ciphertext);
    fallible (*unseal)(struct crypter *crypter, str ciphertext, struct arena *arena,
                       str *plaintext);
};

/* Gives every secret below `value` a ciphertext, or a plaintext, if it has none. What is added
 * lives in the arena. A NULL crypter is an error only if there is something to do. */
fallible value_seal(struct value value, struct crypter *crypter, struct arena *arena);
fallible value_unseal(struct value value, struct crypter *crypter, struct arena *arena);
/* Drops the ciphertexts of open secrets: they belong to another stack or to a former key. */
void value_forget_seals(struct value value);
