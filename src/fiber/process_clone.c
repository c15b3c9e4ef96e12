/* process_clone.c — the system call that makes a child, in its two forms.
 *
 * Only the newer one, clone3, puts the child into a control group at once. To move it there later
 * takes up to 30 milliseconds, because the kernel waits for all processors. The C library has no
 * function for it. */
#include "fiber/process_clone.h"

#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

/* The C library's clone by its other name: the thread sanitizer's wrapper takes it for a fork and
 * forgets about us. */
extern int __clone(int (*run)(void *argument), void *stack_top, int flags, void *argument, ...);

#if defined(CLONE_INTO_CGROUP) && (defined(__x86_64__) || defined(__aarch64__))
#define HAS_CLONE3 1

/* Answers the number of the child, or a negative errno. In the child it does not return: the child
 * has a stack without our frames. */
extern long process_clone3(struct clone_args *args, size_t size, int (*run)(void *argument),
                           void *argument);
#else
#define HAS_CLONE3 0
#endif

#if HAS_CLONE3 && defined(__x86_64__)

/* A system call changes rax, rcx and r11 only. */
__asm__(".text\n"
        ".p2align 4\n"
        ".globl process_clone3\n"
        ".hidden process_clone3\n"
        ".type process_clone3, @function\n"
        "process_clone3:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    movq %rcx, %r8\n"
        "    movl $435, %eax\n"
        "    syscall\n"
        "    testq %rax, %rax\n"
        "    jz 1f\n"
        "    ret\n"
        "1:\n"
        "    .cfi_undefined rip\n"
        "    xorl %ebp, %ebp\n"
        "    movq %r8, %rdi\n"
        "    callq *%rdx\n"
        "    ud2\n"
        "    .cfi_endproc\n"
        ".size process_clone3, . - process_clone3\n");

#elif HAS_CLONE3

__asm__(".text\n"
        ".p2align 4\n"
        ".globl process_clone3\n"
        ".hidden process_clone3\n"
        ".type process_clone3, %function\n"
        "process_clone3:\n"
        "    .cfi_startproc\n"
        "    hint #34\n" /* bti c */
        "    mov x8, #435\n"
        "    svc #0\n"
        "    cbz x0, 1f\n"
        "    ret\n"
        "1:\n"
        "    .cfi_undefined x30\n"
        "    mov x29, xzr\n"
        "    mov x30, xzr\n"
        "    mov x0, x3\n"
        "    blr x2\n"
        "    brk #1\n"
        "    .cfi_endproc\n"
        ".size process_clone3, . - process_clone3\n");

#endif

#if HAS_CLONE3
static long clone_into(int (*run)(void *argument), char *stack, size_t stack_size, int cgroup,
                       void *argument)
{
    struct clone_args args = {
        .flags = (unsigned long long)(CLONE_VM | CLONE_VFORK) | CLONE_INTO_CGROUP,
        .exit_signal = SIGCHLD,
        .stack = (uintptr_t)stack,
        .stack_size = stack_size,
        .cgroup = (unsigned)cgroup,
    };
    return process_clone3(&args, sizeof(args), run, argument);
}
#else
static long clone_into(int (*run)(void *argument), char *stack, size_t stack_size, int cgroup,
                       void *argument)
{
    (void)run, (void)stack, (void)stack_size, (void)cgroup, (void)argument;
    return -ENOSYS;
}
#endif

pid_t process_clone(int (*run)(void *argument), char *stack, size_t stack_size, int cgroup,
                    void *argument)
{
    long child = cgroup >= 0 ? clone_into(run, stack, stack_size, cgroup, argument) : -1;

    if (child > 0)
        return (pid_t)child;
    child = __clone(run, stack + stack_size, CLONE_VM | CLONE_VFORK | SIGCHLD, argument);
    return child < 0 ? -errno : (pid_t)child;
}
