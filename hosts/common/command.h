/* command.h — child processes of a host: run to their end, their output passed on or kept. */
#pragma once

#include "base/error.h"
#include "base/strbuf.h"
#include "common/words.h"

struct host;
struct debugger;

enum output_kind { OUTPUT_STDOUT, OUTPUT_STDERR };

/* Where output goes. */
struct sink {
    fallible (*write)(struct sink *sink, enum output_kind kind, str bytes);
};

/* NULL is our own stdout and stderr, which the engine shows. May block. */
fallible sink_write(struct sink *sink, enum output_kind kind, str bytes);

struct command {
    str path;
    struct words args;        /* without the name of the program */
    struct words environment; /* empty: ours */
    str directory;            /* empty: ours */
    bool is_program;          /* of the user: ended by Cancel. Tools (npm, pip, go, and git and ssh
                                 below them) find no terminal to ask at */
    bool is_killed; /* when the call is canceled: at once, instead of being interrupted first */
    struct debugger *debugger; /* that it waits for; NULL: none */
    bool has_input;            /* a pipe on which nothing comes, instead of an end of file */
};

void command_release(struct command *command);

/* *exit_code is -1 if a signal ended it. When the fiber is canceled the process is ended.
 * Blocks. */
fallible command_run(struct host *host, struct command *command, struct sink *sink, int *exit_code);

/* What it printed, up to some limit; the rest is dropped. */
struct captured {
    int exit_code;
    str out;
    str err;
};
fallible command_capture(struct host *host, struct arena *arena, struct command *command,
                         struct captured *captured);

/* The same, failing if the exit code is not 0, with the end of stderr in the message. *out is
 * trimmed. */
fallible command_read(struct host *host, struct arena *arena, struct command *command, str *out);
