/* foreground.h — programs that take the terminal over while we wait: an editor, a tool. */
#pragma once

#include "base/error.h"

/* Runs it with our input and outputs, in our process group, and waits. *status is that of wait(2).
 * Blocks the thread. */
fallible foreground_run(const char *const *argv, int *status);

/* Becomes the program: comes back only if that cannot be. */
fallible foreground_become(const char *path, const char *const *argv);
