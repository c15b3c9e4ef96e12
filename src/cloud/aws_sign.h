/* aws_sign.h — signatures of requests to services of AWS and of those that speak like them:
 * Signature Version 4. Pure. */
#pragma once

#include "base/pairs.h"
#include "base/secret.h"

/* Texts are the holder's. */
struct aws_credentials {
    str access_key; /* empty: requests go out unsigned */
    struct secret secret_key;
    struct secret session_token; /* empty: there is none */
    int64_t expires;             /* nanoseconds since 1970; 0: never */
};

struct aws_request {
    str method;
    str origin;           /* https://HOST[:PORT] */
    str path;             /* begins with /; not escaped */
    struct pairs query;   /* not escaped, in any order */
    struct pairs headers; /* names in lower case; all of them are signed */
    str body;
    bool hashes_body; /* S3: the hash of the body is a header, too */
};

struct aws_signing {
    const struct aws_credentials *credentials;
    str region;
    str service;  /* s3, sts, kms */
    int64_t time; /* nanoseconds since 1970 */
};

struct aws_signed {
    str url;
    struct strs headers; /* "Name: value", as http_send takes them */
};

void aws_sign(struct arena *arena, const struct aws_request *request,
              const struct aws_signing *signing, struct aws_signed *out);
