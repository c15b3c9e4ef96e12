/* backend_file_layout.c — which file of the state directory holds what. */
#include "backend/backend_file.h"

#include "base/fs.h"
#include "base/vec.h"
#include "model/resource.h"

static struct diy_layout file_layout(const struct file_backend *file, struct arena *arena)
{
    return (struct diy_layout){ .root = arena_concat(arena, file->folder, STR("/")),
                                .is_legacy = file->is_legacy };
}

str file_stack_path(const struct file_backend *file, struct arena *arena, struct stack_ref stack,
                    const char *extension)
{
    return diy_stack_path(file_layout(file, arena), arena, stack, extension);
}

str file_history_folder(const struct file_backend *file, struct arena *arena,
                        struct stack_ref stack)
{
    return diy_history_folder(file_layout(file, arena), arena, stack);
}

str file_backup_folder(const struct file_backend *file, struct arena *arena, struct stack_ref stack)
{
    return diy_backup_folder(file_layout(file, arena), arena, stack);
}

str file_lock_folder(const struct file_backend *file, struct arena *arena, struct stack_ref stack)
{
    return diy_lock_folder(file_layout(file, arena), arena, stack);
}

str file_own_lock(const struct file_backend *file, struct arena *arena, struct stack_ref stack)
{
    return arena_concat(arena, file_lock_folder(file, arena, stack), STR("/"), file->lock_id,
                        STR(".json"));
}

struct diy_history_names file_history_names(const struct file_backend *file, struct arena *arena,
                                            struct stack_ref stack, int64_t stamp,
                                            enum compression checkpoint)
{
    return diy_history_names(file_layout(file, arena), arena, stack, stamp, file->compression,
                             checkpoint);
}

fallible file_make_room(const struct file_backend *file, str path)
{
    return fs_make_directory(fs_path_directory(path), file->folder_mode);
}

/* --- what stacks there are --- */

struct found {
    VEC(struct stack_summary);
};

static fallible find_in(str folder, str project, struct arena *arena, struct found *found)
{
    struct strs names;

    TRY(folder_list(arena, folder, &names));
    for (size_t i = 0; i < names.len; i++) {
        struct stack_summary summary = { .stack.project = project };
        if (diy_stack_of_file(names.items[i], &summary.stack.name))
            vec_add(found, summary);
    }
    return NULL;
}

static fallible find_all(const struct file_backend *file, struct arena *arena, str project,
                         struct found *found)
{
    str stacks = diy_stacks_folder(file_layout(file, arena), arena);
    struct strs projects = { &project, 1 };

    if (file->is_legacy)
        return find_in(stacks, STR(""), arena, found);
    if (project.len == 0)
        TRY(folder_list(arena, stacks, &projects));
    for (size_t i = 0; i < projects.len; i++) {
        str name = arena_copy(arena, projects.items[i]);
        TRY(find_in(arena_concat(arena, stacks, STR("/"), name), name, arena, found));
    }
    return NULL;
}

fallible file_find_stacks(const struct file_backend *file, struct arena *arena, str project,
                          struct stack_summaries *out)
{
    struct found found = { 0 };
    struct error *failure = find_all(file, arena, project, &found);

    diy_sort_stacks(found.items, &found.len);
    if (!failure) {
        out->items = arena_copy_bytes(arena, found.items, found.len * sizeof(*found.items));
        out->len = found.len;
    }
    vec_release(&found);
    return failure;
}

fallible file_has_legacy_stacks(str folder, bool *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct file_backend file = { .folder = folder, .is_legacy = true };
    struct stack_summaries stacks = { 0 };

    TRY(file_find_stacks(&file, &scratch, STR(""), &stacks));
    *out = stacks.len > 0;
    return NULL;
}
