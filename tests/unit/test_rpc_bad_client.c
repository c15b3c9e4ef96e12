/* test_rpc_bad_client.c — clients that break, stall, flood, or talk nonsense: the server serves
 * others and closes in time. */
#include "support/http2_end.h"

#include "fiber/fiber.h"
#include "fiber/socket.h"
#include "fiber/sync.h"
#include "rpc/rpc.h"
#include "unit/soon.h"

#include <arpa/inet.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static void in_fiber(void (*run)(void *), void *argument)
{
    assert_ok(scheduler_run(run, argument));
}

struct fixture {
    struct rpc_server *server;
    struct stream *stream; /* raw, to the server */
    size_t canceled;
    size_t large; /* answers that were made */
};

static struct error *echo(void *fixture_, struct rpc_call *call_, str request, str *response)
{
    (void)fixture_, (void)call_;
    *response = request;
    return NULL;
}

static struct error *spout(void *fixture_, struct rpc_call *call_)
{
    struct fixture *fixture = fixture_;
    static char message[1 << 20];
    for (;;) {
        struct error *failure = rpc_call_send(call_, (str){ message, sizeof(message) });
        fixture->canceled += failure != NULL;
        if (failure)
            return failure;
    }
}

/* A short answer, for which much memory was asked. */
static struct error *answer_large(void *fixture_, struct rpc_call *call_, str request,
                                  str *response)
{
    struct fixture *fixture = fixture_;

    arena_alloc_raw(rpc_call_arena(call_), (size_t)900 << 20);
    fixture->large++;
    *response = request;
    return NULL;
}

static const struct rpc_method methods[] = { { "/a.B/Echo", .unary = echo },
                                             { "/a.B/Spout", .stream = spout },
                                             { "/a.B/Large", .unary = answer_large },
                                             { 0 } };

#define SETTINGS "\0\0\0\4\0\0\0\0\0"
#define CALL_BLOCK(path)               \
    "\x83\x86\x04" path "\x0f\x10\x10" \
    "application/grpc"
#define ECHO_BLOCK CALL_BLOCK("\x09/a.B/Echo")
#define LARGE_BLOCK CALL_BLOCK("\x0a/a.B/Large")
#define NOPE_BLOCK CALL_BLOCK("\x05/nope")
#define SPOUT_BLOCK CALL_BLOCK("\x0a/a.B/Spout")
#define HELLO HTTP2_PREFACE SETTINGS

static void open_fixture(struct fixture *fixture)
{
    assert_ok(rpc_server_open(methods, fixture, &fixture->server));
    assert_ok(stream_connect(rpc_server_address(fixture->server), &fixture->stream));
}

/* The server still works for others, and closes without waiting for the raw client. */
static void close_fixture(struct fixture *fixture)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct rpc_client *client;
    str response;
    assert_ok(rpc_client_open(rpc_server_address(fixture->server), &client));
    assert_ok(rpc_call_unary(client, "/a.B/Echo", STR("still there"), NULL, &arena, &response));
    assert_str_equal(response, STR("still there"));
    rpc_client_close(client);
    rpc_server_close(fixture->server, 10);
    stream_close(fixture->stream);
}

/* Reads frames until one with END_STREAM; gives the list of its fields. */
static void read_status(struct fixture *fixture, struct hpack_list *list)
{
    static struct hpack_decoder decoder;
    CLEANUP(strbuf_release) struct strbuf input = { 0 };
    struct http2_frame frame = { 0 };

    hpack_decoder_init(&decoder);
    while (!(frame.type == FRAME_HEADERS && frame.flags & FLAG_END_STREAM)) {
        char bytes[4096];
        size_t len;
        assert_ok(stream_read(fixture->stream, bytes, sizeof(bytes), &len));
        assert_true(len > 0);
        strbuf_add(&input, (str){ bytes, len });
        str left = strbuf_str(&input);
        while (left.len >= HTTP2_HEAD_LEN
               && left.len >= HTTP2_HEAD_LEN + (http2_read_u32(left.ptr) >> 8)) {
            str payload = take_frame(&left, &frame);
            if (frame.type == FRAME_HEADERS && frame.flags & FLAG_END_STREAM) {
                assert_true(hpack_decode(&decoder, payload, HTTP2_MAX_HEADER_LIST, list));
                break;
            }
        }
        struct strbuf rest = { 0 };
        strbuf_add(&rest, left);
        strbuf_release(&input);
        input = rest;
    }
}

