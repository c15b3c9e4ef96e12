/* backend_object_ops.h — the operations of the backend over stores of objects, as a kind of
 * backend. */
#pragma once

#include "backend/backend_object.h"
#include "pq/pq_url.h"

fallible object_open(const struct backend_options *options, struct backend **out);
void object_close(struct backend *owned);
fallible object_write_meta(struct object_backend *object);
fallible object_create(struct backend *backend, struct stack_ref stack,
                       const struct snapshot *initial);
fallible object_exists(struct backend *backend, struct stack_ref stack, bool *out);
fallible object_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                     struct snapshot *out, bool *has_deployment);
fallible object_save(struct backend *backend, struct stack_ref stack,
                     const struct snapshot *snapshot);
fallible object_find_stacks(struct object_backend *object, struct arena *arena, str project,
                            struct object_list *keys, struct stack_summaries *out);
fallible object_list(struct backend *backend, struct arena *arena, str project,
                     struct stack_summaries *out);
fallible object_remove_stack(struct backend *backend, struct stack_ref stack, bool force,
                             bool removes_backups);
fallible object_rename_stack(struct backend *backend, struct stack_ref stack,
                             struct stack_ref renamed, const struct snapshot *snapshot);
fallible object_upgrade(struct backend *backend, struct arena *arena, struct layout_upgrade *out);
fallible object_lock(struct backend *backend, struct stack_ref stack);
fallible object_unlock(struct backend *backend, struct stack_ref stack);
fallible object_describe_locks(struct backend *backend, struct stack_ref stack, struct arena *arena,
                               struct strs *out);
fallible object_break_locks(struct backend *backend, struct stack_ref stack, size_t *count);
fallible object_add_history(struct backend *backend, struct stack_ref stack,
                            const struct history_entry *entry);
fallible object_history(struct backend *backend, struct stack_ref stack, struct arena *arena,
                        size_t page, size_t page_size, struct history *out);
fallible object_tags(struct backend *backend, struct stack_ref stack, struct arena *arena,
                     struct tags *out);
fallible object_change_tag(struct backend *backend, struct stack_ref stack, str name,
                           const str *value);
fallible object_open_journal(struct backend *backend, struct stack_ref stack, struct journal **out);

/* The backend over the store of a scheme; the scheme chooses the store (object_store_open). */
#define OBJECT_BACKEND(url_scheme, url_form)                                                     \
    {                                                                                            \
        .scheme = (url_scheme), .form = (url_form), .place = BACKEND_ON_FIBERS,                  \
        .public_url = pq_url_without_password, .open = object_open, .close = object_close,       \
        .create = object_create, .exists = object_exists, .list = object_list,                   \
        .remove = object_remove_stack, .rename = object_rename_stack, .upgrade = object_upgrade, \
        .load = object_load, .save = object_save, .lock = object_lock, .unlock = object_unlock,  \
        .describe_locks = object_describe_locks, .break_locks = object_break_locks,              \
        .add_history = object_add_history, .history = object_history, .tags = object_tags,       \
        .change_tag = object_change_tag, .open_journal = object_open_journal                     \
    }
