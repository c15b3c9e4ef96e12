/* fiber.c — the scheduler: runs ready fibers in rounds, and the loop when none is ready. */
#include "fiber/fiber.h"

#include "base/memory.h"
#include "fiber/process_guard.h"
#include "fiber/scheduler.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

enum {
    TURNS_PER_POLL = 128, /* after so many turns of fibers the loop looks for events, even if more
                             fibers are ready */
    GROWTH = 64, /* so many starved fibers get a stack beyond plenty when nothing else can run */
    FAIR_STREAK = 64,
    FIRST_DESCRIPTORS = 12, /* that the loop opens: epoll, its wake-up, the pipes for signals */
};

static _Thread_local struct scheduler *current;
static _Thread_local uint64_t seed;

struct scheduler *scheduler_current(void)
{
    return current;
}

void scheduler_set_seed(uint64_t new_seed)
{
    seed = new_seed;
    if (current)
        current->random = new_seed;
}

/* splitmix64 */
static uint64_t next_random(struct scheduler *scheduler)
{
    scheduler->random += 0x9e3779b97f4a7c15U;
    uint64_t mixed = scheduler->random;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31;
}

/* --- one fiber --- */

struct fiber *fiber_self(void)
{
    return current ? current->running : NULL;
}

struct fiber *fiber_blocking(void)
{
    struct fiber *self = fiber_self();

    BUG_IF(!self);
    BUG_IF(current->is_on_errand);
    return self;
}

static void make_ready(struct scheduler *scheduler, struct fiber *fiber, enum fiber_state state)
{
    fiber->state = state;
    vec_add(&scheduler->ready, fiber);
}

static void suspend(struct scheduler *scheduler, struct fiber *self)
{
    context_switch(&self->context, &scheduler->context);
    self->state = FIBER_RUNNING;
    self->streak = 0;
}

static void fiber_enter(void *fiber_)
{
    struct fiber *self = fiber_;

    context_begin(&self->context);
    self->state = FIBER_RUNNING;
    self->run(self->argument);
    self->run = NULL;
    context_leave(&self->context, &current->context);
}

void fiber_spawn_named(struct cancel *scope, const char *name, fiber_run *run, void *argument,
                       bool is_guest)
{
    struct scheduler *scheduler = current;
    struct fiber *fiber = memory_zalloc(sizeof(*fiber));

    BUG_IF(!scheduler);
    if (!scope)
        scope = scheduler->running ? scheduler->running->scope : scheduler->main_scope;
    fiber->name = name;
    fiber->born_ms = uv_now(&scheduler->loop);
    fiber->run = run;
    fiber->argument = argument;
    fiber->is_guest = is_guest;
    cancel_add_fiber(scope, fiber);
    scheduler->fibers++;
    make_ready(scheduler, fiber, FIBER_NEW);
}

struct fiber_task fiber_set_task(struct fiber_task task)
{
    struct fiber *self = fiber_self();

    if (!self)
        return (struct fiber_task){ 0 };
    struct fiber_task former = self->task;
    self->task = task;
    return former;
}

void fiber_yield(void)
{
    struct fiber *self = fiber_blocking();

    make_ready(current, self, FIBER_YIELDED);
    suspend(current, self);
}

void fiber_park(const char *awaited)
{
    struct fiber *self = fiber_blocking();

    if (!self->is_wake_pending) {
        self->state = FIBER_PARKED;
        self->awaited = awaited;
        self->parked_ms = uv_now(&current->loop);
        suspend(current, self);
    }
    self->is_wake_pending = false;
}

void fiber_wake(struct fiber *fiber)
{
    if (fiber->state == FIBER_PARKED)
        make_ready(current, fiber, FIBER_WOKEN);
    else if (fiber->state != FIBER_WOKEN)
        fiber->is_wake_pending = true;
}

void fiber_share(void)
{
    if (++fiber_blocking()->streak >= FAIR_STREAK)
        fiber_yield();
}

fallible fiber_sleep_ms(uint64_t milliseconds)
{
    struct timer timer;

    fiber_blocking();
    TRY(fiber_canceled());
    timer_start(&timer, milliseconds);
    while (!timer.is_due && !fiber_is_canceled())
        fiber_park("a time");
    timer_stop(&timer);
    return timer.is_due ? NULL : fiber_canceled();
}

void fiber_on_main_stack(void (*work)(void *), void *argument)
{
    struct fiber *self = fiber_self();

    if (!self || current->is_on_errand) {
        work(argument);
        return;
    }
    current->errand = work;
    current->errand_argument = argument;
    context_switch(&self->context, &current->context);
}

/* --- all fibers --- */

static void starve(struct scheduler *scheduler, struct fiber *fiber)
{
    struct starved *starved = &scheduler->starved[fiber->is_guest];

    if (starved->last)
        starved->last->next = fiber;
    else
        starved->first = fiber;
    starved->last = fiber;
    starved->len++;
}

