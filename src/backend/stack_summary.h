/* stack_summary.h — what a listing says of a stack; for every kind of backend. */
#pragma once

#include "backend/backend.h"

/* Fills in all but the stack, from the text of a checkpoint; slices of it or in the arena. No
 * I/O. */
fallible stack_summary_skim(struct arena *arena, str text, struct stack_summary *out);
/* The same by loading the stack: a journal on top may have more or fewer resources. Blocks. */
fallible stack_summary_load(struct backend *backend, struct arena *arena,
                            struct stack_summary *out);
