/* http2_send.c — frames out: answers to the peer at once, bodies as flow control permits, one frame
 * in turn for each stream. */
#include "rpc/http2_internal.h"

#include "base/error.h"
#include "base/memory.h"

enum { KEPT_OUTPUT = 1024 * 1024 };

static void break_off(struct http2 *h2)
{
    h2->is_broken = true;
    h2->input = (str){ 0 };
    http2_close_above(h2, 0, HTTP2_BY_LOSS);
}

/* Room for a frame's payload, behind its head; NULL when nothing is sent any more. */
static char *frame_add_head(struct http2 *h2, size_t len, uint8_t type, uint8_t flags, uint32_t id)
{
    if (h2->is_broken)
        return NULL;
    strbuf_reserve(&h2->output, HTTP2_HEAD_LEN + len);
    char *to = h2->output.ptr + h2->output.len;
    http2_put_u32(to, (uint32_t)len << 8 | type);
    to[4] = (char)flags;
    http2_put_u32(to + 5, id);
    h2->output.len += HTTP2_HEAD_LEN + len;
    return to + HTTP2_HEAD_LEN;
}

static void add_frame(struct http2 *h2, uint8_t type, uint8_t flags, uint32_t id, str payload)
{
    char *to = frame_add_head(h2, payload.len, type, flags, id);
    if (to && payload.len)
        memcpy(to, payload.ptr, payload.len);
}

/* A peer that makes us answer and does not read the answers is given up. */
void http2_add_control(struct http2 *h2, uint8_t type, uint8_t flags, uint32_t id, str payload)
{
    if (h2->owed > HTTP2_MAX_OWED) {
        strbuf_release(&h2->output);
        break_off(h2);
    }
    h2->owed += HTTP2_HEAD_LEN + payload.len;
    add_frame(h2, type, flags, id, payload);
}

void http2_add_number(struct http2 *h2, uint8_t type, uint32_t id, uint32_t number)
{
    char payload[4];
    http2_put_u32(payload, number);
    http2_add_control(h2, type, 0, id, (str){ payload, sizeof(payload) });
}

static void add_goaway(struct http2 *h2, enum http2_code code, str why)
{
    char *to = frame_add_head(h2, 8 + why.len, FRAME_GOAWAY, 0, 0);
    if (!to)
        return;
    http2_put_u32(to, h2->last_peer_id);
    http2_put_u32(to + 4, code);
    memcpy(to + 8, why.ptr, why.len);
}

void http2_fail(struct http2 *h2, enum http2_code code, const char *why)
{
    add_goaway(h2, code, str_from(why));
    break_off(h2);
}

void http2_go_away(struct http2 *h2)
{
    if (h2->has_sent_goaway)
        return;
    add_goaway(h2, HTTP2_NO_ERROR, STR(""));
    h2->has_sent_goaway = true;
}

/* --- first bytes --- */

static void put_setting(char *to, enum http2_setting id, uint32_t value)
{
    to[0] = 0;
    to[1] = (char)id;
    http2_put_u32(to + 2, value);
}

void http2_add_preface(struct http2 *h2)
{
    bool is_client = h2->role == HTTP2_CLIENT;
    char settings[3 * SETTING_LEN];

    if (is_client)
        strbuf_add(&h2->output, STR(HTTP2_PREFACE));
    put_setting(settings, is_client ? SETTING_ENABLE_PUSH : SETTING_MAX_STREAMS,
                is_client ? 0 : HTTP2_MAX_STREAMS);
    put_setting(settings + SETTING_LEN, SETTING_WINDOW, HTTP2_STREAM_WINDOW);
    put_setting(settings + 2 * SETTING_LEN, SETTING_MAX_HEADER_LIST,
                is_client ? HTTP2_MAX_HEADER_LIST : HTTP2_MAX_REQUEST_LIST);
    http2_add_control(h2, FRAME_SETTINGS, 0, 0, (str){ settings, sizeof(settings) });
    http2_add_number(h2, FRAME_WINDOW_UPDATE, 0, HTTP2_CONNECTION_WINDOW - HTTP2_FIRST_WINDOW);
}

/* --- room for the peer; announced when a quarter of a window has gathered --- */

