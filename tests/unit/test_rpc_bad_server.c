/* test_rpc_bad_server.c — servers that break, stall, refuse, or talk nonsense: calls fail in good
 * order. */
#include "support/http2_end.h"

#include "fiber/fiber.h"
#include "fiber/socket.h"
#include "fiber/sync.h"
#include "rpc/rpc.h"

#include <stdio.h>

static void in_fiber(void (*run)(void *), void *argument)
{
    assert_ok(scheduler_run(run, argument));
}

/* Each connection is answered with the next script, as soon as the client has sent something; then
 * it is closed or left alone. */
struct script {
    str bytes;
    bool stays; /* reads on until the client hangs up */
};

struct scripted {
    const struct script *scripts;
    size_t count;
    size_t connections;
    struct listener *listener;
    bool is_closing;
    struct latch done;
    struct rpc_client *client;
    str seen; /* first bytes of the last connection */
    char room[4096];
};

static void serve_script(struct scripted *scripted, struct stream *stream)
{
    const struct script *script = &scripted->scripts[scripted->connections++ % scripted->count];
    size_t len = 0, more = 1;

    assert_ok(stream_read(stream, scripted->room, sizeof(scripted->room), &len));
    scripted->seen = (str){ scripted->room, len };
    error_ignore(stream_write(stream, script->bytes), "the client may have gone");
    while (script->stays && more > 0) {
        char rest[4096];
        more = 0;
        error_ignore(stream_read(stream, rest, sizeof(rest), &more), "the end in any case");
    }
    stream_close(stream);
}

static void run_scripted(void *scripted_)
{
    struct scripted *scripted = scripted_;
    struct stream *stream;

    while (!scripted->is_closing) {
        struct error *failure = listener_accept(scripted->listener, &stream);
        error_free(failure);
        if (failure)
            break;
        serve_script(scripted, stream);
    }
    latch_open(&scripted->done);
}

static void open_scripted(struct scripted *scripted)
{
    char address[32];
    assert_ok(listener_open(0, &scripted->listener));
    snprintf(address, sizeof(address), "127.0.0.1:%u", listener_port(scripted->listener));
    assert_ok(rpc_client_open(str_from(address), &scripted->client));
    fiber_spawn(run_scripted, scripted);
}

static void close_scripted(struct scripted *scripted)
{
    rpc_client_close(scripted->client);
    scripted->is_closing = true;
    listener_close(scripted->listener);
    assert_ok(latch_wait_ms(&scripted->done, 60000));
}

static struct error *call(struct scripted *scripted, uint64_t timeout_ms, str *response)
{
    static struct arena arena;
    struct rpc_options options = { .timeout_ms = timeout_ms };
    arena_release(&arena);
    struct error *failure =
        rpc_call_unary(scripted->client, "/a.B/C", STR("request"), &options, &arena, response);
    if (failure)
        arena_release(&arena);
    return failure;
}

/* --- answers --- */

#define SETTINGS "\0\0\0\4\0\0\0\0\0"
#define HEADERS_OF(len, flags, id) "\0\0" len "\1" flags "\0\0\0" id
#define GRPC_HEADERS   \
    "\x88\x0f\x10\x10" \
    "application/grpc"
#define STATUS_FIELD(code) \
    "\0\x0b"               \
    "grpc-status\x01" code
/* stream 1: headers, a message "hi", status 0 */
#define GOOD_ANSWER                                          \
    SETTINGS HEADERS_OF("\x14", "\x04", "\x01") GRPC_HEADERS \
        "\0\0\7\0\0\0\0\0\1\0\0\0\0\2hi" HEADERS_OF("\x0f", "\x05", "\x01") STATUS_FIELD("0")

struct outcome {
    const char *what;
    str bytes;
    int code;
    bool is_lost; /* nobody can say what the call has done */
};

