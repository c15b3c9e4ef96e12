/* table.c — aligns columns by the widest cell, two blanks apart. */
#include "cli/screen/table.h"

#include "base/console.h"
#include "base/vec.h"

#include <stdio.h>

/* Takes the first line of what is left of each cell; false if no cell has more. */
static bool add_lines(struct table *table, str *rest)
{
    bool has_more = false;

    table->cells =
        memory_grow(table->cells, &table->capacity, table->len + table->columns, sizeof(str));
    for (size_t i = 0; i < table->columns; i++) {
        str line = rest[i], next = STR("");
        has_more |= str_cut(rest[i], STR("\n"), &line, &next);
        table->cells[table->len++] = line;
        rest[i] = next;
    }
    return has_more;
}

void table_add(struct table *table, const str *cells)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str *rest = ARENA_ARRAY(&scratch, str, table->columns);

    memcpy(rest, cells, table->columns * sizeof(str));
    while (add_lines(table, rest)) {
    }
}

void table_add_line(struct table *table, str line)
{
    table->cells =
        memory_grow(table->cells, &table->capacity, table->len + table->columns, sizeof(str));
    for (size_t i = 0; i < table->columns; i++)
        table->cells[table->len + i] = i == 0 ? line : (str){ 0 };
    table->len += table->columns;
}

static bool is_line(const struct table *table, size_t row)
{
    return table->columns > 1 && !table->cells[row * table->columns + 1].ptr;
}

static size_t column_width(const struct table *table, size_t column)
{
    size_t width = 0;

    for (size_t row = 0; row * table->columns < table->len; row++) {
        size_t cell = color_width(table->cells[row * table->columns + column]);
        if (!is_line(table, row) && cell > width)
            width = cell;
    }
    return width;
}

static void add_row(struct strbuf *out, const struct table *table, const size_t *widths, size_t row,
                    enum color_mode color)
{
    bool is_header = row == 0, is_marked = row > 0 && row == table->marked;
    size_t columns = is_line(table, row) ? 1 : table->columns;

    strbuf_printf(out, "%s", table->prefix ? table->prefix : "");
    for (size_t i = 0; i < columns; i++) {
        str cell = table->cells[row * table->columns + i];
        str tag = is_header             ? STR(TAG_HEADLINE)
                  : is_marked && i == 0 ? STR(TAG_INFO TAG_BOLD)
                                        : STR("");
        color_add(out, tag, color);
        color_add(out, cell, color);
        color_add(out, tag.len ? STR(TAG_RESET) : STR(""), color);
        if (i + 1 < columns)
            strbuf_add_repeated(out, ' ', widths[i] - color_width(cell) + 2);
    }
    strbuf_add_char(out, '\n');
}

/* Cells are what others said: no tag in them is ours, and no control character gets to a terminal.
 */
static str shown_cell(struct arena *arena, str cell)
{
    return color_quote(arena, console_is(stdout) ? console_plain_line(arena, cell) : cell);
}

void table_print(struct table *table, enum color_mode color)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    size_t *widths = ARENA_ARRAY(&scratch, size_t, table->columns);

    for (size_t i = 0; i < table->len; i++)
        table->cells[i] = shown_cell(&scratch, table->cells[i]);
    for (size_t i = 0; i < table->columns; i++)
        widths[i] = column_width(table, i);
    for (size_t row = 0; row * table->columns < table->len; row++)
        add_row(&out, table, widths, row, color);
    console_write(stdout, strbuf_str(&out));
    table->len = 0;
}

void table_release(struct table *table)
{
    free(table->cells);
    table->cells = NULL;
    table->len = table->capacity = 0;
}
