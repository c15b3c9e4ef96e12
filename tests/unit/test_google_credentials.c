/* test_google_credentials.c — files of credentials, what is asked for a token with them, and how
 * long it serves. */
#include "unit/install_fixture.h"

#include "base/base64.h"
#include "base/clock.h"
#include "cloud/google_credentials.h"
#include "cloud/google_identity.h"
#include "http/http.h"

#include <openssl/evp.h>
#include <openssl/pem.h>

#define NOW ((int64_t)1800000000 * NS_PER_S)

static struct arena arena;
static struct server server;
static struct http_client *client;
static EVP_PKEY *key;

static int make_key(void **state)
{
    (void)state;
    key = EVP_RSA_gen(2048);
    return key ? 0 : -1;
}

static int free_key(void **state)
{
    (void)state;
    EVP_PKEY_free(key);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    unsetenv("GOOGLE_OAUTH_ACCESS_TOKEN");
    unsetenv("GOOGLE_APPLICATION_CREDENTIALS");
    unsetenv("GOOGLE_CREDENTIALS");
    unsetenv("GCE_METADATA_HOST");
    setenv("HOME", "/nonexistent", 1);
    client = http_client_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    clock_fake(0);
    http_client_free(client);
    arena_release(&arena);
    return 0;
}

/* --- helpers --- */

static str private_key_json(void)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    BIO *bytes = BIO_new(BIO_s_mem());
    char *pem;

    assert_int_equal(PEM_write_bio_PrivateKey(bytes, key, NULL, NULL, 0, NULL, NULL), 1);
    long len = BIO_get_mem_data(bytes, &pem);
    json_format_string(&text, (str){ pem, (size_t)len }, false);
    BIO_free(bytes);
    return arena_copy(&arena, strbuf_str(&text));
}

static str account(const char *more)
{
    return arena_concat(&arena,
                        STR("{\"type\":\"service_account\",\"client_email\":\"me@p\","
                            "\"private_key_id\":\"k1\",\"private_key\":"),
                        private_key_json(), STR(",\"token_uri\":\""),
                        server_url(&arena, &server, "/token"), STR("\""), str_from(more), STR("}"));
}

static str token_answer(const char *token, unsigned seconds)
{
    return answer_with(
        &arena, "200 OK",
        arena_printf(&arena, "{\"access_token\":\"%s\",\"expires_in\":%u}", token, seconds));
}

static struct google_credentials *open_with(str json)
{
    struct google_credentials *credentials = NULL;

    assert_int_equal(setenv("GOOGLE_CREDENTIALS", json.ptr, 1), 0);
    assert_ok(google_credentials_open(client, &credentials));
    return credentials;
}

static str first_header(struct google_credentials *credentials)
{
    str headers[GOOGLE_HEADERS];
    size_t count;

    assert_ok(google_credentials_headers(credentials, &arena, headers, &count));
    return headers[0];
}

static struct error *ask(struct google_credentials *credentials)
{
    str headers[GOOGLE_HEADERS];
    size_t count;

    return google_credentials_headers(credentials, &arena, headers, &count);
}

/* --- service accounts --- */

static void assert_signed(str assertion)
{
    CLEANUP(strbuf_release) struct strbuf signature = { 0 };
    str text, encoded;
    EVP_MD_CTX *digest = EVP_MD_CTX_new();

    assert_true(str_cut_last(assertion, STR("."), &text, &encoded));
    assert_true(base64_decode_url(&signature, encoded));
    assert_int_equal(EVP_DigestVerifyInit(digest, NULL, EVP_sha256(), NULL, key), 1);
    assert_int_equal(EVP_DigestVerify(digest, (const unsigned char *)signature.ptr, signature.len,
                                      (const unsigned char *)text.ptr, text.len),
                     1);
    EVP_MD_CTX_free(digest);
}

