/* event_read.h — events from the JSON lines of an event log. */
#pragma once

#include "engine/event.h"

/* One line. What it points to lives in the arena; secrets are as opaque as they are in the log.
 * *is_known is false for an event of a kind that we do not know. */
fallible event_read(struct arena *arena, str line, struct event *out, bool *is_known);
