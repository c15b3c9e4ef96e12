/* test_http.c — requests and answers: bodies both ways, redirects, attempts, and servers that
 * misbehave. */
#include "unit/install_fixture.h"

#include "base/clock.h"
#include "fiber/offload.h"
#include "fiber/signals.h"
#include "http/http.h"
#include "http/http_headers.h"
#include "http/http_url.h"

#include <signal.h>
#include <unistd.h>

static struct arena arena;
static struct server server;
static struct http_client *client;
static int file = -1;

static int set_up(void **state)
{
    (void)state;
    char path[] = "/tmp/http-test-XXXXXX";
    file = mkstemp(path);
    assert_true(file >= 0);
    unlink(path);
    client = http_client_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    close(file);
    http_client_free(client);
    arena_release(&arena);
    return 0;
}

static struct error *send_to(struct http_request *request, const char *path,
                             struct http_response *response)
{
    request->url = server_url(&arena, &server, path);
    return http_send(client, request, &arena, response);
}

static struct error *fetch(const char *path, int *status)
{
    struct http_request request = { .sink = { .kind = HTTP_TO_FILE, .fd = file, .limit = 1000 },
                                    .idle_ms = 200 };
    struct http_response response;
    struct error *failure = send_to(&request, path, &response);

    *status = response.status;
    return failure;
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

/* Much more than the reason of a refusal is not read: it might have no end, as it has none here. */
static str endless_answer(struct strbuf *out, const char *head)
{
    strbuf_printf(out, "HTTP/1.1 %s\r\nContent-Length: 9999999999\r\n\r\nwhy: ", head);
    strbuf_add_repeated(out, 'x', 1 << 20);
    return strbuf_str(out);
}

ON_LOOP(a_refusal_that_does_not_end_is_enough_as_it_is)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const str answer = endless_answer(&text, "403 Forbidden");
    struct http_request request = { 0 };
    struct http_response response;

    (void)unused;
    server_open(&server, &answer, 1);
    assert_ok(send_to(&request, "/x", &response));
    server_close(&server);
    assert_int_equal(response.status, 403);
    assert_true(str_starts_with(response.body, STR("why: xxx")));
    assert_int_equal(response.body.len, 64 * 1024);
}

ON_LOOP(a_redirect_that_does_not_end_is_followed)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const str answers[] = { endless_answer(&text, "302 Found\r\nLocation: /y"),
                            STR("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") };
    int status;

    (void)unused;
    server_open(&server, answers, 2);
    assert_ok(fetch("/x", &status));
    server_close(&server);
    assert_int_equal(status, 200);
    assert_str_equal(body(), STR("ok"));
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
    const struct http_request request = { .url = STR("http://127.0.0.1:1/?sig=secret") };
    struct http_response response;

    (void)unused;
    struct error *failure = http_send(client, &request, &arena, &response);
    assert_true(http_may_pass(failure));
    assert_true(str_find(error_message(failure), STR("secret")) == SIZE_MAX);
    assert_fails(failure, ERROR_OTHER, "Connection refused");
}

/* --- requests --- */

static const str good_answer = STR_INIT("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

static str assert_sent(struct http_request *request, const char *wanted_start,
                       const char *wanted_end)
{
    struct http_response response;

    server_open(&server, &good_answer, 1);
    assert_ok(send_to(request, "/a?b=c", &response));
    assert_true(str_starts_with(server.last_request, str_from(wanted_start)));
    assert_true(str_ends_with(server.last_request, str_from(wanted_end)));
    assert_str_equal(response.body, str_equal(request->method, STR("HEAD")) ? STR("") : STR("ok"));
    str sent = arena_copy(&arena, server.last_request);
    server_close(&server);
    return sent;
}

ON_LOOP(any_method_goes_out_with_its_headers_and_body)
{
    const str headers[] = { STR("X-One: 1"), STR("If-None-Match: *") };
    static const char *const methods[] = { "PUT", "POST", "PATCH", "DELETE", "GET" };

    (void)unused;
    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
        struct http_request request = { .method = str_from(methods[i]),
                                        .headers = headers,
                                        .header_count = 2,
                                        .upload.bytes = STR("some\0bytes") };
        str sent = assert_sent(
            &request, arena_printf(&arena, "%s /a?b=c HTTP/1.1\r\n", methods[i]).ptr, "bytes");
        assert_true(str_find(sent, STR("\r\nX-One: 1\r\n")) != SIZE_MAX);
        assert_true(str_find(sent, STR("\r\nIf-None-Match: *\r\n")) != SIZE_MAX);
        assert_true(str_find(sent, STR("Content-Length: 10\r\n")) != SIZE_MAX);
        assert_true(str_find(sent, STR("Expect")) == SIZE_MAX);
    }
}

