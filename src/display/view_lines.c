/* view_lines.c — the display for machines and log files: a line for each thing that happens. */
#include "display/sections.h"

#include <ctype.h>
#include <stdio.h>

struct lines {
    struct view view;
    struct rows rows;
    struct summary summary;
    bool is_waiting; /* the heartbeat's line is open */
    bool is_loading; /* policy packs */
};

/* Ends the heartbeat's line first. */
static void print_line(struct lines *lines, str text)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };

    strbuf_add(&line, lines->is_waiting ? STR("\n") : STR(""));
    strbuf_add(&line, text);
    strbuf_add_char(&line, '\n');
    lines->is_waiting = false;
    view_print(&lines->view, strbuf_str(&line));
}

static void print_row(struct lines *lines, const struct row *row)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct rows *rows = &lines->rows;
    str blank = STR(" ");

    if (row->is_hidden)
        return;
    str subject = lines->view.options->shows_urns
                      ? row_urn(rows, row, &scratch)
                      : arena_concat(&scratch, row_type(rows, row, &scratch), blank,
                                     row_name(rows, row, &scratch));
    print_line(lines,
               arena_concat(&scratch, blank, row_mark(rows, row, &scratch), blank, subject, blank,
                            row_status(rows, row, &scratch), blank, row_info(rows, row, &scratch)));
}

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

static void view_lines_take_event(struct view *view, const struct event *event, int64_t sequence,
                                  int64_t timestamp)
{
    struct lines *lines = (struct lines *)view;
    bool is_news;

    (void)sequence;
    (void)timestamp;
    lines->rows.view = view;
    struct row *row = rows_take(&lines->rows, event, &is_news);
    if (row && is_news)
        print_row(lines, row);
    if (event->kind == EVENT_PRELUDE)
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

static void heartbeat(struct view *view)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct lines *lines = (struct lines *)view;

    if (view->options->suppresses_progress)
        return;
    if (lines->is_waiting) {
        view_print(view, STR("."));
        return;
    }
    lines->is_waiting = true;
    strbuf_printf(&text, "%s%s...", view->options->uses_emoji ? "✨ " : "@ ", view->options->label);
    for (size_t i = 0; i < text.len; i++)
        text.ptr[i] = (char)tolower((unsigned char)text.ptr[i]);
    view_print(view, strbuf_str(&text));
}

static void view_lines_finish(struct view *view)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct lines *lines = (struct lines *)view;
    struct rows *rows = &lines->rows;
    struct {
        VEC(struct row *);
    } unfinished = { 0 };
    size_t errored = 0;

    for (size_t i = 0; i < rows->list.len; i++) {
        if (!row_is_done(rows, rows->list.items[i]))
            vec_add(&unfinished, rows->list.items[i]);
        errored += rows->list.items[i]->errors > 0;
    }
    rows->is_over = true;
    for (size_t i = 0; i < unfinished.len; i++)
        print_row(lines, unfinished.items[i]);
    vec_release(&unfinished);
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
}

static const struct view_ops ops = {
    .event = view_lines_take_event, .tick = heartbeat, .finish = view_lines_finish, .tick_ms = 1000
};

struct view *view_lines_new(struct arena *arena)
{
    struct lines *lines = ARENA_NEW(arena, struct lines);

    lines->view.ops = &ops;
    return &lines->view;
}
