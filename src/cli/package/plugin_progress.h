/* plugin_progress.h — downloads as bars on a terminal, one line each; as plain lines elsewhere. */
#pragma once

#include "cli/cli.h"

#include "fiber/sync.h"
#include "plugin/install.h"
#include "plugin/language.h"

struct http_progress;

/* All bars at once: they share the bottom of the screen. */
struct plugin_progress {
    struct cli *cli;
    bool is_shown; /* the terminal is interactive */
    struct {
        VEC(struct progress_bar *);
    } bars;
    size_t drawn;  /* lines at the bottom of the screen now */
    size_t active; /* downloads under way */
    struct latch *idle;
    struct latch *ended;
};

/* One download. */
struct progress_bar {
    struct plugin_progress *progress;
    str label;
    const struct http_progress *http; /* NULL: not begun */
    uint64_t received, total;         /* when it had ended */
    bool has_ended;
};

void plugin_progress_init(struct plugin_progress *progress, struct cli *cli);
void plugin_progress_release(struct plugin_progress *progress);

/* The listener of one installation; both live in the arena of the process. */
const struct install_listener *plugin_progress_listener(struct plugin_progress *progress,
                                                        str label);

/* A line above the bars. */
void plugin_progress_say(struct plugin_progress *progress, str line);
/* What package managers print, above the bars. Everything goes to standard error. */
struct dependency_output plugin_progress_output(struct plugin_progress *progress);
