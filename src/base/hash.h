/* hash.h — digests of bytes: SHA-256, SHA-1, HMAC. */
#pragma once

#include "base/arena.h"

enum { SHA256_SIZE = 32, SHA1_SIZE = 20, MD5_SIZE = 16 };

void hash_sha256(str bytes, unsigned char out[SHA256_SIZE]);
void hash_sha1(str bytes, unsigned char out[SHA1_SIZE]);
/* Protects nothing; some protocols want it beside a request. */
void hash_md5(str bytes, unsigned char out[MD5_SIZE]);

/* Lower-case hexadecimal. */
str hash_sha256_hex(struct arena *arena, str bytes);
str hash_sha1_hex(struct arena *arena, str bytes);

/* HMAC with SHA-256. */
void hash_hmac_sha256(str key, str bytes, unsigned char out[SHA256_SIZE]);

/* In pieces: the zero value is the beginning; finishing returns it there. */
struct sha256 {
    bool has_begun;
    uint64_t state[16]; /* private: libcrypto's own context */
};
void sha256_add(struct sha256 *sha, str bytes);
void sha256_finish(struct sha256 *sha, unsigned char out[SHA256_SIZE]);
str sha256_finish_hex(struct sha256 *sha, struct arena *arena);
