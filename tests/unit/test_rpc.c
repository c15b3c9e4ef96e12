/* test_rpc.c — calls between our own client and server. */
#include "unit/check.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "rpc/rpc.h"

#include <stdio.h>
#include <stdlib.h>

/* --- a server with one method of each kind --- */

struct fixture {
    struct rpc_server *server;
    struct rpc_client *client;
    struct latch entered;  /* the method that waits has begun */
    struct latch canceled; /* and was canceled */
    size_t waiting;
};

static struct error *echo(void *fixture_, struct rpc_call *call, str request, str *response)
{
    (void)fixture_;
    *response = arena_copy(rpc_call_arena(call), request);
    return NULL;
}

static struct error *header(void *fixture_, struct rpc_call *call, str request, str *response)
{
    (void)fixture_;
    *response = rpc_call_header(call, request);
    return NULL;
}

static struct error *fail_with_details(void *fixture_, struct rpc_call *call, str request,
                                       str *response)
{
    (void)fixture_, (void)call, (void)response;
    return error_from_status(RPC_NOT_FOUND, request, STR("de\0tails"));
}

static struct error *wait_for_cancel(void *fixture_, struct rpc_call *call, str request,
                                     str *response)
{
    struct fixture *fixture = fixture_;
    (void)call, (void)request, (void)response;
    struct latch never = { 0 };
    fixture->waiting++;
    latch_open(&fixture->entered);
    struct error *failure = latch_wait(&never);
    fixture->waiting--;
    latch_open(&fixture->canceled);
    return failure;
}

static struct error *sleep_a_little(void *fixture_, struct rpc_call *call, str request,
                                    str *response)
{
    struct fixture *fixture = fixture_;

    (void)call;
    latch_open(&fixture->entered);
    TRY(fiber_sleep_ms(20));
    *response = request;
    return NULL;
}

/* Sends back what it receives, one by one. */
static struct error *chat(void *fixture_, struct rpc_call *call)
{
    (void)fixture_;
    for (;;) {
        bool has_message;
        str message;
        TRY(rpc_call_receive(call, &has_message, &message));
        if (!has_message)
            return NULL;
        TRY(rpc_call_send(call, message));
    }
}

/* Adds the lengths of what it receives. */
static struct error *sum(void *fixture_, struct rpc_call *call)
{
    (void)fixture_;
    size_t total = 0;
    for (;;) {
        bool has_message;
        str message;
        TRY(rpc_call_receive(call, &has_message, &message));
        if (!has_message)
            break;
        total += message.len;
    }
    return rpc_call_send(call, arena_printf(rpc_call_arena(call), "%zu", total));
}

/* Sends as many messages of 100,000 bytes as the request says. */
static struct error *spout(void *fixture_, struct rpc_call *call)
{
    (void)fixture_;
    bool has_message;
    str message;
    uint64_t count = 0;
    TRY(rpc_call_receive(call, &has_message, &message));
    assert_true(has_message && str_to_u64(message, &count));
    str part = { arena_alloc(rpc_call_arena(call), 100000), 100000 };
    for (uint64_t i = 0; i < count; i++)
        TRY(rpc_call_send(call, part));
    return count == 7 ? error_from_status(RPC_ABORTED, STR("seven"), STR("")) : NULL;
}

/* Ends at once, whatever the client has to say. */
static struct error *refuse(void *fixture_, struct rpc_call *call)
{
    (void)fixture_, (void)call;
    return error_from_status(RPC_FAILED_PRECONDITION, STR("not now"), STR(""));
}

static const struct rpc_method methods[] = {
    { "/test.T/Echo", .unary = echo },
    { "/test.T/Header", .unary = header },
    { "/test.T/Fail", .unary = fail_with_details },
    { "/test.T/Wait", .unary = wait_for_cancel },
    { "/test.T/Sleep", .unary = sleep_a_little },
    { "/test.T/Chat", .stream = chat },
    { "/test.T/Sum", .stream = sum },
    { "/test.T/Spout", .stream = spout },
    { "/test.T/Refuse", .stream = refuse },
    { 0 },
};

struct test {
    void (*run)(struct fixture *fixture);
};

static void run_with_server(void *test_)
{
    const struct test *test = test_;
    struct fixture fixture = { 0 };
    assert_ok(rpc_server_open(methods, &fixture, &fixture.server));
    assert_ok(rpc_client_open(rpc_server_address(fixture.server), &fixture.client));
    test->run(&fixture);
    rpc_client_close(fixture.client);
    rpc_server_close(fixture.server, 1000);
}

