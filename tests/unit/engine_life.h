/* engine_life.h — the life of a stack made up by chance: one operation after the other, each on the
 * state that the one before has left. A seed always makes the same life. */
#pragma once

#include "unit/engine_world.h"

struct life {
    struct world *world;
    uint64_t dice;
    bool calls_fail;
    bool has_stack; /* the program registers it first, and it is the parent of the others */
    bool has_plan;  /* the next operation is held to what its preview says */
};

void life_begin(struct life *life, struct world *world, unsigned long seed, bool calls_fail);
/* So many operations come before the last ones. */
unsigned life_length(struct life *life);
/* Program, answers and options of the next operation. */
void life_next(struct life *life);
/* An update of a plain program without failures, whatever came before. */
void life_settle(struct life *life);
