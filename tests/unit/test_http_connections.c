/* test_http_connections.c — connections that are kept between requests, and what becomes of a
 * request when one of them turns out to be closed. */
#include "unit/check.h"

#include "fiber/fiber.h"
#include "http/http.h"
#include "loopback/blob_server.h"

static struct arena arena;
static struct blob_server server;
static struct http_client *client;

static struct error *send_request(const char *method, struct http_response *response)
{
    const struct http_request request = {
        .method = str_from(method),
        .url = arena_printf(&arena, "http://127.0.0.1:%u/x", listener_port(server.listener)),
        .upload.bytes = str_equal(str_from(method), STR("GET")) ? STR("") : STR("body"),
    };
    return http_send(client, &request, &arena, response);
}

static void run_with_server(fiber_run *claim)
{
    blob_server_open(&server);
    client = http_client_new();
    claim(NULL);
    http_client_free(client);
    blob_server_close(&server);
    arena_release(&arena);
}

#define CLAIM(name)                                  \
    static void name##_claim(void *unused);          \
    static void name##_main(void *unused)            \
    {                                                \
        (void)unused;                                \
        run_with_server(name##_claim);               \
    }                                                \
    static void name(void **state)                   \
    {                                                \
        (void)state;                                 \
        assert_ok(scheduler_run(name##_main, NULL)); \
    }                                                \
    static void name##_claim(void *unused)

CLAIM(requests_one_after_the_other_share_a_connection)
{
    struct http_response response;

    (void)unused;
    for (int i = 0; i < 10; i++)
        assert_ok(send_request("PUT", &response));
    assert_int_equal(server.requests, 10);
    assert_int_equal(server.connections, 1);
}

/* The next request is answered by the end of the connection, after it has had its effect. */
static void forget_next(void)
{
    struct http_response response;

    assert_ok(send_request("PUT", &response));
    server.fault = BLOB_FORGETS;
    server.fault_first = server.requests;
    server.fault_count = 1;
}

CLAIM(what_is_idempotent_is_sent_again_and_says_so)
{
    struct http_response response;

    (void)unused;
    forget_next();
    assert_ok(send_request("PUT", &response));
    assert_int_equal(response.status, 200);
    assert_int_equal(response.sends, 2);
    assert_int_equal(server.requests, 3);
}

CLAIM(what_is_not_idempotent_is_sent_once)
{
    struct http_response response;

    (void)unused;
    forget_next();
    assert_fails(send_request("POST", &response), ERROR_OTHER, "POST http://127.0.0.1:");
    assert_int_equal(server.requests, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_one_after_the_other_share_a_connection),
        cmocka_unit_test(what_is_idempotent_is_sent_again_and_says_so),
        cmocka_unit_test(what_is_not_idempotent_is_sent_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
