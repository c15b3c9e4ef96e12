/* fiber.h — cooperative threads on one loop: straight code that waits. */
#pragma once

#include "base/error.h"

struct fiber;
struct cancel;

typedef void fiber_run(void *argument);

/* Runs `main` as the first fiber on a new loop and returns when it has returned and every other
 * fiber has ended. Fibers that still wait then are canceled first. One scheduler for a process at a
 * time. SIGPIPE and SIGXFSZ are ignored meanwhile. Aborts when every fiber waits and nothing is
 * left that could wake one; in debug builds also when a stream, listener or process is left open.
 */
fallible scheduler_run(fiber_run *main, void *argument);

/* Shuffles the ready queue by this seed (0: first in, first out), to find hidden assumptions about
 * order. */
void scheduler_set_seed(uint64_t seed);

/* Starts a fiber in the caller's cancel scope. It runs at the next wait of the caller. In lists of
 * fibers it has the name of its function. */
#define fiber_spawn(run, argument) fiber_spawn_named(NULL, #run, run, argument, false)

/* The same in another scope. */
#define fiber_spawn_in(scope, run, argument) fiber_spawn_named(scope, #run, run, argument, false)

/* The same for work that is requested from outside, of which there may be any amount: it gets a
 * stack only as long as enough are left for the others, on which it may depend. */
#define fiber_spawn_guest_in(scope, run, argument) \
    fiber_spawn_named(scope, #run, run, argument, true)

/* Private: called by the macros only. */
void fiber_spawn_named(struct cancel *scope, const char *name, fiber_run *run, void *argument,
                       bool is_guest);

/* What the running fiber does and to what, in lists of fibers: "Create" "plugin aws". Nothing
 * secret. The object is borrowed until the task is replaced; returns the former task, to be put
 * back. Outside a fiber nothing happens. */
struct fiber_task {
    const char *verb;
    str object;
};
struct fiber_task fiber_set_task(struct fiber_task task);

/* Calls `report` once, with the number of fibers that wait for a stack, when none can run. */
void scheduler_on_exhaustion(void (*report)(size_t waiting));

/* Lets every fiber that is ready run. Blocks. */
void fiber_yield(void);

/* ERROR_CANCELED if the fiber's scope was canceled. */
fallible fiber_canceled(void);

struct fiber *fiber_self(void);

/* The two calls everything else is built on: park until woken. A wake before the park is
 * remembered. Cancellation and late wakes end a park, too, so park in a loop that checks what it
 * waits for. Blocks. */
void fiber_park(const char *awaited); /* a literal: what for, in lists of fibers */
/* Only on the scheduler's thread; the fiber must not have ended. */
void fiber_wake(struct fiber *fiber);

/* Sleeps; ends early with ERROR_CANCELED. Blocks. */
fallible fiber_sleep_ms(uint64_t milliseconds);

/* Runs `work`, which must not block, on the thread's own large stack: for what recurses deeply.
 * Outside a fiber: at once. */
void fiber_on_main_stack(void (*work)(void *argument), void *argument);

/* A tree of scopes: firing one makes every blocking call of every fiber in it (and below) return
 * ERROR_CANCELED. */
struct cancel *cancel_open(struct cancel *parent); /* NULL parent: a root */
void cancel_close(struct cancel *scope);           /* no fiber may be left in it */
void cancel_fire(struct cancel *scope);
bool cancel_is_fired(const struct cancel *scope);
struct cancel *cancel_current(void); /* of the running fiber; NULL outside */
/* Runs the rest of the fiber in this scope; returns the former one, to be put back. */
struct cancel *cancel_enter(struct cancel *scope);
