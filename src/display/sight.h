/* sight.h — which lines of a table that is longer than the screen are in sight. */
#pragma once

#include "base/vec.h"
#include "display/scroll.h"

/* Lines by their number, rising. */
struct sight {
    VEC(size_t);
};

/* `since[i]` says for how long the work on a line goes on: the time when it began, or 0 for none.
 * Those stay in sight, the longest first, up to half of the room; the other lines are those that
 * the scroll has come to. The list is the caller's to release. */
void sight_choose(struct scroll *scroll, const int64_t *since, size_t count, size_t room,
                  struct sight *out);
