/* code.h — what a host answers that is asked to write a program. */
#pragma once

#include "base/error.h"

struct arena;

/* How a language writes comments, and what its programs are called. */
struct code_style {
    const char *file;    /* "index.ts" */
    const char *comment; /* "//" */
};

/* GenerateProgram. No host here writes code: the answer is a file of comments which says so and
 * shows the declarations as the engine wrote them, so that `import` goes on and the user can write
 * them by hand. */
fallible code_as_comments(struct arena *arena, const struct code_style *style, str request,
                          str *response);
