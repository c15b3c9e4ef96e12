/* process_watcher.c — ends our children when we cannot.
 *
 * The parent-death signal reaches only direct children: what a wrapper started lives on, and so
 * does a daemon. The watcher is a bare fork in a process that may have threads: until its end it
 * makes system calls only, without memory, locks or the sanitizers' wrappers. */
#include "fiber/process_watcher.h"

#include "fiber/process_cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    GROUPS_MOST = 64 * 1024, /* that are remembered; of the others, the mark finds plugins */
    ROUND_MS = 50,
    GRACE_ROUNDS = 60, /* from SIGTERM to SIGKILL */
    ROUNDS_MOST = GRACE_ROUNDS + 40,
    ENVIRONMENT_PIECE = 16 * 1024,
    LAST_DESCRIPTOR = 4096 /* where the system cannot close a range */
};

#define IN_CHILD __attribute__((no_sanitize("address", "undefined", "thread")))

/* --- looking at processes --- */

IN_CHILD static bool holds_text(const char *bytes, size_t len, const char *text, size_t text_len)
{
    for (size_t i = 0; i + text_len <= len; i++) {
        size_t same = 0;
        while (same < text_len && bytes[i + same] == text[same])
            same++;
        if (same == text_len)
            return true;
    }
    return false;
}

IN_CHILD static size_t text_size(const char *text)
{
    size_t len = 0;
    while (text[len])
        len++;
    return len;
}

