/* journal_file_read.c — finds the journal of a stack, and puts it away when it does not apply. */
#include "backend/journal_file.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/fs.h"

fallible journal_file_read(const struct file_backend *file, struct arena *arena,
                           struct stack_ref stack, struct journal_on_disk *out)
{
    struct journal_on_disk journal = { .path = file_stack_path(file, arena, stack, ".journal") };
    str bytes;

    struct error *failure = file_read(arena, journal.path, NULL, &bytes);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "most stacks have none");
        *out = journal;
        return NULL;
    }
    TRY(failure);
    journal.exists = true;
    TRY(error_wrap(journal_format_read(arena, bytes, &journal.contents),
                   "journal '%s' cannot be read; nothing was changed. Move it away to go on with "
                   "the checkpoint alone",
                   journal.path.ptr));
    *out = journal;
    return NULL;
}

fallible journal_file_damaged(const struct journal_on_disk *journal)
{
    return error_new(ERROR_INVALID,
                     "journal '%s' of an operation that was cut off is damaged at byte %zu, after "
                     "%zu good records; "
                     "nothing was changed. To go on with the checkpoint alone, move the journal "
                     "away; the checkpoint "
                     "does not know what that operation created, changed or deleted",
                     journal->path.ptr, journal->contents.end, journal->contents.count);
}

fallible journal_file_is_on_top(const struct file_backend *file, struct stack_ref stack, bool *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct journal_on_disk journal;
    struct stack_file current;
    str bytes = STR("");

    *out = false;
    struct error *failure = journal_file_read(file, &scratch, stack, &journal);
    if (failure) {
        error_ignore(failure, "what cannot be read is put aside later, not lost");
        return NULL;
    }
    if (!journal.exists)
        return NULL;
    TRY(stack_file_find(file, &scratch, stack, &current));
    if (current.exists)
        TRY(file_read(&scratch, current.path, NULL, &bytes));
    *out = !journal.contents.is_damaged
           && journal_contents_is_on_top(&journal.contents, &scratch, current.exists, bytes);
    return NULL;
}

/* Never over one that was put aside before. What could not be read is perhaps not there at all. */
static fallible put_aside(struct arena *scratch, str path)
{
    str aside = arena_concat(scratch, path, STR(".stale"));

    if (fs_exists(aside))
        aside = arena_printf(scratch, "%s.stale.%lld", path.ptr, (long long)clock_now());
    struct error *failure = fs_rename(path, aside);
    if (!failure || error_kind(failure) != ERROR_NOT_FOUND)
        return failure;
    error_ignore(failure, "there is nothing to put aside");
    return NULL;
}

fallible journal_file_discard(const struct file_backend *file, struct stack_ref stack,
                              bool is_included)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct journal_on_disk journal = { 0 };
    str path = file_stack_path(file, &scratch, stack, ".journal");

    struct error *failure = journal_file_read(file, &scratch, stack, &journal);
    bool holds_something = failure || journal.contents.count > 0 || journal.contents.is_damaged;
    if (failure) {
        error_ignore(failure, "put aside as it is");
        return put_aside(&scratch, path);
    }
    if (!journal.exists)
        return NULL;
    if (holds_something && !is_included)
        return put_aside(&scratch, path);
    fault_point("journal.before-unlink");
    return fs_remove_if_present(path);
}
