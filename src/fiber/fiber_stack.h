/* fiber_stack.h — stacks for fibers: guarded, lazily committed, reused; private to this folder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    STACK_SIZE = 256 * 1024,
    STACKS_PLENTY = 4096,  /* so many may be in use before a guest has to wait for one */
    STACKS_GUESTS = 12288, /* with so many in use guests wait, even if nothing else can run */
    STACKS_MOST = 24576, /* never more: each costs two of the 65,530 mappings a process may have */
    STACKS_FEW = 512,    /* if the system refuses another one already, there is no memory */
    STACKS_KEPT = 1024,  /* unused ones that are not given back to the system */
};

struct stack {
    void *bottom; /* lowest usable address, above the guard page */
    unsigned uses;
    struct stack *next;
};

/* The zero value is an empty pool. */
struct stack_pool {
    struct stack *unused;
    size_t unused_count;
    size_t count; /* in use and unused */
};

/* NULL if `limit` stacks are in use or the system has no more. */
struct stack *stack_pool_take(struct stack_pool *pool, size_t limit);
void stack_pool_put(struct stack_pool *pool, struct stack *owned);

/* Frees the unused ones, which must be all. */
void stack_pool_release(struct stack_pool *pool);
