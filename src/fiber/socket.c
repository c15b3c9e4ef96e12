/* socket.c — loopback TCP connections and pipes for fibers: try first, wait only when the system
 * says so. */
#include "fiber/socket.h"

#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/io.h"
#include "fiber/peer.h"
#include "fiber/scheduler.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct stream {
    struct io io;
    bool is_drained; /* the last read got less than it had room for: the next would find nothing */
};

struct listener {
    struct io io;
    uint16_t port;
};

/* --- listener --- */

static fallible listen_at(uint16_t port, int *out)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int yes = 1;

    if (fd < 0)
        return error_os("create a socket");
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) < 0
        || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0
        || listen(fd, SOMAXCONN) < 0) {
        struct error *error = error_os("listen at 127.0.0.1:%u", port);
        close(fd);
        return error;
    }
    *out = fd;
    return NULL;
}

fallible listener_open(uint16_t port, struct listener **out)
{
    struct sockaddr_in bound = { 0 };
    socklen_t bound_len = sizeof(bound);
    int fd = -1;

    TRY(listen_at(port, &fd));
    if (getsockname(fd, (struct sockaddr *)&bound, &bound_len) < 0) {
        struct error *error = error_os("ask for the port of a socket");
        close(fd);
        return error;
    }
    struct listener *listener = memory_zalloc(sizeof(*listener));
    struct error *failure = io_open(&listener->io, fd);
    if (failure) {
        free(listener);
        return failure;
    }
    listener->port = ntohs(bound.sin_port);
    *out = listener;
    return NULL;
}

uint16_t listener_port(const struct listener *listener)
{
    return listener->port;
}

/* Answers and requests are small and whole: waiting to fill a packet only costs time. */
static fallible stream_from_socket(int owned_fd, struct stream **out)
{
    int yes = 1;

    if (setsockopt(owned_fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes)) < 0) {
        struct error *error = error_os("set up a connection");
        close(owned_fd);
        return error;
    }
    return stream_from_fd(owned_fd, out);
}

fallible listener_accept(struct listener *listener, struct stream **out)
{
    TRY(fiber_canceled());
    for (bool is_open = !listener->io.is_shut; is_open;) {
        int fd = accept4(listener->io.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0)
            return stream_from_socket(fd, out);
        if (errno == EAGAIN)
            TRY(io_wait(&listener->io, IO_READ, &is_open));
        else if (errno != EINTR && errno != ECONNABORTED)
            return error_os("accept at port %u", listener->port);
    }
    return error_new(ERROR_CANCELED, "the listener was closed");
}

void listener_shut(struct listener *listener)
{
    shutdown(listener->io.fd, SHUT_RDWR);
    io_shut(&listener->io);
}

void listener_close(struct listener *owned)
{
    if (owned)
        io_close(&owned->io);
}

/* --- stream --- */

fallible stream_from_fd(int owned_fd, struct stream **out)
{
    struct stream *stream = memory_zalloc(sizeof(*stream));
    struct error *failure = io_open(&stream->io, owned_fd);

    if (failure) {
        free(stream);
        return failure;
    }
    *out = stream;
    return NULL;
}

static fallible parse_address(str text, struct sockaddr_in *out)
{
    char host[INET_ADDRSTRLEN];
    str host_text, port_text;
    uint64_t port;

    if (!str_cut_last(text, STR(":"), &host_text, &port_text) || !str_to_u64(port_text, &port)
        || port == 0 || port > UINT16_MAX || host_text.len >= sizeof(host))
        return error_new(ERROR_INVALID, "invalid address '" STR_FMT "'", STR_ARG(text));
    memcpy(host, host_text.ptr, host_text.len);
    host[host_text.len] = '\0';

    *out = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    if (str_equal(host_text, STR("localhost")))
        out->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else if (inet_pton(AF_INET, host, &out->sin_addr) != 1)
        return error_new(ERROR_INVALID, "invalid address '" STR_FMT "'", STR_ARG(text));
    return NULL;
}

static fallible finish_connect(struct stream *stream, str address)
{
    int number = 0;
    socklen_t number_len = sizeof(number);
    bool is_open;

    TRY(io_wait(&stream->io, IO_WRITE, &is_open));
    if (getsockopt(stream->io.fd, SOL_SOCKET, SO_ERROR, &number, &number_len) < 0)
        number = errno;
    if (number == 0)
        return NULL;
    errno = number;
    return error_os("connect to '" STR_FMT "'", STR_ARG(address));
}

