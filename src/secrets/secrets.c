/* secrets.c — managers of secrets: a type, a state and a key that is unlocked at the first use. */
#include "secrets/secrets.h"

#include "base/memory.h"
#include "secrets/data_key.h"
#include "secrets/passphrase.h"

#include <stdlib.h>

struct secrets {
    struct crypter crypter; /* first: a crypter is its manager */
    struct keyring *keyring;
    struct key *key;
    struct arena arena;
    str state;
    bool is_from_state; /* a wrong passphrase is explained where it matters, not when the manager is
                           opened */
    /* one that works elsewhere; NULL: the key seals */
    struct crypter *elsewhere;
    void (*close)(struct crypter *owned);
    str type;
};

static struct secrets *manager_of(struct crypter *crypter)
{
    return (struct secrets *)(void *)crypter;
}

/* Unlocks the key; what a wrong passphrase means depends on where the manager comes from. */
static fallible secrets_unlock(struct secrets *secrets, const char *operation)
{
    struct error *failure = key_unlock(secrets->keyring, secrets->key);

    if (!failure || !secrets->is_from_state || error_kind(failure) != ERROR_INVALID
        || !str_equal(error_message(failure), PASSPHRASE_REFUSAL))
        return failure;
    error_free(failure);
    return error_new(ERROR_INVALID,
                     "failed to %s: incorrect passphrase, please set PULUMI_CONFIG_PASSPHRASE to "
                     "the correct passphrase or set "
                     "PULUMI_CONFIG_PASSPHRASE_FILE to a file containing the passphrase",
                     operation);
}

static fallible secrets_seal(struct crypter *crypter, str plaintext, struct arena *arena,
                             str *ciphertext)
{
    struct secrets *secrets = manager_of(crypter);

    TRY(secrets_unlock(secrets, "encrypt"));
    *ciphertext = key_seal(secrets->keyring, secrets->key, arena, plaintext);
    return NULL;
}

static fallible secrets_unseal(struct crypter *crypter, str ciphertext, struct arena *arena,
                               str *plaintext)
{
    struct secrets *secrets = manager_of(crypter);

    TRY(secrets_unlock(secrets, "decrypt"));
    return error_wrap(key_open(secrets->keyring, secrets->key, arena, ciphertext, plaintext),
                      "failed to decrypt");
}

static struct secrets *new_manager(struct keyring *keyring, struct key *key)
{
    struct secrets *secrets = memory_zalloc(sizeof(*secrets));
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .escapes_html = true };

    secrets->crypter = (struct crypter){ .seal = secrets_seal, .unseal = secrets_unseal };
    secrets->keyring = keyring;
    secrets->key = key;
    json_begin_object(&writer);
    key->kind->describe(key, &writer);
    json_end_object(&writer);
    secrets->state = arena_copy(&secrets->arena, strbuf_str(&text));
    return secrets;
}

/* --- opening --- */

/* The managers that a checkpoint may name. */
static const struct {
    const char *type;
    fallible (*key_of)(struct keyring *keyring, str state, struct key **out);
} state_types[] = {
    { "passphrase", passphrase_key_of_state },
    { "cloud", data_key_of_state },
};

fallible secrets_open(struct keyring *keyring, str type, str state, struct secrets **out)
{
    struct key *key;

    for (size_t i = 0; i < sizeof(state_types) / sizeof(state_types[0]); i++) {
        if (!str_equal(type, str_from(state_types[i].type)))
            continue;
        TRY(state_types[i].key_of(keyring, state, &key));
        struct secrets *secrets = new_manager(keyring, key);
        secrets->state = arena_copy(&secrets->arena, state);
        secrets->is_from_state = true;
        *out = secrets;
        return NULL;
    }
    return error_new(ERROR_INVALID, "no known secrets provider for type \"" STR_FMT "\"",
                     STR_ARG(type));
}

fallible secrets_open_config(struct keyring *keyring, const struct secrets_names *names,
                             struct secrets **out)
{
    struct key *key;

