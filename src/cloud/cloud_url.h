/* cloud_url.h — URLs that name a thing in a cloud: SCHEME://HOST/PATH?NAME=VALUE&… Pure. */
#pragma once

#include "base/error.h"
#include "base/pairs.h"

struct cloud_url {
    str text; /* as it was written */
    str scheme;
    str host;           /* may be empty: awskms:///arn:… */
    str path;           /* decoded, without the / at its beginning */
    struct pairs query; /* decoded, in the order written */
};

fallible cloud_url_parse(struct arena *arena, str text, struct cloud_url *out);
/* The value of the last parameter of this name; empty if there is none. */
str cloud_url_parameter(const struct cloud_url *url, const char *name);
/* Refuses parameters that are not in the list, which ends with NULL. A name that ends with * stands
 * for all that begin so. */
fallible cloud_url_check(const struct cloud_url *url, const char *const *known);
/* For messages: without user information and query. */
str cloud_url_show(struct arena *arena, str text);
