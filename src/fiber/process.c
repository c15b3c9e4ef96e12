/* process.c — child processes: started, watched by pidfd, and ended with their whole group.
 *
 * A child that has ended stays a zombie until process_close: as long as it is one, its number
 * cannot be given to a stranger, so signals to its group reach only what it has left behind. */
#include "fiber/process.h"

#include "base/fault.h"
#include "base/fd.h"
#include "base/memory.h"
#include "fiber/process_guard.h"
#include "fiber/process_spawn.h"
#include "fiber/scheduler.h"
#include "fiber/socket.h"
#include "fiber/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct process {
    uv_poll_t watch; /* of the pidfd */
    int pidfd;
    pid_t id;
    struct latch ended;
    int status; /* as of wait(2), once ended */
    bool leaves_daemons;
    unsigned holders;          /* the owner, the loop, waiting fibers */
    struct stream *streams[3]; /* our ends of its descriptors 0, 1 and 2 */
};

/* Both sides of descriptors 0, 1 and 2 while the child is being started; -1 where there is none. */
struct ends {
    int ours[3];
    int theirs[3];
};

/* --- starting --- */

static void ends_release(struct ends *ends)
{
    for (int i = 0; i < 3; i++) {
        fd_close(&ends->ours[i]);
        fd_close(&ends->theirs[i]);
    }
}

/* Moves a descriptor out of the way of 0, 1 and 2, which the child is about to fill. */
static fallible lift(int *fd)
{
    if (*fd > STDERR_FILENO)
        return NULL;
    int lifted = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (lifted < 0)
        return error_os("copy a file descriptor");
    close(*fd);
    *fd = lifted;
    return NULL;
}

static fallible open_pipe(int *reader, int *writer)
{
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) < 0)
        return error_os("create a pipe");
    *reader = fds[0];
    *writer = fds[1];
    TRY(lift(reader));
    return lift(writer);
}

static fallible open_ends(const struct process_options *options, struct ends *ends)
{
    if (options->pipes_stdin) {
        TRY(open_pipe(&ends->theirs[0], &ends->ours[0]));
    } else {
        const char *path = options->stdin_path ? options->stdin_path : "/dev/null";
        ends->theirs[0] = open(path, O_RDONLY | O_CLOEXEC);
        if (ends->theirs[0] < 0)
            return error_os("open '%s'", path);
        TRY(lift(&ends->theirs[0]));
    }
    if (options->inherits_output)
        return NULL;
    TRY(open_pipe(&ends->ours[1], &ends->theirs[1]));
    return open_pipe(&ends->ours[2], &ends->theirs[2]);
}

static fallible open_streams(struct process *process, struct ends *ends)
{
    for (int i = 0; i < 3; i++) {
        int fd = ends->ours[i];
        ends->ours[i] = -1;
        if (fd >= 0)
            TRY(stream_from_fd(fd, &process->streams[i]));
    }
    return NULL;
}

/* --- watching --- */

/* Looks without reaping. */
static bool process_look(const struct process *process, siginfo_t *info)
{
    *info = (siginfo_t){ 0 };
    return waitid(P_PID, (id_t)process->id, info, WEXITED | WNOHANG | WNOWAIT) == 0
           && info->si_pid == process->id;
}

static int process_status_of(const siginfo_t *info)
{
    enum { CORE_DUMPED = 0x80 };

    switch (info->si_code) {
    case CLD_EXITED: return (info->si_status & 0xff) << 8;
    case CLD_DUMPED: return info->si_status | CORE_DUMPED;
    default: return info->si_status;
    }
}

static void on_pidfd(uv_poll_t *watch, int status, int events)
{
    struct process *process = watch->data;
    siginfo_t info;

    (void)status;
    (void)events;
    if (!process_look(process, &info))
        return;
    uv_poll_stop(watch);
    scheduler_current()->outside--;
    process->status = process_status_of(&info);
    latch_open(&process->ended);
}

static fallible watch_process(struct process *process)
{
    struct scheduler *scheduler = scheduler_current();

    process->pidfd = (int)syscall(SYS_pidfd_open, process->id, 0);
    if (process->pidfd < 0)
        return error_os("watch process %d", (int)process->id);
    int failure = uv_poll_init(&scheduler->loop, &process->watch, process->pidfd);
    if (failure < 0) {
        fd_close(&process->pidfd);
        return error_new(ERROR_OTHER, "watch process %d: %s", (int)process->id,
                         uv_strerror(failure));
    }
    process->watch.data = process;
    process->holders++;
    failure = uv_poll_start(&process->watch, UV_READABLE, on_pidfd);
    BUG_IF(failure != 0);
    scheduler->outside++;
    return NULL;
}

