/* timer.h — deadlines of waiting fibers, on one timer of the loop; private to this folder. */
#pragma once

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

struct fiber;
struct scheduler;

/* Lives on the stack of the fiber that waits. */
struct timer {
    uint64_t due_ns;
    uint64_t order;  /* among equal deadlines the first that was started is first */
    size_t position; /* in the heap */
    struct fiber *fiber;
    bool is_running;
    bool is_due;
};

struct timers {
    VEC(struct timer *); /* a binary heap by deadline */
    uint64_t started;
    uv_timer_t *alarm;
};

void timers_open(struct scheduler *scheduler);
void timers_close(struct scheduler *scheduler);

/* Wakes the running fiber after the time, with `is_due` set. */
void timer_start(struct timer *timer, uint64_t milliseconds);
/* Must be called before the storage goes away; may be called twice. */
void timer_stop(struct timer *timer);
