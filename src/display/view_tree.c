/* view_tree.c — the display for a person at a terminal: a table of resources as a tree, drawn again
 * as things change. It takes the keyboard: keys move through a table that is longer than the
 * screen, and none of them reaches the shell afterwards. */
#include "base/keyboard.h"
#include "display/scroll.h"
#include "display/sections.h"
#include "display/tree_table.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { FRAME_MS = 50, DOTS_MS = 1000 };

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
    } bars; /* below those */
    struct scroll scroll;
    struct winsize size; /* of the terminal when the last frame was drawn */
    struct {
        VEC(size_t);
    } drawn;      /* columns of each line of that frame */
    bool is_torn; /* parts of old frames are above the screen, and may come back into sight */
    unsigned ticks;
    bool is_dirty;
};

/* What is on the screen at one moment, from top to bottom. */
struct frame {
    struct arena arena;
    struct {
        VEC(str);
    } lines; /* with tags */
};

static struct winsize terminal_size(void)
{
    struct winsize size = { 0 };

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
        size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
    return size;
}

/* --- what a frame consists of --- */

static void frame_add_line(struct tree *tree, struct frame *frame, str line)
{
    vec_add(&frame->lines, color_clip(&frame->arena, line, tree->size.ws_col - 1u));
}

static void add_messages_below(struct tree *tree, struct frame *frame)
{
    for (size_t i = 0; i < tree->messages.len; i++) {
        if (i == 0) {
            frame_add_line(tree, frame, STR(""));
            frame_add_line(tree, frame, STR(TAG_YELLOW "System Messages" TAG_RESET));
        }
        frame_add_line(tree, frame,
                       arena_concat(&frame->arena, STR("  "), tree->messages.items[i]));
    }
}

static void add_bars_below(struct tree *tree, struct frame *frame)
{
    enum { WIDTH = 30 };

    if (tree->bars.len > 0)
        frame_add_line(tree, frame, STR(TAG_YELLOW "Downloads" TAG_RESET));
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
        frame_add_line(tree, frame, arena_copy(&frame->arena, strbuf_str(&line)));
    }
}

/* Says at the right edge where there is more. */
static void add_footer(struct tree *tree, struct frame *frame)
{
    static const size_t width = 8; /* of "⬆ more⬇ " */
    size_t columns = tree->size.ws_col - 1u;
    CLEANUP(strbuf_release) struct strbuf line = { 0 };

    strbuf_add_repeated(&line, ' ', columns > width ? columns - width : 0);
    strbuf_add(&line, STR(TAG_BRIGHT_BLUE));
    strbuf_add(&line, tree->scroll.offset > 0 ? STR("⬆ more") : STR("  more"));
    strbuf_add(&line, tree->scroll.offset < tree->scroll.most ? STR("⬇ ") : STR("  "));
    strbuf_add(&line, STR(TAG_RESET));
    frame_add_line(tree, frame, arena_copy(&frame->arena, strbuf_str(&line)));
}

/* All rows if they fit into so many lines, or if this is the end; else the header, those in sight,
 * and a footer. */
static void frame_add_table(struct tree *tree, struct frame *frame, size_t room)
{
    static const char *const dots[] = { "", ".", "..", "..." };
    struct tree_table table = { 0 };
    bool is_over = tree->rows.is_over;

    tree_table_make(&frame->arena, &tree->rows,
                    str_from(dots[tree->ticks * FRAME_MS / DOTS_MS % 4]), tree->size.ws_col - 1u,
                    &table);
    bool is_cut = !is_over && table.len > room;
    size_t body = table.len > 0 ? table.len - 1 : 0,
           shown = is_cut ? (room > 3 ? room - 2 : 1) : body;
    scroll_fit(&tree->scroll, body, shown);
    if (table.len > 0)
        vec_add(&frame->lines, table.items[0]);
    for (size_t i = 0; i < shown; i++)
        vec_add(&frame->lines, table.items[1 + i + (is_cut ? tree->scroll.offset : 0)]);
    if (is_cut)
        add_footer(tree, frame);
    vec_release(&table);
}

/* What is below the table gets a third of a screen that is too small for both. */
static void compose(struct tree *tree, struct frame *frame)
{
    struct frame below = { 0 };
    size_t rows = tree->size.ws_row > 1 ? tree->size.ws_row - 1u : 1;

    add_messages_below(tree, &below);
    add_bars_below(tree, &below);
    size_t first =
        !tree->rows.is_over && below.lines.len > rows / 3 ? below.lines.len - rows / 3 : 0;
    if (tree->rows.list.len + below.lines.len < rows)
        first = 0;
    frame_add_table(tree, frame, rows - (below.lines.len - first));
    for (size_t i = first; i < below.lines.len; i++)
        vec_add(&frame->lines, arena_copy(&frame->arena, below.lines.items[i]));
    vec_release(&below.lines);
    arena_release(&below.arena);
}

