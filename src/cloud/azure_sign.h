/* azure_sign.h — signatures of requests to Azure's storage with the key of an account (Shared Key).
 * Pure. */
#pragma once

#include "base/error.h"
#include "base/pairs.h"
#include "base/secret.h"

struct azure_request {
    str method;
    str path;             /* as it is in the URL: begins with /, escaped */
    struct pairs query;   /* not escaped, in any order */
    struct pairs headers; /* names in lower case; x-ms-date and x-ms-version are among them */
    uint64_t length;      /* of the body */
};

/* "Authorization: SharedKey ACCOUNT:…". The key is base64: ERROR_INVALID if it is not. */
fallible azure_sign(struct arena *arena, const struct azure_request *request, str account,
                    struct secret key, str *out);
