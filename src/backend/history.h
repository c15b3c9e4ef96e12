/* history.h — what a backend keeps of a stack beside its state: past operations, tags, maybe its
 * configuration. */
#pragma once

#include "backend/backend.h"

/* --- history --- */

struct op_count {
    str op;
    int64_t count;
};
struct history_entry {
    str kind;        /* update, refresh, destroy, resource-import */
    str result;      /* succeeded, failed, in-progress */
    int64_t version; /* its number, where states are kept by number; else 0 */
    str message;
    int64_t start_time; /* Unix seconds */
    int64_t end_time;
    const struct pair *environment;
    size_t environment_count;
    str config; /* raw JSON object as stored: key → text, {"secure": …} or object */
    const struct op_count *changes; /* sorted when they were read */
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

/* What a former operation left, by its number in the history; not every kind keeps that. */
fallible backend_load_version(struct backend *backend, struct stack_ref stack, str version,
                              struct arena *arena, struct snapshot *out, bool *has_deployment);

/* --- tags --- */

struct tags {
    const struct pair *items; /* sorted */
    size_t len;
};
fallible backend_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                      struct tags *out);
/* Adds, replaces or (no value) removes one. Who changes others at the same time does not undo it,
 * where the store has means for that. */
fallible backend_change_tag(struct backend *backend, struct stack_ref stack, str name,
                            const str *value);

/* --- configuration --- */

/* Where a stack's configuration is, if not in the file beside the project. */
struct config_location {
    str environment; /* of the hosted service; empty: the file */
    str secrets_provider;
    str encrypted_key;
    str encryption_salt;
};
fallible backend_config_location(struct backend *backend, struct stack_ref stack,
                                 struct arena *arena, struct config_location *out);
