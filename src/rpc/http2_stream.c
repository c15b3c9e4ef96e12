/* http2_stream.c — the streams of a connection: found by number, ended from two sides, closed
 * once. */
#include "rpc/http2_internal.h"

#include "base/error.h"
#include "base/memory.h"

/* What must hold:
 * 1. A stream is in the table exactly as long as it is not closed.
 * 2. A closed stream is in the list of notices until its owner was notified (or need not be), and
 * is freed by the call after that. So a pointer that a function holds stays valid until the next
 * http2_next, whatever is closed meanwhile.
 * 3. What a closed stream had received and not consumed is given back to the connection. */

enum { STREAMS_PER_COST = 64 }; /* visiting so many costs as much as a frame */

/* --- table --- */

static struct http2_stream **bucket_of(const struct http2 *h2, uint32_t id)
{
    return &h2->buckets[(id >> 1) & (h2->bucket_count - 1)];
}

struct http2_stream *http2_find(const struct http2 *h2, uint32_t id)
{
    if (h2->stream_count == 0)
        return NULL;
    struct http2_stream *stream = *bucket_of(h2, id);
    while (stream && stream->id != id)
        stream = stream->next_in_bucket;
    return stream;
}

bool http2_is_idle(const struct http2 *h2, uint32_t id)
{
    return id % 2 == 0 || (h2->role == HTTP2_SERVER ? id > h2->last_peer_id : id >= h2->next_id);
}

static void table_insert(struct http2 *h2, struct http2_stream *stream)
{
    struct http2_stream **bucket = bucket_of(h2, stream->id);
    stream->next_in_bucket = *bucket;
    *bucket = stream;
}

static void table_grow(struct http2 *h2)
{
    struct http2_stream **old = h2->buckets;
    size_t old_count = h2->bucket_count;

    h2->bucket_count = old_count ? old_count * 2 : 16;
    h2->buckets = memory_zalloc(h2->bucket_count * sizeof(struct http2_stream *));
    for (size_t i = 0; i < old_count; i++)
        for (struct http2_stream *stream = old[i], *next; stream; stream = next) {
            next = stream->next_in_bucket;
            table_insert(h2, stream);
        }
    free(old);
}

struct http2_stream *http2_add(struct http2 *h2, uint32_t id, void *owner)
{
    struct http2_stream *stream = memory_zalloc(sizeof(*stream));

    stream->id = id;
    stream->owner = owner;
    stream->receive_window = HTTP2_STREAM_WINDOW;
    if (h2->stream_count >= h2->bucket_count)
        table_grow(h2);
    table_insert(h2, stream);
    h2->stream_count++;
    return stream;
}

static void table_remove(struct http2 *h2, struct http2_stream *stream)
{
    struct http2_stream **link = bucket_of(h2, stream->id);
    while (*link != stream)
        link = &(*link)->next_in_bucket;
    *link = stream->next_in_bucket;
    h2->stream_count--;
}

void *http2_owner(const struct http2_stream *stream)
{
    return stream->owner;
}

void http2_set_owner(struct http2_stream *stream, void *owner)
{
    stream->owner = owner;
}

/* --- notices --- */

void http2_notice(struct http2 *h2, struct http2_stream *stream, unsigned notice)
{
    stream->notices = (uint8_t)(stream->notices | notice);
    if (stream->is_noticed)
        return;
    stream->is_noticed = true;
    if (h2->last_notice)
        h2->last_notice->next_notice = stream;
    else
        h2->first_notice = stream;
    h2->last_notice = stream;
}

static struct http2_stream *pop_notice(struct http2 *h2)
{
    struct http2_stream *stream = h2->first_notice;

    h2->first_notice = stream->next_notice;
    if (!h2->first_notice)
        h2->last_notice = NULL;
    stream->next_notice = NULL;
    stream->is_noticed = false;
    return stream;
}

static void free_stream(struct http2_stream *stream)
{
    if (stream->trailers) {
        strbuf_release(stream->trailers);
        free(stream->trailers);
    }
    free(stream);
}

