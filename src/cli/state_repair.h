/* state_repair.h — puts a state right that contradicts itself. */
#pragma once

#include "model/snapshot.h"

/* Sorts resources behind what they depend on, then drops links to what is not there; a child without its parent becomes
 * a child of none. Fails on a cycle. */
fallible state_repair(struct arena *arena, struct snapshot *snapshot);
