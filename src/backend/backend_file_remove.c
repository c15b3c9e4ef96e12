/* backend_file_remove.c — the end of a stack: its file becomes a backup, the rest goes. */
#include "backend/backend_file.h"

#include "backend/journal_file.h"
#include "backend/stack_errors.h"
#include "base/fs.h"

static fallible check_is_empty(struct backend *backend, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct snapshot snapshot;
    bool has_deployment;

    TRY(file_load(backend, stack, &scratch, &snapshot, &has_deployment));
    return stack_check_empty(stack, &snapshot);
}

/* Every format and its .bak. */
static fallible remove_backups(const struct file_backend *file, struct arena *scratch,
                               struct stack_ref stack)
{
    for (enum compression format = COMPRESSION_NONE; format < COMPRESSIONS; format++) {
        str path = file_stack_path(file, scratch, stack, ".json");
        str backup =
            arena_concat(scratch, path, str_from(compression_extensions[format]), STR(".bak"));
        TRY(fs_remove_if_present(backup));
        TRY(file_remove_attributes(backup));
    }
    return fs_remove_tree(file_backup_folder(file, scratch, stack));
}

fallible file_remove_stack(struct backend *backend, struct stack_ref stack, bool force,
                           bool removes_backups)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    CLEANUP(fd_close) int fence = -1;
    str tags = file_stack_path(file, &scratch, stack, ".pulumi-tags");
    bool exists, is_included;

    TRY(file_exists(backend, stack, &exists));
    if (!exists)
        return stack_not_found(stack);
    if (!force)
        TRY(check_is_empty(backend, stack));
    TRY(file_may_write(file, stack, &fence));
    /* The checkpoint comes last: cut off before that, the stack is there and can be removed. */
    TRY(fs_remove_if_present(tags));
    TRY(file_remove_attributes(tags));
    TRY(stack_file_sweep(file, stack));
    TRY(fs_remove_tree(file_history_folder(file, &scratch, stack)));
    /* With --force there may be a journal that knows of resources; it is kept beside the .bak that
     * it belongs to. */
    TRY(journal_file_is_on_top(file, stack, &is_included));
    TRY(stack_file_retire(file, stack));
    TRY(journal_file_discard(file, stack, removes_backups || (is_included && !force)));
    return removes_backups ? remove_backups(file, &scratch, stack) : NULL;
}
