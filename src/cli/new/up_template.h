/* up_template.h — `up TEMPLATE`: a stack from a template, without a project that stays. */
#pragma once

#include "cli/operate/operation.h"

/* Makes the project in a temporary folder, runs the operation there, and removes it. The stack
 * stays; it is not selected. Blocks. */
fallible up_template(struct cli *cli, const struct operation_args *args,
                     const struct operation_plan *plan);
