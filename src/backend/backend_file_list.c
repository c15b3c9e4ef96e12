/* backend_file_list.c — a line about every stack, from a skim of its file. */
#include "backend/backend_file.h"
#include "backend/stack_summary.h"
#include "base/fs.h"

static fallible skim_file(struct file_backend *file, struct arena *scratch,
                          struct stack_summary *out)
{
    struct stack_file current;
    str text;

    TRY(stack_file_find(file, scratch, out->stack, &current));
    TRY(file_read_text(scratch, current.path, &text));
    return stack_summary_skim(scratch, text, out);
}

static void summarize(struct file_backend *file, struct arena *arena, struct stack_summary *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stack_summary summary = *out;
    bool has_journal = fs_exists(file_stack_path(file, &scratch, out->stack, ".journal"));

    struct error *failure = has_journal ? stack_summary_load(&file->backend, &scratch, &summary)
                                        : skim_file(file, &scratch, &summary);
    if (failure) {
        error_ignore(failure,
                     "one bad stack must not hide the others; using it tells what is wrong");
        return;
    }
    summary.last_update = arena_copy(arena, summary.last_update);
    *out = summary;
}

fallible file_list(struct backend *backend, struct arena *arena, str project,
                   struct stack_summaries *out)
{
    struct file_backend *file = (struct file_backend *)backend;
    struct stack_summaries stacks;

    TRY(file_find_stacks(file, arena, project, &stacks));
    for (size_t i = 0; i < stacks.len; i++)
        summarize(file, arena, &stacks.items[i]);
    *out = stacks;
    return NULL;
}
