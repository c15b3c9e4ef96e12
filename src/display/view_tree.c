/* view_tree.c — the display for a person at a terminal: a table of resources as a tree, drawn again
 * as things change. */
#include "display/sections.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { FRAME_MS = 50, DOTS_MS = 1000, COLUMNS = 5 };
enum column { COLUMN_MARK, COLUMN_TYPE, COLUMN_NAME, COLUMN_STATUS, COLUMN_INFO };

/* Something long that goes on beside the resources: a download. */
struct bar {
    str id;
    str message;
    uint64_t completed;
    uint64_t total;
};

struct tree {
    struct view view;
    struct rows rows;
    struct summary summary;
    struct {
        VEC(str);
    } messages; /* of the system, below the table */
    struct {
        VEC(struct bar);
    } bars;       /* below those */
    size_t drawn; /* lines of the last frame */
    unsigned ticks;
    bool is_dirty;
};

/* A line of the table. */
struct line {
    str cells[COLUMNS];
};

struct frame {
    struct arena arena; /* of one frame */
    struct tree *tree;
    struct {
        VEC(struct line);
    } lines;
    struct node *nodes; /* one for each row */
};

/* A row's place in the tree. */
struct node {
    bool is_visible;
    const struct row *parent;
    const struct row *first_child, *last_child; /* visible ones */
    const struct row *next;                     /* sibling */
};

/* --- who stands below whom --- */

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

/* A row is seen if it is to be shown or if one below it is. Siblings stand in the order of their
 * appearance. */
