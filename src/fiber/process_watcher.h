/* process_watcher.h — a process that outlives us for a moment, to end our children; private to this
 * folder. */
#pragma once

#include "base/error.h"

#include <sys/types.h>

struct cgroup;

enum { MARK_SIZE = 64 };

/* A copy of ourselves that holds nothing of ours: no descriptor, terminal, lock or folder. It reads
 * numbers (int32_t) from the pipe: a process group of ours; with a minus sign, one that is no more;
 * 0 when all is well and it may go. If the pipe ends without that, we are gone: it ends those
 * groups, every process that has the mark in its environment and all that is in the control group,
 * by SIGTERM, then by SIGKILL, and removes the control group.
 *
 * waitpid sees it with __WALL only. `mark` has MARK_SIZE bytes at most. */
fallible watcher_start(const char *mark, const struct cgroup *cgroup, int *owned_pipe, pid_t *out);

/* Whether the environment of a process has the mark. For those of other users: no. */
bool process_has_mark(pid_t id, const char *mark);

/* Every process there is, until `visit` says no. Allocates nothing. */
void processes_visit(bool (*visit)(void *context, pid_t id), void *context);
