/* cloud_token.h — a token that lasts for a while: fetched by the first who needs it, shared by all,
 * and fetched anew before it ends. */
#pragma once

#include "base/secret.h"
#include "cloud/cloud_call.h"

struct latch;

/* What a service of tokens gave. */
struct cloud_token_grant {
    str text;
    int64_t expires; /* nanoseconds since 1970; 0: it does not say */
};

/* The zero value has none. */
struct cloud_token {
    struct arena arena;
    struct secret text;
    int64_t expires;
    struct latch *fetching; /* while a fiber is at it */
};

typedef fallible cloud_token_fetch(void *context, struct arena *arena,
                                   struct cloud_token_grant *out);

/* One that is good for some minutes yet, in the arena of the caller. Blocks. */
fallible cloud_token_get(struct cloud_token *token, cloud_token_fetch *fetch, void *context,
                         struct arena *arena, struct secret *out);
/* The service has refused this one: the next caller gets another. Many may say so of the same. */
void cloud_token_refused(struct cloud_token *token, struct secret text);
void cloud_token_release(struct cloud_token *token);

/* Asks a service for a token: {"access_token","expires_in" or "expires_on"},
 * {"accessToken","expireTime"} or {"token","expiresOn"}. Blocks. */
fallible cloud_token_ask(struct http_client *http, const struct cloud_call *call,
                         struct arena *arena, struct cloud_token_grant *out);
/* The same of an answer that is there. Pure but for the clock. */
fallible cloud_token_parse(struct arena *arena, str json, struct cloud_token_grant *out);