/* "/proc/ID/environ" */
IN_CHILD static void environment_path(pid_t id, char *out)
{
    static const char head[] = "/proc/", tail[] = "/environ";
    char digits[12];
    size_t count = 0, len = 0;

    for (pid_t rest = id; rest > 0; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    for (const char *from = head; *from; from++)
        out[len++] = *from;
    while (count > 0)
        out[len++] = digits[--count];
    for (const char *from = tail; *from; from++)
        out[len++] = *from;
    out[len] = '\0';
}

IN_CHILD bool process_has_mark(pid_t id, const char *mark)
{
    static char piece[MARK_SIZE + ENVIRONMENT_PIECE];
    char path[48];
    size_t kept = 0, mark_len = text_size(mark);
    bool is_found = false;
    ssize_t got;

    environment_path(id, path);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (!is_found && (got = syscall(SYS_read, fd, piece + kept, ENVIRONMENT_PIECE)) > 0) {
        size_t len = kept + (size_t)got;
        is_found = holds_text(piece, len, mark, mark_len);
        kept = len < mark_len ? len : mark_len - 1; /* the mark may be split across two pieces */
        for (size_t i = 0; i < kept; i++)
            piece[i] = piece[len - kept + i];
    }
    syscall(SYS_close, fd);
    return is_found;
}

/* 0 if it is no number. */
IN_CHILD static pid_t parse_id(const char *text)
{
    pid_t id = 0;

    for (; *text; text++) {
        if (*text < '0' || *text > '9' || id > INT32_MAX / 10 - 1)
            return 0;
        id = id * 10 + (*text - '0');
    }
    return id;
}

/* As the kernel writes it. */
struct directory_entry {
    uint64_t inode;
    int64_t offset;
    unsigned short len;
    unsigned char type;
    char name[];
};

IN_CHILD void processes_visit(bool (*visit)(void *context, pid_t id), void *context)
{
    static char listing[8 * 1024] __attribute__((aligned(8)));
    bool goes_on = true;
    long got;

    int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    while (goes_on && (got = syscall(SYS_getdents64, fd, listing, sizeof(listing))) > 0) {
        for (long at = 0; goes_on && at < got;) {
            const struct directory_entry *entry = (const void *)(listing + at);
            pid_t id = parse_id(entry->name);
            at += entry->len;
            if (id > 0)
                goes_on = visit(context, id);
        }
    }
    syscall(SYS_close, fd);
}

/* --- the watcher --- */

struct watcher {
    const char *mark;
    const struct cgroup *cgroup;
    pid_t self;
    int signal_number; /* 0: only counts */
    size_t left;
    pid_t groups[GROUPS_MOST];
    size_t group_count;
};

IN_CHILD static void watcher_take_number(struct watcher *watcher, int32_t number)
{
    if (number > 0 && watcher->group_count < GROUPS_MOST)
        watcher->groups[watcher->group_count++] = number;
    for (size_t i = watcher->group_count; number < 0 && i > 0; i--)
        if (watcher->groups[i - 1] == -number)
            watcher->groups[i - 1] = watcher->groups[--watcher->group_count];
}

IN_CHILD static void end_groups(struct watcher *watcher)
{
    for (size_t i = watcher->group_count; i > 0; i--) {
        if (syscall(SYS_kill, -watcher->groups[i - 1], watcher->signal_number) == 0)
            watcher->left++;
        else /* gone: its number may soon be a stranger's */
            watcher->groups[i - 1] = watcher->groups[--watcher->group_count];
    }
}

IN_CHILD static bool end_marked(void *watcher_, pid_t id)
{
    struct watcher *watcher = watcher_;

    if (id != watcher->self && process_has_mark(id, watcher->mark)) {
        watcher->left++;
        syscall(SYS_kill, id, watcher->signal_number);
    }
    return true;
}

/* A process of another container has the number 0 for us. */
IN_CHILD static void end_member(struct watcher *watcher, pid_t id)
{
    if (id <= 0)
        return;
    watcher->left++;
    syscall(SYS_kill, id, watcher->signal_number);
}

/* One number a line. */
IN_CHILD static void end_members(struct watcher *watcher)
{
    char piece[512];
    pid_t id = 0;
    long got;

    int fd = (int)syscall(SYS_openat, AT_FDCWD, watcher->cgroup->members, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    while ((got = syscall(SYS_read, fd, piece, sizeof(piece))) > 0) {
        for (long i = 0; i < got; i++) {
            if (piece[i] != '\n') {
                id = id * 10 + (piece[i] - '0');
                continue;
            }
            end_member(watcher, id);
            id = 0;
        }
    }
    syscall(SYS_close, fd);
}

/* Also reaches what is in groups below, and what is being made this moment. */
IN_CHILD static void kill_cgroup(const struct watcher *watcher)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, watcher->cgroup->end, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    syscall(SYS_write, fd, "1", 1);
    syscall(SYS_close, fd);
}

IN_CHILD static void wait_a_round(void)
{
    struct timespec pause = { 0, ROUND_MS * 1000000L };
    syscall(SYS_ppoll, NULL, 0, &pause, NULL, 0);
}

IN_CHILD static void end_all(struct watcher *watcher)
{
    for (int round = 0; round < ROUNDS_MOST; round++) {
        watcher->signal_number = round == 0 ? SIGTERM : round < GRACE_ROUNDS ? 0 : SIGKILL;
        watcher->left = 0;
        end_groups(watcher);
        processes_visit(end_marked, watcher);
        end_members(watcher);
        if (watcher->left == 0)
            break;
        if (watcher->signal_number == SIGKILL)
            kill_cgroup(watcher);
        wait_a_round();
    }
    syscall(SYS_unlinkat, AT_FDCWD, watcher->cgroup->folder, AT_REMOVEDIR);
}

IN_CHILD static void let_go_of_everything(int pipe)
{
    syscall(SYS_setsid);
    syscall(SYS_prctl, PR_SET_NAME, "culumi-watcher", 0, 0, 0);
    syscall(SYS_chdir, "/");
    if (pipe != 0) {
        syscall(SYS_dup3, pipe, 0, 0);
        syscall(SYS_close, pipe);
    }
    if (syscall(SYS_close_range, 1, ~0U, 0) < 0)
        for (int fd = 1; fd < LAST_DESCRIPTOR; fd++)
            syscall(SYS_close, fd);
}

IN_CHILD static void watcher_watch(struct watcher *watcher)
{
    int32_t numbers[256];

    for (;;) {
        long got = syscall(SYS_read, 0, numbers, sizeof(numbers));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        for (size_t i = 0; i < (size_t)got / sizeof(*numbers); i++) {
            if (numbers[i] == 0)
                return;
            watcher_take_number(watcher, numbers[i]);
        }
    }
    end_all(watcher);
}

IN_CHILD static void watcher_live(int pipe, const char *mark, const struct cgroup *cgroup)
{
    static struct watcher watcher; /* too large for the stack of a fiber */

    watcher.mark = mark;
    watcher.cgroup = cgroup;
    let_go_of_everything(pipe);
    watcher.self = (pid_t)syscall(SYS_getpid);
    watcher_watch(&watcher);
    syscall(SYS_exit_group, 0);
}

/* The pipe is never waited for: a watcher that is late finds processes by their mark. */
fallible watcher_start(const char *mark, const struct cgroup *cgroup, int *owned_pipe, pid_t *out)
{
    sigset_t all, former;
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) < 0)
        return error_os("create a pipe");
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    /* No signal at its end, so that nobody takes it for one of the children. Not the C library's
     * fork, which would run the handlers of others in the child. */
    pid_t id = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
    if (id == 0)
        watcher_live(fds[0], mark, cgroup);
    int number = errno;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    close(fds[0]);
    if (id < 0 || fcntl(fds[1], F_SETFL, O_NONBLOCK) < 0) {
        errno = id < 0 ? number : errno;
        struct error *failure = error_os("start the watcher over children");
        close(fds[1]);
        return failure;
    }
    *owned_pipe = fds[1];
    *out = id;
    return NULL;
}
