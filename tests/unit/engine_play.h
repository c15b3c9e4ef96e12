/* engine_play.h — plays worlds made up by chance, each from its seed, and shows the one in which
 * something does not hold. PLAN_SEED=7000 PLAN_COUNT=100000 plays other ones than `make check`
 * does, and PLAN_COUNT=1 shows one. */
#pragma once

#include "unit/engine_world.h"

/* What is done with one world. The world is new. */
typedef void play_one(struct world *world, unsigned long seed, bool calls_fail);

/* Plays the seeds that the environment asks for, else 1 to `count`. */
void play_all(play_one *play, bool calls_fail, unsigned long count);
/* world_run, shown if there is but one world to play. */
void play_run(struct world *world);
/* What does not end, or is aborted, says its seed. */
void play_watch_signals(void);

/* The teardown of a test: shows the world that was played last, if it did not come to its end. */
int play_show_failure(void **state);
#define FOR_ALL(test) cmocka_unit_test_teardown(test, play_show_failure)
