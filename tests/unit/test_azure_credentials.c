/* test_azure_credentials.c — the chain of credentials for Azure, signatures of its storage, and
 * what its services say. */
#include "unit/install_fixture.h"

#include "backend/store_azblob.h"
#include "base/base64.h"
#include "base/hash.h"
#include "cloud/azure_challenge.h"
#include "cloud/azure_credentials.h"
#include "cloud/azure_sign.h"
#include "cloud/cloud_call.h"
#include "cloud/cloud_url.h"
#include "http/http.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <unistd.h>

static struct arena arena;
static struct server server;
static struct http_client *client;

static int set_up(void **state)
{
    static const char *const names[] = { "AZURE_TENANT_ID",
                                         "AZURE_CLIENT_ID",
                                         "AZURE_CLIENT_SECRET",
                                         "AZURE_CLIENT_CERTIFICATE_PATH",
                                         "AZURE_FEDERATED_TOKEN_FILE",
                                         "AZURE_AUTHORITY_HOST",
                                         "IDENTITY_ENDPOINT",
                                         "IDENTITY_HEADER" };
    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        unsetenv(names[i]);
    setenv("AZURE_TOKEN_CREDENTIALS", "prod", 1);
    client = http_client_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    http_client_free(client);
    arena_release(&arena);
    return 0;
}

static const str good[] = {
    STR_INIT("HTTP/1.1 200 OK\r\nContent-Length: 41\r\n\r\n"
             "{\"access_token\":\"at\",\"expires_in\":\"3599\"}"),
};

static struct error *ask(str *header)
{
    struct azure_credentials *credentials;

    TRY(azure_credentials_open(client, STR("https://vault.azure.net/"), STR("organizations"),
                               &credentials));
    struct error *failure = azure_credentials_header(credentials, &arena, header);
    azure_credentials_close(credentials);
    return failure;
}

static void open_authority(const str *answers, size_t count)
{
    server_open(&server, answers, count);
    setenv("AZURE_AUTHORITY_HOST", server_url(&arena, &server, "/").ptr, 1);
    setenv("AZURE_TENANT_ID", "tn", 1);
    setenv("AZURE_CLIENT_ID", "cl", 1);
}

ON_LOOP(a_secret_of_the_environment_comes_first)
{
    (void)unused;
    str header;

    open_authority(good, 1);
    setenv("AZURE_CLIENT_SECRET", "se+cret", 1);
    assert_ok(ask(&header));
    assert_str_equal(header, STR("Authorization: Bearer at"));
    assert_true(str_find(server.last_request, STR("POST /tn/oauth2/v2.0/token ")) == 0);
    assert_true(
        str_ends_with(server.last_request, STR("\r\n\r\ngrant_type=client_credentials&client_id=cl&"
                                               "client_secret=se%2Bcret&"
                                               "scope=https%3A%2F%2Fvault.azure.net%2F.default")));
    server_close(&server);
}

/* Key and certificate in one file; gives the digest that names the certificate. */
static str write_certificate(const char *path)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    EVP_PKEY *key = EVP_RSA_gen(2048);
    X509 *certificate = X509_new();
    unsigned char digest[SHA1_SIZE], *der = NULL;
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
    assert_int_equal(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL), 1);
    assert_int_equal(PEM_write_X509(file, certificate), 1);
    fclose(file);
    int len = i2d_X509(certificate, &der);
    hash_sha1((str){ (const char *)der, (size_t)len }, digest);
    base64_encode_url(&text, (str){ (const char *)digest, sizeof(digest) });
    OPENSSL_free(der);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return arena_copy(&arena, strbuf_str(&text));
}

