/* keyring.h — private to this folder: keys by salt, derived when they are needed. */
#pragma once

#include "secrets/cipher.h"
#include "secrets/secrets.h"

struct key;

/* The key of a salt text (v1:SALT:v1:NONCE:CT), found or added without deriving anything. Fails if
 * the text is malformed. */
fallible keyring_add(struct keyring *keyring, str salt_text, struct key **out);

/* A key with a new salt; its text is key_salt(). Blocks. */
fallible keyring_create(struct keyring *keyring, struct secret passphrase, struct key **out);

/* A new passphrase: the source's, or what a person enters twice. Blocks. */
fallible keyring_new_passphrase(struct keyring *keyring, struct arena *arena, struct secret *out);

/* A person would be asked to unlock it. */
bool keyring_asks(const struct keyring *keyring, const struct key *key);

/* Derives the key unless that was done. "incorrect passphrase" is ERROR_INVALID. Blocks. */
fallible key_unlock(struct keyring *keyring, struct key *key);

str key_salt(const struct key *key);
/* Of a key that was unlocked. A text that was seen before keeps its ciphertext. */
str key_seal(struct keyring *keyring, struct key *key, struct arena *arena, str plaintext);
fallible key_open(struct keyring *keyring, struct key *key, struct arena *arena, str ciphertext,
                  str *plaintext);