static const struct outcome outcomes[] = {
    { "a whole answer", STR_INIT(GOOD_ANSWER), RPC_OK, false },
    { "nothing", STR_INIT(""), RPC_UNAVAILABLE, true },
    { "only settings", STR_INIT(SETTINGS), RPC_UNAVAILABLE, true },
    { "garbage", STR_INIT("HTTP/1.1 400 Bad Request\r\n\r\n"), RPC_UNAVAILABLE, true },
    { "half an answer",
      STR_INIT(SETTINGS HEADERS_OF("\x14", "\x04", "\x01") GRPC_HEADERS "\0\0\x40\0\0\0\0\0\1\0\0"),
      RPC_UNAVAILABLE, true },
    { "status alone",
      STR_INIT(SETTINGS HEADERS_OF("\x23", "\x05", "\x01") GRPC_HEADERS STATUS_FIELD("7")),
      RPC_PERMISSION_DENIED, false },
    { "a status that is no number",
      STR_INIT(SETTINGS HEADERS_OF("\x23", "\x05", "\x01") GRPC_HEADERS STATUS_FIELD("x")),
      RPC_UNKNOWN, false },
    { "no status", STR_INIT(SETTINGS HEADERS_OF("\x14", "\x05", "\x01") GRPC_HEADERS), RPC_INTERNAL,
      true },
    { "status 0 without a message",
      STR_INIT(SETTINGS HEADERS_OF("\x23", "\x05", "\x01") GRPC_HEADERS STATUS_FIELD("0")),
      RPC_INTERNAL, true },
    { "status 404", STR_INIT(SETTINGS HEADERS_OF("\x01", "\x05", "\x01") "\x8d"), RPC_UNIMPLEMENTED,
      false },
    { "status 503",
      STR_INIT(SETTINGS HEADERS_OF("\x05", "\x05", "\x01") "\x08\x03"
                                                           "503"),
      RPC_UNAVAILABLE, false },
    { "another content type",
      STR_INIT(SETTINGS HEADERS_OF("\x0d", "\x05", "\x01") "\x88\x0f\x10\x09"
                                                           "text/html"),
      RPC_UNKNOWN, false },
    { "a compressed message",
      STR_INIT(SETTINGS HEADERS_OF("\x14", "\x04", "\x01") GRPC_HEADERS
               "\0\0\7\0\0\0\0\0\1\1\0\0\0\2hi"),
      RPC_INTERNAL, true },
    { "a message of 4 GB",
      STR_INIT(SETTINGS HEADERS_OF("\x14", "\x04", "\x01") GRPC_HEADERS
               "\0\0\5\0\0\0\0\0\1\0\xff\xff\xff\xff"),
      RPC_RESOURCE_EXHAUSTED, true },
    { "two messages",
      STR_INIT(SETTINGS HEADERS_OF("\x14", "\x04", "\x01") GRPC_HEADERS
               "\0\0\x0a\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0" HEADERS_OF("\x0f", "\x05", "\x01")
                   STATUS_FIELD("0")),
      RPC_INTERNAL, true },
    { "a message cut off",
      STR_INIT(SETTINGS HEADERS_OF("\x14", "\x04", "\x01") GRPC_HEADERS
               "\0\0\6\0\0\0\0\0\1\0\0\0\0\2h" HEADERS_OF("\x0f", "\x05", "\x01")
                   STATUS_FIELD("0")),
      RPC_INTERNAL, true },
    { "a reset to cancel", STR_INIT(SETTINGS "\0\0\4\3\0\0\0\0\1\0\0\0\x08"), RPC_CANCELED, true },
    { "a reset to calm down", STR_INIT(SETTINGS "\0\0\4\3\0\0\0\0\1\0\0\0\x0b"),
      RPC_RESOURCE_EXHAUSTED, true },
    { "a malformed header", STR_INIT(SETTINGS HEADERS_OF("\x06", "\x05", "\x01") "\x88\0\1A\1b"),
      RPC_INTERNAL, true },
};