static void plant(struct frame *frame)
{
    const struct rows *rows = &frame->tree->rows;
    struct node *nodes = ARENA_ARRAY(&frame->arena, struct node, rows->list.len);

    frame->nodes = nodes;
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

static str dots(const struct tree *tree, const struct row *row, struct arena *arena)
{
    static const char *const texts[] = { "", ".", "..", "..." };
    bool is_stack = row == map_find(&tree->rows.by_urn, tree->rows.stack_urn);

    if (row_is_done(&tree->rows, row) || (row->step.op == OP_SAME && !is_stack))
        return STR("");
    return arena_copy(arena, str_from(texts[tree->ticks * FRAME_MS / DOTS_MS % 4]));
}

static void add_line(struct frame *frame, const struct row *row, str prefix)
{
    const struct rows *rows = &frame->tree->rows;
    struct arena *arena = &frame->arena;
    bool shows_urns = frame->tree->view.options->shows_urns;
    struct line line = { .cells = {
                             [COLUMN_MARK] = row_mark(rows, row, arena),
                             [COLUMN_TYPE] = arena_concat(arena, prefix,
                                                          shows_urns ? row_urn(rows, row, arena)
                                                                     : row_type(rows, row, arena)),
                             [COLUMN_NAME] = shows_urns ? STR("") : row_name(rows, row, arena),
                             [COLUMN_STATUS] = arena_concat(arena, row_status(rows, row, arena),
                                                            dots(frame->tree, row, arena)),
                             [COLUMN_INFO] = row_info(rows, row, arena),
                         } };

    vec_add(&frame->lines, line);
}

static void add_family(struct frame *frame, const struct row *row, str branch, str indent)
{
    add_line(frame, row, arena_concat(&frame->arena, indent, branch));
    if (branch.len)
        indent = arena_concat(&frame->arena, indent,
                              str_equal(branch, STR("├─ ")) ? STR("│  ") : STR("   "));
    for (const struct row *child = frame->nodes[row->index].first_child; child;
         child = frame->nodes[child->index].next)
        add_family(frame, child, frame->nodes[child->index].next ? STR("├─ ") : STR("└─ "), indent);
}

static void add_header(struct frame *frame)
{
    const struct display_options *options = frame->tree->view.options;
    struct line line = { 0 };

    line.cells[COLUMN_TYPE] = options->shows_urns
                                  ? STR(TAG_UNDERLINE TAG_BRIGHT_BLUE "URN" TAG_RESET)
                                  : STR(TAG_UNDERLINE TAG_BRIGHT_BLUE "Type" TAG_RESET);
    if (!options->shows_urns)
        line.cells[COLUMN_NAME] = STR(TAG_UNDERLINE TAG_BRIGHT_BLUE "Name" TAG_RESET);
    line.cells[COLUMN_STATUS] = options->is_preview
                                    ? STR(TAG_UNDERLINE TAG_BRIGHT_BLUE "Plan" TAG_RESET)
                                    : STR(TAG_UNDERLINE TAG_BRIGHT_BLUE "Status" TAG_RESET);
    vec_add(&frame->lines, line);
}

/* The header of the last column stands only above something. */
static void finish_header(struct frame *frame)
{
    for (size_t i = 1; i < frame->lines.len; i++) {
        if (frame->lines.items[i].cells[COLUMN_INFO].len)
            frame->lines.items[0].cells[COLUMN_INFO] =
                STR(TAG_UNDERLINE TAG_BRIGHT_BLUE "Info" TAG_RESET);
    }
}

/* --- drawing --- */

static struct winsize terminal_size(void)
{
    struct winsize size = { 0 };

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
        size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
    return size;
}

/* What fits into the width, tags not counted. */
static void add_clipped(struct strbuf *out, str text, size_t width)
{
    size_t used = 0;

    for (size_t i = 0; i < text.len;) {
        size_t end = i + 1;
        if (str_starts_with(str_slice(text, i, text.len), STR("<{%"))) {
            size_t length = str_find(str_slice(text, i, text.len), STR("%}>"));
            end = length == SIZE_MAX ? text.len : i + length + 3;
        } else {
            while (end < text.len && ((unsigned char)text.ptr[end] & 0xc0) == 0x80)
                end++;
            if (++used > width)
                break;
        }
        strbuf_add(out, str_slice(text, i, end));
        i = end;
    }
    strbuf_add(out, STR(TAG_RESET));
}

static void widths(const struct frame *frame, size_t *out)
{
    for (int column = 0; column < COLUMNS; column++) {
        out[column] = 0;
        for (size_t i = 0; i < frame->lines.len; i++) {
            size_t width = color_width(frame->lines.items[i].cells[column]);
            out[column] = width > out[column] ? width : out[column];
        }
    }
    out[COLUMN_STATUS] += 3; /* room for the dots */
}

static void add_table(struct strbuf *out, const struct frame *frame, size_t first,
                      size_t terminal_width)
{
    size_t width[COLUMNS];

    widths(frame, width);
    for (size_t i = first; i < frame->lines.len; i++) {
        CLEANUP(strbuf_release) struct strbuf line = { 0 };
        strbuf_add_char(&line, ' ');
        for (int column = 0; column < COLUMNS; column++) {
            str cell = frame->lines.items[i].cells[column];
            if (column == COLUMN_NAME && frame->tree->view.options->shows_urns)
                continue;
            strbuf_add(&line, cell);
            if (column + 1 < COLUMNS)
                strbuf_add_repeated(&line, ' ', width[column] - color_width(cell) + 2);
        }
        add_clipped(out, strbuf_str(&line), terminal_width - 1);
        strbuf_add(out, STR("\x1b[K\n"));
    }
}

static void add_messages_below(struct tree *tree, struct strbuf *out)
{
    for (size_t i = 0; i < tree->messages.len; i++) {
        strbuf_add(out,
                   i ? STR("") : STR("\x1b[K\n" TAG_YELLOW "System Messages" TAG_RESET "\x1b[K\n"));
        tree->drawn += i ? 1 : 3;
        strbuf_add(out, STR("  "));
        strbuf_add(out, tree->messages.items[i]);
        strbuf_add(out, STR("\x1b[K\n"));
    }
}

static void add_bars_below(struct tree *tree, struct strbuf *out, size_t terminal_width)
{
    enum { WIDTH = 30 };

    if (tree->bars.len == 0)
        return;
    strbuf_add(out, STR(TAG_YELLOW "Downloads" TAG_RESET "\x1b[K\n"));
    for (size_t i = 0; i < tree->bars.len; i++) {
        CLEANUP(strbuf_release) struct strbuf line = { 0 };
        const struct bar *bar = &tree->bars.items[i];
        bool is_known = bar->total > 0 && bar->completed <= bar->total;
        size_t filled = is_known ? (size_t)(bar->completed * WIDTH / bar->total) : 0;
        strbuf_add(&line, bar->message);
        strbuf_add(&line, STR("  ["));
        strbuf_add_repeated(&line, '=', filled);
        strbuf_add_repeated(&line, '-', WIDTH - filled);
        strbuf_add_char(&line, ']');
        if (is_known)
            strbuf_printf(&line, " %3u%%", (unsigned)(bar->completed * 100 / bar->total));
        add_clipped(out, strbuf_str(&line), terminal_width - 1);
        strbuf_add(out, STR("\x1b[K\n"));
    }
    tree->drawn += tree->bars.len + 1;
}

/* Nothing to be seen until there is a stack: the header alone would only flicker. */
static void add_resources(struct tree *tree, struct strbuf *out, struct winsize size)
{
    struct frame frame = { .tree = tree };
    const struct row *stack = map_find(&tree->rows.by_urn, tree->rows.stack_urn);

    if (!stack)
        return;
    plant(&frame);
    add_header(&frame);
    add_family(&frame, stack, STR(""), STR(""));
    finish_header(&frame);
    size_t room = size.ws_row > 4 ? size.ws_row - 3u : 1;
    size_t first = !tree->rows.is_over && frame.lines.len > room ? frame.lines.len - room : 0;
    add_table(out, &frame, first, size.ws_col);
    tree->drawn = frame.lines.len - first;
    vec_release(&frame.lines);
    arena_release(&frame.arena);
}

/* Over the lines of the last frame. */
static void draw(struct tree *tree)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct winsize size = terminal_size();

    if (!map_has(&tree->rows.by_urn, tree->rows.stack_urn) && tree->bars.len == 0
        && tree->drawn == 0)
        return;
    if (tree->drawn)
        strbuf_printf(&out, "\x1b[%zuA", tree->drawn);
    strbuf_add(&out, STR("\r\x1b[?25l"));
    tree->drawn = 0;
    add_resources(tree, &out, size);
    add_messages_below(tree, &out);
    add_bars_below(tree, &out, size.ws_col);
    strbuf_add(&out, STR("\x1b[J"));
    view_print(&tree->view, strbuf_str(&out));
    tree->is_dirty = false;
}

