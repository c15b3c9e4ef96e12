/* view_tree.c — the display for a person at a terminal: a table of resources as a tree, drawn again
 * as things change. It takes the keyboard: keys move through a table that is longer than the
 * screen, and none of them reaches the shell afterwards. */
#include "base/clock.h"
#include "base/console.h"
#include "base/keyboard.h"
#include "base/width.h"
#include "display/frame.h"
#include "display/sections.h"
#include "display/sight.h"
#include "display/status_line.h"
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
    struct str_list messages; /* of the system, below the table */
    struct {
        VEC(struct bar);
    } bars; /* below those */
    struct scroll scroll;
    struct tree_widths widths; /* of the columns, while only a part of the table is in sight */
    struct winsize size;       /* of the terminal */
    struct frame frame;        /* what is on the screen */
    int64_t started;           /* monotonic nanoseconds */
    int64_t moved;             /* when something was last heard */
    unsigned ticks;
    bool is_dirty;
};

/* What is to be on the screen, from top to bottom. */
struct picture {
    struct arena arena;
    struct frame_lines lines;
};

static void picture_release(struct picture *picture)
{
    vec_release(&picture->lines);
    arena_release(&picture->arena);
}

static struct winsize terminal_size(void)
{
    struct winsize size = { 0 };

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
        size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
    return size;
}

static size_t tree_columns(const struct tree *tree)
{
    return tree->size.ws_col - 1u;
}

/* --- what a picture consists of --- */

static void picture_add(struct tree *tree, struct picture *picture, str line)
{
    str plain = console_plain_line(&picture->arena, line);

    vec_add(&picture->lines, color_fit(&picture->arena, plain, tree_columns(tree)));
}

/* On as many lines as it needs, up to three, broken at blanks. */
static void picture_add_wrapped(struct tree *tree, struct picture *picture, str text, str tag)
{
    enum { MOST = 3 };

    text = console_plain_line(&picture->arena, text);
    for (int i = 0; i < MOST && text.len; i++) {
        str line = width_fit(text, tree_columns(tree));
        size_t blank =
            line.len < text.len && i + 1 < MOST ? str_find_last(line, STR(" ")) : SIZE_MAX;
        if (line.len == text.len || blank == SIZE_MAX || i + 1 == MOST)
            blank = text.len;
        picture_add(tree, picture,
                    arena_concat(&picture->arena, tag,
                                 color_quote(&picture->arena, str_slice(text, 0, blank)),
                                 STR(TAG_RESET)));
        text = str_slice(text, blank + 1, text.len);
    }
}

static void add_messages_below(struct tree *tree, struct picture *picture)
{
    for (size_t i = 0; i < tree->messages.len; i++) {
        if (i == 0) {
            picture_add(tree, picture, STR(""));
            picture_add(tree, picture, STR(TAG_YELLOW "System Messages" TAG_RESET));
        }
        picture_add(tree, picture,
                    arena_concat(&picture->arena, STR("  "), tree->messages.items[i]));
    }
}

static void add_bars_below(struct tree *tree, struct picture *picture)
{
    enum { WIDTH = 30 };

    if (tree->bars.len > 0)
        picture_add(tree, picture, STR(TAG_YELLOW "Downloads" TAG_RESET));
    for (size_t i = 0; i < tree->bars.len; i++) {
        CLEANUP(strbuf_release) struct strbuf line = { 0 };
        const struct bar *bar = &tree->bars.items[i];
        bool is_known = bar->total > 0 && bar->completed <= bar->total;
        size_t filled = is_known ? (size_t)(bar->completed * WIDTH / bar->total) : 0;
        strbuf_add(&line, color_quote(&picture->arena, bar->message));
        strbuf_add(&line, STR("  ["));
        strbuf_add_repeated(&line, '=', filled);
        strbuf_add_repeated(&line, '-', WIDTH - filled);
        strbuf_add_char(&line, ']');
        if (is_known)
            strbuf_printf(&line, " %3u%%", (unsigned)(bar->completed * 100 / bar->total));
        picture_add(tree, picture, arena_copy(&picture->arena, strbuf_str(&line)));
    }
}

/* Until all is over: how far it is, and what is awaited. */
static void add_status_below(struct tree *tree, struct picture *picture)
{
    int64_t now = clock_monotonic();
    struct status status = { .elapsed = now - tree->started, .quiet = now - tree->moved };

    if (tree->rows.is_over || !map_has(&tree->rows.by_urn, tree->rows.stack_urn))
        return;
    status_take(&status, &tree->rows, tree->view.options->expected, awaited_first());
    picture_add_wrapped(tree, picture, status_waiting_text(&picture->arena, &status, clock_now()),
                        STR(TAG_WARNING));
    picture_add(tree, picture, status_text(&picture->arena, &status));
}

/* Says which keys scroll, and at the right edge where there is more. */
static void add_footer(struct tree *tree, struct picture *picture)
{
    static const size_t width = 8; /* of "⬆ more⬇ " */
    str hint = STR(" arrows, PgUp, PgDn, Home, End scroll");
    size_t columns = tree_columns(tree);
    CLEANUP(strbuf_release) struct strbuf line = { 0 };

    if (columns < width + hint.len)
        hint = STR("");
    strbuf_add(&line, STR(TAG_UNIMPORTANT));
    strbuf_add(&line, hint);
    strbuf_add(&line, STR(TAG_RESET));
    strbuf_add_repeated(&line, ' ', columns > width ? columns - width - hint.len : 0);
    strbuf_add(&line, STR(TAG_BRIGHT_BLUE));
    strbuf_add(&line, tree->scroll.offset > 0 ? STR("⬆ more") : STR("  more"));
    strbuf_add(&line, tree->scroll.offset < tree->scroll.most ? STR("⬇ ") : STR("  "));
    strbuf_add(&line, STR(TAG_RESET));
    picture_add(tree, picture, arena_copy(&picture->arena, strbuf_str(&line)));
}

