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
