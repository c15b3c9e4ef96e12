/* store_s3.h — objects in a bucket of S3, or of a server that speaks like it: what its parts
 * share. */
#pragma once

#include "backend/object_store.h"
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
struct s3_page {
    struct object_list objects;
    str next; /* token of the next page; empty: it was the last */
};
fallible s3_page_parse(struct arena *arena, str text, struct s3_page *out);
