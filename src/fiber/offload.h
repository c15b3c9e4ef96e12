/* offload.h — blocking or CPU-heavy work on a helper thread while the fiber waits. */
#pragma once

#include "base/error.h"

/* Runs `work` on a helper thread and returns when it has returned. It may touch only what
 * `argument` owns. Not interrupted by cancellation. Outside a fiber it runs at once. Blocks. */
void offload(void (*work)(void *argument), void *argument);