/* Every claim holds in whatever order fibers run. */
static void with_server(void (*run)(struct fixture *fixture))
{
    struct test test = { run };
    for (uint64_t seed = 0; seed < 4; seed++) {
        scheduler_set_seed(seed);
        assert_ok(scheduler_run(run_with_server, &test));
    }
}

#define CLAIM(name)                               \
    static void name##_(struct fixture *fixture); \
    static void name(void **state)                \
    {                                             \
        (void)state;                              \
        with_server(name##_);                     \
    }                                             \
    static void name##_(struct fixture *fixture)

/* --- unary --- */

static void echo_of_size(struct fixture *fixture, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    char *bytes = arena_alloc(&arena, size);
    for (size_t i = 0; i < size; i += 997)
        bytes[i] = (char)(i * 31);
    str response;
    assert_ok(rpc_call_unary(fixture->client, "/test.T/Echo", (str){ bytes, size }, NULL, &arena,
                             &response));
    assert_true(str_equal(response, (str){ bytes, size }));
}

CLAIM(an_answer_has_the_size_of_its_request)
{
    static const size_t sizes[] = { 0, 1, 5, 16379, 16384, 70000, 6 << 20 };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        echo_of_size(fixture, sizes[i]);
}

CLAIM(a_status_carries_text_and_details)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str response;
    struct error *failure = rpc_call_unary(fixture->client, "/test.T/Fail", STR("h\xc3\xa9 100%\n"),
                                           NULL, &arena, &response);
    assert_non_null(failure);
    assert_int_equal(error_kind(failure), ERROR_STATUS);
    assert_int_equal(error_status(failure), RPC_NOT_FOUND);
    assert_str_equal(error_message(failure), STR("h\xc3\xa9 100%\n"));
    assert_str_equal(error_status_details(failure), STR("de\0tails"));
    error_free(failure);
}

CLAIM(a_long_text_is_cut_between_characters)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    str response;
    for (int i = 0; i < 20000; i++)
        strbuf_add(&text, STR("\xc3\xa9"));
    struct error *failure =
        rpc_call_unary(fixture->client, "/test.T/Fail", strbuf_str(&text), NULL, &arena, &response);
    assert_int_equal(error_status(failure), RPC_NOT_FOUND);
    assert_true(error_message(failure).len > 2000 && error_message(failure).len < 3000);
    assert_true(str_is_utf8(error_message(failure)));
    error_free(failure);
}

CLAIM(an_unknown_method_is_unimplemented)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str response;
    struct error *failure =
        rpc_call_unary(fixture->client, "/test.T/Nothing", STR(""), NULL, &arena, &response);
    assert_int_equal(error_status(failure), RPC_UNIMPLEMENTED);
    assert_str_equal(error_message(failure), STR("unknown method Nothing for service test.T"));
    error_free(failure);
}

CLAIM(health_is_served)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str response;
    assert_ok(rpc_call_unary(fixture->client, "/grpc.health.v1.Health/Check", STR(""), NULL, &arena,
                             &response));
    assert_str_equal(response, STR("\x08\x01"));
}

CLAIM(metadata_arrives)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct pair metadata[] = { { STR("pulumi-runtime"), STR("nodejs") },
                                     { STR("other"), STR("") } };
    struct rpc_options options = { .metadata = { metadata, 2 } };
    str response;
    assert_ok(rpc_call_unary(fixture->client, "/test.T/Header", STR("pulumi-runtime"), &options,
                             &arena, &response));
    assert_str_equal(response, STR("nodejs"));
    assert_ok(rpc_call_unary(fixture->client, "/test.T/Header", STR("absent"), &options, &arena,
                             &response));
    assert_str_equal(response, STR(""));
}

CLAIM(a_deadline_ends_the_call_on_both_sides)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct rpc_options options = { .timeout_ms = 30 };
    str response;
    /* Until one gets there before its deadline. */
    for (; !fixture->entered.is_open; options.timeout_ms *= 2) {
        struct error *failure =
            rpc_call_unary(fixture->client, "/test.T/Wait", STR(""), &options, &arena, &response);
        assert_non_null(failure);
        assert_int_equal(error_status(failure), RPC_DEADLINE_EXCEEDED);
        error_free(failure);
    }
    assert_ok(latch_wait_ms(&fixture->canceled, 60000));
}

