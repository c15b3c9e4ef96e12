/* secrets.c — managers of secrets: a type, a state and a key that is unlocked at the first use. */
#include "secrets/secrets.h"

#include "base/json.h"
#include "base/memory.h"
#include "secrets/keyring.h"

#include <stdlib.h>

struct secrets {
    struct crypter crypter; /* first: a crypter is its manager */
    struct keyring *keyring;
    struct key *key;
    struct arena arena;
    str state;
    bool is_from_state; /* a wrong passphrase is explained where it matters, not when the manager is
                           opened */
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
        || !str_equal(error_message(failure), STR("incorrect passphrase")))
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
    json_key(&writer, STR("salt"));
    json_string(&writer, key_salt(key));
    json_end_object(&writer);
    secrets->state = arena_copy(&secrets->arena, strbuf_str(&text));
    return secrets;
}

static fallible read_salt(struct arena *arena, str state, str *salt)
{
    static const struct json_field fields[] = { { "salt", json_field_string, 0 }, { 0 } };
    CLEANUP(json_reader_release) struct json_reader reader;

    *salt = STR("");
    json_reader_init(&reader, arena, state);
    return json_read_fields(&reader, fields, salt);
}

static fallible open_passphrase(struct keyring *keyring, str state, struct secrets **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct key *key;
    str salt;

    TRY(error_wrap(read_salt(&scratch, state, &salt), "unmarshalling state"));
    TRY(error_wrap(keyring_add(keyring, salt, &key), "constructing secrets manager"));
    struct secrets *secrets = new_manager(keyring, key);
    secrets->state = arena_copy(&secrets->arena, state);
    secrets->is_from_state = true;
    *out = secrets;
    return NULL;
}

fallible secrets_open(struct keyring *keyring, str type, str state, struct secrets **out)
{
    if (str_equal(type, STR("passphrase")))
        return open_passphrase(keyring, state, out);
    if (str_equal(type, STR("cloud")) || str_equal(type, STR("service")))
        return error_new(ERROR_INVALID,
                         "secrets providers of type '" STR_FMT "' are not supported yet",
                         STR_ARG(type));
    return error_new(ERROR_INVALID, "no known secrets provider for type \"" STR_FMT "\"",
                     STR_ARG(type));
}

fallible secrets_open_config(struct keyring *keyring, str provider, str salt, struct secrets **out)
{
    struct key *key;

    TRY(secrets_check_provider(provider));
    TRY(keyring_add(keyring, salt, &key));
    *out = new_manager(keyring, key);
    return NULL;
}

fallible secrets_create_with(struct keyring *keyring, struct secret passphrase,
                             struct secrets **out)
{
    struct key *key;

    TRY(keyring_create(keyring, passphrase, &key));
    *out = new_manager(keyring, key);
    return NULL;
}

fallible secrets_create(struct keyring *keyring, struct secrets **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct secret passphrase;

    TRY(keyring_new_passphrase(keyring, &scratch, &passphrase));
    struct error *failure = secrets_create_with(keyring, passphrase, out);
    secret_clear(&passphrase);
    return failure;
}

void secrets_close(struct secrets *owned)
{
    if (!owned)
        return;
    arena_release(&owned->arena);
    free(owned);
}

str secrets_type(const struct secrets *secrets)
{
    (void)secrets;
    return STR("passphrase");
}

str secrets_state(const struct secrets *secrets)
{
    return secrets->state;
}

str secrets_salt(const struct secrets *secrets)
{
    return key_salt(secrets->key);
}

bool secrets_is_same(const struct secrets *a, const struct secrets *b)
{
    if (!a || !b)
        return a == b;
    return str_equal(secrets_type(a), secrets_type(b)) && str_equal(a->state, b->state);
}

struct crypter *secrets_crypter(struct secrets *secrets)
{
    return secrets ? &secrets->crypter : NULL;
}

bool secrets_asks(const struct secrets *secrets)
{
    return keyring_asks(secrets->keyring, secrets->key);
}

fallible secrets_verify(struct secrets *secrets)
{
    return key_unlock(secrets->keyring, secrets->key);
}

fallible secrets_check_provider(str provider)
{
    static const str supported[] = { STR_INIT(""), STR_INIT("default"), STR_INIT("passphrase") };
    static const str known[] = { STR_INIT("awskms"), STR_INIT("azurekeyvault"), STR_INIT("gcpkms"),
                                 STR_INIT("hashivault") };
    str kind = provider, rest;

    for (size_t i = 0; i < sizeof(supported) / sizeof(supported[0]); i++)
        if (str_equal(provider, supported[i]))
            return NULL;
    if (!str_cut(provider, STR(":"), &kind, &rest))
        kind = provider;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (str_equal(kind, known[i]))
            return error_new(ERROR_INVALID,
                             "the secrets provider '" STR_FMT "' is not supported yet",
                             STR_ARG(kind));
    return error_new(ERROR_INVALID,
                     "unknown secrets provider type '" STR_FMT "' (supported values: "
                     "default,passphrase,awskms,azurekeyvault,gcpkms,hashivault)",
                     STR_ARG(kind));
}
