/* backend_file.h — stacks in a directory: what the parts of the file backend share. All of it
 * blocks the thread. */
#pragma once

#include "backend/backend_ops.h"
#include "backend/compression.h"
#include "backend/diy_layout.h"
#include "backend/file_io.h"

/* Immutable after open, but for what `locks` points to. */
struct file_backend {
    struct backend backend;
    str folder;               /* absolute, as the URL says */
    str query;                /* of the normalised URL, "?…" or empty */
    str lock_id;              /* names our lock files */
    struct file_locks *locks; /* those that we have written */
    unsigned patience_ms;     /* with who writes while we take or break a lock */
    mode_t folder_mode;       /* of what we make; what is there keeps its own */
    mode_t file_mode;
    enum compression compression; /* of what we write */
    bool is_legacy;               /* the old layout without projects */
};

/* --- where things are (backend_file_layout.c); results live in the arena --- */

str file_stack_path(const struct file_backend *file, struct arena *arena, struct stack_ref stack,
                    const char *extension); /* .pulumi/stacks/PROJECT/STACK<extension> */
str file_history_folder(const struct file_backend *file, struct arena *arena,
                        struct stack_ref stack);
str file_backup_folder(const struct file_backend *file, struct arena *arena,
                       struct stack_ref stack);
str file_lock_folder(const struct file_backend *file, struct arena *arena, struct stack_ref stack);
/* The lock file that is or would be ours. */
str file_own_lock(const struct file_backend *file, struct arena *arena, struct stack_ref stack);
struct diy_history_names file_history_names(const struct file_backend *file, struct arena *arena,
                                            struct stack_ref stack, int64_t stamp,
                                            enum compression checkpoint);
/* Makes the directory of this file if need be. */
fallible file_make_room(const struct file_backend *file, str path);
/* Every stack there is, sorted by project and name; each once. */
fallible file_find_stacks(const struct file_backend *file, struct arena *arena, str project,
                          struct stack_summaries *out);
/* Says that the store has the layout with projects. */
fallible file_write_meta(const struct file_backend *file);
/* Whether the old layout has stacks. */
fallible file_has_legacy_stacks(str folder, bool *out);

/* --- the URL (backend_file_url.c) --- */

struct file_url {
    str folder;
    str query;
    mode_t folder_mode;
    mode_t file_mode;
    bool creates_folder;
};
fallible file_url_parse(struct arena *arena, str url, str home, struct file_url *out);
/* A path of the backend as a URL, for messages. */
str file_url_format(const struct file_backend *file, struct arena *arena, str path);

/* --- who may write (backend_file_fence.c) --- */

struct file_locks *file_locks_new(void);
void file_locks_free(struct file_locks *owned);
void file_locks_add(struct file_locks *locks, str path, const struct stat *status);
void file_locks_remove(struct file_locks *locks, str path);

/* Until *fence is closed (CLEANUP(fd_close)), nobody else takes or breaks the lock of the stack.
 * stack_replaced if the lock that we took is gone; fine if we have taken none. */
fallible file_may_write(const struct file_backend *file, struct stack_ref stack, int *fence);
/* Until *fence is closed, nobody who looks with file_may_write writes. */
fallible file_shut_out(const struct file_backend *file, struct stack_ref stack, int *fence);

/* --- stack files (backend_file_stack.c) --- */

struct stack_file {
    bool exists;
    enum compression format; /* by name */
    str path;                /* if there is none: where it would be */
    struct file_identity identity;
};
/* The current one among .json, .json.gz and .json.zst: the newest. */
fallible stack_file_find(const struct file_backend *file, struct arena *arena,
                         struct stack_ref stack, struct stack_file *out);

/* Writes the checkpoint and nothing else: journals are the caller's affair. Durable. */
fallible stack_file_save(const struct file_backend *file, struct stack_ref stack,
                         const struct snapshot *snapshot);
/* The current file becomes .bak. */
fallible stack_file_retire(const struct file_backend *file, struct stack_ref stack);
/* To another name or layout, with tags, history and backups. Goes on with a move that was cut
 * off. */
fallible stack_file_move(const struct file_backend *from, struct stack_ref stack,
                         struct file_backend *to, struct stack_ref renamed,
                         const struct snapshot *snapshot);
/* Removes temporary files that a killed writer left. The caller holds the lock. */
fallible stack_file_sweep(const struct file_backend *file, struct stack_ref stack);

/* --- operations --- */

extern const struct backend_ops backend_file;

fallible file_create(struct backend *backend, struct stack_ref stack,
                     const struct snapshot *initial);
fallible file_exists(struct backend *backend, struct stack_ref stack, bool *out);
/* *is_more: the journal knows something that the checkpoint does not. */
fallible file_load_all(struct backend *backend, struct stack_ref stack, struct arena *arena,
                       struct snapshot *out, bool *has_deployment, bool *is_more);
fallible file_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                   struct snapshot *out, bool *has_deployment);
fallible file_save(struct backend *backend, struct stack_ref stack,
                   const struct snapshot *snapshot);
fallible file_list(struct backend *backend, struct arena *arena, str project,
                   struct stack_summaries *out);
fallible file_remove_stack(struct backend *backend, struct stack_ref stack, bool force,
                           bool removes_backups);
fallible file_rename_stack(struct backend *backend, struct stack_ref stack,
                           struct stack_ref renamed, const struct snapshot *snapshot);
fallible file_upgrade(struct backend *backend, struct arena *arena, struct layout_upgrade *out);
fallible file_lock(struct backend *backend, struct stack_ref stack);
fallible file_unlock(struct backend *backend, struct stack_ref stack);
fallible file_describe_locks(struct backend *backend, struct stack_ref stack, struct arena *arena,
                             struct strs *out);
fallible file_break_locks(struct backend *backend, struct stack_ref stack, size_t *count);
/* Removes the locks of processes that ran on this host and have ended. */
fallible file_drop_dead_locks(const struct file_backend *file, struct stack_ref stack);
fallible file_add_history(struct backend *backend, struct stack_ref stack,
                          const struct history_entry *entry);
fallible file_history(struct backend *backend, struct stack_ref stack, struct arena *arena,
                      size_t page, size_t page_size, struct history *out);
fallible file_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                   struct tags *out);
fallible file_change_tag(struct backend *backend, struct stack_ref stack, str name,
                         const str *value);
fallible file_open_journal(struct backend *backend, struct stack_ref stack, struct journal **out);
