/* hash.c — digests. The low-level functions of libcrypto: they work without its initialisation,
 * which would cost every start a millisecond. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/hash.h"

#include "base/hex.h"

#include <openssl/md5.h>
#include <openssl/sha.h>
#include <string.h>

_Static_assert(sizeof(SHA256_CTX) <= sizeof(((struct sha256 *)0)->state),
               "the context of SHA-256 fits");

void sha256_add(struct sha256 *sha, str bytes)
{
    SHA256_CTX *context = (SHA256_CTX *)(void *)sha->state;

    if (!sha->has_begun)
        SHA256_Init(context);
    sha->has_begun = true;
    if (bytes.len)
        SHA256_Update(context, bytes.ptr, bytes.len);
}

void sha256_finish(struct sha256 *sha, unsigned char out[SHA256_SIZE])
{
    sha256_add(sha, STR(""));
    SHA256_Final(out, (SHA256_CTX *)(void *)sha->state);
    sha->has_begun = false;
}

str sha256_finish_hex(struct sha256 *sha, struct arena *arena)
{
    unsigned char digest[SHA256_SIZE];

    sha256_finish(sha, digest);
    return hex_encode(arena, (str){ (const char *)digest, sizeof(digest) });
}

void hash_sha256(str bytes, unsigned char out[SHA256_SIZE])
{
    struct sha256 sha = { 0 };

    sha256_add(&sha, bytes);
    sha256_finish(&sha, out);
}

void hash_hmac_sha256(str key, str bytes, unsigned char out[SHA256_SIZE])
{
    enum { BLOCK = 64, INNER_PAD = 0x36, OUTER_PAD = 0x5c };
    unsigned char block[BLOCK] = { 0 }, pad[BLOCK];
    struct sha256 sha = { 0 };

    if (key.len > BLOCK)
        hash_sha256(key, block);
    else if (key.len > 0)
        memcpy(block, key.ptr, key.len);
    for (size_t i = 0; i < BLOCK; i++)
        pad[i] = block[i] ^ INNER_PAD;
    sha256_add(&sha, (str){ (const char *)pad, BLOCK });
    sha256_add(&sha, bytes);
    sha256_finish(&sha, out);
    for (size_t i = 0; i < BLOCK; i++)
        pad[i] = block[i] ^ OUTER_PAD;
    sha256_add(&sha, (str){ (const char *)pad, BLOCK });
    sha256_add(&sha, (str){ (const char *)out, SHA256_SIZE });
    sha256_finish(&sha, out);
    explicit_bzero(block, sizeof(block));
    explicit_bzero(pad, sizeof(pad));
}

void hash_sha1(str bytes, unsigned char out[SHA1_SIZE])
{
    SHA_CTX context;

    SHA1_Init(&context);
    SHA1_Update(&context, bytes.len ? bytes.ptr : "", bytes.len);
    SHA1_Final(out, &context);
}

void hash_md5(str bytes, unsigned char out[MD5_SIZE])
{
    MD5_CTX context;

    MD5_Init(&context);
    MD5_Update(&context, bytes.len ? bytes.ptr : "", bytes.len);
    MD5_Final(out, &context);
}

str hash_sha256_hex(struct arena *arena, str bytes)
{
    struct sha256 sha = { 0 };

    sha256_add(&sha, bytes);
    return sha256_finish_hex(&sha, arena);
}

str hash_sha1_hex(struct arena *arena, str bytes)
{
    unsigned char digest[SHA1_SIZE];

    hash_sha1(bytes, digest);
    return hex_encode(arena, (str){ (const char *)digest, sizeof(digest) });
}
