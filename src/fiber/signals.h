/* signals.h — SIGINT and SIGTERM as calls on the loop. */
#pragma once

#include "base/error.h"

/* `handler` runs on the loop, outside any fiber, and must not block; it may wake, open, fire. NULL
 * restores the default. */
fallible signal_watch(int signal_number, void (*handler)(int signal_number, void *context),
                      void *context);
