/* stack_outputs.h — the outputs of a stack, for `stack` and `stack output`. */
#pragma once

#include "cli/cli.h"

/* The outputs of the root resource; an empty object if there is none. */
struct value stack_outputs_find(const struct snapshot *snapshot);

/* A string as it is, everything else as JSON on one line; secrets as "[secret]" unless
 * `shows_secrets`. */
str stack_output_text(struct arena *arena, struct value value, bool shows_secrets);

/* "Current stack outputs (N):" and a table. */
void stack_outputs_print(struct cli *cli, struct value outputs, bool shows_secrets);
