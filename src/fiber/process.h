/* process.h — child processes: own process group, ended when we end, watched by pidfd. */
#pragma once

#include "base/error.h"

struct process;
struct stream;

struct process_options {
    const char *path;               /* executable */
    const char *const *argv;        /* NULL-terminated, argv[0] included */
    const char *const *environment; /* NULL-terminated "K=V"; NULL: ours */
    const char *directory;          /* NULL: ours */
    const char *stdin_path;         /* a file that it reads; NULL: /dev/null */
    bool pipes_stdin;               /* a pipe held open and never written; else /dev/null */
    bool inherits_output;           /* stdout and stderr are ours; else pipes */
    bool has_no_terminal; /* a session of its own: what asks a person fails. Else it would be
                             stopped, for it is not the group in front */
    bool leaves_daemons;  /* a command of the user: with a guard, its group lives on when it has
                             ended, and what has a session of its own even longer than we */
};

/* From here on nothing that children leave behind outlives us, whatever becomes of us: background
 * processes, daemons with sessions of their own, what a wrapper started. The first child costs a
 * fork. For programs that start plugins; once, before the scheduler runs. */
void process_guard_enable(void);

fallible process_open(const struct process_options *options, struct process **out);
int process_id(const struct process *process);
struct stream *process_stdout(struct process *process); /* NULL with inherits_output */
struct stream *process_stderr(struct process *process);

/* Waits for the end; *status as of wait(2). Blocks; may be called by several. */
fallible process_wait(struct process *process, int *status);
fallible process_wait_ms(struct process *process, uint64_t milliseconds, int *status);
bool process_has_ended(const struct process *process);

/* To the whole group; nothing if it has ended. */
void process_signal(struct process *process, int signal_number);

/* Interrupts the group, waits for `grace_ms`, kills what is left of it, waits. The streams can
 * still be read to their end. Not interrupted by cancellation. Blocks. */
void process_end(struct process *process, uint64_t grace_ms);

/* Ends it and frees it with its streams. A fiber that reads the output must not come back to them:
 * to let it have the last words, end the process, wait for the fiber, then close. Blocks. */
void process_close(struct process *owned, uint64_t grace_ms);