struct request {
    str body; /* frames behind the headers of stream 1 */
    const char *status;
};

static void check_requests(void *unused)
{
    static const struct request requests[] = {
        { STR_INIT("\0\0\5\0\1\0\0\0\1\0\0\0\0\0"), "0" },
        { STR_INIT("\0\0\0\0\1\0\0\0\1"), "13" },                       /* no message */
        { STR_INIT("\0\0\3\0\1\0\0\0\1\0\0\0"), "13" },                 /* a cut prefix */
        { STR_INIT("\0\0\6\0\1\0\0\0\1\0\0\0\0\2h"), "13" },            /* a cut message */
        { STR_INIT("\0\0\x0a\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0"), "13" }, /* two messages */
        { STR_INIT("\0\0\5\0\0\0\0\0\1\1\0\0\0\0"), "12" },             /* compressed */
        { STR_INIT("\0\0\5\0\0\0\0\0\1\0\xff\xff\xff\xff"), "8" },      /* 4 GB */
        { STR_INIT("\0\0\5\0\0\0\0\0\1\0\x19\0\0\1"), "8" },            /* 400 MB and a byte */
    };
    (void)unused;
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        struct fixture fixture = { 0 };
        struct hpack_list list = { 0 };
        CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
        open_fixture(&fixture);
        strbuf_add(&bytes, STR(HELLO));
        add_frame(&bytes, FRAME_HEADERS, FLAG_END_HEADERS, 1, STR(ECHO_BLOCK));
        strbuf_add(&bytes, requests[i].body);
        assert_ok(stream_write(fixture.stream, strbuf_str(&bytes)));
        read_status(&fixture, &list);
        assert_str_equal(hpack_list_find(&list, STR("grpc-status")), str_from(requests[i].status));
        if (str_equal(str_from(requests[i].status), STR("12")))
            assert_str_equal(hpack_list_find(&list, STR("grpc-accept-encoding")), STR("identity"));
        hpack_list_release(&list);
        close_fixture(&fixture);
    }
}

static void every_request_has_its_status(void **state)
{
    (void)state;
    in_fiber(check_requests, NULL);
}

static void check_strangers(void *unused)
{
    static const struct {
        str block;
        const char *status;
    } cases[] = {
        { STR_INIT("\x82\x86\x84"), "405" }, /* GET */
        { STR_INIT("\x83\x86\x84"), "415" }, /* no content type */
        { STR_INIT(ECHO_BLOCK "\0\x0c"
                              "grpc-timeout\x02"
                              "1x"),
          "200" }, /* a malformed timeout */
    };
    (void)unused;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fixture fixture = { 0 };
        struct end client = open_end(HTTP2_CLIENT);
        open_fixture(&fixture);
        http2_send_headers(client.h2, http2_start(client.h2, NULL), cases[i].block, false);
        http2_send_data(client.h2, http2_find(client.h2, 1), STR(""), STR("body"), true);
        assert_ok(stream_write(fixture.stream, drain(&client)));
        while (client.h2->stream_count > 0) {
            char bytes[4096];
            size_t len;
            assert_ok(stream_read(fixture.stream, bytes, sizeof(bytes), &len));
            feed(&client, (str){ bytes, len });
        }
        assert_str_equal(hpack_list_find(&client.h2->headers, STR(":status")),
                         str_from(cases[i].status));
        close_end(&client);
        close_fixture(&fixture);
    }
}

static void strangers_get_an_answer_they_understand(void **state)
{
    (void)state;
    in_fiber(check_strangers, NULL);
}

static void check_bytes(void *bytes_)
{
    const str *bytes = bytes_;
    struct fixture fixture = { 0 };
    open_fixture(&fixture);
    assert_ok(stream_write(fixture.stream, *bytes));
    assert_ok(fiber_sleep_ms(5));
    close_fixture(&fixture);
}

