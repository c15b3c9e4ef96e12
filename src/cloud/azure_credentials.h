/* azure_credentials.h — as whom we come to Azure, where no key of the service itself is at hand. */
#pragma once

#include "base/secret.h"
#include "base/error.h"

struct http_client;
struct azure_credentials;

/* What the environment offers, the first that is there: a service principal (AZURE_CLIENT_SECRET or
 * AZURE_CLIENT_CERTIFICATE_PATH), workload identity, managed identity, `az`, `azd`.
 * AZURE_TOKEN_CREDENTIALS restricts it. `resource` is whom the tokens are for:
 * "https://vault.azure.net"; `tenant` is used where the environment names none. Asks nobody yet. */
fallible azure_credentials_open(struct http_client *http, str resource, str tenant,
                                struct azure_credentials **out);
void azure_credentials_close(struct azure_credentials *owned); /* NULL is fine */

/* "Authorization: Bearer …". The token is fetched when there is none that is still good. Blocks. */
fallible azure_credentials_header(struct azure_credentials *credentials, struct arena *arena,
                                  str *out);
/* The token of this header was refused: the next request gets another. */
void azure_credentials_refused(struct azure_credentials *credentials, str header);
