/* cancel.c — cancel scopes: a tree of flags with the fibers that they wake. */
#include "base/memory.h"
#include "fiber/scheduler.h"

struct cancel {
    bool is_fired;
    struct cancel *parent;
    struct cancel *first_child;
    struct cancel *previous; /* among the children of the parent */
    struct cancel *next;
    struct fiber *fibers; /* the running ones included */
};

static _Thread_local struct cancel top;

struct cancel *cancel_top(void)
{
    return &top;
}

void cancel_reset_top(void)
{
    top.is_fired = false;
}

struct cancel *cancel_open(struct cancel *parent)
{
    struct cancel *scope = memory_zalloc(sizeof(*scope));

    scope->parent = parent ? parent : &top;
    scope->is_fired = scope->parent->is_fired;
    scope->next = scope->parent->first_child;
    if (scope->next)
        scope->next->previous = scope;
    scope->parent->first_child = scope;
    return scope;
}

void cancel_close(struct cancel *scope)
{
    if (!scope)
        return;
    BUG_IF(scope->fibers != NULL);
    BUG_IF(scope->first_child != NULL);
    if (scope->next)
        scope->next->previous = scope->previous;
    if (scope->previous)
        scope->previous->next = scope->next;
    else
        scope->parent->first_child = scope->next;
    free(scope);
}

/* Only parked fibers need a push: the others ask before they wait. */
static void fire_one(struct cancel *scope)
{
    scope->is_fired = true;
    for (struct fiber *fiber = scope->fibers; fiber; fiber = fiber->scope_next)
        if (fiber->state == FIBER_PARKED)
            fiber_wake(fiber);
}

/* The scope after this one in a walk over everything below `above`; NULL at the end. */
static struct cancel *step_over(struct cancel *scope, const struct cancel *above)
{
    while (scope != above && !scope->next)
        scope = scope->parent;
    return scope == above ? NULL : scope->next;
}

void cancel_fire(struct cancel *scope)
{
    struct cancel *below = scope;

    while (below) {
        bool was_fired = below->is_fired;
        if (!was_fired)
            fire_one(below);
        /* Below a scope that had been fired before everything has been fired, too. */
        below = !was_fired && below->first_child ? below->first_child : step_over(below, scope);
    }
}

void cancel_each_fiber(void (*visit)(const struct fiber *fiber, void *context), void *context)
{
    struct cancel *scope = &top;

    while (scope) {
        for (const struct fiber *fiber = scope->fibers; fiber; fiber = fiber->scope_next)
            visit(fiber, context);
        scope = scope->first_child ? scope->first_child : step_over(scope, &top);
    }
}

bool cancel_is_fired(const struct cancel *scope)
{
    return scope->is_fired;
}

void cancel_add_fiber(struct cancel *scope, struct fiber *fiber)
{
    fiber->scope = scope;
    fiber->scope_previous = NULL;
    fiber->scope_next = scope->fibers;
    if (fiber->scope_next)
        fiber->scope_next->scope_previous = fiber;
    scope->fibers = fiber;
}

void cancel_remove_fiber(struct fiber *fiber)
{
    if (fiber->scope_next)
        fiber->scope_next->scope_previous = fiber->scope_previous;
    if (fiber->scope_previous)
        fiber->scope_previous->scope_next = fiber->scope_next;
    else
        fiber->scope->fibers = fiber->scope_next;
}

struct cancel *cancel_current(void)
{
    struct fiber *self = fiber_self();
    return self ? self->scope : NULL;
}

struct cancel *cancel_enter(struct cancel *scope)
{
    struct fiber *self = fiber_self();

    BUG_IF(!self);
    BUG_IF(!scope);
    struct cancel *former = self->scope;
    cancel_remove_fiber(self);
    cancel_add_fiber(scope, self);
    return former;
}

bool fiber_is_canceled(void)
{
    struct fiber *self = fiber_self();
    return self && self->scope->is_fired;
}

fallible fiber_canceled(void)
{
    return fiber_is_canceled() ? error_new(ERROR_CANCELED, "canceled") : NULL;
}