ON_LOOP(an_empty_body_is_announced_where_one_is_expected)
{
    struct http_request put = { .method = STR("PUT") }, get = { 0 };
    struct http_request head = { .method = STR("HEAD") };

    (void)unused;
    assert_sent(&put, "PUT /a?b=c HTTP/1.1\r\n", "Content-Length: 0\r\n\r\n");
    str sent = assert_sent(&get, "GET /a?b=c HTTP/1.1\r\n", "\r\n\r\n");
    assert_true(str_find(sent, STR("Content-Length")) == SIZE_MAX);
    assert_sent(&head, "HEAD /a?b=c HTTP/1.1\r\n", "\r\n\r\n");
}

ON_LOOP(a_part_of_a_file_is_sent)
{
    struct http_request request = {
        .method = STR("PUT"),
        .upload = { .is_file = true, .fd = file, .offset = 2, .length = 5 },
    };

    (void)unused;
    assert_int_equal(write(file, "0123456789", 10), 10);
    assert_sent(&request, "PUT ", "\r\n\r\n23456");
}

ON_LOOP(a_file_that_became_shorter_is_noticed)
{
    struct http_request request = {
        .method = STR("PUT"),
        .upload = { .is_file = true, .fd = file, .length = 5 },
    };
    struct http_response response;

    (void)unused;
    server_open(&server, &good_answer, 1);
    assert_fails(send_to(&request, "/", &response), ERROR_INVALID, "became shorter");
    server_close(&server);
}

ON_LOOP(a_request_that_would_smuggle_lines_is_refused)
{
    const str header = STR("X: secret\r\nY: 1");
    struct http_request request = { .url = STR("http://127.0.0.1:1/"),
                                    .headers = &header,
                                    .header_count = 1 };
    struct http_response response;

    (void)unused;
    struct error *failure = http_send(client, &request, &arena, &response);
    assert_true(str_find(error_message(failure), STR("secret")) == SIZE_MAX);
    assert_fails(failure, ERROR_INVALID, "header 1");
    request.header_count = 0;
    request.method = STR("GET /x HTTP/1.1\r\n");
    assert_fails(http_send(client, &request, &arena, &response), ERROR_INVALID, "no method");
    request.method = STR("");
    request.url = STR("http://user:pw@127.0.0.1:1/");
    failure = http_send(client, &request, &arena, &response);
    assert_true(str_find(error_message(failure), STR("pw")) == SIZE_MAX);
    assert_fails(failure, ERROR_INVALID, "not sent over plain HTTP");
}

/* --- responses --- */

