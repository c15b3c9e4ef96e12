/* store_s3.h — objects in a bucket of S3, or of a server that speaks like it: what its parts
 * share. */
#pragma once

#include "backend/store_web.h"
#include "cloud/aws_identity.h"
#include "http/http.h"

/* What the URL says (store_s3_url.c). Texts are in the arena. */
struct s3_options {
    str bucket;
    str prefix; /* "" or "a/b/" */
    struct aws_options aws;
    str endpoint; /* SCHEME://HOST[:PORT][/PATH]; empty: AWS itself */
    bool uses_path_style;
    bool uses_http; /* of AWS itself */
    bool uses_accelerate;
    bool uses_dualstack;
    bool uses_fips;
    bool sends_checksums;
    bool checks_checksums;
    str encryption; /* of new objects; empty: as the bucket says */
    str encryption_key;
};
fallible s3_url_parse(struct arena *arena, const struct object_store_options *options,
                      struct s3_options *out);

/* Where requests go: https://HOST, and what comes before the key in the path. */
struct s3_place {
    str origin;
    str path; /* "/" or "/BUCKET/" */
};
fallible s3_place_of(struct arena *arena, const struct s3_options *options, str region,
                     struct s3_place *out);

/* The answer to a listing; keys as the server has them. Pure, fuzzed. */
fallible s3_page_parse(struct arena *arena, str text, struct store_page *out);

struct s3_store {
    struct object_store store;
    struct s3_options options;
    struct s3_place place;
    struct http_client *http;
    struct aws_identity *identity;
};

/* --- requests (store_s3_request.c) --- */

enum { S3_HEADERS = 8 };

struct s3_call {
    const char *method;
    str key; /* with the prefix; empty: the bucket itself */
    struct pairs query;
    struct pair headers[S3_HEADERS]; /* names in lower case */
    size_t header_count;
    str body;
    bool is_conditional;
    bool is_repeatable; /* a POST that may be sent twice */
};
void s3_add_header(struct s3_call *call, str name, str value);
/* The key with the prefix of the URL. */
str s3_key(const struct s3_store *s3, struct arena *arena, str key);
/* Any status is a success. Block. */
fallible s3_send(struct s3_store *s3, struct arena *arena, const struct s3_call *call,
                 struct http_response *response);
/* An answer that is no success: what it says, and what to do. */
fallible s3_failed(const struct s3_store *s3, struct arena *arena, const struct s3_call *call,
                   const struct http_response *response);
/* Of requests that got no answer, and of credentials that were not found. */
fallible s3_explain(const struct s3_store *s3, struct error *owned);
/* There is no such object; that there is no such bucket is something else. */
bool s3_is_missing(struct arena *arena, const struct http_response *response);

/* --- operations --- */

fallible s3_remove(struct object_store *store, str key);
fallible s3_list(struct object_store *store, struct arena *arena, str prefix, bool is_flat,
                 struct object_list *out);
fallible s3_remove_all(struct object_store *store, struct strs keys);
