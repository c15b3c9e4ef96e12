/* fiber_switch.h — changes the stack under the running code; private to this folder. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A suspended flow of control. The zero value is the stack of the thread. */
struct context {
    void *stack_pointer;
    const void *stack_bottom; /* from here on: only for the sanitizers */
    size_t stack_size;
    void *fake_stack;
    void *thread_sanitizer;
    struct context *came_from;
};

/* Prepares a context that calls `entry(argument)` on the given stack when it is first switched to;
 * `entry` must begin with context_begin and must not return. */
void context_init(struct context *context, void *stack, size_t size, void (*entry)(void *),
                  void *argument);
void context_begin(struct context *self);

/* Where the calls that lead to the switch return to, innermost first; of a suspended context that
 * has run on a stack of its own. At least 1. */
size_t context_callers(const struct context *context, uintptr_t *out, size_t most);

/* Suspends `self`, which is running, and resumes `other`; returns when it is switched back to. */
void context_switch(struct context *self, struct context *other);

/* The same for a context that is never resumed; its stack may then be reused. */
_Noreturn void context_leave(struct context *self, struct context *other);

/* Frees what the sanitizers hold; the stack stays the caller's. */
void context_release(struct context *context);

/* Tell the sanitizers that a stack was made, has become empty, goes away. */
void context_stack_added(void *stack, size_t size);
void context_stack_emptied(void *stack, size_t size);
void context_stack_removed(void *stack, size_t size);
