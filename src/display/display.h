/* display.h — shows the events of one phase (a preview or the operation itself) to a person or a
 * program. */
#pragma once

#include "base/secret.h"
#include "display/color.h"
#include "engine/event.h"

#include <stdio.h>

enum display_view {
    VIEW_PROGRESS,     /* lines, or a table that is redrawn */
    VIEW_DIFF,         /* every step with its properties */
    VIEW_JSON_EVENTS,  /* one event a line */
    VIEW_JSON_PREVIEW, /* one document with all planned steps */
    VIEW_JSON_SUMMARY, /* one line at the end */
    VIEW_WATCH,        /* a line with time and name for each event */
    VIEW_NONE,
};

struct display_options {
    enum display_view view;
    FILE *out;        /* NULL: standard output */
    bool is_terminal; /* what is written ends up on one: control characters of others do not pass */
    enum color_mode color;
    bool is_interactive;
    bool is_preview;
    bool is_refresh;   /* the refresh command: states are shown as they were found */
    const char *label; /* "Updating", "Previewing update" … */
    bool skips_headline;
    bool skips_summary;
    str stack;      /* as the user names it */
    str stack_name; /* short */
    str project;
    bool is_details; /* the diff shown on request at the prompt: only what changes, no headline, no
                        counts */
    bool uses_emoji;
    bool shows_config;
    bool shows_replacement_steps;
    bool shows_sames;
    bool shows_reads;
    bool shows_policy_remediations;
    bool shows_secrets;
    bool shows_full_output;
    bool shows_urns;
    bool shows_debug;
    bool suppresses_outputs;
    bool suppresses_progress;
    str permalink; /* where people can follow the operation; empty: nowhere */
    /* Takes each event as JSON, borrowed; must not block. NULL: nobody does. */
    void (*relay)(void *context, str event);
    void *relay_context;
    str event_log;              /* a path or tcp://HOST:PORT; empty: none */
    size_t expected;            /* resources that a preview has seen; 0: not known */
    struct secret_list secrets; /* plaintexts of secret configuration, never shown */
};

struct display;

/* Prints the headline. The options are copied, what they point to is borrowed. Blocks if there is
 * an event log. */
fallible display_open(const struct display_options *options, struct display **out);

/* An event_sink: shows one event at once. */
void display_event(void *display, const struct event *event);

/* Shows what is left, waits for the event log to be written, and gives the first failure of writing
 * it. Blocks. */
fallible display_close(struct display *owned);