ON_LOOP(status_headers_and_body_can_be_read)
{
    const str answer = STR("HTTP/1.1 100 Continue\r\nETag: no\r\n\r\n"
                           "HTTP/1.1 412 No\r\netag:  \"7\" \r\nX-A: 1\r\nx-a: 2\r\n"
                           "Content-Length: 6\r\n\r\nreason");
    struct http_request request = { .sink = { .kind = HTTP_TO_FILE, .fd = file } };
    struct http_response response;

    (void)unused;
    server_open(&server, &answer, 1);
    assert_ok(send_to(&request, "/", &response));
    server_close(&server);
    assert_int_equal(response.status, 412);
    assert_false(http_response_is_good(&response));
    assert_str_equal(http_response_header(&response, "ETag"), STR("\"7\""));
    assert_str_equal(http_response_header(&response, "x-a"), STR("1"));
    assert_str_equal(http_response_header(&response, "x-b"), STR(""));
    assert_str_equal(response.body, STR("reason"));
    assert_int_equal(response.length, 0);
    assert_str_equal(body(), STR(""));
}

ON_LOOP(a_long_refusal_is_kept_in_part)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct http_request request = { 0 };
    struct http_response response;

    (void)unused;
    strbuf_add_repeated(&text, 'x', 200 * 1024);
    str answer = answer_with(&arena, "500 No", strbuf_str(&text));
    server_open(&server, &answer, 1);
    assert_ok(send_to(&request, "/", &response));
    server_close(&server);
    assert_int_equal(response.body.len, 64 * 1024);
}

ON_LOOP(a_head_without_end_is_refused)
{
    CLEANUP(strbuf_release) struct strbuf answer = { 0 };
    struct http_request request = { 0 };
    struct http_response response;

    (void)unused;
    strbuf_add(&answer, STR("HTTP/1.1 200 OK\r\n"));
    for (int i = 0; i < 300; i++)
        strbuf_printf(&answer, "X-%d: y\r\n", i);
    strbuf_add(&answer, STR("\r\n"));
    str text = strbuf_str(&answer);
    server_open(&server, &text, 1);
    assert_fails(send_to(&request, "/", &response), ERROR_OTHER, "head of the response");
    server_close(&server);
}

struct taken {
    char bytes[64];
    size_t len;
    bool refuses;
};

static struct error *take(void *taken_, str bytes)
{
    struct taken *taken = taken_;

    if (taken->refuses)
        return error_new(ERROR_INVALID, "not mine");
    assert_true(taken->len + bytes.len <= sizeof(taken->bytes));
    memcpy(taken->bytes + taken->len, bytes.ptr, bytes.len);
    taken->len += bytes.len;
    return NULL;
}

ON_LOOP(a_callback_gets_the_body_and_may_refuse_it)
{
    struct taken taken = { 0 };
    struct http_request request = {
        .sink = { .kind = HTTP_TO_CALLBACK, .take = take, .context = &taken },
        .retry = { .attempts = 3, .first_wait_ms = 1 },
    };
    const str cut = STR("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok");
    struct http_response response;

    (void)unused;
    server_open(&server, &good_answer, 1);
    assert_ok(send_to(&request, "/", &response));
    assert_str_equal(((str){ taken.bytes, taken.len }), STR("ok"));
    assert_int_equal(response.length, 2);
    taken.refuses = true;
    assert_fails(send_to(&request, "/", &response), ERROR_INVALID, "not mine");
    server_close(&server);
    /* What it got cannot be taken back: no second attempt. */
    taken = (struct taken){ 0 };
    server_open(&server, &cut, 1);
    assert_fails(send_to(&request, "/", &response), ERROR_OTHER, "before it was complete");
    assert_int_equal(server.served, 1);
    server_close(&server);
}

ON_LOOP(gzip_is_taken_off_where_it_was_asked_for)
{
    const char text[] = "hello hello hello hello";
    str packed = compress_bytes(&arena, STR("hello hello hello hello"));
    str head = arena_printf(&arena,
                            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                            "Content-Length: %zu\r\n\r\n",
                            packed.len);
    str answer = arena_concat(&arena, head, packed);
    struct http_request request = { .accepts_gzip = true };
    struct http_response response;

    (void)unused;
    server_open(&server, &answer, 1);
    assert_ok(send_to(&request, "/", &response));
    assert_str_equal(response.body, str_from(text));
    assert_true(str_find(server.last_request, STR("Accept-Encoding: gzip")) != SIZE_MAX);
    request.accepts_gzip = false;
    assert_ok(send_to(&request, "/", &response));
    assert_str_equal(response.body, packed);
    request = (struct http_request){ .accepts_gzip = true, .sink.limit = 10 };
    assert_fails(send_to(&request, "/", &response), ERROR_INVALID, "longer than 10 bytes");
    server_close(&server);
}

