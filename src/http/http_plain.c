/* http_plain.c — HTTP/1.1 in the clear, on fibers. */
#include "http/http_exchange.h"

#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "fiber/offload.h"
#include "fiber/socket.h"
#include "fiber/sync.h"
#include "http/http_message.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- connecting, on a helper thread: names are looked up by a call that blocks --- */

struct connection {
    char host[256];
    char port[sizeof("65535")];
    int fd;
    int lookup_failure; /* of getaddrinfo */
    int number;         /* errno of the last attempt */
};

static int connect_within(int fd, const struct addrinfo *address)
{
    struct pollfd watched = { .fd = fd, .events = POLLOUT };
    int number = 0;
    socklen_t number_len = sizeof(number);

    if (connect(fd, address->ai_addr, address->ai_addrlen) == 0)
        return 0;
    if (errno != EINPROGRESS)
        return errno;
    int ready = poll(&watched, 1, HTTP_CONNECT_MS);
    if (ready <= 0)
        return ready == 0 ? ETIMEDOUT : errno;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &number_len) < 0 ? errno : number;
}

static void connect_any(void *connection_)
{
    struct connection *connection = connection_;
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    struct addrinfo *list;

    connection->lookup_failure = getaddrinfo(connection->host, connection->port, &hints, &list);
    if (connection->lookup_failure)
        return;
    for (const struct addrinfo *address = list; address; address = address->ai_next) {
        int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
                        address->ai_protocol);
        connection->number = fd < 0 ? errno : connect_within(fd, address);
        if (fd >= 0 && connection->number == 0) {
            connection->fd = fd;
            break;
        }
        if (fd >= 0)
            close(fd);
    }
    freeaddrinfo(list);
}

static fallible connect_to(const struct http_url *url, struct stream **out)
{
    struct connection connection = { .fd = -1 };

    if (url->host.len >= sizeof(connection.host))
        return error_new(ERROR_INVALID, "the host name is too long");
    memcpy(connection.host, url->host.ptr, url->host.len);
    snprintf(connection.port, sizeof(connection.port), "%u", url->port);
    TRY(fiber_canceled());
    offload(connect_any, &connection);
    if (connection.lookup_failure)
        return error_new(ERROR_NOT_FOUND, "look up '%s': %s", connection.host,
                         gai_strerror(connection.lookup_failure));
    if (connection.fd < 0) {
        errno = connection.number;
        return error_as(error_os("connect to '%s' port %s", connection.host, connection.port),
                        ERROR_OTHER);
    }
    return stream_from_fd(connection.fd, out);
}

/* --- a watchdog: a stream that stands still is shut --- */

struct watchdog {
    struct stream *stream;
    uint64_t patience_ms;
    uint64_t bytes; /* that came so far */
    bool has_bitten;
    struct latch done;
    struct latch ended;
};

static void watch(void *watchdog_)
{
    struct watchdog *watchdog = watchdog_;

    for (;;) {
        uint64_t before = watchdog->bytes;
        struct error *news = latch_wait_ms(&watchdog->done, watchdog->patience_ms);
        bool is_over = !news || error_kind(news) != ERROR_TIMEOUT;
        if (news)
            error_ignore(news, "time is up, or the download is canceled and ends by itself");
        if (is_over)
            break;
        if (watchdog->bytes == before) {
            watchdog->has_bitten = true;
            stream_shutdown(watchdog->stream);
            break;
        }
    }
    latch_open(&watchdog->ended);
}

/* --- request and answer --- */

struct exchange {
    const struct http_request *request;
    const struct http_url *url;
    struct watchdog watchdog;
    char buffer[HTTP_HEAD_MAX];
    str unread; /* of the buffer */
};

/* ERROR_OS is kept for the file that takes the body: what the network does may be gone the next
 * time. */
static fallible of_network(struct error *failure)
{
    return failure && error_kind(failure) == ERROR_OS ? error_as(failure, ERROR_OTHER) : failure;
}

static fallible send_request(struct exchange *exchange, bool sends_credentials)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct http_request *request = exchange->request;
    str target = exchange->url->target;

    strbuf_add(&text, STR("GET "));
    strbuf_add(&text, str_starts_with(target, STR("/")) ? STR("") : STR("/"));
    strbuf_add(&text, target);
    strbuf_add(&text, STR(" HTTP/1.1\r\nHost: "));
    strbuf_add(&text, exchange->url->authority);
    strbuf_add(&text, STR("\r\nUser-Agent: " HTTP_USER_AGENT "\r\nConnection: close\r\n"));
    for (size_t i = 0; i < request->header_count; i++) {
        if (!sends_credentials && http_is_credential(request->headers[i]))
            continue;
        strbuf_add(&text, request->headers[i]);
        strbuf_add(&text, STR("\r\n"));
    }
    strbuf_add(&text, STR("\r\n"));
    return of_network(stream_write(exchange->watchdog.stream, strbuf_str(&text)));
}

