/* http2_bytes.h — frames of HTTP/2 put together and taken apart by hand. */
#pragma once

#include "unit/check.h"

#include "rpc/http2_internal.h"

#define BYTES(literal) ((str){ literal, sizeof(literal) - 1 })
#define REQUEST BYTES("\x83\x86\x44\x04/a/b") /* POST, http, path */

static inline void add_frame(struct strbuf *out, uint8_t type, uint8_t flags, uint32_t id,
                             str payload)
{
    const char head[HTTP2_HEAD_LEN] = {
        (char)(payload.len >> 16),
        (char)(payload.len >> 8),
        (char)payload.len,
        (char)type,
        (char)flags,
        (char)(id >> 24),
        (char)(id >> 16),
        (char)(id >> 8),
        (char)id,
    };
    strbuf_add(out, (str){ head, sizeof(head) });
    strbuf_add(out, payload);
}

static inline void add_u32_frame(struct strbuf *out, uint8_t type, uint32_t id, uint32_t number)
{
    const char bytes[4] = { (char)(number >> 24), (char)(number >> 16), (char)(number >> 8),
                            (char)number };
    add_frame(out, type, 0, id, (str){ bytes, sizeof(bytes) });
}

static inline void add_setting(struct strbuf *out, uint8_t id, uint32_t value)
{
    const char bytes[6] = {
        0, (char)id, (char)(value >> 24), (char)(value >> 16), (char)(value >> 8), (char)value
    };
    add_frame(out, FRAME_SETTINGS, 0, 0, (str){ bytes, sizeof(bytes) });
}

static inline str take_frame(str *bytes, struct http2_frame *frame)
{
    assert_true(bytes->len >= HTTP2_HEAD_LEN);
    frame->len = http2_read_u32(bytes->ptr) >> 8;
    frame->type = (uint8_t)bytes->ptr[3];
    frame->flags = (uint8_t)bytes->ptr[4];
    frame->id = http2_read_u32(bytes->ptr + 5);
    str payload = str_slice(*bytes, HTTP2_HEAD_LEN, HTTP2_HEAD_LEN + frame->len);
    assert_int_equal(payload.len, frame->len);
    *bytes = str_slice(*bytes, HTTP2_HEAD_LEN + frame->len, bytes->len);
    return payload;
}

/* Whether the output has a frame of that kind, with that number in its first 4 bytes. */
static inline bool has_frame(str bytes, uint8_t type, uint32_t id, uint32_t number)
{
    while (bytes.len) {
        struct http2_frame frame;
        str payload = take_frame(&bytes, &frame);
        if (frame.type == type && frame.id == id && payload.len >= 4
            && http2_read_u32(payload.ptr) == number)
            return true;
    }
    return false;
}

static inline bool has_goaway(str bytes, enum http2_code code)
{
    while (bytes.len) {
        struct http2_frame frame;
        str payload = take_frame(&bytes, &frame);
        if (frame.type == FRAME_GOAWAY && http2_read_u32(payload.ptr + 4) == code)
            return true;
    }
    return false;
}
