/* test_http2.c — one end of a connection, fed with frames by hand, and two ends joined. */
#include "support/http2_end.h"

/* --- first bytes --- */

static void settings_are_sent_at_once(void **state)
{
    (void)state;
    struct end server = open_end(HTTP2_SERVER);
    struct http2_frame frame;
    str bytes = drain(&server);
    str settings = take_frame(&bytes, &frame);
    assert_int_equal(frame.type, FRAME_SETTINGS);
    assert_int_equal(settings.len, 18);
    take_frame(&bytes, &frame);
    assert_int_equal(frame.type, FRAME_WINDOW_UPDATE);
    close_end(&server);
}

static void two_ends_understand_each_other(void **state)
{
    (void)state;
    struct end client = open_end(HTTP2_CLIENT), server = open_end(HTTP2_SERVER);
    struct http2_stream *stream = http2_start(client.h2, NULL);
    http2_send_headers(client.h2, stream, REQUEST, false);
    assert_true(http2_send_data(client.h2, stream, STR("he"), STR("ad"), true));
    feed(&server, drain(&client));
    assert_log(&server, "headers 1\nend 1\n");
    assert_int_equal(server.received, 4);
    http2_send_headers(server.h2, server.last, BYTES("\x88"), false);
    http2_send_data(server.h2, server.last, STR(""), STR("body"), false);
    http2_send_trailers(server.h2, server.last,
                        BYTES("\x00\x01"
                              "a\x01"
                              "b"));
    feed(&client, drain(&server));
    assert_log(&client, "headers 1\ntrailers 1\nend 1\nclosed 1 0/0\n");
    assert_int_equal(client.received, 4);
    assert_log(&server, "closed 1 0/0\n");
    assert_int_equal(client.h2->stream_count + server.h2->stream_count, 0);
    close_end(&client);
    close_end(&server);
}

static void other_protocols_are_refused(void **state)
{
    (void)state;
    struct end server = open_end(HTTP2_SERVER);
    feed(&server, STR("GET / HTTP/1.1\r\n"));
    assert_true(http2_is_broken(server.h2));
    assert_true(has_goaway(drain(&server), HTTP2_PROTOCOL_ERROR));
    close_end(&server);
}

/* --- sending --- */

static void streams_take_turns_frame_by_frame(void **state)
{
    (void)state;
    struct end server = open_server();
    static char body[300000];
    feed_setting(&server, 4, 1 << 20);
    feed_u32_frame(&server, FRAME_WINDOW_UPDATE, 0, 1 << 20);
    drain(&server);
    for (uint32_t id = 1; id <= 5; id += 2) {
        feed_request(&server, id, true);
        assert_false(
            http2_send_data(server.h2, server.last, STR(""), (str){ body, sizeof(body) }, true));
    }
    str bytes = drain(&server);
    uint32_t previous = 0;
    size_t in_a_row = 0, frames = 0;
    while (bytes.len) {
        struct http2_frame frame;
        take_frame(&bytes, &frame);
        in_a_row += frame.id == previous;
        previous = frame.id;
        frames++;
    }
    assert_int_equal(frames, 3 * (1 + sizeof(body) / HTTP2_MAX_FRAME));
    /* the first got one turn of output for itself; so it ends earlier, and the last frames are of
     * two streams */
    assert_true(in_a_row < HTTP2_OUTPUT_TURN / HTTP2_MAX_FRAME + 2);
    close_end(&server);
}

static void a_body_waits_for_both_windows(void **state)
{
    (void)state;
    struct end server = open_server();
    static char body[200000];
    feed_request(&server, 1, true);
    assert_false(
        http2_send_data(server.h2, server.last, STR(""), (str){ body, sizeof(body) }, false));
    assert_true(drain(&server).len < 65535 + 10 * HTTP2_HEAD_LEN);
    feed_u32_frame(&server, FRAME_WINDOW_UPDATE, 1, 1000000);
    assert_int_equal(drain(&server).len, 0); /* the connection's is exhausted */
    feed_u32_frame(&server, FRAME_WINDOW_UPDATE, 0, 1000000);
    drain(&server);
    assert_log(&server, "headers 1\nend 1\nsent 1\n");
    close_end(&server);
}

