/* single_run.h — does what a line of `do` says, by a program of one resource or one call. */
#pragma once

#include "cli/operate/operation.h"
#include "cli/single/single_line.h"

struct single_wishes {
    const struct operation_args *operation; /* yes, output, secrets, as an update takes them */
    str version;                            /* of the package; empty: any */
    struct project_plugin plugin;           /* of the package, if it lies in a folder */
    bool is_dry_run;
};

/* Calls the function, or reads the resource from its provider: what comes back is printed as JSON,
 * and nothing is kept. Blocks. */
fallible single_ask(struct cli *cli, const struct single_line *line,
                    const struct single_wishes *wishes);

/* Creates, changes or deletes the resource by an update of the stack that touches nothing else.
 * Blocks. */
fallible single_change(struct cli *cli, const struct single_line *line,
                       const struct single_wishes *wishes);