/* A second message, whole or begun, ends a call that has one answer: or they would pile up, as many
 * as the peer likes, without a byte that anybody counts. */
static void check_second_message(void *unused)
{
    static const str seconds[] = {
        STR_INIT("\0\0\x0a\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0"),
        STR_INIT("\0\0\6\0\0\0\0\0\1\0\0\0\0\0\0"),
    };
    struct arena arena = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
        str head = STR(SETTINGS HEADERS_OF("\x14", "\x04", "\x01") GRPC_HEADERS);
        struct script script = { arena_concat(&arena, head, seconds[i]), true };
        struct scripted scripted = { .scripts = &script, .count = 1 };
        str response;
        open_scripted(&scripted);
        struct error *failure = call(&scripted, 10 * 1000, &response);
        assert_int_equal(error_status(failure), RPC_INTERNAL);
        assert_true(error_is_lost(failure));
        error_free(failure);
        close_scripted(&scripted);
    }
    arena_release(&arena);
}

static void an_answer_of_many_messages_is_not_awaited(void **state)
{
    (void)state;
    in_fiber(check_second_message, NULL);
}

static void check_outcomes(void *unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++) {
        struct script script = { outcomes[i].bytes, false };
        struct scripted scripted = { .scripts = &script, .count = 1 };
        str response = STR("");
        open_scripted(&scripted);
        struct error *failure = call(&scripted, 0, &response);
        int code = failure ? error_status(failure) : RPC_OK;
        if (code != outcomes[i].code)
            print_error("%s: status %d\n", outcomes[i].what, code);
        assert_int_equal(code, outcomes[i].code);
        if ((failure && error_is_lost(failure)) != outcomes[i].is_lost)
            print_error("%s: is_lost is not as it should be\n", outcomes[i].what);
        assert_true((failure && error_is_lost(failure)) == outcomes[i].is_lost);
        if (!failure)
            assert_str_equal(response, STR("hi"));
        error_free(failure);
        close_scripted(&scripted);
    }
}

static void every_answer_has_its_outcome(void **state)
{
    (void)state;
    in_fiber(check_outcomes, NULL);
}

static void check_retry(void *scripts_)
{
    const struct script *scripts = scripts_;
    struct scripted scripted = { .scripts = scripts, .count = 2 };
    str response;
    open_scripted(&scripted);
    assert_ok(call(&scripted, 5000, &response));
    assert_str_equal(response, STR("hi"));
    assert_int_equal(scripted.connections, 2);
    close_scripted(&scripted);
}

static void a_call_that_was_not_looked_at_goes_to_a_new_connection(void **state)
{
    (void)state;
    struct script goaway[2] = { { STR(SETTINGS "\0\0\x08\7\0\0\0\0\0\0\0\0\0\0\0\0\0"), false },
                                { STR(GOOD_ANSWER), false } };
    in_fiber(check_retry, goaway);
}

static void check_refusal(void *unused)
{
    (void)unused;
    /* on the same connection: stream 1 is refused, stream 3 is answered when it comes; here the
     * second never does */
    struct script script = { STR(SETTINGS "\0\0\4\3\0\0\0\0\1\0\0\0\7"), true };
    struct scripted scripted = { .scripts = &script, .count = 1 };
    str response;
    open_scripted(&scripted);
    struct error *failure = call(&scripted, 200, &response);
    assert_int_equal(error_status(failure), RPC_DEADLINE_EXCEEDED); /* the second try waits */
    error_free(failure);
    assert_int_equal(scripted.connections, 1);
    close_scripted(&scripted);
}

static void a_refused_stream_is_tried_again(void **state)
{
    (void)state;
    in_fiber(check_refusal, NULL);
}

