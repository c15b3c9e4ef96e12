/* test_plan_lives.c — what holds over the whole life of a stack: after every operation the state is
 * whole and knows what exists, whatever failed; at last an update without failures settles it, and
 * a destroy leaves nothing. Lives are made up by chance, each from its seed. */
#include "unit/engine_life.h"
#include "unit/engine_play.h"

enum { COUNT = 300 };

/* --- an operation --- */

static void check_cloud(struct world *world)
{
    if (!world->options.preview)
        cloud_check(world);
    if (world->cloud->complaints.len == 0)
        return;
    print_error(STR_FMT, STR_ARG(strbuf_str(&world->cloud->complaints)));
    fail();
}

/* The run may be killed after each line of the journal. */
static void every_line_leaves_a_state(struct world *world)
{
    for (size_t lines = 0; lines < world->records.len; lines++)
        world_state_after(world, lines);
}

static void run_one(struct world *world)
{
    play_run(world);
    check_cloud(world);
    every_line_leaves_a_state(world);
}

static void run_next(struct life *life)
{
    struct world *world = life->world;
    struct engine_options *options = &world->options;

    if (life->has_plan) {
        bool is_preview = options->preview;
        options->preview = options->update_plan.is_wanted = true;
        run_one(world);
        options->preview = is_preview;
        options->update_plan = (struct update_plan_options){ .text = world->plan };
    }
    run_one(world);
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

static void play(struct world *world, unsigned long seed, bool calls_fail)
{
    CLEANUP(cloud_release) struct cloud cloud = { 0 };
    struct life life;

    world->cloud = &cloud;
    life_begin(&life, world, seed, calls_fail);
    for (unsigned left = life_length(&life); left > 0; left--) {
        life_next(&life);
        run_next(&life);
        world_continue(world);
    }
    settle(&life);
}

static void a_life_leaves_nothing(void **state)
{
    (void)state;
    play_all(play, false, COUNT);
}

static void a_life_with_failures_leaves_nothing(void **state)
{
    (void)state;
    play_all(play, true, COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOR_ALL(a_life_leaves_nothing),
        FOR_ALL(a_life_with_failures_leaves_nothing),
    };

    play_watch_signals();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
