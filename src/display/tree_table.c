/* tree_table.c — puts the rows into a tree, and the tree into columns. */
#include "display/tree_table.h"

#include "base/width.h"

enum column { COLUMN_MARK, COLUMN_TYPE, COLUMN_NAME, COLUMN_STATUS, COLUMN_INFO, COLUMNS };
enum { GAP = 2, DOTS = 3 };

/* A line before it is put into columns. */
struct line {
    str cells[COLUMNS];
};

/* A row's place in the tree. */
struct node {
    bool is_visible;
    const struct row *parent;
    const struct row *first_child, *last_child; /* visible ones */
    const struct row *next;                     /* sibling */
};

struct planting {
    struct arena *arena;
    const struct rows *rows;
    str dots;
    struct node *nodes; /* one for each row */
    struct {
        VEC(struct line);
    } lines;
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

/* --- lines --- */

static str dots(const struct planting *planting, const struct row *row)
{
    const struct rows *rows = planting->rows;
    bool is_stack = row == map_find(&rows->by_urn, rows->stack_urn);

    if (row_is_done(rows, row) || (row->step.op == OP_SAME && !is_stack))
        return STR("");
    return planting->dots;
}

static void planting_add_line(struct planting *planting, const struct row *row, str prefix)
{
    const struct rows *rows = planting->rows;
    struct arena *arena = planting->arena;
    bool shows_urns = rows->view->options->shows_urns;
    struct line line = { .cells = {
                             [COLUMN_MARK] = row_mark(rows, row, arena),
                             [COLUMN_TYPE] = arena_concat(arena, prefix,
                                                          shows_urns ? row_urn(rows, row, arena)
                                                                     : row_type(rows, row, arena)),
                             [COLUMN_NAME] = shows_urns ? STR("") : row_name(rows, row, arena),
                             [COLUMN_STATUS] = arena_concat(arena, row_status(rows, row, arena),
                                                            dots(planting, row)),
                             [COLUMN_INFO] = row_info(rows, row, arena),
                         } };

    vec_add(&planting->lines, line);
}

static void add_family(struct planting *planting, const struct row *row, str branch, str indent)
{
    const struct node *nodes = planting->nodes;

    planting_add_line(planting, row, arena_concat(planting->arena, indent, branch));
    if (branch.len)
        indent = arena_concat(planting->arena, indent,
                              str_equal(branch, STR("├─ ")) ? STR("│  ") : STR("   "));
    for (const struct row *child = nodes[row->index].first_child; child;
         child = nodes[child->index].next)
        add_family(planting, child, nodes[child->index].next ? STR("├─ ") : STR("└─ "), indent);
}

#define TITLE(text) STR(TAG_UNDERLINE TAG_BRIGHT_BLUE text TAG_RESET)

static void planting_add_header(struct planting *planting)
{
    const struct display_options *options = planting->rows->view->options;
    struct line line = { .cells = {
                             [COLUMN_TYPE] = options->shows_urns ? TITLE("URN") : TITLE("Type"),
                             [COLUMN_NAME] = options->shows_urns ? STR("") : TITLE("Name"),
                             [COLUMN_STATUS] =
                                 options->is_preview ? TITLE("Plan") : TITLE("Status"),
                         } };

    vec_add(&planting->lines, line);
}

/* The last column has a header only if it has a cell. */
static void finish_header(struct planting *planting)
{
    for (size_t i = 1; i < planting->lines.len; i++) {
        if (planting->lines.items[i].cells[COLUMN_INFO].len)
            planting->lines.items[0].cells[COLUMN_INFO] = TITLE("Info");
    }
}

/* --- columns --- */

static void shrink(size_t *column, size_t least, size_t *excess)
{
    size_t most = *column > least ? *column - least : 0, part = most < *excess ? most : *excess;

    *column -= part;
    *excess -= part;
}

/* As wide as what is in them. Where the status would be out of sight, the type gives way first,
 * then the name; at last there is no type at all. */
static void planting_measure(const struct planting *planting, size_t terminal_width, size_t *width)
{
    enum { LEAST_TYPE = 6, LEAST_NAME = 8 };

    for (int column = 0; column < COLUMNS; column++) {
        width[column] = 0;
        for (size_t i = 0; i < planting->lines.len; i++) {
            size_t cell = color_width(planting->lines.items[i].cells[column]);
            width[column] = cell > width[column] ? cell : width[column];
        }
    }
    width[COLUMN_STATUS] += DOTS;
    size_t needed = 1 + 3 * GAP + width[COLUMN_MARK] + width[COLUMN_TYPE] + width[COLUMN_NAME]
                    + width[COLUMN_STATUS];
    size_t excess = needed > terminal_width ? needed - terminal_width : 0;
    shrink(&width[COLUMN_TYPE], LEAST_TYPE, &excess);
    shrink(&width[COLUMN_NAME], LEAST_NAME, &excess);
    if (excess)
        width[COLUMN_TYPE] = 0;
}

static str put_into_columns(const struct planting *planting, const struct line *line,
                            const size_t *width, size_t terminal_width)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    strbuf_add_char(&out, ' ');
    for (int column = 0; column < COLUMNS; column++) {
        str cell = color_fit(planting->arena, line->cells[column], width[column]);
        if (width[column] == 0 && column != COLUMN_MARK)
            continue;
        strbuf_add(&out, cell);
        if (column + 1 < COLUMNS)
            strbuf_add_repeated(&out, ' ', width[column] - color_width(cell) + GAP);
    }
    strbuf_add(&out, STR(TAG_RESET));
    return arena_copy(planting->arena,
                      color_clip(planting->arena, strbuf_str(&out), terminal_width));
}

void tree_table_make(struct arena *arena, const struct rows *rows, str dots_now, size_t width,
                     struct tree_table *out)
{
    struct planting planting = { .arena = arena, .rows = rows, .dots = dots_now };
    const struct row *stack = map_find(&rows->by_urn, rows->stack_urn);
    size_t widths[COLUMNS];

    if (!stack)
        return;
    plant(&planting);
    planting_add_header(&planting);
    add_family(&planting, stack, STR(""), STR(""));
    finish_header(&planting);
    planting_measure(&planting, width, widths);
    for (size_t i = 0; i < planting.lines.len; i++)
        vec_add(out, put_into_columns(&planting, &planting.lines.items[i], widths, width));
    vec_release(&planting.lines);
}