void http2_give_back(struct http2 *h2, size_t size)
{
    h2->unannounced += (uint32_t)size;
    if (h2->unannounced < HTTP2_CONNECTION_WINDOW / 4)
        return;
    http2_add_number(h2, FRAME_WINDOW_UPDATE, 0, h2->unannounced);
    h2->receive_window += h2->unannounced;
    h2->unannounced = 0;
}

void http2_consume(struct http2 *h2, struct http2_stream *stream, size_t size)
{
    if (stream->is_closed)
        return;
    BUG_IF(size > stream->unconsumed);
    stream->unconsumed -= (uint32_t)size;
    http2_give_back(h2, size);
    stream->unannounced += (uint32_t)size;
    if (stream->unannounced < HTTP2_STREAM_WINDOW / 4 || stream->is_ended_by_peer)
        return;
    http2_add_number(h2, FRAME_WINDOW_UPDATE, stream->id, stream->unannounced);
    stream->receive_window += (int32_t)stream->unannounced;
    stream->unannounced = 0;
}

/* --- headers --- */

static void frame_add_block(struct http2 *h2, uint32_t id, str block, bool is_end)
{
    uint8_t type = FRAME_HEADERS;
    unsigned end = is_end ? FLAG_END_STREAM : 0;

    do {
        str part = str_slice(block, 0, HTTP2_MAX_FRAME);
        block = str_slice(block, part.len, block.len);
        add_frame(h2, type, (uint8_t)(end | (block.len ? 0 : FLAG_END_HEADERS)), id, part);
        type = FRAME_CONTINUATION;
        end = 0;
    } while (block.len);
}

static void frame_add_headers(struct http2 *h2, uint32_t id, str block, bool is_end)
{
    if (!h2->must_empty_table) {
        frame_add_block(h2, id, block, is_end);
        return;
    }
    struct strbuf whole = { 0 };
    hpack_add_empty_table(&whole);
    strbuf_add(&whole, block);
    frame_add_block(h2, id, strbuf_str(&whole), is_end);
    strbuf_release(&whole);
    h2->must_empty_table = false;
}

void http2_send_headers(struct http2 *h2, struct http2_stream *stream, str block, bool is_end)
{
    if (stream->is_closed)
        return;
    frame_add_headers(h2, stream->id, block, is_end);
    if (is_end)
        http2_end_by_us(h2, stream);
}

/* --- bodies: `to_send` is a ring of the streams that have a body and room in their window --- */

static size_t body_len(const struct http2_stream *stream)
{
    return stream->head_len + stream->body.len;
}

void http2_schedule(struct http2 *h2, struct http2_stream *stream)
{
    if (stream->next_to_send || http2_send_window(h2, stream) <= 0 || body_len(stream) == 0)
        return;
    struct http2_stream *first = h2->to_send ? h2->to_send : stream;
    struct http2_stream *last = h2->to_send ? first->previous_to_send : stream;
    stream->next_to_send = first;
    stream->previous_to_send = last;
    first->previous_to_send = stream;
    last->next_to_send = stream;
    h2->to_send = first;
}

void http2_unschedule(struct http2 *h2, struct http2_stream *stream)
{
    if (!stream->next_to_send)
        return;
    if (h2->to_send == stream)
        h2->to_send = stream->next_to_send == stream ? NULL : stream->next_to_send;
    stream->previous_to_send->next_to_send = stream->next_to_send;
    stream->next_to_send->previous_to_send = stream->previous_to_send;
    stream->next_to_send = NULL;
    stream->previous_to_send = NULL;
}

/* Copies the next `len` bytes of head and body. */
static void stream_take_body(struct http2_stream *stream, char *to, size_t len)
{
    size_t of_head = stream->head_len < len ? stream->head_len : len;

    memcpy(to, stream->head + sizeof(stream->head) - stream->head_len, of_head);
    stream->head_len = (uint8_t)(stream->head_len - of_head);
    if (len > of_head)
        memcpy(to + of_head, stream->body.ptr, len - of_head);
    stream->body = str_slice(stream->body, len - of_head, stream->body.len);
}

