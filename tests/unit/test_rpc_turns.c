/* test_rpc_turns.c — more calls than a server can run at once, and what they may hold. */
#include "unit/check.h"

#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "rpc/grpc.h"
#include "rpc/rpc.h"

#include <stdlib.h>

/* More than there are stacks. */
enum { CALLS = 30 * 1000, RUN_AT_ONCE = 4096, LARGE = 63 * 1024 };

struct fixture {
    struct rpc_server *server;
    struct rpc_client *client;
    struct latch gate;
    size_t running;
    size_t most_running;
    size_t finished;
    struct rpc_stream **streams;
};

static struct error *wait_at_gate(void *fixture_, struct rpc_call *call, str request, str *response)
{
    struct fixture *fixture = fixture_;
    (void)call, (void)request;
    if (++fixture->running > fixture->most_running)
        fixture->most_running = fixture->running;
    struct error *failure = latch_wait(&fixture->gate);
    fixture->running--;
    fixture->finished++;
    *response = STR("");
    return failure;
}

static struct error *open_gate(void *fixture_, struct rpc_call *call, str request, str *response)
{
    struct fixture *fixture = fixture_;
    (void)call, (void)request;
    latch_open(&fixture->gate);
    *response = STR("");
    return NULL;
}

static const struct rpc_method methods[] = {
    { .path = "/test.T/WaitAtGate", .unary = wait_at_gate, .is_patient = true },
    { .path = "/test.T/OpenGate", .unary = open_gate },
    { .path = NULL },
};

struct test {
    void (*run)(struct fixture *fixture);
};

static void run_with_server(void *test_)
{
    const struct test *test = test_;
    struct fixture fixture = { .streams = calloc(CALLS, sizeof(struct rpc_stream *)) };
    assert_ok(rpc_server_open(methods, &fixture, &fixture.server));
    assert_ok(rpc_client_open(rpc_server_address(fixture.server), &fixture.client));
    test->run(&fixture);
    for (size_t i = 0; i < CALLS; i++)
        if (fixture.streams[i])
            rpc_stream_close(fixture.streams[i]);
    rpc_client_close(fixture.client);
    rpc_server_close(fixture.server, 1000);
    free(fixture.streams);
}

static void with_server(void (*run)(struct fixture *fixture))
{
    struct test test = { run };
    assert_ok(scheduler_run(run_with_server, &test));
}

/* Calls that are under way without a fiber here for each. */
static void begin_calls(struct fixture *fixture, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_ok(
            rpc_stream_open(fixture->client, "/test.T/WaitAtGate", NULL, &fixture->streams[i]));
        assert_ok(rpc_stream_send(fixture->streams[i], STR("x")));
        assert_ok(rpc_stream_close_send(fixture->streams[i]));
    }
}

static void ask(struct fixture *fixture, const char *path)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str response;
    assert_ok(rpc_call_unary(fixture->client, path, STR(""), NULL, &arena, &response));
}

static void check_waiting_calls(struct fixture *fixture)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    begin_calls(fixture, CALLS);
    ask(fixture, "/test.T/OpenGate");
    for (size_t i = 0; i < CALLS; i++) {
        bool has_message;
        str message;
        assert_ok(rpc_stream_receive(fixture->streams[i], &arena, &has_message, &message));
        assert_true(has_message);
    }
    assert_int_equal(fixture->finished, CALLS);
    assert_true(fixture->most_running <= RUN_AT_ONCE);
}

static void calls_that_wait_do_not_hold_up_those_they_wait_for(void **state)
{
    (void)state;
    with_server(check_waiting_calls);
}

/* What was taken back counts until its handler has returned: a peer cannot have more run by taking
 * calls back at once. */
static void check_taken_back(struct fixture *fixture)
{
    begin_calls(fixture, RUN_AT_ONCE + 100);
    ask(fixture, "/test.T/OpenGate");
    for (size_t i = 0; i < RUN_AT_ONCE + 100; i++) {
        rpc_stream_close(fixture->streams[i]);
        fixture->streams[i] = NULL;
    }
    fixture->gate = (struct latch){ 0 };
    for (size_t i = 0; i < CALLS; i++) {
        begin_calls(fixture, 1);
        if (i % 100 == 0)
            fiber_yield();
        rpc_stream_close(fixture->streams[0]);
        fixture->streams[0] = NULL;
    }
    ask(fixture, "/test.T/OpenGate");
    assert_true(fixture->most_running <= RUN_AT_ONCE);
}

static void calls_that_are_taken_back_at_once_do_not_add_up(void **state)
{
    (void)state;
    with_server(check_taken_back);
}

static void check_closing(struct fixture *fixture)
{
    begin_calls(fixture, RUN_AT_ONCE + 1000);
    ask(fixture, "/test.T/OpenGate");
    fixture->gate = (struct latch){ 0 };
}

