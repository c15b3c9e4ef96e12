/* retry.h — provider calls that the program's error hooks may ask to repeat. */
#pragma once

#include "engine/hook/hooks.h"

typedef fallible retry_attempt(void *attempt);

/* Tries until it works, no hook asks for another try, or the limit is reached. The last failure is
 * returned. Blocks. */
fallible retry_with_hooks(struct hooks *hooks, retry_attempt *attempt, void *argument,
                          const struct hook_states *states, const char *operation);