static void a_window_may_become_negative(void **state)
{
    (void)state;
    struct end server = open_server();
    static char body[100000];
    feed_request(&server, 1, true);
    feed_u32_frame(&server, FRAME_WINDOW_UPDATE, 0, 1000000);
    http2_send_data(server.h2, server.last, STR(""), (str){ body, sizeof(body) }, true);
    drain(&server);
    assert_int_equal(http2_send_window(server.h2, server.last), 0);
    feed_setting(&server, 4, 100);
    assert_int_equal(http2_send_window(server.h2, server.last), 100 - 65535);
    feed_u32_frame(&server, FRAME_WINDOW_UPDATE, 1, 65535 - 100);
    assert_int_equal(http2_send_window(server.h2, server.last), 0);
    drain(&server);
    feed_setting(&server, 4, 100 + 34465);
    drain(&server);
    assert_log(&server, "headers 1\nend 1\nclosed 1 0/0\n");
    close_end(&server);
}

/* Two frames that are read at once do what they do one after the other. */
static void a_window_that_is_too_large_for_a_moment_ends_the_connection(void **state)
{
    (void)state;
    struct end server = open_server();
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    feed_request(&server, 1, true);
    feed_u32_frame(&server, FRAME_WINDOW_UPDATE, 1, 1);
    add_setting(&bytes, SETTING_WINDOW, HTTP2_LARGEST_WINDOW);
    add_setting(&bytes, SETTING_WINDOW, 65535);
    feed(&server, strbuf_str(&bytes));
    assert_true(http2_is_broken(server.h2));
    assert_true(has_goaway(drain(&server), HTTP2_FLOW_CONTROL_ERROR));
    close_end(&server);
}

static void a_stream_that_lost_its_window_goes_to_the_end_of_the_line(void **state)
{
    (void)state;
    struct end server = open_server();
    static char body[100000];
    struct http2_frame frame;
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    feed_request(&server, 1, true);
    http2_send_data(server.h2, server.last, STR(""), (str){ body, sizeof(body) }, true);
    feed_request(&server, 3, true);
    http2_send_data(server.h2, server.last, STR(""), (str){ body, sizeof(body) }, true);
    drain(&server); /* both wait for the connection */
    add_setting(&bytes, SETTING_WINDOW, 0);
    add_u32_frame(&bytes, FRAME_WINDOW_UPDATE, 3, 1);
    add_setting(&bytes, SETTING_WINDOW, 1 << 20);
    add_u32_frame(&bytes, FRAME_WINDOW_UPDATE, 0, 1 << 20);
    feed(&server, strbuf_str(&bytes));
    str sent = drain(&server);
    take_frame(&sent, &frame);
    take_frame(&sent, &frame); /* two acknowledgements */
    take_frame(&sent, &frame);
    assert_int_equal(frame.type, FRAME_DATA);
    assert_int_equal(frame.id, 3);
    close_end(&server);
}

static void acknowledgements_do_not_wait_for_bodies(void **state)
{
    (void)state;
    struct end server = open_server();
    static char body[500000];
    feed_request(&server, 1, true);
    http2_send_data(server.h2, server.last, STR(""), (str){ body, sizeof(body) }, true);
    feed_frame(&server, FRAME_PING, 0, 0, STR("12345678"));
    feed_setting(&server, 5, 65536);
    str bytes = drain(&server);
    struct http2_frame frame;
    bool has_ping = false, has_settings = false;
    while (bytes.len) {
        str payload = take_frame(&bytes, &frame);
        has_ping = has_ping
                   || (frame.type == FRAME_PING && frame.flags == FLAG_ACK
                       && str_equal(payload, STR("12345678")));
        has_settings = has_settings || (frame.type == FRAME_SETTINGS && frame.flags == FLAG_ACK);
    }
    assert_true(has_ping && has_settings);
    close_end(&server);
}

