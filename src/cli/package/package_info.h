/* package_info.h — what the schema of a package says, for people to read. */
#pragma once

#include "base/strbuf.h"
#include "schema/schema.h"

/* What of it; empty: all. */
struct package_info_query {
    str source; /* as the user named it, for hints */
    str module;
    str resource;
    str function;
    bool shows_list; /* of a resource: what it is listed by */
    bool shows_all;  /* an only function does not stand for the package if there are resources */
};

/* A package with one function shows that, whatever else it has; so does one with one resource, or
 * with one module. */
fallible package_info_write(struct schema *schema, const struct package_info_query *query,
                            struct strbuf *out);
