/* backend_file_stack.c — the file that holds a stack's checkpoint: which one is current, and how it
 * is replaced. */
#include "backend/backend_file.h"

#include "backend/file_writer.h"
#include "backend/journal_file.h"
#include "backend/stack_errors.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/fs.h"
#include "model/checkpoint.h"

/* Invariants:
 * 1. At every moment at least one stack file exists under its name and is whole.
 * 2. After save returns, the new one is durable and is the newest by modification time.
 * 3. No description (.attrs) of an older content is left beside a file we have written.
 * 4. Whose lock was taken away leaves everything under its name as it is. */

/* --- finding --- */

static str path_of(const struct file_backend *file, struct arena *arena, struct stack_ref stack,
                   enum compression format)
{
    return file_stack_path(file, arena, stack,
                           arena_printf(arena, ".json%s", compression_extensions[format]).ptr);
}

static bool is_older(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

fallible stack_file_find(const struct file_backend *file, struct arena *arena,
                         struct stack_ref stack, struct stack_file *out)
{
    struct stack_file best = { .format = file->compression,
                               .path = path_of(file, arena, stack, file->compression) };

    for (enum compression format = COMPRESSION_NONE; format < COMPRESSIONS; format++) {
        struct stack_file candidate = { .format = format,
                                        .path = path_of(file, arena, stack, format) };
        TRY(file_identify(candidate.path, &candidate.exists, &candidate.identity));
        if (candidate.exists
            && (!best.exists || !is_older(candidate.identity.modified, best.identity.modified)))
            best = candidate;
    }
    *out = best;
    return NULL;
}

fallible file_exists(struct backend *backend, struct stack_ref stack, bool *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stack_file current;

    TRY(stack_file_find((struct file_backend *)backend, &scratch, stack, &current));
    *out = current.exists;
    return NULL;
}

/* --- writing --- */

static fallible write_checkpoint(struct file_writer *writer, struct stack_ref stack,
                                 const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf buffer = { 0 };
    struct json_writer json = { .out = &buffer, .flush = file_writer_add, .flush_context = writer };

    checkpoint_write(&json, stack_ref_qualified(&scratch, stack), snapshot);
    TRY(json_writer_finish(&json));
    return file_writer_finish(writer);
}

/* Both files exist for a moment when the format changes; the new one must win then. */
static fallible make_newest(struct file_writer *writer, const struct stack_file *former)
{
    struct file_identity written;
    bool exists;

    TRY(file_identify(writer->temporary, &exists, &written));
    if (!exists || is_older(former->identity.modified, written.modified))
        return NULL;
    struct timespec later = former->identity.modified;
    later.tv_nsec++;
    if (later.tv_nsec >= NS_PER_S)
        later = (struct timespec){ .tv_sec = later.tv_sec + 1 };
    if (futimens(writer->fd, (struct timespec[]){ later, later }) < 0)
        return error_os("set the time of '%s'", writer->temporary.ptr);
    return NULL;
}

static fallible keep_as_backup(const struct file_backend *file, struct arena *scratch, str path)
{
    str backup = arena_concat(scratch, path, STR(".bak"));

    TRY(file_link(path, backup, file->file_mode));
    return file_remove_attributes(backup);
}

static fallible retain(const struct file_backend *file, struct arena *scratch, str path)
{
    if (!file->backend.options.diy.retains_checkpoints)
        return NULL;
    return file_copy(path, arena_printf(scratch, "%s.%lld", path.ptr, (long long)clock_now()),
                     file->file_mode);
}

/* The new file is ready beside its place. */
static fallible put_in_place(const struct file_backend *file, struct arena *scratch,
                             struct file_writer *writer, const struct stack_file *former)
{
    bool changes_format = former->exists && former->format != file->compression;

    if (former->exists) {
        TRY(keep_as_backup(file, scratch, former->path));
        TRY(fs_keep_owner(writer->fd, former->path));
    }
    if (changes_format)
        TRY(make_newest(writer, former));
    fault_point("checkpoint.backed-up");
    TRY(file_writer_commit(writer));
    fault_point("checkpoint.after-rename");
    if (changes_format) {
        TRY(fs_remove_if_present(former->path));
        TRY(file_remove_attributes(former->path));
    }
    TRY(file_remove_attributes(writer->path));
    return retain(file, scratch, writer->path);
}

/* Says what the user can do about it. */
static struct error *file_stack_explain(struct error *owned, str path)
{
    if (!owned)
        return NULL;
    return error_wrap(owned, "cannot save the state to '%s' (the former state is untouched; %s)",
                      path.ptr, file_advice(owned));
}

/* Everything but the last step. */
static fallible prepare(const struct file_backend *file, struct file_writer *writer,
                        struct stack_ref stack, const struct snapshot *snapshot, str path)
{
    TRY(file_make_room(file, path));
    TRY(file_writer_open(writer, path, file->compression, file->file_mode));
    return write_checkpoint(writer, stack, snapshot);
}

fallible stack_file_save(const struct file_backend *file, struct stack_ref stack,
                         const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(file_writer_release) struct file_writer writer = { 0 };
    CLEANUP(fd_close) int fence = -1;
    str path = path_of(file, &scratch, stack, file->compression);
    struct stack_file former;

    TRY(file_stack_explain(prepare(file, &writer, stack, snapshot, path), path));
    fault_point("checkpoint.before-rename");
    TRY(file_may_write(file, stack, &fence));
    TRY(file_stack_explain(stack_file_find(file, &scratch, stack, &former), path));
    return file_stack_explain(put_in_place(file, &scratch, &writer, &former), path);
}

fallible file_create(struct backend *backend, struct stack_ref stack,
                     const struct snapshot *initial)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(file_writer_release) struct file_writer writer = { 0 };
    CLEANUP(fd_close) int fence = -1;
    const struct file_backend *file = (struct file_backend *)backend;
    struct stack_file former;

    TRY(stack_file_find(file, &scratch, stack, &former));
    if (former.exists)
        return stack_exists_already(stack);
    TRY(file_stack_explain(prepare(file, &writer, stack, initial, former.path), former.path));
    fault_point("checkpoint.before-create");
    TRY(file_may_write(file, stack, &fence));
    struct error *failure = file_writer_commit_new(&writer);
    if (failure && error_kind(failure) == ERROR_EXISTS) {
        error_free(failure);
        return stack_exists_already(stack);
    }
    TRY(failure);
    TRY(file_remove_attributes(former.path));
    return stack_file_sweep(file, stack);
}

fallible file_save(struct backend *backend, struct stack_ref stack, const struct snapshot *snapshot)
{
    struct file_backend *file = (struct file_backend *)backend;
    CLEANUP(fd_close) int fence = -1;
    bool is_included;

    TRY(journal_file_is_on_top(file, stack, &is_included));
    TRY(stack_file_save(file, stack, snapshot));
    TRY(file_may_write(file, stack, &fence));
    TRY(journal_file_discard(file, stack, is_included));
    return stack_file_sweep(file, stack);
}

fallible stack_file_retire(const struct file_backend *file, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stack_file current;

    TRY(stack_file_find(file, &scratch, stack, &current));
    if (!current.exists)
        return NULL;
    str backup = arena_concat(&scratch, current.path, STR(".bak"));
    TRY(fs_rename(current.path, backup));
    TRY(file_remove_attributes(current.path));
    return file_remove_attributes(backup);
}
