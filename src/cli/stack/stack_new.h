/* stack_new.h — creates a stack: its state, its configuration file, its secrets manager. */
#pragma once

#include "cli/cli.h"

struct new_stack {
    str name;
    str secrets_provider; /* empty: the default */
    str copy_config_from; /* another stack; empty: none */
    bool is_selected;
};

/* Blocks. Says "Created stack 'x'" on standard error. */
fallible stack_new(struct cli *cli, const struct new_stack *wanted);

/* The state of a stack without resources, the secrets of which are sealed by that manager. */
struct snapshot stack_new_state(struct cli *cli, const struct secrets *secrets);

/* Writes the file, then makes the stack; where that fails the file is as before. `config` is from
 * cli_edit_new_config. Blocks. */
fallible stack_new_save(struct cli *cli, struct stack_ref stack, struct stack_config *config,
                        const struct snapshot *initial);