static bool give_stack(struct scheduler *scheduler, struct fiber *fiber, size_t limit)
{
    const struct stack_pool *pool = &scheduler->stacks;

    fiber->stack = stack_pool_take(&scheduler->stacks, limit);
    /* The few that run may wait for this one: test_crash.c:
     * memory_for_a_stack_that_is_refused_is_not_waited_for. */
    if (!fiber->stack && pool->count - pool->unused_count < STACKS_FEW)
        memory_exhausted(STACK_SIZE);
    if (!fiber->stack)
        return false;
    context_init(&fiber->context, fiber->stack->bottom, STACK_SIZE, fiber_enter, fiber);
    return true;
}

/* Moves the first starved fiber to the ready queue if it can have a stack. */
static bool feed_from(struct scheduler *scheduler, struct starved *starved, size_t limit)
{
    struct fiber *fiber = starved->first;

    if (!fiber || !give_stack(scheduler, fiber, limit))
        return false;
    starved->first = fiber->next;
    if (!fiber->next)
        starved->last = NULL;
    starved->len--;
    fiber->next = NULL;
    make_ready(scheduler, fiber, FIBER_NEW);
    return true;
}

/* A guest only when no other waits: that one may be what guests wait for. */
static bool feed_one(struct scheduler *scheduler, size_t guest_limit)
{
    if (scheduler->starved[false].first)
        return feed_from(scheduler, &scheduler->starved[false], STACKS_MOST);
    return feed_from(scheduler, &scheduler->starved[true], guest_limit);
}

static void fiber_end(struct scheduler *scheduler, struct fiber *fiber)
{
    cancel_remove_fiber(fiber);
    context_release(&fiber->context);
    stack_pool_put(&scheduler->stacks, fiber->stack);
    free(fiber);
    scheduler->fibers--;
    feed_one(scheduler, STACKS_PLENTY);
}

static void run_errand(struct scheduler *scheduler)
{
    void (*errand)(void *) = scheduler->errand;

    scheduler->errand = NULL;
    scheduler->is_on_errand = true;
    errand(scheduler->errand_argument);
    scheduler->is_on_errand = false;
}

/* Gives a fiber its turn: until it waits or ends. */
static void resume(struct scheduler *scheduler, struct fiber *fiber)
{
    if (!fiber->stack
        && !give_stack(scheduler, fiber, fiber->is_guest ? STACKS_PLENTY : STACKS_MOST)) {
        starve(scheduler, fiber);
        return;
    }

    scheduler->running = fiber;
    context_switch(&scheduler->context, &fiber->context);
    while (scheduler->errand) {
        run_errand(scheduler);
        context_switch(&scheduler->context, &fiber->context);
    }
    scheduler->running = NULL;
    if (!fiber->run)
        fiber_end(scheduler, fiber);
}

static void swap(struct fiber **a, struct fiber **b)
{
    struct fiber *former = *a;
    *a = *b;
    *b = former;
}

static void shuffle_part(struct scheduler *scheduler, struct fiber **fibers, size_t len)
{
    for (size_t i = len; i > 1; i--)
        swap(&fibers[i - 1], &fibers[next_random(scheduler) % i]);
}

/* Those that have yielded come last even so: they want to see what the others do. */
static void shuffle(struct scheduler *scheduler, struct fibers *fibers)
{
    size_t others = 0;

    for (size_t i = 0; i < fibers->len; i++)
        if (fibers->items[i]->state != FIBER_YIELDED)
            swap(&fibers->items[others++], &fibers->items[i]);
    shuffle_part(scheduler, fibers->items, others);
    shuffle_part(scheduler, fibers->items + others, fibers->len - others);
}

/* Runs every fiber that is ready now; those that become ready meanwhile are for the next round.
 * Returns their number. */
static size_t run_round(struct scheduler *scheduler)
{
    struct fibers round = scheduler->ready;

    scheduler->ready = scheduler->round;
    scheduler->ready.len = 0;
    scheduler->round = round;
    if (scheduler->random && round.len > 0)
        shuffle(scheduler, &round);
    for (size_t i = 0; i < round.len; i++)
        resume(scheduler, round.items[i]);
    return round.len;
}

static _Thread_local void (*exhaustion_report)(size_t waiting);

void scheduler_on_exhaustion(void (*report)(size_t waiting))
{
    exhaustion_report = report;
}

/* Fibers that wait for a stack may be what all the others wait for: when nothing else can run,
 * guests get one beyond plenty. */
static void feed_starved(struct scheduler *scheduler)
{
    int fed = 0;

    while (fed < GROWTH && feed_one(scheduler, STACKS_GUESTS))
        fed++;
    size_t waiting = scheduler->starved[false].len;
    if (fed == 0 && waiting > 0 && !scheduler->is_exhausted) {
        scheduler->is_exhausted = true;
        if (exhaustion_report)
            exhaustion_report(waiting);
    }
}

