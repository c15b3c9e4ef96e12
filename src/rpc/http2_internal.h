/* http2_internal.h — the state of a connection, shared by the files of http2 only. */
#pragma once

#include "rpc/http2.h"
#include "rpc/http2_frame.h"

enum { HTTP2_OUTPUT_TURN = 64 * 1024, HTTP2_RESET_MEMORY = 64, HTTP2_KEPT_HEADERS = 64 * 1024 };

enum { NOTICE_END = 1, NOTICE_SENT = 2, NOTICE_CLOSED = 4 };

struct http2_stream {
    struct http2_stream *next_in_bucket;
    struct http2_stream *next_to_send; /* a ring of two-way links, see http2_send.c */
    struct http2_stream *previous_to_send;
    struct http2_stream *next_notice;
    void *owner;
    uint32_t id;
    int32_t receive_window;
    int64_t send_credit;  /* window for our bodies, above or below the peer's first window */
    uint32_t unconsumed;  /* received, the owner still works on it */
    uint32_t unannounced; /* consumed, the peer does not know yet */
    uint8_t notices;      /* events to be delivered */
    uint8_t head_len;     /* bytes of `head` still to be sent */
    bool is_noticed : 1;  /* in the list of notices */
    bool is_ended_by_peer : 1;
    bool is_ended_by_us : 1;
    bool has_headers : 1; /* of the request or of the final answer; what follows are trailers */
    bool has_length : 1;
    bool is_end_wanted : 1; /* END_STREAM behind the body */
    bool is_closed : 1;
    bool is_abandoned : 1; /* the owner knows that it is closed */
    uint8_t cause;
    uint8_t code;
    char head[8];            /* aligned to its end */
    uint64_t length_left;    /* of the body, with has_length */
    str body;                /* still to be sent */
    struct strbuf *trailers; /* to be sent behind the body; NULL: none */
};

struct http2 {
    enum http2_role role;
    bool is_broken;
    bool has_settings; /* the peer's first frame was seen */
    bool has_sent_goaway;
    bool has_goaway;
    bool must_empty_table; /* announce that our encoder has no table */

    /* receiving */
    str input;
    uint8_t head[HTTP2_PREFACE_LEN]; /* of a frame, or the preface */
    size_t head_len;
    bool is_past_preface;
    bool is_in_frame;
    struct http2_frame frame;
    struct strbuf payload;            /* of a frame that came in parts, except DATA */
    struct http2_stream *data_stream; /* of the current DATA frame; NULL: drop it */
    uint32_t data_left;
    uint32_t padding_left;
    bool has_padding_len;
    uint32_t block_id; /* header block under way; 0: none */
    uint8_t block_flags;
    struct strbuf block;
    size_t idle_frames;
    struct hpack_decoder decoder;
    struct hpack_list headers;
    int64_t receive_window;
    uint32_t unannounced;

    /* streams */
    struct http2_stream **buckets;
    size_t bucket_count;
    size_t stream_count;
    uint32_t last_peer_id; /* highest stream the peer started */
    uint32_t next_id;      /* next stream the client starts */
    uint32_t peer_max_streams;
    uint32_t reset_ids[HTTP2_RESET_MEMORY]; /* streams we reset lately: the peer may not know yet */
    size_t reset_next;
    struct http2_stream *first_notice;
    struct http2_stream *last_notice;
    struct http2_stream *delivered; /* of the last HTTP2_CLOSED; freed by the next call */

    /* sending */
    struct strbuf output;
    size_t owed;                  /* bytes of the output that answer frames of the peer */
    struct http2_stream *to_send; /* whose turn it is */
    int64_t send_window;
    int32_t peer_stream_window; /* the first window of each stream, as the peer said last */
    size_t settings_cost;
};

/* Negative if the peer has made its windows smaller than what was sent already. */
static inline int64_t http2_send_window(const struct http2 *h2, const struct http2_stream *stream)
{
    return h2->peer_stream_window + stream->send_credit;
}

/* http2_stream.c */
struct http2_stream *http2_find(const struct http2 *h2, uint32_t id);
/* A number no stream has had yet. */
bool http2_is_idle(const struct http2 *h2, uint32_t id);
struct http2_stream *http2_add(struct http2 *h2, uint32_t id, void *owner);
bool http2_was_reset(const struct http2 *h2, uint32_t id);
void http2_notice(struct http2 *h2, struct http2_stream *stream, unsigned notice);
bool http2_take_notice(struct http2 *h2, struct http2_event *event);
void http2_end_loan(struct http2 *h2);
void http2_end_by_peer(struct http2 *h2, struct http2_stream *stream);
void http2_end_by_us(struct http2 *h2, struct http2_stream *stream);
void http2_close_stream(struct http2 *h2, struct http2_stream *stream, enum http2_cause cause,
                        enum http2_code code);
void http2_close_above(struct http2 *h2, uint32_t last_id, enum http2_cause cause);
/* The same because the peer says goodbye, which counts as a cost of settings: it may say so often,
 * and each time every place of the table is visited. */
void http2_leave_above(struct http2 *h2, uint32_t last_id);
/* RST_STREAM because the peer broke the rules of one stream. */
void http2_fail_stream(struct http2 *h2, struct http2_stream *stream, enum http2_code code);
void http2_add_reset(struct http2 *h2, uint32_t id, enum http2_code code);
/* Puts streams in line after the peer has changed its first window. It visits every stream, which
 * counts as a cost of settings. */
void http2_apply_window(struct http2 *h2);

/* http2_receive.c: a frame that carries nothing. */
void http2_count_idle(struct http2 *h2);
/* http2_frames.c: what changes of settings cost us. */
void http2_count_settings(struct http2 *h2, size_t cost);
void http2_pay_settings(struct http2 *h2);

/* http2_frames.c: whole frames, except DATA; true if there is an event. */
bool http2_on_frame(struct http2 *h2, str payload, struct http2_event *event);

/* http2_headers.c */
bool http2_on_headers(struct http2 *h2, str payload, struct http2_event *event);
bool http2_on_continuation(struct http2 *h2, str payload, struct http2_event *event);

/* http2_fields.c: whether a list keeps the rules of HTTP; sets the content length of the stream. */
enum http2_list_kind { LIST_REQUEST, LIST_ANSWER, LIST_TRAILERS };
bool http2_check_fields(const struct hpack_list *headers, enum http2_list_kind kind,
                        struct http2_stream *stream);

/* http2_send.c */
/* GOAWAY because the peer broke the rules of the connection; everything is lost. */
void http2_fail(struct http2 *h2, enum http2_code code, const char *why);
void http2_add_preface(struct http2 *h2);
/* Frames that answer frames; their number is limited. */
void http2_add_control(struct http2 *h2, uint8_t type, uint8_t flags, uint32_t id, str payload);
void http2_add_number(struct http2 *h2, uint8_t type, uint32_t id, uint32_t number);
/* Room in the connection's window is free again. */
void http2_give_back(struct http2 *h2, size_t size);
/* Puts a stream that has a body and room in its window in line. */
void http2_schedule(struct http2 *h2, struct http2_stream *stream);
void http2_unschedule(struct http2 *h2, struct http2_stream *stream);
