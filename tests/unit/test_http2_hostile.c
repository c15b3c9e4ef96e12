/* test_http2_hostile.c — what a connection does to a peer that breaks the rules or has no end. */
#include "support/http2_end.h"

static void a_flood_of_pings_that_is_not_read_ends_the_connection(void **state)
{
    (void)state;
    struct end server = open_server();
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    for (int i = 0; i < 1000; i++)
        add_frame(&bytes, FRAME_PING, 0, 0, STR("12345678"));
    for (int i = 0; i < 2000 && !http2_is_broken(server.h2); i++) {
        feed(&server, strbuf_str(&bytes));
        assert_true(server.h2->output.len <= HTTP2_MAX_OWED + 100);
    }
    assert_true(http2_is_broken(server.h2));
    close_end(&server);
}

static void a_flood_of_empty_frames_ends_the_connection(void **state)
{
    (void)state;
    struct end server = open_server();
    feed_request(&server, 1, false);
    for (int i = 0; i <= HTTP2_MAX_IDLE_FRAMES; i++)
        feed_frame(&server, FRAME_DATA, 0, 1, STR(""));
    assert_true(has_goaway(drain(&server), HTTP2_ENHANCE_YOUR_CALM));
    close_end(&server);
}

static void a_flood_of_continuations_ends_the_connection(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, HTTP2_MAX_FRAME };
    static char part[HTTP2_MAX_FRAME];
    for (size_t k = 0; k < 2; k++) {
        struct end server = open_server();
        feed_frame(&server, FRAME_HEADERS, 0, 1, STR(""));
        for (int i = 0; i <= HTTP2_MAX_IDLE_FRAMES && !http2_is_broken(server.h2); i++)
            feed_frame(&server, FRAME_CONTINUATION, 0, 1, (str){ part, sizes[k] });
        assert_true(server.h2->block.len <= HTTP2_MAX_BLOCK);
        assert_true(has_goaway(drain(&server), HTTP2_ENHANCE_YOUR_CALM));
        close_end(&server);
    }
}

static void a_header_list_that_is_too_large_costs_only_its_stream(void **state)
{
    (void)state;
    struct end server = open_server();
    CLEANUP(strbuf_release) struct strbuf block = { 0 };
    CLEANUP(strbuf_release) struct strbuf value = { 0 };
    strbuf_add_repeated(&value, 'v', HTTP2_MAX_HEADER_LIST);
    strbuf_add(&block, REQUEST);
    hpack_add(&block, STR("large"), strbuf_str(&value));
    str left = strbuf_str(&block);
    feed_frame(&server, FRAME_HEADERS, FLAG_END_STREAM, 1, STR(""));
    while (left.len) {
        str part = str_slice(left, 0, HTTP2_MAX_FRAME);
        left = str_slice(left, part.len, left.len);
        feed_frame(&server, FRAME_CONTINUATION, left.len ? 0 : FLAG_END_HEADERS, 1, part);
    }
    assert_log(&server, "");
    assert_true(has_frame(drain(&server), FRAME_RST_STREAM, 1, HTTP2_ENHANCE_YOUR_CALM));
    feed_request(&server, 3, true);
    assert_log(&server, "headers 3\nend 3\n");
    close_end(&server);
}

static void the_number_of_streams_is_limited(void **state)
{
    (void)state;
    struct end server = open_server();
    uint32_t id = 1;
    for (; id < 2 * HTTP2_MAX_STREAMS; id += 2)
        feed_request(&server, id, false);
    assert_int_equal(http2_stream_count(server.h2), HTTP2_MAX_STREAMS);
    drain(&server);
    feed_request(&server, id, false);
    assert_true(has_frame(drain(&server), FRAME_RST_STREAM, id, HTTP2_REFUSED_STREAM));
    close_end(&server);
}

