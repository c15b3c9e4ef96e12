/* process_guard.c — nothing that we have started outlives us.
 *
 * While we live, orphans become our children, daemons too (PR_SET_CHILD_SUBREAPER), and are ended
 * when the scheduler ends. If we are killed, the watcher does it (process_watcher.c): it knows them
 * by their process group, by a variable of their environment, and by their control group where one
 * can be made (process_cgroup.c).
 *
 * Commands of the user are an exception: the published provider of commands leaves running what has
 * a session of its own, so we do. They have neither mark nor control group, which distinguishes
 * their daemons from those of plugins. */
#include "fiber/process_guard.h"

#include "base/uuid.h"
#include "base/vec.h"
#include "fiber/process.h"
#include "fiber/process_cgroup.h"
#include "fiber/process_watcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUND_MS = 5, GRACE_ROUNDS = 100, ROUNDS_MOST = 400 };

/* One for the process, like its children. */
static struct {
    bool is_enabled;
    bool is_started;
    bool has_free_commands; /* some that may leave daemons */
    char mark[MARK_SIZE];
    struct cgroup cgroup;
    int pipe; /* to the watcher */
    pid_t watcher;
    struct {
        VEC(pid_t);
    } unreaped; /* groups without a leader */
} guard;

void process_guard_enable(void)
{
    guard.is_enabled = true;
}

fallible guard_start(void)
{
    uint64_t random;

    if (!guard.is_enabled || guard.is_started)
        return NULL;
    random_bytes(&random, sizeof(random));
    snprintf(guard.mark, sizeof(guard.mark), "CULUMI_ENGINE=%ld.%016llx", (long)getpid(),
             (unsigned long long)random);
    cgroup_make(&guard.cgroup, strchr(guard.mark, '=') + 1);
    struct error *failure = watcher_start(guard.mark, &guard.cgroup, &guard.pipe, &guard.watcher);
    if (failure) {
        cgroup_remove(&guard.cgroup);
        return failure;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    guard.is_started = true;
    return NULL;
}

const char *guard_mark(void)
{
    return guard.is_started ? guard.mark : NULL;
}

int guard_cgroup(void)
{
    return guard.is_started ? guard.cgroup.fd : -1;
}

int guard_watcher(void)
{
    return guard.is_started ? guard.pipe : -1;
}

static void say_to_watcher(int32_t number)
{
    ssize_t ignored = write(guard.pipe, &number, sizeof(number));
    (void)ignored; /* full: it does not read, and would not act either */
}

/* --- orphans --- */

/* Members of groups whose leader has ended are our children now, and stay zombies until they are
 * waited for. Until then no stranger gets the number of the group. */
static void reap_groups(void)
{
    size_t kept = 0;

    for (size_t i = 0; i < guard.unreaped.len; i++) {
        pid_t group = guard.unreaped.items[i];
        siginfo_t info = { 0 };
        int result;
        do {
            info.si_pid = 0;
            result = waitid(P_PGID, (id_t)group, &info, WEXITED | WNOHANG);
        } while (result == 0 && info.si_pid != 0);
        if (result == 0)
            guard.unreaped.items[kept++] = group;
        else
            say_to_watcher(-group);
    }
    guard.unreaped.len = kept;
}

/* A number that is in use again is no longer what it was. */
static void forget_group(pid_t group)
{
    for (size_t i = 0; i < guard.unreaped.len; i++)
        if (guard.unreaped.items[i] == group)
            guard.unreaped.items[i--] = guard.unreaped.items[--guard.unreaped.len];
}

void guard_add(pid_t group, bool leaves_daemons)
{
    if (!guard.is_started)
        return;
    guard.has_free_commands |= leaves_daemons;
    forget_group(group);
    reap_groups();
}

void guard_remove(pid_t group)
{
    if (!guard.is_started)
        return;
    vec_add(&guard.unreaped, group);
    reap_groups();
}

/* --- the end --- */

/* Parent and session of a process: "ID (NAME) STATE PARENT GROUP SESSION …"; the name may hold
 * anything. */
static bool read_family(pid_t id, pid_t *parent, pid_t *session)
{
    char path[48], text[512], state;
    int group;

    snprintf(path, sizeof(path), "/proc/%ld/stat", (long)id);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t len = read(fd, text, sizeof(text) - 1);
    close(fd);
    text[len > 0 ? len : 0] = '\0';
    const char *behind = strrchr(text, ')');
    return behind && sscanf(behind + 1, " %c %d %d %d", &state, parent, &group, session) == 4
           && state != 'Z';
}

struct ending {
    int signal_number; /* 0: only counts */
    size_t left;
};

static bool is_left_alone(pid_t id, pid_t session)
{
    return guard.has_free_commands && session != getsid(0) && !process_has_mark(id, guard.mark);
}

static bool end_orphan(void *ending_, pid_t id)
{
    struct ending *ending = ending_;
    pid_t parent, session;

    if (id == guard.watcher || !read_family(id, &parent, &session) || parent != getpid()
        || is_left_alone(id, session))
        return true;
    ending->left++;
    kill(id, ending->signal_number);
    return true;
}

/* False if there is no child at all any more. */
static bool reap_all(void)
{
    siginfo_t info;
    int result;

    do {
        info.si_pid = 0;
        result = waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
    } while (result == 0 && info.si_pid != 0);
    return result == 0;
}

/* Children of an orphan that has ended are the next orphans: it goes on until none is left. */
static void end_orphans(void)
{
    for (int round = 0; reap_all() && round < ROUNDS_MOST; round++) {
        struct ending ending = {
            .signal_number = round < GRACE_ROUNDS ? SIGTERM : SIGKILL,
        };
        processes_visit(end_orphan, &ending);
        if (ending.left == 0)
            return;
        poll(NULL, 0, ROUND_MS);
    }
}

void guard_end(void)
{
    if (!guard.is_started)
        return;
    end_orphans();
    cgroup_remove(&guard.cgroup);
    say_to_watcher(0);
    close(guard.pipe);
    while (waitpid(guard.watcher, NULL, __WALL) < 0 && errno == EINTR)
        continue;
    prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    vec_release(&guard.unreaped);
    guard.is_started = false;
    guard.has_free_commands = false;
}
