/* pbkdf2.h — a key from a passphrase. */
#pragma once

#include "base/str.h"

enum { PBKDF2_KEY_SIZE = 32 };

/* PBKDF2-HMAC-SHA256. CPU-heavy: a million iterations take a tenth of a second. Touches nothing but
 * its arguments. */
void pbkdf2_sha256(str passphrase, str salt, uint32_t iterations,
                   unsigned char out[PBKDF2_KEY_SIZE]);
