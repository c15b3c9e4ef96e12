/* process_cgroup.h — the control group that children are born in; private to this folder. */
#pragma once

#include "base/str.h"

enum { CGROUP_PATH_SIZE = 1024 };

/* Texts, because the watcher has no memory to make them in. Empty where there is none. */
struct cgroup {
    int fd; /* of the folder; -1: there is none */
    char folder[CGROUP_PATH_SIZE];
    char members[CGROUP_PATH_SIZE]; /* the numbers of its processes can be read here */
    char end[CGROUP_PATH_SIZE];     /* a 1 written here kills all of them */
};

/* Where /proc/PID/cgroup says that a process is, in the second version of control groups. False if
 * it does not say, or if that place cannot be reached. */
bool cgroup_place(str text, str *out);

/* A new group below our own, `name` has the number of our process in it: NUMBER.ANYTHING. Removes
 * those of processes that are gone. Where none can be made, because this system or user may not,
 * the group has no descriptor; that is no failure. */
void cgroup_make(struct cgroup *cgroup, const char *name);

/* Kills what is in it, if anything is, and removes it. */
void cgroup_remove(struct cgroup *cgroup);