fallible stream_connect(str address, struct stream **out)
{
    struct sockaddr_in peer;
    struct stream *stream;

    TRY(fiber_canceled());
    TRY(parse_address(address, &peer));
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return error_os("create a socket");
    TRY(stream_from_socket(fd, &stream));

    struct error *failure = NULL;
    if (connect(fd, (struct sockaddr *)&peer, sizeof(peer)) < 0) {
        if (errno == EINPROGRESS || errno == EINTR)
            failure = finish_connect(stream, address);
        else
            failure = error_os("connect to '" STR_FMT "'", STR_ARG(address));
    }
    if (!failure)
        failure = peer_check_listener(stream);
    if (failure) {
        stream_close(stream);
        return failure;
    }
    *out = stream;
    return NULL;
}

bool stream_addresses(const struct stream *stream, struct sockaddr_in *ours,
                      struct sockaddr_in *theirs)
{
    socklen_t ours_len = sizeof(*ours), theirs_len = sizeof(*theirs);

    return getsockname(stream->io.fd, (struct sockaddr *)ours, &ours_len) == 0
           && ours->sin_family == AF_INET
           && getpeername(stream->io.fd, (struct sockaddr *)theirs, &theirs_len) == 0;
}

bool stream_is_established(const struct stream *stream)
{
    struct tcp_info info = { 0 };
    socklen_t len = sizeof(info);

    return getsockopt(stream->io.fd, IPPROTO_TCP, TCP_INFO, &info, &len) < 0
           || info.tcpi_state == TCP_ESTABLISHED;
}

fallible stream_read(struct stream *stream, char *into, size_t room, size_t *len)
{
    TRY(fiber_canceled());
    BUG_IF(room == 0);
    fiber_share();
    for (bool is_open = !stream->io.is_shut; is_open;) {
        if (!stream->is_drained) {
            ssize_t got = read(stream->io.fd, into, room);
            if (got >= 0) {
                stream->is_drained = got > 0 && (size_t)got < room && stream->io.is_pollable;
                *len = (size_t)got;
                return NULL;
            }
            if (errno == EINTR)
                continue;
            if (errno != EAGAIN)
                return error_os("read from a stream");
        }
        TRY(io_wait(&stream->io, IO_READ, &is_open));
        if (is_open)
            stream->is_drained = false;
    }
    *len = 0;
    return NULL;
}

fallible stream_try_write(struct stream *stream, str bytes, size_t *len)
{
    *len = 0;
    while (!stream->io.is_shut && *len < bytes.len) {
        ssize_t put = write(stream->io.fd, bytes.ptr + *len, bytes.len - *len);
        if (put >= 0)
            *len += (size_t)put;
        else if (errno == EAGAIN)
            return NULL;
        else if (errno != EINTR)
            return error_os("write to a stream");
    }
    errno = EPIPE;
    return stream->io.is_shut ? error_os("write to a stream") : NULL;
}

bool stream_has_bytes(const struct stream *stream)
{
    int waiting = 0;

    return ioctl(stream->io.fd, FIONREAD, &waiting) == 0 && waiting > 0;
}

fallible stream_write(struct stream *stream, str bytes)
{
    TRY(fiber_canceled());
    fiber_share();
    for (bool is_open = true; is_open;) {
        size_t put;
        TRY(stream_try_write(stream, bytes, &put));
        bytes = str_slice(bytes, put, bytes.len);
        if (bytes.len == 0)
            return NULL;
        TRY(io_wait(&stream->io, IO_WRITE, &is_open));
    }
    errno = EPIPE;
    return error_os("write to a stream");
}

static fallible stream_check(bool is_open)
{
    errno = EPIPE;
    return is_open ? NULL : error_os("wait for a stream");
}

fallible stream_wait_bytes(struct stream *stream, uint64_t milliseconds)
{
    bool is_open = !stream->io.is_shut;

    if (is_open)
        TRY(io_wait_ms(&stream->io, IO_READ, milliseconds, &is_open));
    return stream_check(is_open);
}

fallible stream_wait_room(struct stream *stream, uint64_t milliseconds)
{
    bool is_open = !stream->io.is_shut;

    if (is_open)
        TRY(io_wait_ms(&stream->io, IO_WRITE, milliseconds, &is_open));
    return stream_check(is_open);
}

void stream_shutdown(struct stream *stream)
{
    if (stream->io.is_shut)
        return;
    shutdown(stream->io.fd,
             SHUT_RDWR); /* fails on a pipe, which only its owner's waits know to end */
    io_shut(&stream->io);
}

void stream_close(struct stream *owned)
{
    if (owned)
        io_close(&owned->io);
}
