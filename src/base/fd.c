/* fd.c — standard streams that whoever started us has closed. */
#include "base/fd.h"

#include "base/crash.h"

#include <fcntl.h>

void fd_claim_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            crash_end();
    }
}
