/* scheduler.h — what the files of this directory share; private to it. */
#pragma once

#include "base/vec.h"
#include "fiber/fiber.h"
#include "fiber/fiber_stack.h"
#include "fiber/fiber_switch.h"
#include "fiber/timer.h"

#include <signal.h>
#include <uv.h>

enum fiber_state {
    FIBER_NEW, /* spawned; in the ready queue or waiting for a stack */
    FIBER_RUNNING,
    FIBER_YIELDED, /* in the ready queue */
    FIBER_PARKED,  /* in no queue */
    FIBER_WOKEN,   /* was parked, is in the ready queue */
};

struct fiber {
    enum fiber_state state;
    bool is_wake_pending;
    bool is_guest;
    unsigned streak; /* stream operations since it was last resumed that did not have to wait */
    fiber_run *run;
    void *argument;
    const char *name;    /* of `run` */
    const char *awaited; /* while it is parked */
    struct fiber_task task;
    uint64_t born_ms; /* times of the loop */
    uint64_t parked_ms;
    struct stack *stack; /* NULL until it first runs */
    struct context context;
    struct cancel *scope;
    struct fiber *scope_previous; /* among the fibers of the scope */
    struct fiber *scope_next;
    struct fiber *next; /* among those that wait for a stack */
};

struct fibers {
    VEC(struct fiber *);
};

struct starved {
    struct fiber *first;
    struct fiber *last;
    size_t len;
};

struct signal_watch;

struct scheduler {
    uv_loop_t loop;
    struct context context; /* of the thread's own stack, where the loop runs */
    struct fiber *running;
    bool is_on_errand; /* `running` has lent us its turn: fiber_on_main_stack */
    void (*errand)(void *argument);
    void *errand_argument;

    struct fibers ready;       /* to run in the next round */
    struct fibers round;       /* being run */
    uint64_t random;           /* 0: rounds keep their order */
    struct starved starved[2]; /* wait for a stack; guests: the second */
    bool is_exhausted;         /* and it was reported */
    struct stack_pool stacks;
    size_t fibers; /* all that have not ended */

    /* What can still wake a fiber from outside: timers, descriptors with a waiting fiber, helper
     * threads, children, signals. When it is 0 and no fiber is ready, none will ever be. */
    size_t outside;

    struct cancel *main_scope;
    struct timers timers;
    struct signal_watch *signals;
    uv_async_t list_request; /* SIGQUIT has come */
    struct sigaction former_quit;
    unsigned holds;  /* signals_hold without its signals_let */
    sigset_t unheld; /* the mask before the first of them */
    bool was_asked;  /* a signal that asks us to end was handled */
};

/* The scheduler of this thread, or NULL; helper threads have none. */
struct scheduler *scheduler_current(void);

/* Aborts outside a fiber: what calls it would block. */
struct fiber *fiber_blocking(void);

/* True if the fiber's scope was canceled; false outside a fiber. */
bool fiber_is_canceled(void);

/* Lets others run now and then when streams never have to wait. Blocks. */
void fiber_share(void);

/* The scope above all roots; fired when the main fiber has returned. */
struct cancel *cancel_top(void);
void cancel_reset_top(void);
void cancel_add_fiber(struct cancel *scope, struct fiber *fiber);
void cancel_remove_fiber(struct fiber *fiber);

/* Calls `visit` for every fiber, ended ones excepted. */
void cancel_each_fiber(void (*visit)(const struct fiber *fiber, void *context), void *context);

/* From now on SIGQUIT writes a list of all fibers to standard error; until the scheduler ends. */
void fiber_list_open(struct scheduler *scheduler);
void fiber_list_close(struct scheduler *scheduler);

/* Ends all watches; part of the end of the scheduler. */
void signals_close(struct scheduler *scheduler);
