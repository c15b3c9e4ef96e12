/* data_key.c — keys of 32 random bytes. Invariants: a service is asked at most once for each,
 * whatever it answers; the bytes are cleared once the cipher has them.
 *
 * PULUMI_CLOUD_SECRET_OVERRIDE names another URL for the calls, such as a copy of the key in
 * another region. What a stack has written down stays as it is, so that its secrets can still be
 * read without the variable; only a new key is kept under the URL that has sealed it. */
#include "secrets/data_key.h"

#include "base/base64.h"
#include "base/settings.h"
#include "base/uuid.h"

static const struct key_kind data_key_kind;

static str data_key_override(str url)
{
    str other = settings_text("PULUMI_CLOUD_SECRET_OVERRIDE");

    return other.len ? other : url;
}

static struct key *data_key_add(struct keyring *keyring, str url, str sealed)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str text = arena_concat(&scratch, STR("cloud\n"), url, STR("\n"), sealed);
    struct key *key = keyring_find(keyring, text);

    if (key)
        return key;
    key = keyring_add(keyring, &data_key_kind, text);
    key->url = arena_copy(&keyring->arena, url);
    key->sealed = arena_copy(&keyring->arena, sealed);
    return key;
}

fallible data_key(struct keyring *keyring, str url, str sealed, struct key **out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };

    if (!base64_decode(&bytes, sealed) || bytes.len == 0)
        return error_new(ERROR_INVALID, "the encryptedkey of the secrets provider is not base64");
    *out = data_key_add(keyring, url, sealed);
    return NULL;
}

struct data_key_state {
    str url;
    str sealed;
};

fallible data_key_of_state(struct keyring *keyring, str state, struct key **out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("url", struct data_key_state, url, json_field_string),
        JSON_FIELD("encryptedkey", struct data_key_state, sealed, json_field_string),
        { 0 },
    };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader;
    struct data_key_state found = { 0 };

    json_reader_init(&reader, &scratch, state);
    TRY(error_wrap(json_read_fields(&reader, fields, &found), "unmarshalling state"));
    if (!key_service_find(found.url))
        TRY(secrets_check_provider(found.url.len ? found.url : STR("(none)")));
    return error_wrap(data_key(keyring, found.url, found.sealed, out),
                      "constructing secrets manager");
}

/* --- asking the service --- */

static fallible data_key_use(struct keyring *keyring, struct arena *arena, str url,
                             const struct key_service **service, struct key_use *out)
{
    *service = key_service_find(url);
    if (!*service)
        TRY(secrets_check_provider(url)); /* an override may be anything */
    if (!*service)
        return error_new(ERROR_INVALID,
                         "PULUMI_CLOUD_SECRET_OVERRIDE has to be the URL of a key in a key "
                         "service");
    *out = (struct key_use){ .http = keyring_http(keyring), .arena = arena };
    return cloud_url_parse(arena, url, &out->url);
}

static fallible data_key_seal(struct keyring *keyring, struct arena *arena, str url,
                              struct secret plain, str *sealed)
{
    const struct key_service *service;
    struct key_use use;

    TRY(data_key_use(keyring, arena, url, &service, &use));
    return error_wrap(service->seal(&use, plain, sealed),
                      "cannot seal a new key for secrets with '" STR_FMT "'",
                      STR_ARG(cloud_url_show(arena, url)));
}

static fallible data_key_unseal(struct keyring *keyring, struct arena *arena, str url,
                                str sealed_text, struct secret *plain)
{
    CLEANUP(strbuf_release) struct strbuf sealed = { 0 };
    const struct key_service *service;
    struct key_use use;

    BUG_IF(!base64_decode(&sealed, sealed_text)); /* data_key() has looked */
    TRY(data_key_use(keyring, arena, url, &service, &use));
    TRY(service->unseal(&use, strbuf_str(&sealed), plain));
    size_t len = secret_reveal(*plain).len;
    if (len == CIPHER_KEY_SIZE)
        return NULL;
    secret_clear(plain);
    return error_new(ERROR_INVALID, "the key has %zu bytes, expected %d", len, CIPHER_KEY_SIZE);
}

static struct error *data_key_unlock(struct keyring *keyring, struct key *key)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str url = data_key_override(key->url);
    struct secret plain = { 0 };
    struct error *failure = data_key_unseal(keyring, &scratch, url, key->sealed, &plain);

    failure = error_wrap(failure, "cannot unlock the key of the secrets with '" STR_FMT "'",
                         STR_ARG(cloud_url_show(&scratch, url)));
    if (failure && error_kind(failure) == ERROR_CANCELED)
        return failure;
    if (failure) {
        key->refusal = arena_copy(&keyring->arena, error_message(failure));
        error_ignore(failure, "its text is kept");
        return NULL;
    }
    cipher_init(&key->cipher, (const unsigned char *)secret_reveal(plain).ptr);
    secret_clear(&plain);
    key->is_ready = true;
    return NULL;
}

fallible data_key_create(struct keyring *keyring, str url, struct key **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    unsigned char bytes[CIPHER_KEY_SIZE];
    struct secret plain = secret_hide((str){ (const char *)bytes, sizeof(bytes) });
    str sealed;

    url = data_key_override(url);
    random_bytes(bytes, sizeof(bytes));
    struct error *failure = data_key_seal(keyring, &scratch, url, plain, &sealed);
    if (!failure) {
        base64_encode(&text, sealed);
        *out = data_key_add(keyring, url, strbuf_str(&text));
        cipher_release(&(*out)->cipher); /* a strange service may seal two keys alike */
        cipher_init(&(*out)->cipher, bytes);
        (*out)->is_ready = true;
    }
    explicit_bzero(bytes, sizeof(bytes));
    return failure;
}

static void data_key_describe(const struct key *key, struct json_writer *writer)
{
    json_key(writer, STR("url"));
    json_string(writer, key->url);
    json_key(writer, STR("encryptedkey"));
    json_string(writer, key->sealed);
}

static struct secrets_names data_key_names(const struct key *key)
{
    return (struct secrets_names){ .provider = key->url, .encrypted_key = key->sealed };
}

static const struct key_kind data_key_kind = {
    .type = "cloud",
    .unlock = data_key_unlock,
    .describe = data_key_describe,
    .names = data_key_names,
};