static void a_large_block_is_continued(void **state)
{
    (void)state;
    struct end client = open_end(HTTP2_CLIENT), server = open_end(HTTP2_SERVER);
    CLEANUP(strbuf_release) struct strbuf block = { 0 };
    CLEANUP(strbuf_release) struct strbuf value = { 0 };
    strbuf_add_repeated(&value, 'v', 100000);
    http2_send_headers(client.h2, http2_start(client.h2, NULL), REQUEST, true);
    feed(&server, drain(&client));
    assert_log(&server, "headers 1\nend 1\n");
    hpack_add_known(&block, HPACK_STATUS_200);
    hpack_add(&block, STR("large"), strbuf_str(&value));
    http2_send_headers(server.h2, server.last, strbuf_str(&block), true);
    feed(&client, drain(&server));
    assert_log(&client, "headers 1\nend 1\nclosed 1 0/0\n");
    assert_true(client.list_size > 100000);
    assert_true(client.h2->headers.text.capacity < 100000); /* and the memory is given back */
    close_end(&client);
    close_end(&server);
}

static void a_smaller_table_is_acknowledged_in_the_next_block(void **state)
{
    (void)state;
    struct end server = open_server();
    feed_setting(&server, 1, 0);
    feed_request(&server, 1, true);
    drain(&server);
    http2_send_headers(server.h2, server.last, BYTES("\x88"), true);
    str bytes = drain(&server);
    struct http2_frame frame;
    assert_str_equal(take_frame(&bytes, &frame), BYTES("\x20\x88"));
    close_end(&server);
}

/* --- receiving --- */

static void room_is_given_back_by_the_quarter(void **state)
{
    (void)state;
    struct end server = open_server();
    static char body[HTTP2_MAX_FRAME];
    feed_request(&server, 1, false);
    drain(&server);
    for (int i = 0; i < 63; i++)
        feed_frame(&server, FRAME_DATA, 0, 1, (str){ body, sizeof(body) });
    assert_int_equal(drain(&server).len, 0);
    feed_frame(&server, FRAME_DATA, 0, 1, (str){ body, sizeof(body) });
    assert_true(has_frame(drain(&server), FRAME_WINDOW_UPDATE, 1, HTTP2_STREAM_WINDOW / 4));
    close_end(&server);
}

static void a_peer_that_ignores_the_window_of_a_stream_loses_it(void **state)
{
    (void)state;
    struct end server = open_server();
    static char body[HTTP2_MAX_FRAME];
    server.consumes = false;
    feed_request(&server, 1, false);
    for (int i = 0; i < HTTP2_STREAM_WINDOW / HTTP2_MAX_FRAME; i++)
        feed_frame(&server, FRAME_DATA, 0, 1, (str){ body, sizeof(body) });
    assert_log(&server, "headers 1\n");
    feed_frame(&server, FRAME_DATA, 0, 1, STR("x"));
    assert_log(&server, "closed 1 2/3\n");
    assert_true(has_frame(drain(&server), FRAME_RST_STREAM, 1, HTTP2_FLOW_CONTROL_ERROR));
    assert_false(http2_is_broken(server.h2));
    close_end(&server);
}

static void a_peer_that_ignores_the_window_of_the_connection_loses_it(void **state)
{
    (void)state;
    struct end server = open_server();
    static char body[HTTP2_MAX_FRAME];
    server.consumes = false;
    for (uint32_t id = 1; id <= 9; id += 2)
        feed_request(&server, id, false);
    for (uint32_t i = 0; i < HTTP2_CONNECTION_WINDOW / HTTP2_MAX_FRAME; i++)
        feed_frame(&server, FRAME_DATA, 0, 1 + 2 * (i % 5), (str){ body, sizeof(body) });
    assert_false(http2_is_broken(server.h2));
    feed_frame(&server, FRAME_DATA, 0, 1, STR("x"));
    assert_true(http2_is_broken(server.h2));
    assert_true(has_goaway(drain(&server), HTTP2_FLOW_CONTROL_ERROR));
    close_end(&server);
}