/* --- ending --- */

static void process_drop(struct process *process)
{
    if (--process->holders == 0)
        free(process);
}

static void process_on_closed(uv_handle_t *watch)
{
    process_drop(watch->data);
}

static void reap(const struct process *process)
{
    while (waitpid(process->id, NULL, 0) < 0 && errno == EINTR)
        continue;
    guard_remove(process->id);
}

static void process_release(struct process *process)
{
    for (int i = 0; i < 3; i++)
        stream_close(process->streams[i]);
    if (process->pidfd >= 0)
        uv_close((uv_handle_t *)&process->watch, process_on_closed);
    fd_close(&process->pidfd);
    process_drop(process);
}

static fallible open_with(const struct process_options *options, struct ends *ends,
                          struct process **out)
{
    struct spawn spawn = {
        .path = options->path,
        .argv = options->argv,
        .environment = options->environment,
        .directory = options->directory,
        .leads_session = options->has_no_terminal,
        .mask = scheduler_current()->holds > 0 ? &scheduler_current()->unheld : NULL,
    };
    pid_t id;

    TRY(guard_start());
    TRY(open_ends(options, ends));
    spawn.mark = options->leaves_daemons ? NULL : guard_mark();
    spawn.cgroup = options->leaves_daemons ? -1 : guard_cgroup();
    memcpy(spawn.standard, ends->theirs, sizeof(spawn.standard));
    spawn.watcher = guard_watcher();
    TRY(process_spawn(&spawn, &id));
    fault_point("process.started");

    struct process *process = memory_zalloc(sizeof(*process));
    guard_add(id, options->leaves_daemons);
    process->id = id;
    process->leaves_daemons = options->leaves_daemons;
    process->pidfd = -1;
    process->holders = 1;
    struct error *failure = open_streams(process, ends);
    if (!failure)
        failure = watch_process(process);
    if (failure) {
        kill(-process->id, SIGKILL);
        reap(process);
        process_release(process);
        return failure;
    }
    *out = process;
    return NULL;
}

fallible process_open(const struct process_options *options, struct process **out)
{
    struct ends ends = { { -1, -1, -1 }, { -1, -1, -1 } };

    BUG_IF(!scheduler_current());
    struct error *failure = open_with(options, &ends, out);
    ends_release(&ends);
    return failure;
}

int process_id(const struct process *process)
{
    return process->id;
}

struct stream *process_stdout(struct process *process)
{
    return process->streams[1];
}

struct stream *process_stderr(struct process *process)
{
    return process->streams[2];
}

/* Takes the status over, and holds the process while waiting: another fiber may close it as soon as
 * it has ended. */
fallible process_wait(struct process *process, int *status)
{
    process->holders++;
    struct error *failure = latch_wait(&process->ended);
    if (!failure)
        *status = process->status;
    process_drop(process);
    return failure;
}

fallible process_wait_ms(struct process *process, uint64_t milliseconds, int *status)
{
    process->holders++;
    struct error *failure = latch_wait_ms(&process->ended, milliseconds);
    if (!failure)
        *status = process->status;
    process_drop(process);
    return failure;
}

bool process_has_ended(const struct process *process)
{
    siginfo_t info;
    return process->ended.is_open || process_look(process, &info);
}

void process_signal(struct process *process, int signal_number)
{
    if (!process_has_ended(process))
        kill(-process->id, signal_number);
}

void process_end(struct process *process, uint64_t grace_ms)
{
    if (!process_has_ended(process) && grace_ms > 0) {
        process_signal(process, SIGINT);
        latch_wait_uncancelable_ms(&process->ended, grace_ms);
    }
    kill(-process->id, SIGKILL); /* what it has left behind, too */
    latch_wait_uncancelable(&process->ended);
}

void process_close(struct process *owned, uint64_t grace_ms)
{
    if (!owned)
        return;
    bool keeps_group = owned->leaves_daemons && guard_mark() && process_has_ended(owned);
    if (!keeps_group)
        process_end(owned, grace_ms);
    reap(owned);
    process_release(owned);
}
