/* keyring.c — keys by salt. Invariants: a key is derived at most once at a time and not again once
 * it is ready; a passphrase from the environment that was wrong for a salt stays wrong; key bytes
 * and passphrases are cleared as soon as they are not needed. */
#include "secrets/keyring.h"

#include "base/base64.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/uuid.h"
#include "fiber/offload.h"
#include "fiber/sync.h"
#include "secrets/pbkdf2.h"

#include <stdlib.h>

enum { ITERATIONS = 1000000, SALT_SIZE = 8, MAX_PASSPHRASE_FILE = 1 << 20 };

#define CHECK_TEXT STR("pulumi")

struct key {
    str salt_text;
    str salt;  /* the bytes */
    str check; /* ciphertext of CHECK_TEXT */
    struct cipher cipher;
    bool is_ready;
    bool is_refused;         /* the passphrase that we have is not the one */
    struct latch *unlocking; /* while a fiber derives the key */
    /* Digest of a plaintext to its ciphertext. Equal texts share a ciphertext: that reveals
     * which secrets of a stack are equal, nothing else. */
    struct map ciphertexts;
    unsigned char digest_key[SHA256_SIZE]; /* random for each process: a digest alone cannot be
                                              brute-forced */
};

struct keyring {
    struct passphrase_source source;
    struct arena arena;
    struct map keys; /* salt text to struct key */
};

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
    arena_release(&owned->arena);
    free(owned);
}

str key_salt(const struct key *key)
{
    return key->salt_text;
}

static struct key *keyring_add_key(struct keyring *keyring, str salt_text, str salt, str check)
{
    struct key *key = ARENA_NEW(&keyring->arena, struct key);

    key->salt_text = arena_copy(&keyring->arena, salt_text);
    key->salt = arena_copy(&keyring->arena, salt);
    key->check = arena_copy(&keyring->arena, check);
    random_bytes(key->digest_key, sizeof(key->digest_key));
    map_put(&keyring->keys, key->salt_text, key);
    return key;
}

fallible keyring_add(struct keyring *keyring, str salt_text, struct key **out)
{
    CLEANUP(strbuf_release) struct strbuf salt = { 0 };
    str version, rest, encoded, check;
    struct key *found = map_find(&keyring->keys, salt_text);

    if (found) {
        *out = found;
        return NULL;
    }
    if (!str_cut(salt_text, STR(":"), &version, &rest)
        || !str_cut(rest, STR(":"), &encoded, &check))
        return error_new(ERROR_INVALID, "malformed state value");
    if (!str_equal(version, STR("v1")))
        return error_new(ERROR_INVALID, "unknown state version");
    if (!base64_decode(&salt, encoded))
        return error_new(ERROR_INVALID, "malformed state value: the salt is not base64");
    *out = keyring_add_key(keyring, salt_text, strbuf_str(&salt), check);
    return NULL;
}

/* --- passphrases --- */

static fallible keyring_require_passphrase(const struct keyring *keyring)
{
    const struct passphrase_source *source = &keyring->source;

    if (source->has_passphrase || source->passphrase_file.len || source->ask)
        return NULL;
    return error_new(
        ERROR_INVALID,
        "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE "
        "environment variables");
}

/* From the environment, if it is there. */
static fallible keyring_find_passphrase(const struct keyring *keyring, struct arena *arena,
                                        bool *is_found, struct secret *out)
{
    const struct passphrase_source *source = &keyring->source;
    str text;

    *is_found = true;
    if (source->has_passphrase) {
        *out = secret_hide(arena_copy(arena, secret_reveal(source->passphrase)));
        return NULL;
    }
    if (source->passphrase_file.len) {
        TRY(error_wrap(fs_read(arena, source->passphrase_file, MAX_PASSPHRASE_FILE, &text),
                       "unable to read PULUMI_CONFIG_PASSPHRASE_FILE"));
        *out = secret_hide(str_trim(text));
        return NULL;
    }
    *is_found = false;
    return keyring_require_passphrase(keyring);
}

bool keyring_asks(const struct keyring *keyring, const struct key *key)
{
    const struct passphrase_source *source = &keyring->source;

    return !key->is_ready && !source->has_passphrase && !source->passphrase_file.len
           && source->ask != NULL;
}

