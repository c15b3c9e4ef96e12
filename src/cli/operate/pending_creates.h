/* pending_creates.h — what became of creations that were interrupted: only a person knows. */
#pragma once

#include "cli/operate/operation.h"

/* Asks for each interrupted creation of the stack that the options leave open, and changes the
 * state accordingly: one that failed is forgotten; one that succeeded becomes a resource with the
 * ID that was given, of which the refresh reads the rest. Does nothing without a terminal or in a
 * mere preview. Blocks. */
fallible pending_creates_ask(struct cli *cli, const struct operation_args *args);
