/* process_spawn.h — starts a program in a new process; private to this folder. */
#pragma once

#include "base/error.h"

#include <signal.h>
#include <sys/types.h>

struct spawn {
    const char *path;
    const char *const *argv;
    const char *const *environment; /* NULL: ours */
    const char *directory;          /* NULL: ours */
    const char *mark;               /* one more variable; NULL: none */
    const sigset_t *mask;           /* of signals that it blocks; NULL: ours */
    int standard[3];                /* what becomes descriptor 0, 1 and 2, from 3 up; -1: ours */
    int cgroup;                     /* the folder of the control group it is born in; -1: ours */
    int watcher; /* learns the number of the child before its program runs; -1: there is none */
    bool leads_session;
};

/* The child leads a new process group, or session, and is killed when the calling thread ends. It
 * has every descriptor of ours that is not marked close-on-exec. Holds the whole thread up until
 * the program runs, well under a millisecond. */
fallible process_spawn(const struct spawn *spawn, pid_t *out);
