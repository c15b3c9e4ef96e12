/* http2.h — one end of an HTTP/2 connection without any I/O: bytes in become events, calls become
 * bytes out. */
#pragma once

#include "rpc/hpack.h"

/* What a peer can make grow ends here. */
enum {
    HTTP2_MAX_STREAMS = 100 * 1000,
    HTTP2_MAX_HEADER_LIST = 16 * 1024 * 1024, /* of an answer; a larger one closes its stream */
    HTTP2_MAX_REQUEST_LIST = 64 * 1024,       /* of a request */
    HTTP2_MAX_BLOCK = 64 * 1024 * 1024,       /* a larger encoded block closes the connection */
    HTTP2_MAX_REQUEST_BLOCK = 1024 * 1024,
    HTTP2_MAX_OWED =
        4 * 1024 * 1024, /* acknowledgements and resets for a peer that does not read */
    HTTP2_MAX_IDLE_FRAMES = 10 * 1000,   /* frames in a row that complete nothing */
    HTTP2_MAX_SETTINGS_COST = 10 * 1000, /* frames and work they make, each paid off by a stream */
    HTTP2_STREAM_WINDOW = 4 * 1024 * 1024,
    HTTP2_CONNECTION_WINDOW = 16 * 1024 * 1024,
    HTTP2_MAX_FRAME = 16384, /* both ways; larger ones gain nothing on loopback */
};

enum http2_role { HTTP2_SERVER, HTTP2_CLIENT };

enum http2_code {
    HTTP2_NO_ERROR = 0,
    HTTP2_PROTOCOL_ERROR = 1,
    HTTP2_INTERNAL_ERROR = 2,
    HTTP2_FLOW_CONTROL_ERROR = 3,
    HTTP2_SETTINGS_TIMEOUT = 4,
    HTTP2_STREAM_CLOSED = 5,
    HTTP2_FRAME_SIZE_ERROR = 6,
    HTTP2_REFUSED_STREAM = 7,
    HTTP2_CANCEL = 8,
    HTTP2_COMPRESSION_ERROR = 9,
    HTTP2_CONNECT_ERROR = 10,
    HTTP2_ENHANCE_YOUR_CALM = 11,
    HTTP2_INADEQUATE_SECURITY = 12,
    HTTP2_HTTP_1_1_REQUIRED = 13,
};

struct http2;
struct http2_stream;

/* Settings, and the client's preface, are in the output at once. */
struct http2 *http2_new(enum http2_role role);
void http2_free(struct http2 *owned);

/* --- receiving --- */

enum http2_event_kind {
    HTTP2_HEADERS, /* of a new request on the server; of the answer on the client; or trailers */
    HTTP2_DATA,    /* a part of the body; give the room back with http2_consume */
    HTTP2_END,     /* the peer has sent all */
    HTTP2_SENT,    /* what http2_send_data could not frame at once has been framed */
    HTTP2_CLOSED,  /* the stream is gone: its pointer dies with the next call of http2_next */
};

enum http2_cause {
    HTTP2_BY_COMPLETION, /* both sides have sent all; or the server has, and the rest of the request
                            is not wanted */
    HTTP2_BY_PEER,       /* it sent RST_STREAM with `code` */
    HTTP2_BY_VIOLATION,  /* it broke the protocol and was sent `code` */
    HTTP2_BY_GOAWAY,     /* the peer has not processed the request and never will */
    HTTP2_BY_LOSS,       /* of the whole connection */
};

struct http2_event {
    enum http2_event_kind kind;
    struct http2_stream *stream;
    const struct hpack_list *headers; /* HTTP2_HEADERS; valid until the next event */
    bool is_trailers;
    str bytes;              /* HTTP2_DATA; a part of what was fed */
    enum http2_cause cause; /* HTTP2_CLOSED */
    enum http2_code code;
};

/* Hands over bytes of the peer, which stay where they are until http2_next has answered false. */
void http2_feed(struct http2 *h2, str bytes);

/* The next event; false when the bytes are used up. Any call below may give rise to events. */
bool http2_next(struct http2 *h2, struct http2_event *event);

/* `size` bytes of HTTP2_DATA need no room any more, so the peer may send as many again. */
void http2_consume(struct http2 *h2, struct http2_stream *stream, size_t size);

/* The transport has ended: every stream is closed by loss. */
void http2_lose(struct http2 *h2);

/* The peer broke the protocol, or the transport ended; what is left to do is to write the output
 * and hang up. */
bool http2_is_broken(const struct http2 *h2);
/* The peer has sent a frame. */
bool http2_has_begun(const struct http2 *h2);
bool http2_has_streams(const struct http2 *h2);
/* One side has said goodbye and no stream is left. */
bool http2_is_drained(const struct http2 *h2);

/* --- sending; on a closed stream these do nothing --- */

/* The client may start a stream now: the peer's limit is not reached, it has not said goodbye,
 * numbers are left. */
bool http2_can_start(const struct http2 *h2);
/* It never will again on this connection. */
bool http2_is_ending(const struct http2 *h2);
struct http2_stream *http2_start(struct http2 *h2, void *owner);

void *http2_owner(const struct http2_stream *stream);
void http2_set_owner(struct http2_stream *stream, void *owner);

/* `block` is an encoded header block. */
void http2_send_headers(struct http2 *h2, struct http2_stream *stream, str block, bool is_end);

/* `head` (at most 8 bytes) is copied. `body` is borrowed: True means all was framed; otherwise it
 * must live until HTTP2_SENT or HTTP2_CLOSED, or, if `is_end` or trailers follow, until
 * HTTP2_CLOSED or http2_reset. Only one at a time for a stream. */
bool http2_send_data(struct http2 *h2, struct http2_stream *stream, str head, str body,
                     bool is_end);

/* Ends our side, after the data. */
void http2_send_trailers(struct http2 *h2, struct http2_stream *stream, str block);
void http2_send_end(struct http2 *h2, struct http2_stream *stream);

/* Ends both sides at once. The stream is gone for the caller, there is no HTTP2_CLOSED. */
void http2_reset(struct http2 *h2, struct http2_stream *stream, enum http2_code code);

/* Says goodbye: streams that are open may finish, new ones are refused. */
void http2_go_away(struct http2 *h2);

/* Frames what flow control permits, in turn for each stream, about 64 KB at a time, and moves the
 * output into `into`, which must be empty and gives its storage in exchange. False: nothing to
 * write. */
bool http2_take_output(struct http2 *h2, struct strbuf *into);
bool http2_has_output(const struct http2 *h2);
/* Bytes of it that are framed. While they are many, more input should wait: each request may add an
 * answer. */
size_t http2_backlog(const struct http2 *h2);
