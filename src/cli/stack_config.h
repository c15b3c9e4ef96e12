/* stack_config.h — the configuration of the command's stack and the manager that keeps its
 * secrets. */
#pragma once

#include "cli/cli.h"

/* The file of the stack, or the one --config-file names (empty: none does). Warns about what is odd
 * in it. Blocks. */
fallible cli_load_config(struct cli *cli, str config_file, struct stack_config *out);

/* The manager for its secrets. If the file names none, one is made and the file saved, so that
 * every later command agrees. The command line closes it at the end. Blocks. */
fallible cli_config_secrets(struct cli *cli, struct stack_config *config, struct secrets **out);

/* A new manager of the kind --secrets-provider names, noted in `config`; not saved. Blocks. */
fallible cli_create_secrets(struct cli *cli, struct stack_config *config, str provider,
                            struct secrets **out);

/* The manager that reads the state; NULL if the state has none. */
fallible cli_state_secrets(struct cli *cli, const struct snapshot *snapshot, struct secrets **out);
