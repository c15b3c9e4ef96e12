/* fd.h — file descriptors that are closed with their variable, and the three that are always open.
 */
#pragma once

#include <unistd.h>

/* Once, before anything is opened. A standard stream that is closed would be the number of the
 * next file, which then gets what is printed; it is /dev/null instead. */
void fd_claim_standard(void);

/* For CLEANUP; -1 is no descriptor. */
static inline void fd_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}
