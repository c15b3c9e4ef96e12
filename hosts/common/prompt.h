/* prompt.h — questions about runtime options that `new` asks. */
#pragma once

#include "common/language_ops.h"

/* A choice between programs; those that are not installed say so. The first is the default.
 * `choices` ends with NULL. */
void prompt_add(struct host *host, struct arena *arena, Pb__RuntimeOptionsResponse *response,
                const char *key, const char *description, const char *const *choices);
