/* signals.c — signals as calls on the loop. */
#include "fiber/signals.h"

#include "base/ending.h"
#include "base/fault.h"
#include "fiber/scheduler.h"

#include <signal.h>

struct signal_watch {
    uv_signal_t signal;
    int signal_number;
    void (*handler)(int signal_number, void *context);
    void *context;
    struct signal_watch *next;
};

static const int endings[] = { SIGINT, SIGTERM, SIGHUP };
enum { ENDINGS = sizeof(endings) / sizeof(*endings) };

static void signals_on_signal(uv_signal_t *signal, int signal_number)
{
    struct signal_watch *watch = signal->data;

    for (size_t i = 0; i < ENDINGS; i++)
        if (endings[i] == signal_number)
            scheduler_current()->was_asked = true;
    watch->handler(signal_number, watch->context);
}

static void free_watch(uv_handle_t *signal)
{
    free(signal->data);
}

/* Taking the last watch of a signal away restores its default action. */
static void close_watch(struct scheduler *scheduler, struct signal_watch **link)
{
    struct signal_watch *watch = *link;

    *link = watch->next;
    scheduler->outside--;
    uv_close((uv_handle_t *)&watch->signal, free_watch);
    ending_handle(watch->signal_number);
}

void signals_close(struct scheduler *scheduler)
{
    while (scheduler->signals)
        close_watch(scheduler, &scheduler->signals);
}

/* Whoever started us may have blocked it for his own sake. What is held back stays so until it is
 * let go. */
static void unblock(struct scheduler *scheduler, int signal_number)
{
    sigset_t set;

    if (scheduler->holds > 0) {
        sigdelset(&scheduler->unheld, signal_number);
        return;
    }
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static fallible open_watch(struct scheduler *scheduler, int signal_number,
                           struct signal_watch **out)
{
    struct signal_watch *watch = memory_zalloc(sizeof(*watch));

    int failure = uv_signal_init(&scheduler->loop, &watch->signal);
    if (failure < 0) {
        free(watch);
        return error_new(ERROR_OTHER, "watch signal %d: %s", signal_number, uv_strerror(failure));
    }
    watch->signal.data = watch;
    watch->signal_number = signal_number;
    failure = uv_signal_start(&watch->signal, signals_on_signal, signal_number);
    if (failure < 0) {
        uv_close((uv_handle_t *)&watch->signal, free_watch);
        return error_new(ERROR_OTHER, "watch signal %d: %s", signal_number, uv_strerror(failure));
    }
    watch->next = scheduler->signals;
    scheduler->signals = watch;
    scheduler->outside++;
    unblock(scheduler, signal_number);
    *out = watch;
    return NULL;
}

fallible signal_watch(int signal_number, void (*handler)(int signal_number, void *context),
                      void *context)
{
    struct scheduler *scheduler = scheduler_current();
    struct signal_watch **link = &scheduler->signals;

    if (fault_fails("signal.watch"))
        return error_os("watch signal %d", signal_number);
    while (*link && (*link)->signal_number != signal_number)
        link = &(*link)->next;
    if (!handler) {
        if (*link)
            close_watch(scheduler, link);
        return NULL;
    }
    struct signal_watch *watch = *link;
    if (!watch)
        TRY(open_watch(scheduler, signal_number, &watch));
    watch->handler = handler;
    watch->context = context;
    return NULL;
}

static bool is_ignored(int signal_number)
{
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

fallible signals_watch_endings(void (*handler)(int signal_number, void *context), void *context)
{
    struct error *failure = NULL;

    for (size_t i = 0; i < ENDINGS; i++)
        if (!handler || endings[i] != SIGHUP || !is_ignored(SIGHUP))
            failure = error_join(failure, signal_watch(endings[i], handler, context));
    return failure;
}

/* --- holding back --- */

/* Helper threads take no signals (offload.c), so that the mask of this thread decides. */
void signals_hold(void)
{
    struct scheduler *scheduler = scheduler_current();
    sigset_t set;

    if (!scheduler || scheduler->holds++ > 0)
        return;
    sigemptyset(&set);
    for (size_t i = 0; i < ENDINGS; i++)
        sigaddset(&set, endings[i]);
    pthread_sigmask(SIG_BLOCK, &set, &scheduler->unheld);
}

void signals_let(void)
{
    struct scheduler *scheduler = scheduler_current();

    if (scheduler && scheduler->holds > 0 && --scheduler->holds == 0)
        pthread_sigmask(SIG_SETMASK, &scheduler->unheld, NULL);
}

bool signals_have_asked(void)
{
    const struct scheduler *scheduler = scheduler_current();
    sigset_t waiting;

    if (!scheduler || scheduler->was_asked)
        return scheduler != NULL;
    if (scheduler->holds == 0 || sigpending(&waiting) < 0)
        return false;
    for (size_t i = 0; i < ENDINGS; i++)
        if (sigismember(&waiting, endings[i]))
            return true;
    return false;
}
