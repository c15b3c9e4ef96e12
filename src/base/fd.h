/* fd.h — file descriptors that are closed when their variable goes. */
#pragma once

#include <unistd.h>

/* For CLEANUP; a negative one is none. */
static inline void fd_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}
