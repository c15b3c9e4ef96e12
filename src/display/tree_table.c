/* tree_table.c — puts the rows into a tree, and the tree into columns. */
#include "display/tree_table.h"

#include "base/console.h"

enum { GAP = 2, DOTS = 3, LEAST_INFO = 10 };

/* A line before it is put into columns. */
struct line {
    str branches; /* before the type, and never cut with it as long as there is room */
    str cells[TREE_COLUMNS];
    str dots; /* behind the status; they come and go without moving what is beside them */
};

struct line_list {
    VEC(struct line);
};

/* A row among its relatives. */
struct node {
    bool is_visible;
    const struct row *parent;
    const struct row *first_child, *last_child; /* visible ones */
    const struct row *next;                     /* sibling */
};

struct planting {
    struct arena *arena;
    const struct rows *rows;
    struct node *nodes; /* one for each row */
    struct tree_order *order;
};

/* --- parents and children --- */

static const struct row *parent_of(const struct rows *rows, const struct row *row)
{
    const struct resource *shown = row->step.new ? row->step.new : row->step.old;
    const struct row *stack = map_find(&rows->by_urn, rows->stack_urn);
    const struct row *parent =
        shown && shown->parent.len ? map_find(&rows->by_urn, shown->parent) : NULL;

    if (row == stack)
        return NULL;
    return parent && parent != row ? parent : stack;
}

/* A row is visible if it is to be shown or if one below it is. Siblings are in the order of their
 * first event. */
static void plant(struct planting *planting)
{
    const struct rows *rows = planting->rows;
    struct node *nodes = ARENA_ARRAY(planting->arena, struct node, rows->list.len);

    planting->nodes = nodes;
    for (size_t i = 0; i < rows->list.len; i++)
        nodes[i].parent = parent_of(rows, rows->list.items[i]);
    for (size_t i = 0; i < rows->list.len; i++) {
        const struct row *row = rows->list.items[i]->is_hidden ? NULL : rows->list.items[i];
        for (; row && !nodes[row->index].is_visible; row = nodes[row->index].parent)
            nodes[row->index].is_visible = true;
    }
    for (size_t i = 0; i < rows->list.len; i++) {
        struct node *parent =
            nodes[i].is_visible && nodes[i].parent ? &nodes[nodes[i].parent->index] : NULL;
        if (!parent)
            continue;
        if (parent->last_child)
            nodes[parent->last_child->index].next = rows->list.items[i];
        else
            parent->first_child = rows->list.items[i];
        parent->last_child = rows->list.items[i];
    }
}

static void add_family(struct planting *planting, const struct row *row, str branch, str indent)
{
    const struct node *nodes = planting->nodes;
    const struct tree_line line = { row, arena_concat(planting->arena, indent, branch) };

    vec_add(planting->order, line);
    if (branch.len)
        indent = arena_concat(planting->arena, indent,
                              str_equal(branch, STR("├─ ")) ? STR("│  ") : STR("   "));
    for (const struct row *child = nodes[row->index].first_child; child;
         child = nodes[child->index].next)
        add_family(planting, child, nodes[child->index].next ? STR("├─ ") : STR("└─ "), indent);
}

void tree_order_make(struct arena *arena, const struct rows *rows, struct tree_order *out)
{
    struct planting planting = { .arena = arena, .rows = rows, .order = out };
    const struct row *stack = map_find(&rows->by_urn, rows->stack_urn);

    if (!stack)
        return;
    plant(&planting);
    add_family(&planting, stack, STR(""), STR(""));
}

/* --- lines --- */

static str dots(const struct tree_table *table, const struct row *row)
{
    const struct rows *rows = table->rows;
    bool is_stack = row == map_find(&rows->by_urn, rows->stack_urn);

    if (row_is_done(rows, row) || (row->step.op == OP_SAME && !is_stack))
        return STR("");
    return table->dots;
}

static struct line line_of(struct arena *arena, const struct tree_table *table,
                           const struct tree_line *at)
{
    const struct rows *rows = table->rows;
    const struct row *row = at->row;
    bool shows_urns = rows->view->options->shows_urns;
    str type = shows_urns ? row_urn(rows, row, arena) : row_type(rows, row, arena);
    struct line line = { .branches = at->branches,
                         .dots = dots(table, row),
                         .cells = {
                             [COLUMN_MARK] = row_mark(rows, row, arena),
                             [COLUMN_TYPE] = arena_concat(arena, at->branches, type),
                             [COLUMN_NAME] = shows_urns ? STR("") : row_name(rows, row, arena),
                             [COLUMN_STATUS] = row_status(rows, row, arena),
                             [COLUMN_INFO] = row_info(rows, row, arena),
                         } };

    for (int column = 0; column < TREE_COLUMNS; column++)
        line.cells[column] = console_plain_line(arena, line.cells[column]);
    return line;
}

#define TITLE(text) STR(TAG_UNDERLINE TAG_BRIGHT_BLUE text TAG_RESET)

/* The last column has a header only if it has a cell. */
static struct line header_of(const struct tree_table *table, bool has_info)
{
    const struct display_options *options = table->rows->view->options;

