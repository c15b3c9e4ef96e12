/* offload.c — blocking or CPU-heavy work on a helper thread while the fiber waits. */
#include "fiber/offload.h"

#include "fiber/scheduler.h"

#include <pthread.h>

/* Lives on the stack of the fiber, which waits whatever happens. */
struct job {
    uv_work_t request;
    void (*work)(void *argument);
    void *argument;
    struct fiber *fiber;
    bool is_done;
};

static void run_job(uv_work_t *request)
{
    struct job *job = request->data;
    job->work(job->argument);
}

static void finish_job(uv_work_t *request, int status)
{
    struct job *job = request->data;

    BUG_IF(status != 0);
    job->is_done = true;
    fiber_wake(job->fiber);
}

/* Threads get the mask of signals of who makes them: all signals are for the thread of the loop,
 * where they can be held back. */
static sigset_t hold_all_signals(void)
{
    sigset_t all, former;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    return former;
}

/* The first call makes the threads. */
static void queue_job(struct scheduler *scheduler, struct job *job)
{
    sigset_t former = hold_all_signals();
    int failure = uv_queue_work(&scheduler->loop, &job->request, run_job, finish_job);

    pthread_sigmask(SIG_SETMASK, &former, NULL);
    BUG_IF(failure != 0);
}

void offload(void (*work)(void *argument), void *argument)
{
    struct scheduler *scheduler = scheduler_current();
    struct fiber *self = fiber_self();

    if (!self || scheduler->is_on_errand) {
        work(argument);
        return;
    }
    struct job job = { .work = work, .argument = argument, .fiber = self };
    job.request.data = &job;
    queue_job(scheduler, &job);
    scheduler->outside++;
    while (!job.is_done)
        fiber_park("a helper thread");
    scheduler->outside--;
}

/* --- a thread of its own --- */

/* Lives on the stack of the fiber, like a job. */
struct apart {
    uv_async_t news; /* from the thread */
    pthread_t thread;
    void (*work)(void *argument);
    void *argument;
    struct fiber *fiber;
    bool is_done;
    bool is_closed;
};

static void *run_apart(void *apart_)
{
    struct apart *apart = apart_;

    apart->work(apart->argument);
    uv_async_send(&apart->news);
    return NULL;
}

static void finish_apart(uv_async_t *news)
{
    struct apart *apart = news->data;

    apart->is_done = true;
    fiber_wake(apart->fiber);
}

static void close_apart(uv_handle_t *news)
{
    struct apart *apart = news->data;

    apart->is_closed = true;
    fiber_wake(apart->fiber);
}

static bool start_thread(struct apart *apart)
{
    sigset_t former = hold_all_signals();
    int failure = pthread_create(&apart->thread, NULL, run_apart, apart);

    pthread_sigmask(SIG_SETMASK, &former, NULL);
    return failure == 0;
}

void offload_apart(void (*work)(void *argument), void *argument)
{
    struct scheduler *scheduler = scheduler_current();
    struct fiber *self = fiber_self();
    struct apart apart = { .work = work, .argument = argument, .fiber = self };

    if (!self || scheduler->is_on_errand) {
        work(argument);
        return;
    }
    int failure = uv_async_init(&scheduler->loop, &apart.news, finish_apart);
    BUG_IF(failure != 0);
    apart.news.data = &apart;
    scheduler->outside++;
    bool has_thread = start_thread(&apart);
    while (has_thread && !apart.is_done)
        fiber_park("a thread");
    if (has_thread)
        pthread_join(apart.thread, NULL); /* it has said its last word */
    uv_close((uv_handle_t *)&apart.news, close_apart);
    while (!apart.is_closed)
        fiber_park("the end of a thread");
    scheduler->outside--;
    if (!has_thread)
        offload(work, argument);
}
