/* test_display_event_stream.c — events over a gRPC connection. */
#include "unit/check.h"

#include "base/strbuf.h"
#include "display/display.h"
#include "fiber/fiber.h"
#include "rpc/rpc.h"

#include <stdio.h>
#include <stdlib.h>

struct peer {
    struct strbuf heard;
    size_t count;
    bool has_ended;
};

static struct error *listen_to(void *peer_, struct rpc_call *call)
{
    struct peer *peer = peer_;
    bool has_message;
    str message;

    for (;;) {
        TRY(rpc_call_receive(call, &has_message, &message));
        if (!has_message)
            break;
        strbuf_add(&peer->heard, message);
        peer->count++;
    }
    peer->has_ended = true;
    return rpc_call_send(call, STR(""));
}

static const struct rpc_method methods[] = {
    { .path = "/pulumirpc.Events/StreamEvents", .stream = listen_to },
    { 0 },
};

static void play(str address)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct display_options options = { .view = VIEW_NONE,
                                       .event_log = arena_concat(&arena, STR("tcp://"), address) };
    struct display *display;
    struct event event = { .kind = EVENT_DIAGNOSTIC };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_add_repeated(&text, 'x', 20000);
    assert_ok(display_open(&options, &display));
    event.diagnostic.message = strbuf_str(&text);
    display_event(display, &event);
    display_event(display, &(struct event){ .kind = EVENT_CANCEL });
    assert_ok(display_close(display));
}

static void hear(void *peer_)
{
    struct rpc_server *server;

    assert_ok(rpc_server_open(methods, peer_, &server));
    play(rpc_server_address(server));
    rpc_server_close(server, 1000);
}

static void a_listener_hears_every_event_and_the_end(void **state)
{
    (void)state;
    struct peer peer = { 0 };

    assert_ok(scheduler_run(hear, &peer));
    assert_int_equal(peer.count, 2);
    assert_true(peer.has_ended);
    assert_non_null(strstr(peer.heard.ptr, "\"sequence\":0,"));
    assert_true(str_ends_with(strbuf_str(&peer.heard), STR("\"cancelEvent\":{}}\n")));
    strbuf_release(&peer.heard);
}

static void speak_to_nobody(void *unused)
{
    (void)unused;
    play(STR("127.0.0.1:1"));
}

static void nobody_listening_is_no_failure(void **state)
{
    (void)state;
    assert_ok(scheduler_run(speak_to_nobody, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listener_hears_every_event_and_the_end),
        cmocka_unit_test(nobody_listening_is_no_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
