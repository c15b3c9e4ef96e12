/* settings.h — the environment, typed. The only module below the command line that reads it. */
#pragma once

#include "base/str.h"

/* Empty if unset. Lives as long as the process: the environment does not change after start. */
str settings_text(const char *name);
/* Set, maybe to nothing? */
bool settings_has(const char *name);
/* `1` or `true` in any case. */
bool settings_bool(const char *name);
/* The number if it is one, else `otherwise`. */
uint64_t settings_number(const char *name, uint64_t otherwise);
/* The values of a setting that mean true. */
bool settings_is_true(str text);
