/* callbacks.h — the functions inside a scripted program that the engine calls back: hooks and
 * transforms. */
#pragma once

#include "base/error.h"
#include "model/value.h"

struct Pb__Callback;
struct callbacks;

struct callbacks *callbacks_new(struct arena *arena);
/* Ends the server, if one was needed. Blocks. */
void callbacks_close(struct callbacks *callbacks);

/* Makes a function that does what the script says. `kind`: hook, errorHook, transform or
 * invokeTransform. */
fallible callbacks_add(struct callbacks *callbacks, str kind, struct value script,
                       struct arena *arena, struct Pb__Callback **out);
