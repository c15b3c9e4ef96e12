/* duration.h — durations as the reference writes them: 1h30m0s, 2.5s, 100ms. */
#pragma once

#include "base/arena.h"

/* False if it is none. */
bool duration_parse(str text, double *seconds);
str duration_format(struct arena *arena, double seconds);
