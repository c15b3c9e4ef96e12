/* loopback_journal.c — the journal of one operation as numbered blobs, one for each group of
 * records that is written together. */
#include "loopback/loopback.h"

#include "backend/journal_replay.h"
#include "base/memory.h"
#include "base/uuid.h"
#include "model/checkpoint.h"

#include <stdlib.h>

/* The blobs of a journal, one behind the other, are the bytes of a journal file.
 *
 * Invariants:
 * 1. Blob N is created once, by If-None-Match. Whoever creates it has the say: a writer with
 *    records, or a process that takes the stack over with an empty blob, the seal. A writer that
 *    meets a seal has been replaced, and writes nothing more.
 * 2. Who takes over seals the journal, then replaces the checkpoint, even by the same bytes. So a
 *    writer that has been replaced cannot fold either: its checkpoint has another ETag by then.
 * 3. `pending` begins with what may or may not have reached the server: its bytes do not change
 *    until the fate of blob `number` is known. */

struct loopback_journal {
    struct journal journal;
    struct arena arena;
    const struct loopback *loopback;
    struct stack_ref stack;
    str id;
    str base_etag; /* of the checkpoint; empty: there was none */
    struct strbuf pending;
    size_t start;     /* of its first frame */
    uint64_t size;    /* of the blobs before */
    uint64_t written; /* records that are durable */
    uint64_t added;   /* records in all */
    unsigned number;  /* of the next blob */
    struct semaphore turn;
    bool is_folded;
};

/* --- reading --- */

static str blob_key(struct arena *arena, struct stack_ref stack, str id, unsigned number)
{
    return loopback_key(arena, "journal", stack,
                        arena_printf(arena, "/" STR_FMT "/%08u", STR_ARG(id), number).ptr);
}

/* What is known of one journal. */
struct found_journal {
    str id;
    struct strbuf bytes;
    unsigned last; /* number of the last blob */
    bool is_sealed;
};

static void found_journal_release(struct found_journal *found)
{
    strbuf_release(&found->bytes);
}

/* "journal/P/S/ID/NUMBER": the identifier, and the number behind it. */
static bool key_parse(str key, str *id, uint64_t *number)
{
    str folder, digits;

    return str_cut_last(key, STR("/"), &folder, &digits) && str_to_u64(digits, number)
           && str_cut_last(folder, STR("/"), &folder, id);
}

/* Of the keys from *at on: all blobs of the first journal among them. */
static fallible read_journal(const struct loopback *loopback, struct arena *arena,
                             const struct strs *keys, size_t *at, struct found_journal *out)
{
    uint64_t number;
    str id;

    *out = (struct found_journal){ 0 };
    BUG_IF(!key_parse(keys->items[*at], &out->id, &number));
    for (; *at < keys->len; (*at)++) {
        struct blob_content content;
        BUG_IF(!key_parse(keys->items[*at], &id, &number));
        if (!str_equal(id, out->id))
            break;
        struct error *failure = blob_get(&loopback->blobs, arena, keys->items[*at], &content);
        if (failure) {
            found_journal_release(out);
            return failure;
        }
        strbuf_add(&out->bytes, content.bytes);
        out->is_sealed = content.exists && content.bytes.len == 0;
        out->last = (unsigned)number;
    }
    return NULL;
}

fallible loopback_find_journal(const struct loopback *loopback, struct arena *arena,
                               struct stack_ref stack, const struct blob_content *checkpoint,
                               struct journal_contents *out)
{
    struct journal_base base = journal_base_of(arena, checkpoint->exists, checkpoint->bytes);
    struct strs keys;

    *out = (struct journal_contents){ 0 };
    TRY(blob_list(&loopback->blobs, arena, loopback_key(arena, "journal", stack, "/"), &keys));
    for (size_t at = 0; at < keys.len;) {
        CLEANUP(found_journal_release) struct found_journal found;
        struct journal_contents contents;
        TRY(read_journal(loopback, arena, &keys, &at, &found));
        if (found.bytes.len == 0)
            continue;
        TRY(journal_format_read(arena, arena_copy(arena, strbuf_str(&found.bytes)), &contents));
        if (contents.is_damaged)
            return error_new(ERROR_INVALID, "the journal of stack '" STR_FMT "' is damaged",
                             STR_ARG(stack.name));
        if (contents.count > 0 && journal_base_equal(contents.base, base))
            *out = contents;
    }
    return NULL;
}

