/* fd.c — standard streams as whoever started us has left them, and limits that were set for us. */
#include "base/fd.h"

#include "base/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>

void fd_claim_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            crash_end();
    }
}

/* After a call that failed: false if it is no use to make it again. */
static bool fd_may_go_on(int fd, short events)
{
    if (errno == EAGAIN)
        poll(&(struct pollfd){ .fd = fd, .events = events }, 1, -1);
    else if (errno != EINTR)
        return false;
    return true;
}

ssize_t fd_read_patiently(int fd, char *to, size_t size)
{
    ssize_t len;

    do
        len = read(fd, to, size);
    while (len < 0 && fd_may_go_on(fd, POLLIN));
    return len;
}

bool fd_write_patiently(int fd, str text)
{
    while (text.len) {
        ssize_t len = write(fd, text.ptr, text.len);
        if (len < 0 && !fd_may_go_on(fd, POLLOUT))
            return false;
        if (len > 0)
            text = str_slice(text, (size_t)len, text.len);
    }
    return true;
}

static struct {
    struct rlimit limit;
    bool is_known;
} former;

void fd_raise_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == limit.rlim_max)
        return;
    former.limit = limit;
    limit.rlim_cur = limit.rlim_max;
    former.is_known = setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

void fd_restore_limit(void)
{
    if (former.is_known && setrlimit(RLIMIT_NOFILE, &former.limit) == 0)
        former.is_known = false;
}

const struct rlimit *fd_former_limit(void)
{
    return former.is_known ? &former.limit : NULL;
}