static void poll_loop(struct scheduler *scheduler)
{
    if (scheduler->ready.len > 0 || scheduler->starved[false].first
        || scheduler->starved[true].first)
        uv_run(&scheduler->loop, UV_RUN_NOWAIT);
    if (scheduler->ready.len == 0)
        feed_starved(scheduler);
    if (scheduler->ready.len > 0)
        return;
    if (scheduler->outside == 0)
        error_bug(__FILE__, __LINE__,
                  "deadlock: every fiber waits and nothing is left that could wake one");
    uv_run(&scheduler->loop, UV_RUN_ONCE);
}

static void run_all(struct scheduler *scheduler)
{
    size_t turns = 0;

    while (scheduler->fibers > 0) {
        if (scheduler->ready.len > 0 && turns < TURNS_PER_POLL) {
            turns += run_round(scheduler);
            continue;
        }
        poll_loop(scheduler);
        turns = 0;
    }
}

/* --- the process --- */

struct main_fiber {
    fiber_run *run;
    void *argument;
};

static void run_main(void *main_)
{
    const struct main_fiber *main = main_;

    main->run(main->argument);
    cancel_fire(cancel_top());
}

/* Something was not closed by its owner. That is a bug which tests must show, but no reason to fail
 * a run that is over. */
static void close_forgotten(uv_handle_t *handle, void *unused)
{
    (void)unused;
    if (uv_is_closing(handle))
        return;
#ifndef NDEBUG
    error_bug(__FILE__, __LINE__,
              "a stream, listener or process is still open after the last fiber has ended");
#endif
    uv_close(handle, NULL);
}

static void close_scheduler(struct scheduler *scheduler)
{
    fiber_list_close(scheduler);
    signals_close(scheduler);
    timers_close(scheduler);
    uv_walk(&scheduler->loop, close_forgotten, NULL);
    uv_run(&scheduler->loop, UV_RUN_DEFAULT);
    int failure = uv_loop_close(&scheduler->loop);
    BUG_IF(failure != 0);

    if (scheduler->holds > 0) /* what was locked is beyond saving now */
        pthread_sigmask(SIG_SETMASK, &scheduler->unheld, NULL);
    cancel_close(scheduler->main_scope);
    stack_pool_release(&scheduler->stacks);
    vec_release(&scheduler->ready);
    vec_release(&scheduler->round);
    current = NULL;
    free(scheduler);
}

/* libuv aborts where it gets no descriptors, and without a stack no fiber could even say so: both
 * are tried out first. */
static fallible check_room(struct scheduler *scheduler)
{
    int fds[FIRST_DESCRIPTORS], count = 0;

    while (count < FIRST_DESCRIPTORS && (fds[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        count++;
    struct error *failure = count < FIRST_DESCRIPTORS ? error_os("start: open a descriptor") : NULL;
    while (count > 0)
        close(fds[--count]);
    TRY(failure);
    struct stack *stack = stack_pool_take(&scheduler->stacks, 1);
    if (!stack)
        return error_os("start: get memory for a stack");
    stack_pool_put(&scheduler->stacks, stack);
    return NULL;
}

/* A peer that has gone and a file that may not grow are errors of the write, not the end of the
 * process. And where the end of a child is ignored, as whoever started us may have left it, the
 * kernel keeps nothing of a child that could be waited for. */
static const struct {
    int number;
    void (*action)(int number);
} own_actions[] = { { SIGPIPE, SIG_IGN }, { SIGXFSZ, SIG_IGN }, { SIGCHLD, SIG_DFL } };
enum { OWN_ACTIONS = sizeof(own_actions) / sizeof(*own_actions) };

static void take_own_actions(struct sigaction *former)
{
    for (size_t i = 0; i < OWN_ACTIONS; i++) {
        const struct sigaction own = { .sa_handler = own_actions[i].action };
        sigaction(own_actions[i].number, &own, &former[i]);
    }
}

static void restore_actions(const struct sigaction *former)
{
    for (size_t i = 0; i < OWN_ACTIONS; i++)
        sigaction(own_actions[i].number, &former[i], NULL);
}

fallible scheduler_run(fiber_run *main, void *argument)
{
    struct main_fiber main_fiber = { main, argument };

    BUG_IF(current);
    struct scheduler *scheduler = memory_zalloc(sizeof(*scheduler));
    struct error *refusal = check_room(scheduler);
    if (refusal) {
        free(scheduler);
        return refusal;
    }
    int failure = uv_loop_init(&scheduler->loop);
    if (failure < 0) {
        stack_pool_release(&scheduler->stacks);
        free(scheduler);
        return error_new(ERROR_OTHER, "start the event loop: %s", uv_strerror(failure));
    }

    struct sigaction former[OWN_ACTIONS];
    take_own_actions(former);
    current = scheduler;
    scheduler->random = seed;
    timers_open(scheduler);
    fiber_list_open(scheduler);
    cancel_reset_top();
    scheduler->main_scope = cancel_open(NULL);
    fiber_spawn(run_main, &main_fiber);
    run_all(scheduler);
    close_scheduler(scheduler);
    guard_end();
    restore_actions(former);
    return NULL;
}
