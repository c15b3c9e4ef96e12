/* backend_file_layout.c — which file of the state directory holds what. */
#include "backend/backend_file.h"

#include "base/fs.h"
#include "base/vec.h"
#include "model/resource.h"

static str stack_folder(const struct file_backend *file, struct arena *arena, const char *kind,
                        str project)
{
    if (file->is_legacy)
        return arena_printf(arena, STR_FMT "/.pulumi/%s", STR_ARG(file->folder), kind);
    return arena_printf(arena, STR_FMT "/.pulumi/%s/" STR_FMT, STR_ARG(file->folder), kind,
                        STR_ARG(project));
}

str file_stack_path(const struct file_backend *file, struct arena *arena, struct stack_ref stack,
                    const char *extension)
{
    str folder = stack_folder(file, arena, "stacks", stack.project);
    return arena_concat(arena, folder, STR("/"), stack.name, str_from(extension));
}

str file_history_folder(const struct file_backend *file, struct arena *arena,
                        struct stack_ref stack)
{
    str folder = stack_folder(file, arena, "history", stack.project);
    return arena_concat(arena, folder, STR("/"), stack.name);
}

str file_backup_folder(const struct file_backend *file, struct arena *arena, struct stack_ref stack)
{
    str folder = stack_folder(file, arena, "backups", stack.project);
    return arena_concat(arena, folder, STR("/"), stack.name);
}

str file_lock_folder(const struct file_backend *file, struct arena *arena, struct stack_ref stack)
{
    if (file->is_legacy)
        return arena_concat(arena, file->folder, STR("/.pulumi/locks/"), stack.name);
    return arena_concat(arena, file->folder, STR("/.pulumi/locks/"),
                        stack_ref_qualified(arena, stack));
}

fallible file_make_room(const struct file_backend *file, str path)
{
    return fs_make_directory(fs_path_directory(path), file->folder_mode);
}

/* --- what stacks there are --- */

struct found {
    VEC(struct stack_summary);
};

/* "dev.json.gz" → "dev"; false for files that are no stack. */
static bool stack_of_file(str name, str *out)
{
    for (int i = 0; i < COMPRESSIONS; i++) {
        str extension = str_from(compression_extensions[i]);
        if (extension.len > 0 && str_ends_with(name, extension)) {
            name = str_slice(name, 0, name.len - extension.len);
            break;
        }
    }
    if (!str_ends_with(name, STR(".json")))
        return false;
    *out = str_slice(name, 0, name.len - 5);

    struct error *refused = stack_name_check(*out);
    bool is_stack = !refused;
    error_free(refused);
    return is_stack;
}

static fallible find_in(str folder, str project, struct arena *arena, struct found *found)
{
    struct strs names;

    TRY(folder_list(arena, folder, &names));
    for (size_t i = 0; i < names.len; i++) {
        struct stack_summary summary = { .stack.project = project };
        if (stack_of_file(names.items[i], &summary.stack.name))
            vec_add(found, summary);
    }
    return NULL;
}

static fallible find_all(const struct file_backend *file, struct arena *arena, str project,
                         struct found *found)
{
    str stacks = arena_concat(arena, file->folder, STR("/.pulumi/stacks"));
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

static int compare_stacks(const void *a_, const void *b_)
{
    const struct stack_summary *a = a_, *b = b_;
    int order = str_compare(a->stack.project, b->stack.project);
    return order ? order : str_compare(a->stack.name, b->stack.name);
}

/* Sorts, and keeps one of a stack that has files in several formats. */
static void sort_unique(struct found *found)
{
    size_t kept = 0;

    if (found->len == 0)
        return;
    qsort(found->items, found->len, sizeof(*found->items), compare_stacks);
    for (size_t i = 1; i < found->len; i++)
        if (compare_stacks(&found->items[i], &found->items[kept]) != 0)
            found->items[++kept] = found->items[i];
    found->len = kept + 1;
}

fallible file_find_stacks(const struct file_backend *file, struct arena *arena, str project,
                          struct stack_summaries *out)
{
    struct found found = { 0 };
    struct error *failure = find_all(file, arena, project, &found);

    sort_unique(&found);
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
