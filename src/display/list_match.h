/* list_match.h — which element of a list became which. */
#pragma once

#include "base/vec.h"
#include "model/value.h"

/* One of them may be missing: SIZE_MAX. */
struct list_pair {
    size_t old;
    size_t new;
};

struct list_pairs {
    VEC(struct list_pair);
};

/* Pairs in the order of both lists: equal elements where they are still in order, then objects that
 * have most in common, then what stands in the same place. The list is the caller's to release. */
void list_match(struct value old, struct value new, struct list_pairs *out);
