/* parallel.c — a few fibers that share a list of work. */
#include "fiber/parallel.h"

#include "fiber/fiber.h"
#include "fiber/sync.h"

struct parallel {
    parallel_task *task;
    void *context;
    size_t count;
    size_t next;
    struct error *failure;
    struct work_group workers;
};

static void parallel_work(void *parallel_)
{
    struct parallel *parallel = parallel_;

    while (parallel->next < parallel->count && !parallel->failure) {
        struct error *failure = parallel->task(parallel->context, parallel->next++);
        if (failure && parallel->failure)
            error_ignore(failure, "the first one is reported");
        else if (failure)
            parallel->failure = failure;
    }
    work_group_done(&parallel->workers);
}

fallible parallel_each(size_t count, size_t most, parallel_task *task, void *context)
{
    struct parallel parallel = { .task = task, .context = context, .count = count };
    size_t workers = count < most ? count : most;

    if (workers == 0)
        return NULL;
    bool is_alone = workers == 1 || !fiber_self();
    work_group_add(&parallel.workers, is_alone ? 1 : workers);
    if (is_alone) {
        parallel_work(&parallel);
        return parallel.failure;
    }
    for (size_t i = 0; i < workers; i++)
        fiber_spawn(parallel_work, &parallel);
    work_group_wait_uncancelable(&parallel.workers);
    return parallel.failure;
}