    return (
        struct line){ .cells = {
                          [COLUMN_TYPE] = options->shows_urns ? TITLE("URN") : TITLE("Type"),
                          [COLUMN_NAME] = options->shows_urns ? STR("") : TITLE("Name"),
                          [COLUMN_STATUS] = options->is_preview ? TITLE("Plan") : TITLE("Status"),
                          [COLUMN_INFO] = has_info ? TITLE("Info") : STR(""),
                      } };
}

/* --- columns --- */

static void shrink(size_t *column, size_t least, size_t *excess)
{
    size_t most = *column > least ? *column - least : 0, part = most < *excess ? most : *excess;

    *column -= part;
    *excess -= part;
}

void tree_columns_fit(size_t width[TREE_COLUMNS], size_t terminal)
{
    enum { FAIR_TYPE = 22, FAIR_NAME = 24, LEAST_TYPE = 12, LEAST_LONG_NAME = 16, LEAST_NAME = 8 };
    size_t without_type =
        1 + 2 * GAP + width[COLUMN_MARK] + width[COLUMN_NAME] + width[COLUMN_STATUS];
    size_t needed = without_type + GAP + width[COLUMN_TYPE];
    size_t excess = needed > terminal ? needed - terminal : 0;

    shrink(&width[COLUMN_TYPE], FAIR_TYPE, &excess);
    shrink(&width[COLUMN_NAME], FAIR_NAME, &excess);
    shrink(&width[COLUMN_TYPE], LEAST_TYPE, &excess);
    shrink(&width[COLUMN_NAME], LEAST_LONG_NAME, &excess);
    if (!excess)
        return;
    if (width[COLUMN_NAME] == 0) { /* URNs: there is nothing else to know a resource by */
        shrink(&width[COLUMN_TYPE], LEAST_NAME, &excess);
        return;
    }
    width[COLUMN_TYPE] = 0;
    without_type = 1 + 2 * GAP + width[COLUMN_MARK] + width[COLUMN_NAME] + width[COLUMN_STATUS];
    excess = without_type > terminal ? without_type - terminal : 0;
    shrink(&width[COLUMN_NAME], LEAST_NAME, &excess);
}

/* As wide as what is in them, and as they were. */
static void columns_measure(const struct tree_table *table, const struct line_list *lines,
                            size_t *width)
{
    for (int column = 0; column < TREE_COLUMNS; column++) {
        width[column] = table->former ? table->former->widths[column] : 0;
        for (size_t i = 0; i < lines->len; i++) {
            size_t cell = color_width(lines->items[i].cells[column]);
            width[column] = cell > width[column] ? cell : width[column];
        }
        if (table->former)
            table->former->widths[column] = width[column];
    }
    width[COLUMN_STATUS] += DOTS;
    tree_columns_fit(width, table->width);
    size_t used = 1;
    for (int column = 0; column < COLUMN_INFO; column++)
        used += width[column] || column == COLUMN_MARK ? width[column] + GAP : 0;
    if (used + LEAST_INFO > table->width)
        width[COLUMN_INFO] = 0;
}

static str fit_cell(struct arena *arena, const struct line *line, int column, size_t width)
{
    enum { LEAST = 8 };
    str cell = line->cells[column];
    size_t lead = color_width(line->branches);

    if (column == COLUMN_TYPE && lead + LEAST <= width)
        return arena_concat(
            arena, line->branches,
            color_fit_middle(arena, str_slice(cell, line->branches.len, cell.len), width - lead));
    if (column == COLUMN_TYPE || column == COLUMN_NAME)
        return color_fit_middle(arena, cell, width);
    if (column == COLUMN_STATUS)
        cell = arena_concat(arena, cell, line->dots);
    return color_fit(arena, cell, width);
}

static str put_into_columns(struct arena *arena, const struct line *line, const size_t *width,
                            size_t terminal)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    strbuf_add_char(&out, ' ');
    for (int column = 0; column < TREE_COLUMNS; column++) {
        str cell = fit_cell(arena, line, column, width[column]);
        if (width[column] == 0 && column != COLUMN_MARK)
            continue;
        strbuf_add(&out, cell);
        if (column + 1 < TREE_COLUMNS)
            strbuf_add_repeated(&out, ' ', width[column] - color_width(cell) + GAP);
    }
    while (out.len && out.ptr[out.len - 1] == ' ') /* terminals disagree whether these wrap */
        out.len--;
    strbuf_add(&out, STR(TAG_RESET));
    return arena_copy(arena, color_fit(arena, strbuf_str(&out), terminal));
}

void tree_table_add(struct arena *arena, const struct tree_table *table, struct frame_lines *out)
{
    struct line_list lines = { 0 };
    size_t widths[TREE_COLUMNS];
    bool has_info = table->former && table->former->widths[COLUMN_INFO] > 0;

    if (table->len == 0)
        return;
    vec_add(&lines, ((struct line){ 0 }));
    for (size_t i = 0; i < table->len; i++) {
        vec_add(&lines, line_of(arena, table, &table->lines[i]));
        has_info = has_info || lines.items[i + 1].cells[COLUMN_INFO].len > 0;
    }
    lines.items[0] = header_of(table, has_info);
    columns_measure(table, &lines, widths);
    for (size_t i = 0; i < lines.len; i++)
        vec_add(out, put_into_columns(arena, &lines.items[i], widths, table->width));
    vec_release(&lines);
}
