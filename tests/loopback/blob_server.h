/* blob_server.h — a store of blobs over HTTP on this machine, as a test wants it: whole, slow to
 * see reason, or broken.
 *
 * GET, PUT and DELETE of /KEY; GET /?prefix=P lists keys, one a line. Every blob has an ETag of its
 * own for each write. If-Match and If-None-Match: * are obeyed, with 412. Connections are kept.
 *
 * As a server of S3 (`is_s3`), where /KEY is /BUCKET/KEY: listings in XML in small pages, copies,
 * ETags that depend on the content, and only requests that are signed with an access key. As others
 * (`dialect`): blob_dialects.c. */
#pragma once

#include "base/vec.h"
#include "fiber/socket.h"
#include "fiber/sync.h"

struct blob {
    char *key;
    char *bytes;
    size_t len;
    unsigned long version;
};

enum blob_fault {
    BLOB_GOOD,
    BLOB_REFUSES, /* 500, nothing is done */
    BLOB_BUSY,    /* 503 with Retry-After, nothing is done */
    BLOB_LIMITS,  /* 429 with Retry-After, nothing is done */
    BLOB_DROPS,   /* closes the connection, nothing is done */
    BLOB_FORGETS, /* does it, then closes the connection without an answer */
    BLOB_CUTS,    /* does it, then closes the connection in the middle of the answer */
    BLOB_FAULTS,
    BLOB_EXPIRES, /* only of S3: the credentials have ended, nothing is done */
};

struct blob_server;
struct blob_request;
struct strbuf;
typedef void blob_dialect(struct blob_server *server, const struct blob_request *request,
                          struct strbuf *out);

struct blob_server {
    struct {
        VEC(struct blob);
    } blobs;
    unsigned long versions;
    size_t connections;
    size_t requests;
    struct latch *gate;    /* requests wait until it is open; NULL: nobody waits */
    size_t held;           /* so many do */
    size_t rounds;         /* how often the gate was opened, for the test to count */
    enum blob_fault fault; /* of the requests from `fault_first` on, `fault_count` of them */
    size_t fault_first;
    size_t fault_count;
    bool faults_only_writes;
    bool is_s3;
    blob_dialect *dialect; /* NULL: the server's own */
    bool ignores_conditions;
    bool forgets_pages; /* every page of a listing is the first one */
    struct listener *listener;
    struct cancel *scope;
    struct work_group fibers;
};

void blob_server_open(struct blob_server *server);
void blob_server_close(struct blob_server *server);

/* --- for dialects --- */

struct blob_request {
    str method;
    str key; /* of a listing: what comes behind ?prefix= */
    bool is_listing;
    str query;
    str source; /* of a copy: a key */
    str authorization;
    str if_match;
    str if_none_match;
    str head;
    str body;
};

struct blob *blob_find(struct blob_server *server, str key);
struct blob *blob_store(struct blob_server *server, str key, str bytes);
void blob_remove(struct blob_server *server, struct blob *blob);
void blob_sort(struct blob_server *server);
/* The value of a header, by "\r\nName:"; of a parameter, by "name=". */
str blob_header(str head, str name);
str blob_parameter(struct arena *arena, str query, str name);
/* `headers` has its line ends. */
void blob_answer(struct strbuf *out, const char *status, const char *headers, str body);

/* Google Cloud Storage, as STORAGE_EMULATOR_HOST. */
void blob_serve_gs(struct blob_server *server, const struct blob_request *request,
                   struct strbuf *out);
/* Azure's blob storage, at /ACCOUNT/CONTAINER/KEY. Copies are pending at first. */
void blob_serve_azblob(struct blob_server *server, const struct blob_request *request,
                       struct strbuf *out);
