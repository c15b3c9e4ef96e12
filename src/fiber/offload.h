/* offload.h — blocking or CPU-heavy work on a helper thread while the fiber waits. */
#pragma once

#include "base/error.h"

/* Runs `work` on a helper thread and returns when it has returned. It may touch only what
 * `argument` owns. Not interrupted by cancellation. Outside a fiber it runs at once. Blocks. */
void offload(void (*work)(void *argument), void *argument);

/* The same on a thread of its own, for work that waits for others and may take as long as they
 * like: helper threads are few, and whoever syncs a journal needs one soon. Blocks. */
void offload_apart(void (*work)(void *argument), void *argument);
