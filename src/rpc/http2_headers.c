/* http2_headers.c — header blocks: put together from frames, decoded, and given to their stream. */
#include "rpc/http2_internal.h"

enum { PRIORITY_LEN = 5, KEPT_BLOCK = 64 * 1024 };

/* An answer with a status of 1xx comes before the real one. */
static bool is_interim(const struct hpack_list *headers)
{
    str status = hpack_list_find(headers, STR(":status"));
    return status.len == 3 && status.ptr[0] == '1';
}

/* Fields for a stream that is open: the answer, trailers, or a violation. */
static bool on_open_stream(struct http2 *h2, struct http2_stream *stream, bool is_end,
                           struct http2_event *event)
{
    bool is_trailers = stream->has_headers;
    enum http2_list_kind kind = is_trailers ? LIST_TRAILERS : LIST_ANSWER;
    enum http2_code violation = HTTP2_NO_ERROR;

    if (stream->is_ended_by_peer)
        violation = HTTP2_STREAM_CLOSED;
    else if (h2->headers.is_too_large)
        violation = HTTP2_ENHANCE_YOUR_CALM;
    else if (!http2_check_fields(&h2->headers, kind, stream) || (is_trailers && !is_end))
        violation = HTTP2_PROTOCOL_ERROR;
    if (violation != HTTP2_NO_ERROR) {
        http2_fail_stream(h2, stream, violation);
        return false;
    }
    if (!is_trailers && is_interim(&h2->headers) && !is_end)
        return false;
    stream->has_headers = true;
    if (is_end)
        http2_end_by_peer(h2, stream);
    *event = (struct http2_event){
        .kind = HTTP2_HEADERS, .stream = stream, .headers = &h2->headers, .is_trailers = is_trailers
    };
    return !stream->is_closed || stream->cause == HTTP2_BY_COMPLETION;
}

/* A number the client has not used before. */
static bool on_new_stream(struct http2 *h2, uint32_t id, bool is_end, struct http2_event *event)
{
    h2->last_peer_id = id;
    http2_pay_settings(h2);
    if (h2->has_sent_goaway || h2->stream_count >= HTTP2_MAX_STREAMS || h2->headers.is_too_large) {
        http2_add_reset(h2, id,
                        h2->headers.is_too_large ? HTTP2_ENHANCE_YOUR_CALM : HTTP2_REFUSED_STREAM);
        return false;
    }
    struct http2_stream *stream = http2_add(h2, id, NULL);
    bool is_valid = http2_check_fields(&h2->headers, LIST_REQUEST, stream);
    if (!is_valid || (is_end && stream->has_length && stream->length_left)) {
        http2_reset(h2, stream, HTTP2_PROTOCOL_ERROR);
        return false;
    }
    stream->has_headers = true;
    if (is_end)
        http2_end_by_peer(h2, stream);
    *event =
        (struct http2_event){ .kind = HTTP2_HEADERS, .stream = stream, .headers = &h2->headers };
    return true;
}

/* Late frames are normal on a stream we have reset. The client cannot tell which those were and is
 * patient with all. */
static void on_closed_stream(struct http2 *h2, uint32_t id)
{
    if (http2_is_idle(h2, id))
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "HEADERS on an idle stream");
    else if (h2->role == HTTP2_SERVER && !http2_was_reset(h2, id))
        http2_fail(h2, HTTP2_STREAM_CLOSED, "HEADERS on a closed stream");
}

/* A block is decoded in any case: the table must follow the peer's. */
static bool on_block(struct http2 *h2, uint32_t id, str block, bool is_end,
                     struct http2_event *event)
{
    size_t most = h2->role == HTTP2_SERVER ? HTTP2_MAX_REQUEST_LIST : HTTP2_MAX_HEADER_LIST;

    if (!hpack_decode(&h2->decoder, block, most, &h2->headers)) {
        http2_fail(h2, HTTP2_COMPRESSION_ERROR, "malformed header block");
        return false;
    }
    struct http2_stream *stream = http2_find(h2, id);
    if (stream)
        return on_open_stream(h2, stream, is_end, event);
    if (h2->role == HTTP2_SERVER && id > h2->last_peer_id && id % 2 == 1)
        return on_new_stream(h2, id, is_end, event);
    on_closed_stream(h2, id);
    return false;
}

/* Strips padding and priority; false if they do not fit. */
static bool headers_unwrap(const struct http2_frame *frame, str *payload)
{
    size_t padding = 0;

    if (frame->flags & FLAG_PADDED) {
        if (payload->len < 1)
            return false;
        padding = (uint8_t)payload->ptr[0];
        *payload = str_slice(*payload, 1, payload->len);
    }
    if (frame->flags & FLAG_PRIORITY) {
        if (payload->len < PRIORITY_LEN
            || (http2_read_u32(payload->ptr) & HTTP2_LARGEST_ID) == frame->id)
            return false;
        *payload = str_slice(*payload, PRIORITY_LEN, payload->len);
    }
    if (padding > payload->len)
        return false;
    payload->len -= padding;
    return true;
}

bool http2_on_headers(struct http2 *h2, str payload, struct http2_event *event)
{
    const struct http2_frame *frame = &h2->frame;
    bool is_end = frame->flags & FLAG_END_STREAM;

    if (frame->id == 0 || !headers_unwrap(frame, &payload)) {
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "malformed HEADERS");
        return false;
    }
    if (frame->flags & FLAG_END_HEADERS) {
        h2->idle_frames = 0;
        return on_block(h2, frame->id, payload, is_end, event);
    }
    h2->block_id = frame->id;
    h2->block_flags = frame->flags;
    strbuf_add(&h2->block, payload);
    return false;
}

bool http2_on_continuation(struct http2 *h2, str payload, struct http2_event *event)
{
    size_t most = h2->role == HTTP2_SERVER ? HTTP2_MAX_REQUEST_BLOCK : HTTP2_MAX_BLOCK;
    uint32_t id = h2->block_id;

    if (h2->block.len + payload.len > most) {
        http2_fail(h2, HTTP2_ENHANCE_YOUR_CALM, "header block too large");
        return false;
    }
    strbuf_add(&h2->block, payload);
    if (!(h2->frame.flags & FLAG_END_HEADERS)) {
        http2_count_idle(h2);
        return false;
    }
    h2->idle_frames = 0;
    h2->block_id = 0;
    bool has_event =
        on_block(h2, id, strbuf_str(&h2->block), h2->block_flags & FLAG_END_STREAM, event);
    if (h2->block.capacity > KEPT_BLOCK)
        strbuf_release(&h2->block);
    strbuf_clear(&h2->block);
    return has_event;
}
