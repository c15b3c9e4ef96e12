/* regex_cost.h — whether a regular expression from outside may be compiled. */
#pragma once

#include "base/str.h"

/* The C library writes repetitions out: a pattern of some fifty plus signs takes all memory. False
 * for a pattern that would become too large. For extended expressions; one that is not valid may
 * get either answer. */
bool regex_is_affordable(str pattern);
