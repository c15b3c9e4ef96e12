/* scroll.h — which part of a long table is in sight, and the keys that move it. */
#pragma once

#include "base/str.h"

/* The zero value shows the end, and keeps showing it while the table grows. */
struct scroll {
    size_t offset; /* of the first row in sight */
    size_t most;   /* the offset at which the last row is in sight */
};

/* The table has so many rows, of which so many are in sight. */
void scroll_fit(struct scroll *scroll, size_t rows, size_t room);

/* Keys as they come from a terminal: arrows, j, k, pages, g, G, Home, End. True if the offset
 * changed. */
bool scroll_keys(struct scroll *scroll, str keys, size_t page);
