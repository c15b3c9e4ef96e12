/* engine_random.h — worlds made up by chance. A seed always makes the same world. */
#pragma once

#include "unit/engine_world.h"

/* Fills a new world: a state, a program, the answers of the provider and the options. Without
 * `calls_fail` every call of the provider succeeds. */
void random_world(struct world *world, unsigned long seed, bool calls_fail);
/* The world in words of the tests, so that it can become a named one. */
void random_world_print(const struct world *world);