ON_LOOP(a_certificate_signs_a_claim)
{
    (void)unused;
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    char path[] = "/tmp/azure-test-XXXXXX";
    str header, before, assertion, rest;

    close(mkstemp(path));
    str thumbprint = write_certificate(path);
    open_authority(good, 1);
    setenv("AZURE_CLIENT_CERTIFICATE_PATH", path, 1);
    assert_ok(ask(&header));
    assert_true(str_cut(server.last_request, STR("&client_assertion="), &before, &assertion));
    assert_true(str_cut(assertion, STR("."), &assertion, &rest));
    assert_true(base64_decode_url(&bytes, assertion));
    assert_str_equal(strbuf_str(&bytes),
                     arena_concat(&arena, STR("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"x5t\":\""),
                                  thumbprint, STR("\"}")));
    server_close(&server);
    unlink(path);
}

ON_LOOP(a_workload_has_a_token_in_a_file)
{
    (void)unused;
    char path[] = "/tmp/azure-test-XXXXXX";
    str header;

    close(mkstemp(path));
    assert_ok(fs_replace(str_from(path), STR("federated\n"), 0600));
    open_authority(good, 1);
    setenv("AZURE_FEDERATED_TOKEN_FILE", path, 1);
    assert_ok(ask(&header));
    assert_true(str_find(server.last_request, STR("&client_assertion=federated&scope="))
                != SIZE_MAX);
    server_close(&server);
    unlink(path);
}

ON_LOOP(a_machine_has_an_identity)
{
    (void)unused;
    str header;

    server_open(&server, good, 1);
    setenv("IDENTITY_ENDPOINT", server_url(&arena, &server, "/msi").ptr, 1);
    setenv("IDENTITY_HEADER", "ih", 1);
    assert_ok(ask(&header));
    assert_true(str_find(server.last_request, STR("GET /msi?api-version=2019-08-01&"
                                                  "resource=https%3A%2F%2Fvault.azure.net HTTP"))
                == 0);
    assert_true(str_find(server.last_request, STR("\r\nX-IDENTITY-HEADER: ih\r\n")) != SIZE_MAX);
    server_close(&server);
}

ON_LOOP(who_is_refused_is_not_somebody_else)
{
    (void)unused;
    const str answers[] = { answer_with(
        &arena, "401 Unauthorized",
        STR("{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000215: Invalid client "
            "secret provided.\\r\\nTrace ID: 1\"}")) };
    str header;

    open_authority(answers, 1);
    setenv("AZURE_CLIENT_SECRET", "hushhush", 1);
    struct error *failure = ask(&header);
    assert_non_null(failure);
    assert_true(str_find(error_message(failure), STR("hushhush")) == SIZE_MAX);
    assert_fails(failure, ERROR_INVALID,
                 "answered 401: AADSTS7000215: Invalid client secret provided. Trace ID: 1; check "
                 "AZURE_TENANT_ID");
    assert_int_equal(server.served, 1);
    server_close(&server);
}

/* --- challenges --- */

static void a_challenge_names_the_token(void **state)
{
    (void)state;
    struct azure_challenge challenge;

    assert_ok(azure_challenge_parse(STR("Bearer authorization=\"https://login.x/tenant1/\", "
                                        "resource=\"https://vault.azure.net\""),
                                    STR("v.vault.azure.net"), &challenge));
    assert_str_equal(challenge.resource, STR("https://vault.azure.net"));
    assert_str_equal(challenge.tenant, STR("tenant1"));
    assert_ok(azure_challenge_parse(STR("Bearer authorization_uri=https://login.x/t, "
                                        "scope=https://vault.azure.net/.default"),
                                    STR("v.vault.azure.net"), &challenge));
    assert_str_equal(challenge.resource, STR("https://vault.azure.net"));
    assert_str_equal(challenge.tenant, STR("t"));
    assert_fails(azure_challenge_parse(STR("Bearer resource=\"https://management.azure.com\""),
                                       STR("v.vault.azure.net"), &challenge),
                 ERROR_INVALID, "does not belong");
    assert_fails(azure_challenge_parse(STR("Bearer resource=\"https://ault.azure.net\""),
                                       STR("v.vault.azure.net"), &challenge),
                 ERROR_INVALID, "does not belong");
    assert_fails(azure_challenge_parse(STR("Bearer resource=\"http://vault.azure.net\""),
                                       STR("v.vault.azure.net"), &challenge),
                 ERROR_INVALID, "does not say which token");
    assert_fails(azure_challenge_parse(STR(""), STR("v.vault.azure.net"), &challenge),
                 ERROR_INVALID, "does not say which token");
}

