/* process_spawn.c — starts a program in a new process, at a price that does not depend on our size.
 *
 * posix_spawn is as cheap but cannot set the parent-death signal. So this does by hand what
 * posix_spawn does: a child that shares our memory, on a stack of its own, while we are suspended.
 * Until it executes the program or exits, what it does happens to us:
 *  1. It runs with all signals blocked, and makes those that we handle default before it unblocks
 * any: no handler of ours may run in it.
 *  2. It makes plain system calls only, without locks, memory or the sanitizers' wrappers.
 *  3. It reports a failure by writing to our memory. */
#include "fiber/process_spawn.h"

#include "base/fd.h"
#include "base/memory.h"
#include "fiber/process_clone.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CHILD_STACK_SIZE = 64 * 1024,
    EXIT_NOT_STARTED = 127,
    KERNEL_SIGNALS = 64,
    KERNEL_MASK_SIZE = KERNEL_SIGNALS / 8
};

struct launch {
    const struct spawn *spawn;
    const char *const *environment;
    const struct rlimit *files; /* how many it may open; NULL: as many as we */
    pid_t parent;
    sigset_t mask;           /* for the child */
    int number;              /* errno of the child's failure */
    const char *what_failed; /* NULL: nothing */
};

#define IN_CHILD __attribute__((no_sanitize("address", "undefined", "thread")))

/* As the kernel has it; the C library's struct sigaction differs. The handler comes first on all
 * processors we know. */
struct kernel_action {
    uintptr_t handler;
    unsigned long rest[7];
};

/* What we ignore stays ignored, as for a child of nohup, except SIGPIPE and SIGXFSZ, which the
 * scheduler ignores for its own sake. */
IN_CHILD static void reset_signals(void)
{
    for (int number = 1; number <= KERNEL_SIGNALS; number++) {
        struct kernel_action action;
        if (syscall(SYS_rt_sigaction, number, NULL, &action, KERNEL_MASK_SIZE) < 0)
            continue;
        if (action.handler == (uintptr_t)SIG_DFL
            || (action.handler == (uintptr_t)SIG_IGN && number == SIGHUP))
            continue;
        action.handler = (uintptr_t)SIG_DFL;
        syscall(SYS_rt_sigaction, number, &action, NULL, KERNEL_MASK_SIZE);
    }
}

IN_CHILD static int launch_give_up(struct launch *launch, const char *what_failed)
{
    launch->number = errno;
    launch->what_failed = what_failed;
    syscall(SYS_exit_group, EXIT_NOT_STARTED);
    return EXIT_NOT_STARTED;
}

/* The child says that it is there: once its program runs, we may be killed before we could say it.
 */
IN_CHILD static void tell_watcher(int watcher, int32_t number)
{
    if (watcher >= 0)
        syscall(SYS_write, watcher, &number, sizeof(number));
}

/* A watcher that was killed does not read: SIGPIPE then waits to be unblocked, also where it is
 * ignored. To ignore it once more forgets it. */
IN_CHILD static void forget_signal(int number)
{
    struct kernel_action action;

    if (syscall(SYS_rt_sigaction, number, NULL, &action, KERNEL_MASK_SIZE) < 0)
        return;
    action.handler = (uintptr_t)SIG_IGN;
    syscall(SYS_rt_sigaction, number, &action, NULL, KERNEL_MASK_SIZE);
}

IN_CHILD static int run_child(void *launch_)
{
    struct launch *launch = launch_;
    const struct spawn *spawn = launch->spawn;

    if ((spawn->leads_session ? syscall(SYS_setsid) : syscall(SYS_setpgid, 0, 0)) < 0)
        return launch_give_up(launch, "make a process group for");
    if (syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
        return launch_give_up(launch, "bind the life of");
    if (syscall(SYS_getppid)
        != launch->parent) /* it died before the request: nobody is left to read the answer */
        return launch_give_up(launch, "bind the life of");
    tell_watcher(spawn->watcher, (int32_t)syscall(SYS_getpid));
    forget_signal(SIGPIPE);
    reset_signals();
    for (int i = 0; i < 3; i++)
        if (spawn->standard[i] >= 0 && syscall(SYS_dup3, spawn->standard[i], i, 0) < 0)
            return launch_give_up(launch, "connect");
    if (spawn->directory && syscall(SYS_chdir, spawn->directory) < 0)
        return launch_give_up(launch, "enter the directory of");
    if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, &launch->mask, NULL, KERNEL_MASK_SIZE) < 0)
        return launch_give_up(launch, "unblock the signals of");
    if (launch->files && syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, launch->files, NULL) < 0)
        return launch_give_up(launch, "limit the descriptors of");
    syscall(SYS_execve, spawn->path, spawn->argv, launch->environment);
    return launch_give_up(launch, "start");
}

static struct error *launch_explain(const struct launch *launch)
{
    const struct spawn *spawn = launch->spawn;

    errno = launch->number;
    if (spawn->directory)
        return error_os("%s '%s' in '%s'", launch->what_failed, spawn->path, spawn->directory);
    return error_os("%s '%s'", launch->what_failed, spawn->path);
}

/* The variables with one more, which wins over an older one of its name. NULL: as they are. */
static const char **environment_with(const char *const *environment, const char *mark)
{
    size_t count = 0, kept = 0, name_len = mark ? strcspn(mark, "=") + 1 : 0;

    while (environment[count])
        count++;
    if (!mark)
        return NULL;
    const char **all = memory_alloc((count + 2) * sizeof(*all));
    for (size_t i = 0; i < count; i++)
        if (strncmp(environment[i], mark, name_len) != 0)
            all[kept++] = environment[i];
    all[kept++] = mark;
    all[kept] = NULL;
    return all;
}

fallible process_spawn(const struct spawn *spawn, pid_t *out)
{
    struct launch launch = {
        .spawn = spawn,
        .environment = spawn->environment ? spawn->environment : (const char *const *)environ,
        .files = fd_former_limit(),
        .parent = getpid(),
    };
    const char **marked = environment_with(launch.environment, spawn->mark);
    sigset_t all, former_mask;

    if (marked)
        launch.environment = marked;

    sigfillset(&all);
    char *stack = memory_alloc(CHILD_STACK_SIZE);
    pthread_sigmask(SIG_SETMASK, &all, &former_mask);
    launch.mask = spawn->mask ? *spawn->mask : former_mask;
    pid_t child = process_clone(run_child, stack, CHILD_STACK_SIZE, spawn->cgroup, &launch);
    if (child < 0) {
        launch.number = -child;
        launch.what_failed = "make a process for";
    }
    pthread_sigmask(SIG_SETMASK, &former_mask, NULL);
    free(stack);
    free(marked);

    if (!launch.what_failed) {
        *out = child;
        return NULL;
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (child > 0)
        tell_watcher(spawn->watcher, -child);
    return launch_explain(&launch);
}
