/* service_account.h — who a token belongs to, and tokens in exchange for other proofs. All of it
 * blocks. */
#pragma once

#include "service/service.h"
#include "service/service_decode.h"

/* Who the token belongs to. A token that is refused: "Unauthorized: …", as the service says it. */
fallible service_user(struct service *service, struct arena *arena, struct service_user *out);
/* The organisation that names without one mean; empty: the user's own. */
fallible service_default_organization(struct service *service, struct arena *arena, str *out);
/* Nothing is a capability of a service that does not tell. */
fallible service_capabilities(struct service *service, struct arena *arena,
                              struct service_capabilities *out);

/* Proof of an identity by somebody whom an organisation trusts. */
struct service_proof {
    struct secret token;
    str organization;
    str team; /* one of these two, or none */
    str user;
    int64_t seconds; /* that the new token is good for; 0: two hours */
};
fallible service_exchange_proof(struct service *service, const struct service_proof *proof,
                                struct arena *arena, struct service_grant *out);
fallible service_refresh_token(struct service *service, struct secret refresh_token,
                               struct arena *arena, struct service_grant *out);
