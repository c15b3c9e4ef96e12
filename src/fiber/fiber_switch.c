/* fiber_switch.c — the assembly of a stack switch, and everything the sanitizers must know about
 * it. */
#include "fiber/fiber_switch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Saves the callee-saved registers on the running stack, stores its pointer to *save, continues on
 * the stack `load`. */
extern void fiber_switch_stacks(void **save, void *load);
/* Where a new stack begins: calls the function in one preserved register with the argument in
 * another. */
extern void fiber_switch_first(void);

#if defined(__x86_64__)

/* Frame, from the low end: mxcsr and x87 control word, r15, r14, r13, r12, rbx, rbp, return
 * address. */
enum { FRAME_WORDS = 8, FRAME_R13 = 3, FRAME_R12 = 4, FRAME_POINTER = 6, FRAME_RETURN = 7 };

__asm__(".text\n"
        ".p2align 4\n"
        ".globl fiber_switch_stacks\n"
        ".hidden fiber_switch_stacks\n"
        ".type fiber_switch_stacks, @function\n"
        "fiber_switch_stacks:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    pushq %rbp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %rbx\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %r12\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %r13\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %r14\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %r15\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    stmxcsr (%rsp)\n"
        "    fnstcw 4(%rsp)\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    ldmxcsr (%rsp)\n"
        "    fldcw 4(%rsp)\n"
        "    addq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %r15\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %r14\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %r13\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %r12\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rbx\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rbp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size fiber_switch_stacks, . - fiber_switch_stacks\n"
        ".p2align 4\n"
        ".globl fiber_switch_first\n"
        ".hidden fiber_switch_first\n"
        ".type fiber_switch_first, @function\n"
        "fiber_switch_first:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined rip\n"
        "    endbr64\n"
        "    movq %r12, %rdi\n"
        "    callq *%r13\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size fiber_switch_first, . - fiber_switch_first\n");

static void *first_frame(char *top, void (*entry)(void *), void *argument)
{
    /* The callee of fiber_switch_first finds the stack aligned as after a call: `top` is a multiple
     * of 16. */
    uint64_t *frame = (uint64_t *)(void *)top - FRAME_WORDS;
    const uint32_t default_mxcsr = 0x1f80, default_control_word = 0x037f;

    memset(frame, 0, FRAME_WORDS * sizeof(*frame));
    frame[0] = default_mxcsr | (uint64_t)default_control_word << 32;
    frame[FRAME_R13] = (uint64_t)(uintptr_t)entry;
    frame[FRAME_R12] = (uint64_t)(uintptr_t)argument;
    frame[FRAME_RETURN] = (uint64_t)(uintptr_t)fiber_switch_first;
    return frame;
}

#elif defined(__aarch64__)

/* Frame, from the low end: d8 to d15, x19 to x28, frame pointer x29, link register x30. */
enum { FRAME_WORDS = 20, FRAME_X19 = 8, FRAME_X20 = 9, FRAME_POINTER = 18, FRAME_RETURN = 19 };

__asm__(".text\n"
        ".p2align 4\n"
        ".globl fiber_switch_stacks\n"
        ".hidden fiber_switch_stacks\n"
        ".type fiber_switch_stacks, %function\n"
        "fiber_switch_stacks:\n"
        "    .cfi_startproc\n"
        "    hint #34\n" /* bti c */
        "    sub sp, sp, #160\n"
        "    .cfi_adjust_cfa_offset 160\n"
        "    stp d8, d9, [sp, #0]\n"
        "    stp d10, d11, [sp, #16]\n"
        "    stp d12, d13, [sp, #32]\n"
        "    stp d14, d15, [sp, #48]\n"
        "    stp x19, x20, [sp, #64]\n"
        "    stp x21, x22, [sp, #80]\n"
        "    stp x23, x24, [sp, #96]\n"
        "    stp x25, x26, [sp, #112]\n"
        "    stp x27, x28, [sp, #128]\n"
        "    stp x29, x30, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp d8, d9, [sp, #0]\n"
        "    ldp d10, d11, [sp, #16]\n"
        "    ldp d12, d13, [sp, #32]\n"
        "    ldp d14, d15, [sp, #48]\n"
        "    ldp x19, x20, [sp, #64]\n"
        "    ldp x21, x22, [sp, #80]\n"
        "    ldp x23, x24, [sp, #96]\n"
        "    ldp x25, x26, [sp, #112]\n"
        "    ldp x27, x28, [sp, #128]\n"
        "    ldp x29, x30, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    .cfi_adjust_cfa_offset -160\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size fiber_switch_stacks, . - fiber_switch_stacks\n"
        ".p2align 4\n"
        ".globl fiber_switch_first\n"
        ".hidden fiber_switch_first\n"
        ".type fiber_switch_first, %function\n"
        "fiber_switch_first:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined x30\n"
        "    hint #34\n" /* bti c */
        "    mov x0, x19\n"
        "    blr x20\n"
        "    brk #1\n"
        "    .cfi_endproc\n"
        ".size fiber_switch_first, . - fiber_switch_first\n");

