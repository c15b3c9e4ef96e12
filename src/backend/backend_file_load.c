/* backend_file_load.c — what is known of a stack: its checkpoint, and on top the journal of a
 * cut-off operation. */
#include "backend/backend_file.h"

#include "backend/diy_checkpoint.h"
#include "backend/journal_file.h"
#include "backend/journal_replay.h"
#include "backend/journal_rescue.h"
#include "backend/stack_errors.h"

/* Others may write while we read without a lock; after so many changes under our eyes something is
 * wrong. */
enum { ATTEMPTS = 20 };

/* The files of a stack at one moment. */
struct stack_bytes {
    struct stack_file file;
    str bytes;
    struct journal_on_disk journal;
};

/* Reads checkpoint, then journal, then looks whether the checkpoint is still the same: if so, the
 * pair was true at one moment. */
static fallible read_pair(const struct file_backend *file, struct stack_ref stack,
                          struct arena *arena, struct stack_bytes *out, bool *is_settled)
{
    struct stack_file again;

    *is_settled = false;
    TRY(stack_file_find(file, arena, stack, &out->file));
    out->bytes = STR("");
    if (out->file.exists) {
        struct error *failure = file_read(arena, out->file.path, &out->file.identity, &out->bytes);
        if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
            error_ignore(failure, "it was replaced just now by one of another format");
            return NULL;
        }
        TRY(failure);
    }
    TRY(journal_file_read(file, arena, stack, &out->journal));
    TRY(stack_file_find(file, arena, stack, &again));
    *is_settled = again.exists == out->file.exists
                  && (!again.exists
                      || (again.format == out->file.format
                          && file_identity_equal(&again.identity, &out->file.identity)));
    return NULL;
}

static fallible read_settled(const struct file_backend *file, struct stack_ref stack,
                             struct arena *arena, struct stack_bytes *out)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        struct arena attempt = { 0 };
        bool is_settled;
        struct error *failure = read_pair(file, stack, &attempt, out, &is_settled);
        if (failure || is_settled) {
            arena_adopt(arena, &attempt);
            return failure;
        }
        arena_release(&attempt);
    }
    return error_new(ERROR_OTHER,
                     "the stack '" STR_FMT "' is changed by others all the time; try again later",
                     STR_ARG(stack.name));
}

/* --- checkpoint --- */

static fallible read_checkpoint(struct arena *arena, const struct stack_bytes *found,
                                struct snapshot *out, bool *has_deployment)
{
    struct diy_checkpoint checkpoint = {
        .has_file = found->file.exists,
        .bytes = found->bytes,
        .place = found->file.path,
        .backup = arena_concat(arena, found->file.path, STR(".bak")),
    };
    struct file_identity identity;
    bool has_backup = false;

    error_ignore(file_identify(checkpoint.backup, &has_backup, &identity), "only for advice");
    if (!has_backup)
        checkpoint.backup = STR("");
    return diy_checkpoint_decode(arena, &checkpoint, out, has_deployment);
}

/* --- journal --- */

static fallible add_journal(struct arena *arena, const struct journal_on_disk *journal,
                            struct snapshot *snapshot)
{
    if (journal->contents.is_damaged)
        return journal_file_damaged(journal);
    return error_wrap(journal_contents_replay(arena, &journal->contents, snapshot),
                      "journal '%s' cannot be replayed; nothing was changed. Move it away to go on "
                      "with the checkpoint "
                      "alone, which does not know what the operation that was cut off did",
                      journal->path.ptr);
}

/* A journal that was left behind by somebody who wrote the checkpoint without it. */
static fallible rescue_journal(struct backend *backend, struct arena *arena, struct stack_ref stack,
                               const struct journal_on_disk *journal, struct snapshot *snapshot,
                               bool *is_more)
{
    struct journal_rescue rescue;

    TRY(error_wrap(journal_rescue_find(arena, &journal->contents, snapshot, &rescue),
                   "journal '%s' cannot be read; nothing was changed. Move it away to go on with "
                   "the checkpoint alone",
                   journal->path.ptr));
    if (!journal_rescue_has_news(&rescue))
        return NULL;
    *is_more = journal_rescue_add(arena, &rescue, snapshot);
    backend_note(backend, journal_rescue_text(arena, &rescue, stack.name, journal->path,
                                              arena_concat(arena, journal->path, STR(".stale"))));
    return NULL;
}

fallible file_load_all(struct backend *backend, struct stack_ref stack, struct arena *arena,
                       struct snapshot *out, bool *has_deployment, bool *is_more)
{
    const struct file_backend *file = (struct file_backend *)backend;
    struct stack_bytes found;
    struct snapshot snapshot;
    bool is_deployed;

    TRY(read_settled(file, stack, arena, &found));
    bool has_journal =
        journal_contents_is_on_top(&found.journal.contents, arena, found.file.exists, found.bytes);
    *is_more = has_journal;
    if (!found.file.exists && !has_journal)
        return stack_not_found(stack);
    TRY(read_checkpoint(arena, &found, &snapshot, &is_deployed));
    if (has_journal) {
        TRY(add_journal(arena, &found.journal, &snapshot));
        is_deployed = true;
    } else if (is_deployed) {
        TRY(rescue_journal(backend, arena, stack, &found.journal, &snapshot, is_more));
    }
    *out = snapshot;
    *has_deployment = is_deployed;
    return NULL;
}

fallible file_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                   struct snapshot *out, bool *has_deployment)
{
    bool is_more;

    return file_load_all(backend, stack, arena, out, has_deployment, &is_more);
}