/* --- taking over --- */

static fallible seal_journal(const struct loopback *loopback, struct stack_ref stack,
                             struct found_journal *found)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool is_met;
    str etag;

    /* Until its writer is not the faster one. */
    while (!found->is_sealed) {
        TRY(blob_put_if(&loopback->blobs, &scratch,
                        blob_key(&scratch, stack, found->id, ++found->last), STR(""),
                        (struct blob_condition){ .is_absent = true }, &is_met, &etag));
        found->is_sealed = is_met;
    }
    return NULL;
}

/* Seals every journal of the stack, and says how many held something. */
static fallible seal_journals(const struct loopback *loopback, struct stack_ref stack, bool deletes,
                              size_t *count)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct strs keys;

    *count = 0;
    TRY(blob_list(&loopback->blobs, &scratch, loopback_key(&scratch, "journal", stack, "/"),
                  &keys));
    for (size_t at = 0; at < keys.len;) {
        CLEANUP(found_journal_release) struct found_journal found;
        size_t first = at;
        TRY(read_journal(loopback, &scratch, &keys, &at, &found));
        *count += found.bytes.len > 0;
        bool was_sealed = found.is_sealed;
        TRY(seal_journal(loopback, stack, &found));
        /* Only the seal stays, where its writer will meet it. */
        for (size_t i = first; deletes && i < at - was_sealed; i++)
            TRY(blob_delete(&loopback->blobs, keys.items[i]));
    }
    return NULL;
}

fallible loopback_end_journals(const struct loopback *loopback, struct stack_ref stack)
{
    size_t count;

    return seal_journals(loopback, stack, true, &count);
}

/* Folds what a former operation left, and makes sure that it notices. */
static fallible take_over(const struct loopback *loopback, struct stack_ref stack)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct snapshot snapshot;
    bool has_deployment;
    size_t count;

    TRY(seal_journals(loopback, stack, false, &count));
    if (count == 0)
        return NULL;
    struct backend *backend = (struct backend *)(uintptr_t)&loopback->backend;
    struct error *failure = loopback_load(backend, stack, &scratch, &snapshot, &has_deployment);
    if (failure && error_kind(failure) == ERROR_NOT_FOUND) {
        error_ignore(failure, "there is no checkpoint that has to be another one");
        return loopback_end_journals(loopback, stack);
    }
    TRY(failure);
    TRY(blob_put(&loopback->blobs, loopback_key(&scratch, "stacks", stack, ".json"),
                 loopback_checkpoint(&scratch, stack, has_deployment ? &snapshot : NULL)));
    return loopback_end_journals(loopback, stack);
}

/* --- append --- */

static struct error *replaced(const struct loopback_journal *journal)
{
    return error_new(ERROR_OTHER,
                     "another process has taken over the stack '" STR_FMT
                     "': somebody removed its lock while this operation was running",
                     STR_ARG(journal->stack.name));
}

/* The first `len` bytes of pending are blob `number` now. */
static void written(struct loopback_journal *journal, size_t len, uint64_t records)
{
    memmove(journal->pending.ptr, journal->pending.ptr + len, journal->pending.len - len);
    journal->pending.len -= len;
    journal->start = 0;
    journal->size += len;
    journal->number++;
    journal->written = records;
}

static fallible write_pending(struct loopback_journal *journal)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    uint64_t records = journal->added;
    bool is_met;
    str etag;

    journal_format_seal(&journal->pending, journal->start, journal->size);
    str key = blob_key(&scratch, journal->stack, journal->id, journal->number);
    str bytes = arena_copy(&scratch, strbuf_str(&journal->pending));
    TRY(error_wrap(blob_put_if(&journal->loopback->blobs, &scratch, key, bytes,
                               (struct blob_condition){ .is_absent = true }, &is_met, &etag),
                   "cannot record what happens (what was recorded before is safe)"));
    if (is_met) {
        written(journal, bytes.len, records);
        return NULL;
    }
    /* An earlier write that seemed to fail, or the end. */
    struct blob_content content;
    TRY(blob_get(&journal->loopback->blobs, &scratch, key, &content));
    if (content.bytes.len == 0 || !str_starts_with(bytes, content.bytes))
        return replaced(journal);
    bool is_all = content.bytes.len == bytes.len;
    written(journal, content.bytes.len, is_all ? records : journal->written);
    return is_all ? NULL : write_pending(journal);
}

