/* single_run.h — does what a line of `do` says, by a program of one resource or one call. */
#pragma once

#include "cli/operate/operation.h"
#include "cli/single/single_line.h"

struct single_wishes {
    const struct operation_args *operation; /* yes, output, secrets, as an update takes them */
    struct package_ref package;             /* its version may be empty: any */
    struct project_plugin plugin;           /* of the package, if it lies in a folder */
    str provider;                           /* URN of the one to use; empty: the default one */
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

/* Lists what there is of the type, as the provider finds it: printed as JSON. Blocks. */
fallible single_list(struct cli *cli, const struct single_line *line,
                     const struct single_wishes *wishes);

/* --- for the files of single/ --- */

/* What a program of ours exports or reads under this name is the answer. */
#define SINGLE_KEY STR("it")

struct single_question {
    const struct operation_args *args;
    struct value answer;
};
/* A task for single_with_program: evaluates the program for the answer. Blocks. */
fallible single_evaluate(struct cli *cli, void *question);

/* The state of the stack, with its secrets open. Blocks. */
fallible single_load(struct cli *cli, struct snapshot *out);
/* NULL if there is none, or it is about to go. */
const struct resource *single_find(const struct snapshot *snapshot, str urn);
/* Of a resource right below the stack. */
str single_urn(struct cli *cli, const struct snapshot *snapshot, str type, str name);

/* Runs `task` in a project that has the text for its program; all else of it is the user's. */
fallible single_with_program(struct cli *cli, const struct single_wishes *wishes, str text,
                             fallible (*task)(struct cli *cli, void *context), void *context);
