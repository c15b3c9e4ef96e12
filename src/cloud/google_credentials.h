/* google_credentials.h — as whom we come to Google Cloud. */
#pragma once

#include "base/error.h"

struct http_client;
struct google_credentials;

/* What the environment names, in this order: GOOGLE_CREDENTIALS (JSON), GOOGLE_OAUTH_ACCESS_TOKEN,
 * GOOGLE_APPLICATION_CREDENTIALS (a file), the file that gcloud has written, the metadata server.
 * Reads files; asks nobody yet. */
fallible google_credentials_open(struct http_client *http, struct google_credentials **out);
void google_credentials_close(struct google_credentials *owned); /* NULL is fine */

/* The headers of a request: "Authorization: Bearer …", and the project that is billed where the
 * credentials name one. The token is fetched when there is none that is still good. Blocks. */
enum { GOOGLE_HEADERS = 2 };
fallible google_credentials_headers(struct google_credentials *credentials, struct arena *arena,
                                    str headers[GOOGLE_HEADERS], size_t *count);
/* The token of this header was refused: the next request gets another. */
void google_credentials_refused(struct google_credentials *credentials, str header);

/* "googleapis.com", or the domain of another universe that the environment or the file names. */
str google_credentials_domain(const struct google_credentials *credentials);
