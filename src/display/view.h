/* view.h — one way of showing events; display.c feeds it. Seen only inside display/. */
#pragma once

#include "display/display.h"
#include "display/mask.h"

struct view;

/* A NULL member does nothing. */
struct view_ops {
    void (*start)(struct view *view);
    void (*event)(struct view *view, const struct event *event, int64_t sequence,
                  int64_t timestamp);
    void (*tick)(struct view *view);
    void (*finish)(struct view *view); /* after the last event */
    void (*stop)(struct view *view);   /* when the display is closed, finished or not */
    unsigned tick_ms;                  /* how often it ticks */
};

/* Implementations embed this as their first member. */
struct view {
    const struct view_ops *ops;
    const struct display_options *options;
    struct arena *arena; /* lives as long as the display */
    struct mask mask;
};

struct view *view_lines_new(struct arena *arena);
struct view *view_tree_new(struct arena *arena);
struct view *view_watch_new(struct arena *arena);
struct view *view_diff_new(struct arena *arena);
struct view *view_json_events_new(struct arena *arena);
struct view *view_json_preview_new(struct arena *arena);
struct view *view_json_summary_new(struct arena *arena);

/* Writes with colours as the options want, at once. */
void view_print(const struct view *view, str text);