/* --- events --- */

static void add_messages(struct tree *tree, str text)
{
    str line;

    while (text.len) {
        str rest = STR("");
        if (!str_cut(text, STR("\n"), &line, &rest))
            line = text;
        vec_add(&tree->messages, arena_copy(tree->view.arena, line));
        text = rest;
    }
}

static void take_progress(struct tree *tree, const struct event *event)
{
    size_t place = 0;

    while (place < tree->bars.len && !str_equal(tree->bars.items[place].id, event->progress.id))
        place++;
    if (event->progress.is_done) {
        if (place < tree->bars.len)
            vec_remove(&tree->bars, place);
        return;
    }
    if (place == tree->bars.len) {
        const struct bar bar = { .id = arena_copy(tree->view.arena, event->progress.id),
                                 .message = arena_copy(tree->view.arena, event->progress.message) };
        vec_add(&tree->bars, bar);
    }
    tree->bars.items[place].completed = event->progress.completed;
    tree->bars.items[place].total = event->progress.total;
}

static void take_event(struct view *view, const struct event *event, int64_t sequence,
                       int64_t timestamp)
{
    struct tree *tree = (struct tree *)view;
    bool is_news;

    (void)sequence;
    (void)timestamp;
    tree->rows.view = view;
    tree->is_dirty = true;
    if (rows_take(&tree->rows, event, &is_news))
        return;
    if (event->kind == EVENT_STDOUT)
        add_messages(tree, event->stdout_text);
    else if (event->kind == EVENT_PROGRESS)
        take_progress(tree, event);
    else if (event->kind == EVENT_SUMMARY)
        summary_take(&tree->summary, event);
    else if (event->kind == EVENT_PRELUDE && view->options->shows_config) {
        CLEANUP(strbuf_release) struct strbuf text = { 0 };
        section_config(&text, event);
        view_print(view, strbuf_str(&text));
    }
}

static void tick(struct view *view)
{
    struct tree *tree = (struct tree *)view;

    tree->ticks++;
    if (tree->is_dirty || tree->ticks * FRAME_MS % DOTS_MS == 0)
        draw(tree);
}

static void finish(struct view *view)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct tree *tree = (struct tree *)view;
    struct rows *rows = &tree->rows;
    size_t errored = 0;

    rows->is_over = true;
    draw(tree);
    for (size_t i = 0; i < rows->list.len; i++)
        errored += rows->list.items[i]->errors > 0;
    strbuf_add(&text, STR("\x1b[?25h\n"));
    bool is_forbidden = section_policies(&text, rows);
    section_diagnostics(&text, rows);
    section_outputs(&text, rows);
    if (tree->summary.is_known && !is_forbidden)
        section_summary(&text, &tree->summary, errored);
    strbuf_add_char(&text, '\n');
    view_print(view, strbuf_str(&text));
    rows_release(rows);
    vec_release(&tree->messages);
    vec_release(&tree->bars);
}

static const struct view_ops ops = {
    .event = take_event, .tick = tick, .finish = finish, .tick_ms = FRAME_MS
};

struct view *view_tree_new(struct arena *arena)
{
    struct tree *tree = ARENA_NEW(arena, struct tree);

    tree->view.ops = &ops;
    return &tree->view;
}