CLAIM(a_call_within_its_deadline_succeeds)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct rpc_options options = { .timeout_ms = 60 * 1000 };
    str response;
    for (int i = 0; i < 10; i++)
        assert_ok(
            rpc_call_unary(fixture->client, "/test.T/Echo", STR("x"), &options, &arena, &response));
}

struct caller {
    struct fixture *fixture;
    const char *path;
    struct error *failure;
    struct latch done;
};

static void run_caller(void *caller_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct caller *caller = caller_;
    str response;
    caller->failure =
        rpc_call_unary(caller->fixture->client, caller->path, STR("x"), NULL, &arena, &response);
    latch_open(&caller->done);
}

CLAIM(a_canceled_fiber_cancels_its_call_at_the_peer)
{
    struct caller caller = { fixture, "/test.T/Wait", NULL, { 0 } };
    struct cancel *scope = cancel_open(NULL);
    fiber_spawn_in(scope, run_caller, &caller);
    assert_ok(latch_wait_ms(&fixture->entered, 60000));
    cancel_fire(scope);
    assert_ok(latch_wait_ms(&caller.done, 60000));
    assert_int_equal(error_kind(caller.failure), ERROR_CANCELED);
    error_free(caller.failure);
    assert_ok(latch_wait_ms(&fixture->canceled, 60000));
    fiber_yield();
    cancel_close(scope);
}

CLAIM(a_closed_client_breaks_its_calls)
{
    struct caller caller = { fixture, "/test.T/Wait", NULL, { 0 } };
    fiber_spawn(run_caller, &caller);
    assert_ok(latch_wait_ms(&fixture->entered, 60000));
    rpc_client_close(fixture->client);
    fixture->client = NULL;
    assert_ok(latch_wait_ms(&caller.done, 60000));
    assert_int_equal(error_status(caller.failure), RPC_UNAVAILABLE);
    error_free(caller.failure);
    assert_ok(latch_wait_ms(&fixture->canceled, 60000));
}

CLAIM(a_closed_server_cancels_its_calls)
{
    struct caller caller = { fixture, "/test.T/Wait", NULL, { 0 } };
    fiber_spawn(run_caller, &caller);
    assert_ok(latch_wait_ms(&fixture->entered, 60000));
    rpc_server_close(fixture->server, 0);
    fixture->server = NULL;
    assert_ok(latch_wait_ms(&caller.done, 60000));
    assert_int_equal(error_status(caller.failure), RPC_CANCELED);
    error_free(caller.failure);
    assert_int_equal(fixture->waiting, 0);
}

CLAIM(a_closing_server_lets_calls_finish)
{
    struct caller caller = { fixture, "/test.T/Sleep", NULL, { 0 } };
    fiber_spawn(run_caller, &caller);
    assert_ok(latch_wait_ms(&fixture->entered, 60000));
    rpc_server_close(fixture->server, 60000);
    fixture->server = NULL;
    assert_ok(latch_wait_ms(&caller.done, 60000));
    assert_null(caller.failure);
}

CLAIM(nobody_listening_is_unavailable_at_once)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str response;
    rpc_server_close(fixture->server, 0);
    fixture->server = NULL;
    for (int i = 0; i < 3; i++) {
        struct error *failure =
            rpc_call_unary(fixture->client, "/test.T/Echo", STR(""), NULL, &arena, &response);
        assert_non_null(failure);
        assert_int_equal(error_status(failure), RPC_UNAVAILABLE);
        error_free(failure);
    }
}

enum { MANY = 3000 };

CLAIM(thousands_of_calls_share_a_connection)
{
    struct caller *callers = memory_zalloc(MANY * sizeof(*callers));
    for (int i = 0; i < MANY; i++) {
        callers[i] = (struct caller){ fixture, "/test.T/Sleep", NULL, { 0 } };
        fiber_spawn(run_caller, &callers[i]);
    }
    for (int i = 0; i < MANY; i++) {
        assert_ok(latch_wait_ms(&callers[i].done, 60000));
        assert_ok(callers[i].failure);
    }
    free(callers);
}

/* --- streams --- */

