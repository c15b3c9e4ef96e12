/* key_gcpkms.c — gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K: a key of Google Cloud's
 * service of keys. */
#include "secrets/key_service.h"

#include "base/base64.h"
#include "base/hex.h"
#include "base/settings.h"
#include "cloud/google_credentials.h"

static bool gcpkms_is_name(str name)
{
    static const char *const kinds[] = { "projects", "locations", "keyRings", "cryptoKeys" };
    str kind, value;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (!str_cut(name, STR("/"), &kind, &name) || !str_equal(kind, str_from(kinds[i])))
            return false;
        value = name;
        bool has_more = str_cut(name, STR("/"), &value, &name);
        if (!value.len || has_more != (i < 3))
            return false;
    }
    return true;
}

/* The additional data of the URL, in JSON's base64; empty if there is none. */
static fallible gcpkms_additional_data(const struct key_use *use, str *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (!base64_decode_url(&bytes, cloud_url_parameter(&use->url, "additional_authenticated_data")))
        return error_new(ERROR_INVALID, "additional_authenticated_data is not base64 for URLs");
    base64_encode(&text, strbuf_str(&bytes));
    *out = arena_copy(use->arena, strbuf_str(&text));
    return NULL;
}

static fallible gcpkms_url(const struct key_use *use, const struct google_credentials *credentials,
                           const char *operation, str *out)
{
    static const char *const known[] = { "additional_authenticated_data", NULL };
    str name = arena_concat(use->arena, use->url.host, STR("/"), use->url.path);
    str base = settings_text("CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS");

    TRY(cloud_url_check(&use->url, known));
    if (!gcpkms_is_name(name))
        return error_new(ERROR_INVALID, "the URL names no key: expected "
                                        "gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K");
    if (!base.len)
        base = arena_concat(use->arena, STR("https://cloudkms."),
                            google_credentials_domain(credentials), STR("/"));
    *out = arena_concat(use->arena, base, str_ends_with(base, STR("/")) ? STR("") : STR("/"),
                        STR("v1/"), percent_encode(use->arena, name, "/"), STR(":"),
                        str_from(operation));
    return NULL;
}

static const struct json_field gcpkms_answer[] = {
    JSON_FIELD("ciphertext", struct key_answer, ciphertext, json_field_string),
    JSON_FIELD("plaintext", struct key_answer, plaintext, json_field_string),
    { 0 },
};

static fallible gcpkms_send(const struct key_use *use, struct google_credentials *credentials,
                            struct cloud_call *call, struct key_answer *out)
{
    str headers[GOOGLE_HEADERS + 1];
    size_t count;

    TRY(google_credentials_headers(credentials, use->arena, headers, &count));
    headers[count++] = STR("Content-Type: application/json");
    call->headers = headers;
    call->header_count = count;
    return cloud_call_json(use->http, call, use->arena, gcpkms_answer, out);
}

/* `bytes` under `key`: what is to be sealed or unsealed. */
static fallible gcpkms_call(const struct key_use *use, const char *operation, const char *key,
                            str bytes, struct key_answer *out)
{
    struct google_credentials *credentials;
    struct cloud_call call = {
        .who = "Google Cloud KMS",
        .method = STR("POST"),
        .hint = "are the credentials still valid, and may they use the key "
                "(roles/cloudkms.cryptoKeyEncrypterDecrypter)?",
    };
    str data;

    *out = (struct key_answer){ 0 };
    TRY(gcpkms_additional_data(use, &data));
    struct secret body = secret_hide(key_service_body(use->arena, key, bytes));
    if (data.len) {
        str whole = secret_reveal(body);
        str longer = arena_concat(use->arena, str_slice(whole, 0, whole.len - 1),
                                  STR(",\"additionalAuthenticatedData\":\""), data, STR("\"}"));
        secret_clear(&body);
        body = secret_hide(longer);
    }
    call.body = secret_reveal(body);
    TRY(google_credentials_open(use->http, &credentials));
    struct error *failure = gcpkms_url(use, credentials, operation, &call.url);
    if (!failure)
        failure = gcpkms_send(use, credentials, &call, out);
    google_credentials_close(credentials);
    secret_clear(&body);
    return failure;
}

static struct error *gcpkms_seal(const struct key_use *use, struct secret plain, str *sealed)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    struct key_answer answer;

    TRY(gcpkms_call(use, "encrypt", "plaintext", secret_reveal(plain), &answer));
    if (!base64_decode(&bytes, answer.ciphertext) || bytes.len == 0)
        return error_new(ERROR_INVALID, "Google Cloud KMS answered without a ciphertext");
    *sealed = arena_copy(use->arena, strbuf_str(&bytes));
    return NULL;
}

static struct error *gcpkms_unseal(const struct key_use *use, str sealed, struct secret *plain)
{
    struct key_answer answer;

    TRY(gcpkms_call(use, "decrypt", "ciphertext", sealed, &answer));
    return key_service_plain(use->arena, answer.plaintext, plain);
}

const struct key_service key_service_gcpkms = {
    .scheme = "gcpkms",
    .answer = gcpkms_answer,
    .seal = gcpkms_seal,
    .unseal = gcpkms_unseal,
};
