/* pbkdf2.c — a key from a passphrase: two compressions an iteration on precomputed pad states,
 * three to four times as fast as libcrypto's own.
 *
 * SHA256_Transform is deprecated but exported, and it is the processor's SHA instructions where
 * there are some. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "secrets/pbkdf2.h"

#include <openssl/sha.h>

enum { BLOCK_SIZE = 64, WORDS = 8 };

/* The state after the padded key, which every inner and outer hash begins with. */
struct pads {
    SHA256_CTX inner;
    SHA256_CTX outer;
};

static void pads_prepare(struct pads *pads, str passphrase)
{
    unsigned char key[BLOCK_SIZE] = { 0 }, block[BLOCK_SIZE];

    if (passphrase.len > BLOCK_SIZE) {
        SHA256_CTX context;
        SHA256_Init(&context);
        SHA256_Update(&context, passphrase.ptr, passphrase.len);
        SHA256_Final(key, &context);
    } else if (passphrase.len) {
        memcpy(key, passphrase.ptr, passphrase.len);
    }
    for (int i = 0; i < BLOCK_SIZE; i++)
        block[i] = key[i] ^ 0x36;
    SHA256_Init(&pads->inner);
    SHA256_Update(&pads->inner, block, sizeof(block));
    for (int i = 0; i < BLOCK_SIZE; i++)
        block[i] = key[i] ^ 0x5c;
    SHA256_Init(&pads->outer);
    SHA256_Update(&pads->outer, block, sizeof(block));
    explicit_bzero(key, sizeof(key));
    explicit_bzero(block, sizeof(block));
}

/* HMAC of the salt and the number of the first block. */
static void first_round(const struct pads *pads, str salt, unsigned char out[SHA256_DIGEST_LENGTH])
{
    static const unsigned char block_number[4] = { 0, 0, 0, 1 };
    SHA256_CTX context = pads->inner;

    SHA256_Update(&context, salt.len ? salt.ptr : "", salt.len);
    SHA256_Update(&context, block_number, sizeof(block_number));
    SHA256_Final(out, &context);
    context = pads->outer;
    SHA256_Update(&context, out, SHA256_DIGEST_LENGTH);
    SHA256_Final(out, &context);
    explicit_bzero(&context, sizeof(context));
}

static void store(unsigned char *out, const SHA_LONG words[WORDS])
{
    for (int i = 0; i < WORDS; i++) {
        uint32_t word = __builtin_bswap32((uint32_t)words[i]);
        memcpy(out + 4 * i, &word, sizeof(word));
    }
}

/* A digest as the last block of a message of one key block and itself: 96 bytes, 768 bits. */
static void pad_digest(unsigned char block[BLOCK_SIZE])
{
    memset(block + SHA256_DIGEST_LENGTH, 0, BLOCK_SIZE - SHA256_DIGEST_LENGTH);
    block[SHA256_DIGEST_LENGTH] = 0x80;
    block[BLOCK_SIZE - 2] = 768 >> 8;
    block[BLOCK_SIZE - 1] = 768 & 0xff;
}

void pbkdf2_sha256(str passphrase, str salt, uint32_t iterations,
                   unsigned char out[PBKDF2_KEY_SIZE])
{
    struct pads pads;
    unsigned char block[BLOCK_SIZE];
    uint64_t sum[PBKDF2_KEY_SIZE / 8], round[PBKDF2_KEY_SIZE / 8];

    pads_prepare(&pads, passphrase);
    first_round(&pads, salt, block);
    memcpy(sum, block, sizeof(sum));
    pad_digest(block);
    for (uint32_t i = 1; i < iterations; i++) {
        SHA256_CTX context;
        memcpy(context.h, pads.inner.h, sizeof(context.h));
        SHA256_Transform(&context, block);
        store(block, context.h);
        memcpy(context.h, pads.outer.h, sizeof(context.h));
        SHA256_Transform(&context, block);
        store(block, context.h);
        memcpy(round, block, sizeof(round));
        for (size_t k = 0; k < sizeof(sum) / sizeof(sum[0]); k++)
            sum[k] ^= round[k];
    }
    memcpy(out, sum, sizeof(sum));
    explicit_bzero(&pads, sizeof(pads));
    explicit_bzero(block, sizeof(block));
    explicit_bzero(sum, sizeof(sum));
    explicit_bzero(round, sizeof(round));
}