/* What follows the body, once that is out. */
static void finish_body(struct http2 *h2, struct http2_stream *stream)
{
    http2_unschedule(h2, stream);
    if (stream->trailers)
        frame_add_headers(h2, stream->id, strbuf_str(stream->trailers), true);
    if (stream->trailers || stream->is_end_wanted)
        http2_end_by_us(h2, stream);
}

/* One DATA frame; there is a body and room in both windows. */
static void add_data(struct http2 *h2, struct http2_stream *stream)
{
    size_t left = body_len(stream);
    size_t len = left < HTTP2_MAX_FRAME ? left : HTTP2_MAX_FRAME;
    if (len > (size_t)http2_send_window(h2, stream))
        len = (size_t)http2_send_window(h2, stream);
    if (len > (size_t)h2->send_window)
        len = (size_t)h2->send_window;

    bool is_end = len == left && stream->is_end_wanted && !stream->trailers;
    char *to = frame_add_head(h2, len, FRAME_DATA, is_end ? FLAG_END_STREAM : 0, stream->id);
    if (!to)
        return;
    stream_take_body(stream, to, len);
    h2->idle_frames = 0;
    stream->send_credit -= (int64_t)len;
    h2->send_window -= (int64_t)len;
    if (len == left)
        finish_body(h2, stream);
}

bool http2_send_data(struct http2 *h2, struct http2_stream *stream, str head, str body, bool is_end)
{
    if (stream->is_closed || stream->is_ended_by_us)
        return true;
    BUG_IF(body_len(stream) != 0 || head.len > sizeof(stream->head));
    if (head.len + body.len == 0) {
        if (is_end)
            http2_send_end(h2, stream);
        return true;
    }
    memcpy(stream->head + sizeof(stream->head) - head.len, head.ptr, head.len);
    stream->head_len = (uint8_t)head.len;
    stream->body = body;
    stream->is_end_wanted = is_end;
    while (!h2->to_send && body_len(stream) && http2_send_window(h2, stream) > 0
           && h2->send_window > 0 && h2->output.len < HTTP2_OUTPUT_TURN)
        add_data(h2, stream);
    http2_schedule(h2, stream);
    return body_len(stream) == 0;
}

void http2_send_trailers(struct http2 *h2, struct http2_stream *stream, str block)
{
    if (stream->is_closed || stream->is_ended_by_us)
        return;
    if (body_len(stream) == 0) {
        http2_send_headers(h2, stream, block, true);
        return;
    }
    stream->trailers = memory_zalloc(sizeof(*stream->trailers));
    strbuf_add(stream->trailers, block);
}

void http2_send_end(struct http2 *h2, struct http2_stream *stream)
{
    if (stream->is_closed || stream->is_ended_by_us)
        return;
    if (body_len(stream) != 0) {
        stream->is_end_wanted = true;
        return;
    }
    add_frame(h2, FRAME_DATA, FLAG_END_STREAM, stream->id, STR(""));
    http2_end_by_us(h2, stream);
}

/* --- output --- */

static void send_in_turn(struct http2 *h2)
{
    struct http2_stream *stream = h2->to_send;

    h2->to_send = stream->next_to_send;
    if (http2_send_window(h2, stream) > 0)
        add_data(h2, stream);
    if (stream->is_closed)
        return;
    if (body_len(stream) == 0 && !stream->is_ended_by_us)
        http2_notice(h2, stream, NOTICE_SENT);
    if (http2_send_window(h2, stream) <= 0)
        http2_unschedule(h2, stream);
}

size_t http2_backlog(const struct http2 *h2)
{
    return h2->output.len;
}

bool http2_has_output(const struct http2 *h2)
{
    return h2->output.len || (h2->to_send && h2->send_window > 0);
}

bool http2_take_output(struct http2 *h2, struct strbuf *into)
{
    BUG_IF(into->len);
    while (h2->to_send && h2->send_window > 0 && h2->output.len < HTTP2_OUTPUT_TURN)
        send_in_turn(h2);
    if (into->capacity > KEPT_OUTPUT)
        strbuf_release(into);
    struct strbuf empty = *into;
    *into = h2->output;
    h2->output = empty;
    h2->owed = 0;
    return into->len > 0;
}