/* --- storage --- */

/* Computed by another program, whose signatures a server accepts. */
static void signatures_are_those_that_azure_accepts(void **state)
{
    (void)state;
    const struct pair query[] = { { STR_INIT("restype"), STR_INIT("container") },
                                  { STR_INIT("comp"), STR_INIT("list") },
                                  { STR_INIT("prefix"), STR_INIT("a b/") } };
    const struct pair headers[] = {
        { STR_INIT("x-ms-version"), STR_INIT("2021-12-02") },
        { STR_INIT("x-ms-date"), STR_INIT("Sun, 06 Nov 1994 08:49:37 GMT") },
        { STR_INIT("content-type"), STR_INIT("text/plain") },
        { STR_INIT("x-ms-blob-type"), STR_INIT("BlockBlob") },
        { STR_INIT("if-match"), STR_INIT("\"0x1\"") },
    };
    const struct azure_request list = {
        STR("GET"), STR("/acc/box"), { query, 3 }, { headers, 2 }, 0
    };
    const struct azure_request write = {
        STR("PUT"), STR("/acc/box/a%20b"), { NULL, 0 }, { headers, 5 }, 5
    };
    str header;

    assert_ok(azure_sign(&arena, &list, STR("acc"), secret_hide(STR("a2V5")), &header));
    assert_str_equal(header, STR("Authorization: SharedKey "
                                 "acc:U23CBGtKJR1otWPj3CIHp2etd23434gLvtg24LEDGw0="));
    assert_ok(azure_sign(&arena, &write, STR("acc"), secret_hide(STR("a2V5")), &header));
    assert_str_equal(header, STR("Authorization: SharedKey "
                                 "acc:Jn9gk84YEFnqx2n5Yx3CXFQgWs+MRVAP6A21U5wcZpc="));
    assert_fails(azure_sign(&arena, &write, STR("acc"), secret_hide(STR("%")), &header),
                 ERROR_INVALID, "not base64");
}

static void connection_strings_name_server_and_key(void **state)
{
    (void)state;
    struct azblob_options options = { 0 };

    assert_ok(azblob_connection_parse(
        &arena, STR("DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=a2V5==;"),
        &options));
    assert_str_equal(options.service, STR("https://acc.blob.core.windows.net"));
    assert_str_equal(secret_reveal(options.key), STR("a2V5=="));
    options = (struct azblob_options){ 0 };
    assert_ok(azblob_connection_parse(
        &arena, STR("BlobEndpoint=https://own.example/;SharedAccessSignature=sv=1&sig=a%2Bb"),
        &options));
    assert_str_equal(options.service, STR("https://own.example"));
    assert_str_equal(*pairs_find(options.token, STR("sig")), STR("a+b"));
    assert_ok(azblob_connection_parse(&arena, STR("UseDevelopmentStorage=true"), &options));
    assert_str_equal(options.account, STR("devstoreaccount1"));
    assert_fails(azblob_connection_parse(&arena, STR("AccountName=acc"), &options), ERROR_INVALID,
                 "neither AccountName and AccountKey");
    assert_fails(azblob_connection_parse(&arena, STR("hushhush"), &options), ERROR_INVALID,
                 "not of the form");
}

