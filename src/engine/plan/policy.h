/* policy.h — policy packs: every resource is shown to them before anything is done to it, the stack
 * when all is done. Each function does nothing where there are no packs. */
#pragma once

#include "base/error.h"
#include "model/resource.h"

struct registration;
struct stepgen;

/* Those that are required are installed already. Blocks. */
fallible policy_load(struct stepgen *gen);
/* Of those that ran: name|local|path → version, or name → version where it is required. */
struct pairs policy_packs(struct stepgen *gen);
/* Remediates, then analyses a resource before anything is done to it; a violation that forbids it
 * makes it invalid. Blocks. */
fallible policy_check_resource(struct stepgen *gen, struct registration *reg);
/* The same for the inputs of its replacement, which are others than those that were compared. What
 * was said of the resource before is not said again. Blocks. */
fallible policy_check_replacement(struct stepgen *gen, struct registration *reg);
/* After all is well: the stack as a whole. Blocks. */
fallible policy_check_stack(struct stepgen *gen);