static void violations_end_the_connection_with_the_right_code(void **state)
{
    (void)state;
    static char large[HTTP2_MAX_FRAME + 1];
    const struct {
        uint8_t type, flags;
        uint32_t id;
        str payload;
        enum http2_code code;
    } cases[] = {
        { FRAME_DATA, 0, 0, STR("x"), HTTP2_PROTOCOL_ERROR },
        { FRAME_DATA, 0, 9, STR("x"), HTTP2_PROTOCOL_ERROR },
        { FRAME_DATA, FLAG_PADDED, 1, STR(""), HTTP2_PROTOCOL_ERROR },
        { FRAME_DATA, FLAG_PADDED, 1, BYTES("\x01"), HTTP2_PROTOCOL_ERROR },
        { FRAME_DATA, 0, 1, { large, sizeof(large) }, HTTP2_FRAME_SIZE_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS, 0, REQUEST, HTTP2_PROTOCOL_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS, 2, REQUEST, HTTP2_PROTOCOL_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS, 5, BYTES("\xff"), HTTP2_COMPRESSION_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS | FLAG_PADDED, 5, BYTES("\x09\x82"),
          HTTP2_PROTOCOL_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS | FLAG_PRIORITY, 5, BYTES("\0\0\0"),
          HTTP2_PROTOCOL_ERROR },
        { FRAME_PRIORITY, 0, 1, STR("x"), HTTP2_FRAME_SIZE_ERROR },
        { FRAME_PRIORITY, 0, 1, BYTES("\0\0\0\x01\0"), HTTP2_PROTOCOL_ERROR },
        { FRAME_RST_STREAM, 0, 0, BYTES("\0\0\0\0"), HTTP2_PROTOCOL_ERROR },
        { FRAME_RST_STREAM, 0, 9, BYTES("\0\0\0\0"), HTTP2_PROTOCOL_ERROR },
        { FRAME_RST_STREAM, 0, 1, STR("x"), HTTP2_FRAME_SIZE_ERROR },
        { FRAME_SETTINGS, 0, 1, STR(""), HTTP2_PROTOCOL_ERROR },
        { FRAME_SETTINGS, 0, 0, STR("x"), HTTP2_FRAME_SIZE_ERROR },
        { FRAME_SETTINGS, FLAG_ACK, 0, STR("123456"), HTTP2_FRAME_SIZE_ERROR },
        { FRAME_SETTINGS, 0, 0, BYTES("\0\x02\0\0\0\x02"), HTTP2_PROTOCOL_ERROR },
        { FRAME_SETTINGS, 0, 0, BYTES("\0\x04\x80\0\0\0"), HTTP2_FLOW_CONTROL_ERROR },
        { FRAME_SETTINGS, 0, 0, BYTES("\0\x05\0\0\0\x01"), HTTP2_PROTOCOL_ERROR },
        { FRAME_PUSH_PROMISE, 0, 1, STR("1234"), HTTP2_PROTOCOL_ERROR },
        { FRAME_PING, 0, 1, STR("12345678"), HTTP2_PROTOCOL_ERROR },
        { FRAME_PING, 0, 0, STR("x"), HTTP2_FRAME_SIZE_ERROR },
        { FRAME_GOAWAY, 0, 0, STR("x"), HTTP2_FRAME_SIZE_ERROR },
        { FRAME_WINDOW_UPDATE, 0, 0, BYTES("\0\0\0\0"), HTTP2_PROTOCOL_ERROR },
        { FRAME_WINDOW_UPDATE, 0, 0, BYTES("\x7f\xff\xff\xff"), HTTP2_FLOW_CONTROL_ERROR },
        { FRAME_WINDOW_UPDATE, 0, 9, BYTES("\0\0\0\x01"), HTTP2_PROTOCOL_ERROR },
        { FRAME_CONTINUATION, FLAG_END_HEADERS, 1, STR(""), HTTP2_PROTOCOL_ERROR },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct end server = open_server();
        feed_request(&server, 1, false);
        drain(&server);
        feed_frame(&server, cases[i].type, cases[i].flags, cases[i].id, cases[i].payload);
        if (!has_goaway(drain(&server), cases[i].code))
            fail_msg("case %zu", i);
        assert_log(&server, "headers 1\nclosed 1 4/0\n");
        close_end(&server);
    }
}

static void violations_of_a_stream_end_the_stream(void **state)
{
    (void)state;
    const struct {
        uint8_t type, flags;
        str payload;
        enum http2_code code;
    } cases[] = {
        { FRAME_WINDOW_UPDATE, 0, BYTES("\0\0\0\0"), HTTP2_PROTOCOL_ERROR },
        { FRAME_WINDOW_UPDATE, 0, BYTES("\x7f\xff\xff\xff"), HTTP2_FLOW_CONTROL_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS,
          BYTES("\x00\x01"
                "a\x01"
                "b"),
          HTTP2_PROTOCOL_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM, BYTES("\x83"), HTTP2_PROTOCOL_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM,
          BYTES("\x00\x01"
                "A\x01"
                "b"),
          HTTP2_PROTOCOL_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM,
          BYTES("\x00\x01"
                "a\x01\n"),
          HTTP2_PROTOCOL_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM,
          BYTES("\x00\x02te\x01"
                "b"),
          HTTP2_PROTOCOL_ERROR },
        { FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM,
          BYTES("\x00\x07upgrade\x01"
                "b"),
          HTTP2_PROTOCOL_ERROR },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct end server = open_server();
        feed_request(&server, 1, false);
        drain(&server);
        feed_frame(&server, cases[i].type, cases[i].flags, 1, cases[i].payload);
        if (!has_frame(drain(&server), FRAME_RST_STREAM, 1, cases[i].code))
            fail_msg("case %zu", i);
        assert_false(http2_is_broken(server.h2));
        close_end(&server);
    }
}

