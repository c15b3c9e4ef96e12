/* fd.h — file descriptors that are closed with their variable, and the three that are always
 * open, and how many there may be. */
#pragma once

#include "base/str.h"

#include <sys/resource.h>
#include <unistd.h>

/* Once, before anything is opened. A standard stream that is closed would be the number of the
 * next file, which then gets what is printed; it is /dev/null instead. */
void fd_claim_standard(void);

/* The standard streams are shared with others, who may have made them non-blocking: these wait.
 * Errors as of read(2) and write(2), with errno. */
ssize_t fd_read_patiently(int fd, char *to, size_t size);
bool fd_write_patiently(int fd, str text);

/* As many descriptors as the system lets us have: what we were given may be few. Children get the
 * former limit back (fd_former_limit), for programs that use select() fail with more. */
void fd_raise_limit(void);
void fd_restore_limit(void);
/* NULL: it was not raised. */
const struct rlimit *fd_former_limit(void);

/* For CLEANUP; -1 is no descriptor. */
static inline void fd_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}
