/* test_http.c — downloads in the clear: lengths, chunks, redirects, and servers that misbehave. */
#include "unit/install_fixture.h"

#include "http/http.h"
#include "http/http_message.h"
#include "http/http_url.h"

#include <unistd.h>

static struct arena arena;
static struct server server;
static int file = -1;

static int set_up(void **state)
{
    (void)state;
    char path[] = "/tmp/http-test-XXXXXX";
    file = mkstemp(path);
    assert_true(file >= 0);
    unlink(path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    close(file);
    arena_release(&arena);
    return 0;
}

static struct error *fetch(const char *path, int *status)
{
    const struct http_request request = {
        .url = server_url(&arena, &server, path),
        .body_fd = file,
        .body_limit = 1000,
        .patience_ms = 100,
    };
    return http_get(&request, status);
}

static str body(void)
{
    char *text = arena_alloc(&arena, 2000);
    ssize_t len = pread(file, text, 2000, 0);
    return (str){ text, (size_t)len };
}

static void assert_answered(str answer, int wanted_status, str wanted_body)
{
    int status;

    server_open(&server, &answer, 1);
    assert_ok(fetch("/x", &status));
    server_close(&server);
    assert_int_equal(status, wanted_status);
    assert_str_equal(body(), wanted_body);
}

ON_LOOP(a_body_has_the_length_that_was_announced)
{
    (void)unused;
    assert_answered(STR("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"), 200, STR("hello"));
    assert_answered(STR("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more"), 200,
                    STR("hello"));
    assert_answered(STR("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), 200, STR(""));
}

ON_LOOP(a_body_without_a_length_ends_with_the_connection)
{
    (void)unused;
    assert_answered(STR("HTTP/1.0 200 OK\r\n\r\nhello"), 200, STR("hello"));
}

ON_LOOP(chunks_are_put_together)
{
    (void)unused;
    assert_answered(STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nTrailer: 1\r\n\r\n"),
                    200, STR("hello world"));
}

ON_LOOP(interim_answers_are_passed_over)
{
    (void)unused;
    assert_answered(
        STR("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), 200,
        STR("ok"));
}

ON_LOOP(the_body_of_a_refusal_is_not_written)
{
    (void)unused;
    assert_answered(STR("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope"), 404, STR(""));
}

static void assert_refused(str answer, enum error_kind kind)
{
    int status;

    server_open(&server, &answer, 1);
    struct error *failure = fetch("/x", &status);
    server_close(&server);
    assert_non_null(failure);
    assert_int_equal(error_kind(failure), kind);
    error_free(failure);
}

ON_LOOP(an_answer_that_is_cut_off_fails)
{
    (void)unused;
    assert_refused(STR("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"), ERROR_OTHER);
    assert_refused(STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"),
                   ERROR_OTHER);
    assert_refused(STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
                   ERROR_OTHER);
    assert_refused(STR("HTTP/1.1 200 OK\r\nConte"), ERROR_OTHER);
    assert_refused(STR(""), ERROR_OTHER);
}

ON_LOOP(an_answer_that_is_not_http_fails)
{
    (void)unused;
    assert_refused(STR("SSH-2.0-OpenSSH\r\n\r\n"), ERROR_OTHER);
    assert_refused(STR("HTTP/1.1 abc\r\n\r\n"), ERROR_OTHER);
    assert_refused(STR("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), ERROR_OTHER);
    assert_refused(STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
                   ERROR_OTHER);
    assert_refused(
        STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n"),
        ERROR_OTHER);
}

ON_LOOP(a_body_beyond_the_limit_is_refused)
{
    (void)unused;
    CLEANUP(strbuf_release) struct strbuf long_body = { 0 };
    strbuf_add_repeated(&long_body, 'x', 1001);
    assert_refused(answer_with(&arena, "200 OK", strbuf_str(&long_body)), ERROR_INVALID);
}

ON_LOOP(a_server_that_says_nothing_is_given_up)
{
    int status;

    (void)unused;
    server_open(&server, NULL, 0);
    server.hangs = true;
    assert_fails(fetch("/x", &status), ERROR_TIMEOUT, "nothing came");
    server_close(&server);
}

ON_LOOP(redirects_are_followed)
{
    const str answers[] = { STR("HTTP/1.1 302 Found\r\nLocation: /other?a=b\r\n\r\n"),
                            STR("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") };
    int status;

    (void)unused;
    server_open(&server, answers, 2);
    assert_ok(fetch("/x", &status));
    assert_true(str_starts_with(server.last_request, STR("GET /other?a=b HTTP/1.1\r\n")));
    assert_true(str_find(server.last_request, STR("User-Agent: pulumi-cli/1 (")) != SIZE_MAX);
    server_close(&server);
    assert_str_equal(body(), STR("ok"));
}

ON_LOOP(redirects_in_a_circle_end)
{
    const str answer = STR("HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n");
    int status;

    (void)unused;
    server_open(&server, &answer, 1);
    assert_fails(fetch("/x", &status), ERROR_INVALID, "more than 10 redirects");
    server_close(&server);
}

static void follow_canceled(void *ended)
{
    int status;
    assert_fails(fetch("/x", &status), ERROR_CANCELED, "");
    latch_open(ended);
}

ON_LOOP(cancellation_ends_a_download)
{
    struct latch ended = { 0 };
    struct cancel *scope = cancel_open(NULL);

    (void)unused;
    server_open(&server, NULL, 0);
    server.hangs = true;
    fiber_spawn_in(scope, follow_canceled, &ended);
    assert_ok(fiber_sleep_ms(20));
    cancel_fire(scope);
    latch_wait_uncancelable(&ended);
    server_close(&server);
    cancel_close(scope);
}

ON_LOOP(nobody_listening_may_change)
{
    const struct http_request request = { .url = STR("http://127.0.0.1:1/"), .body_fd = file };
    int status;

    (void)unused;
    assert_fails(http_get(&request, &status), ERROR_OTHER, "Connection refused");
}

static void urls_are_taken_apart(void **state)
{
    struct http_url url;

    (void)state;
    assert_ok(http_url_parse(STR("https://user:pw@example.com:8443/a/b?c#d"), &url));
    assert_true(url.is_https && url.has_credentials);
    assert_str_equal(url.host, STR("example.com"));
    assert_str_equal(url.authority, STR("example.com:8443"));
    assert_str_equal(url.target, STR("/a/b?c"));
    assert_int_equal(url.port, 8443);
    assert_ok(http_url_parse(STR("http://[::1]/"), &url));
    assert_str_equal(url.host, STR("::1"));
    assert_int_equal(url.port, 80);
    assert_fails(http_url_parse(STR("ftp://x/"), &url), ERROR_INVALID,
                 "neither http:// nor https://");
    assert_fails(http_url_parse(STR("http://x/a b"), &url), ERROR_INVALID, "blank");
    assert_fails(http_url_parse(STR("http://x/\r\nHost: y"), &url), ERROR_INVALID, "control");
    assert_fails(http_url_parse(STR("http://:80/"), &url), ERROR_INVALID, "host");
    assert_fails(http_url_parse(STR("http://x:99999/"), &url), ERROR_INVALID, "port");
    assert_fails(http_url_parse(STR("http://[::1/"), &url), ERROR_INVALID, "host");
}

static void locations_are_seen_from_their_page(void **state)
{
    static const char *const cases[][2] = {
        { "http://b/x", "http://b/x" },
        { "//b/x", "http://b/x" } /* the same scheme */,
        { "/x", "http://a:1/x" },
        { "x", "http://a:1/p/x" },
    };
    str url;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_ok(
            http_url_resolve(&arena, STR("http://a:1/p/q?r=/s"), str_from(cases[i][0]), &url));
        assert_str_equal(url, str_from(cases[i][1]));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_body_has_the_length_that_was_announced),
        TEST(a_body_without_a_length_ends_with_the_connection),
        TEST(chunks_are_put_together),
        TEST(interim_answers_are_passed_over),
        TEST(the_body_of_a_refusal_is_not_written),
        TEST(an_answer_that_is_cut_off_fails),
        TEST(an_answer_that_is_not_http_fails),
        TEST(a_body_beyond_the_limit_is_refused),
        TEST(a_server_that_says_nothing_is_given_up),
        TEST(redirects_are_followed),
        TEST(redirects_in_a_circle_end),
        TEST(cancellation_ends_a_download),
        TEST(nobody_listening_may_change),
        TEST(urls_are_taken_apart),
        TEST(locations_are_seen_from_their_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
