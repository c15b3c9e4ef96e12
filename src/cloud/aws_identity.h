/* aws_identity.h — who we are to AWS: the credentials of the environment, of profiles, of roles, of
 * the machine; and where its services are. */
#pragma once

#include "cloud/aws_sign.h"
#include "base/error.h"

struct http_client;

/* What the URL of a store or of a key says; the zero value says nothing. */
struct aws_options {
    str profile; /* before everything else in the chain */
    str role;    /* taken with what the chain gives */
    str region;  /* empty: AWS_REGION, AWS_DEFAULT_REGION, the profile */
    bool is_anonymous;
    str home; /* of the user */
};

struct aws_identity;
/* The client is borrowed. No request is made yet. */
fallible aws_identity_new(const struct aws_options *options, struct http_client *http,
                          struct aws_identity **out);
void aws_identity_free(struct aws_identity *owned); /* NULL is fine */
/* Empty where nothing says it. */
str aws_identity_region(const struct aws_identity *identity);
/* The credentials, renewed before they end; many fibers may ask. In the arena. ERROR_INVALID says
 * what was tried, in which order. Blocks. */
fallible aws_identity_get(struct aws_identity *identity, struct arena *arena,
                          struct aws_credentials *out);
/* The server has refused these: the next get asks their source again. */
void aws_identity_expire(struct aws_identity *identity);

/* https://SERVICE.REGION.amazonaws.com, or what AWS_ENDPOINT_URL_<SERVICE> and AWS_ENDPOINT_URL
 * say. */
str aws_endpoint(struct arena *arena, const char *service, str region);
