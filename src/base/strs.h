/* strs.h — lists of text. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

/* An immutable list of text in some arena. */
struct strs {
    const str *items;
    size_t len;
};
bool strs_equal(struct strs a, struct strs b);     /* same order */
bool strs_equal_set(struct strs a, struct strs b); /* any order */
bool strs_has(struct strs list, str text);
struct strs strs_copy(struct arena *arena, struct strs list);
/* Without duplicates, first occurrence kept. */
struct strs strs_union(struct arena *arena, struct strs a, struct strs b);
/* One after the other. */
struct strs strs_join(struct arena *arena, struct strs a, struct strs b);
struct strs strs_sorted(struct arena *arena, struct strs list);

/* A list that grows. The texts belong to others. */
struct str_list {
    VEC(str);
};
void str_list_release(struct str_list *list);
/* What it has now, in the arena. */
struct strs str_list_keep(struct arena *arena, const struct str_list *list);