/* What the last event lent to the owner is not needed any more. */
void http2_end_loan(struct http2 *h2)
{
    if (h2->delivered)
        free_stream(h2->delivered);
    h2->delivered = NULL;
    if (h2->headers.text.capacity > HTTP2_KEPT_HEADERS)
        hpack_list_clear(&h2->headers);
}

/* One event for the first stream of the list, in the order in which they happened to it. */
bool http2_take_notice(struct http2 *h2, struct http2_event *event)
{
    while (h2->first_notice && h2->first_notice->is_abandoned)
        free_stream(pop_notice(h2));
    struct http2_stream *stream = h2->first_notice;
    if (!stream)
        return false;

    unsigned notice = stream->notices & (unsigned)-(int)stream->notices; /* the lowest bit */
    stream->notices = (uint8_t)(stream->notices - notice);
    *event = (struct http2_event){ .stream = stream, .cause = stream->cause, .code = stream->code };
    event->kind = notice == NOTICE_END    ? HTTP2_END
                  : notice == NOTICE_SENT ? HTTP2_SENT
                                          : HTTP2_CLOSED;
    if (!stream->notices)
        pop_notice(h2);
    if (notice == NOTICE_CLOSED)
        h2->delivered = stream;
    return true;
}

/* --- ends --- */

void http2_close_stream(struct http2 *h2, struct http2_stream *stream, enum http2_cause cause,
                        enum http2_code code)
{
    if (stream->is_closed)
        return;
    stream->is_closed = true;
    stream->cause = (uint8_t)cause;
    stream->code = (uint8_t)code;
    stream->notices &= (uint8_t)~NOTICE_SENT;
    stream->head_len = 0;
    stream->body = (str){ 0 };
    table_remove(h2, stream);
    http2_unschedule(h2, stream);
    if (h2->data_stream == stream)
        h2->data_stream = NULL;
    http2_give_back(h2, stream->unconsumed);
    stream->unconsumed = 0;
    http2_notice(h2, stream, NOTICE_CLOSED);
}

void http2_close_above(struct http2 *h2, uint32_t last_id, enum http2_cause cause)
{
    for (size_t i = 0; i < h2->bucket_count; i++)
        for (struct http2_stream *stream = h2->buckets[i], *next; stream; stream = next) {
            next = stream->next_in_bucket;
            if (stream->id > last_id)
                http2_close_stream(h2, stream, cause, HTTP2_NO_ERROR);
        }
}

void http2_leave_above(struct http2 *h2, uint32_t last_id)
{
    http2_count_settings(h2, 1 + h2->bucket_count / STREAMS_PER_COST);
    if (!h2->is_broken)
        http2_close_above(h2, last_id, HTTP2_BY_GOAWAY);
}

void http2_end_by_peer(struct http2 *h2, struct http2_stream *stream)
{
    if (stream->has_length && stream->length_left != 0) {
        http2_fail_stream(h2, stream, HTTP2_PROTOCOL_ERROR);
        return;
    }
    stream->is_ended_by_peer = true;
    http2_notice(h2, stream, NOTICE_END);
    if (stream->is_ended_by_us)
        http2_close_stream(h2, stream, HTTP2_BY_COMPLETION, HTTP2_NO_ERROR);
}

/* A server that has answered does not want the rest of the request. */
void http2_end_by_us(struct http2 *h2, struct http2_stream *stream)
{
    stream->is_ended_by_us = true;
    if (!stream->is_ended_by_peer && h2->role == HTTP2_CLIENT)
        return;
    if (!stream->is_ended_by_peer)
        http2_add_reset(h2, stream->id, HTTP2_NO_ERROR);
    http2_close_stream(h2, stream, HTTP2_BY_COMPLETION, HTTP2_NO_ERROR);
}

/* RST_STREAM for a number, whether or not there is a stream of it; remembered, because the peer may
 * go on for a while. */
void http2_add_reset(struct http2 *h2, uint32_t id, enum http2_code code)
{
    h2->reset_ids[h2->reset_next] = id;
    h2->reset_next = (h2->reset_next + 1) % HTTP2_RESET_MEMORY;
    http2_add_number(h2, FRAME_RST_STREAM, id, code);
}

