/* plugin_progress.c — draws the bars of downloads at the bottom of the terminal, and other text
 * above them. */
#include "cli/package/plugin_progress.h"

#include "base/console.h"
#include "base/settings.h"
#include "cli/open.h"
#include "cli/package/plugin_list.h"
#include "fiber/fiber.h"
#include "http/http.h"

#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 30, REDRAW_MS = 100 };

void plugin_progress_init(struct plugin_progress *progress, struct cli *cli)
{
    *progress = (struct plugin_progress){
        .cli = cli,
        .is_shown = cli->terminal.is_interactive && isatty(STDERR_FILENO)
                    && !str_equal(settings_text("TERM"), STR("dumb")),
    };
}

void plugin_progress_release(struct plugin_progress *progress)
{
    vec_release(&progress->bars);
}

/* --- drawing --- */

static void draw_bar(struct strbuf *out, const struct progress_bar *bar)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    uint64_t received = bar->has_ended ? bar->received : bar->http->received;
    uint64_t total = bar->has_ended ? bar->total : bar->http->total;
    char cells[WIDTH + 1];
    size_t filled = total > 0 && received <= total ? (size_t)(received * WIDTH / total) : 0;

    memset(cells, '-', WIDTH);
    memset(cells, '=', filled);
    cells[WIDTH] = '\0';
    str size = plugin_list_size(&scratch, received);
    strbuf_add(out, STR("\r\033[K"));
    strbuf_add_shown(out, bar->label, false);
    if (total > 0)
        strbuf_printf(out, " [%s] " STR_FMT "/" STR_FMT "\n", cells, STR_ARG(size),
                      STR_ARG(plugin_list_size(&scratch, total)));
    else
        strbuf_printf(out, " " STR_FMT "\n", STR_ARG(size));
}

static void erase(struct plugin_progress *progress)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (progress->drawn > 0) {
        strbuf_printf(&out, "\033[%zuA\033[J", progress->drawn);
        console_write(stderr, strbuf_str(&out));
    }
    progress->drawn = 0;
}

static void plugin_progress_draw(struct plugin_progress *progress)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    if (progress->drawn > 0)
        strbuf_printf(&out, "\033[%zuA", progress->drawn);
    for (size_t i = 0; i < progress->bars.len; i++)
        draw_bar(&out, progress->bars.items[i]);
    progress->drawn = progress->bars.len;
    console_write(stderr, strbuf_str(&out));
}

/* Bars that are full stay where they are once no other is under way. */
static void plugin_progress_settle(struct plugin_progress *progress)
{
    plugin_progress_draw(progress);
    progress->drawn = 0;
    progress->bars.len = 0;
}

static void plugin_progress_redraw(void *progress_)
{
    struct plugin_progress *progress = progress_;
    struct latch *ended = progress->ended;
    struct error *news;

    while ((news = latch_wait_ms(progress->idle, REDRAW_MS)) && error_kind(news) == ERROR_TIMEOUT) {
        error_ignore(news, "not done yet");
        plugin_progress_draw(progress);
    }
    error_ignore(news, "a canceled download ends by itself");
    latch_open(ended);
}

/* --- what installations report --- */

/* One that is tried again has its line already. */
static bool has_bar(const struct plugin_progress *progress, const struct progress_bar *bar)
{
    for (size_t i = 0; i < progress->bars.len; i++)
        if (progress->bars.items[i] == bar)
            return true;
    return false;
}

static void begin_download(void *bar_, const struct http_progress *http)
{
    struct progress_bar *bar = bar_;
    struct plugin_progress *progress = bar->progress;

    bar->http = http;
    bar->has_ended = false;
    if (!progress->is_shown) {
        fprintf(stderr, STR_FMT "\n", STR_ARG(bar->label));
        return;
    }
    if (!has_bar(progress, bar))
        vec_add(&progress->bars, bar);
    if (progress->active++ > 0)
        return;
    progress->idle = ARENA_NEW(progress->cli->arena, struct latch);
    progress->ended = ARENA_NEW(progress->cli->arena, struct latch);
    fiber_spawn(plugin_progress_redraw, progress);
}

static void end_download(void *bar_)
{
    struct progress_bar *bar = bar_;
    struct plugin_progress *progress = bar->progress;
    struct latch *ended = progress->ended;

    if (!progress->is_shown)
        return;
    bar->received = bar->http->received;
    bar->total = bar->http->total;
    bar->has_ended = true;
    if (--progress->active > 0)
        return;
    plugin_progress_settle(progress);
    latch_open(progress->idle);
    latch_wait_uncancelable(ended);
}

static void retry(void *bar_, str problem, uint64_t wait_ms, unsigned attempt, unsigned attempts)
{
    struct plugin_progress *progress = ((struct progress_bar *)bar_)->progress;
    CLEANUP(arena_release) struct arena scratch = { 0 };

    erase(progress);
    cli_report(progress->cli, "warning",
               arena_printf(&scratch,
                            "Error downloading plugin: " STR_FMT "\nWill retry in %llums [%u/%u]",
                            STR_ARG(problem), (unsigned long long)wait_ms, attempt, attempts));
}

const struct install_listener *plugin_progress_listener(struct plugin_progress *progress, str label)
{
    struct progress_bar *bar = ARENA_NEW(progress->cli->arena, struct progress_bar);
    struct install_listener *listener = ARENA_NEW(progress->cli->arena, struct install_listener);

    *bar = (struct progress_bar){ .progress = progress, .label = label };
    *listener = (struct install_listener){ .context = bar,
                                           .begin_download = begin_download,
                                           .end_download = end_download,
                                           .retry = retry };
    return listener;
}

/* --- other text --- */

void plugin_progress_say(struct plugin_progress *progress, str line)
{
    erase(progress);
    fprintf(stderr, STR_FMT "\n", STR_ARG(line));
}

static void plugin_progress_write_output(void *progress, bool is_error, str bytes)
{
    (void)is_error;
    erase(progress);
    fwrite(bytes.ptr, 1, bytes.len, stderr);
    fflush(stderr);
}

struct dependency_output plugin_progress_output(struct plugin_progress *progress)
{
    return (struct dependency_output){ progress, plugin_progress_write_output };
}
