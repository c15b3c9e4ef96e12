/* fuzz_keys.c — URLs of keys, answers of key services and of services of tokens, files of
 * credentials, listings of Google's and Azure's stores; chosen by the first byte. What is found is
 * a part of the input or was decoded from it, and what is shown can be printed. */
#include "fuzz/fuzz_support.h"

#include "backend/store_azblob.h"
#include "backend/store_gs.h"
#include "base/base64.h"
#include "cloud/azure_challenge.h"
#include "cloud/cloud_call.h"
#include "cloud/cloud_token.h"
#include "cloud/cloud_url.h"
#include "cloud/google_identity.h"
#include "secrets/key_service.h"
#include "secrets/secrets.h"

static void try_key_url(struct arena *arena, str text)
{
    struct cloud_url url;

    str shown = cloud_url_show(arena, text);
    REQUIRE(str_find_char(shown, '?') == SIZE_MAX);
    if (!fuzz_accepts(cloud_url_parse(arena, text, &url)))
        return;
    REQUIRE(url.scheme.len > 0 && url.query.len <= text.len);
    REQUIRE(str_find_char(url.host, '/') == SIZE_MAX);
}

static void try_problem(struct arena *arena, str text)
{
    str line = cloud_problem(arena, text);

    REQUIRE(str_is_utf8(line));
    for (size_t i = 0; i < line.len; i++)
        REQUIRE((unsigned char)line.ptr[i] >= ' ' && line.ptr[i] != 0x7f);
}

static void try_token(struct arena *arena, str text)
{
    struct cloud_token_grant grant;

    if (!fuzz_accepts(cloud_token_parse(arena, text, &grant)))
        return;
    REQUIRE(grant.text.len > 0 && grant.expires >= 0);
    for (size_t i = 0; i < grant.text.len; i++)
        REQUIRE(grant.text.ptr[i] > ' ');
}

static void try_identity(struct arena *arena, str text)
{
    struct google_identity identity;

    if (fuzz_accepts(google_identity_parse(arena, text, &identity)))
        REQUIRE(identity.type.len > 0 && identity.token_uri.len > 0);
}

static void try_challenge(struct arena *arena, str text)
{
    struct azure_challenge challenge;

    (void)arena;
    if (fuzz_accepts(azure_challenge_parse(text, STR("v.vault.azure.net"), &challenge)))
        REQUIRE(str_equal(challenge.resource, STR("https://vault.azure.net"))
                || str_starts_with(challenge.resource, STR("https://")));
}

static void try_listings(struct arena *arena, str text)
{
    struct store_page azblob;
    struct store_page gs;

    if (fuzz_accepts(gs_page_parse(arena, text, &gs)))
        for (size_t i = 0; i < gs.objects.len; i++)
            REQUIRE(gs.objects.items[i].key.len > 0);
    if (fuzz_accepts(azblob_page_parse(arena, text, &azblob)))
        for (size_t i = 0; i < azblob.objects.len; i++)
            REQUIRE(azblob.objects.items[i].key.len > 0);
}

static void try_connection(struct arena *arena, str text)
{
    struct azblob_options options = { 0 };

    if (fuzz_accepts(azblob_connection_parse(arena, text, &options)))
        REQUIRE(options.service.len > 0 && (options.key.hidden_len > 0 || options.token.len > 0));
}

static void try_container(struct arena *arena, str text)
{
    struct azblob_options options = { 0 };
    const struct object_store_options given = { .url =
                                                    arena_concat(arena, STR("azblob://"), text) };

    if (fuzz_accepts(azblob_url_parse(arena, &given, &options)))
        REQUIRE(options.container.len > 0 && options.service.len > 0
                && (options.prefix.len == 0 || str_ends_with(options.prefix, STR("/"))));
}

static void try_base64(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf encoded = { 0 };
    CLEANUP(strbuf_release) struct strbuf decoded = { 0 };

    (void)arena;
    bool is_text = base64_decode_url(&decoded, text);
    REQUIRE(!is_text || decoded.len <= text.len);
    strbuf_clear(&decoded);
    base64_encode_url(&encoded, text);
    REQUIRE(base64_decode_url(&decoded, strbuf_str(&encoded)));
    REQUIRE(str_equal(strbuf_str(&decoded), text));
}

static void try_state(struct arena *arena, str text)
{
    const struct passphrase_source source = { 0 };
    struct keyring *keyring = keyring_open(&source);
    struct secrets *secrets;

    (void)arena;
    if (fuzz_accepts(secrets_open(keyring, STR("cloud"), text, &secrets))) {
        struct secrets_names names = secrets_names(secrets);
        struct secrets *again;
        REQUIRE(str_equal(secrets_state(secrets), text));
        REQUIRE(secrets_is_key_service(names.provider));
        REQUIRE(fuzz_accepts(secrets_open_config(keyring, &names, &again)));
        secrets_close(again);
        secrets_close(secrets);
    }
    keyring_close(keyring);
}

/* The first byte chooses the service. What it answers with a key is base64 of it. */
static void try_key_answer(struct arena *arena, str text)
{
    static const str urls[] = { STR_INIT("awskms://k"), STR_INIT("gcpkms://k"),
                                STR_INIT("azurekeyvault://k"), STR_INIT("hashivault://k") };
    const struct key_service *service = key_service_find(urls[fuzz_choice(&text, 4)]);
    const struct cloud_call call = { .who = "Keys", .url = STR("https://keys/k") };
    const struct http_response good = { .status = 200, .body = arena_copy(arena, text) };
    const struct http_response bad = { .status = 403, .body = text };
    struct key_answer answer = { 0 };
    struct secret plain;

    REQUIRE(!fuzz_accepts(cloud_call_refusal(&call, &bad)));
    if (!fuzz_accepts(cloud_call_read(&call, &good, arena, service->answer, &answer)))
        return;
    str text_of_key = arena_copy(arena, answer.plaintext);
    if (fuzz_accepts(key_service_plain(arena, answer.plaintext, &plain)))
        REQUIRE(plain.hidden_len > 0 && plain.hidden_len < text_of_key.len);
    for (size_t i = 0; i < answer.plaintext.len; i++)
        REQUIRE(answer.plaintext.ptr[i] == '\0'); /* it is not left lying */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct {
        char choice;
        void (*attempt)(struct arena *arena, str text);
    } parts[] = {
        { 'u', try_key_url },    { 'p', try_problem },    { 't', try_token },
        { 'i', try_identity },   { 'c', try_challenge },  { 'l', try_listings },
        { 'n', try_connection }, { 'b', try_base64 },     { 's', try_state },
        { 'z', try_container },  { 'k', try_key_answer },
    };
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = { (const char *)data + 1, size ? size - 1 : 0 };

    for (size_t i = 0; size > 0 && i < sizeof(parts) / sizeof(*parts); i++)
        if (data[0] == (uint8_t)parts[i].choice)
            parts[i].attempt(&arena, text);
    return 0;
}