static void *first_frame(char *top, void (*entry)(void *), void *argument)
{
    uint64_t *frame = (uint64_t *)(void *)top - FRAME_WORDS;

    memset(frame, 0, FRAME_WORDS * sizeof(*frame));
    frame[FRAME_X19] = (uint64_t)(uintptr_t)argument;
    frame[FRAME_X20] = (uint64_t)(uintptr_t)entry;
    frame[FRAME_RETURN] = (uint64_t)(uintptr_t)fiber_switch_first;
    return frame;
}

#else
#error "fiber_switch.c knows x86-64 and aarch64; add the switch for this processor"
#endif

/* gcc says it by a macro, clang by a feature. */
#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>

static void before_switch(struct context *self, struct context *other, int is_last)
{
    other->came_from = self;
    __sanitizer_start_switch_fiber(is_last ? NULL : &self->fake_stack, other->stack_bottom,
                                   other->stack_size);
}

/* The sanitizer says where the stack was that we came from: the only way to learn about the
 * thread's own. */
static void after_switch(struct context *self)
{
    struct context *from = self->came_from;
    __sanitizer_finish_switch_fiber(self->fake_stack, &from->stack_bottom, &from->stack_size);
}

/* What only a suspended fiber refers to is not leaked. */
void context_stack_added(void *stack, size_t size)
{
    __lsan_register_root_region(stack, size);
}

/* A frame that was left for good, and not by returning, keeps its red zones: the next user must not
 * meet them. */
void context_stack_emptied(void *stack, size_t size)
{
    __asan_unpoison_memory_region(stack, size);
}

void context_stack_removed(void *stack, size_t size)
{
    __asan_unpoison_memory_region(stack, size);
    __lsan_unregister_root_region(stack, size);
}

void context_release(struct context *context)
{
    *context = (struct context){ 0 };
}

#else

#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)

#include <sanitizer/tsan_interface.h>

/* Inlined: its own return would be booked on the stack that it switches to. */
__attribute__((always_inline)) static inline void before_switch(struct context *self,
                                                                struct context *other, int is_last)
{
    (void)is_last;
    if (!self->thread_sanitizer)
        self->thread_sanitizer = __tsan_get_current_fiber();
    if (!other->thread_sanitizer)
        other->thread_sanitizer = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(other->thread_sanitizer, 0);
}

void context_release(struct context *context)
{
    if (context->thread_sanitizer)
        __tsan_destroy_fiber(context->thread_sanitizer);
    *context = (struct context){ 0 };
}

#else

static void before_switch(struct context *self, struct context *other, int is_last)
{
    (void)self;
    (void)other;
    (void)is_last;
}

void context_release(struct context *context)
{
    *context = (struct context){ 0 };
}

#endif

static void after_switch(struct context *self)
{
    (void)self;
}

void context_stack_added(void *stack, size_t size)
{
    (void)stack;
    (void)size;
}

void context_stack_emptied(void *stack, size_t size)
{
    (void)stack;
    (void)size;
}

void context_stack_removed(void *stack, size_t size)
{
    (void)stack;
    (void)size;
}

#endif

void context_init(struct context *context, void *stack, size_t size, void (*entry)(void *),
                  void *argument)
{
    *context = (struct context){ .stack_bottom = stack, .stack_size = size };
    context->stack_pointer = first_frame((char *)stack + size, entry, argument);
}

/* Everything is compiled with frame pointers: at each is the caller's, and above it where the call
 * returns to. */
size_t context_callers(const struct context *context, uintptr_t *out, size_t most)
{
    const uint64_t *frame = context->stack_pointer;
    uintptr_t low = (uintptr_t)frame, high = (uintptr_t)context->stack_bottom + context->stack_size;
    size_t count = 0;

    out[count++] = frame[FRAME_RETURN];
    for (uintptr_t at = frame[FRAME_POINTER]; count < most;) {
        if (at <= low || at >= high - 2 * sizeof(uint64_t) || at % sizeof(uint64_t) != 0)
            break;
        const uint64_t *record = (const uint64_t *)at; /* NOLINT: a register that was saved */
        if (!record[1])
            break;
        out[count++] = record[1];
        low = at;
        at = record[0];
    }
    return count;
}

void context_begin(struct context *self)
{
    after_switch(self);
}

void context_switch(struct context *self, struct context *other)
{
    before_switch(self, other, 0);
    fiber_switch_stacks(&self->stack_pointer, other->stack_pointer);
    after_switch(self);
}

_Noreturn void context_leave(struct context *self, struct context *other)
{
    before_switch(self, other, 1);
    fiber_switch_stacks(&self->stack_pointer, other->stack_pointer);
    abort();
}
