/* awaited.c — keeps calls in the order of their beginning. */
#include "base/awaited.h"

#include "base/clock.h"

/* Of the process: whatever it waits for. */
static struct {
    struct awaited *first, *last;
} calls;

void awaited_begin(struct awaited *call)
{
    call->since = clock_now();
    call->previous = calls.last;
    call->next = NULL;
    *(calls.last ? &calls.last->next : &calls.first) = call;
    calls.last = call;
}

void awaited_end(struct awaited *call)
{
    *(call->previous ? &call->previous->next : &calls.first) = call->next;
    *(call->next ? &call->next->previous : &calls.last) = call->previous;
}

const struct awaited *awaited_first(void)
{
    return calls.first;
}
