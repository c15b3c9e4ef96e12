/* process_guard.h — keeps children, and what they leave behind, from outliving us; private to this
 * folder. All of it does nothing until process_guard_enable. */
#pragma once

#include "base/error.h"

#include <sys/types.h>

/* Before the first child: we become the parent of all orphans, and the watcher starts. */
fallible guard_start(void);

/* "NAME=VALUE" for the environment of a child, by which everything that it starts is known; NULL
 * without a guard. */
const char *guard_mark(void);

/* The folder of the control group for children whose daemons are ours to end; -1 without one. */
int guard_cgroup(void);

/* The pipe to the watcher, for a child that says it is there; -1 without a guard. */
int guard_watcher(void);

/* A child that the watcher knows. `leaves_daemons`: what gets a session of its own is left alone at
 * the end. */
void guard_add(pid_t group, bool leaves_daemons);
/* Its leader was reaped. The watcher knows it until the last of its members has gone. */
void guard_remove(pid_t group);

/* Ends what is left, and the watcher. Holds the thread up for a moment if something is left. */
void guard_end(void);
