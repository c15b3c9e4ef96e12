/* ending.h — files that must not outlive us, such as secrets for programs: a signal that ends the
 * process removes them first. Only SIGKILL leaves no chance. For the main thread. */
#pragma once

#include "base/str.h"

/* A file, or a folder that is empty once what was added after it is gone. */
void ending_add(str path);
/* All that was added at this path and below. */
void ending_forget(str path);

/* A signal that ends us by default shall do it by way of us: whoever has handled it so far gives it
 * back here. Does nothing as long as nothing was added. */
void ending_handle(int signal_number);
/* For handlers of others that end the process. */
void ending_remove(void);
/* For handlers: what the signal does by default. Comes back after one that only stops us. */
void ending_by_default(int signal_number);