static void the_room_of_a_closed_stream_returns_to_the_connection(void **state)
{
    (void)state;
    struct end server = open_server();
    static char body[HTTP2_MAX_FRAME];
    server.consumes = false;
    for (uint32_t id = 1; id < 40; id += 2) { /* 40 MB in all */
        feed_request(&server, id, false);
        for (int i = 0; i < 128; i++)
            feed_frame(&server, FRAME_DATA, 0, id, (str){ body, sizeof(body) });
        feed_u32_frame(&server, FRAME_RST_STREAM, id, HTTP2_CANCEL);
    }
    assert_false(http2_is_broken(server.h2));
    close_end(&server);
}

static void padding_counts_for_the_window_but_not_for_the_body(void **state)
{
    (void)state;
    struct end server = open_server();
    feed_request(&server, 1, false);
    feed_frame(&server, FRAME_DATA, FLAG_PADDED | FLAG_END_STREAM, 1,
               BYTES("\x05"
                     "ab\0\0\0\0\0"));
    assert_int_equal(server.received, 2);
    assert_int_equal(server.last->receive_window, HTTP2_STREAM_WINDOW - 8);
    assert_int_equal(server.last->unannounced, 8);
    close_end(&server);
}

static void late_frames_of_a_reset_stream_are_ignored(void **state)
{
    (void)state;
    struct end client = open_client();
    struct http2_stream *stream = http2_start(client.h2, NULL);
    http2_send_headers(client.h2, stream, REQUEST, true);
    http2_reset(client.h2, stream, HTTP2_CANCEL);
    feed_frame(&client, FRAME_HEADERS, FLAG_END_HEADERS, 1, BYTES("\x88"));
    feed_frame(&client, FRAME_DATA, 0, 1, STR("late"));
    feed_u32_frame(&client, FRAME_WINDOW_UPDATE, 1, 7);
    feed_u32_frame(&client, FRAME_RST_STREAM, 1, HTTP2_NO_ERROR);
    assert_log(&client, "");
    assert_false(http2_is_broken(client.h2));
    assert_int_equal(client.h2->unannounced, 4);
    close_end(&client);
}

static void an_interim_answer_is_skipped(void **state)
{
    (void)state;
    struct end client = open_client();
    http2_send_headers(client.h2, http2_start(client.h2, NULL), REQUEST, true);
    feed_frame(&client, FRAME_HEADERS, FLAG_END_HEADERS, 1,
               BYTES("\x08\x03"
                     "103"));
    feed_frame(&client, FRAME_HEADERS, FLAG_END_HEADERS, 1, BYTES("\x88"));
    assert_log(&client, "headers 1\n");
    close_end(&client);
}

/* --- ends --- */

static void a_server_that_has_answered_does_not_want_the_rest(void **state)
{
    (void)state;
    struct end server = open_server();
    feed_request(&server, 1, false);
    http2_send_headers(server.h2, server.last, BYTES("\x88"), true);
    assert_true(has_frame(drain(&server), FRAME_RST_STREAM, 1, HTTP2_NO_ERROR));
    assert_log(&server, "headers 1\nclosed 1 0/0\n");
    feed_frame(&server, FRAME_DATA, FLAG_END_STREAM, 1, STR("rest"));
    assert_int_equal(drain(&server).len, 0);
    close_end(&server);
}

