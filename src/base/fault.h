/* fault.h — places where tests signal the process or make a system call fail; a load and a branch
 * when nothing is armed.
 *
 * CULUMI_FAULT=name:n       the n-th hit of the point `name` kills the process with SIGKILL
 * CULUMI_FAULT_SIGNAL=15    with this signal instead
 * CULUMI_FAIL=name:n        the n-th hit of the hook `name` fails
 * CULUMI_FAULT_LIST=file    appends "kill name" or "fail name" for every hit */
#pragma once

#include "base/str.h"

enum fault_state { FAULT_UNKNOWN, FAULT_OFF, FAULT_ARMED };

/* Private: read by the inline functions only. */
extern enum fault_state fault_state;
void fault_hit_point(const char *name);
bool fault_hit_hook(const char *name);

/* A crash here must leave something that the next run can use. */
static inline void fault_point(const char *name)
{
    if (__builtin_expect(__atomic_load_n(&fault_state, __ATOMIC_RELAXED) != FAULT_OFF, 0))
        fault_hit_point(name);
}

/* True if the call that follows should be taken as failed; errno is set to EIO then. */
static inline bool fault_fails(const char *name)
{
    return __builtin_expect(__atomic_load_n(&fault_state, __ATOMIC_RELAXED) != FAULT_OFF, 0)
           && fault_hit_hook(name);
}

/* For unit tests, instead of the environment: "name:n" or empty. */
void fault_arm(str kill, str fail);
