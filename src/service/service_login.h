/* service_login.h — a login in the browser: the page of the service's site, and what it sends back
 * to this machine. Pure. */
#pragma once

#include "base/error.h"
#include "base/secret.h"

struct service_login {
    str console; /* the site: https://app.example.com */
    str host;    /* of this machine, for people */
    str time;
    str nonce; /* only who knows the page may answer */
    uint16_t port;
};

/* Where people log in. */
str service_login_page(struct arena *arena, const struct service_login *login);
/* Where the browser goes when that is done. */
str service_login_welcome(struct arena *arena, const struct service_login *login);

/* The head of the request that the page sends the browser to us with:
 * "GET /?accessToken=…&nonce=… HTTP/1.1". False if it is another request, or not of our page. */
bool service_login_answer(struct arena *arena, str head, str nonce, struct secret *out);
