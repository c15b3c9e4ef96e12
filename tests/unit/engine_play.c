/* engine_play.c — the frame of tests that play worlds made up by chance. */
#include "unit/engine_play.h"

#include "unit/engine_random.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST = 1, SECONDS = 60 };

/* The world that is played. */
static struct {
    struct world *world;
    char name[80]; /* what is said of it where nothing else can be */
    bool is_shown;
} played;

static unsigned long number_from(const char *variable, unsigned long otherwise)
{
    const char *value = getenv(variable);

    return value && *value ? strtoul(value, NULL, 10) : otherwise;
}

/* --- in words --- */

static void show_before(struct world *world)
{
    if (world->base.resource_count)
        print_error("--- on: " STR_FMT "\n", STR_ARG(world_snapshot_text(world, &world->base)));
    random_world_print(world);
}

/* By lines: cmocka cuts long texts off. */
static void show_lines(str text)
{
    str line;

    while (str_cut(text, STR("\n"), &line, &text))
        print_error(STR_FMT "\n", STR_ARG(line));
    print_error(STR_FMT, STR_ARG(text));
}

static void show_after(struct world *world)
{
    print_error("--- leaves: " STR_FMT "\n", STR_ARG(world_snapshot_text(world, &world->result)));
    show_lines(strbuf_str(&world->history));
    show_lines(strbuf_str(&world->diagnostics));
}

int play_show_failure(void **state)
{
    (void)state;
    if (!played.world)
        return 0;
    print_error("%s", played.name);
    show_before(played.world);
    show_after(played.world);
    played.world = NULL;
    return 0;
}

/* --- playing --- */

void play_run(struct world *world)
{
    if (played.is_shown)
        show_before(world);
    world_run(world);
    if (played.is_shown)
        show_after(world);
}

static void play_seed(play_one *play, unsigned long seed, bool calls_fail)
{
    void *state;

    world_setup(&state);
    played.world = state;
    snprintf(played.name, sizeof(played.name), "PLAN_SEED=%lu PLAN_COUNT=1, %s\n", seed,
             calls_fail ? "calls fail" : "no call fails");
    alarm(SECONDS);
    play(played.world, seed, calls_fail);
    alarm(0);
    world_teardown(&state);
    played.world = NULL;
}

void play_all(play_one *play, bool calls_fail, unsigned long count)
{
    unsigned long first = number_from("PLAN_SEED", FIRST);

    count = number_from("PLAN_COUNT", count);
    played.is_shown = count == 1;
    for (unsigned long seed = first; seed < first + count; seed++)
        play_seed(play, seed, calls_fail);
}

static void show_name(int number)
{
    ssize_t written = write(STDERR_FILENO, played.name, strlen(played.name));

    (void)written;
    signal(number, SIG_DFL);
    raise(number);
}

void play_watch_signals(void)
{
    signal(SIGALRM, show_name);
    signal(SIGABRT, show_name);
}
