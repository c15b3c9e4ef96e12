/* passphrase.h — private to this folder: keys that are derived from a passphrase and a salt. */
#pragma once

#include "secrets/keyring.h"

#define PASSPHRASE_REFUSAL STR("incorrect passphrase")

/* The key of a salt text (v1:SALT:v1:NONCE:CT), found or added without deriving anything. Fails if
 * the text is malformed. */
fallible passphrase_key(struct keyring *keyring, str salt_text, struct key **out);
/* The same from a state {"salt":"…"}. */
fallible passphrase_key_of_state(struct keyring *keyring, str state, struct key **out);

/* A key with a new salt. Blocks. */
fallible passphrase_key_create(struct keyring *keyring, struct secret passphrase, struct key **out);

/* Unlocks it if it is a key of that passphrase; otherwise it stays as it is. Blocks. */
void passphrase_key_try(struct key *key, struct secret passphrase);

/* A new passphrase: the source's, or what a person enters twice. Blocks. */
fallible passphrase_choose(struct keyring *keyring, struct arena *arena, struct secret *out);
