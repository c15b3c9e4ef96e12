/* crypter.h — how secrets are sealed and unsealed; the managers are elsewhere. */
#pragma once

#include "base/strs.h"
#include "base/vec.h"
#include "model/value.h"

/* Both block (a key may have to be derived). Results live in the arena. */
struct crypter {
    fallible (*seal)(struct crypter *crypter, str plaintext, struct arena *arena, str *ciphertext);
    fallible (*unseal)(struct crypter *crypter, str ciphertext, struct arena *arena,
                       str *plaintext);
    /* What seal or unseal will be asked for next, in one go, where each call is a request to a
     * server; NULL otherwise. Blocks. */
    fallible (*seal_ahead)(struct crypter *crypter, struct strs plaintexts);
    fallible (*unseal_ahead)(struct crypter *crypter, struct strs ciphertexts);
};

/* The texts of many values that will be sealed or unsealed. The zero value is empty. */
struct foresight {
    VEC(str);
};
/* Texts live in the arena. */
void value_foresee_seal(struct value value, struct foresight *foresight, struct arena *arena);
void value_foresee_unseal(struct value value, struct foresight *foresight);
/* Asks for all of them, if the crypter can, and forgets them. Blocks. */
fallible crypter_seal_ahead(struct crypter *crypter, struct foresight *foresight);
fallible crypter_unseal_ahead(struct crypter *crypter, struct foresight *foresight);

/* Gives every secret below `value` a ciphertext, or a plaintext, if it has none. What is added
 * lives in the arena. A NULL crypter is an error only if there is something to do. */
fallible value_seal(struct value value, struct crypter *crypter, struct arena *arena);
fallible value_unseal(struct value value, struct crypter *crypter, struct arena *arena);
/* Drops the ciphertexts of open secrets: they belong to another stack or to a former key. */
void value_forget_seals(struct value value);
