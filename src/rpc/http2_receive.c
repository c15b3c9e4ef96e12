/* http2_receive.c — cuts the bytes of the peer into frames. DATA passes through in parts; other
 * frames are handed on whole. */
#include "rpc/http2_internal.h"

#include "base/error.h"

enum progress { STARVED, MOVED, EVENT }; /* needs more input; used some; and has an event */

static str take_input(struct http2 *h2, size_t most)
{
    str part = str_slice(h2->input, 0, most);
    h2->input = str_slice(h2->input, part.len, h2->input.len);
    return part;
}

/* Gathers the first bytes of a frame, or the preface; true when there are `wanted`. */
static bool gather_head(struct http2 *h2, size_t wanted)
{
    str part = take_input(h2, wanted - h2->head_len);
    if (part.len)
        memcpy(h2->head + h2->head_len, part.ptr, part.len);
    h2->head_len += part.len;
    return h2->head_len == wanted;
}

static enum progress read_preface(struct http2 *h2)
{
    bool is_whole = gather_head(h2, HTTP2_PREFACE_LEN);

    if (memcmp(h2->head, HTTP2_PREFACE, h2->head_len) != 0) {
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "not an HTTP/2 client");
        return STARVED;
    }
    if (!is_whole)
        return STARVED;
    h2->is_past_preface = true;
    h2->head_len = 0;
    return MOVED;
}

/* --- DATA --- */

static enum http2_code judge_data(const struct http2_stream *stream, uint32_t len)
{
    if (stream->is_ended_by_peer)
        return HTTP2_STREAM_CLOSED;
    if (!stream->has_headers)
        return HTTP2_PROTOCOL_ERROR;
    return len > (uint32_t)stream->receive_window ? HTTP2_FLOW_CONTROL_ERROR : HTTP2_NO_ERROR;
}

/* The stream a DATA frame belongs to, or NULL if it is to be dropped. */
static struct http2_stream *find_data_stream(struct http2 *h2, uint32_t id, uint32_t len)
{
    struct http2_stream *stream = http2_find(h2, id);

    if (!stream) {
        if (http2_is_idle(h2, id))
            http2_fail(h2, HTTP2_PROTOCOL_ERROR, "DATA on an idle stream");
        else if (h2->role == HTTP2_SERVER && !http2_was_reset(h2, id))
            http2_add_reset(h2, id, HTTP2_STREAM_CLOSED);
        return NULL;
    }
    enum http2_code violation = judge_data(stream, len);
    if (violation != HTTP2_NO_ERROR) {
        http2_fail_stream(h2, stream, violation);
        return NULL;
    }
    stream->receive_window -= (int32_t)len;
    return stream;
}

/* Checks the content length against the part of a frame that is not padding. */
static void count_length(struct http2 *h2, struct http2_stream *stream, uint32_t len)
{
    if (!stream->has_length)
        return;
    if (len > stream->length_left)
        http2_fail_stream(h2, stream, HTTP2_PROTOCOL_ERROR);
    else
        stream->length_left -= len;
}

static void receive_begin_data(struct http2 *h2)
{
    const struct http2_frame *frame = &h2->frame;

    if (frame->id == 0 || (frame->flags & FLAG_PADDED && frame->len == 0)) {
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "malformed DATA");
        return;
    }
    if (frame->len > h2->receive_window) {
        http2_fail(h2, HTTP2_FLOW_CONTROL_ERROR, "DATA beyond the window");
        return;
    }
    h2->receive_window -= frame->len;
    h2->data_stream = find_data_stream(h2, frame->id, frame->len);
    h2->data_left = frame->len;
    h2->padding_left = 0;
    h2->has_padding_len = !(frame->flags & FLAG_PADDED);
    if (h2->data_stream && h2->has_padding_len)
        count_length(h2, h2->data_stream, frame->len);
    if (frame->len == 0 && !(frame->flags & FLAG_END_STREAM))
        http2_count_idle(h2);
}

/* Bytes without a reader: their room is free again at once. */
static void drop_data(struct http2 *h2, size_t len)
{
    if (!h2->data_stream) {
        http2_give_back(h2, len);
        return;
    }
    h2->data_stream->unconsumed += (uint32_t)len;
    http2_consume(h2, h2->data_stream, len);
}

