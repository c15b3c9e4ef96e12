/* test_plan_lives.c — what holds over the whole life of a stack: after every operation the state is
 * whole and knows what exists, whatever failed; at last an update without failures settles it, and
 * a destroy leaves nothing. Lives are made up by chance, each from its seed: PLAN_SEED=7000
 * PLAN_COUNT=100000 plays other ones than `make check` does, and PLAN_COUNT=1 shows one. */
#include "unit/engine_life.h"
#include "unit/engine_random.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST = 1, COUNT = 300, SECONDS = 60 };

/* The life that is played. */
static struct {
    struct world *world;
    struct cloud cloud;
    char name[80];
    bool is_shown;
} played;

static unsigned long number_from(const char *variable, unsigned long otherwise)
{
    const char *value = getenv(variable);

    return value && *value ? strtoul(value, NULL, 10) : otherwise;
}

/* --- an operation --- */

static void show_before(struct world *world)
{
    print_error("--- on: " STR_FMT "\n", STR_ARG(world_snapshot_text(world, &world->base)));
    random_world_print(world);
}

static void show_after(const struct world *world)
{
    print_error(STR_FMT STR_FMT, STR_ARG(strbuf_str(&world->history)),
                STR_ARG(strbuf_str(&world->diagnostics)));
}

static void check_cloud(struct world *world)
{
    if (!world->options.preview)
        cloud_check(world);
    if (world->cloud->complaints.len == 0)
        return;
    print_error(STR_FMT, STR_ARG(strbuf_str(&world->cloud->complaints)));
    fail();
}

static void run_one(struct world *world)
{
    if (played.is_shown)
        show_before(world);
    world_run(world);
    if (played.is_shown)
        show_after(world);
    check_cloud(world);
}

/* --- at last --- */

static void nothing_is_left_to_do(const struct world *world)
{
    for (int op = 0; op < STEP_OP_COUNT; op++) {
        if (op == OP_SAME || world->changes[op] == 0)
            continue;
        print_error("%s is planned again\n", step_op_names[op]);
        fail();
    }
}

static void nothing_exists(const struct world *world)
{
    for (size_t i = 0; i < world->cloud->len; i++) {
        const struct cloud_object *object = &world->cloud->items[i];
        if (!object->exists || object->is_released)
            continue;
        print_error(STR_FMT " is left\n", STR_ARG(object->id));
        fail();
    }
}

static void settle(struct life *life)
{
    struct world *world = life->world;

    for (int again = 0; again < 2; again++) {
        world_continue(world);
        life_settle(life);
        run_one(world);
        assert_succeeds(world);
    }
    nothing_is_left_to_do(world);
    world_continue(world);
    life_settle(life);
    world->options.kind = OPERATION_DESTROY;
    run_one(world);
    assert_succeeds(world);
    assert_state(world, "");
    nothing_exists(world);
}

/* --- playing --- */

static void play(unsigned long seed, bool calls_fail)
{
    struct life life;
    void *state;

    world_setup(&state);
    played.world = state;
    played.cloud = (struct cloud){ 0 };
    played.world->cloud = &played.cloud;
    snprintf(played.name, sizeof(played.name), "PLAN_SEED=%lu PLAN_COUNT=1, %s\n", seed,
             calls_fail ? "calls fail" : "no call fails");
    alarm(SECONDS);
    life_begin(&life, played.world, seed, calls_fail);
    for (unsigned left = life_length(&life); left > 0; left--) {
        life_next(&life);
        run_one(played.world);
        world_continue(played.world);
    }
    settle(&life);
    alarm(0);
    cloud_release(&played.cloud);
    world_teardown(&state);
    played.world = NULL;
}

static void play_all(bool calls_fail)
{
    unsigned long first = number_from("PLAN_SEED", FIRST), count = number_from("PLAN_COUNT", COUNT);

    played.is_shown = count == 1;
    for (unsigned long seed = first; seed < first + count; seed++)
        play(seed, calls_fail);
}

static void a_life_leaves_nothing(void **state)
{
    (void)state;
    play_all(false);
}

static void a_life_with_failures_leaves_nothing(void **state)
{
    (void)state;
    play_all(true);
}

/* --- where it does not hold --- */

static int show_failure(void **state)
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

static void show_name(int number)
{
    ssize_t written = write(STDERR_FILENO, played.name, strlen(played.name));

    (void)written;
    signal(number, SIG_DFL);
    raise(number);
}

#define FOR_ALL(test) cmocka_unit_test_teardown(test, show_failure)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOR_ALL(a_life_leaves_nothing),
        FOR_ALL(a_life_with_failures_leaves_nothing),
    };

    signal(SIGALRM, show_name); /* it does not end */
    signal(SIGABRT, show_name);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
