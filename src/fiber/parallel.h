/* parallel.h — the same work for many things at a time, on fibers. */
#pragma once

#include "base/error.h"

typedef fallible parallel_task(void *context, size_t index);

/* Runs the task for every index below `count`, at most `most` of them at a time and begun in that
 * order, each on a fiber in the caller's cancel scope. Returns when all have returned, with the
 * first failure; after a failure no further one is begun. Outside a fiber: one after the other.
 * Blocks. */
fallible parallel_each(size_t count, size_t most, parallel_task *task, void *context);