static void check_lost_connection(void *unused)
{
    (void)unused;
    struct script scripts[2] = { { STR(""), false }, { STR(GOOD_ANSWER), false } };
    struct scripted scripted = { .scripts = scripts, .count = 2 };
    str response;
    open_scripted(&scripted);
    struct error *failure = call(&scripted, 0, &response);
    assert_int_equal(error_status(failure),
                     RPC_UNAVAILABLE); /* it may have been processed: not sent twice */
    error_free(failure);
    assert_int_equal(scripted.connections, 1);
    assert_ok(call(&scripted, 0, &response));
    assert_str_equal(response, STR("hi"));
    close_scripted(&scripted);
}

static void a_lost_connection_is_made_again_for_the_next_call(void **state)
{
    (void)state;
    in_fiber(check_lost_connection, NULL);
}

static void check_silence(void *unused)
{
    (void)unused;
    struct script script = { STR(""), true };
    struct scripted scripted = { .scripts = &script, .count = 1 };
    str response;
    open_scripted(&scripted);
    for (int i = 0; i < 3; i++) {
        struct error *failure = call(&scripted, 20, &response);
        assert_int_equal(error_status(failure), RPC_DEADLINE_EXCEEDED);
        error_free(failure);
    }
    assert_int_equal(scripted.connections, 1);
    close_scripted(&scripted);
}

static void a_silent_server_is_left_at_the_deadline(void **state)
{
    (void)state;
    in_fiber(check_silence, NULL);
}

struct caller {
    struct scripted *scripted;
    struct work_group *group;
    int code;
};

static void run_caller(void *caller_)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct caller *caller = caller_;
    struct rpc_options options = { .timeout_ms = 300 };
    str response;
    struct error *failure =
        rpc_call_unary(caller->scripted->client, "/a.B/C", STR(""), &options, &arena, &response);
    caller->code = failure ? error_status(failure) : RPC_OK;
    error_free(failure);
    work_group_done(caller->group);
}

static void check_limit(void *unused)
{
    (void)unused;
    /* one stream at a time; the first is answered, the second gets its place and no answer, the
     * third waits in line */
    struct script script = { STR("\0\0\6\4\0\0\0\0\0\0\3\0\0\0\1" HEADERS_OF("\x14", "\x04", "\x01")
                                     GRPC_HEADERS "\0\0\5\0\0\0\0\0\1\0\0\0\0\0" HEADERS_OF(
                                         "\x0f", "\x05", "\x01") STATUS_FIELD("0")),
                             true };
    struct scripted scripted = { .scripts = &script, .count = 1 };
    struct work_group group = { 0 };
    struct caller callers[3];
    int answered = 0, late = 0;
    str response;
    open_scripted(&scripted);
    assert_ok(call(&scripted, 5000, &response)); /* the limit is known from now on */
    work_group_add(&group, 3);
    for (int i = 0; i < 3; i++) {
        callers[i] = (struct caller){ &scripted, &group, -1 };
        fiber_spawn(run_caller, &callers[i]);
    }
    assert_ok(work_group_wait(&group));
    for (int i = 0; i < 3; i++) {
        answered += callers[i].code == RPC_OK;
        late += callers[i].code == RPC_DEADLINE_EXCEEDED;
    }
    assert_int_equal(answered, 0);
    assert_int_equal(late, 3);
    assert_int_equal(scripted.connections, 1);
    close_scripted(&scripted);
}

static void calls_wait_in_line_for_the_limit_of_the_peer(void **state)
{
    (void)state;
    in_fiber(check_limit, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_of_many_messages_is_not_awaited),
        cmocka_unit_test(every_answer_has_its_outcome),
        cmocka_unit_test(a_call_that_was_not_looked_at_goes_to_a_new_connection),
        cmocka_unit_test(a_refused_stream_is_tried_again),
        cmocka_unit_test(a_lost_connection_is_made_again_for_the_next_call),
        cmocka_unit_test(a_silent_server_is_left_at_the_deadline),
        cmocka_unit_test(calls_wait_in_line_for_the_limit_of_the_peer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