/* --- redirects --- */

ON_LOOP(credentials_do_not_follow_to_another_host)
{
    const str headers[] = { STR("Authorization: token t"), STR("X-Vault-Token: v"),
                            STR("Accept: a/b") };
    struct server other;
    struct http_request request = { .headers = headers, .header_count = 3 };
    struct http_response response;

    (void)unused;
    server_open(&other, &good_answer, 1);
    str answers[] = { STR("HTTP/1.1 302 Found\r\nLocation: /here\r\n\r\n"),
                      arena_printf(&arena, "HTTP/1.1 307 Elsewhere\r\nLocation: %s\r\n\r\n",
                                   server_url(&arena, &other, "/there").ptr) };
    server_open(&server, answers, 2);
    assert_ok(send_to(&request, "/", &response));
    assert_true(str_find(server.last_request, STR("Authorization: token t")) != SIZE_MAX);
    assert_true(str_starts_with(other.last_request, STR("GET /there ")));
    assert_true(str_find(other.last_request, STR("token")) == SIZE_MAX);
    assert_true(str_find(other.last_request, STR("Vault")) == SIZE_MAX);
    assert_true(str_find(other.last_request, STR("Accept: a/b")) != SIZE_MAX);
    server_close(&server);
    server_close(&other);
}

ON_LOOP(a_body_follows_only_where_it_is_told_to)
{
    const str found[] = { STR("HTTP/1.1 302 Found\r\nLocation: /here\r\n\r\n"), good_answer };
    const str same[] = { STR("HTTP/1.1 308 Same\r\nLocation: /here\r\n\r\n"), good_answer };
    struct http_request request = { .method = STR("PUT"), .upload.bytes = STR("bytes") };
    struct http_response response;

    (void)unused;
    server_open(&server, found, 2);
    assert_ok(send_to(&request, "/", &response));
    assert_int_equal(response.status, 302);
    server_close(&server);
    server_open(&server, same, 2);
    assert_ok(send_to(&request, "/", &response));
    assert_int_equal(response.status, 200);
    assert_true(str_starts_with(server.last_request, STR("PUT /here ")));
    assert_true(str_ends_with(server.last_request, STR("\r\n\r\nbytes")));
    server_close(&server);
}

/* --- attempts --- */

struct setbacks {
    uint64_t waits[8];
    int statuses[8];
    unsigned count;
};

static void note_setback(void *setbacks_, const struct http_setback *setback)
{
    struct setbacks *setbacks = setbacks_;

    setbacks->waits[setbacks->count] = setback->wait_ms;
    setbacks->statuses[setbacks->count++] = setback->status;
    assert_int_equal(setback->attempt, setbacks->count);
}

static struct http_retry retry_noting(struct setbacks *setbacks)
{
    return (struct http_retry){ .attempts = 4,
                                .first_wait_ms = 1,
                                .longest_wait_ms = 3,
                                .report = note_setback,
                                .context = setbacks };
}

