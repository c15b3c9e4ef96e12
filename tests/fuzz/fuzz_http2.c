/* fuzz_http2.c — whatever a peer sends: an endpoint tells the same events and sends the same bytes
 * however its input is cut into pieces, tells each stream's events in order, and stays within its
 * limits. The first byte chooses the role and the cuts. */
#include "rpc/http2_internal.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CLIENT_STREAMS = 4 };

static void require(bool condition)
{
    if (!condition)
        abort();
}

static const char body[40000];

struct run {
    struct http2 *h2;
    struct strbuf log;    /* every event, data of a stream joined */
    struct strbuf output; /* all that was sent, if it is drained */
    uint64_t random;
    bool drains;
};

static size_t next_random(struct run *run)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 7;
    run->random ^= run->random << 17;
    return (size_t)(run->random >> 16);
}

/* What an owner knows of its stream; kept in its pointer, to see that none is told of after its
 * end. */
enum { OWNER_OPEN = 1, OWNER_ENDED = 2 };

static void *owner_with(const struct http2_stream *stream, uintptr_t bit)
{
    return (void *)((uintptr_t)http2_owner(stream) | bit);
}

/* A server answers a request when it has ended: a body that may have to wait for the peer's window,
 * and trailers. */
static void answer(struct run *run, struct http2_stream *stream)
{
    http2_send_headers(run->h2, stream, (str){ "\x88", 1 }, false);
    http2_send_data(run->h2, stream, STR("12345"),
                    (str){ body, stream->id % 3 ? sizeof(body) : 10 }, false);
    if (stream->id % 5 == 0)
        http2_reset(run->h2, stream, HTTP2_CANCEL);
    else
        http2_send_trailers(run->h2, stream, (str){ "\x88", 1 });
}

static void on_event(struct run *run, const struct http2_event *event)
{
    struct http2_stream *stream = event->stream;
    uintptr_t owner = (uintptr_t)http2_owner(stream);

    if (event->kind == HTTP2_DATA) {
        require(owner & OWNER_OPEN && !(owner & OWNER_ENDED) && event->bytes.len > 0);
        strbuf_add(&run->log, event->bytes);
        http2_consume(run->h2, stream, event->bytes.len);
        return;
    }
    strbuf_printf(&run->log, "\n%d %u %d %d %d\n", event->kind, stream->id, event->is_trailers,
                  event->cause, event->code);
    if (event->kind == HTTP2_HEADERS) {
        require(event->is_trailers == !!(owner & OWNER_OPEN));
        http2_set_owner(stream, owner_with(stream, OWNER_OPEN));
        strbuf_add(&run->log, strbuf_str(&event->headers->text));
    }
    if (event->kind == HTTP2_END) {
        require(owner & OWNER_OPEN && !(owner & OWNER_ENDED));
        http2_set_owner(stream, owner_with(stream, OWNER_ENDED));
        if (run->h2->role == HTTP2_SERVER)
            answer(run, stream);
    }
}

static void check_limits(const struct http2 *h2)
{
    require(h2->stream_count <= HTTP2_MAX_STREAMS);
    require(h2->block.len <= HTTP2_MAX_BLOCK);
    require(h2->payload.len <= HTTP2_MAX_FRAME);
    require(h2->headers.size <= HTTP2_MAX_HEADER_LIST);
    require(h2->owed <= HTTP2_MAX_OWED + 100);
    require(h2->receive_window <= HTTP2_CONNECTION_WINDOW && h2->receive_window >= 0);
    require(!h2->is_broken || h2->stream_count == 0);
}

static void deliver(struct run *run)
{
    for (struct http2_event event; http2_next(run->h2, &event);)
        on_event(run, &event);
    check_limits(run->h2);
}

static void drain(struct run *run)
{
    struct strbuf part = { 0 };
    while (http2_take_output(run->h2, &part)) {
        strbuf_add(&run->output, strbuf_str(&part));
        strbuf_clear(&part);
    }
    strbuf_release(&part);
}

static void begin(struct run *run, enum http2_role role)
{
    run->h2 = http2_new(role);
    for (int i = 0; role == HTTP2_CLIENT && i < CLIENT_STREAMS; i++) {
        struct http2_stream *stream = http2_start(run->h2, NULL);
        http2_send_headers(run->h2, stream, (str){ "\x83\x86\x84", 3 }, i == 0);
        http2_send_data(run->h2, stream, STR("12345"), (str){ body, sizeof(body) }, i == 1);
    }
}

/* Feeds in pieces of up to `most` bytes, chosen by chance. */
static void feed_all(struct run *run, str bytes, size_t most)
{
    while (bytes.len) {
        str part = str_slice(bytes, 0, most ? 1 + next_random(run) % most : bytes.len);
        bytes = str_slice(bytes, part.len, bytes.len);
        http2_feed(run->h2, part);
        deliver(run);
        if (run->drains) {
            drain(run);
            deliver(run);
        }
    }
    drain(run);
    deliver(run);
    http2_lose(run->h2);
    deliver(run);
    require(run->h2->stream_count == 0);
}

static void end(struct run *run)
{
    http2_free(run->h2);
    strbuf_release(&run->log);
    strbuf_release(&run->output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    enum http2_role role = data[0] & 1 ? HTTP2_CLIENT : HTTP2_SERVER;
    str bytes = { (const char *)data + 1, size - 1 };
    struct run whole = { 0 }, cut = { .random = 1 + (uint64_t)data[0] },
               drained = { .random = 1 + (uint64_t)data[0], .drains = true };

    begin(&whole, role);
    feed_all(&whole, bytes, 0);
    begin(&cut, role);
    feed_all(&cut, bytes, data[0] & 2 ? 1 : 20);
    begin(&drained, role);
    feed_all(&drained, bytes, 50);
    require(str_equal(strbuf_str(&whole.log), strbuf_str(&cut.log)));
    require(str_equal(strbuf_str(&whole.output), strbuf_str(&cut.output)));
    end(&whole);
    end(&cut);
    end(&drained);
    return 0;
}