static enum progress read_padding_len(struct http2 *h2)
{
    str byte = take_input(h2, 1);
    if (byte.len == 0)
        return STARVED;
    uint8_t padding = (uint8_t)byte.ptr[0];
    if (padding >= h2->data_left) {
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "padding longer than its frame");
        return STARVED;
    }
    h2->has_padding_len = true;
    h2->padding_left = padding;
    h2->data_left -= 1u + padding;
    drop_data(h2, 1);
    if (h2->data_stream)
        count_length(h2, h2->data_stream, h2->data_left);
    return MOVED;
}

static enum progress read_data(struct http2 *h2, struct http2_event *event)
{
    if (!h2->has_padding_len)
        return read_padding_len(h2);
    if (h2->data_left) {
        str bytes = take_input(h2, h2->data_left);
        h2->data_left -= (uint32_t)bytes.len;
        if (bytes.len == 0)
            return STARVED;
        h2->idle_frames = 0;
        if (!h2->data_stream) {
            http2_give_back(h2, bytes.len);
            return MOVED;
        }
        h2->data_stream->unconsumed += (uint32_t)bytes.len;
        *event =
            (struct http2_event){ .kind = HTTP2_DATA, .stream = h2->data_stream, .bytes = bytes };
        return EVENT;
    }
    str padding = take_input(h2, h2->padding_left);
    h2->padding_left -= (uint32_t)padding.len;
    drop_data(h2, padding.len);
    if (h2->padding_left)
        return STARVED;
    h2->is_in_frame = false;
    if (h2->data_stream && h2->frame.flags & FLAG_END_STREAM)
        http2_end_by_peer(h2, h2->data_stream);
    h2->data_stream = NULL;
    return MOVED;
}

/* --- frames --- */

void http2_count_idle(struct http2 *h2)
{
    if (++h2->idle_frames > HTTP2_MAX_IDLE_FRAMES)
        http2_fail(h2, HTTP2_ENHANCE_YOUR_CALM, "too many empty frames");
}

/* Errors that the head alone shows. */
static void check_head(struct http2 *h2)
{
    const struct http2_frame *frame = &h2->frame;
    bool is_settings = frame->type == FRAME_SETTINGS && !(frame->flags & FLAG_ACK);
    bool is_continuation = frame->type == FRAME_CONTINUATION && frame->id == h2->block_id;

    if (frame->len > HTTP2_MAX_FRAME)
        http2_fail(h2, HTTP2_FRAME_SIZE_ERROR, "frame too large");
    else if (!h2->has_settings && !is_settings)
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "the first frame must be SETTINGS");
    else if (h2->block_id ? !is_continuation : frame->type == FRAME_CONTINUATION)
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "CONTINUATION out of place");
    h2->has_settings = true;
}

static enum progress receive_read_head(struct http2 *h2)
{
    if (!gather_head(h2, HTTP2_HEAD_LEN))
        return STARVED;
    const char *head = (const char *)h2->head;
    h2->head_len = 0;
    h2->frame = (struct http2_frame){
        .len = http2_read_u32(head) >> 8,
        .type = h2->head[3],
        .flags = h2->head[4],
        .id = http2_read_u32(head + 5) & HTTP2_LARGEST_ID,
    };
    check_head(h2);
    h2->is_in_frame = true;
    if (h2->frame.type == FRAME_DATA && !h2->is_broken)
        receive_begin_data(h2);
    return MOVED;
}

static enum progress read_payload(struct http2 *h2, struct http2_event *event)
{
    str payload = take_input(h2, h2->frame.len - h2->payload.len);

    if (payload.len < h2->frame.len) {
        strbuf_add(&h2->payload, payload);
        if (h2->payload.len < h2->frame.len)
            return STARVED;
        payload = strbuf_str(&h2->payload);
    }
    h2->is_in_frame = false;
    bool has_event = http2_on_frame(h2, payload, event);
    strbuf_clear(&h2->payload);
    return has_event ? EVENT : MOVED;
}

void http2_feed(struct http2 *h2, str bytes)
{
    BUG_IF(h2->input.len);
    if (!h2->is_broken)
        h2->input = bytes;
}

bool http2_next(struct http2 *h2, struct http2_event *event)
{
    http2_end_loan(h2);
    for (enum progress progress = MOVED; progress == MOVED;) {
        if (http2_take_notice(h2, event))
            return true;
        if (h2->is_broken)
            return false;
        if (!h2->is_past_preface)
            progress = read_preface(h2);
        else if (!h2->is_in_frame)
            progress = receive_read_head(h2);
        else if (h2->frame.type == FRAME_DATA)
            progress = read_data(h2, event);
        else
            progress = read_payload(h2, event);
        if (progress == EVENT)
            return true;
    }
    return http2_take_notice(h2, event);
}
