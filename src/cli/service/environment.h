/* environment.h — the `environment` section of a stack's file: what the hosted service makes of it.
 */
#pragma once

#include "cli/cli.h"
#include "service/service_environment.h"

/* What the environments bring besides configuration. */
struct stack_environment {
    struct pairs variables;
    struct secret_list secrets; /* texts among them that nobody may see */
    struct value files;         /* contents, by the variable that names the file */
    str folder;                 /* where they are once they were written; empty: nowhere */
};

/* Adds their configuration under the stack's own. Without such a section nothing happens; on a
 * backend that cannot evaluate it no value is shown or used. The crypter seals what is secret;
 * NULL: it is only shown as such. Blocks. */
fallible environment_apply(struct cli *cli, const struct stack_config *stack,
                           enum environment_depth depth, struct crypter *crypter,
                           struct config *config, struct stack_environment *out);

/* What these environments bring to a policy pack; its settings are in `policies`. Blocks. */
fallible environment_open(struct cli *cli, struct strs names, struct value *policies,
                          struct stack_environment *out);

/* For programs and plugins: the files, for their owner alone, in a folder of their own; their paths
 * are added to the variables. A signal that ends us removes them. */
fallible environment_write_files(struct cli *cli, struct stack_environment *environment);
void environment_remove_files(struct stack_environment *environment);
