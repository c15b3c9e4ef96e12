/* passphrase.c — keys by salt. Invariants: a passphrase from the environment that was wrong for a
 * salt stays wrong; key bytes and passphrases are cleared as soon as they are not needed. */
#include "secrets/passphrase.h"

#include "base/base64.h"
#include "base/fs.h"
#include "base/uuid.h"
#include "fiber/offload.h"
#include "secrets/pbkdf2.h"

enum { ITERATIONS = 1000000, SALT_SIZE = 8, MAX_PASSPHRASE_FILE = 1 << 20 };

#define CHECK_TEXT STR("pulumi")

static const struct key_kind passphrase_kind;

static struct key *passphrase_add(struct keyring *keyring, str salt_text, str salt, str check)
{
    struct key *key = keyring_add(keyring, &passphrase_kind, salt_text);

    key->salt = arena_copy(&keyring->arena, salt);
    key->check = arena_copy(&keyring->arena, check);
    return key;
}

fallible passphrase_key(struct keyring *keyring, str salt_text, struct key **out)
{
    CLEANUP(strbuf_release) struct strbuf salt = { 0 };
    str version, rest, encoded, check;
    struct key *found = keyring_find(keyring, salt_text);

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
    *out = passphrase_add(keyring, salt_text, strbuf_str(&salt), check);
    return NULL;
}

fallible passphrase_key_of_state(struct keyring *keyring, str state, struct key **out)
{
    static const struct json_field fields[] = { { "salt", json_field_string, 0 }, { 0 } };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    str salt = STR("");

    json_reader_init(&reader, &scratch, state);
    TRY(error_wrap(json_read_fields(&reader, fields, &salt), "unmarshalling state"));
    return error_wrap(passphrase_key(keyring, salt, out), "constructing secrets manager");
}

/* --- passphrases --- */

static fallible passphrase_require(const struct keyring *keyring)
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
static fallible passphrase_find(const struct keyring *keyring, struct arena *arena, bool *is_found,
                                struct secret *out)
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
    return passphrase_require(keyring);
}

static bool passphrase_asks(const struct keyring *keyring, const struct key *key)
{
    const struct passphrase_source *source = &keyring->source;

    return !key->is_ready && !source->has_passphrase && !source->passphrase_file.len;
}

static fallible passphrase_ask(struct keyring *keyring, struct arena *arena, str prompt,
                               struct secret *out)
{
    return keyring->source.ask(keyring->source.ask_context, prompt, arena, out);
}

fallible passphrase_choose(struct keyring *keyring, struct arena *arena, struct secret *out)
{
    str prompt = STR("Enter your passphrase to protect config/secrets");
    struct secret first, second;
    bool is_found;

    TRY(passphrase_find(keyring, arena, &is_found, out));
    if (is_found)
        return NULL;
    for (;;) {
        TRY(passphrase_ask(keyring, arena, prompt, &first));
        TRY(passphrase_ask(keyring, arena, STR("Re-enter your passphrase to confirm"), &second));
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

fallible passphrase_key_create(struct keyring *keyring, struct secret passphrase, struct key **out)
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

    struct key *key = passphrase_add(keyring, strbuf_str(&text), salt, check);
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

void passphrase_key_try(struct key *key, struct secret passphrase)
{
    if (key->kind == &passphrase_kind && !key->is_ready && !key->unlocking)
        try_passphrase(key, passphrase);
}

static struct error *passphrase_unlock(struct keyring *keyring, struct key *key)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str hint =
        STR("Enter your passphrase to unlock config/secrets\n"
            "    (set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to remember)");
    str prompt = hint;
    struct secret passphrase = { 0 };
    bool is_found;

    TRY(passphrase_find(keyring, &scratch, &is_found, &passphrase));
    while (!key->is_ready && !key->refusal.len) {
        if (!is_found)
            TRY(passphrase_ask(keyring, &scratch, prompt, &passphrase));
        try_passphrase(key, passphrase);
        secret_clear(&passphrase);
        if (is_found && !key->is_ready)
            key->refusal = PASSPHRASE_REFUSAL;
        prompt = arena_concat(&scratch, STR("incorrect passphrase\n"), hint);
    }
    return NULL;
}

static void passphrase_describe(const struct key *key, struct json_writer *writer)
{
    json_key(writer, STR("salt"));
    json_string(writer, key->text);
}

static struct secrets_names passphrase_names(const struct key *key)
{
    return (struct secrets_names){ .salt = key->text };
}

static const struct key_kind passphrase_kind = {
    .type = "passphrase",
    .unlock = passphrase_unlock,
    .asks = passphrase_asks,
    .describe = passphrase_describe,
    .names = passphrase_names,
};
