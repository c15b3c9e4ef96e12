/* fiber_list.c — SIGQUIT writes what every fiber does to standard error, and the process goes on.
 *
 * The list is made on the loop, when no fiber runs, so that it is whole. A fiber that never waits
 * keeps the loop from running: a second SIGQUIT before the list was made does what it does by
 * default and ends the process. */
#include "base/fd.h"
#include "base/strbuf.h"
#include "fiber/scheduler.h"

#include <stdatomic.h>
#include <unistd.h>

/* Signals belong to the process, which runs one scheduler at a time. */
static struct {
    uv_async_t *_Atomic request; /* NULL: no scheduler */
    atomic_bool is_asked;
} quit;

/* Only what is allowed in a signal handler. */
static void on_quit(int signal_number)
{
    uv_async_t *request = atomic_load(&quit.request);

    if (!request || atomic_exchange(&quit.is_asked, true)) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        return;
    }
    uv_async_send(request);
}

/* --- the text --- */

struct list {
    struct strbuf text;
    uint64_t now_ms;
};

static const char *fiber_describe_state(const struct fiber *fiber)
{
    switch (fiber->state) {
    case FIBER_NEW: return fiber->stack ? "is new" : "waits for a stack";
    case FIBER_PARKED: return "waits";
    case FIBER_RUNNING:
    case FIBER_YIELDED:
    case FIBER_WOKEN: break;
    }
    return "is ready";
}

/* Addresses as they are in the file of the program, for addr2line. */
static void add_callers(struct strbuf *text, const struct fiber *fiber)
{
    enum { MOST = 24 };
    extern const char __executable_start[]; /* the linker's */
    uintptr_t callers[MOST];
    size_t count = context_callers(&fiber->context, callers, MOST);

    strbuf_add(text, STR("   "));
    for (size_t i = 0; i < count; i++)
        strbuf_printf(text, " 0x%zx", (size_t)(callers[i] - (uintptr_t)__executable_start));
    strbuf_add_char(text, '\n');
}

static void add_fiber(const struct fiber *fiber, void *list_)
{
    struct list *list = list_;
    struct strbuf *text = &list->text;

    strbuf_printf(text, "  %s", fiber->name);
    if (fiber->task.verb)
        strbuf_printf(text, ": %s " STR_FMT, fiber->task.verb, STR_ARG(fiber->task.object));
    strbuf_printf(text, " (%.1f s old, %s", (double)(list->now_ms - fiber->born_ms) / 1000,
                  fiber_describe_state(fiber));
    if (fiber->state == FIBER_PARKED)
        strbuf_printf(text, " for %s since %.1f s", fiber->awaited,
                      (double)(list->now_ms - fiber->parked_ms) / 1000);
    strbuf_printf(text, "%s)\n", cancel_is_fired(fiber->scope) ? ", canceled" : "");
    if (fiber->stack && fiber->context.stack_pointer)
        add_callers(text, fiber);
}

static void write_list(uv_async_t *request)
{
    const struct scheduler *scheduler = request->data;
    struct list list = { .now_ms = uv_now(&scheduler->loop) };

    strbuf_printf(&list.text, "fibers of process %ld: %zu\n", (long)getpid(), scheduler->fibers);
    cancel_each_fiber(add_fiber, &list);
    strbuf_add(&list.text, STR("what an address is: addr2line -ipfe PROGRAM ADDRESS\n"));
    fd_write_patiently(STDERR_FILENO, strbuf_str(&list.text)); /* or nobody reads it */
    strbuf_release(&list.text);
    atomic_store(&quit.is_asked, false);
}

void fiber_list_open(struct scheduler *scheduler)
{
    struct sigaction action = { .sa_handler = on_quit, .sa_flags = SA_RESTART };

    int failure = uv_async_init(&scheduler->loop, &scheduler->list_request, write_list);
    BUG_IF(failure != 0);
    scheduler->list_request.data = scheduler;
    atomic_store(&quit.request, &scheduler->list_request);
    sigaction(SIGQUIT, NULL, &scheduler->former_quit);
    if (scheduler->former_quit.sa_handler != SIG_IGN)
        sigaction(SIGQUIT, &action, NULL);
}

void fiber_list_close(struct scheduler *scheduler)
{
    sigaction(SIGQUIT, &scheduler->former_quit, NULL);
    atomic_store(&quit.request, NULL);
    uv_close((uv_handle_t *)&scheduler->list_request, NULL);
}