static str part_of(str assertion, int index)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    str part = STR("");

    for (int i = 0; i <= index; i++)
        assert_true(str_cut(assertion, STR("."), &part, &assertion));
    assert_true(base64_decode_url(&bytes, part));
    return arena_copy(&arena, strbuf_str(&bytes));
}

ON_LOOP(a_service_account_signs_what_it_claims)
{
    (void)unused;
    str answers[] = { token_answer("t1", 3600) }, before, assertion;

    clock_fake(NOW);
    server_open(&server, answers, 1);
    struct google_credentials *credentials = open_with(account(""));
    assert_str_equal(first_header(credentials), STR("Authorization: Bearer t1"));
    assert_true(str_find(server.last_request, STR("POST /token ")) == 0);
    assert_true(str_cut(server.last_request,
                        STR("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&"
                            "assertion="),
                        &before, &assertion));
    assert_signed(assertion);
    assert_str_equal(part_of(assertion, 0),
                     STR("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"k1\"}"));
    assert_str_equal(part_of(assertion, 1),
                     arena_concat(&arena,
                                  STR("{\"iss\":\"me@p\",\"scope\":"
                                      "\"https://www.googleapis.com/auth/cloud-platform\","
                                      "\"aud\":\""),
                                  server_url(&arena, &server, "/token"),
                                  STR("\",\"iat\":1800000000,\"exp\":1800003600}")));
    google_credentials_close(credentials);
    server_close(&server);
}

ON_LOOP(a_token_serves_until_shortly_before_its_end)
{
    (void)unused;
    str answers[] = { token_answer("t1", 3600), token_answer("t2", 3600),
                      token_answer("t3", 3600) };

    clock_fake(NOW);
    server_open(&server, answers, 3);
    struct google_credentials *credentials = open_with(account(""));
    assert_str_equal(first_header(credentials), STR("Authorization: Bearer t1"));
    clock_fake(NOW + (int64_t)3300 * NS_PER_S);
    assert_str_equal(first_header(credentials), STR("Authorization: Bearer t1"));
    clock_fake(NOW + (int64_t)3400 * NS_PER_S);
    assert_str_equal(first_header(credentials), STR("Authorization: Bearer t2"));
    /* Late news of a token that was replaced already mean nothing. */
    google_credentials_refused(credentials, STR("Authorization: Bearer t1"));
    assert_str_equal(first_header(credentials), STR("Authorization: Bearer t2"));
    google_credentials_refused(credentials, STR("Authorization: Bearer t2"));
    assert_str_equal(first_header(credentials), STR("Authorization: Bearer t3"));
    assert_int_equal(server.served, 3);
    google_credentials_close(credentials);
    server_close(&server);
}

struct crowd {
    struct google_credentials *credentials;
    struct work_group group;
};

static void ask_in_a_crowd(void *crowd_)
{
    struct crowd *crowd = crowd_;

    assert_str_equal(first_header(crowd->credentials), STR("Authorization: Bearer t1"));
    work_group_done(&crowd->group);
}

ON_LOOP(many_fibers_share_one_token)
{
    (void)unused;
    str answers[] = { token_answer("t1", 3600), token_answer("t2", 3600) };
    struct crowd crowd = { 0 };

    server_open(&server, answers, 2);
    crowd.credentials = open_with(account(""));
    work_group_add(&crowd.group, 10);
    for (int i = 0; i < 10; i++)
        fiber_spawn(ask_in_a_crowd, &crowd);
    work_group_wait_uncancelable(&crowd.group);
    assert_int_equal(server.served, 1);
    google_credentials_close(crowd.credentials);
    server_close(&server);
}

/* --- other types --- */

