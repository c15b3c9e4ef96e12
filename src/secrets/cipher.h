/* cipher.h — texts sealed with a key: v1:<base64 nonce>:<base64 AES-256-GCM ciphertext and tag>. */
#pragma once

#include "base/error.h"

enum { CIPHER_KEY_SIZE = 32 };

/* A keyed cipher. The zero value has no key. */
struct cipher {
    void *sealing; /* libcrypto's contexts */
    void *opening;
};

void cipher_init(struct cipher *cipher, const unsigned char key[CIPHER_KEY_SIZE]);
void cipher_release(struct cipher *cipher);

str cipher_seal(struct cipher *cipher, struct arena *arena, str plaintext);
fallible cipher_open(struct cipher *cipher, struct arena *arena, str ciphertext, str *plaintext);
