/* schema_complaints.h — what is wrong with a schema, for the user. */
#pragma once

#include "cli/cli.h"

struct complaint_wishes {
    bool allows_dangling; /* references to types that are not in the package */
    bool shows_warnings;
};

/* Checks it and prints each complaint on standard error; *error_count says how many are errors.
 * Other packages that it refers to are asked for. Blocks. */
fallible schema_complaints_print(struct cli *cli, str json, const struct complaint_wishes *wishes,
                                 size_t *error_count);
