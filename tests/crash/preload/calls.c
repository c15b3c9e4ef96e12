/* calls.c — stands between the command line and the system (LD_PRELOAD): counts its calls, kills it
 * at one of them, makes one fail, and writes down what happens to the files of a folder.
 *
 * CRASH_PROGRAM=path        acts in the process of this program only, not in its children
 * CRASH_CALLS=file          appends "KIND WHAT" for every call; "struck KIND WHAT" for the one that
 * fails CRASH_KILL=n              the n-th call of any kind kills the process before it is made
 * CRASH_FAIL=kind:n:errno   the n-th call of that kind fails
 * CRASH_DISK=file           appends every change below CRASH_ROOT, for disk.c to play again
 * CRASH_CUT=n               kills the process before its n-th sync of something below CRASH_ROOT
 *
 * Calls are made directly, so that nothing here depends on the functions that it replaces. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_FDS = 1024, FIRST_OWN_FD = 800 };

static struct {
    pthread_mutex_t lock;
    pid_t owner; /* 0: this process is not struck */
    int calls, disk;
    long total, kill_at, cut_at, syncs;
    char failing[16];
    long fail_at, fail_seen;
    int fail_errno;
    char root[PATH_MAX];
    bool is_tracked[MOST_FDS];
} state = { .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .calls = -1, .disk = -1 };

/* --- the beginning --- */

static int open_log(const char *path)
{
    if (!path)
        return -1;
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0)
        return -1;
    long high = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, FIRST_OWN_FD);
    syscall(SYS_close, fd);
    return (int)high;
}

static long number_of(const char *name)
{
    const char *text = getenv(name);

    return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    char path[PATH_MAX] = "";
    const char *program = getenv("CRASH_PROGRAM"), *fail = getenv("CRASH_FAIL");
    const char *root = getenv("CRASH_ROOT");
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

    if (len < 0 || !program || strcmp(path, program) != 0)
        return;
    state.calls = open_log(getenv("CRASH_CALLS"));
    state.disk = open_log(getenv("CRASH_DISK"));
    state.kill_at = number_of("CRASH_KILL");
    state.cut_at = number_of("CRASH_CUT");
    if (fail)
        sscanf(fail, "%15[^:]:%ld:%d", state.failing, &state.fail_at, &state.fail_errno);
    if (root)
        snprintf(state.root, sizeof(state.root), "%s", root);
    state.owner = getpid();
}

/* A child between fork and exec shares our memory, but not our life. */
static bool is_watched(void)
{
    return state.owner != 0 && syscall(SYS_getpid) == state.owner;
}

static void end_here(void)
{
    syscall(SYS_kill, state.owner, SIGKILL);
    for (;;)
        syscall(SYS_pause);
}

static void put(int fd, const char *bytes, size_t len)
{
    /* A log that cannot be written shows in the test that reads it. */
    if (syscall(SYS_write, fd, bytes, len) != (long)len)
        end_here();
}

/* --- one call --- */

/* 0, or the number of the failure that the call should have. */
static int enter(const char *kind, const char *what)
{
    char line[PATH_MAX + 64];
    int result = 0, kept = errno;

    if (!is_watched())
        return 0;
    pthread_mutex_lock(&state.lock);
    if (++state.total == state.kill_at)
        end_here();
    if (strcmp(kind, state.failing) == 0 && ++state.fail_seen == state.fail_at)
        result = state.fail_errno;
    if (state.calls >= 0) {
        int len = snprintf(line, sizeof(line), "%s%s %s\n", result ? "struck " : "", kind, what);
        put(state.calls, line, (size_t)len);
    }
    pthread_mutex_unlock(&state.lock);
    errno = result ? result : kept;
    return result;
}

static int enter_fd(const char *kind, int fd)
{
    char link[64], path[PATH_MAX] = "";

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    if (syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof(path) - 1) < 0)
        path[0] = '\0';
    return enter(kind, path);
}