ON_LOOP(what_is_safe_to_repeat_is_sent_again)
{
    const str answers[] = { STR("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"),
                            STR("HTTP/1.1 429 Slow\r\nRetry-After: 3600\r\n\r\n"), STR(""),
                            good_answer };
    struct setbacks setbacks = { 0 };
    struct http_request request = { .method = STR("PUT"),
                                    .upload.bytes = STR("bytes"),
                                    .retry = retry_noting(&setbacks) };
    struct http_response response;

    (void)unused;
    server_open(&server, answers, 4);
    assert_ok(send_to(&request, "/", &response));
    assert_int_equal(response.status, 200);
    assert_int_equal(response.attempts, 4);
    assert_int_equal(response.sends, 4);
    assert_true(str_ends_with(server.last_request, STR("\r\n\r\nbytes")));
    assert_int_equal(setbacks.count, 3);
    assert_int_equal(setbacks.statuses[0], 503);
    assert_int_equal(setbacks.waits[0], 1);
    assert_int_equal(setbacks.waits[1], 3); /* an hour, but not longer than the longest */
    assert_int_equal(setbacks.statuses[2], 0);
    assert_int_equal(setbacks.waits[2], 3);
    server_close(&server);
}

ON_LOOP(what_is_not_safe_to_repeat_is_sent_once)
{
    const str answer = STR("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n");
    struct setbacks setbacks = { 0 };
    struct http_request request = { .method = STR("POST"), .retry = retry_noting(&setbacks) };
    struct http_response response;

    (void)unused;
    server_open(&server, &answer, 1);
    assert_ok(send_to(&request, "/", &response));
    assert_int_equal(response.status, 503);
    assert_int_equal(server.served, 1);
    request.retry.repeats_unsafe = true;
    assert_ok(send_to(&request, "/", &response));
    assert_int_equal(response.attempts, 4);
    assert_int_equal(server.served, 5);
    server_close(&server);
    /* Nobody has seen this one: it may be repeated. */
    request.retry.repeats_unsafe = false;
    setbacks.count = 0;
    request.url = STR("http://127.0.0.1:1/");
    assert_fails(http_send(client, &request, &arena, &response), ERROR_OTHER,
                 "failed all 4 attempts");
    assert_int_equal(setbacks.count, 3);
}

ON_LOOP(the_whole_time_counts_over_all_attempts)
{
    const str answer = STR("HTTP/1.1 503 Busy\r\nRetry-After: 90\r\nContent-Length: 0\r\n\r\n");
    struct http_request request = { .whole_ms = 20000, .retry = { .attempts = 1000 } };
    struct http_response response;

    (void)unused;
    server_open(&server, &answer, 1); /* the wait would outlast the whole */
    assert_ok(send_to(&request, "/", &response));
    assert_int_equal(response.status, 503);
    assert_int_equal(server.served, 1);
    server_close(&server);
    request.whole_ms = 50;
    server_open(&server, NULL, 0);
    server.hangs = true;
    assert_fails(send_to(&request, "/", &response), ERROR_TIMEOUT, "");
    server_close(&server);
}

static void forget_signal(int number)
{
    signal(number, SIG_IGN);
    signals_let();
    signal(number, SIG_DFL);
}

ON_LOOP(a_silent_server_is_not_asked_again_by_who_was_asked_to_end)
{
    struct setbacks setbacks = { 0 };
    struct http_request request = { .idle_ms = 100, .retry = retry_noting(&setbacks) };
    struct http_response response;
    struct server other;

    (void)unused;
    server_open(&other, &good_answer, 1);
    server_open(&server, NULL, 0);
    server.hangs = true;
    signals_hold();
    raise(SIGTERM);
    assert_fails(send_to(&request, "/", &response), ERROR_TIMEOUT, "nothing came for");
    assert_int_equal(setbacks.count, 0);
    server.last_request = STR("");
    assert_fails(send_to(&request, "/next", &response), ERROR_TIMEOUT, "is not asked any more");
    assert_int_equal(server.last_request.len, 0);
    request.url = server_url(&arena, &other, "/");
    assert_ok(http_send(client, &request, &arena, &response));
    forget_signal(SIGTERM);
    server_close(&server);
    server_close(&other);
}

