/* key_azurekeyvault.c — azurekeyvault://VAULT.vault.azure.net/keys/NAME[/VERSION]: an RSA key in
 * Azure Key Vault. What it seals is kept as the text that the service writes, base64 for URLs;
 * older versions of the reference have kept the bytes. */
#include "secrets/key_service.h"

#include "base/base64.h"
#include "base/hex.h"
#include "cloud/azure_challenge.h"
#include "cloud/azure_credentials.h"

#define API_VERSION "2025-07-01"

/* The parts of the clouds of Azure in which vaults are, and whom their tokens are for. Elsewhere
 * the service is asked, which costs a request. */
static const char *const vault_domains[] = { "vault.azure.net", "vault.azure.cn",
                                             "vault.usgovcloudapi.net" };

/* HOST[/PATH]/keys/NAME[/VERSION], with a name like x.vault.y before keys. */
static bool azurekeyvault_is_key(str id)
{
    str vault, key, before, domain;

    if (!str_cut(id, STR("/keys/"), &vault, &key) || !key.len || str_ends_with(key, STR("/")))
        return false;
    size_t slashes = 0;
    for (size_t i = 0; i < key.len; i++)
        slashes += key.ptr[i] == '/';
    return slashes <= 1 && str_cut_last(vault, STR(".vault."), &before, &domain) && before.len
           && domain.len && str_find_char(domain, '/') == SIZE_MAX;
}

static fallible azurekeyvault_url(const struct key_use *use, const char *operation, str *out)
{
    static const char *const known[] = { "algorithm", NULL };
    str id = arena_concat(use->arena, use->url.host, STR("/"), use->url.path);

    TRY(cloud_url_check(&use->url, known));
    if (!azurekeyvault_is_key(id))
        return error_new(ERROR_INVALID,
                         "the URL names no key: expected "
                         "azurekeyvault://VAULT.vault.azure.net/keys/NAME[/VERSION]");
    *out = arena_concat(use->arena, STR("https://"), use->url.host, STR("/"),
                        percent_encode(use->arena, use->url.path, "/"), STR("/"),
                        str_from(operation), STR("?api-version=" API_VERSION));
    return NULL;
}

static str azurekeyvault_body(const struct key_use *use, str bytes)
{
    str algorithm = cloud_url_parameter(&use->url, "algorithm");
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_reserve(&text, bytes.len * 2 + algorithm.len * 6 + 64);
    strbuf_add(&text, STR("{\"alg\":"));
    json_format_string(&text, algorithm.len ? algorithm : STR("RSA-OAEP-256"), false);
    strbuf_add(&text, STR(",\"value\":\""));
    base64_encode_url(&text, bytes);
    strbuf_add(&text, STR("\"}"));
    str body = arena_copy(use->arena, strbuf_str(&text));
    explicit_bzero(text.ptr, text.len);
    return body;
}

/* Whom the token is for, by the name of the vault or by asking. */
static fallible azurekeyvault_resource(const struct key_use *use, const struct cloud_call *call,
                                       struct azure_challenge *out)
{
    struct http_response response;
    struct cloud_call question = *call;

    for (size_t i = 0; i < sizeof(vault_domains) / sizeof(*vault_domains); i++) {
        str domain = arena_concat(use->arena, STR("."), str_from(vault_domains[i]));
        if (!str_ends_with(use->url.host, domain))
            continue;
        *out = (struct azure_challenge){
            .resource = arena_concat(use->arena, STR("https://"), str_from(vault_domains[i])),
            .tenant = STR("organizations"),
        };
        return NULL;
    }
    question.body = STR("");
    TRY(cloud_call_send(use->http, &question, use->arena, &response));
    if (response.status != 401)
        return cloud_call_refusal(call, &response);
    return error_wrap(azure_challenge_parse(http_response_header(&response, "WWW-Authenticate"),
                                            use->url.host, out),
                      "%s", call->who);
}

/* Of both operations. */
static const struct json_field azurekeyvault_answer[] = {
    JSON_FIELD("value", struct key_answer, plaintext, json_field_string),
    { 0 },
};

static fallible azurekeyvault_send(const struct key_use *use, struct cloud_call *call, str *value)
{
    struct key_answer answer = { 0 };
    str headers[] = { STR("Content-Type: application/json"), STR("") };
    struct azure_challenge challenge;
    struct azure_credentials *credentials;

    call->headers = headers;
    call->header_count = 1;
    TRY(azurekeyvault_resource(use, call, &challenge));
    TRY(azure_credentials_open(use->http, challenge.resource, challenge.tenant, &credentials));
    struct error *failure = azure_credentials_header(credentials, use->arena, &headers[1]);
    call->header_count = 2;
    if (!failure)
        failure = cloud_call_json(use->http, call, use->arena, azurekeyvault_answer, &answer);
    *value = answer.plaintext;
    azure_credentials_close(credentials);
    return failure;
}

static fallible azurekeyvault_call(const struct key_use *use, const char *operation, str bytes,
                                   str *value)
{
    struct cloud_call call = {
        .who = "Azure Key Vault",
        .method = STR("POST"),
        .hint = "may the identity use the key (encrypt and decrypt)?",
    };
    struct secret body = secret_hide(azurekeyvault_body(use, bytes));

    *value = STR("");
    call.body = secret_reveal(body);
    TRY(azurekeyvault_url(use, operation, &call.url));
    struct error *failure = azurekeyvault_send(use, &call, value);
    secret_clear(&body);
    return failure;
}

static struct error *azurekeyvault_seal(const struct key_use *use, struct secret plain, str *sealed)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    str value;

    TRY(azurekeyvault_call(use, "encrypt", secret_reveal(plain), &value));
    if (!base64_decode_url(&bytes, value) || bytes.len == 0)
        return error_new(ERROR_INVALID, "Azure Key Vault answered without a ciphertext");
    *sealed = value;
    return NULL;
}

static struct error *azurekeyvault_unseal(const struct key_use *use, str sealed,
                                          struct secret *plain)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    CLEANUP(strbuf_release) struct strbuf opened = { 0 };
    str value;

    bool is_text = base64_decode_url(&bytes, sealed);
    TRY(azurekeyvault_call(use, "decrypt", is_text ? strbuf_str(&bytes) : sealed, &value));
    struct secret text = secret_hide(value);
    bool is_good = base64_decode_url(&opened, value);
    secret_clear(&text);
    if (!is_good || opened.len == 0)
        return error_new(ERROR_INVALID, "Azure Key Vault answered without a key");
    *plain = secret_hide(arena_copy(use->arena, strbuf_str(&opened)));
    explicit_bzero(opened.ptr, opened.len);
    return NULL;
}

const struct key_service key_service_azurekeyvault = {
    .scheme = "azurekeyvault",
    .answer = azurekeyvault_answer,
    .seal = azurekeyvault_seal,
    .unseal = azurekeyvault_unseal,
};
