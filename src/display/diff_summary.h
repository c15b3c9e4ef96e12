/* diff_summary.h — which top-level properties a step changes, in a few words. */
#pragma once

#include "engine/event.h"

/* "diff: +added-deleted~changed", or empty. */
str diff_summary(struct arena *arena, const struct event_step *step);
str diff_summary_values(struct arena *arena, struct value before, struct value after);
/* "name, size force replacement", without tags; empty if it is no replacement or no property makes
 * it one. */
str replacement_reason(struct arena *arena, const struct event_step *step);