/* More bytes behind those not yet read, which move to the front; false at the end. */
static fallible read_more(struct exchange *exchange, bool *is_open)
{
    size_t got;

    memmove(exchange->buffer, exchange->unread.ptr, exchange->unread.len);
    TRY(of_network(stream_read(exchange->watchdog.stream, exchange->buffer + exchange->unread.len,
                               sizeof(exchange->buffer) - exchange->unread.len, &got)));
    exchange->watchdog.bytes += got;
    exchange->unread = (str){ exchange->buffer, exchange->unread.len + got };
    *is_open = got > 0;
    return NULL;
}

static fallible cut_off(void)
{
    return error_new(ERROR_OTHER, "the server ended the answer before it was complete");
}

static fallible read_head(struct exchange *exchange, struct arena *arena, struct http_head *head)
{
    bool is_open;

    do { /* 1xx are only news of the answer to come */
        size_t len = http_head_len(exchange->unread);
        while (len == 0) {
            if (exchange->unread.len == sizeof(exchange->buffer))
                return error_new(ERROR_OTHER, "the head of the answer is too long");
            TRY(read_more(exchange, &is_open));
            if (!is_open)
                return cut_off();
            len = http_head_len(exchange->unread);
        }
        str text = arena_copy(arena, str_slice(exchange->unread, 0, len));
        exchange->unread = str_slice(exchange->unread, len, exchange->unread.len);
        TRY(http_head_parse(text, head));
    } while (head->status < 200);
    return NULL;
}

static fallible read_chunks(struct exchange *exchange, struct http_body *body)
{
    struct http_chunks chunks = { 0 };
    str piece;

    while (!chunks.is_done) {
        bool is_open = true;
        if (exchange->unread.len == 0)
            TRY(read_more(exchange, &is_open));
        if (!is_open)
            return cut_off();
        TRY(http_chunks_next(&chunks, &exchange->unread, &piece));
        TRY(http_body_add(body, piece));
    }
    return NULL;
}

static fallible read_plain(struct exchange *exchange, const struct http_head *head,
                           struct http_body *body)
{
    bool is_open = true;

    while (is_open && !(head->has_length && body->written >= head->length)) {
        if (exchange->unread.len == 0)
            TRY(read_more(exchange, &is_open));
        if (head->has_length)
            exchange->unread = str_slice(exchange->unread, 0, head->length - body->written);
        TRY(http_body_add(body, exchange->unread));
        exchange->unread = STR("");
    }
    return head->has_length && body->written < head->length ? cut_off() : NULL;
}

static fallible read_answer(struct exchange *exchange, struct arena *arena, int *status,
                            str *location)
{
    struct http_head head;
    struct http_body body;

    TRY(read_head(exchange, arena, &head));
    *status = head.status;
    *location = head.location;
    TRY(http_body_begin(&body, exchange->request));
    if (head.status >= 300 || !http_head_has_body(&head))
        return NULL;
    if (body.progress && head.has_length)
        body.progress->total = head.length;
    return head.is_chunked ? read_chunks(exchange, &body) : read_plain(exchange, &head, &body);
}

static fallible talk(struct exchange *exchange, bool sends_credentials, struct arena *arena,
                     int *status, str *location)
{
    fiber_spawn(watch, &exchange->watchdog);
    struct error *failure = send_request(exchange, sends_credentials);
    if (!failure)
        failure = read_answer(exchange, arena, status, location);
    latch_open(&exchange->watchdog.done);
    latch_wait_uncancelable(&exchange->watchdog.ended);
    if (failure && exchange->watchdog.has_bitten) {
        error_ignore(failure, "said in other words");
        return error_new(ERROR_TIMEOUT, "nothing came for %llu seconds",
                         (unsigned long long)exchange->watchdog.patience_ms / 1000);
    }
    return failure;
}

fallible http_plain_exchange(const struct http_request *request, const struct http_url *url,
                             bool sends_credentials, struct arena *arena, int *status,
                             str *location)
{
    if (url->has_credentials)
        return error_new(ERROR_INVALID, "credentials are not sent over plain HTTP");
    struct exchange *exchange = ARENA_NEW(arena, struct exchange);
    exchange->request = request;
    exchange->url = url;
    exchange->unread = (str){ exchange->buffer, 0 };
    exchange->watchdog.patience_ms = request->patience_ms ? request->patience_ms : HTTP_PATIENCE_MS;
    TRY(connect_to(url, &exchange->watchdog.stream));
    struct error *failure = talk(exchange, sends_credentials, arena, status, location);
    stream_close(exchange->watchdog.stream);
    return failure;
}
