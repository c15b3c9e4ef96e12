/* grpc.h — what gRPC puts into HTTP/2: messages in bodies, status in trailers, timeouts in headers.
 * No I/O. */
#pragma once

#include "base/error.h"
#include "rpc/http2.h"

enum {
    GRPC_PREFIX_LEN = 5,
    GRPC_MAX_TRAILERS =
        8000, /* what we send; gRPC's C core drops answers with more than 8 KB of metadata */
    GRPC_TIMEOUT_ROOM = 16, /* for the text of a timeout */
};
#define GRPC_MAX_METADATA (UINT64_C(64) << 20) /* bytes of metadata of a connection's calls */
/* Of all calls of a server: then connections have their share each, and those with more no more. */
#define GRPC_MAX_METADATA_OF_ALL (UINT64_C(128) << 20)
#define GRPC_METADATA_SHARE (UINT64_C(256) << 10)
#define GRPC_MAX_HELD (UINT64_C(2) << 30) /* bytes of messages, in and out, for a connection */

/* --- messages in --- */

struct grpc_message {
    struct grpc_message *next;
    size_t len;
    char bytes[];
};

/* Cuts a body into messages. The zero value is empty. */
struct grpc_inbox {
    struct grpc_message *first; /* whole ones */
    struct grpc_message *last;
    struct grpc_message *partial;
    uint32_t filled; /* bytes of the partial one */
    uint8_t prefix_len;
    char prefix[GRPC_PREFIX_LEN];
    struct arena *arena; /* where the messages live; NULL: each is freed by itself */
    uint64_t own_held;   /* bytes of it in that sum */
    uint64_t *held;      /* sum over the inboxes of a connection; NULL: not counted */
};

/* RPC_OK; RPC_UNIMPLEMENTED for a compressed message; RPC_RESOURCE_EXHAUSTED for one above
 * RPC_MAX_MESSAGE, or above GRPC_MAX_HELD together with others. */
int grpc_inbox_add(struct grpc_inbox *inbox, str bytes);
/* The oldest whole message, or NULL. */
struct grpc_message *grpc_inbox_take(struct grpc_inbox *inbox);
void grpc_message_free(struct grpc_inbox *inbox, struct grpc_message *owned);
/* Counts an answer that waits to be sent, too. Above GRPC_MAX_HELD no other one may wait. */
void grpc_inbox_charge(struct grpc_inbox *inbox, size_t size);
/* Takes its bytes out of the sum of the connection. */
void grpc_inbox_detach(struct grpc_inbox *inbox);
/* A message is there in part. */
bool grpc_inbox_is_cut(const struct grpc_inbox *inbox);
void grpc_inbox_release(struct grpc_inbox *inbox);

/* The 5 bytes before a message. */
void grpc_put_prefix(char prefix[GRPC_PREFIX_LEN], size_t len);

/* --- status --- */

/* Appends grpc-status, grpc-message and grpc-status-details-bin to a header block; the text is cut,
 * and details that are too large are left out, so that all stays below GRPC_MAX_TRAILERS. */
void grpc_add_status(struct strbuf *block, int code, str message, str details);
/* Whether the list has a status; *failure is NULL for RPC_OK. */
bool grpc_read_status(const struct hpack_list *headers, struct error **failure);
/* Failure of an answer that is not gRPC, or NULL. */
fallible grpc_check_answer(const struct hpack_list *headers);
/* What RST_STREAM means for a call. */
int grpc_code_of_reset(enum http2_code code);

void grpc_percent_encode(struct strbuf *out, str text, size_t most);
void grpc_percent_decode(struct strbuf *out, str text);

/* --- headers --- */

bool grpc_is_content_type(str value);

/* "1500m"; at most 8 digits, so long times lose precision. */
str grpc_format_timeout(char room[GRPC_TIMEOUT_ROOM], uint64_t milliseconds);
bool grpc_parse_timeout(str text, uint64_t *milliseconds);

/* The fields of a request that belong to the application. */
struct grpc_metadata;
struct grpc_metadata *grpc_metadata_copy(
    const struct hpack_list *headers); /* NULL if there are none; to be freed with free() */
/* What it takes in memory. */
size_t grpc_metadata_size(const struct grpc_metadata *metadata);
str grpc_metadata_find(const struct grpc_metadata *metadata, str name);
