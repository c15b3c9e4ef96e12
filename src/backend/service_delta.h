/* service_delta.h — the difference between two states as texts, for services that take that. Pure.
 */
#pragma once

#include "base/error.h"

struct delta_edit {
    size_t start; /* bytes of the old text that go, half open */
    size_t end;
    str text; /* what comes in their place: a slice of the new text */
};

enum { DELTA_EDITS_MAX = 3 };
struct delta {
    struct delta_edit edits[DELTA_EDITS_MAX]; /* ascending, without overlap */
    size_t len;
};

/* Both texts are {"version", …, "deployment":{…,"resources":[…],…}}. What is before the resources,
 * between the first and the last that changed, and behind them is replaced where it differs. */
fallible delta_find(struct arena *arena, str old, str new, struct delta *out);
