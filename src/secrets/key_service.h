/* key_service.h — private to this folder: services that seal a key with one that they never give
 * away. The kinds are in key_services.def. */
#pragma once

#include "base/secret.h"
#include "cloud/cloud_call.h"
#include "cloud/cloud_url.h"

struct http_client;

/* One use of a key in a service. */
struct key_use {
    struct http_client *http;
    struct arena *arena;
    struct cloud_url url; /* of the key */
};

/* What they answer, as text. */
struct key_answer {
    str ciphertext;
    str plaintext;
};

struct key_service {
    const char *scheme;
    const struct json_field *answer; /* the members of a key_answer; pure, fuzzed */
    /* What the service makes of the bytes, as it is kept. Blocks. */
    fallible (*seal)(const struct key_use *use, struct secret plain, str *sealed);
    /* The bytes again, in the arena. Blocks. */
    fallible (*unseal)(const struct key_use *use, str sealed, struct secret *plain);
};

/* By the scheme of the URL; NULL if there is none. */
const struct key_service *key_service_find(str url);

/* --- for the kinds --- */

/* Base64 of the bytes in an object of JSON, {"KEY":"…"}: the body of a call. */
str key_service_body(struct arena *arena, const char *key, str bytes);
/* The bytes of a base64 text in an answer, which is cleared. */
fallible key_service_plain(struct arena *arena, str base64, struct secret *out);
