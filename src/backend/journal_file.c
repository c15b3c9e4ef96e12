/* journal_file.c — the journal of one operation: many fibers, one write and one sync, and the fold
 * at the end. */
#include "backend/journal_file.h"

#include "base/clock.h"
#include "base/fault.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/offload.h"
#include "fiber/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Invariants:
 * 1. Bytes before `size` are whole frames and durable. A failed write leaves `size` where it was,
 * and its records go out again, first, with the next batch: a record is never written without all
 * that were appended before it.
 * 2. At most one batch is being written (`writing`); at most one collects records meanwhile
 * (`filling`). The first fiber that waits for a batch is its leader and writes it as soon as the
 * one before is done; all others wait for the leader.
 * 3. Only the leader's helper thread touches fd, size and reserved while `writing` is set.
 * 4. The file appears with nothing in it; magic and header come with the first batch, and so does
 * the sync of the directory. A journal without a whole header never promised anything.
 * 5. Nothing is written, and no file removed, but behind a look whether our lock is still there;
 * the next owner comes only after what was begun then (file_may_write).
 * 6. Some space behind the end is reserved. When it can no longer be renewed the appends fail, so
 * that nobody starts anything new, but they are still written: the outcome of what is under way is
 * not lost to a full disk. */

enum {
    RESERVE = 1 << 20,
    MOST_UNWRITTEN =
        1 << 20, /* records that nobody waits for do not pile up in memory beyond this */
};

/* Records on their way to the file. */
struct batch {
    struct strbuf frames;
    size_t start; /* of the first frame; the magic is before it in the first batch */
    size_t records;
    size_t users; /* fibers that still use it */
    bool has_leader;
    bool is_written;
    struct error *failure; /* may be set although it is written */
    struct latch done;
};

struct file_journal {
    struct journal journal;
    struct arena arena;
    const struct file_backend *file;
    struct stack_ref stack;
    str path;
    int fd;
    dev_t device;
    ino_t inode;
    uint64_t size;
    uint64_t reserved;
    bool has_no_reserve; /* the file system cannot */
    bool is_folded;
    struct batch *filling; /* never NULL */
    struct batch *writing;
};

/* --- batches --- */

static void batch_leave(struct batch *batch)
{
    if (--batch->users > 0)
        return;
    strbuf_release(&batch->frames);
    error_free(batch->failure);
    free(batch);
}

/* The journal itself is a user as long as the batch is `filling` or `writing`. */
static struct batch *batch_new(void)
{
    struct batch *batch = memory_zalloc(sizeof(*batch));
    batch->users = 1;
    return batch;
}

/* What could not be written goes before what came later. */
static void put_back(struct file_journal *journal, struct batch *batch)
{
    struct batch *next = journal->filling;
    struct strbuf later = next->frames;

    next->frames = batch->frames;
    next->start = batch->start;
    next->records += batch->records;
    batch->frames = (struct strbuf){ 0 };
    strbuf_add(&next->frames, strbuf_str(&later));
    strbuf_release(&later);
}

/* Every fiber needs an error of its own. */
static fallible batch_outcome(const struct batch *batch)
{
    if (!batch->failure)
        return NULL;
    return error_new(error_kind(batch->failure), STR_FMT, STR_ARG(error_message(batch->failure)));
}

/* --- on the helper thread --- */

/* The lock says who may write; the file may be gone all the same. */
static fallible check_is_ours(const struct file_journal *journal, int *fence)
{
    struct stat named;

    TRY(file_may_write(journal->file, journal->stack, fence));
    if (stat(journal->path.ptr, &named) == 0 && named.st_ino == journal->inode
        && named.st_dev == journal->device)
        return NULL;
    return error_new(ERROR_OTHER,
                     "journal '%s' was taken away by another process: somebody removed the lock of "
                     "this stack while "
                     "this operation was running",
                     journal->path.ptr);
}