static bool is_file(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* --- the disk --- */

static bool is_inside(const char *path)
{
    return state.disk >= 0 && is_watched() && state.root[0]
           && strncmp(path, state.root, strlen(state.root)) == 0;
}

static bool is_tracked(int fd)
{
    return fd >= 0 && fd < MOST_FDS && is_watched() && state.is_tracked[fd];
}

__attribute__((format(printf, 1, 2))) static void record(const char *format, ...)
{
    char line[2 * PATH_MAX + 64];
    va_list list;

    va_start(list, format);
    int len = vsnprintf(line, sizeof(line), format, list);
    va_end(list);
    pthread_mutex_lock(&state.lock);
    put(state.disk, line, (size_t)len);
    pthread_mutex_unlock(&state.lock);
}

static void record_paths(const char *verb, const char *path, const char *other)
{
    int kept = errno;

    if (is_inside(path) || (other && is_inside(other)))
        record("%s %s%s%s\n", verb, path, other ? "\t" : "", other ? other : "");
    errno = kept;
}

/* Where a write that names no place goes. */
static long place_of(int fd)
{
    struct stat status;
    long flags = syscall(SYS_fcntl, fd, F_GETFL);

    if ((flags & O_APPEND) && fstat(fd, &status) == 0)
        return status.st_size;
    return syscall(SYS_lseek, fd, 0L, SEEK_CUR);
}

static ssize_t write_to(int fd, const void *bytes, size_t len, long at)
{
    if (enter_fd(is_file(fd) ? "write" : "send", fd))
        return -1;
    long place = is_tracked(fd) && at < 0 ? place_of(fd) : at;
    long done =
        at < 0 ? syscall(SYS_write, fd, bytes, len) : syscall(SYS_pwrite64, fd, bytes, len, at);
    if (done > 0 && is_tracked(fd)) {
        pthread_mutex_lock(&state.lock);
        record("write %d %ld %ld\n", fd, place, done);
        put(state.disk, bytes, (size_t)done);
        pthread_mutex_unlock(&state.lock);
    }
    return done;
}

static int sync_of(int fd, long number)
{
    if (enter_fd("sync", fd))
        return -1;
    if (is_tracked(fd)) {
        pthread_mutex_lock(&state.lock);
        if (++state.syncs == state.cut_at)
            end_here();
        pthread_mutex_unlock(&state.lock);
    }
    long done = syscall(number, fd);
    if (done == 0 && is_tracked(fd))
        record("sync %d\n", fd);
    return (int)done;
}

static int open_at(int at, const char *path, int flags, unsigned mode)
{
    if (enter(flags & O_CREAT ? "create" : "open", path))
        return -1;
    long fd = syscall(SYS_openat, at, path, flags, mode);
    if (fd >= 0 && fd < MOST_FDS && is_watched()) {
        state.is_tracked[fd] = is_inside(path);
        if (state.is_tracked[fd])
            record("open %ld %d %s\n", fd, flags, path);
    }
    return (int)fd;
}

/* --- what is replaced --- */

ssize_t write(int fd, const void *bytes, size_t len)
{
    return write_to(fd, bytes, len, -1);
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
    return write_to(fd, bytes, len, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t len, off64_t at)
{
    return write_to(fd, bytes, len, at);
}

ssize_t writev(int fd, const struct iovec *pieces, int count)
{
    return enter_fd("send", fd) ? -1 : syscall(SYS_writev, fd, pieces, count);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    return enter_fd("send", fd) ? -1 : syscall(SYS_sendmsg, fd, message, flags);
}

ssize_t read(int fd, void *bytes, size_t len)
{
    return enter_fd("read", fd) ? -1 : syscall(SYS_read, fd, bytes, len);
}

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout)
{
    return enter("wait", "") ? -1
                             : (int)syscall(SYS_epoll_pwait, fd, events, most, timeout, NULL, 8);
}

int epoll_pwait(int fd, struct epoll_event *events, int most, int timeout, const sigset_t *mask)
{
    return enter("wait", "") ? -1
                             : (int)syscall(SYS_epoll_pwait, fd, events, most, timeout, mask, 8);
}

int fsync(int fd)
{
    return sync_of(fd, SYS_fsync);
}

int fdatasync(int fd)
{
    return sync_of(fd, SYS_fdatasync);
}

int ftruncate(int fd, off_t size)
{
    if (enter_fd("write", fd))
        return -1;
    long done = syscall(SYS_ftruncate, fd, size);
    if (done == 0 && is_tracked(fd))
        record("truncate %d %ld\n", fd, (long)size);
    return (int)done;
}

int fallocate(int fd, int mode, off_t at, off_t len)
{
    return enter_fd("write", fd) ? -1 : (int)syscall(SYS_fallocate, fd, mode, at, len);
}

int open(const char *path, int flags, ...)
{
    va_list list;

    va_start(list, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, unsigned) : 0;
    va_end(list);
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list list;

    va_start(list, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, unsigned) : 0;
    va_end(list);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int at, const char *path, int flags, ...)
{
    va_list list;

    va_start(list, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, unsigned) : 0;
    va_end(list);
    return open_at(at, path, flags, mode);
}

/* What a fortified program calls instead. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

ssize_t __read_chk(int fd, void *bytes, size_t len, size_t size);
ssize_t __read_chk(int fd, void *bytes, size_t len, size_t size)
{
    if (len > size)
        abort();
    return read(fd, bytes, len);
}

int close(int fd)
{
    if (is_tracked(fd)) {
        state.is_tracked[fd] = false;
        record("close %d\n", fd);
    }
    return (int)syscall(SYS_close, fd);
}

int rename(const char *from, const char *to)
{
    if (enter("rename", to))
        return -1;
    long done = syscall(SYS_rename, from, to);
    if (done == 0)
        record_paths("rename", from, to);
    return (int)done;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    if (enter("rename", to))
        return -1;
    long done = syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
    if (done == 0)
        record_paths("rename", from, to);
    return (int)done;
}

int link(const char *from, const char *to)
{
    if (enter("rename", to))
        return -1;
    long done = syscall(SYS_link, from, to);
    if (done == 0)
        record_paths("link", from, to);
    return (int)done;
}

int mkdir(const char *path, mode_t mode)
{
    if (enter("mkdir", path))
        return -1;
    long done = syscall(SYS_mkdir, path, mode);
    if (done == 0)
        record_paths("mkdir", path, NULL);
    return (int)done;
}

static int take_away(const char *path, long number)
{
    long done = syscall(number, path);

    if (done == 0)
        record_paths("unlink", path, NULL);
    return (int)done;
}

int unlink(const char *path)
{
    return enter("unlink", path) ? -1 : take_away(path, SYS_unlink);
}

int rmdir(const char *path)
{
    return enter("unlink", path) ? -1 : take_away(path, SYS_rmdir);
}

int remove(const char *path)
{
    if (enter("unlink", path))
        return -1;
    int done = take_away(path, SYS_unlink);
    return done < 0 && (errno == EISDIR || errno == EPERM) ? take_away(path, SYS_rmdir) : done;
}

int pipe2(int fds[2], int flags)
{
    return enter("pipe", "") ? -1 : (int)syscall(SYS_pipe2, fds, flags);
}

int pipe(int fds[2])
{
    return pipe2(fds, 0);
}

int socket(int domain, int type, int protocol)
{
    return enter("socket", "") ? -1 : (int)syscall(SYS_socket, domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
    return enter("pipe", "") ? -1 : (int)syscall(SYS_socketpair, domain, type, protocol, fds);
}

int connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t len)
{
    return enter_fd("connect", fd) ? -1 : (int)syscall(SYS_connect, fd, address.__sockaddr__, len);
}

/* How processes are started here (src/fiber/process_spawn.c); what the library does for it is more
 * than a call. */
int __clone(int (*run)(void *argument), void *stack, int flags, void *argument, ...);
int __clone(int (*run)(void *argument), void *stack, int flags, void *argument, ...)
{
    int (*real)(int (*)(void *), void *, int, void *, ...) = NULL;

    *(void **)&real = dlsym(RTLD_NEXT, "__clone");
    return enter("spawn", "") ? -1 : real(run, stack, flags, argument);
}
