/* stack_remove.h — removes the command's stack; shared by `stack rm` and `destroy --remove`. */
#pragma once

#include "cli/cli.h"

/* Refuses a stack with resources unless `force`. Blocks. */
fallible stack_remove(struct cli *cli, bool force, bool removes_backups, bool preserves_config);
