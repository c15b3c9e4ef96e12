/* stack_summary.h — what a listing says of a stack; for every kind of backend. No I/O. */
#pragma once

#include "backend/backend.h"

/* Fills in all but the stack, from the text of a checkpoint; slices of it or in the arena. */
fallible stack_summary_skim(struct arena *arena, str text, struct stack_summary *out);
