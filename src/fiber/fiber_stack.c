/* fiber_stack.c — stacks for fibers: guarded, lazily committed, reused. */
#include "fiber/fiber_stack.h"

#include "base/error.h"
#include "base/memory.h"
#include "fiber/fiber_switch.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    GUARD_SIZE = 64 * 1024, /* a multiple of every page size */
    SHALLOW = 16 * 1024,    /* what most fibers use */
    USES_PER_TRIM = 64, /* after so many the memory below SHALLOW is given back, in case one of them
                           went deep */
};

static struct stack *stack_open(void)
{
    size_t whole = GUARD_SIZE + STACK_SIZE;
    char *base = mmap(NULL, whole, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

    if (base == MAP_FAILED)
        return NULL;
    if (mprotect(base + GUARD_SIZE, STACK_SIZE, PROT_READ | PROT_WRITE) < 0) {
        munmap(base, whole);
        return NULL;
    }

    struct stack *stack = memory_zalloc(sizeof(*stack));
    stack->bottom = base + GUARD_SIZE;
    context_stack_added(stack->bottom, STACK_SIZE);
    return stack;
}

static void close_stack(struct stack *stack)
{
    context_stack_removed(stack->bottom, STACK_SIZE);
    munmap((char *)stack->bottom - GUARD_SIZE, GUARD_SIZE + STACK_SIZE);
    free(stack);
}

struct stack *stack_pool_take(struct stack_pool *pool, size_t limit)
{
    struct stack *stack = pool->unused;

    if (pool->count - pool->unused_count >= limit)
        return NULL;
    if (stack) {
        pool->unused = stack->next;
        pool->unused_count--;
        return stack;
    }
    stack = stack_open();
    if (stack)
        pool->count++;
    return stack;
}

void stack_pool_put(struct stack_pool *pool, struct stack *owned)
{
    if (pool->unused_count >= STACKS_KEPT) {
        close_stack(owned);
        pool->count--;
        return;
    }
    context_stack_emptied(owned->bottom, STACK_SIZE);
    if (++owned->uses % USES_PER_TRIM == 0)
        madvise(owned->bottom, STACK_SIZE - SHALLOW, MADV_DONTNEED);
    owned->next = pool->unused;
    pool->unused = owned;
    pool->unused_count++;
}

void stack_pool_release(struct stack_pool *pool)
{
    BUG_IF(pool->count != pool->unused_count);
    while (pool->unused) {
        struct stack *stack = pool->unused;
        pool->unused = stack->next;
        close_stack(stack);
    }
    *pool = (struct stack_pool){ 0 };
}
