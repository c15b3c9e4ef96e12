/* command.h — runs a program to its end and keeps what it printed. */
#pragma once

#include "model/resource.h"

struct command {
    struct strs words;              /* the first is the path of the program */
    const char *const *environment; /* NULL-terminated; NULL: ours */
    str directory;
    uint64_t timeout_ms;
    bool joins_output; /* standard error goes where standard output goes, in order */
};

struct command_result {
    int exit_code; /* -1: ended by a signal */
    int signal_number;
    bool has_timed_out;
    str output;
    str errors; /* standard error, unless joined */
};

/* Results live in the arena. Only what cannot be started fails. Blocks. */
fallible command_run(struct arena *arena, const struct command *command,
                     struct command_result *out);
