/* reseal.h — makes open secrets forget how they were sealed, so that another manager can seal them. */
#pragma once

#include "model/snapshot.h"

/* Every secret of the snapshot must be open. Resources are copied. */
void reseal_forget(struct arena *arena, struct snapshot *snapshot);
