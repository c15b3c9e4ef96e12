/* blob_server.h — a store of blobs over HTTP on this machine, as a test wants it: whole, slow to
 * see reason, or broken.
 *
 * GET, PUT and DELETE of /KEY; GET /?prefix=P lists keys, one a line. Every blob has an ETag of its
 * own for each write. If-Match and If-None-Match: * are obeyed, with 412. Connections are kept.
 *
 * As a server of S3 (`is_s3`), where /KEY is /BUCKET/KEY: listings in XML in small pages, copies,
 * ETags that depend on the content, and only requests that are signed with an access key. */
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

struct blob_server {
    struct {
        VEC(struct blob);
    } blobs;
    unsigned long versions;
    size_t connections;
    size_t requests;
    enum blob_fault fault; /* of the requests from `fault_first` on, `fault_count` of them */
    size_t fault_first;
    size_t fault_count;
    bool faults_only_writes;
    bool is_s3;
    bool ignores_conditions;
    struct listener *listener;
    struct cancel *scope;
    struct work_group fibers;
};

void blob_server_open(struct blob_server *server);
void blob_server_close(struct blob_server *server);
