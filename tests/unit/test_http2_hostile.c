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
        assert_true(server.h2->block.len <= HTTP2_MAX_REQUEST_BLOCK);
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
    strbuf_add_repeated(&value, 'v', HTTP2_MAX_REQUEST_LIST);
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

/* One byte of the block stands for a field of 4,000. */
static void a_header_bomb_is_not_unfolded(void **state)
{
    (void)state;
    struct end server = open_server();
    CLEANUP(strbuf_release) struct strbuf block = { 0 };
    CLEANUP(strbuf_release) struct strbuf field = { 0 };
    strbuf_add(&block, REQUEST);
    strbuf_add(&block, BYTES("\x40\x01x\x7f\xa1\x1e")); /* indexed; x; 4000 bytes follow */
    strbuf_add_repeated(&block, 'v', 4000);
    feed_frame(&server, FRAME_HEADERS, FLAG_END_HEADERS | FLAG_END_STREAM, 1, strbuf_str(&block));
    assert_log(&server, "headers 1\nend 1\n");
    strbuf_add(&field, REQUEST);
    strbuf_add_repeated(&field, '\xbe', HTTP2_MAX_FRAME - REQUEST.len);
    for (uint32_t id = 3; id < 200; id += 2) {
        feed_frame(&server, FRAME_HEADERS, FLAG_END_HEADERS, id, strbuf_str(&field));
        assert_true(server.h2->headers.text.len <= HTTP2_MAX_REQUEST_LIST);
        assert_true(server.h2->headers.text.capacity <= 4 * HTTP2_MAX_REQUEST_LIST);
        assert_true(has_frame(drain(&server), FRAME_RST_STREAM, id, HTTP2_ENHANCE_YOUR_CALM));
    }
    assert_int_equal(server.h2->stream_count, 1);
    feed_request(&server, 201, true); /* the table is still right */
    assert_log(&server, "headers 201\nend 201\n");
    close_end(&server);
}

/* Streams that all wait for room, so that a larger window concerns each of them. */
static struct end open_blocked_server(uint32_t count, str body)
{
    struct end server = open_server();

    feed_setting(&server, SETTING_WINDOW, 0);
    feed_u32_frame(&server, FRAME_WINDOW_UPDATE, 0, 1 << 30);
    for (uint32_t id = 1; id < 2 * count; id += 2) {
        feed_request(&server, id, true);
        http2_send_data(server.h2, server.last, STR(""), body, true);
    }
    drain(&server);
    strbuf_clear(&server.log);
    return server;
}

static void add_window_settings(struct strbuf *payload, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_add(payload, BYTES("\0\x04"));
        strbuf_add(payload, i % 2 ? BYTES("\0\0\0\x05") : BYTES("\0\0\xff\xff"));
    }
}

/* Looking at all streams for each entry would take seconds, and everybody else would wait. */
static void streams_are_looked_at_once_for_all_the_entries_of_a_frame(void **state)
{
    (void)state;
    enum { STREAMS = 3000, FRAMES = 20, ENTRIES = 2730 };
    struct end server = open_blocked_server(STREAMS, STR("0123456789"));
    CLEANUP(strbuf_release) struct strbuf payload = { 0 };
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    size_t cost = server.h2->settings_cost;

    add_window_settings(&payload, ENTRIES);
    for (int i = 0; i < FRAMES; i++)
        add_frame(&bytes, FRAME_SETTINGS, 0, 0, strbuf_str(&payload));
    feed(&server, strbuf_str(&bytes));
    assert_false(http2_is_broken(server.h2));
    assert_true(server.h2->settings_cost - cost <= FRAMES + STREAMS / 64);
    drain(&server);
    assert_int_equal(server.last->body.len, 5); /* the last entry holds */
    close_end(&server);
}

static void a_flood_of_settings_ends_the_connection(void **state)
{
    (void)state;
    struct end server = open_blocked_server(3000, STR("0123456789"));
    uint32_t frames = 0;
    for (; frames < 1000 && !http2_is_broken(server.h2); frames++) {
        feed_setting(&server, SETTING_WINDOW, frames % 2);
        feed_frame(&server, FRAME_PING, 0, 0, STR("12345678"));
    }
    assert_true(frames < 1000);
    assert_true(has_goaway(drain(&server), HTTP2_ENHANCE_YOUR_CALM));
    close_end(&server);
}

static void a_flood_of_goodbyes_ends_the_connection(void **state)
{
    (void)state;
    enum { STREAMS = 3000 };
    struct end client = open_client();
    uint32_t frames = 0;
    char payload[8] = { 0 };
    for (uint32_t i = 0; i < STREAMS; i++)
        http2_send_headers(client.h2, http2_start(client.h2, NULL), REQUEST, true);
    for (; frames < 1000 && !http2_is_broken(client.h2); frames++) {
        http2_put_u32(payload, 2 * STREAMS - 2 * frames - 1);
        feed_frame(&client, FRAME_GOAWAY, 0, 0, (str){ payload, sizeof(payload) });
    }
    assert_true(frames > 10 && frames < 1000);
    assert_true(has_goaway(drain(&client), HTTP2_ENHANCE_YOUR_CALM));
    close_end(&client);
}

static void settings_between_requests_are_fine(void **state)
{
    (void)state;
    struct end server = open_server();
    for (uint32_t i = 0; i < 2 * HTTP2_MAX_SETTINGS_COST; i++) {
        feed_request(&server, 2 * i + 1, true);
        http2_reset(server.h2, server.last, HTTP2_NO_ERROR);
        feed_setting(&server, SETTING_WINDOW, 1000 + i % 2);
        drain(&server);
    }
    assert_false(http2_is_broken(server.h2));
    close_end(&server);
}

static void frames_for_streams_that_are_gone_end_the_connection(void **state)
{
    (void)state;
    static const struct {
        uint8_t type;
        str payload;
    } cases[] = {
        { FRAME_RST_STREAM, STR_INIT("\0\0\0\x08") },
        { FRAME_WINDOW_UPDATE, STR_INIT("\0\0\0\x08") },
        { FRAME_PRIORITY, STR_INIT("\0\0\0\0\x08") },
        { 0x77, STR_INIT("whatever") },
    };
    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        struct end server = open_server();
        feed_request(&server, 1, true);
        http2_reset(server.h2, server.last, HTTP2_CANCEL);
        for (int i = 0; i <= HTTP2_MAX_IDLE_FRAMES; i++)
            feed_frame(&server, cases[k].type, 0, 1, cases[k].payload);
        assert_true(has_goaway(drain(&server), HTTP2_ENHANCE_YOUR_CALM));
        close_end(&server);
    }
}

static void the_number_of_streams_is_limited(void **state)
{
    (void)state;
    struct end server = open_server();
    uint32_t id = 1;
    for (; id < 2 * HTTP2_MAX_STREAMS; id += 2)
        feed_request(&server, id, false);
    assert_int_equal(server.h2->stream_count, HTTP2_MAX_STREAMS);
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
        cmocka_unit_test(a_header_bomb_is_not_unfolded),
        cmocka_unit_test(streams_are_looked_at_once_for_all_the_entries_of_a_frame),
        cmocka_unit_test(a_flood_of_settings_ends_the_connection),
        cmocka_unit_test(a_flood_of_goodbyes_ends_the_connection),
        cmocka_unit_test(settings_between_requests_are_fine),
        cmocka_unit_test(frames_for_streams_that_are_gone_end_the_connection),
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
