/* stack_choose.h — lets the person at the terminal choose the stack of a command, or make it. */
#pragma once

#include "cli/cli.h"

/* A menu of the project's stacks, with `offers_new` also a new one; the choice is opened and
 * selected. Without a terminal: "no stack selected …". Blocks. */
fallible stack_choose(struct cli *cli, bool offers_new);

/* For a stack that was named and does not exist: asks whether to make it. Blocks. */
fallible stack_offer(struct cli *cli, str name);
