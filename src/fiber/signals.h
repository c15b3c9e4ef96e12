/* signals.h — SIGINT, SIGTERM and SIGHUP as calls on the loop, or held back. */
#pragma once

#include "base/error.h"

/* `handler` runs on the loop, outside any fiber, and must not block; it may wake, open, fire. NULL
 * restores the default. */
fallible signal_watch(int signal_number, void (*handler)(int signal_number, void *context),
                      void *context);

/* The signals that ask us to end: SIGINT, SIGTERM, and SIGHUP unless it is ignored, as nohup wants
 * it. NULL restores the default. */
fallible signals_watch_endings(void (*handler)(int signal_number, void *context), void *context);

/* Until the same number of signals_let, the signals that ask us to end wait. Then they do what they
 * would have done: call a handler, or end us. Children are not affected. */
void signals_hold(void);
void signals_let(void);
/* One of them has come: it waits, or a handler was called. For who could wait without end. */
bool signals_have_asked(void);
