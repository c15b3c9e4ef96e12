/* log_list.h — the log files that -v has left. */
#pragma once

#include "base/error.h"

struct log_entry {
    str file; /* name */
    str path;
    str command;  /* "up"; empty: unknown */
    str stack;    /* as qualified; empty: unknown */
    int64_t time; /* of creation, nanoseconds since 1970 */
    uint64_t size;
    uint64_t pid;
};
struct log_entries {
    struct log_entry *items;
    size_t len;
};

/* Those of this user in the folder for temporary files, newest first. Reads: blocks the thread. */
fallible log_list(struct arena *arena, struct log_entries *out);

/* "2026-11-16", a time as RFC 3339, or how long ago: "90s", "30m", "1h30m", "7d". False if it is
 * none. */
bool log_time_parse(str text, int64_t now, int64_t *out);
