/* repair_plan.h — what `state repair` is about to change, for the person who is asked. */
#pragma once

#include "model/snapshot.h"

struct repair_plan {
    struct resource **before; /* as they were */
    struct resource **sorted; /* in the new order, not changed yet */
    const struct snapshot *after;
};

/* Which resources move, and which lose references; with colour tags. Empty if nothing does. */
str repair_plan_text(struct arena *arena, const struct repair_plan *plan);