ON_LOOP(a_user_is_known_by_the_refresh_token)
{
    (void)unused;
    str answers[] = { token_answer("t1", 3600) };
    str headers[GOOGLE_HEADERS];
    size_t count;

    server_open(&server, answers, 1);
    struct google_credentials *credentials =
        open_with(arena_concat(&arena,
                               STR("{\"type\":\"authorized_user\",\"client_id\":\"i\","
                                   "\"client_secret\":\"s&s\",\"refresh_token\":\"r\","
                                   "\"quota_project_id\":\"pays\",\"token_uri\":\""),
                               server_url(&arena, &server, "/token"), STR("\"}")));
    assert_ok(google_credentials_headers(credentials, &arena, headers, &count));
    assert_int_equal(count, 2);
    assert_str_equal(headers[1], STR("X-Goog-User-Project: pays"));
    assert_true(str_ends_with(
        server.last_request,
        STR("\r\n\r\ngrant_type=refresh_token&client_id=i&client_secret=s%26s&refresh_token=r")));
    google_credentials_close(credentials);
    server_close(&server);
}

ON_LOOP(an_account_is_impersonated_with_the_token_of_another)
{
    (void)unused;
    str answers[] = { token_answer("t1", 3600),
                      answer_with(&arena, "200 OK",
                                  STR("{\"accessToken\":\"t2\","
                                      "\"expireTime\":\"2030-01-01T00:00:00Z\"}")) };

    server_open(&server, answers, 2);
    struct google_credentials *credentials = open_with(arena_concat(
        &arena,
        STR("{\"type\":\"impersonated_service_account\","
            "\"service_account_impersonation_url\":\""),
        server_url(&arena, &server, "/impersonate"),
        STR("\",\"delegates\":[\"d\"],\"source_credentials\":"), account(""), STR("}")));
    assert_str_equal(first_header(credentials), STR("Authorization: Bearer t2"));
    assert_true(str_find(server.last_request, STR("POST /impersonate ")) == 0);
    assert_true(str_find(server.last_request, STR("Authorization: Bearer t1\r\n")) != SIZE_MAX);
    assert_true(str_ends_with(server.last_request,
                              STR("{\"delegates\":[\"d\"],\"scope\":[\"https://www.googleapis.com/"
                                  "auth/cloud-platform\"],\"lifetime\":\"3600s\"}")));
    google_credentials_close(credentials);
    server_close(&server);
}

ON_LOOP(the_token_of_another_provider_is_exchanged)
{
    (void)unused;
    str answers[] = { answer_with(&arena, "200 OK", STR("{\"id\":\"subject\"}")),
                      token_answer("t1", 3600) };

    server_open(&server, answers, 2);
    struct google_credentials *credentials = open_with(
        arena_concat(&arena,
                     STR("{\"type\":\"external_account\",\"audience\":\"//iam/x\","
                         "\"subject_token_type\":\"jwt\",\"token_url\":\""),
                     server_url(&arena, &server, "/sts"),
                     STR("\",\"credential_source\":{\"headers\":{\"X-Own\":\"h\"},\"format\":"
                         "{\"type\":\"json\",\"subject_token_field_name\":\"id\"},\"url\":\""),
                     server_url(&arena, &server, "/id"), STR("\"}}")));
    assert_str_equal(first_header(credentials), STR("Authorization: Bearer t1"));
    assert_true(str_find(server.last_request, STR("POST /sts ")) == 0);
    assert_true(str_find(server.last_request, STR("&audience=%2F%2Fiam%2Fx&")) != SIZE_MAX);
    assert_true(
        str_ends_with(server.last_request, STR("&subject_token=subject&subject_token_type=jwt")));
    google_credentials_close(credentials);
    server_close(&server);
}

