/* data_key.h — private to this folder: random keys that a key service has sealed. */
#pragma once

#include "secrets/key_service.h"
#include "secrets/keyring.h"

/* The key of a URL and its sealed form (base64), found or added; no service is asked. */
fallible data_key(struct keyring *keyring, str url, str sealed, struct key **out);
/* The same from a state {"url":"…","encryptedkey":"…"}. */
fallible data_key_of_state(struct keyring *keyring, str state, struct key **out);

/* A new one, sealed by the service of the URL. Blocks. */
fallible data_key_create(struct keyring *keyring, str url, struct key **out);