    TRY(secrets_check_provider(names->provider));
    if (secrets_is_key_service(names->provider))
        TRY(data_key(keyring, names->provider, names->encrypted_key, &key));
    else
        TRY(passphrase_key(keyring, names->salt, &key));
    *out = new_manager(keyring, key);
    return NULL;
}

/* --- making --- */

fallible secrets_create_with(struct keyring *keyring, struct secret passphrase,
                             struct secrets **out)
{
    struct key *key;

    TRY(passphrase_key_create(keyring, passphrase, &key));
    *out = new_manager(keyring, key);
    return NULL;
}

static fallible secrets_create_by_passphrase(struct keyring *keyring, struct secrets **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct secret passphrase;

    TRY(passphrase_choose(keyring, &scratch, &passphrase));
    struct error *failure = secrets_create_with(keyring, passphrase, out);
    secret_clear(&passphrase);
    return failure;
}

fallible secrets_create(struct keyring *keyring, str provider, struct secrets **out)
{
    struct key *key;

    TRY(secrets_check_provider(provider));
    if (!secrets_is_key_service(provider))
        return secrets_create_by_passphrase(keyring, out);
    TRY(data_key_create(keyring, provider, &key));
    *out = new_manager(keyring, key);
    return NULL;
}

struct secrets *secrets_adopt(str type, str state, struct crypter *owned,
                              void (*close)(struct crypter *owned))
{
    struct secrets *secrets = memory_zalloc(sizeof(*secrets));

    secrets->elsewhere = owned;
    secrets->close = close;
    secrets->type = arena_copy(&secrets->arena, type);
    secrets->state = arena_copy(&secrets->arena, state);
    return secrets;
}

void secrets_close(struct secrets *owned)
{
    if (!owned)
        return;
    if (owned->elsewhere)
        owned->close(owned->elsewhere);
    arena_release(&owned->arena);
    free(owned);
}

/* --- asking --- */

str secrets_type(const struct secrets *secrets)
{
    return secrets->elsewhere ? secrets->type : str_from(secrets->key->kind->type);
}

str secrets_state(const struct secrets *secrets)
{
    return secrets->state;
}

struct secrets_names secrets_names(const struct secrets *secrets)
{
    return secrets->elsewhere ? (struct secrets_names){ 0 }
                              : secrets->key->kind->names(secrets->key);
}

bool secrets_is_same(const struct secrets *a, const struct secrets *b)
{
    if (!a || !b)
        return a == b;
    return str_equal(secrets_type(a), secrets_type(b)) && str_equal(a->state, b->state);
}

struct crypter *secrets_crypter(struct secrets *secrets)
{
    if (!secrets)
        return NULL;
    return secrets->elsewhere ? secrets->elsewhere : &secrets->crypter;
}

bool secrets_asks(const struct secrets *secrets)
{
    const struct key_kind *kind = secrets->elsewhere ? NULL : secrets->key->kind;

    return kind && kind->asks && kind->asks(secrets->keyring, secrets->key);
}

fallible secrets_verify(struct secrets *secrets)
{
    return secrets->elsewhere ? NULL : key_unlock(secrets->keyring, secrets->key);
}

void secrets_try(struct secrets *secrets, struct secret passphrase)
{
    if (!secrets->elsewhere)
        passphrase_key_try(secrets->key, passphrase);
}

/* --- what may be named --- */

bool secrets_is_key_service(str provider)
{
    return key_service_find(provider) != NULL;
}

fallible secrets_check_provider(str provider)
{
    str kind = provider, rest;

    if (!provider.len || str_equal(provider, STR("default"))
        || str_equal(provider, STR("passphrase")) || secrets_is_key_service(provider))
        return NULL;
    str_cut(provider, STR(":"), &kind, &rest);
    return error_new(ERROR_INVALID,
                     "unknown secrets provider type '" STR_FMT "' (supported values: "
                     "default,passphrase,awskms,azurekeyvault,gcpkms,hashivault)",
                     STR_ARG(kind));
}
