/* rpc_turn.c — how many calls of a connection run at once; the others wait for their turn.
 *
 * A call that runs has a stack, and stacks are few. One that waits is nothing but its message.
 * What must hold:
 * 1. At most CALLS_AT_ONCE calls of a connection run in each of its two lines, also when the peer
 * has taken back those that run.
 * 2. Patient methods, which may wait for other calls of the same peer, have a line of their own: so
 *    those others are never behind them.
 * 3. Turns outlive their connection: they are freed with the last call that runs. */
#include "rpc/server.h"

#include "base/memory.h"
#include "fiber/fiber.h"

enum { CALLS_AT_ONCE = 4096 };

struct turns *turns_new(void)
{
    struct turns *turns = memory_zalloc(sizeof(*turns));

    turns->holders = 1;
    return turns;
}

void turns_drop(struct turns *turns)
{
    if (--turns->holders == 0)
        free(turns);
}

bool turns_are_idle(const struct turns *turns)
{
    return turns->holders == 1; /* calls wait only for others that run */
}

static struct turn_line *line_of(const struct rpc_call *call)
{
    return &call->turns->lines[call->method->is_patient];
}

bool turns_take(struct rpc_call *call)
{
    struct turn_line *line = line_of(call);

    if (line->running >= CALLS_AT_ONCE) {
        call->is_waiting = true;
        call->previous_waiting = line->last;
        if (line->last)
            line->last->next_waiting = call;
        else
            line->first = call;
        line->last = call;
        return false;
    }
    line->running++;
    call->turns->holders++;
    return true;
}

void turns_leave(struct rpc_call *call)
{
    struct turn_line *line;

    if (!call->is_waiting)
        return;
    line = line_of(call);
    if (call->previous_waiting)
        call->previous_waiting->next_waiting = call->next_waiting;
    else
        line->first = call->next_waiting;
    if (call->next_waiting)
        call->next_waiting->previous_waiting = call->previous_waiting;
    else
        line->last = call->previous_waiting;
    call->previous_waiting = call->next_waiting = NULL;
    call->is_waiting = false;
}

struct rpc_call *turns_end(struct turns *turns, bool is_patient)
{
    struct turn_line *line = &turns->lines[is_patient];
    struct rpc_call *next = line->first;

    line->running--;
    if (next) {
        turns_leave(next);
        turns_take(next);
    }
    turns_drop(turns);
    return next;
}
