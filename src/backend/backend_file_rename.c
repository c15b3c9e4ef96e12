/* backend_file_rename.c — gives a stack another name, and takes its tags, history and backups along. */
#include "backend/backend_file.h"

#include "backend/journal_file.h"
#include "base/fs.h"
#include "model/resource.h"

/* OLD<separator>rest becomes NEW<separator>rest, in the new folder. */
static fallible move_files(const struct file_backend *file, str from, str to, struct stack_ref stack,
                           struct stack_ref renamed)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct strs names;

    TRY(folder_list(&scratch, from, &names));
    if (names.len == 0)
        return NULL;
    TRY(fs_make_directory(to, file->folder_mode));
    for (size_t i = 0; i < names.len; i++) {
        str name = names.items[i], target = name;
        if (str_starts_with(name, stack.name))
            target = arena_concat(&scratch, renamed.name, str_slice(name, stack.name.len, name.len));
        TRY(fs_rename(arena_concat(&scratch, from, STR("/"), name), arena_concat(&scratch, to, STR("/"), target)));
    }
    return fs_remove_tree(from);
}

static fallible move_tags(const struct file_backend *file, struct stack_ref stack, struct stack_ref renamed)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str from = file_stack_path(file, &scratch, stack, ".pulumi-tags");
    str to = file_stack_path(file, &scratch, renamed, ".pulumi-tags");

    TRY(file_remove_attributes(from));
    if (!fs_exists(from))
        return NULL;
    TRY(file_remove_attributes(to));
    return fs_rename(from, to);
}

/* The new file first, the old one last: cut off anywhere, both names lead to a whole state. */
struct error *file_rename_stack(struct backend *backend, struct stack_ref stack, struct stack_ref renamed,
                                const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct file_backend *file = (struct file_backend *)backend;
    bool exists, is_included;

    TRY(file_exists(backend, stack, &exists));
    if (!exists)
        return stack_not_found(stack);
    TRY(stack_file_create(file, renamed, snapshot));
    TRY(move_tags(file, stack, renamed));
    TRY(move_files(file, file_history_folder(file, &scratch, stack), file_history_folder(file, &scratch, renamed),
                   stack, renamed));
    TRY(move_files(file, file_backup_folder(file, &scratch, stack), file_backup_folder(file, &scratch, renamed), stack,
                   renamed));
    TRY(journal_file_is_on_top(file, stack, &is_included));
    TRY(stack_file_retire(file, stack));
    return journal_file_discard(file, stack, is_included);
}
