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
/* What `aws sso login` leaves. Pure, fuzzed; its message shows nothing of the text. */
struct aws_sso_token {
    str access;
    str expires_at;
    int64_t expires;
    str refresh; /* and the client that may use it; empty: it cannot be renewed */
    str client;
    str client_secret;
    str registered_until;
};
fallible aws_sso_token_parse(struct arena *arena, str text, struct aws_sso_token *out);
/* *is_found is false if the profile does not log in by SSO. */
fallible aws_use_sso(const struct aws_source *source, const struct aws_profile *profile, str home,
                     bool *is_found, struct aws_credentials *out);

fallible aws_ask_machine(const struct aws_source *source, struct aws_credentials *out);
