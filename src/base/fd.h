/* fd.h — file descriptors that are closed with their variable. */
#pragma once

#include <unistd.h>

/* For CLEANUP; -1 is no descriptor. */
static inline void fd_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}