static void urls_of_containers_name_their_server(void **state)
{
    (void)state;
    static const struct {
        const char *url, *service;
    } cases[] = {
        { "azblob://box", "https://acc.blob.core.windows.net" },
        { "azblob://box?storage_account=own", "https://own.blob.core.windows.net" },
        { "azblob://box?domain=blob.core.chinacloudapi.cn",
          "https://acc.blob.core.chinacloudapi.cn" },
        { "azblob://box?domain=cdn.example&cdn=true", "https://cdn.example" },
        { "azblob://box?domain=emu:1&localemu=true&protocol=http", "http://emu:1/acc" },
        { "azblob://box?domain=localhost:1&protocol=http", "http://localhost:1/acc" },
    };
    struct azblob_options options;

    setenv("AZURE_STORAGE_ACCOUNT", "acc", 1);
    setenv("AZURE_STORAGE_KEY", "a2V5", 1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct object_store_options given = { .url = str_from(cases[i].url) };
        assert_ok(azblob_url_parse(&arena, &given, &options));
        assert_str_equal(options.service, str_from(cases[i].service));
    }
    const struct object_store_options bad = { .url = STR_INIT("azblob://box?protocol=ftp") };
    assert_fails(azblob_url_parse(&arena, &bad, &options), ERROR_INVALID, "expected http or https");
    unsetenv("AZURE_STORAGE_ACCOUNT");
    unsetenv("AZURE_STORAGE_KEY");
}

/* --- what services say --- */

static void problems_of_all_shapes_become_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *body, *wanted;
    } cases[] = {
        { "{\"errors\":[\"permission denied\",\"and more\"]}", "permission denied" },
        { "{\"error\":{\"code\":403,\"message\":\"no\",\"status\":\"X\"}}", "no" },
        { "{\"error\":\"invalid_grant\",\"error_description\":\"expired\"}", "expired" },
        { "{\"__type\":\"AccessDenied\"}", "AccessDenied" },
        { "{\"__type\":\"A\",\"message\":\"why\"}", "why" },
        { "<?xml version=\"1.0\"?><Error><Code>C</Code><Message>bad &amp; ugly</Message></Error>",
          "bad & ugly" },
        { "<!DOCTYPE HTML><html>", "the answer is a web page; is the address right?" },
        { "plain\n\twords\x07 here", "plain words here" },
        { "", "" },
        { "{\"message\":", "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_str_equal(cloud_problem(&arena, str_from(cases[i].body)), str_from(cases[i].wanted));
}

static void urls_of_keys_have_parts(void **state)
{
    (void)state;
    static const char *const known[] = { "region", "context_*", NULL };
    struct cloud_url url;

    assert_ok(
        cloud_url_parse(&arena, STR("awskms:///arn:aws:kms:k/1?region=a+b&context_x=%26"), &url));
    assert_str_equal(url.host, STR(""));
    assert_str_equal(url.path, STR("arn:aws:kms:k/1"));
    assert_str_equal(cloud_url_parameter(&url, "region"), STR("a b"));
    assert_str_equal(cloud_url_parameter(&url, "context_x"), STR("&"));
    assert_ok(cloud_url_check(&url, known));
    assert_fails(cloud_url_check(&url, known + 1), ERROR_INVALID,
                 "unknown query parameter \"region\"");
    assert_fails(cloud_url_parse(&arena, STR("awskms://k?a=%zz"), &url), ERROR_INVALID,
                 "invalid URL escape");
    assert_fails(cloud_url_parse(&arena, STR("awskms"), &url), ERROR_INVALID, "no URL of a key");
    assert_str_equal(cloud_url_show(&arena, STR("x://u:pw@h/p?sig=hush")), STR("x://h/p"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_secret_of_the_environment_comes_first),
        TEST(a_certificate_signs_a_claim),
        TEST(a_workload_has_a_token_in_a_file),
        TEST(a_machine_has_an_identity),
        TEST(who_is_refused_is_not_somebody_else),
        TEST(a_challenge_names_the_token),
        TEST(signatures_are_those_that_azure_accepts),
        TEST(connection_strings_name_server_and_key),
        TEST(urls_of_containers_name_their_server),
        TEST(problems_of_all_shapes_become_one_line),
        TEST(urls_of_keys_have_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
