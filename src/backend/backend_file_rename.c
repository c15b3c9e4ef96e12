/* backend_file_rename.c — gives a stack another name, and takes its tags, history and backups
 * along. */
#include "backend/backend_file.h"

#include "backend/journal_file.h"
#include "backend/stack_errors.h"
#include "backend/stack_move.h"
#include "base/fs.h"
#include "model/resource.h"

/* OLD<separator>rest becomes NEW<separator>rest, in the new directory. */
static fallible move_files(str from, str to, mode_t folder_mode, struct stack_ref stack,
                           struct stack_ref renamed)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct strs names;

    TRY(folder_list(&scratch, from, &names));
    if (names.len == 0)
        return NULL;
    TRY(fs_make_directory(to, folder_mode));
    struct fs_new_name *moves = ARENA_ARRAY(&scratch, struct fs_new_name, names.len);
    for (size_t i = 0; i < names.len; i++)
        moves[i] = (struct fs_new_name){ names.items[i],
                                         diy_renamed(&scratch, names.items[i], stack, renamed) };
    TRY(fs_rename_all(from, to, moves, names.len));
    return fs_remove_tree(from);
}

static fallible move_tags(str from, str to)
{
    TRY(file_remove_attributes(from));
    if (!fs_exists(from))
        return NULL;
    TRY(file_remove_attributes(to));
    return fs_rename(from, to);
}

/* The new file first, the old one last: cut off anywhere, both names lead to a whole state, and the
 * same move goes on from there. */
fallible stack_file_move(const struct file_backend *from, struct stack_ref stack,
                         struct file_backend *to, struct stack_ref renamed,
                         const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(fd_close) int fence = -1;
    bool is_included;

    if (str_equal(file_stack_path(from, &scratch, stack, ""),
                  file_stack_path(to, &scratch, renamed, "")))
        return stack_exists_already(renamed);
    TRY(file_may_write(from, stack, &fence));
    TRY(stack_move_begin(&to->backend, renamed, snapshot));
    TRY(move_tags(file_stack_path(from, &scratch, stack, ".pulumi-tags"),
                  file_stack_path(to, &scratch, renamed, ".pulumi-tags")));
    TRY(move_files(file_history_folder(from, &scratch, stack),
                   file_history_folder(to, &scratch, renamed), to->folder_mode, stack, renamed));
    TRY(move_files(file_backup_folder(from, &scratch, stack),
                   file_backup_folder(to, &scratch, renamed), to->folder_mode, stack, renamed));
    TRY(journal_file_is_on_top(from, stack, &is_included));
    TRY(stack_file_retire(from, stack));
    return journal_file_discard(from, stack, is_included);
}

fallible file_rename_stack(struct backend *backend, struct stack_ref stack,
                           struct stack_ref renamed, const struct snapshot *snapshot)
{
    struct file_backend *file = (struct file_backend *)backend;
    bool exists;

    TRY(file_exists(backend, stack, &exists));
    if (!exists)
        return stack_not_found(stack);
    return stack_file_move(file, stack, file, renamed, snapshot);
}
