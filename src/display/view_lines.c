/* view_lines.c — the display for log files: a line for each resource that is finished. What
 * concerns it is in that line or, grouped, at the end; errors do not wait for the end. */
#include "base/clock.h"
#include "display/diff_summary.h"
#include "display/sections.h"
#include "display/status_line.h"

#include <ctype.h>
#include <stdio.h>

/* How long an error waits for the line of its resource, which usually follows at once. */
static const int64_t error_patience = (int64_t)2 * NS_PER_S;
/* When nothing is heard, it is said what is awaited: soon for the first time, then rarely. */
static const int64_t quiet_first = (int64_t)10 * NS_PER_S;
static const int64_t quiet_again = (int64_t)60 * NS_PER_S;

struct unreported_error {
    struct row *row;
    int64_t since;
};

struct lines {
    struct view view;
    struct rows rows;
    struct summary summary;
    struct {
        VEC(struct unreported_error);
    } unreported;
    int64_t started; /* monotonic nanoseconds */
    int64_t heard;   /* when something was last heard */
    int64_t printed; /* when there was last a line */
    int64_t waited;  /* when it was last said what is awaited; 0: never */
    bool is_loading; /* policy packs */
};

static void print_line(struct lines *lines, str text)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    lines->printed = clock_monotonic();
    view_print(&lines->view, arena_concat(&scratch, text, STR("\n")));
}

/* --- rows --- */

static void line_add(struct strbuf *line, str part)
{
    if (part.len)
        strbuf_add_char(line, ' ');
    strbuf_add(line, part);
}

/* Errors that nothing was begun for, such as those of a check. */
static str row_failure(const struct rows *rows, const struct row *row, struct arena *arena)
{
    bool is_lost = row->errors && !row->started && !row_is_root(row) && !rows->is_over;

    return is_lost ? STR(TAG_ERROR "**failed**" TAG_RESET) : row_status(rows, row, arena);
}

static void print_row(struct lines *lines, const struct row *row)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    const struct rows *rows = &lines->rows;

    line_add(&line, row_mark(rows, row, &scratch));
    if (lines->view.options->shows_urns) {
        line_add(&line, row_urn(rows, row, &scratch));
    } else {
        line_add(&line, row_type(rows, row, &scratch));
        line_add(&line, row_name(rows, row, &scratch));
    }
    line_add(&line, row_failure(rows, row, &scratch));
    line_add(&line, row_info(rows, row, &scratch));
    print_line(lines, strbuf_str(&line));
}

/* What is planned is a replacement; what is done are its parts, at different times. */
static bool step_has_line(const struct display_options *options, enum step_op op)
{
    if (op == OP_REPLACE)
        return options->is_preview;
    return !step_op_has(op, TRAIT_PART) || !options->is_preview || options->shows_replacement_steps;
}

/* Whether there is something to say about it, now that it is finished. */
static bool row_has_news(const struct lines *lines, const struct row *row)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct display_options *options = lines->view.options;

    if (row->is_failed || row->errors || row->warnings || row->messages || row->debugs)
        return true;
    if (row->step.op == OP_SAME)
        return step_is_shown(options, &row->step);
    if (row->step.op == OP_REFRESH && !options->is_refresh)
        return diff_summary(&scratch, &row->step).len > 0;
    return !row->is_hidden;
}

static void row_finish(struct lines *lines, struct row *row)
{
    if (row->is_reported)
        return;
    row->is_reported = true;
    if (row_has_news(lines, row))
        print_row(lines, row);
}

static void lines_take_step(struct lines *lines, const struct event *event, struct row *row)
{
    if (!step_has_line(lines->view.options, row->step.op))
        return;
    if (event->kind == EVENT_RESOURCE_PRE)
        row->is_reported = false;
    else
        row_finish(lines, row);
}

/* --- errors --- */

static void lines_take_diagnostic(struct lines *lines, const struct event *event, struct row *row)
{
    const struct unreported_error unreported = { .row = row, .since = clock_monotonic() };
    bool fails_later = row_is_begun(&lines->rows, row) && !lines->view.options->is_preview;

    if (event->diagnostic.severity != SEVERITY_ERROR || event->diagnostic.is_ephemeral)
        return;
    if (row_is_root(row) || fails_later) {
        vec_add(&lines->unreported, unreported);
        return;
    }
    row->is_reported = true;
    print_row(lines, row);
}

/* Those whose resource goes on, so that nobody has to wait for its line. */
static void tell_errors(struct lines *lines, int64_t now)
{
    size_t left = 0;

    for (size_t i = 0; i < lines->unreported.len; i++) {
        const struct unreported_error *unreported = &lines->unreported.items[i];
        if (unreported->row->is_reported)
            continue;
        if (now - unreported->since < error_patience)
            lines->unreported.items[left++] = *unreported;
        else
            print_row(lines, unreported->row);
    }
    lines->unreported.len = left;
}

/* --- other events --- */

static void print_loading(struct lines *lines, bool is_begin)
{
    lines->is_loading = is_begin;
    print_line(lines, is_begin ? STR("Loading policy packs...: starting")
                               : STR("Loading policy packs...: done"));
}

static void print_progress(struct lines *lines, const struct event *event)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str message = color_quote(&scratch, event->progress.message);

    if (event->progress.is_done)
        print_line(lines, arena_concat(&scratch, message, STR(": done")));
    else if (event->progress.is_first)
        print_line(lines, arena_concat(&scratch, message, STR(": starting")));
}

static void print_prelude(struct lines *lines, const struct event *event)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (lines->is_loading)
        print_loading(lines, false);
    if (lines->view.options->shows_config)
        section_config(&text, event);
    print_line(lines, strbuf_str(&text));
}

