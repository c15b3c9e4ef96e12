/* io.h — a file descriptor that one fiber may wait to read and another to write; private to this
 * folder. */
#pragma once

#include "base/error.h"

#include <uv.h>

enum io_direction { IO_READ, IO_WRITE };

/* The first member of a heap object that is freed with it, when it is closed and nobody waits in it
 * any more. */
struct io {
    uv_poll_t poll;
    int fd;
    bool is_pollable; /* a regular file is not: it never makes anybody wait */
    bool is_shut;
    int armed; /* events under watch; kept after a wait, because the next wait usually follows */
    unsigned holders;         /* the owner, the loop, waiting fibers */
    struct fiber *waiting[2]; /* by direction */
    bool is_ready[2];         /* what `waiting` waits for */
};

/* Takes over the descriptor, and makes it non-blocking. On failure it is closed. */
fallible io_open(struct io *io, int owned_fd);

/* Waits until it is worth trying again. *is_open is false if it was shut or closed: then do not
 * touch it. Blocks. */
fallible io_wait(struct io *io, enum io_direction direction, bool *is_open);
/* Also ERROR_TIMEOUT. */
fallible io_wait_ms(struct io *io, enum io_direction direction, uint64_t milliseconds,
                    bool *is_open);

/* Ends the waits of others, now and in future. */
void io_shut(struct io *io);
void io_close(struct io *io);
