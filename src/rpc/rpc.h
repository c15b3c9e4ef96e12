/* rpc.h — gRPC over clear-text HTTP/2 on loopback: servers and clients for fibers. */
#pragma once

#include "base/error.h"
#include "base/pairs.h"

enum { RPC_MAX_MESSAGE = 400 * 1024 * 1024, RPC_MAX_HEADER_LIST = 16 * 1024 * 1024 };

enum rpc_status {
    RPC_OK = 0,
    RPC_CANCELED = 1,
    RPC_UNKNOWN = 2,
    RPC_INVALID_ARGUMENT = 3,
    RPC_DEADLINE_EXCEEDED = 4,
    RPC_NOT_FOUND = 5,
    RPC_ALREADY_EXISTS = 6,
    RPC_PERMISSION_DENIED = 7,
    RPC_RESOURCE_EXHAUSTED = 8,
    RPC_FAILED_PRECONDITION = 9,
    RPC_ABORTED = 10,
    RPC_OUT_OF_RANGE = 11,
    RPC_UNIMPLEMENTED = 12,
    RPC_INTERNAL = 13,
    RPC_UNAVAILABLE = 14,
    RPC_DATA_LOSS = 15,
    RPC_UNAUTHENTICATED = 16,
};

/* "Canceled", "Unknown", … as grpc-go prints them. */
const char *rpc_status_name(int code);

/* --- server --- */

struct rpc_server;
struct rpc_call;

/* Handles one call in a fiber of its own, in the server's cancel scope for as long as the peer
 * wants the answer: when the peer cancels or its connection breaks, blocking calls return
 * ERROR_CANCELED. Unary: `request` is the message; set *response (bytes that live in the call's
 * arena or longer). An error becomes the status: code error_status(), text error_message(), details
 * error_status_details(). */
typedef fallible rpc_handler(void *context, struct rpc_call *call, str request, str *response);

/* Streaming: reads with rpc_call_receive, writes with rpc_call_send; the return value ends the
 * call. */
typedef fallible rpc_stream_handler(void *context, struct rpc_call *call);

struct rpc_method {
    const char *path; /* "/pulumirpc.Engine/Log" */
    rpc_handler *unary;
    rpc_stream_handler *stream; /* exactly one of the two */
    bool is_patient; /* may wait for other calls of the same peer: these are never behind it */
};

/* Serves at 127.0.0.1 on a free port. `methods` ends with a NULL path and lives as long as the
 * server; unknown paths are answered UNIMPLEMENTED. Some thousands of calls of a connection run at
 * once, the rest wait for their turn. grpc.health.v1.Health/Check is answered SERVING
 * unless given. */
fallible rpc_server_open(const struct rpc_method *methods, void *context, struct rpc_server **out);
uint16_t rpc_server_port(const struct rpc_server *server);
/* "127.0.0.1:PORT"; lives as long as the server. */
str rpc_server_address(const struct rpc_server *server);
/* Why peers cannot connect any more: for some seconds there was no descriptor for them. Empty if
 * they can. */
str rpc_server_trouble(const struct rpc_server *server);
/* Stops accepting, sends GOAWAY, waits up to `grace_ms` for calls under way, cancels the rest,
 * waits for their handlers, frees. Not from a handler of that server. Blocks. */
void rpc_server_close(struct rpc_server *owned, uint64_t grace_ms);

struct arena *rpc_call_arena(struct rpc_call *call);        /* released after the answer was sent */
str rpc_call_header(const struct rpc_call *call, str name); /* request metadata; empty if absent */
const char *rpc_call_path(const struct rpc_call *call); /* of its method, as the server has it */

/* For streaming methods. One fiber may receive while another sends. */
/* The message is valid until the next call; *has_message is false when the client has sent all.
 * Blocks. */
fallible rpc_call_receive(struct rpc_call *call, bool *has_message, str *message);
/* Blocks on flow control. */
fallible rpc_call_send(struct rpc_call *call, str message);

/* --- client --- */

struct rpc_client;

/* For "127.0.0.1:PORT". Connects at the first call, again if the connection was lost; a call that
 * could not be sent fails UNAVAILABLE. */
fallible rpc_client_open(str address, struct rpc_client **out);
/* Breaks calls under way (UNAVAILABLE), frees when they have returned and streams are closed.
 * Blocks. */
void rpc_client_close(struct rpc_client *owned);

struct rpc_options {
    uint64_t timeout_ms; /* 0: none */
    struct pairs metadata;
};

/* One request, one answer; the answer lives in the arena. Failures of the peer are ERROR_STATUS.
 * When the fiber is canceled the call is canceled at the peer and ERROR_CANCELED returned.
 * `options` may be NULL. Blocks. */
fallible rpc_call_unary(struct rpc_client *client, const char *path, str request,
                        const struct rpc_options *options, struct arena *arena, str *response);

/* A call with a stream in either direction. One fiber may receive while another sends. */
struct rpc_stream;
fallible rpc_stream_open(struct rpc_client *client, const char *path,
                         const struct rpc_options *options, struct rpc_stream **out);
fallible rpc_stream_send(struct rpc_stream *stream, str message); /* blocks */
fallible rpc_stream_close_send(struct rpc_stream *stream);
/* *has_message is false when the peer has ended the call with OK; any other status is returned as
 * the error. Blocks. */
fallible rpc_stream_receive(struct rpc_stream *stream, struct arena *arena, bool *has_message,
                            str *message);
/* Cancels it if it has not ended. */
void rpc_stream_close(struct rpc_stream *owned);