static fallible write_at(const struct file_journal *journal, str bytes)
{
    off_t at = (off_t)journal->size;

    while (bytes.len > 0) {
        ssize_t count =
            fault_fails("journal.write") ? -1 : pwrite(journal->fd, bytes.ptr, bytes.len, at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return error_os("write '%s'", journal->path.ptr);
        bytes = str_slice(bytes, (size_t)count, bytes.len);
        at += count;
    }
    return NULL;
}

static fallible write_and_sync(struct file_journal *journal, struct batch *batch)
{
    CLEANUP(fd_close) int fence = -1;

    TRY(check_is_ours(journal, &fence));
    fault_point("journal.before-write");
    journal_format_seal(&batch->frames, batch->start, journal->size);
    TRY(write_at(journal, strbuf_str(&batch->frames)));
    fault_point("journal.after-write");
    if (fault_fails("journal.sync") || fdatasync(journal->fd) < 0)
        return error_os("sync '%s'", journal->path.ptr);
    if (journal->size == 0)
        TRY(fs_sync_name(journal->path));
    journal->size += batch->frames.len;
    batch->is_written = true;
    fd_close(&fence);
    fault_point("journal.after-sync");
    return NULL;
}

static fallible renew_reserve(struct file_journal *journal)
{
    if (journal->has_no_reserve || journal->reserved >= journal->size + RESERVE / 2)
        return NULL;
    off_t more = (off_t)(journal->size + RESERVE);
    if (!fault_fails("journal.reserve")
        && fallocate(journal->fd, FALLOC_FL_KEEP_SIZE, 0, more) == 0) {
        journal->reserved = (uint64_t)more;
        return NULL;
    }
    struct error *failure = error_os("reserve space for '%s'", journal->path.ptr);
    if (file_is_full(failure) || error_errno(failure) == EIO)
        return failure;
    error_ignore(failure, "the file system cannot");
    journal->has_no_reserve = true;
    return NULL;
}

static struct error *journal_file_explain(struct error *owned, const struct batch *batch)
{
    if (!owned)
        return NULL;
    if (batch->is_written)
        return error_wrap(owned, "no more space for the journal (all until now is recorded; %s)",
                          file_advice(owned));
    if (error_kind(owned) != ERROR_OS)
        return error_wrap(owned, "cannot record what happens (what was recorded before is safe)");
    return error_wrap(owned, "cannot record what happens (what was recorded before is safe; %s)",
                      file_advice(owned));
}

static void write_batch(void *journal_)
{
    struct file_journal *journal = journal_;
    struct batch *batch = journal->writing;
    struct error *failure = write_and_sync(journal, batch);

    /* What a failed write left behind `size` is overwritten: the next batch begins with the same
     * records. */
    if (!failure)
        failure = renew_reserve(journal);
    batch->failure = journal_file_explain(failure, batch);
}

/* --- append --- */

static void wait_for_writer(struct file_journal *journal)
{
    while (journal->writing) {
        struct batch *batch = journal->writing;
        batch->users++;
        latch_wait_uncancelable(&batch->done);
        batch_leave(batch);
    }
}

static void lead(struct file_journal *journal, struct batch *batch)
{
    batch->has_leader = true;
    wait_for_writer(journal);
    if (fiber_self())
        fiber_yield(); /* those the last batch set free may have more for this one */
    BUG_IF(journal->filling != batch);
    journal->writing = batch;
    journal->filling = batch_new();
    int64_t began = log_limit >= LOG_INFO ? clock_monotonic() : 0;
    offload(write_batch, journal);
    log_info("journal", "%s %zu records, %zu bytes in %.1f ms",
             batch->failure ? "could not write" : "synced", batch->records, batch->frames.len,
             (double)(clock_monotonic() - began) / NS_PER_MS);
    journal->writing = NULL;
    if (!batch->is_written)
        put_back(journal, batch);
    latch_open(&batch->done);
    batch_leave(batch); /* for the journal */
}

/* Until everything appended so far is durable. Not cut short by cancellation: what was done has to
 * be recorded. */
static fallible flush(struct file_journal *journal)
{
    struct batch *batch = journal->filling;

    batch->users++;
    if (batch->has_leader)
        latch_wait_uncancelable(&batch->done);
    else
        lead(journal, batch);
    struct error *failure = batch_outcome(batch);
    batch_leave(batch);
    return failure;
}

static struct error *journal_file_append(struct journal *journal_, str record, bool waits)
{
    struct file_journal *journal = (struct file_journal *)journal_;

    BUG_IF(journal->is_folded);
    journal_format_record(&journal->filling->frames, record);
    journal->filling->records++;
    return waits || journal->filling->frames.len > MOST_UNWRITTEN ? flush(journal) : NULL;
}

/* --- fold and close --- */

struct fold {
    struct file_journal *journal;
    const struct snapshot *snapshot;
    struct error *failure;
};

static fallible save_and_remove(const struct file_journal *journal, const struct snapshot *snapshot)
{
    CLEANUP(fd_close) int before = -1, after = -1;

    TRY(check_is_ours(journal, &before));
    fd_close(&before);
    TRY(stack_file_save(journal->file, journal->stack, snapshot));
    TRY(check_is_ours(journal, &after));
    fault_point("journal.before-unlink");
    return fs_remove_if_present(journal->path);
}

static void run_fold(void *fold_)
{
    struct fold *fold = fold_;
    fold->failure = save_and_remove(fold->journal, fold->snapshot);
}

static struct error *journal_file_fold(struct journal *journal_, const struct snapshot *snapshot)
{
    struct file_journal *journal = (struct file_journal *)journal_;
    struct fold work = { .journal = journal, .snapshot = snapshot };

    wait_for_writer(journal);
    offload(run_fold, &work);
    log_info("journal", "%s", work.failure ? "could not be folded" : "folded into the checkpoint");
    if (!work.failure) {
        journal->is_folded = true;
        return NULL;
    }
    /* The checkpoint is the old one: the journal has to hold everything. */
    return journal->filling->records ? error_join(work.failure, flush(journal)) : work.failure;
}

/* Where another operation has taken over, the file of this name is the other's. */
static fallible remove_if_ours(const struct file_journal *journal)
{
    CLEANUP(fd_close) int fence = -1;

    TRY(check_is_ours(journal, &fence));
    return fs_remove_if_present(journal->path);
}

static void close_journal(struct journal *owned)
{
    struct file_journal *journal = (struct file_journal *)owned;

    wait_for_writer(journal);
    if (!journal->is_folded && journal->filling->records)
        error_ignore(flush(journal), "nobody waits for these records");
    if (!journal->is_folded && journal->size == 0)
        error_ignore(remove_if_ours(journal), "an empty journal means the same as none");
    fd_close(&journal->fd);
    batch_leave(journal->filling);
    arena_release(&journal->arena);
    free(journal);
}

static const struct journal_ops ops = { .append = journal_file_append,
                                        .fold = journal_file_fold,
                                        .close = close_journal,
                                        .knows_base = true };

/* --- open --- */

/* A former journal must not stay in the way: folded into the checkpoint if it belongs to it, moved
 * aside if not, once the checkpoint has what only the journal knew. */
static fallible settle_former(struct file_backend *file, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct journal_on_disk former;
    struct stack_file current;
    struct snapshot snapshot;
    bool has_deployment, is_more;
    str bytes = STR("");

    TRY(journal_file_read(file, &scratch, stack, &former));
    if (!former.exists)
        return NULL;
    TRY(stack_file_find(file, &scratch, stack, &current));
    if (current.exists)
        TRY(file_read(&scratch, current.path, NULL, &bytes));
    bool is_on_top = journal_contents_is_on_top(&former.contents, &scratch, current.exists, bytes);
    if (!is_on_top && !current.exists)
        return journal_file_discard(file, stack, false);
    TRY(file_load_all(&file->backend, stack, &scratch, &snapshot, &has_deployment, &is_more));
    if (is_more)
        TRY(stack_file_save(file, stack, &snapshot));
    return journal_file_discard(file, stack, is_on_top);
}

static fallible journal_file_read_base(struct file_backend *file, struct stack_ref stack,
                                       struct arena *arena, struct journal_base *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct stack_file current;
    str bytes = STR("");

    TRY(stack_file_find(file, &scratch, stack, &current));
    if (current.exists)
        TRY(file_read(&scratch, current.path, NULL, &bytes));
    *out = journal_base_of(arena, current.exists, bytes);
    return NULL;
}

/* The file, with nothing in it. */
static fallible create_file(const struct file_backend *file, str path, int *fd, struct stat *status)
{
    TRY(file_make_room(file, path));
    *fd = open(path.ptr, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file->file_mode);
    if (*fd >= 0 && fstat(*fd, status) == 0)
        return NULL;
    struct error *failure = error_os("create journal '%s'", path.ptr);
    fd_close(fd);
    return error_wrap(failure, "cannot record what will happen (%s)", file_advice(failure));
}

fallible file_open_journal(struct backend *backend, struct stack_ref stack, struct journal **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(fd_close) int fence = -1;
    struct file_backend *file = (struct file_backend *)backend;
    str path = file_stack_path(file, &scratch, stack, ".journal");
    struct journal_base base;
    struct stat status;
    int fd;

    TRY(file_may_write(file, stack, &fence));
    TRY(settle_former(file, stack));
    TRY(stack_file_sweep(file, stack));
    TRY(journal_file_read_base(file, stack, &scratch, &base));
    TRY(create_file(file, path, &fd, &status));

    struct file_journal *journal = memory_zalloc(sizeof(*journal));
    journal->journal.ops = &ops;
    journal->file = file;
    journal->stack.project = arena_copy(&journal->arena, stack.project);
    journal->stack.name = arena_copy(&journal->arena, stack.name);
    journal->path = arena_copy(&journal->arena, path);
    journal->fd = fd;
    journal->device = status.st_dev;
    journal->inode = status.st_ino;
    journal->filling = batch_new();
    journal->filling->start = journal_format_start();
    journal_format_header(&journal->filling->frames, stack_ref_qualified(&scratch, stack), base);
    *out = &journal->journal;
    return NULL;
}
