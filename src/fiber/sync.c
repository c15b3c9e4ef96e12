/* sync.c — how fibers wait for each other: what is awaited is handed over, so late comers cannot
 * overtake. */
#include "fiber/sync.h"

#include "base/memory.h"
#include "fiber/scheduler.h"

/* Lives on the stack of the fiber that waits. Whoever serves it takes it out of the queue. */
struct waiter {
    struct fiber *fiber;
    struct waiter *next;
    struct waiter *previous;
    void *item; /* what a channel handed over */
    bool is_served;
};

/* Not inlined: gcc would warn of the pointer into the stack, since it does not see that every wait
 * ends with its removal. */
__attribute__((noinline)) static void queue_add(struct wait_queue *queue, struct waiter *waiter)
{
    waiter->previous = queue->last;
    if (queue->last)
        queue->last->next = waiter;
    else
        queue->first = waiter;
    queue->last = waiter;
}

static void queue_remove(struct wait_queue *queue, struct waiter *waiter)
{
    if (waiter->next)
        waiter->next->previous = waiter->previous;
    else
        queue->last = waiter->previous;
    if (waiter->previous)
        waiter->previous->next = waiter->next;
    else
        queue->first = waiter->next;
}

static void serve_first(struct wait_queue *queue, void *item)
{
    struct waiter *waiter = queue->first;

    queue_remove(queue, waiter);
    waiter->item = item;
    waiter->is_served = true;
    fiber_wake(waiter->fiber);
}

static void serve_all(struct wait_queue *queue)
{
    while (queue->first)
        serve_first(queue, NULL);
}

/* Waits until served, but not longer than the scope lives. A waiter that is served and canceled in
 * the same round keeps what it was given. */
static fallible wait_in(struct wait_queue *queue, struct waiter *waiter, const char *awaited)
{
    waiter->fiber = fiber_blocking();
    queue_add(queue, waiter);
    while (!waiter->is_served && !fiber_is_canceled())
        fiber_park(awaited);
    if (waiter->is_served)
        return NULL;
    queue_remove(queue, waiter);
    return fiber_canceled();
}

static void wait_uncancelable(struct wait_queue *queue, const char *awaited)
{
    struct waiter waiter = { .fiber = fiber_blocking() };

    queue_add(queue, &waiter);
    while (!waiter.is_served)
        fiber_park(awaited);
}

/* --- latch --- */

fallible latch_wait(struct latch *latch)
{
    struct waiter waiter = { 0 };

    TRY(fiber_canceled());
    return latch->is_open ? NULL : wait_in(&latch->waiting, &waiter, "a latch");
}

/* True if it was opened in time. */
static bool wait_ms(struct latch *latch, uint64_t milliseconds, bool is_cancelable)
{
    struct waiter waiter = { .fiber = fiber_blocking() };
    struct timer timer;

    queue_add(&latch->waiting, &waiter);
    timer_start(&timer, milliseconds);
    while (!waiter.is_served && !timer.is_due && !(is_cancelable && fiber_is_canceled()))
        fiber_park("a latch or a time");
    timer_stop(&timer);
    if (!waiter.is_served)
        queue_remove(&latch->waiting, &waiter);
    return waiter.is_served;
}

fallible latch_wait_ms(struct latch *latch, uint64_t milliseconds)
{
    TRY(fiber_canceled());
    if (latch->is_open || wait_ms(latch, milliseconds, true))
        return NULL;
    TRY(fiber_canceled());
    return error_new(ERROR_TIMEOUT, "timed out after %llu ms", (unsigned long long)milliseconds);
}

bool latch_wait_uncancelable_ms(struct latch *latch, uint64_t milliseconds)
{
    return latch->is_open || wait_ms(latch, milliseconds, false);
}

void latch_wait_uncancelable(struct latch *latch)
{
    if (!latch->is_open)
        wait_uncancelable(&latch->waiting, "a latch");
}

void latch_open(struct latch *latch)
{
    latch->is_open = true;
    serve_all(&latch->waiting);
}

/* --- semaphore --- */

/* While a fiber waits nothing is available, so a permit cannot be snatched from the queue. */
static bool take_permit(struct semaphore *semaphore)
{
    if (semaphore->available == 0)
        return false;
    semaphore->available--;
    return true;
}

fallible semaphore_wait(struct semaphore *semaphore)
{
    struct waiter waiter = { 0 };

    TRY(fiber_canceled());
    return take_permit(semaphore) ? NULL : wait_in(&semaphore->waiting, &waiter, "a semaphore");
}

void semaphore_wait_uncancelable(struct semaphore *semaphore)
{
    if (!take_permit(semaphore))
        wait_uncancelable(&semaphore->waiting, "a semaphore");
}

void semaphore_post(struct semaphore *semaphore)
{
    if (semaphore->waiting.first)
        serve_first(&semaphore->waiting, NULL);
    else
        semaphore->available++;
}

/* --- work group --- */

void work_group_add(struct work_group *group, size_t count)
{
    group->count += count;
}

void work_group_done(struct work_group *group)
{
    BUG_IF(group->count == 0);
    if (--group->count == 0)
        serve_all(&group->waiting);
}

fallible work_group_wait(struct work_group *group)
{
    struct waiter waiter = { 0 };

    TRY(fiber_canceled());
    return group->count == 0 ? NULL : wait_in(&group->waiting, &waiter, "a work group");
}

void work_group_wait_uncancelable(struct work_group *group)
{
    if (group->count > 0)
        wait_uncancelable(&group->waiting, "a work group");
}

/* --- channel --- */

void channel_release(struct channel *channel)
{
    BUG_IF(channel->waiting.first);
    free(channel->items);
    *channel = (struct channel){ 0 };
}

/* Makes room for one more item at the end of the ring. */
static void make_room(struct channel *channel)
{
    enum { LEAST = 16 };

    if (channel->len < channel->capacity)
        return;
    size_t capacity = channel->capacity ? channel->capacity * 2 : LEAST;
    void **items = memory_alloc(capacity * sizeof(*items));
    for (size_t i = 0; i < channel->len; i++)
        items[i] = channel->items[(channel->first + i) % channel->capacity];
    free(channel->items);
    channel->items = items;
    channel->first = 0;
    channel->capacity = capacity;
}

void channel_send(struct channel *channel, void *item)
{
    BUG_IF(channel->is_closed);
    BUG_IF(!item);
    if (channel->waiting.first) {
        serve_first(&channel->waiting, item);
        return;
    }
    make_room(channel);
    channel->items[(channel->first + channel->len) % channel->capacity] = item;
    channel->len++;
}

fallible channel_receive(struct channel *channel, void **out)
{
    struct waiter waiter = { 0 };

    TRY(fiber_canceled());
    if (channel->len > 0) {
        *out = channel->items[channel->first];
        channel->first = (channel->first + 1) % channel->capacity;
        channel->len--;
        return NULL;
    }
    if (!channel->is_closed)
        TRY(wait_in(&channel->waiting, &waiter, "a channel"));
    *out = waiter.item;
    return NULL;
}

void channel_close(struct channel *channel)
{
    channel->is_closed = true;
    serve_all(&channel->waiting);
}
