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
};

/* A package with one function, resource or module shows that. */
fallible package_info_write(struct schema *schema, const struct package_info_query *query,
                            struct strbuf *out);
