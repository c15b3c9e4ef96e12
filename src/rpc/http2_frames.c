/* http2_frames.c — what each kind of frame does, DATA and header blocks aside. */
#include "rpc/http2_internal.h"

void http2_count_settings(struct http2 *h2, size_t cost)
{
    h2->settings_cost += cost;
    if (h2->settings_cost > HTTP2_MAX_SETTINGS_COST)
        http2_fail(h2, HTTP2_ENHANCE_YOUR_CALM, "too many SETTINGS or GOAWAY");
}

void http2_pay_settings(struct http2 *h2)
{
    if (h2->settings_cost > 0)
        h2->settings_cost--;
}

static void on_window_setting(struct http2 *h2, uint32_t value)
{
    if (value > HTTP2_LARGEST_WINDOW) {
        http2_fail(h2, HTTP2_FLOW_CONTROL_ERROR, "window too large");
        return;
    }
    h2->peer_stream_window = (int32_t)value;
}

static void on_setting(struct http2 *h2, unsigned id, uint32_t value)
{
    switch (id) {
    case SETTING_TABLE_SIZE:
        h2->must_empty_table = h2->must_empty_table || value < HPACK_TABLE_SIZE;
        break;
    case SETTING_ENABLE_PUSH:
        if (value > 1)
            http2_fail(h2, HTTP2_PROTOCOL_ERROR, "ENABLE_PUSH must be 0 or 1");
        break;
    case SETTING_MAX_STREAMS: h2->peer_max_streams = value; break;
    case SETTING_WINDOW: on_window_setting(h2, value); break;
    case SETTING_MAX_FRAME:
        if (value < HTTP2_MAX_FRAME || value > 0xffffff)
            http2_fail(h2, HTTP2_PROTOCOL_ERROR, "MAX_FRAME_SIZE out of range");
        break;
    default: break;
    }
}

static void on_settings(struct http2 *h2, str payload)
{
    bool is_ack = h2->frame.flags & FLAG_ACK;
    int32_t old_window = h2->peer_stream_window;

    if (payload.len % SETTING_LEN != 0 || (is_ack && payload.len)) {
        http2_fail(h2, HTTP2_FRAME_SIZE_ERROR, "SETTINGS of a wrong size");
        return;
    }
    for (size_t i = 0; i < payload.len && !h2->is_broken; i += SETTING_LEN)
        on_setting(h2, http2_read_u32(payload.ptr + i) >> 16, http2_read_u32(payload.ptr + i + 2));
    http2_count_settings(h2, 1);
    if (h2->peer_stream_window != old_window && !h2->is_broken)
        http2_apply_window(h2);
    if (!is_ack)
        http2_add_control(h2, FRAME_SETTINGS, FLAG_ACK, 0, STR(""));
}

static void on_ping(struct http2 *h2, str payload)
{
    if (!(h2->frame.flags & FLAG_ACK))
        http2_add_control(h2, FRAME_PING, FLAG_ACK, 0, payload);
}

static void on_goaway(struct http2 *h2, str payload)
{
    h2->has_goaway = true;
    if (h2->role == HTTP2_CLIENT)
        http2_leave_above(h2, http2_read_u32(payload.ptr) & HTTP2_LARGEST_ID);
}

static void on_stream_window(struct http2 *h2, uint32_t more)
{
    struct http2_stream *stream = http2_find(h2, h2->frame.id);

    if (!stream) {
        http2_count_idle(h2);
        return;
    }
    if (more == 0 || http2_send_window(h2, stream) + more > HTTP2_LARGEST_WINDOW) {
        http2_fail_stream(h2, stream, more == 0 ? HTTP2_PROTOCOL_ERROR : HTTP2_FLOW_CONTROL_ERROR);
        return;
    }
    stream->send_credit += more;
    http2_schedule(h2, stream);
}

