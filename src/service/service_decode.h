/* service_decode.h — the answers of the service as structs. Pure: bytes from outside in, failures
 * out. Texts are slices of the input or in the arena; members that are missing are empty. */
#pragma once

#include "base/error.h"
#include "base/pairs.h"

enum { SERVICE_NO_NUMBER = -1 };

/* GET /api/user */
struct service_user {
    str name;
    struct strs organizations;
    str token_name;
    str token_organization;
    str token_team;
};
fallible service_user_read(struct arena *arena, str text, struct service_user *out);

/* GET /api/user/organizations/default */
fallible service_default_organization_read(struct arena *arena, str text, str *out);

/* GET /api/capabilities */
struct service_capabilities {
    bool encrypts_batches;
    bool takes_deltas;
    int64_t delta_cutoff;   /* bytes from which on a delta is worth it */
    int64_t schema_version; /* of deployments; 0: not said */
};
fallible service_capabilities_read(struct arena *arena, str text, struct service_capabilities *out);

/* GET of a stack */
struct service_stack {
    str organization, project, name;
    str active_update; /* the last one, running or not */
    bool is_busy;      /* these three count then */
    str busy_kind;
    str busy_author;
    int64_t busy_since;
    struct pairs tags;
    str config; /* raw JSON of a configuration that the service keeps; empty or null: none */
};
fallible service_stack_read(struct arena *arena, str text, struct service_stack *out);

/* GET /api/user/stacks: one page */
struct service_stack_line {
    str organization, project, name;
    int64_t last_update; /* seconds; SERVICE_NO_NUMBER: never; 0: one is running */
    int64_t resource_count;
};
struct service_stack_page {
    struct service_stack_line *items;
    size_t len;
    str next; /* empty: it was the last one */
};
fallible service_stack_page_read(struct arena *arena, str text, struct service_stack_page *out);

/* POST of a new update */
struct service_message {
    str severity;
    str text;
};
struct service_policy {
    str name;
    str display_name;
    str version_tag; /* empty: it only has a number */
    int64_t version;
    str location; /* of the pack */
    str config;   /* raw JSON; empty or null: none */
    struct strs environments;
};
struct service_created {
    str id;
    struct service_message *messages;
    size_t message_count;
    struct service_policy *policies; /* that the organisation requires */
    size_t policy_count;
};
fallible service_created_read(struct arena *arena, str text, struct service_created *out);

/* POST that starts an update, and that renews its lease */
struct service_lease {
    str token;
    int64_t expiration; /* seconds; SERVICE_NO_NUMBER: not said */
    int64_t journal_version;
};
fallible service_lease_read(struct arena *arena, str text, struct service_lease *out);

/* POST of an import */
fallible service_import_read(struct arena *arena, str text, str *update);

/* GET of an update: how it went */
struct service_status {
    str status;
    struct strs texts;
    str next; /* empty: nothing follows */
};
fallible service_status_read(struct arena *arena, str text, struct service_status *out);

/* POST /api/oauth/token */
struct service_grant {
    str access_token;
    str refresh_token;
    int64_t expires_in;
};
fallible service_grant_read(struct arena *arena, str text, struct service_grant *out);

/* A member of an object that is a text: {"ciphertext": …} */
fallible service_text_read(struct arena *arena, str text, const char *key, str *out);
/* A member that is a list of texts, or an object of texts. */
fallible service_texts_read(struct arena *arena, str text, const char *key, struct strs *out);
fallible service_pairs_read(struct arena *arena, str text, const char *key, struct pairs *out);
