/* timer.c — deadlines of waiting fibers: a heap, and one timer of the loop for the earliest. */
#include "fiber/timer.h"

#include "fiber/scheduler.h"

enum { NS_PER_MS = 1000 * 1000 };

static bool is_before(const struct timer *a, const struct timer *b)
{
    return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->order < b->order;
}

static void timers_place(struct timers *timers, size_t position, struct timer *timer)
{
    timers->items[position] = timer;
    timer->position = position;
}

static void move_up(struct timers *timers, struct timer *timer)
{
    size_t position = timer->position;

    while (position > 0) {
        size_t parent = (position - 1) / 2;
        if (!is_before(timer, timers->items[parent]))
            break;
        timers_place(timers, position, timers->items[parent]);
        position = parent;
    }
    timers_place(timers, position, timer);
}

static void move_down(struct timers *timers, struct timer *timer)
{
    size_t position = timer->position;

    for (size_t child = 2 * position + 1; child < timers->len; child = 2 * position + 1) {
        if (child + 1 < timers->len && is_before(timers->items[child + 1], timers->items[child]))
            child++;
        if (!is_before(timers->items[child], timer))
            break;
        timers_place(timers, position, timers->items[child]);
        position = child;
    }
    timers_place(timers, position, timer);
}

static void ring(uv_timer_t *alarm);

/* Sets the loop's timer for the earliest deadline. It counts whole milliseconds from a rounded now,
 * so it may ring early. */
static void set_alarm(struct scheduler *scheduler)
{
    struct timers *timers = &scheduler->timers;

    if (timers->len == 0) {
        uv_timer_stop(timers->alarm);
        return;
    }
    uint64_t now = uv_hrtime();
    uint64_t due = timers->items[0]->due_ns;
    uint64_t wait_ms = due <= now ? 0 : (due - now + NS_PER_MS - 1) / NS_PER_MS;
    uv_update_time(&scheduler->loop);
    int failure = uv_timer_start(timers->alarm, ring, wait_ms, 0);
    BUG_IF(failure != 0);
}

static void remove_timer(struct scheduler *scheduler, struct timer *timer)
{
    struct timers *timers = &scheduler->timers;
    struct timer *last = timers->items[--timers->len];

    timer->is_running = false;
    scheduler->outside--;
    if (last == timer)
        return;
    timers_place(timers, timer->position, last);
    move_up(timers, last);
    move_down(timers, last);
}

static void ring(uv_timer_t *alarm)
{
    struct scheduler *scheduler = alarm->data;
    struct timers *timers = &scheduler->timers;
    uint64_t now = uv_hrtime();

    while (timers->len > 0 && timers->items[0]->due_ns <= now) {
        struct timer *timer = timers->items[0];
        remove_timer(scheduler, timer);
        timer->is_due = true;
        fiber_wake(timer->fiber);
        uv_stop(alarm->loop); /* libuv rings before it polls, and must not block there when a fiber
                                 is ready */
    }
    set_alarm(scheduler);
}

void timers_open(struct scheduler *scheduler)
{
    struct timers *timers = &scheduler->timers;

    timers->alarm = memory_zalloc(sizeof(*timers->alarm));
    timers->alarm->data = scheduler;
    int failure = uv_timer_init(&scheduler->loop, timers->alarm);
    BUG_IF(failure != 0);
}

static void free_alarm(uv_handle_t *alarm)
{
    free(alarm);
}

void timers_close(struct scheduler *scheduler)
{
    struct timers *timers = &scheduler->timers;

    BUG_IF(timers->len != 0);
    uv_close((uv_handle_t *)timers->alarm, free_alarm);
    vec_release(timers);
}

void timer_start(struct timer *timer, uint64_t milliseconds)
{
    struct scheduler *scheduler = scheduler_current();
    struct timers *timers = &scheduler->timers;
    uint64_t now = uv_hrtime();
    bool is_endless = milliseconds > (UINT64_MAX - now) / NS_PER_MS;

    *timer = (struct timer){
        .due_ns = is_endless ? UINT64_MAX : now + milliseconds * NS_PER_MS,
        .order = timers->started++,
        .position = timers->len,
        .fiber = fiber_self(),
        .is_running = true,
    };
    scheduler->outside++;
    vec_add(timers, timer);
    move_up(timers, timer);
    if (timers->items[0] == timer)
        set_alarm(scheduler);
}

void timer_stop(struct timer *timer)
{
    struct scheduler *scheduler = scheduler_current();

    if (!timer->is_running)
        return;
    bool was_first = timer->position == 0;
    remove_timer(scheduler, timer);
    if (was_first)
        set_alarm(scheduler);
}
