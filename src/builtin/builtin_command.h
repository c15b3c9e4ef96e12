/* builtin_command.h — running the commands of package "command"; private to this folder. */
#pragma once

#include "builtin/builtin.h"

struct command_provider {
    struct provider provider; /* first: the operations get this */
    const struct builtin_world *world;
};

/* Runs it as the inputs say; `previous` has the output of the run before. Results: stdout, stderr and, where asked for,
 * assets and archive. Lines go to the user as they come unless `logging` says otherwise. Its processes end with the
 * fiber's scope. Blocks. */
fallible local_command_run(const struct builtin_world *world, str urn, str command, struct value inputs,
                           struct value previous, struct arena *arena, struct value *results);

/* The files below a folder that the patterns choose, as paths from there, sorted. Blocks the thread. */
fallible local_glob(struct arena *arena, str directory, struct value patterns, struct strs *out);

/* '*' is anything but '/', '**' anything, '?' one character but '/', [a-z] one of these, {a,b} either. */
bool local_glob_match(str pattern, str path);
