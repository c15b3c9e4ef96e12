/* offload.c — blocking or CPU-heavy work on a helper thread while the fiber waits. */
#include "fiber/offload.h"

#include "fiber/scheduler.h"

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

/* The first call makes the threads, which get the mask of signals that we have then: all signals
 * are for the thread of the loop, where they can be held back. */
static void queue_job(struct scheduler *scheduler, struct job *job)
{
    sigset_t all, former;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
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
