/* stack_move.h — the first step of every move of a stack to another name or layout. */
#pragma once

#include "backend/backend_ops.h"

/* Creates the stack under its new name. One that is there already with the very same state is what
 * a move that was cut off has made: then the move goes on. */
fallible stack_move_begin(struct backend *backend, struct stack_ref stack,
                          const struct snapshot *snapshot);
