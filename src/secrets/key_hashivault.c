/* key_hashivault.c — hashivault://KEY[?engine=transit]: the transit engine of a Vault server, whose
 * address and token are in the environment. What it seals is text: vault:v1:… */
#include "secrets/key_service.h"

#include "base/hex.h"
#include "base/settings.h"

static str hashivault_setting(const char *name, const char *other_name)
{
    str text = settings_text(name);

    return text.len ? text : settings_text(other_name);
}

static fallible hashivault_address(struct arena *arena, str *out)
{
    str address = hashivault_setting("VAULT_SERVER_URL", "VAULT_ADDR");

    if (!address.len)
        return error_new(
            ERROR_INVALID,
            "neither VAULT_SERVER_URL nor VAULT_ADDR environment variables are set; one of them "
            "has to be the address of the Vault server");
    while (str_ends_with(address, STR("/")))
        address.len--;
    *out = arena_copy(arena, address);
    return NULL;
}

static fallible hashivault_url(const struct key_use *use, const char *operation, str *out)
{
    static const char *const known[] = { "engine", NULL };
    str engine = cloud_url_parameter(&use->url, "engine"), address;
    str key = use->url.path.len ? arena_concat(use->arena, use->url.host, STR("/"), use->url.path)
                                : use->url.host;

    TRY(cloud_url_check(&use->url, known));
    if (!key.len)
        return error_new(ERROR_INVALID, "the URL names no key: expected hashivault://KEY");
    TRY(hashivault_address(use->arena, &address));
    *out =
        arena_concat(use->arena, address, STR("/v1/"),
                     percent_encode(use->arena, engine.len ? engine : STR("transit"), "/"),
                     STR("/"), str_from(operation), STR("/"), percent_encode(use->arena, key, "/"));
    return NULL;
}

/* The headers of a call; how many. */
static size_t hashivault_headers(struct arena *arena, str headers[4])
{
    str token = hashivault_setting("VAULT_SERVER_TOKEN", "VAULT_TOKEN");
    str space = settings_text("VAULT_NAMESPACE");
    size_t count = 0;

    headers[count++] = STR("X-Vault-Request: true");
    headers[count++] = STR("Content-Type: application/json");
    if (token.len)
        headers[count++] = arena_concat(arena, STR("X-Vault-Token: "), token);
    if (space.len)
        headers[count++] = arena_concat(arena, STR("X-Vault-Namespace: "), space);
    return count;
}

static struct error *hashivault_read_answer(struct json_reader *reader, void *answer)
{
    static const struct json_field fields[] = {
        JSON_FIELD("ciphertext", struct key_answer, ciphertext, json_field_string),
        JSON_FIELD("plaintext", struct key_answer, plaintext, json_field_string),
        { 0 },
    };
    return json_read_fields(reader, fields, answer);
}

static const struct json_field hashivault_answer[] = { { "data", hashivault_read_answer, 0 },
                                                       { 0 } };

static fallible hashivault_call(const struct key_use *use, const char *operation, str body,
                                struct key_answer *out)
{
    str headers[4];
    struct cloud_call call = {
        .who = "Vault",
        .method = STR("PUT"),
        .headers = headers,
        .header_count = hashivault_headers(use->arena, headers),
        .body = body,
        .trust = { .authorities = settings_text("VAULT_CACERT"),
                   .authorities_folder = settings_text("VAULT_CAPATH"),
                   .certificate = settings_text("VAULT_CLIENT_CERT"),
                   .key = settings_text("VAULT_CLIENT_KEY"),
                   .believes_anyone = settings_bool("VAULT_SKIP_VERIFY") },
        .hint = "is VAULT_TOKEN valid, and may it use the key?",
    };

    *out = (struct key_answer){ 0 };
    TRY(hashivault_url(use, operation, &call.url));
    return cloud_call_json(use->http, &call, use->arena, hashivault_answer, out);
}

static struct error *hashivault_seal(const struct key_use *use, struct secret plain, str *sealed)
{
    struct key_answer answer;
    struct secret body =
        secret_hide(key_service_body(use->arena, "plaintext", secret_reveal(plain)));
    struct error *failure = hashivault_call(use, "encrypt", secret_reveal(body), &answer);

    secret_clear(&body);
    TRY(failure);
    if (!answer.ciphertext.len)
        return error_new(ERROR_INVALID, "Vault answered without a ciphertext");
    *sealed = answer.ciphertext;
    return NULL;
}

static struct error *hashivault_unseal(const struct key_use *use, str sealed, struct secret *plain)
{
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct json_writer writer = { .out = &body };
    struct key_answer answer;

    json_begin_object(&writer);
    json_key(&writer, STR("ciphertext"));
    json_string(&writer, sealed);
    json_end_object(&writer);
    TRY(hashivault_call(use, "decrypt", strbuf_str(&body), &answer));
    return key_service_plain(use->arena, answer.plaintext, plain);
}

const struct key_service key_service_hashivault = {
    .scheme = "hashivault",
    .answer = hashivault_answer,
    .seal = hashivault_seal,
    .unseal = hashivault_unseal,
};
