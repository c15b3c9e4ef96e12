/* process_clone.h — a child that shares our memory while we are suspended; private to this folder.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* The child calls `run` on the stack; we go on when it executes a program or exits. It is born in
 * the control group whose folder is `cgroup`, or in ours where that is -1 or cannot be done. A
 * negative answer: errno. */
pid_t process_clone(int (*run)(void *argument), char *stack, size_t stack_size, int cgroup,
                    void *argument);