ON_LOOP(who_was_asked_to_end_still_tries_again_where_there_are_answers)
{
    const str answers[] = { STR("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"), STR(""),
                            good_answer };
    struct setbacks setbacks = { 0 };
    struct http_request request = { .retry = retry_noting(&setbacks) };
    struct http_response response;

    (void)unused;
    server_open(&server, answers, 3);
    signals_hold();
    raise(SIGTERM);
    assert_ok(send_to(&request, "/", &response));
    assert_int_equal(response.status, 200);
    assert_int_equal(setbacks.count, 2);
    forget_signal(SIGTERM);
    server_close(&server);
}

/* --- many at once --- */

struct one_of_many {
    struct work_group *group;
    str body;
};

static void fetch_one(void *one_)
{
    struct one_of_many *one = one_;
    struct http_request request = { 0 };
    struct http_response response;

    assert_ok(send_to(&request, "/", &response));
    one->body = response.body;
    work_group_done(one->group);
}

ON_LOOP(fibers_share_a_client)
{
    struct work_group group = { 0 };
    struct one_of_many many[40];

    (void)unused;
    server_open(&server, &good_answer, 1);
    work_group_add(&group, 40);
    for (size_t i = 0; i < 40; i++) {
        many[i] = (struct one_of_many){ .group = &group };
        fiber_spawn(fetch_one, &many[i]);
    }
    work_group_wait_uncancelable(&group);
    for (size_t i = 0; i < 40; i++)
        assert_str_equal(many[i].body, STR("ok"));
    assert_int_equal(server.served, 40);
    server_close(&server);
}

struct waiting {
    struct http_client *client;
    struct work_group *group;
    size_t *ended;
};

static void wait_for_nothing(void *waiting_)
{
    struct waiting *waiting = waiting_;
    const struct http_request request = { .url = server_url(&arena, &server, "/hang"),
                                          .idle_ms = 5 * 1000 };
    struct http_response response;

    error_ignore(http_send(waiting->client, &request, &arena, &response), "it waits in vain");
    ++*waiting->ended;
    work_group_done(waiting->group);
}

static void do_nothing(void *unused)
{
    (void)unused;
}

/* A journal that has to be synced does not wait for downloads. */
ON_LOOP(requests_leave_the_helper_threads_to_others)
{
    enum { MANY = 8, TIMES = 100 };
    struct work_group group = { 0 };
    struct waiting all[MANY];
    struct cancel *scope = cancel_open(NULL);
    size_t ended = 0;

    (void)unused;
    server_open(&server, NULL, 0);
    server.hangs = true;
    work_group_add(&group, MANY);
    for (size_t i = 0; i < MANY; i++) {
        all[i] = (struct waiting){ http_client_new(), &group, &ended };
        fiber_spawn_in(scope, wait_for_nothing, &all[i]);
    }
    for (int i = 0; i < TIMES; i++) {
        offload(do_nothing, NULL);
        assert_ok(fiber_sleep_ms(1)); /* for the requests to be on their way */
    }
    assert_int_equal(ended, 0);
    cancel_fire(scope);
    work_group_wait_uncancelable(&group);
    fiber_yield();
    for (size_t i = 0; i < MANY; i++)
        http_client_free(all[i].client);
    server_close(&server);
    cancel_close(scope);
}

static void wait_until_canceled(void *ended)
{
    struct http_request request = { 0 };
    struct http_response response;

    assert_fails(send_to(&request, "/hang", &response), ERROR_CANCELED, "");
    latch_open(ended);
}

ON_LOOP(canceling_one_request_leaves_the_others)
{
    struct server other;
    struct latch ended = { 0 };
    struct cancel *scope = cancel_open(NULL);
    struct http_response response;

    (void)unused;
    server_open(&server, NULL, 0);
    server.hangs = true;
    server_open(&other, &good_answer, 1);
    fiber_spawn_in(scope, wait_until_canceled, &ended);
    struct http_request request = { .url = server_url(&arena, &other, "/") };
    assert_ok(http_send(client, &request, &arena, &response));
    cancel_fire(scope);
    latch_wait_uncancelable(&ended);
    assert_ok(http_send(client, &request, &arena, &response));
    server_close(&server);
    server_close(&other);
    cancel_close(scope);
}

