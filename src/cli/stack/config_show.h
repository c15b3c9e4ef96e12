/* config_show.h — the whole configuration of a stack, and how it is printed. */
#pragma once

#include "cli/stack/stack_secrets.h"

/* The stack's values, under them those of its environments and the project's defaults. `opens`:
 * environments are opened for the values that they compute. Blocks. */
fallible config_merge(struct cli *cli, struct stack_config *config, bool opens,
                      struct config *merged);
/* The values of `merged` with open secrets. Blocks. */
fallible config_unseal_all(struct cli *cli, struct stack_config *config,
                           const struct config *merged, struct value *out);
/* As a table, or as JSON. Blocks. */
fallible config_show(struct cli *cli, struct stack_config *config, const struct config *merged,
                     bool shows_secrets, bool is_json);
