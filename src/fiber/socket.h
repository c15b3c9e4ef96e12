/* socket.h — loopback TCP connections and pipes for fibers. */
#pragma once

#include "base/error.h"

struct stream; /* a connected socket or one end of a pipe */
struct listener;

/* Listens at 127.0.0.1 on a free port (`port` 0) or the given one. */
fallible listener_open(uint16_t port, struct listener **out);
uint16_t listener_port(const struct listener *listener);
/* Blocks. ERROR_CANCELED when canceled or closed. */
fallible listener_accept(struct listener *listener, struct stream **out);
/* Who waits to be accepted is cut off, and nobody can connect any more; still to be closed. */
void listener_shut(struct listener *listener);
void listener_close(struct listener *owned);

/* "127.0.0.1:1234" or "localhost:1234"; refuses ports of other users (peer.h). Blocks. */
fallible stream_connect(str address, struct stream **out);
/* Takes over a file descriptor. */
fallible stream_from_fd(int owned_fd, struct stream **out);
/* Reads at least one byte; *len is 0 at the end. Blocks. */
fallible stream_read(struct stream *stream, char *into, size_t room, size_t *len);
struct sockaddr_in;
/* False if it is not a connection over IPv4. */
bool stream_addresses(const struct stream *stream, struct sockaddr_in *ours,
                      struct sockaddr_in *theirs);
/* False once the peer has closed or reset a connection, even if there is still something to read.
 */
bool stream_is_established(const struct stream *stream);
/* Whether the next read finds something without blocking. */
bool stream_has_bytes(const struct stream *stream);
/* Writes all of it. Blocks while the peer does not read. */
fallible stream_write(struct stream *stream, str bytes);
/* Writes what fits now, without blocking; *len may be 0. */
fallible stream_try_write(struct stream *stream, str bytes, size_t *len);
/* Waits until a read is worth trying, for bytes that another library moves, but not longer than
 * this: ERROR_TIMEOUT. Blocks. */
fallible stream_wait_bytes(struct stream *stream, uint64_t milliseconds);
/* The same for a write. Blocks. */
fallible stream_wait_room(struct stream *stream, uint64_t milliseconds);
/* Ends both directions, so that blocked readers and writers return; still to be closed. */
void stream_shutdown(struct stream *stream);
void stream_close(struct stream *owned);
