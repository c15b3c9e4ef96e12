/* pairs.h — lists of keys with their text. */
#pragma once

#include "base/strs.h"

struct pair {
    str key;
    str value;
};

/* An immutable list in some arena; in the order in which it was made. */
struct pairs {
    const struct pair *items;
    size_t len;
};

/* The text of the first that has the key; NULL if there is none. */
const str *pairs_find(struct pairs list, str key);
struct pairs pairs_copy(struct arena *arena, struct pairs list);
/* All of `a`, and what `b` has under other keys. */
struct pairs pairs_union(struct arena *arena, struct pairs a, struct pairs b);
/* One after the other. */
struct pairs pairs_join(struct arena *arena, struct pairs a, struct pairs b);
/* By key. */
struct pairs pairs_sorted(struct arena *arena, struct pairs list);
/* From key, value, key, value …; a key without a value at the end is left out. */
struct pairs pairs_from_strs(struct arena *arena, struct strs list);

/* A list that grows. The texts belong to others. */
struct pair_list {
    VEC(struct pair);
};
void pair_list_release(struct pair_list *list);
/* What it has now, in the arena. */
struct pairs pair_list_keep(struct arena *arena, const struct pair_list *list);