/* --- drawing --- */

/* Rows of the last frame on a terminal of this width: lines that have become too long are wrapped.
 */
static size_t rows_drawn(const struct tree *tree, struct winsize size)
{
    size_t rows = 0;

    for (size_t i = 0; i < tree->drawn.len; i++)
        rows += tree->drawn.items[i] > size.ws_col
                    ? (tree->drawn.items[i] + size.ws_col - 1u) / size.ws_col
                    : 1;
    return rows;
}

/* To the beginning of the last frame. A frame that has filled the screen while the size changed may
 * be anywhere, and nothing else was in sight: then the screen is cleared. */
static void rewind_frame(struct tree *tree, struct strbuf *out, struct winsize size)
{
    size_t rows = rows_drawn(tree, size);
    bool is_resized = size.ws_col != tree->size.ws_col || size.ws_row != tree->size.ws_row;
    bool was_full = tree->drawn.len + 1 >= tree->size.ws_row || rows + 1 >= size.ws_row;

    tree->is_torn = tree->is_torn || (tree->drawn.len > 0 && is_resized && was_full);
    if (is_resized && tree->is_torn)
        strbuf_add(out, STR("\x1b[H\x1b[J"));
    else if (rows > 0)
        strbuf_printf(out, "\x1b[%zuA", rows);
    tree->size = size;
}

/* Over the lines of the last frame. */
static void tree_draw(struct tree *tree)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct frame frame = { 0 };

    if (!map_has(&tree->rows.by_urn, tree->rows.stack_urn) && tree->bars.len == 0
        && tree->drawn.len == 0)
        return;
    rewind_frame(tree, &out, terminal_size());
    strbuf_add(&out, STR("\r\x1b[?25l"));
    compose(tree, &frame);
    tree->drawn.len = 0;
    for (size_t i = 0; i < frame.lines.len; i++) {
        strbuf_add(&out, frame.lines.items[i]);
        strbuf_add(&out, STR("\x1b[K\n"));
        vec_add(&tree->drawn, color_width(frame.lines.items[i]));
    }
    strbuf_add(&out, STR("\x1b[J"));
    view_print(&tree->view, strbuf_str(&out));
    vec_release(&frame.lines);
    arena_release(&frame.arena);
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

static void view_tree_take_event(struct view *view, const struct event *event, int64_t sequence,
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

/* Keys, a new size, a pause by ^Z. */
static void look_at_terminal(struct tree *tree)
{
    char keys[256];
    struct winsize size = terminal_size();
    size_t len = keyboard_read(keys, sizeof(keys));

    if (keyboard_was_stopped()) {
        tree->drawn.len = 0; /* other text is there now: go on below it */
        tree->is_dirty = true;
    }
    if (size.ws_col != tree->size.ws_col || size.ws_row != tree->size.ws_row
        || scroll_keys(&tree->scroll, (str){ keys, len }, size.ws_row))
        tree->is_dirty = true;
}

static void view_tree_start(struct view *view)
{
    (void)view;
    keyboard_enter(KEYBOARD_WATCHED);
}

static void stop(struct view *view)
{
    struct tree *tree = (struct tree *)view;

    keyboard_enter(KEYBOARD_USUAL);
    vec_release(&tree->drawn);
}

static void view_tree_tick(struct view *view)
{
    struct tree *tree = (struct tree *)view;

    tree->ticks++;
    look_at_terminal(tree);
    if (tree->is_dirty || tree->ticks * FRAME_MS % DOTS_MS == 0)
        tree_draw(tree);
}

static void view_tree_finish(struct view *view)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct tree *tree = (struct tree *)view;
    struct rows *rows = &tree->rows;
    size_t errored = 0;

    rows->is_over = true;
    tree_draw(tree);
    for (size_t i = 0; i < rows->list.len; i++)
        errored += rows->list.items[i]->errors > 0;
    strbuf_add(&text, STR("\x1b[?25h\n"));
    bool is_forbidden = section_policies(&text, rows);
    section_diagnostics(&text, rows);
    section_outputs(&text, rows);
    if (tree->summary.is_known && !is_forbidden)
        section_summary(&text, &tree->summary, errored);
    strbuf_add_char(&text, '\n');
    stop(view); /* once the summary is visible, the user may type */
    view_print(view, strbuf_str(&text));
    rows_release(rows);
    vec_release(&tree->messages);
    vec_release(&tree->bars);
}

static const struct view_ops ops = {
    .start = view_tree_start,
    .event = view_tree_take_event,
    .tick = view_tree_tick,
    .finish = view_tree_finish,
    .stop = stop,
    .tick_ms = FRAME_MS,
};

struct view *view_tree_new(struct arena *arena)
{
    struct tree *tree = ARENA_NEW(arena, struct tree);

    tree->view.ops = &ops;
    return &tree->view;
}