static void on_window_update(struct http2 *h2, str payload)
{
    uint32_t more = http2_read_u32(payload.ptr) & HTTP2_LARGEST_WINDOW;

    if (h2->frame.id != 0)
        on_stream_window(h2, more);
    else if (more == 0 || h2->send_window + more > HTTP2_LARGEST_WINDOW)
        http2_fail(h2, more == 0 ? HTTP2_PROTOCOL_ERROR : HTTP2_FLOW_CONTROL_ERROR,
                   "WINDOW_UPDATE out of range");
    else
        h2->send_window += more;
}

static void on_rst_stream(struct http2 *h2, str payload)
{
    struct http2_stream *stream = http2_find(h2, h2->frame.id);
    uint32_t code = http2_read_u32(payload.ptr);

    if (stream)
        http2_close_stream(h2, stream, HTTP2_BY_PEER,
                           code <= HTTP2_HTTP_1_1_REQUIRED ? code : HTTP2_INTERNAL_ERROR);
    else
        http2_count_idle(h2);
}

/* Priorities are not used, but a stream must not depend on itself. */
static void on_priority(struct http2 *h2, str payload)
{
    if ((http2_read_u32(payload.ptr) & HTTP2_LARGEST_ID) == h2->frame.id)
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "stream depends on itself");
    else
        http2_count_idle(h2);
}

/* Where a frame may occur and how long it is. Rows in the order of the types. */
static const struct {
    uint32_t least;
    uint32_t most;
    enum { ON_STREAM, ON_CONNECTION, ON_BOTH } place;
    bool may_be_idle; /* on a stream that was never opened */
    void (*handle)(struct http2 *h2, str payload);
} kinds[] = {
    [FRAME_PRIORITY] = { 5, 5, ON_STREAM, true, on_priority },
    [FRAME_RST_STREAM] = { 4, 4, ON_STREAM, false, on_rst_stream },
    [FRAME_SETTINGS] = { 0, HTTP2_MAX_FRAME, ON_CONNECTION, true, on_settings },
    [FRAME_PING] = { 8, 8, ON_CONNECTION, true, on_ping },
    [FRAME_GOAWAY] = { 8, HTTP2_MAX_FRAME, ON_CONNECTION, true, on_goaway },
    [FRAME_WINDOW_UPDATE] = { 4, 4, ON_BOTH, false, on_window_update },
};

static void on_control_frame(struct http2 *h2, str payload)
{
    const struct http2_frame *frame = &h2->frame;
    bool is_on_stream = frame->id != 0;

    if (kinds[frame->type].place != ON_BOTH
        && is_on_stream != (kinds[frame->type].place == ON_STREAM))
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "frame on a wrong stream");
    else if (payload.len < kinds[frame->type].least || payload.len > kinds[frame->type].most)
        http2_fail(h2, HTTP2_FRAME_SIZE_ERROR, "frame of a wrong size");
    else if (is_on_stream && !kinds[frame->type].may_be_idle && http2_is_idle(h2, frame->id))
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "frame on an idle stream");
    else
        kinds[frame->type].handle(h2, payload);
}

bool http2_on_frame(struct http2 *h2, str payload, struct http2_event *event)
{
    switch (h2->frame.type) {
    case FRAME_HEADERS: return http2_on_headers(h2, payload, event);
    case FRAME_CONTINUATION: return http2_on_continuation(h2, payload, event);
    case FRAME_PUSH_PROMISE:
        http2_fail(h2, HTTP2_PROTOCOL_ERROR, "PUSH_PROMISE was not permitted");
        return false;
    case FRAME_PRIORITY:
    case FRAME_RST_STREAM:
    case FRAME_SETTINGS:
    case FRAME_PING:
    case FRAME_GOAWAY:
    case FRAME_WINDOW_UPDATE: on_control_frame(h2, payload); return false;
    default: http2_count_idle(h2); return false; /* frames of other kinds are ignored */
    }
}
