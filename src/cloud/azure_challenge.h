/* azure_challenge.h — what Azure answers to a request without a token: for whom and by whom one is
 * to be made. Pure, fuzzed. */
#pragma once

#include "base/error.h"

struct azure_challenge {
    str resource; /* "https://vault.azure.net" */
    str tenant;   /* empty: it does not say */
};

/* Of a header WWW-Authenticate. Refuses a resource that `host` is not part of: a token for another
 * service is none of its business. */
fallible azure_challenge_parse(str header, str host, struct azure_challenge *out);
