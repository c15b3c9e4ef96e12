/* tree_table.h — the rows of a live display as lines of text: a tree, in columns that fit a
 * terminal. */
#pragma once

#include "display/rows.h"

struct tree_table {
    VEC(str); /* with tags; the first is the header */
};

/* Lines of at most `width` columns. Where these are few, the columns before the status shrink, so
 * that it stays in sight. `dots` follow what goes on. Nothing as long as there is no stack: a
 * header alone would only flicker. The lines live in the arena, the list is the caller's to
 * release. */
void tree_table_make(struct arena *arena, const struct rows *rows, str dots, size_t width,
                     struct tree_table *out);
