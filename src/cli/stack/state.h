/* state.h — the state of a stack in the hands of a command: loaded, changed under the lock,
 * saved. */
#pragma once

#include "cli/cli.h"

/* Refuses a state that contradicts itself, unless the user asked not to look. */
fallible state_verify(struct cli *cli, const struct snapshot *snapshot);

/* Marks the snapshot as written now by this program. */
void state_stamp(struct cli *cli, struct snapshot *snapshot);

/* Loads under the lock, lets `edit` change the snapshot, verifies, saves. Nothing is saved if
 * `edit` fails. Blocks. */
typedef fallible state_edit_function(struct cli *cli, struct snapshot *snapshot, void *context);
fallible state_edit(struct cli *cli, struct stack_ref stack, state_edit_function *edit,
                    void *context);

/* Runs `work` while the stack is locked; blocks. */
fallible state_locked(struct cli *cli, struct stack_ref stack,
                      fallible (*work)(struct cli *cli, void *context), void *context);

/* A copy that may be changed and that replaces the resource in the snapshot. */
struct resource *state_replace(struct cli *cli, struct snapshot *snapshot, size_t index);
