/* table.h — columns of text, aligned. */
#pragma once

#include "display/color.h"

/* Cells in rows, the first row being the headers. The zero value with `columns` set is empty. */
struct table {
    size_t columns;
    const char *prefix; /* before each line; NULL: none */
    size_t marked;      /* the row of which the first cell is coloured; 0: none, it is the header */
    str *cells;
    size_t len;
    size_t capacity;
};

/* One whole row; cells are borrowed until it is printed. The last may have several lines. */
void table_add(struct table *table, const str *cells);
#define TABLE_ADD(table, ...) table_add((table), (const str[]){ __VA_ARGS__ })
/* A line across all columns, which they need not be wide enough for. */
void table_add_line(struct table *table, str line);

/* Writes it to standard output and forgets the rows. */
void table_print(struct table *table, enum color_mode color);
void table_release(struct table *table);