static void a_server_closes_while_calls_wait_for_their_turn(void **state)
{
    (void)state;
    with_server(check_closing);
}

static struct error *ask_with_metadata(struct fixture *fixture, size_t size,
                                       struct rpc_stream **out)
{
    CLEANUP(strbuf_release) struct strbuf value = { 0 };
    strbuf_add_repeated(&value, 'm', size);
    const struct pair metadata = { STR("large"), strbuf_str(&value) };
    struct rpc_options options = { .metadata = { &metadata, 1 } };
    return rpc_stream_open(fixture->client, "/test.T/WaitAtGate", &options, out);
}

/* Requests that never end, each with as many headers as one may have. */
static void check_metadata(struct fixture *fixture)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    enum { ALLOWED = GRPC_MAX_METADATA / LARGE - 1, TRIED = ALLOWED + 100 };
    bool has_message;
    str message;
    for (size_t i = 0; i < TRIED; i++)
        assert_ok(ask_with_metadata(fixture, LARGE, &fixture->streams[i]));
    assert_fails(rpc_stream_receive(fixture->streams[TRIED - 1], &arena, &has_message, &message),
                 ERROR_STATUS, "the metadata of all calls is too large");
    for (size_t i = 0; i < TRIED; i++) {
        rpc_stream_close(fixture->streams[i]);
        fixture->streams[i] = NULL;
    }
    ask(fixture, "/test.T/OpenGate"); /* what is over does not count any more */
    assert_ok(ask_with_metadata(fixture, LARGE, &fixture->streams[0]));
    assert_ok(rpc_stream_send(fixture->streams[0], STR("x")));
    assert_ok(rpc_stream_close_send(fixture->streams[0]));
    assert_ok(rpc_stream_receive(fixture->streams[0], &arena, &has_message, &message));
    assert_true(has_message);
}

static void metadata_counts_for_its_connection(void **state)
{
    (void)state;
    with_server(check_metadata);
}

/* As many connections as it takes; one that has its share only is served. */
static void check_metadata_of_all(struct fixture *fixture)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    enum {
        OF_ONE = GRPC_MAX_METADATA / LARGE - 1,
        CLIENTS = GRPC_MAX_METADATA_OF_ALL / GRPC_MAX_METADATA,
        REST = GRPC_METADATA_SHARE / LARGE + 1,
    };
    struct rpc_client *own = fixture->client, *clients[CLIENTS + 2];
    size_t count = 0;
    bool has_message;
    str message;

    for (size_t i = 0; i < CLIENTS + 2; i++)
        assert_ok(rpc_client_open(rpc_server_address(fixture->server), &clients[i]));
    for (size_t i = 0; i < CLIENTS; i++) {
        fixture->client = clients[i];
        for (size_t j = 0; j < OF_ONE; j++)
            assert_ok(ask_with_metadata(fixture, LARGE, &fixture->streams[count++]));
        ask(fixture, "/grpc.health.v1.Health/Check"); /* all of them have arrived */
    }
    fixture->client = clients[CLIENTS];
    for (size_t i = 0; i < CLIENTS * 4 + REST; i++)
        assert_ok(ask_with_metadata(fixture, LARGE, &fixture->streams[count++]));
    assert_fails(rpc_stream_receive(fixture->streams[count - 1], &arena, &has_message, &message),
                 ERROR_STATUS, "the metadata of all calls is too large");
    fixture->client = clients[CLIENTS + 1];
    ask(fixture, "/test.T/OpenGate");
    while (count > 0) {
        rpc_stream_close(fixture->streams[--count]);
        fixture->streams[count] = NULL;
    }
    for (size_t i = 0; i < CLIENTS + 2; i++)
        rpc_client_close(clients[i]);
    fixture->client = own;
}

static void metadata_counts_for_its_server(void **state)
{
    (void)state;
    with_server(check_metadata_of_all);
}

static void check_large_metadata(struct fixture *fixture)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    bool has_message;
    str message;
    assert_ok(ask_with_metadata(fixture, 70 * 1024, &fixture->streams[0]));
    struct error *failure = rpc_stream_receive(fixture->streams[0], &arena, &has_message, &message);
    assert_non_null(failure);
    assert_int_equal(error_status(failure), RPC_RESOURCE_EXHAUSTED);
    error_free(failure);
    ask(fixture, "/test.T/OpenGate"); /* the connection is fine */
}

static void metadata_that_is_too_large_costs_its_call(void **state)
{
    (void)state;
    with_server(check_large_metadata);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_wait_do_not_hold_up_those_they_wait_for),
        cmocka_unit_test(calls_that_are_taken_back_at_once_do_not_add_up),
        cmocka_unit_test(a_server_closes_while_calls_wait_for_their_turn),
        cmocka_unit_test(metadata_counts_for_its_connection),
        cmocka_unit_test(metadata_counts_for_its_server),
        cmocka_unit_test(metadata_that_is_too_large_costs_its_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