static void goaway_closes_what_the_peer_will_not_look_at(void **state)
{
    (void)state;
    struct end client = open_client();
    for (int i = 0; i < 3; i++)
        http2_send_headers(client.h2, http2_start(client.h2, NULL), REQUEST, true);
    feed_frame(&client, FRAME_GOAWAY, 0, 0, BYTES("\x7f\xff\xff\xff\0\0\0\0graceful"));
    assert_log(&client, "");
    assert_false(http2_can_start(client.h2));
    feed_frame(&client, FRAME_GOAWAY, 0, 0, BYTES("\0\0\0\x03\0\0\0\0"));
    assert_log(&client, "closed 5 3/0\n");
    assert_false(http2_is_drained(client.h2));
    feed_frame(&client, FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM, 1, BYTES("\x88"));
    feed_frame(&client, FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM, 3, BYTES("\x88"));
    assert_true(http2_is_drained(client.h2));
    close_end(&client);
}

static void new_streams_are_refused_after_our_goodbye(void **state)
{
    (void)state;
    struct end server = open_server();
    feed_request(&server, 1, false);
    http2_go_away(server.h2);
    feed_request(&server, 3, true);
    assert_log(&server, "headers 1\n");
    assert_true(has_frame(drain(&server), FRAME_RST_STREAM, 3, HTTP2_REFUSED_STREAM));
    close_end(&server);
}

static void the_limit_of_the_peer_is_kept(void **state)
{
    (void)state;
    struct end client = open_client();
    feed_setting(&client, 3, 2);
    for (int i = 0; i < 2; i++)
        http2_send_headers(client.h2, http2_start(client.h2, NULL), REQUEST, true);
    assert_false(http2_can_start(client.h2));
    feed_u32_frame(&client, FRAME_RST_STREAM, 1, HTTP2_NO_ERROR);
    assert_true(http2_can_start(client.h2));
    close_end(&client);
}

static void a_loss_closes_everything_once(void **state)
{
    (void)state;
    struct end server = open_server();
    feed_request(&server, 1, false);
    feed_request(&server, 3, true);
    http2_lose(server.h2);
    feed(&server, STR("ignored"));
    http2_lose(server.h2);
    feed(&server, STR(""));
    strbuf_clear(&server.log);
    feed(&server, STR(""));
    assert_log(&server, "");
    assert_int_equal(server.h2->stream_count, 0);
    close_end(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_sent_at_once),
        cmocka_unit_test(two_ends_understand_each_other),
        cmocka_unit_test(other_protocols_are_refused),
        cmocka_unit_test(streams_take_turns_frame_by_frame),
        cmocka_unit_test(a_body_waits_for_both_windows),
        cmocka_unit_test(a_window_may_become_negative),
        cmocka_unit_test(a_window_that_is_too_large_for_a_moment_ends_the_connection),
        cmocka_unit_test(a_stream_that_lost_its_window_goes_to_the_end_of_the_line),
        cmocka_unit_test(acknowledgements_do_not_wait_for_bodies),
        cmocka_unit_test(a_large_block_is_continued),
        cmocka_unit_test(a_smaller_table_is_acknowledged_in_the_next_block),
        cmocka_unit_test(room_is_given_back_by_the_quarter),
        cmocka_unit_test(a_peer_that_ignores_the_window_of_a_stream_loses_it),
        cmocka_unit_test(a_peer_that_ignores_the_window_of_the_connection_loses_it),
        cmocka_unit_test(the_room_of_a_closed_stream_returns_to_the_connection),
        cmocka_unit_test(padding_counts_for_the_window_but_not_for_the_body),
        cmocka_unit_test(late_frames_of_a_reset_stream_are_ignored),
        cmocka_unit_test(an_interim_answer_is_skipped),
        cmocka_unit_test(a_server_that_has_answered_does_not_want_the_rest),
        cmocka_unit_test(goaway_closes_what_the_peer_will_not_look_at),
        cmocka_unit_test(new_streams_are_refused_after_our_goodbye),
        cmocka_unit_test(the_limit_of_the_peer_is_kept),
        cmocka_unit_test(a_loss_closes_everything_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