/* --- the pure parts --- */

static void retry_after_is_a_number_or_a_date(void **state)
{
    static const struct {
        const char *text;
        bool is_good;
        uint64_t wait_ms;
    } cases[] = {
        { "7", true, 7000 },
        { "0", true, 0 },
        { "99999999999999999999", false, 0 },
        { "Sun, 06 Nov 1994 08:49:37 GMT", true, 37000 },
        { "Sun, 06 Nov 1994 08:48:00 GMT", true, 0 },
        { "Sun, 06 Now 1994 08:49:37 GMT", false, 0 },
        { "Sun, 06 Nov 1994 08:49:37 GMT!", false, 0 },
        { "soon", false, 0 },
        { "", false, 0 },
        { "-1", false, 0 },
    };
    int64_t now;

    (void)state;
    assert_true(clock_parse(STR("1994-11-06T08:49:00Z"), &now));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uint64_t wait_ms = 12345;
        assert_int_equal(http_retry_after(str_from(cases[i].text), now, &wait_ms),
                         cases[i].is_good);
        assert_int_equal(wait_ms, cases[i].is_good ? cases[i].wait_ms : 12345);
    }
}

static void a_url_is_shown_without_its_secrets(void **state)
{
    struct http_url url;

    (void)state;
    assert_ok(http_url_parse(STR("https://u:pw@h:1/p?sig=x"), &url));
    assert_str_equal(http_url_show(&arena, &url), STR("https://h:1/p?…"));
    assert_ok(http_url_parse(STR("http://h/p"), &url));
    assert_str_equal(http_url_show(&arena, &url), STR("http://h/p"));
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
        { "/x?from=https://c/y", "http://a:1/x?from=https://c/y" },
        { "x#https://c", "http://a:1/p/x#https://c" },
        { "?s=t", "http://a:1/p/q?s=t" },
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
        TEST(a_refusal_that_does_not_end_is_enough_as_it_is),
        TEST(a_redirect_that_does_not_end_is_followed),
        TEST(an_answer_that_is_cut_off_fails),
        TEST(an_answer_that_is_not_http_fails),
        TEST(a_body_beyond_the_limit_is_refused),
        TEST(a_server_that_says_nothing_is_given_up),
        TEST(redirects_are_followed),
        TEST(redirects_in_a_circle_end),
        TEST(cancellation_ends_a_download),
        TEST(nobody_listening_may_change),
        TEST(any_method_goes_out_with_its_headers_and_body),
        TEST(an_empty_body_is_announced_where_one_is_expected),
        TEST(a_part_of_a_file_is_sent),
        TEST(a_file_that_became_shorter_is_noticed),
        TEST(a_request_that_would_smuggle_lines_is_refused),
        TEST(status_headers_and_body_can_be_read),
        TEST(a_long_refusal_is_kept_in_part),
        TEST(a_head_without_end_is_refused),
        TEST(a_callback_gets_the_body_and_may_refuse_it),
        TEST(gzip_is_taken_off_where_it_was_asked_for),
        TEST(credentials_do_not_follow_to_another_host),
        TEST(a_body_follows_only_where_it_is_told_to),
        TEST(what_is_safe_to_repeat_is_sent_again),
        TEST(what_is_not_safe_to_repeat_is_sent_once),
        TEST(the_whole_time_counts_over_all_attempts),
        TEST(a_silent_server_is_not_asked_again_by_who_was_asked_to_end),
        TEST(who_was_asked_to_end_still_tries_again_where_there_are_answers),
        TEST(fibers_share_a_client),
        TEST(requests_leave_the_helper_threads_to_others),
        TEST(canceling_one_request_leaves_the_others),
        TEST(retry_after_is_a_number_or_a_date),
        TEST(a_url_is_shown_without_its_secrets),
        TEST(urls_are_taken_apart),
        TEST(locations_are_seen_from_their_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
