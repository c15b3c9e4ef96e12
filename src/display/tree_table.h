/* tree_table.h — the rows of a live display as lines of text: a tree, in columns that fit a
 * terminal. */
#pragma once

#include "display/frame.h"
#include "display/rows.h"

/* A row's place in the tree. */
struct tree_line {
    const struct row *row;
    str branches; /* before its type: "│  ├─ " */
};

struct tree_order {
    VEC(struct tree_line);
};

/* Visible rows from top to bottom, the stack first. None as long as there is no stack: a header
 * alone would only flicker. Branches live in the arena, the list is the caller's to release. */
void tree_order_make(struct arena *arena, const struct rows *rows, struct tree_order *out);

enum tree_column {
    COLUMN_MARK,
    COLUMN_TYPE,
    COLUMN_NAME,
    COLUMN_STATUS,
    COLUMN_INFO,
    TREE_COLUMNS
};

/* How wide columns have been, so that a part of the table keeps them while it moves. The zero value
 * remembers nothing. */
struct tree_widths {
    size_t widths[TREE_COLUMNS];
};

struct tree_table {
    const struct rows *rows;
    const struct tree_line *lines;
    size_t len;
    str dots;                   /* follow what goes on */
    size_t width;               /* of the terminal, in columns */
    struct tree_widths *former; /* NULL: the columns are as wide as what is in them */
};

/* The header and the lines, each of at most `width` columns. Where these are few, the columns
 * before the status shrink, so that it stays in sight. Lines live in the arena. */
void tree_table_add(struct arena *arena, const struct tree_table *table, struct frame_lines *out);

/* Makes columns fit a terminal. What is too wide is cut in its middle; the type gives way first,
 * then the name; where even that does not help, there is no type. */
void tree_columns_fit(size_t width[TREE_COLUMNS], size_t terminal);
