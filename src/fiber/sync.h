/* sync.h — how fibers wait for each other. The zero value of each is valid; storage is the
 * caller's. */
#pragma once

#include "base/error.h"

struct waiter;

struct wait_queue {
    struct waiter *first;
    struct waiter *last;
};

/* Opens once and stays open. */
struct latch {
    bool is_open;
    struct wait_queue waiting;
};
fallible latch_wait(struct latch *latch); /* blocks; ERROR_CANCELED */
fallible latch_wait_ms(struct latch *latch,
                       uint64_t milliseconds);     /* blocks; ERROR_TIMEOUT, ERROR_CANCELED */
void latch_wait_uncancelable(struct latch *latch); /* blocks */
bool latch_wait_uncancelable_ms(struct latch *latch,
                                uint64_t milliseconds); /* blocks; false: timed out */
void latch_open(struct latch *latch);

/* `available` permits; first come, first served. */
struct semaphore {
    size_t available;
    struct wait_queue waiting;
};
fallible semaphore_wait(struct semaphore *semaphore); /* blocks; ERROR_CANCELED */
void semaphore_wait_uncancelable(struct semaphore *semaphore);
void semaphore_post(struct semaphore *semaphore);

/* Counts work that is under way; waits until there is none. */
struct work_group {
    size_t count;
    struct wait_queue waiting;
};
void work_group_add(struct work_group *group, size_t count);
void work_group_done(struct work_group *group);
fallible work_group_wait(struct work_group *group); /* blocks; ERROR_CANCELED */
void work_group_wait_uncancelable(struct work_group *group);

/* An unbounded queue of pointers, many senders, many receivers. */
struct channel {
    void **items;
    size_t first;
    size_t len;
    size_t capacity;
    bool is_closed;
    struct wait_queue waiting;
};
void channel_release(struct channel *channel);
void channel_send(struct channel *channel, void *item); /* not NULL; not after channel_close */
/* Blocks. *out is NULL once the channel is closed and empty. */
fallible channel_receive(struct channel *channel, void **out);
void channel_close(struct channel *channel);
