/* builtin_command.h — running the commands of package "command"; private to this folder. */
#pragma once

#include "builtin/builtin.h"
#include "builtin/builtin_table.h"

extern const struct builtin_package command_package;

struct command_request {
    str urn; /* empty: a function */
    str command;
    struct value inputs;
    struct value previous; /* has the output of the run before */
    double timeout;        /* seconds; 0: none */
};

/* Runs it as the inputs say. Results: stdout, stderr and, where asked for, assets and archive.
 * Lines go to the user as they come unless `logging` says otherwise. Its processes are killed when
 * the time is up and end with the fiber's scope. Blocks. */
fallible local_command_run(const struct builtin_world *world, const struct command_request *request,
                           struct arena *arena, struct value *results);

/* The files below a folder that the patterns choose, as paths from there, sorted. Blocks the
 * thread. */
fallible local_glob(struct arena *arena, str directory, struct value patterns, struct strs *out);

/* '*' is anything but '/', '**' anything, '?' one character but '/', [a-z] one of these, {a,b}
 * either. */
bool local_glob_match(str pattern, str path);
