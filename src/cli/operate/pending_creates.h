/* pending_creates.h — what became of creations that were interrupted: only a person knows. */
#pragma once

#include "cli/operate/operation.h"

/* Takes what --import-pending-creates says, asks a person for each interrupted creation that the
 * options leave open, and changes the state accordingly: one that failed is forgotten; one that
 * succeeded becomes a resource with the ID that was given, of which the refresh reads the rest.
 * Does nothing in a mere preview. Blocks. */
fallible pending_creates_resolve(struct cli *cli, const struct operation_args *args);
