/* node_manager.h — npm, yarn, pnpm and bun. */
#pragma once

#include "nodejs/nodejs.h"

struct package_manager {
    const char *name;
    const char *lock_files[2]; /* whose presence says that the project uses it */
    const char *install[3];    /* arguments */
    const char *production;    /* one more argument; NULL: it has none */
};

struct chosen_manager {
    const struct package_manager *manager;
    str path;
    const char
        *missing; /* the one whose lock file is there, but which is not installed; NULL: none */
};

/* The one that the options name, else the one whose lock file is here or above, else npm. */
fallible node_choose_manager(struct host *host, struct arena *arena, const struct program *program,
                             struct chosen_manager *out);

/* The root of the workspace that the folder is a member of, or the empty slice. */
str node_workspace_root(struct arena *arena, str directory);
