/* resource_own.h — copies what a state points to out of the request it came with. */
#pragma once

#include "model/resource.h"

/* Everything but its inputs and outputs is copied to the arena. */
void resource_own(struct arena *arena, struct resource *resource);
struct strs strs_own(struct arena *arena, struct strs list);