CLAIM(a_stream_answers_message_by_message)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct rpc_stream *stream;
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Chat", NULL, &stream));
    for (int i = 0; i < 100; i++) {
        bool has_message;
        str message, sent = arena_printf(&arena, "message %d", i);
        assert_ok(rpc_stream_send(stream, sent));
        assert_ok(rpc_stream_receive(stream, &arena, &has_message, &message));
        assert_true(has_message);
        assert_str_equal(message, sent);
    }
    bool has_message = true;
    str message;
    assert_ok(rpc_stream_close_send(stream));
    assert_ok(rpc_stream_receive(stream, &arena, &has_message, &message));
    assert_false(has_message);
    rpc_stream_close(stream);
}

CLAIM(a_client_can_send_more_than_the_windows_hold)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct rpc_stream *stream;
    str part = { arena_alloc(&arena, 1 << 20), 1 << 20 };
    bool has_message;
    str message;
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Sum", NULL, &stream));
    for (int i = 0; i < 40; i++)
        assert_ok(rpc_stream_send(stream, part));
    assert_ok(rpc_stream_close_send(stream));
    assert_ok(rpc_stream_receive(stream, &arena, &has_message, &message));
    assert_true(has_message);
    assert_str_equal(message, STR("41943040"));
    assert_ok(rpc_stream_receive(stream, &arena, &has_message, &message));
    assert_false(has_message);
    rpc_stream_close(stream);
}

static size_t count_messages(struct rpc_stream *stream, struct error **failure)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    size_t count = 0;
    for (bool has_message = true; has_message; count += has_message) {
        str message;
        *failure = rpc_stream_receive(stream, &arena, &has_message, &message);
        if (*failure)
            break;
    }
    return count;
}

struct sender {
    struct rpc_stream *stream;
    str message;
    struct latch done;
};

static void run_sender(void *sender_)
{
    struct sender *sender = sender_;
    for (int i = 0; i < 200; i++)
        assert_ok(rpc_stream_send(sender->stream, sender->message));
    assert_ok(rpc_stream_close_send(sender->stream));
    latch_open(&sender->done);
}

CLAIM(a_server_can_send_more_than_the_windows_hold)
{
    struct rpc_stream *stream;
    struct error *failure;
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Spout", NULL, &stream));
    assert_ok(rpc_stream_send(stream, STR("400")));
    assert_ok(rpc_stream_close_send(stream));
    assert_ok(fiber_sleep_ms(20)); /* the windows fill up */
    assert_int_equal(count_messages(stream, &failure), 400);
    assert_null(failure);
    rpc_stream_close(stream);
}

CLAIM(a_failure_comes_after_the_messages)
{
    struct rpc_stream *stream;
    struct error *failure;
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Spout", NULL, &stream));
    assert_ok(rpc_stream_send(stream, STR("7")));
    assert_int_equal(count_messages(stream, &failure), 7);
    assert_int_equal(error_status(failure), RPC_ABORTED);
    error_free(failure);
    rpc_stream_close(stream);
}

CLAIM(a_server_may_answer_before_it_has_heard_all)
{
    struct rpc_stream *stream;
    size_t size = 20 << 20;
    char *bytes = memory_zalloc(size);
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Refuse", NULL, &stream));
    struct error *failure = rpc_stream_send(stream, (str){ bytes, size });
    free(bytes); /* it is not needed any more, sent or not */
    assert_int_equal(error_status(failure), RPC_FAILED_PRECONDITION);
    error_free(failure);
    assert_int_equal(count_messages(stream, &failure), 0);
    assert_int_equal(error_status(failure), RPC_FAILED_PRECONDITION);
    error_free(failure);
    rpc_stream_close(stream);
    echo_of_size(fixture, 1 << 20);
}

CLAIM(a_stream_ends_at_its_deadline)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct rpc_options options = { .timeout_ms = 30 };
    struct rpc_stream *stream;
    struct error *failure;
    str large = { arena_alloc(&arena, 50 << 20), 50 << 20 };
    echo_of_size(fixture, 1); /* now there is a connection: opening does not wait for one */
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Chat", &options, &stream));
    assert_int_equal(count_messages(stream, &failure), 0);
    assert_int_equal(error_status(failure), RPC_DEADLINE_EXCEEDED);
    error_free(failure);
    failure = rpc_stream_send(stream, STR("too late"));
    assert_int_equal(error_status(failure), RPC_DEADLINE_EXCEEDED);
    error_free(failure);
    assert_ok(rpc_stream_close_send(stream));
    rpc_stream_close(stream);
    /* the peer sends back what it gets, and nobody reads that: so it soon reads no more */
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Chat", &options, &stream));
    do
        failure = rpc_stream_send(stream, large);
    while (!failure);
    assert_int_equal(error_status(failure), RPC_DEADLINE_EXCEEDED);
    error_free(failure);
    rpc_stream_close(stream);
}