static fallible keyring_ask(struct keyring *keyring, struct arena *arena, str prompt,
                            struct secret *out)
{
    return keyring->source.ask(keyring->source.ask_context, prompt, arena, out);
}

fallible keyring_new_passphrase(struct keyring *keyring, struct arena *arena, struct secret *out)
{
    str prompt = STR("Enter your passphrase to protect config/secrets");
    struct secret first, second;
    bool is_found;

    TRY(keyring_find_passphrase(keyring, arena, &is_found, out));
    if (is_found)
        return NULL;
    for (;;) {
        TRY(keyring_ask(keyring, arena, prompt, &first));
        TRY(keyring_ask(keyring, arena, STR("Re-enter your passphrase to confirm"), &second));
        bool is_same = secret_equal(first, second);
        secret_clear(&second);
        if (is_same)
            break;
        secret_clear(&first);
        prompt = STR("passphrases do not match\nEnter your passphrase to protect config/secrets");
    }
    *out = first;
    return NULL;
}

/* --- deriving --- */

struct derivation {
    struct secret passphrase;
    str salt;
    unsigned char key[PBKDF2_KEY_SIZE];
};

static void derive_on_thread(void *argument)
{
    struct derivation *derivation = argument;
    pbkdf2_sha256(secret_reveal(derivation->passphrase), derivation->salt, ITERATIONS,
                  derivation->key);
}

static void derive(struct secret passphrase, str salt, struct cipher *out)
{
    struct derivation derivation = { .passphrase = passphrase, .salt = salt };

    offload(derive_on_thread, &derivation);
    cipher_init(out, derivation.key);
    explicit_bzero(derivation.key, sizeof(derivation.key));
}

fallible keyring_create(struct keyring *keyring, struct secret passphrase, struct key **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct cipher cipher;
    char bytes[SALT_SIZE];
    str salt = { bytes, sizeof(bytes) };

    if (secret_reveal(passphrase).len > MAX_PASSPHRASE_FILE)
        return error_new(ERROR_INVALID, "the passphrase is too long");
    random_bytes(bytes, sizeof(bytes));
    derive(passphrase, salt, &cipher);
    str check = cipher_seal(&cipher, &scratch, CHECK_TEXT);
    strbuf_add(&text, STR("v1:"));
    base64_encode(&text, salt);
    strbuf_add_char(&text, ':');
    strbuf_add(&text, check);

    struct key *key = keyring_add_key(keyring, strbuf_str(&text), salt, check);
    key->cipher = cipher;
    key->is_ready = true;
    *out = key;
    return NULL;
}

/* Derives with one passphrase and keeps the key if it opens the check text. */
static void try_passphrase(struct key *key, struct secret passphrase)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct cipher cipher;
    str opened = { 0 };

    derive(passphrase, key->salt, &cipher);
    struct error *failure = cipher_open(&cipher, &scratch, key->check, &opened);
    key->is_ready = !failure && str_equal(opened, CHECK_TEXT);
    error_free(failure);
    if (key->is_ready)
        key->cipher = cipher;
    else
        cipher_release(&cipher);
}

static fallible keyring_unlock_key(struct keyring *keyring, struct key *key)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str hint =
        STR("Enter your passphrase to unlock config/secrets\n"
            "    (set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to remember)");
    str prompt = hint;
    struct secret passphrase = { 0 };
    bool is_found;

    TRY(keyring_find_passphrase(keyring, &scratch, &is_found, &passphrase));
    while (!key->is_ready && !key->is_refused) {
        if (!is_found)
            TRY(keyring_ask(keyring, &scratch, prompt, &passphrase));
        try_passphrase(key, passphrase);
        secret_clear(&passphrase);
        key->is_refused = is_found && !key->is_ready;
        prompt = arena_concat(&scratch, STR("incorrect passphrase\n"), hint);
    }
    return NULL;
}

fallible key_unlock(struct keyring *keyring, struct key *key)
{
    while (key->unlocking)
        latch_wait_uncancelable(
            key->unlocking); /* a journal entry may wait for it while everything is canceled */
    if (!key->is_ready && !key->is_refused) {
        struct latch latch = { 0 };
        key->unlocking = &latch;
        struct error *failure = keyring_unlock_key(keyring, key);
        key->unlocking = NULL;
        latch_open(&latch);
        TRY(failure);
    }
    return key->is_ready ? NULL : error_new(ERROR_INVALID, "incorrect passphrase");
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
