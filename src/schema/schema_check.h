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

/* Types of the package that are named but not there: someone may write them by hand, beside the SDK
 * that is made. Resources and what is in other packages are never missed without an error. */
enum schema_dangling { DANGLING_IS_ERROR, DANGLING_IS_WARNING, DANGLING_IS_FINE };

struct schema_check_options {
    enum schema_dangling dangling;
    const struct schema_others *others;
};

/* The error says that it is no JSON object; everything else is a complaint. */
fallible schema_check_json(struct arena *arena, str json,
                           const struct schema_check_options *options,
                           struct schema_complaints *out);