static void clients_that_stop_anywhere_do_no_harm(void **state)
{
    (void)state;
    static const str starts[] = {
        STR_INIT(""),
        STR_INIT("PRI"),
        STR_INIT("GET / HTTP/1.1\r\n\r\n"),
        STR_INIT("\x16\x03\x01 not TLS here"),
        STR_INIT(HELLO),
        STR_INIT(HELLO "\0\0\x20\1\4\0\0\0\1"
                       "\x83"),
        STR_INIT(HELLO "\xff\xff\xff\0\0\0\0\0\1"),
    };
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        in_fiber(check_bytes, (void *)&starts[i]);
}

static void check_client_that_does_not_read(void *unused)
{
    (void)unused;
    struct fixture fixture = { 0 };
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    open_fixture(&fixture);
    strbuf_add(&bytes, STR(HTTP2_PREFACE));
    add_setting(&bytes, 4, 0x7fffffff);
    add_u32_frame(&bytes, FRAME_WINDOW_UPDATE, 0, 0x7fff0000);
    for (uint32_t id = 1; id < 20; id += 2) {
        add_frame(&bytes, FRAME_HEADERS, FLAG_END_HEADERS, id, STR(SPOUT_BLOCK));
        add_frame(&bytes, FRAME_PING, 0, 0, STR("12345678"));
    }
    assert_ok(stream_write(fixture.stream, strbuf_str(&bytes)));
    assert_ok(fiber_sleep_ms(50));
    assert_int_equal(fixture.canceled, 0);
    close_fixture(&fixture);
    assert_int_equal(fixture.canceled, 10);
}

static void a_client_that_does_not_read_holds_up_nobody(void **state)
{
    (void)state;
    in_fiber(check_client_that_does_not_read, NULL);
}

struct flood {
    struct fixture *fixture;
    size_t written;
    struct latch done;
};

/* Calls and calls, and reads no answer. */
static void run_flood(void *flood_)
{
    struct flood *flood = flood_;
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    struct error *failure = stream_write(flood->fixture->stream, STR(HELLO));
    for (uint32_t id = 1; !failure; id += 2) {
        add_frame(&bytes, FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM, id,
                  STR("\x83\x86\x04\x05/nope\x0f\x10\x10"
                      "application/grpc"));
        if (id % 256 != 1)
            continue;
        failure = stream_write(flood->fixture->stream, strbuf_str(&bytes));
        flood->written += bytes.len;
        strbuf_clear(&bytes);
    }
    error_free(failure);
    latch_open(&flood->done);
}

static void check_flood(void *unused)
{
    (void)unused;
    struct fixture fixture = { 0 };
    struct flood flood = { .fixture = &fixture };
    size_t before = 1;
    open_fixture(&fixture);
    fiber_spawn(run_flood, &flood);
    while (flood.written != before) { /* until the server does not read any more */
        before = flood.written;
        assert_ok(fiber_sleep_ms(200));
        assert_true(flood.written < 200 << 20);
    }
    stream_shutdown(fixture.stream);
    assert_ok(latch_wait_ms(&flood.done, 60000));
    close_fixture(&fixture);
}

static void a_client_that_reads_no_answer_is_not_read_either(void **state)
{
    (void)state;
    in_fiber(check_flood, NULL);
}

/* All calls are there before the first answer; the fourth has no room beside the others. */
static void check_answers_that_wait(void *unused)
{
    (void)unused;
    struct fixture fixture = { 0 };
    struct hpack_list list = { 0 };
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 }, last = { 0 };
    open_fixture(&fixture);
    strbuf_add(&bytes, STR(HTTP2_PREFACE));
    add_setting(&bytes, 4, 0); /* nothing may be sent */
    for (uint32_t id = 1; id < 8; id += 2) {
        add_frame(&bytes, FRAME_HEADERS, FLAG_END_HEADERS, id, STR(LARGE_BLOCK));
        add_frame(&bytes, FRAME_DATA, FLAG_END_STREAM, id, STR("\0\0\0\0\1x"));
    }
    assert_ok(stream_write(fixture.stream, strbuf_str(&bytes)));
    assert_soon(fixture.large == 4);
    add_frame(&last, FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM, 9, STR(NOPE_BLOCK));
    assert_ok(stream_write(fixture.stream, strbuf_str(&last)));
    read_status(&fixture, &list);
    assert_str_equal(hpack_list_find(&list, STR("grpc-status")), STR("8"));
    hpack_list_release(&list);
    close_fixture(&fixture);
}

