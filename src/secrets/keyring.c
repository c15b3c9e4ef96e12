/* keyring.c — keys by their text. Invariants: a key is unlocked by one fiber at a time and not
 * again once it is ready or refused; its bytes are cleared when the keyring is closed. */
#include "secrets/keyring.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/uuid.h"
#include "fiber/sync.h"
#include "http/http.h"

#include <stdlib.h>

struct keyring *keyring_open(const struct passphrase_source *source)
{
    struct keyring *keyring = memory_zalloc(sizeof(*keyring));

    keyring->source = *source;
    return keyring;
}

void keyring_close(struct keyring *owned)
{
    const struct map_entry *entry;

    if (!owned)
        return;
    for (size_t i = 0; map_next(&owned->keys, &i, &entry);) {
        struct key *key = entry->value;
        cipher_release(&key->cipher);
        map_release(&key->ciphertexts);
    }
    map_release(&owned->keys);
    if (owned->http)
        http_client_free(owned->http);
    arena_release(&owned->arena);
    free(owned);
}

struct key *keyring_find(const struct keyring *keyring, str text)
{
    return map_find(&keyring->keys, text);
}

struct key *keyring_add(struct keyring *keyring, const struct key_kind *kind, str text)
{
    struct key *key = ARENA_NEW(&keyring->arena, struct key);

    key->kind = kind;
    key->text = arena_copy(&keyring->arena, text);
    random_bytes(key->digest_key, sizeof(key->digest_key));
    map_put(&keyring->keys, key->text, key);
    return key;
}

struct http_client *keyring_http(struct keyring *keyring)
{
    if (!keyring->http)
        keyring->http = http_client_new();
    return keyring->http;
}

fallible key_unlock(struct keyring *keyring, struct key *key)
{
    while (key->unlocking)
        latch_wait_uncancelable(
            key->unlocking); /* a journal entry may wait for it while everything is canceled */
    if (!key->is_ready && !key->refusal.len) {
        struct latch latch = { 0 };
        key->unlocking = &latch;
        struct error *failure = key->kind->unlock(keyring, key);
        key->unlocking = NULL;
        latch_open(&latch);
        TRY(failure);
    }
    return key->is_ready ? NULL : error_new(ERROR_INVALID, STR_FMT, STR_ARG(key->refusal));
}

/* --- sealing and opening --- */

static str digest_of(struct key *key, struct arena *arena, str plaintext)
{
    struct sha256 sha = { 0 };
    unsigned char *digest = arena_alloc_raw(arena, SHA256_SIZE);

    sha256_add(&sha, (str){ (const char *)key->digest_key, sizeof(key->digest_key) });
    sha256_add(&sha, plaintext);
    sha256_finish(&sha, digest);
    return (str){ (const char *)digest, SHA256_SIZE };
}

static void keyring_remember(struct keyring *keyring, struct key *key, str plaintext,
                             str ciphertext)
{
    if (keyring->source.forgets_ciphertexts)
        return;
    str *kept = ARENA_NEW(&keyring->arena, str);
    *kept = arena_copy(&keyring->arena, ciphertext);
    map_put(&key->ciphertexts, digest_of(key, &keyring->arena, plaintext), kept);
}

str key_seal(struct keyring *keyring, struct key *key, struct arena *arena, str plaintext)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const str *known = map_find(&key->ciphertexts, digest_of(key, &scratch, plaintext));

    if (known)
        return arena_copy(arena, *known);
    str ciphertext = cipher_seal(&key->cipher, arena, plaintext);
    keyring_remember(keyring, key, plaintext, ciphertext);
    return ciphertext;
}

fallible key_open(struct keyring *keyring, struct key *key, struct arena *arena, str ciphertext,
                  str *plaintext)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    TRY(cipher_open(&key->cipher, arena, ciphertext, plaintext));
    if (!map_has(&key->ciphertexts, digest_of(key, &scratch, *plaintext)))
        keyring_remember(keyring, key, *plaintext, ciphertext);
    return NULL;
}
