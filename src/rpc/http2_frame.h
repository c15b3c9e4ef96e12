/* http2_frame.h — the shapes of RFC 9113: frames, flags, settings, numbers. */
#pragma once

#include <stdint.h>

enum { HTTP2_HEAD_LEN = 9, HTTP2_PREFACE_LEN = 24 };
enum {
    HTTP2_LARGEST_WINDOW = 0x7fffffff,
    HTTP2_LARGEST_ID = 0x7fffffff,
    HTTP2_FIRST_WINDOW = 65535
};

#define HTTP2_PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

enum http2_frame_type {
    FRAME_DATA = 0,
    FRAME_HEADERS = 1,
    FRAME_PRIORITY = 2,
    FRAME_RST_STREAM = 3,
    FRAME_SETTINGS = 4,
    FRAME_PUSH_PROMISE = 5,
    FRAME_PING = 6,
    FRAME_GOAWAY = 7,
    FRAME_WINDOW_UPDATE = 8,
    FRAME_CONTINUATION = 9,
};

enum {
    FLAG_END_STREAM = 0x1,
    FLAG_ACK = 0x1,
    FLAG_END_HEADERS = 0x4,
    FLAG_PADDED = 0x8,
    FLAG_PRIORITY = 0x20
};

struct http2_frame {
    uint32_t len;
    uint32_t id;
    uint8_t type;
    uint8_t flags;
};

enum http2_setting {
    SETTING_TABLE_SIZE = 1,
    SETTING_ENABLE_PUSH = 2,
    SETTING_MAX_STREAMS = 3,
    SETTING_WINDOW = 4,
    SETTING_MAX_FRAME = 5,
    SETTING_MAX_HEADER_LIST = 6,
    SETTING_LEN = 6, /* bytes of each */
};

static inline uint32_t http2_read_u32(const char *bytes)
{
    const uint8_t *b = (const uint8_t *)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static inline void http2_put_u32(char *to, uint32_t number)
{
    to[0] = (char)(number >> 24);
    to[1] = (char)(number >> 16);
    to[2] = (char)(number >> 8);
    to[3] = (char)number;
}
