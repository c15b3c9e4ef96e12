/* vcs.h — what the repository around a project says, for the history of updates. */
#pragma once

#include "backend/backend.h"

struct vcs_facts {
    struct pair pairs[16]; /* git.head, git.author … */
    size_t count;
    str title; /* of the commit; the message of an update that was given none */
};

/* Asks `git` if the directory is in a repository and git is installed; otherwise the result is
 * empty. Blocks. */
void vcs_look(struct arena *arena, str directory, str search_path, struct vcs_facts *out);
