/* autonaming.c — the name that configuration proposes or enforces for a resource that is given none. */
#include "engine/deployment.h"

void autonaming_choose(struct stepgen *gen, struct registration *reg)
{
    (void)gen;
    reg->has_autonaming = false;
}