/* The stack has its line at the end; that it is refreshed first is told, because scripts and the
 * tests of SDKs look for it, and resources that have not changed are not mentioned. */
static void lines_take_root(struct lines *lines, const struct event *event, const struct row *row)
{
    if (event->kind == EVENT_RESOURCE_PRE && row->step.op == OP_REFRESH)
        print_row(lines, row);
}

static void lines_take_row(struct lines *lines, const struct event *event, struct row *row)
{
    if (event->kind == EVENT_DIAGNOSTIC)
        lines_take_diagnostic(lines, event, row);
    else if (row_is_root(row))
        lines_take_root(lines, event, row);
    else if (event->kind <= EVENT_RESOURCE_FAILED)
        lines_take_step(lines, event, row);
}

static void view_lines_take_event(struct view *view, const struct event *event, int64_t sequence,
                                  int64_t timestamp)
{
    struct lines *lines = (struct lines *)view;

    (void)sequence;
    (void)timestamp;
    lines->rows.view = view;
    lines->heard = clock_monotonic();
    struct row *row = rows_take(&lines->rows, event);
    if (row)
        lines_take_row(lines, event, row);
    else if (event->kind == EVENT_PRELUDE)
        print_prelude(lines, event);
    else if (event->kind == EVENT_POLICY_LOAD && !lines->is_loading)
        print_loading(lines, true);
    else if (event->kind == EVENT_STDOUT)
        print_line(lines, color_said(view->arena, event->stdout_text));
    else if (event->kind == EVENT_PROGRESS)
        print_progress(lines, event);
    else if (event->kind == EVENT_SUMMARY)
        summary_take(&lines->summary, event);
}

/* --- while nothing is heard --- */

/* What was last said about the thing that is awaited, the first line of it; it may never get into
 * the log otherwise. */
static str last_said(const struct rows *rows, str urn)
{
    const struct row *row = map_find(&rows->by_urn, urn.len ? urn : rows->stack_urn);

    if (!row || !row->diagnostics.len)
        return STR("");
    str text = row->diagnostics.items[row->diagnostics.len - 1].text;
    return str_slice(text, 0, str_find_char(text, '\n'));
}

static void print_waiting(struct lines *lines, int64_t now)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    const struct display_options *options = lines->view.options;
    struct status status = { .elapsed = now - lines->started, .quiet = now - lines->heard };

    strbuf_printf(&text, "%s%s: ", options->uses_emoji ? "✨ " : "@ ", options->label);
    for (size_t i = 0; i < text.len; i++)
        text.ptr[i] = (char)tolower((unsigned char)text.ptr[i]);
    status_take(&status, &lines->rows, options->expected, awaited_first());
    strbuf_add(&text, status_text(&scratch, &status));
    str waiting = status_waiting_text(&scratch, &status, clock_now());
    if (waiting.len) {
        str said = last_said(&lines->rows, status.wait.urn);
        strbuf_add(&text, STR("; "));
        strbuf_add(&text, color_quote(&scratch, waiting));
        strbuf_add(&text, said.len ? STR("; last message: ") : STR(""));
        strbuf_add(&text, said);
    }
    print_line(lines, strbuf_str(&text));
    lines->waited = now;
}

static void view_lines_tick(struct view *view)
{
    struct lines *lines = (struct lines *)view;
    int64_t now = clock_monotonic();
    bool is_quiet =
        now - lines->heard >= quiet_first && (!lines->waited || now - lines->waited >= quiet_again);

    tell_errors(lines, now);
    if (!view->options->suppresses_progress && (is_quiet || now - lines->printed >= quiet_again))
        print_waiting(lines, now);
}

static void view_lines_start(struct view *view)
{
    struct lines *lines = (struct lines *)view;

    lines->started = lines->heard = lines->printed = clock_monotonic();
    lines->rows.view = view;
}

/* --- the end --- */

/* What has not been reported: what was interrupted, components, and the stack. */
static void print_rest(struct lines *lines)
{
    struct rows *rows = &lines->rows;
    const struct row *root = NULL;

    for (size_t i = 0; i < rows->list.len; i++) {
        struct row *row = rows->list.items[i];
        if (row_is_root(row))
            root = row;
        else
            row_finish(lines, row);
    }
    if (root && !root->is_hidden)
        print_row(lines, root);
}

static void view_lines_finish(struct view *view)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct lines *lines = (struct lines *)view;
    struct rows *rows = &lines->rows;
    size_t errored = 0;

    for (size_t i = 0; i < rows->list.len; i++)
        errored += rows->list.items[i]->errors > 0;
    rows->is_over = true;
    print_rest(lines);
    bool is_forbidden = section_policies(&text, rows);
    section_diagnostics(&text, rows);
    section_outputs(&text, rows);
    if (lines->summary.is_known && !is_forbidden && !view->options->skips_summary)
        section_summary(&text, &lines->summary, errored);
    else if (text.len)
        text.len--; /* the line that ends it is that of the summary */
    if (text.len)
        print_line(lines, strbuf_str(&text));
    rows_release(rows);
    vec_release(&lines->unreported);
}

static const struct view_ops ops = {
    .start = view_lines_start,
    .event = view_lines_take_event,
    .tick = view_lines_tick,
    .finish = view_lines_finish,
    .tick_ms = 1000,
};

struct view *view_lines_new(struct arena *arena)
{
    struct lines *lines = ARENA_NEW(arena, struct lines);

    lines->view.ops = &ops;
    return &lines->view;
}