/* Failures are of interest, too, behind what still goes on. */
static int64_t row_interest(const struct tree *tree, const struct row *row)
{
    if (row_is_at_work(&tree->rows, row))
        return row->started;
    return row->is_failed ? INT64_MAX : 0;
}

/* Leaves the lines that are in sight. */
static void picture_choose(struct tree *tree, struct picture *picture, struct tree_order *order,
                           size_t room)
{
    int64_t *since = ARENA_ARRAY(&picture->arena, int64_t, order->len + 1);
    struct sight sight = { 0 };

    for (size_t i = 0; i < order->len; i++)
        since[i] = row_interest(tree, order->items[i].row);
    sight_choose(&tree->scroll, since, order->len, room, &sight);
    for (size_t i = 0; i < sight.len; i++)
        order->items[i] = order->items[sight.items[i]];
    order->len = sight.len;
    vec_release(&sight);
}

/* All rows if they fit into so many lines, or if this is the end; else the header, those in sight,
 * and a footer. */
static void picture_add_table(struct tree *tree, struct picture *picture, size_t room)
{
    static const char *const dots[] = { "", ".", "..", "..." };
    struct tree_order order = { 0 };

    tree_order_make(&picture->arena, &tree->rows, &order);
    bool is_cut = !tree->rows.is_over && order.len + 1 > room;
    if (is_cut)
        picture_choose(tree, picture, &order, room > 3 ? room - 2 : 1);
    else
        scroll_fit(&tree->scroll, order.len, order.len);
    const struct tree_table table = {
        .rows = &tree->rows,
        .lines = order.items,
        .len = order.len,
        .dots = str_from(dots[tree->ticks * FRAME_MS / DOTS_MS % 4]),
        .width = tree_columns(tree),
        .former = is_cut ? &tree->widths : NULL,
    };
    tree_table_add(&picture->arena, &table, &picture->lines);
    if (is_cut)
        add_footer(tree, picture);
    vec_release(&order);
}

/* What is below the table gets a third of a screen that is too small for both. */
static void compose(struct tree *tree, struct picture *picture)
{
    CLEANUP(picture_release) struct picture below = { 0 };
    CLEANUP(picture_release) struct picture status = { 0 };
    size_t rows = tree->size.ws_row > 1 ? tree->size.ws_row - 1u : 1;

    add_status_below(tree, &status);
    rows = rows > status.lines.len + 4 ? rows - status.lines.len : rows;
    bool has_status = rows + status.lines.len < tree->size.ws_row;
    add_messages_below(tree, &below);
    add_bars_below(tree, &below);
    size_t first =
        !tree->rows.is_over && below.lines.len > rows / 3 ? below.lines.len - rows / 3 : 0;
    if (tree->rows.list.len + below.lines.len < rows)
        first = 0;
    picture_add_table(tree, picture, rows - (below.lines.len - first));
    for (size_t i = first; i < below.lines.len; i++)
        vec_add(&picture->lines, arena_copy(&picture->arena, below.lines.items[i]));
    for (size_t i = 0; has_status && i < status.lines.len; i++)
        vec_add(&picture->lines, arena_copy(&picture->arena, status.lines.items[i]));
}

/* Over the last frame, in one piece. */
static void tree_draw(struct tree *tree)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    CLEANUP(picture_release) struct picture picture = { 0 };

    if (!map_has(&tree->rows.by_urn, tree->rows.stack_urn) && tree->bars.len == 0
        && tree->frame.drawn.len == 0)
        return;
    tree->size = terminal_size();
    compose(tree, &picture);
    frame_draw(&tree->frame, &picture.lines, tree->size.ws_row, tree->size.ws_col,
               tree->view.options->color, &out);
    console_write(tree->view.options->out, strbuf_str(&out));
    tree->is_dirty = false;
}

/* --- events --- */

static void add_messages(struct tree *tree, str text)
{
    str line;

    while (str_next(&text, STR("\n"), &line)) {
        vec_add(&tree->messages, arena_copy(tree->view.arena, line));
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

    (void)sequence;
    (void)timestamp;
    tree->rows.view = view;
    tree->is_dirty = true;
    tree->moved = clock_monotonic();
    if (rows_take(&tree->rows, event))
        return;
    if (event->kind == EVENT_STDOUT)
        add_messages(tree, color_said(view->arena, event->stdout_text));
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
        frame_forget(&tree->frame);
        tree->is_dirty = true;
    }
    if (size.ws_col != tree->size.ws_col || size.ws_row != tree->size.ws_row
        || scroll_keys(&tree->scroll, (str){ keys, len }, size.ws_row))
        tree->is_dirty = true;
}

static void view_tree_start(struct view *view)
{
    struct tree *tree = (struct tree *)view;

    tree->started = tree->moved = clock_monotonic();
    keyboard_enter(KEYBOARD_WATCHED);
}

static void stop(struct view *view)
{
    struct tree *tree = (struct tree *)view;

    keyboard_enter(KEYBOARD_USUAL);
    frame_release(&tree->frame);
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
    strbuf_add_char(&text, '\n');
    bool is_forbidden = section_policies(&text, rows);
    section_diagnostics(&text, rows);
    section_outputs(&text, rows);
    if (tree->summary.is_known && !is_forbidden)
        section_summary(&text, &tree->summary, errored);
    strbuf_add_char(&text, '\n');
    stop(view); /* once the summary is visible, the user may type */
    console_write(view->options->out, STR("\x1b[?25h"));
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