static void answers_that_nobody_reads_have_a_limit(void **state)
{
    (void)state;
    in_fiber(check_answers_that_wait, NULL);
}

static void check_client_that_dies(void *unused)
{
    (void)unused;
    struct fixture fixture = { 0 };
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    open_fixture(&fixture);
    strbuf_add(&bytes, STR(HELLO));
    for (uint32_t id = 1; id < 20; id += 2)
        add_frame(&bytes, FRAME_HEADERS, FLAG_END_HEADERS, id, STR(SPOUT_BLOCK));
    assert_ok(stream_write(fixture.stream, strbuf_str(&bytes)));
    assert_ok(fiber_sleep_ms(5));
    stream_shutdown(fixture.stream);
    assert_soon(fixture.canceled == 10);
    close_fixture(&fixture);
}

static void the_death_of_a_client_cancels_its_handlers(void **state)
{
    (void)state;
    in_fiber(check_client_that_dies, NULL);
}

/* --- connections that nobody uses --- */

enum { FILES = 400, HOLDERS = 120 }; /* more than the share of the descriptors that peers get */

static void check_holders(void *words_)
{
    struct fixture fixture = { 0 };
    struct stream *held[HOLDERS];
    struct rlimit former, few;
    getrlimit(RLIMIT_NOFILE, &former);
    few = (struct rlimit){ FILES, former.rlim_max };
    setrlimit(RLIMIT_NOFILE, &few);
    open_fixture(&fixture);
    for (size_t i = 0; i < HOLDERS; i++) {
        assert_ok(stream_connect(rpc_server_address(fixture.server), &held[i]));
        struct error *failure = stream_write(held[i], *(const str *)words_);
        error_free(failure); /* it may be thrown out already */
    }
    close_fixture(&fixture);
    for (size_t i = 0; i < HOLDERS; i++)
        stream_close(held[i]);
    setrlimit(RLIMIT_NOFILE, &former);
}

static void connections_that_nobody_uses_lock_nobody_out(void **state)
{
    (void)state;
    str silent = STR("PRI * H"), idle = STR(HELLO);
    str unfinished = STR(HELLO "\0\0\x20\1\4\0\0\0\1" ECHO_BLOCK);
    in_fiber(check_holders, &silent);
    in_fiber(check_holders, &idle);
    in_fiber(check_holders, &unfinished);
}

/* --- no descriptors --- */

/* As many descriptors as there are now. */
static void allow_no_more(struct rlimit *former)
{
    int fd = dup(0);

    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, former), 0);
    struct rlimit none = { (rlim_t)fd, former->rlim_max };
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
}

/* Before the server has a chance to accept it. */
static int connect_at_once(uint16_t port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

static void run_out_of_descriptors(void *unused)
{
    (void)unused;
    struct fixture fixture = { 0 };
    struct rlimit former;
    char byte;
    size_t len = 1;

    assert_ok(rpc_server_open(methods, &fixture, &fixture.server));
    int fd = connect_at_once(rpc_server_port(fixture.server));
    allow_no_more(&former);
    assert_ok(stream_from_fd(fd, &fixture.stream));
    struct error *failure = stream_read(fixture.stream, &byte, 1, &len);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &former), 0);
    assert_true(failure || len == 0);
    error_free(failure);
    assert_true(str_find(rpc_server_trouble(fixture.server), STR("Too many open files"))
                != SIZE_MAX);
    rpc_server_close(fixture.server, 10);
    stream_close(fixture.stream);
}

static void a_peer_that_there_is_no_descriptor_for_is_not_left_waiting(void **state)
{
    (void)state;
    assert_ok(scheduler_run(run_out_of_descriptors, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peer_that_there_is_no_descriptor_for_is_not_left_waiting),
        cmocka_unit_test(every_request_has_its_status),
        cmocka_unit_test(strangers_get_an_answer_they_understand),
        cmocka_unit_test(clients_that_stop_anywhere_do_no_harm),
        cmocka_unit_test(a_client_that_does_not_read_holds_up_nobody),
        cmocka_unit_test(a_client_that_reads_no_answer_is_not_read_either),
        cmocka_unit_test(answers_that_nobody_reads_have_a_limit),
        cmocka_unit_test(the_death_of_a_client_cancels_its_handlers),
        cmocka_unit_test(connections_that_nobody_uses_lock_nobody_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
