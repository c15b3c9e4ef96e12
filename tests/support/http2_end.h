/* http2_end.h — one end of a connection for tests: fed with frames, it logs its events and gives
 * its output. */
#pragma once

#include "support/http2_bytes.h"

struct end {
    struct http2 *h2;
    struct strbuf output;
    struct strbuf log; /* events, one a line */
    size_t received;
    size_t list_size; /* of the last headers */
    bool consumes;    /* gives the room of data back */
    struct http2_stream *last;
};

static inline void note(struct end *end, const struct http2_event *event)
{
    static const char *const names[] = { "headers", "data", "end", "sent", "closed" };
    end->last = event->stream;
    if (event->kind == HTTP2_DATA) {
        end->received += event->bytes.len;
        if (end->consumes)
            http2_consume(end->h2, event->stream, event->bytes.len);
        return;
    }
    if (event->kind == HTTP2_HEADERS)
        end->list_size = event->headers->size;
    strbuf_printf(&end->log, "%s %u", event->is_trailers ? "trailers" : names[event->kind],
                  event->stream->id);
    if (event->kind == HTTP2_CLOSED)
        strbuf_printf(&end->log, " %d/%d", event->cause, event->code);
    strbuf_add_char(&end->log, '\n');
}

static inline void feed(struct end *end, str bytes)
{
    struct http2_event event;
    http2_feed(end->h2, bytes);
    while (http2_next(end->h2, &event))
        note(end, &event);
}

/* All output at present. */
static inline str drain(struct end *end)
{
    struct strbuf part = { 0 };
    struct http2_event event;
    strbuf_clear(&end->output);
    while (http2_take_output(end->h2, &part)) {
        strbuf_add(&end->output, strbuf_str(&part));
        strbuf_clear(&part);
    }
    strbuf_release(&part);
    while (http2_next(end->h2, &event))
        note(end, &event);
    return strbuf_str(&end->output);
}

static inline struct end open_end(enum http2_role role)
{
    return (struct end){ .h2 = http2_new(role), .consumes = true };
}

static inline void close_end(struct end *end)
{
    http2_free(end->h2);
    strbuf_release(&end->output);
    strbuf_release(&end->log);
}

static inline void assert_log(struct end *end, const char *wanted)
{
    assert_str_equal(strbuf_str(&end->log), str_from(wanted));
    strbuf_clear(&end->log);
}

/* A server whose peer has introduced itself. */
static inline struct end open_server(void)
{
    struct end server = open_end(HTTP2_SERVER);
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    strbuf_add(&bytes, STR(HTTP2_PREFACE));
    add_frame(&bytes, FRAME_SETTINGS, 0, 0, STR(""));
    feed(&server, strbuf_str(&bytes));
    drain(&server);
    return server;
}

static inline struct end open_client(void)
{
    struct end client = open_end(HTTP2_CLIENT);
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    add_frame(&bytes, FRAME_SETTINGS, 0, 0, STR(""));
    feed(&client, strbuf_str(&bytes));
    drain(&client);
    return client;
}

static inline void feed_frame(struct end *end, uint8_t type, uint8_t flags, uint32_t id,
                              str payload)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    add_frame(&bytes, type, flags, id, payload);
    feed(end, strbuf_str(&bytes));
}

static inline void feed_u32_frame(struct end *end, uint8_t type, uint32_t id, uint32_t number)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    add_u32_frame(&bytes, type, id, number);
    feed(end, strbuf_str(&bytes));
}

static inline void feed_setting(struct end *end, uint8_t id, uint32_t value)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    add_setting(&bytes, id, value);
    feed(end, strbuf_str(&bytes));
}

static inline void feed_request(struct end *server, uint32_t id, bool is_end)
{
    feed_frame(server, FRAME_HEADERS, (uint8_t)(FLAG_END_HEADERS | (is_end ? FLAG_END_STREAM : 0)),
               id, REQUEST);
}
