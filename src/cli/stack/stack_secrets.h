/* stack_secrets.h — the configuration of a stack and the manager that keeps its secrets. */
#pragma once

#include "cli/cli.h"

/* Whether its file lies in this project; that of a stack of another project lies elsewhere. */
bool cli_has_config_here(const struct cli *cli, struct stack_ref stack);
/* Inside a project, a stack of another one is refused. */
fallible cli_check_project(const struct cli *cli, struct stack_ref stack);

/* The file of the stack, or the one --config-file names (empty: none does). Warns about what is odd
 * in it. Blocks. */
fallible cli_load_config(struct cli *cli, struct stack_ref stack, str config_file,
                         struct stack_config *out);

/* The same for who will save it: others who want to change a file in that folder wait until
 * cli_unlock_config, or the end of the command. Refuses a stack that is gone by then, and one of
 * another project, whose file this is not. Blocks. */
fallible cli_edit_config(struct cli *cli, struct stack_ref stack, str config_file,
                         struct stack_config *out);
/* For a stack that is about to be made. */
fallible cli_edit_new_config(struct cli *cli, struct stack_ref stack, struct stack_config *out);
/* Only the wait, for who moves or removes the file of that stack. As above it comes before the lock
 * of a stack, never while that one is held: there no signal would end it. Blocks. */
fallible cli_lock_config(struct cli *cli, struct stack_ref stack);
void cli_unlock_config(struct cli *cli);

/* An `environment` section changes what the values are, and only the hosted service knows how: no
 * value is shown or used without it. */
fallible cli_refuse_environments(const struct cli *cli, const struct stack_config *config);

/* The manager for its secrets. If the file has none, it is the one of the state, else a new one;
 * the file is saved, so that every later command agrees. Who loaded it only to read gets what it
 * says by then: changes in `config` are for cli_edit_config. The command line closes it at the end.
 * Blocks. */
fallible cli_stack_secrets(struct cli *cli, struct stack_ref stack, struct stack_config *config,
                           struct secrets **out);

/* A manager of the kind that --secrets-provider names for a stack that is being created, noted in
 * `config`; not saved. "default" is what the file names, else a passphrase. A salt or a key that is
 * there already is kept: there may be secrets under it, so it must be possible to unlock it.
 * Blocks. */
fallible cli_create_secrets(struct cli *cli, struct stack_ref stack, struct stack_config *config,
                            str provider, struct secrets **out);

/* Writes down in `config` which manager it is; not saved. */
void cli_note_secrets(struct cli *cli, struct stack_config *config, const struct secrets *secrets);
/* Whether the service seals the secrets of a stack with this provider: unless another is named, it
 * does so for those that live there. */
bool cli_secrets_by_service(const struct cli *cli, str provider);

/* The manager that reads the state; NULL if the state has none. */
fallible cli_state_secrets(struct cli *cli, const struct snapshot *snapshot, struct secrets **out);
