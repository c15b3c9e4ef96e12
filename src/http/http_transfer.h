/* http_transfer.h — one request and its answer, without redirects and retries; private to this
 * directory. */
#pragma once

#include "base/strbuf.h"
#include "base/version.h"
#include "fiber/sync.h"
#include "http/http_curl.h"
#include "http/http_headers.h"
#include "http/http_url.h"

#define HTTP_USER_AGENT "pulumi-cli/1 (" PULUMI_VERSION "; linux)"

enum {
    HTTP_CONNECT_MS = 15 * 1000,
    HTTP_IDLE_MS = 30 * 1000,
    HTTP_ANSWER_MAX = 1 << 20,
    HTTP_REFUSAL_MAX = 64 * 1024,
};

struct transfer {
    /* Set by the sender, on the loop. */
    const struct http_request *request;
    struct http_url url;
    bool is_once;      /* must not be sent twice */
    bool is_elsewhere; /* redirected to another host */
    int64_t deadline;  /* by the monotonic clock; INT64_MAX: none */
    struct transfer *next;
    _Atomic bool is_canceled;
    struct latch done;

    /* On the thread of the client from here on, until it is over. */
    const struct curl *curl;
    void *easy;
    void *header_list;
    bool is_over;
    struct arena arena;
    struct http_head head;
    struct strbuf body; /* in memory */
    bool is_enough;     /* of a refusal; its rest was not read */
    uint64_t length;    /* the sink got */
    uint64_t sent;      /* of the upload */
    int64_t active;     /* when the last byte moved */
    int64_t moved;      /* bytes until then */
    char text[ERROR_TEXT_MAX];

    /* The outcome. */
    struct error *failure;
    int status;
    unsigned sends; /* how often a server may have seen it */
};

/* The three parts of its life on that thread. A transfer that fails to start is over. */
void transfer_start(struct transfer *transfer, const struct curl *curl, void *multi);
void transfer_finish(struct transfer *transfer, void *multi, int code);
/* Ends it if its time has come, or if it was canceled; else when to look again. */
void transfer_check(struct transfer *transfer, void *multi, int64_t now, int64_t *next_look);
void transfer_release(struct transfer *transfer);

/* Makes the transfer and waits for its end. Blocks. */
fallible http_client_run(struct http_client *client, struct transfer *transfer);
/* Servers that are not to be asked any more. */
void http_client_give_up(struct http_client *client, str authority);
bool http_client_has_given_up(const struct http_client *client, str authority);