/* Those who wait for their turn find that another has written for them. */
static fallible flush(struct loopback_journal *journal, uint64_t until)
{
    struct error *failure = NULL;

    semaphore_wait_uncancelable(&journal->turn);
    if (journal->written < until)
        failure = write_pending(journal);
    semaphore_post(&journal->turn);
    return failure;
}

static struct error *loopback_append(struct journal *journal_, str record, bool waits)
{
    struct loopback_journal *journal = (struct loopback_journal *)journal_;

    journal_format_record(&journal->pending, record);
    journal->added++;
    return waits ? flush(journal, journal->added) : NULL;
}

/* --- fold and close --- */

static fallible delete_journal(const struct loopback *loopback, struct stack_ref stack, str id,
                               unsigned count)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    for (unsigned i = 1; i <= count; i++)
        TRY(blob_delete(&loopback->blobs, blob_key(&scratch, stack, id, i)));
    return NULL;
}

static fallible fold_journal(struct loopback_journal *journal, const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct loopback *loopback = journal->loopback;
    struct blob_condition condition = { .is_absent = journal->base_etag.len == 0,
                                        .etag = journal->base_etag };
    bool is_met;
    str etag;

    TRY(error_wrap(blob_put_if(&loopback->blobs, &scratch,
                               loopback_key(&scratch, "stacks", journal->stack, ".json"),
                               loopback_checkpoint(&scratch, journal->stack, snapshot), condition,
                               &is_met, &etag),
                   "cannot save the state (the former state is untouched)"));
    if (!is_met)
        return replaced(journal);
    journal->is_folded = true;
    return delete_journal(loopback, journal->stack, journal->id, journal->number - 1);
}

static struct error *loopback_fold(struct journal *journal_, const struct snapshot *snapshot)
{
    struct loopback_journal *journal = (struct loopback_journal *)journal_;

    semaphore_wait_uncancelable(&journal->turn);
    struct error *failure = fold_journal(journal, snapshot);
    semaphore_post(&journal->turn);
    if (!failure || journal->is_folded || journal->written == journal->added)
        return failure;
    return error_join(failure, flush(journal, journal->added));
}

static void loopback_close_journal(struct journal *owned)
{
    struct loopback_journal *journal = (struct loopback_journal *)owned;

    if (!journal->is_folded && journal->written < journal->added)
        error_ignore(flush(journal, journal->added), "nobody waits for these records");
    if (!journal->is_folded && journal->added == 0)
        error_ignore(
            delete_journal(journal->loopback, journal->stack, journal->id, journal->number - 1),
            "an empty journal means the same as none");
    strbuf_release(&journal->pending);
    arena_release(&journal->arena);
    free(journal);
}

static const struct journal_ops journal_operations = {
    .append = loopback_append,
    .fold = loopback_fold,
    .close = loopback_close_journal,
};

/* --- open --- */

static fallible begin_journal(struct loopback_journal *journal)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct blob_content checkpoint;

    TRY(blob_get(&journal->loopback->blobs, &scratch,
                 loopback_key(&scratch, "stacks", journal->stack, ".json"), &checkpoint));
    journal->base_etag = arena_copy(&journal->arena, checkpoint.etag);
    journal_format_header(&journal->pending, stack_ref_qualified(&scratch, journal->stack),
                          journal_base_of(&scratch, checkpoint.exists, checkpoint.bytes));
    return write_pending(journal); /* from now on it can be found, and sealed */
}

struct error *loopback_open_journal(struct backend *backend, struct stack_ref stack,
                                    struct journal **out)
{
    const struct loopback *loopback = (const struct loopback *)backend;

    TRY(take_over(loopback, stack));
    struct loopback_journal *journal = memory_zalloc(sizeof(*journal));
    *journal = (struct loopback_journal){
        .journal.ops = &journal_operations,
        .loopback = loopback,
        .number = 1,
        .start = journal_format_start(),
        .turn.available = 1,
    };
    journal->stack.project = arena_copy(&journal->arena, stack.project);
    journal->stack.name = arena_copy(&journal->arena, stack.name);
    journal->id = uuid_new(&journal->arena);
    struct error *failure = begin_journal(journal);
    if (failure) {
        strbuf_release(&journal->pending);
        arena_release(&journal->arena);
        free(journal);
        return failure;
    }
    *out = &journal->journal;
    return NULL;
}