bool http2_was_reset(const struct http2 *h2, uint32_t id)
{
    for (size_t i = 0; i < HTTP2_RESET_MEMORY; i++)
        if (h2->reset_ids[i] == id)
            return true;
    return false;
}

void http2_fail_stream(struct http2 *h2, struct http2_stream *stream, enum http2_code code)
{
    http2_add_reset(h2, stream->id, code);
    http2_close_stream(h2, stream, HTTP2_BY_VIOLATION, code);
}

void http2_reset(struct http2 *h2, struct http2_stream *stream, enum http2_code code)
{
    stream->is_abandoned = true;
    if (stream->is_closed)
        return;
    http2_add_reset(h2, stream->id, code);
    http2_close_stream(h2, stream, HTTP2_BY_COMPLETION, code);
}

void http2_apply_window(struct http2 *h2)
{
    bool is_too_large = false;

    http2_count_settings(h2, h2->stream_count / STREAMS_PER_COST);
    for (size_t i = 0; i < h2->bucket_count; i++)
        for (struct http2_stream *stream = h2->buckets[i]; stream;
             stream = stream->next_in_bucket) {
            int64_t window = http2_send_window(h2, stream);
            is_too_large = is_too_large || window > HTTP2_LARGEST_WINDOW;
            if (window > 0)
                http2_schedule(h2, stream);
            else
                http2_unschedule(h2, stream);
        }
    if (is_too_large)
        http2_fail(h2, HTTP2_FLOW_CONTROL_ERROR, "window too large");
}

/* --- connection --- */

struct http2 *http2_new(enum http2_role role)
{
    struct http2 *h2 = memory_zalloc(sizeof(*h2));

    h2->role = role;
    h2->next_id = 1;
    h2->peer_max_streams = UINT32_MAX;
    h2->is_past_preface = role == HTTP2_CLIENT; /* only a client sends one */
    h2->receive_window = HTTP2_CONNECTION_WINDOW;
    h2->send_window = HTTP2_FIRST_WINDOW;
    h2->peer_stream_window = HTTP2_FIRST_WINDOW;
    hpack_decoder_init(&h2->decoder);
    http2_add_preface(h2);
    return h2;
}

void http2_free(struct http2 *owned)
{
    if (!owned)
        return;
    http2_close_above(owned, 0, HTTP2_BY_LOSS);
    for (struct http2_event event; http2_take_notice(owned, &event);)
        http2_end_loan(owned);
    http2_end_loan(owned);
    strbuf_release(&owned->payload);
    strbuf_release(&owned->block);
    strbuf_release(&owned->output);
    hpack_list_release(&owned->headers);
    free(owned->buckets);
    free(owned);
}

void http2_lose(struct http2 *h2)
{
    h2->is_broken = true;
    http2_close_above(h2, 0, HTTP2_BY_LOSS);
}

bool http2_is_broken(const struct http2 *h2)
{
    return h2->is_broken;
}

bool http2_has_begun(const struct http2 *h2)
{
    return h2->has_settings;
}

bool http2_has_streams(const struct http2 *h2)
{
    return h2->stream_count > 0;
}

bool http2_is_ending(const struct http2 *h2)
{
    return h2->is_broken || h2->has_goaway || h2->has_sent_goaway || h2->next_id > HTTP2_LARGEST_ID;
}

bool http2_is_drained(const struct http2 *h2)
{
    return http2_is_ending(h2) && h2->stream_count == 0;
}

bool http2_can_start(const struct http2 *h2)
{
    return !http2_is_ending(h2) && h2->stream_count < h2->peer_max_streams
           && h2->stream_count < HTTP2_MAX_STREAMS;
}

struct http2_stream *http2_start(struct http2 *h2, void *owner)
{
    BUG_IF(h2->role != HTTP2_CLIENT || !http2_can_start(h2));
    struct http2_stream *stream = http2_add(h2, h2->next_id, owner);
    http2_pay_settings(h2);
    h2->next_id += 2;
    return stream;
}
