/* google_identity.h — private to this folder: a file of credentials, and the token that it stands
 * for. */
#pragma once

#include "cloud/cloud_token.h"

/* What such a file says; only the members of its type are there. All of it is secret. */
struct google_identity {
    str type;
    str token_uri;
    str quota_project_id;
    str universe_domain;
    str client_email, private_key, private_key_id; /* service_account */
    str client_id, client_secret, refresh_token;   /* authorized_user */
    str impersonation_url;                         /* impersonated_service_account, … */
    str delegates;                                 /* JSON */
    struct google_identity *source;                /* … on behalf of whom */
    str audience, subject_token_type, token_url;   /* external_account */
    str source_file, source_url, source_format, source_field;
    struct pairs source_headers;
};

/* Refuses a type that is not known, and one whose members are missing. Pure, fuzzed. */
fallible google_identity_parse(struct arena *arena, str json, struct google_identity *out);

/* Asks the service of tokens. Blocks. */
fallible google_identity_token(struct http_client *http, const struct google_identity *identity,
                               struct arena *arena, struct cloud_token_grant *out);
