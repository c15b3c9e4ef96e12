/* schema_check.h — is a schema one that languages can be served with? All that is wrong with it is
 * said at once, each complaint with the place it is about. */
#pragma once

#include "base/vec.h"
#include "schema/schema.h"

struct schema_complaint {
    bool is_warning;
    str place; /* "#/resources/p:index:R/inputProperties/a"; empty: of the whole */
    str text;
};

struct schema_complaints {
    VEC(struct schema_complaint);
    size_t error_count;
};
void schema_complaints_release(struct schema_complaints *complaints);

struct schema_check_options {
    bool allows_dangling; /* references to what is not in the package */
    const struct schema_others *others;
};

/* The error says that it is no JSON object; everything else is a complaint. */
fallible schema_check_json(struct arena *arena, str json,
                           const struct schema_check_options *options,
                           struct schema_complaints *out);
