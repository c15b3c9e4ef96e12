/* aws_sources.h — where credentials come from; private to the AWS part of this directory. All of
 * them block. Texts of the result are in the arena. */
#pragma once

#include "cloud/aws_identity.h"
#include "cloud/aws_profile.h"

struct aws_source {
    struct http_client *http;
    struct arena *arena;
    str region; /* for STS */
};

/* The JSON of processes, containers and machines: {"AccessKeyId", "SecretAccessKey", "Token" or
 * "SessionToken", "Expiration"}. Pure, fuzzed. */
fallible aws_credentials_parse(struct arena *arena, str text, struct aws_credentials *out);
/* The XML of STS. Pure, fuzzed. */
fallible aws_sts_parse(struct arena *arena, str text, struct aws_credentials *out);

struct aws_role {
    str arn;
    str session_name; /* empty: one is made up */
    str external_id;
    str duration; /* seconds; empty: 900 */
};
fallible aws_assume_role(const struct aws_source *source, const struct aws_role *role,
                         const struct aws_credentials *with, struct aws_credentials *out);
fallible aws_assume_by_token(const struct aws_source *source, const struct aws_role *role,
                             str token_file, struct aws_credentials *out);

fallible aws_run_process(const struct aws_source *source, str command, struct aws_credentials *out);
/* *is_there is false if nothing says that we run in a container. */
fallible aws_ask_container(const struct aws_source *source, bool *is_there,
                           struct aws_credentials *out);
fallible aws_ask_machine(const struct aws_source *source, struct aws_credentials *out);
