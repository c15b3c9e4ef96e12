/* backend_file_upgrade.c — moves stacks of the old layout, which had no projects, to the present
 * one. */
#include "backend/backend_file.h"

#include "base/vec.h"

struct skipped {
    VEC(struct pair);
    size_t failed;
};

/* The stack is locked: until then another operation may change it. */
static fallible move_locked(struct file_backend *old, struct file_backend *new,
                            struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stack_ref moved = { .name = stack.name };
    struct snapshot snapshot;
    bool has_deployment;

    TRY(file_load(&old->backend, stack, &scratch, &snapshot, &has_deployment));
    TRY(diy_guess_project(&snapshot, &moved.project));
    TRY(file_drop_dead_locks(new, moved));
    TRY(file_lock(&new->backend, moved));
    struct error *failure = stack_file_move(old, stack, new, moved, &snapshot);
    return error_join(failure, file_unlock(&new->backend, moved));
}

static fallible move_stack(struct file_backend *old, struct file_backend *new,
                           struct stack_ref stack)
{
    /* Those of an upgrade that was killed: `cancel` knows only stacks of the present layout. */
    TRY(file_drop_dead_locks(old, stack));
    TRY(file_lock(&old->backend, stack));
    struct error *failure = move_locked(old, new, stack);
    return error_join(failure, file_unlock(&old->backend, stack));
}

fallible file_upgrade(struct backend *backend, struct arena *arena, struct layout_upgrade *out)
{
    struct file_backend *file = (struct file_backend *)backend;
    struct file_backend old = *file;
    struct stack_summaries stacks;
    struct skipped skipped = { 0 };

    old.is_legacy = true;
    TRY(file_find_stacks(&old, arena, STR(""), &stacks));
    /* The new layout comes first: cut off later, the rest can be moved by another upgrade. */
    TRY(file_write_meta(file));
    file->is_legacy = false;
    for (size_t i = 0; i < stacks.len; i++) {
        struct stack_ref stack = stacks.items[i].stack;
        struct error *failure = move_stack(&old, file, stack);
        if (!failure)
            continue;
        skipped.failed += error_kind(failure) != ERROR_NOT_FOUND;
        vec_add(&skipped, ((struct pair){ stack.name, arena_copy(arena, error_message(failure)) }));
        error_free(failure);
    }
    *out = (struct layout_upgrade){
        .upgraded = stacks.len - skipped.len,
        .skipped = arena_copy_bytes(arena, skipped.items, skipped.len * sizeof(*skipped.items)),
        .skipped_count = skipped.len,
        .failed_count = skipped.failed,
    };
    vec_release(&skipped);
    return NULL;
}
