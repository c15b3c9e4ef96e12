/* history.h — what a backend keeps of a stack beside its state: past operations, and tags. */
#pragma once

#include "backend/backend.h"

/* --- history --- */

struct op_count {
    str op;
    int64_t count;
};
struct history_entry {
    str kind;   /* update, refresh, destroy, resource-import */
    str result; /* succeeded, failed */
    str message;
    int64_t start_time; /* Unix seconds */
    int64_t end_time;
    const struct pair *environment;
    size_t environment_count;
    str config; /* raw JSON object as stored: key → text, {"secure": …} or object */
    const struct op_count *changes;
    size_t change_count;
};
struct history {
    struct history_entry *items; /* newest first */
    size_t len;
};
/* Also copies the checkpoint beside it and to the backups. */
fallible backend_add_history(struct backend *backend, struct stack_ref stack,
                             const struct history_entry *entry);
/* `page` from 1; page_size 0: all. */
fallible backend_history(struct backend *backend, struct stack_ref stack, struct arena *arena,
                         size_t page, size_t page_size, struct history *out);

/* --- tags --- */

struct tags {
    const struct pair *items; /* sorted */
    size_t len;
};
fallible backend_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                      struct tags *out);
fallible backend_set_tags(struct backend *backend, struct stack_ref stack, const struct tags *tags);