CLAIM(a_stream_may_be_closed_in_the_middle)
{
    struct rpc_stream *stream;
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Spout", NULL, &stream));
    assert_ok(rpc_stream_send(stream, STR("4000")));
    assert_ok(fiber_sleep_ms(10));
    rpc_stream_close(stream);
    echo_of_size(fixture, 1 << 20);
}

/* --- odds and ends --- */

CLAIM(two_fibers_may_use_a_stream)
{
    struct rpc_stream *stream;
    struct error *failure;
    CLEANUP(arena_release) struct arena arena = { 0 };
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Chat", NULL, &stream));
    struct sender sender = { stream, { arena_alloc(&arena, 100000), 100000 }, { 0 } };
    fiber_spawn(run_sender, &sender);
    assert_int_equal(count_messages(stream, &failure), 200);
    assert_null(failure);
    assert_ok(latch_wait_ms(&sender.done, 60000));
    rpc_stream_close(stream);
}

CLAIM(large_metadata_is_taken)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf value = { 0 };
    strbuf_add_repeated(&value, 'm', 60 << 10);
    const struct pair metadata = { STR("large"), strbuf_str(&value) };
    struct rpc_options options = { .metadata = { &metadata, 1 } };
    str response;
    assert_ok(rpc_call_unary(fixture->client, "/test.T/Header", STR("large"), &options, &arena,
                             &response));
    assert_true(str_equal(response, strbuf_str(&value)));
}

CLAIM(an_open_stream_learns_that_the_server_closes)
{
    struct rpc_stream *stream;
    struct error *failure;
    assert_ok(rpc_stream_open(fixture->client, "/test.T/Chat", NULL, &stream));
    assert_ok(rpc_stream_send(stream, STR("x")));
    assert_ok(fiber_sleep_ms(5));
    rpc_server_close(fixture->server, 0);
    fixture->server = NULL;
    assert_int_equal(count_messages(stream, &failure), 1);
    assert_int_equal(error_status(failure), RPC_CANCELED);
    error_free(failure);
    rpc_stream_close(stream);
}

static void a_status_has_the_name_grpc_go_gives_it(void **state)
{
    (void)state;
    assert_string_equal(rpc_status_name(RPC_CANCELED), "Canceled");
    assert_string_equal(rpc_status_name(RPC_UNAUTHENTICATED), "Unauthenticated");
    assert_string_equal(rpc_status_name(99), "Unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_has_the_size_of_its_request),
        cmocka_unit_test(a_status_carries_text_and_details),
        cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(an_unknown_method_is_unimplemented),
        cmocka_unit_test(health_is_served),
        cmocka_unit_test(metadata_arrives),
        cmocka_unit_test(a_deadline_ends_the_call_on_both_sides),
        cmocka_unit_test(a_call_within_its_deadline_succeeds),
        cmocka_unit_test(a_canceled_fiber_cancels_its_call_at_the_peer),
        cmocka_unit_test(a_closed_client_breaks_its_calls),
        cmocka_unit_test(a_closed_server_cancels_its_calls),
        cmocka_unit_test(a_closing_server_lets_calls_finish),
        cmocka_unit_test(nobody_listening_is_unavailable_at_once),
        cmocka_unit_test(thousands_of_calls_share_a_connection),
        cmocka_unit_test(a_stream_answers_message_by_message),
        cmocka_unit_test(a_client_can_send_more_than_the_windows_hold),
        cmocka_unit_test(a_server_can_send_more_than_the_windows_hold),
        cmocka_unit_test(a_failure_comes_after_the_messages),
        cmocka_unit_test(a_server_may_answer_before_it_has_heard_all),
        cmocka_unit_test(a_stream_ends_at_its_deadline),
        cmocka_unit_test(a_stream_may_be_closed_in_the_middle),
        cmocka_unit_test(two_fibers_may_use_a_stream),
        cmocka_unit_test(large_metadata_is_taken),
        cmocka_unit_test(an_open_stream_learns_that_the_server_closes),
        cmocka_unit_test(a_status_has_the_name_grpc_go_gives_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