ON_LOOP(the_metadata_server_is_asked_last_and_must_be_googles)
{
    (void)unused;
    str body = STR("{\"access_token\":\"m\",\"expires_in\":3600}");
    str answers[] = {
        arena_printf(&arena,
                     "HTTP/1.1 200 OK\r\nMetadata-Flavor: Google\r\nContent-Length: %zu\r\n\r\n%s",
                     body.len, body.ptr),
        answer_with(&arena, "200 OK", body),
    };
    struct google_credentials *credentials;

    server_open(&server, answers, 2);
    str address = arena_printf(&arena, "127.0.0.1:%u", listener_port(server.listener));
    setenv("GCE_METADATA_HOST", address.ptr, 1);
    assert_ok(google_credentials_open(client, &credentials));
    assert_str_equal(first_header(credentials), STR("Authorization: Bearer m"));
    assert_true(str_find(server.last_request, STR("\r\nMetadata-Flavor: Google\r\n")) != SIZE_MAX);
    google_credentials_refused(credentials, STR("Authorization: Bearer m"));
    assert_fails(ask(credentials), ERROR_INVALID, "could not find default credentials");
    google_credentials_close(credentials);
    server_close(&server);
}

/* --- what can be wrong --- */

static void assert_answer_refused(const char *status, str body, const char *wanted)
{
    str answers[] = { answer_with(&arena, status, body) };

    server_open(&server, answers, 1);
    struct google_credentials *credentials = open_with(account(""));
    struct error *failure = ask(credentials);
    assert_non_null(failure);
    if (str_find(error_message(failure), str_from(wanted)) == SIZE_MAX)
        print_error("other error: " STR_FMT "\n", STR_ARG(error_message(failure)));
    assert_true(str_find(error_message(failure), str_from(wanted)) != SIZE_MAX);
    assert_true(str_find(error_message(failure), STR("PRIVATE KEY")) == SIZE_MAX);
    error_free(failure);
    google_credentials_close(credentials);
    server_close(&server);
}

ON_LOOP(a_strange_answer_is_no_token)
{
    (void)unused;
    assert_answer_refused("200 OK", STR("<html>Log in here</html>"), "it is a web page");
    assert_answer_refused("200 OK", STR("{}"), "the answer has no token");
    assert_answer_refused("200 OK", STR("{\"access_token\":\"a\\r\\nX: y\"}"),
                          "characters that no token has");
    assert_answer_refused("400 Bad", STR("{\"error\":\"invalid_grant\"}"),
                          "answered 400: invalid_grant");
    assert_answer_refused("401 No", STR("\x1b[31mno\nway"), "answered 401: [31mno way");
}

static void files_that_say_too_little_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *wanted;
    } cases[] = {
        { "{", "unexpected" },
        { "{}", "its type is ''" },
        { "{\"type\":\"service_account\"}", "a member that 'service_account' must have" },
        { "{\"type\":\"authorized_user\",\"client_id\":\"a\"}", "a member that" },
        { "{\"type\":\"external_account\",\"audience\":\"a\",\"subject_token_type\":\"b\","
          "\"token_url\":\"c\",\"credential_source\":{\"environment_id\":\"aws1\"}}",
          "neither a file nor a url" },
        { "{\"type\":\"impersonated_service_account\",\"service_account_impersonation_url\":\"u\"}",
          "no source_credentials" },
        { "{\"type\":\"impersonated_service_account\",\"service_account_impersonation_url\":\"u\","
          "\"source_credentials\":{\"type\":\"impersonated_service_account\"}}",
          "impersonate, too" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct google_identity identity;
        struct error *failure = google_identity_parse(&arena, str_from(cases[i].json), &identity);
        assert_non_null(failure);
        if (i > 0)
            assert_true(str_find(error_message(failure), str_from(cases[i].wanted)) != SIZE_MAX);
        error_free(failure);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_service_account_signs_what_it_claims),
        TEST(a_token_serves_until_shortly_before_its_end),
        TEST(many_fibers_share_one_token),
        TEST(a_user_is_known_by_the_refresh_token),
        TEST(an_account_is_impersonated_with_the_token_of_another),
        TEST(the_token_of_another_provider_is_exchanged),
        TEST(the_metadata_server_is_asked_last_and_must_be_googles),
        TEST(a_strange_answer_is_no_token),
        TEST(files_that_say_too_little_are_refused),
    };
    return cmocka_run_group_tests(tests, make_key, free_key);
}
