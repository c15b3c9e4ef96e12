/* fd.c — standard streams that whoever started us has closed, and limits that were set for us. */
#include "base/fd.h"

#include "base/crash.h"

#include <fcntl.h>
#include <stdbool.h>

void fd_claim_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            crash_end();
    }
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
