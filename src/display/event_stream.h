/* event_stream.h — a log of events on a gRPC connection, as the Automation API of SDKs listens to
 * it. */
#pragma once

#include "base/error.h"

struct event_stream;

/* "HOST:PORT". Connects in the background; if the peer is missing or goes away,
 * the log is lost, never the operation. */
fallible event_stream_open(str address, struct event_stream **out);
/* Does not block. */
void event_stream_add(struct event_stream *stream, str line);
/* Sends what is left and waits until the peer has it. Blocks. */
void event_stream_close(struct event_stream *owned);
