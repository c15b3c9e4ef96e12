/* log_file.h — where the log of a process goes, by the flags that every program here understands:
 * standard error, or a file of its own. */
#pragma once

#include "base/arena.h"

struct log_flags {
    int64_t verbosity; /* -v; 0: no log */
    bool to_stderr;    /* --logtostderr */
};

/* For plugins, which get -v=N and --logtostderr from an engine that has --logflow. False: the word
 * is neither. */
bool log_flags_take(struct log_flags *flags, str word);

/* What passes these flags on to a plugin; at most two. Returns their number. */
size_t log_flags_pass(struct log_flags flags, struct arena *arena, str *out);

/* Opens the log. Returns the path of its file; empty: there is none. */
str log_flags_open(struct log_flags flags, const char *program, struct arena *arena);