static void the_first_frame_must_be_settings(void **state)
{
    (void)state;
    struct end server = open_end(HTTP2_SERVER);
    drain(&server);
    feed(&server, STR(HTTP2_PREFACE));
    feed_frame(&server, FRAME_PING, 0, 0, STR("12345678"));
    assert_true(has_goaway(drain(&server), HTTP2_PROTOCOL_ERROR));
    close_end(&server);
}

static void a_body_has_the_length_it_announces(void **state)
{
    (void)state;
    static const struct {
        str length, body;
        bool is_right;
    } cases[] = {
        { STR_INIT("3"), STR_INIT("abc"), true },   { STR_INIT("3"), STR_INIT("ab"), false },
        { STR_INIT("3"), STR_INIT("abcd"), false }, { STR_INIT("x"), STR_INIT("abc"), false },
        { STR_INIT("0"), STR_INIT(""), true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct end server = open_server();
        CLEANUP(strbuf_release) struct strbuf block = { 0 };
        strbuf_add(&block, REQUEST);
        hpack_add(&block, STR("content-length"), cases[i].length);
        feed_frame(&server, FRAME_HEADERS, FLAG_END_HEADERS, 1, strbuf_str(&block));
        feed_frame(&server, FRAME_DATA, FLAG_END_STREAM, 1, cases[i].body);
        assert_int_equal(!has_frame(drain(&server), FRAME_RST_STREAM, 1, HTTP2_PROTOCOL_ERROR),
                         cases[i].is_right);
        close_end(&server);
    }
}

static void frames_on_ended_streams_are_told(void **state)
{
    (void)state;
    struct end server = open_server();
    feed_request(&server, 1, true);
    feed_frame(&server, FRAME_DATA, 0, 1, STR("more")); /* half-closed */
    assert_true(has_frame(drain(&server), FRAME_RST_STREAM, 1, HTTP2_STREAM_CLOSED));
    feed_request(&server, 3, true);
    http2_send_headers(server.h2, server.last, BYTES("\x88"), true);
    feed_frame(&server, FRAME_DATA, 0, 3, STR("more")); /* closed */
    assert_true(has_frame(drain(&server), FRAME_RST_STREAM, 3, HTTP2_STREAM_CLOSED));
    feed_request(&server, 5, true);
    http2_send_headers(server.h2, server.last, BYTES("\x88"), true);
    feed_request(&server, 5, true);
    assert_true(has_goaway(drain(&server), HTTP2_STREAM_CLOSED));
    close_end(&server);
}

static void an_answer_must_begin_with_headers(void **state)
{
    (void)state;
    struct end client = open_client();
    http2_send_headers(client.h2, http2_start(client.h2, NULL), REQUEST, true);
    feed_frame(&client, FRAME_DATA, 0, 1, STR("body"));
    assert_log(&client, "closed 1 2/1\n");
    close_end(&client);
}

static void unknown_frames_are_ignored(void **state)
{
    (void)state;
    struct end server = open_server();
    feed_frame(&server, 0x77, 0xff, 9, STR("whatever"));
    feed_request(&server, 1, true);
    assert_log(&server, "headers 1\nend 1\n");
    close_end(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flood_of_pings_that_is_not_read_ends_the_connection),
        cmocka_unit_test(a_flood_of_empty_frames_ends_the_connection),
        cmocka_unit_test(a_flood_of_continuations_ends_the_connection),
        cmocka_unit_test(a_header_list_that_is_too_large_costs_only_its_stream),
        cmocka_unit_test(the_number_of_streams_is_limited),
        cmocka_unit_test(violations_end_the_connection_with_the_right_code),
        cmocka_unit_test(violations_of_a_stream_end_the_stream),
        cmocka_unit_test(the_first_frame_must_be_settings),
        cmocka_unit_test(a_body_has_the_length_it_announces),
        cmocka_unit_test(frames_on_ended_streams_are_told),
        cmocka_unit_test(an_answer_must_begin_with_headers),
        cmocka_unit_test(unknown_frames_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
