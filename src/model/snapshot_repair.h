/* snapshot_repair.h — brings a snapshot that fails snapshot_verify into order, as far as that can
 * be done without knowing better. */
#pragma once

#include "model/snapshot.h"

/* Puts every resource behind all it refers to, moving as little as possible. Of two copies of a URN
 * the one with the referrer's is_delete is meant; if that leads in a circle, what is to be deleted
 * means the live one where only that comes before it. A circle is ERROR_INVALID, and nothing has
 * changed then. */
fallible snapshot_sort(struct arena *arena, struct snapshot *snapshot);

/* Sorts, then drops references to what does not exist. A child whose parent is missing has none
 * from then on, and it and all below it are renamed, because the types of parents are part of a
 * URN. A provider that is missing is left: there is nothing to put in its place. */
fallible snapshot_repair(struct arena *arena, struct snapshot *snapshot);
