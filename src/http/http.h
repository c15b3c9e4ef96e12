/* http.h — requests over HTTP and HTTPS: the face of this directory. */
#pragma once

#include "base/error.h"

#include <stdatomic.h>

/* Keeps connections, so that the next request to a host needs no handshake. Costs nothing until
 * the first request, which loads libcurl. Fibers may share it; close it when none uses it. */
struct http_client;
struct http_client *http_client_new(void);
void http_client_free(struct http_client *owned);

/* --- request --- */

/* What is sent: the bytes, or a part of a file. The zero value is nothing. */
struct http_upload {
    str bytes;
    bool is_file; /* then these count: */
    int fd;
    uint64_t offset;
    uint64_t length;
};

enum http_sink_kind { HTTP_TO_MEMORY, HTTP_TO_FILE, HTTP_TO_CALLBACK };

/* What takes the body of a 2xx answer. */
struct http_sink {
    enum http_sink_kind kind;
    uint64_t limit; /* longer bodies are refused; 0: 1 MB */
    int fd;         /* a file, emptied first */
    /* On a thread, which serves all requests of the client: it may touch only its context,
     * and should be quick. Its failure is that of the request. */
    fallible (*take)(void *context, str bytes);
    void *context;
};

/* How far a request is. Others may look while it runs. */
struct http_progress {
    _Atomic uint64_t received;
    _Atomic uint64_t total; /* 0: the server did not say */
};

/* An attempt that came to nothing. */
struct http_setback {
    str problem;
    int status; /* 0: there was no answer */
    uint64_t wait_ms;
    unsigned attempt; /* from 1 */
    unsigned attempts;
};

/* When a request is sent again: after a lost connection or a timeout, and by status; not if the
 * same would come of it, nor once a callback has seen a part of the body. */
struct http_retry {
    unsigned attempts;            /* in all; 0 means 1 */
    uint64_t first_wait_ms;       /* each wait is twice the one before, or what Retry-After says */
    uint64_t longest_wait_ms;     /* 0: 30 s */
    bool (*may_pass)(int status); /* NULL: 408, 429 and 5xx but 501 and 505 */
    /* The caller knows that twice is the same as once. Otherwise POST, PATCH and what else is not
     * idempotent are sent again only if nothing of them was sent. */
    bool repeats_unsafe;
    void (*report)(void *context, const struct http_setback *setback); /* before each wait */
    void *context;
};

/* Whom HTTPS believes, and as whom it comes. The zero value: the authorities of the system, or of
 * SSL_CERT_FILE and SSL_CERT_DIR, and as nobody. Paths of PEM files. */
struct http_trust {
    str authorities;        /* in place of the system's */
    str authorities_folder; /* the same, with names that are hashes */
    str certificate;        /* ours */
    str key;                /* of our certificate; empty: in the same file */
    bool believes_anyone;   /* no certificate is checked */
};

struct http_request {
    str method; /* empty: GET */
    str url;
    const str *headers; /* "Name: value" */
    size_t header_count;
    struct http_upload upload;
    struct http_sink sink;
    struct http_trust trust;
    bool accepts_gzip; /* the sink gets what was inside, and the limit is on that */
    struct http_retry retry;
    uint64_t connect_ms;            /* until the connection is established; 0: 15 s */
    uint64_t idle_ms;               /* without a byte in either direction; 0: 30 s */
    uint64_t whole_ms;              /* with all attempts, waits and redirects; 0: no limit */
    struct http_progress *progress; /* NULL: nobody looks */
};

/* --- response --- */

struct http_header {
    str name;
    str value;
};
struct http_headers {
    struct http_header *items;
    size_t len;
};

struct http_response {
    int status;
    struct http_headers headers;
    /* What came to memory. Of an answer that is not 2xx always here, and not more than 64 KB. */
    str body;
    uint64_t length;   /* what the sink got */
    unsigned attempts; /* as the policy counts them */
    unsigned sends;    /* more than one: an earlier one may have had its effect */
};

/* Sends it and receives the answer, after redirects, in the arena. An answer with any status is a
 * success. GET and HEAD follow every redirect, other methods 307 and 308; none leads from HTTPS to
 * HTTP, and to another host go only headers that describe the content.
 * ERROR_INVALID: what the next attempt would meet again (a bad URL, no libcurl, a body too long);
 * ERROR_NOT_FOUND: no such host; ERROR_OS: a file could not be read or written; ERROR_CANCELED;
 * anything else may be gone at the next attempt. Messages have neither the password nor the query
 * of the URL. Blocks. */
fallible http_send(struct http_client *client, const struct http_request *request,
                   struct arena *arena, struct http_response *out);
/* The first of this name, in any case; empty if there is none. */
str http_response_header(const struct http_response *response, const char *name);
/* Whether the status is a 2xx. */
bool http_response_is_good(const struct http_response *response);
/* Whether another attempt may do better, by the kinds above. */
bool http_may_pass(const struct error *failure);
