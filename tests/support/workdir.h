/* workdir.h — the world of one scenario: a project, a state, plugins on the search path, all in a
 * folder of its own. */
#pragma once

#include "base/strbuf.h"
#include "support/command.h"

struct scenario;

struct workdir {
    struct arena *arena;
    str path;        /* the folder: proj/ home/ state/ bin/ run/ */
    str program;     /* the command line under test, absolute */
    str self;        /* this executable, which plays the plugins */
    bool is_verbose; /* every command and its output go to the log */
    struct strbuf *log;
    struct strs environment;
};

/* Makes the folder with a stack `dev` of the project `conf`, configured. Blocks. */
fallible workdir_prepare(struct workdir *workdir, const struct scenario *scenario);

str workdir_file(const struct workdir *workdir, const char *name);

/* Runs the command line in the project's folder, with further variables (an object; may be null).
 * Blocks. */
fallible workdir_run(struct workdir *workdir, struct strs args, struct value environment,
                     struct command_result *out);
/* The same with the output apart from the errors, and not in the log. */
fallible workdir_run_quietly(struct workdir *workdir, struct strs args, struct value environment,
                             struct command_result *out);

/* What the state looks like: the output of `stack export`. Fails with what the command says.
 * Blocks. */
fallible workdir_export(struct workdir *workdir, str *out);
