/* blob_client.h — blobs of a store over HTTP: what a kind of backend builds on. */
#pragma once

#include "http/http.h"
#include "model/resource.h"

struct blob_client {
    struct http_client *http;
    str base; /* http://HOST:PORT/PREFIX/ */
};

struct blob_content {
    bool exists;
    str bytes;
    str etag;
};
fallible blob_get(const struct blob_client *client, struct arena *arena, str key,
                  struct blob_content *out);

/* What has to hold for a write. */
struct blob_condition {
    bool is_absent; /* there is none yet */
    str etag;       /* it is still this one; empty: any */
};
/* *is_met is false, and nothing was written, if the condition did not hold. A write whose answer
 * was lost and which is there after all counts as written. */
fallible blob_put_if(const struct blob_client *client, struct arena *arena, str key, str bytes,
                     struct blob_condition condition, bool *is_met, str *etag);
fallible blob_put(const struct blob_client *client, str key, str bytes);
fallible blob_delete(const struct blob_client *client, str key); /* also of what is not there */
/* Sorted, without the prefix of the client. */
fallible blob_list(const struct blob_client *client, struct arena *arena, str prefix,
                   struct strs *out);
