/* backend_file_sweep.c — removes what killed writers of a stack left. */
#include "backend/backend_file.h"

#include "base/fs.h"
#include "model/resource.h"

/* <stamp> of a retained checkpoint. */
static bool is_stamp(str text)
{
    uint64_t stamp;
    return str_to_u64(text, &stamp);
}

/* Behind the name of the stack: .json[.gz|.zst], maybe followed by .bak or a stamp. */
static bool is_checkpoint_name(str name)
{
    str head, tail;

    if (str_cut_last(name, STR("."), &head, &tail)
        && (str_equal(tail, STR("bak")) || is_stamp(tail)))
        name = head;
    return str_equal(name, STR(".json")) || str_equal(name, STR(".json.gz"))
           || str_equal(name, STR(".json.zst"));
}

/* A temporary file of the stack itself: names of other stacks may begin alike. */
static bool is_leftover_of_stack(str name, str stack)
{
    str middle, unique;

    if (!str_starts_with(name, stack) || !str_ends_with(name, STR(".tmp")))
        return false;
    name = str_slice(name, stack.len, name.len - STR(".tmp").len);
    return str_cut_last(name, STR("."), &middle, &unique)
           && (unique.len == 16 || str_equal(unique, STR("link"))) && is_checkpoint_name(middle);
}

/* In a directory that only this stack has. */
static bool is_leftover(str name, str stack)
{
    (void)stack;
    return str_ends_with(name, STR(".tmp"));
}

static fallible sweep_folder(str folder, str stack, bool (*is_swept)(str name, str stack))
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct strs names;

    TRY(folder_list(&scratch, folder, &names));
    for (size_t i = 0; i < names.len; i++)
        if (is_swept(names.items[i], stack))
            TRY(fs_remove_if_present(arena_concat(&scratch, folder, STR("/"), names.items[i])));
    return NULL;
}

fallible stack_file_sweep(const struct file_backend *file, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str stacks = fs_path_directory(file_stack_path(file, &scratch, stack, ""));
    str tags = fs_path_name(file_stack_path(file, &scratch, stack, ".pulumi-tags"));

    TRY(sweep_folder(stacks, stack.name, is_leftover_of_stack));
    TRY(sweep_folder(file_history_folder(file, &scratch, stack), stack.name, is_leftover));
    TRY(sweep_folder(file_backup_folder(file, &scratch, stack), stack.name, is_leftover));
    return fs_is_directory(stacks) ? fs_sweep(stacks, tags) : NULL;
}
