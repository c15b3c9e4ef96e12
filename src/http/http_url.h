/* http_url.h — the parts of a URL. */
#pragma once

#include "base/error.h"

/* Slices of the text that was parsed. */
struct http_url {
    bool is_https;
    bool has_credentials; /* "user:password@" */
    str host;             /* without brackets */
    str authority;        /* host and port as written, for the Host header */
    uint16_t port;
    str target; /* path and query; empty: "/" */
};

fallible http_url_parse(str text, struct http_url *out);

/* Where a Location header leads, seen from `base`. */
fallible http_url_resolve(struct arena *arena, str base, str location, str *out);

/* For messages: without credentials, and without the query, which may be signed. */
str http_url_show(struct arena *arena, const struct http_url *url);

/* A name or address of this machine, or one that only its link knows (where clouds tell a machine
 * about itself): never reached through a proxy. */
bool http_url_is_near(const struct http_url *url);
