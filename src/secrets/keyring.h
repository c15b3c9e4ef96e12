/* keyring.h — private to this folder: keys by the text that names them, unlocked when they are
 * needed. */
#pragma once

#include "base/json.h"
#include "base/map.h"
#include "secrets/cipher.h"
#include "secrets/secrets.h"

struct http_client;
struct key;

/* How keys of one kind are named, and how they come by their bytes. */
struct key_kind {
    const char *type; /* in a checkpoint's secrets_providers */
    /* Sets the cipher and is_ready, or the refusal. A failure may be gone at the next try.
     * Blocks. */
    fallible (*unlock)(struct keyring *keyring, struct key *key);
    /* A person has to unlock it, or nobody can; NULL: never so. */
    bool (*asks)(const struct keyring *keyring, const struct key *key);
    /* The members of its state. */
    void (*describe)(const struct key *key, struct json_writer *writer);
    /* What a stack's file says of it. */
    struct secrets_names (*names)(const struct key *key);
};

struct key {
    const struct key_kind *kind;
    str text; /* unlike that of all others in the keyring */
    struct cipher cipher;
    bool is_ready;
    str refusal;             /* why it can never be unlocked; empty: it was not tried */
    struct latch *unlocking; /* while a fiber is at it */
    /* Digest of a plaintext to its ciphertext. Equal texts share a ciphertext: that reveals
     * which secrets of a stack are equal, nothing else. */
    struct map ciphertexts;
    unsigned char digest_key[32]; /* random for each process: a digest alone cannot be
                                     brute-forced */
    /* of a passphrase (passphrase.c) */
    str salt;  /* the bytes */
    str check; /* a ciphertext that the right key opens */
    /* of a key service (data_key.c) */
    str url;
    str sealed; /* base64 of what the service made of it */
};

struct keyring {
    struct passphrase_source source;
    struct arena arena;
    struct map keys;          /* text to struct key */
    struct http_client *http; /* NULL until a key service is asked */
};

/* NULL if there is none of that text. */
struct key *keyring_find(const struct keyring *keyring, str text);
struct key *keyring_add(struct keyring *keyring, const struct key_kind *kind, str text);
struct http_client *keyring_http(struct keyring *keyring);

/* Unlocks it unless that was done; many may wait for one. A refusal is ERROR_INVALID. Blocks. */
fallible key_unlock(struct keyring *keyring, struct key *key);

/* Of a key that was unlocked. A text that was seen before keeps its ciphertext. */
str key_seal(struct keyring *keyring, struct key *key, struct arena *arena, str plaintext);
fallible key_open(struct keyring *keyring, struct key *key, struct arena *arena, str ciphertext,
                  str *plaintext);
