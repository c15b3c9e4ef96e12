/* display.c — hands every event to the event log and to the view, and lets the view tick. */
#include "display/view.h"

#include "base/clock.h"
#include "base/console.h"
#include "base/memory.h"
#include "display/event_json.h"
#include "display/event_log.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"

#include <stdio.h>
#include <stdlib.h>

struct display {
    struct arena arena;
    struct display_options options;
    struct view *view;
    struct event_log *log; /* NULL: none */
    int64_t sequence;      /* of the next event */
    int64_t relayed;       /* the same among those that are relayed */
    struct mask relay_mask;
    bool is_over; /* the last event was shown */
    struct cancel *ticking;
    struct latch stopped;
};

void view_print(const struct view *view, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };

    color_add(&out, view->options->is_terminal ? console_plain(&scratch, text) : text,
              view->options->color);
    console_write(view->options->out, strbuf_str(&out));
}

static struct view *open_view(struct display *display)
{
    switch (display->options.view) {
    case VIEW_DIFF: return view_diff_new(&display->arena);
    case VIEW_PROGRESS:
        return display->options.is_interactive ? view_tree_new(&display->arena)
                                               : view_lines_new(&display->arena);
    case VIEW_WATCH: return view_watch_new(&display->arena);
    case VIEW_JSON_EVENTS: return view_json_events_new(&display->arena);
    case VIEW_JSON_PREVIEW: return view_json_preview_new(&display->arena);
    case VIEW_JSON_SUMMARY: return view_json_summary_new(&display->arena);
    case VIEW_NONE: return NULL;
    }
    return NULL;
}

static void print_headline(const struct display *display)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct display_options *options = &display->options;

    if ((options->view != VIEW_PROGRESS && options->view != VIEW_DIFF) || options->is_details
        || options->skips_headline)
        return;
    strbuf_add(&line, STR(TAG_HEADLINE));
    strbuf_printf(&line, "%s (" STR_FMT "):", options->label,
                  STR_ARG(color_quote(&scratch, options->stack)));
    strbuf_add(&line, STR(TAG_RESET "\n"));
    if (options->permalink.len) {
        strbuf_add(&line, STR("\n" TAG_UNDERLINE TAG_BRIGHT_BLUE "View Live: "));
        strbuf_add(&line, color_quote(&scratch, options->permalink));
        strbuf_add(&line, STR(TAG_RESET "\n\n"));
    }
    view_print(display->view, strbuf_str(&line));
}

static void tick_once(void *display_)
{
    struct display *display = display_;

    if (!display->is_over)
        display->view->ops->tick(display->view);
}

static void display_tick(void *display_)
{
    struct display *display = display_;
    struct error *failure;

    while ((failure = fiber_sleep_ms(display->view->ops->tick_ms)) == NULL) {
        fiber_on_main_stack(tick_once, display);
    }
    error_ignore(failure, "the display is over");
    latch_open(&display->stopped);
}

fallible display_open(const struct display_options *options, struct display **out)
{
    struct display *display = memory_zalloc(sizeof(*display));

    display->options = *options;
    if (!display->options.out)
        display->options.out = stdout;
    struct error *failure =
        options->event_log.len ? event_log_open(options, &display->arena, &display->log) : NULL;
    if (failure) {
        arena_release(&display->arena);
        free(display);
        return failure;
    }
    if (options->relay)
        display->relay_mask = mask_new(&display->arena, options->secrets);
    display->view = open_view(display);
    if (display->view) {
        display->view->options = &display->options;
        display->view->arena = &display->arena;
        display->view->mask = mask_new(&display->arena, options->secrets);
        print_headline(display);
        if (display->view->ops->start)
            display->view->ops->start(display->view);
    }
    if (display->view && display->view->ops->tick) {
        display->ticking = cancel_open(cancel_current());
        fiber_spawn_in(display->ticking, display_tick, display);
    }
    *out = display;
    return NULL;
}

/* What concerns others than the people at this terminal. */
static bool is_for_relay(const struct display_options *options, const struct event *event)
{
    if (event->is_internal || event->kind == EVENT_CANCEL)
        return false;
    return event->kind != EVENT_DIAGNOSTIC
           || (!event->diagnostic.is_ephemeral
               && (event->diagnostic.severity != SEVERITY_DEBUG || options->shows_debug));
}

static void display_relay(struct display *display, const struct event *event, int64_t timestamp)
{
    CLEANUP(strbuf_release) struct strbuf line = { 0 };
    struct json_writer writer = { .out = &line };
    const struct event_json form = { .mask = display->relay_mask, .color = COLOR_RAW };

    if (!is_for_relay(&display->options, event))
        return;
    event_json_write(&writer, &form, event, display->relayed++, timestamp);
    display->options.relay(display->options.relay_context, strbuf_str(&line));
}

struct showing {
    struct display *display;
    const struct event *event;
};

static void display_show(void *showing_)
{
    const struct showing *showing = showing_;
    struct display *display = showing->display;
    const struct event *event = showing->event;
    int64_t sequence = display->sequence++;
    int64_t timestamp = clock_now() / NS_PER_S;

    if (display->log)
        event_log_add(display->log, event, sequence, timestamp);
    if (display->options.relay)
        display_relay(display, event, timestamp);
    if (!display->view || display->is_over || event->is_internal)
        return;
    if (event->kind == EVENT_CANCEL)
        display->is_over = true;
    display->view->ops->event(display->view, event, sequence, timestamp);
    if (display->is_over && display->view->ops->finish)
        display->view->ops->finish(display->view);
}

/* Values may be nested deeper than a fiber's stack allows to follow them. */
void display_event(void *display, const struct event *event)
{
    struct showing showing = { display, event };

    fiber_on_main_stack(display_show, &showing);
}

fallible display_close(struct display *display)
{
    if (display->ticking) {
        cancel_fire(display->ticking);
        latch_wait_uncancelable(&display->stopped);
        fiber_yield();
        cancel_close(display->ticking);
    }
    if (display->view && display->view->ops->stop)
        display->view->ops->stop(display->view);
    struct error *failure = display->log ? event_log_close(display->log) : NULL;
    arena_release(&display->arena);
    free(display);
    return failure;
}
