/* journal_object.c — the journal of one operation as numbered objects, one for each group of
 * records that is written together. */
#include "backend/backend_object.h"

#include "backend/journal_replay.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/log.h"
#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/parallel.h"

#include <stdlib.h>

/* The objects of a journal, one behind the other, are the bytes of a journal file.
 *
 * Invariants:
 * 1. Object N is created once, on condition that there is none. Whoever creates it has the say: a
 *    writer with records, or a process that takes the stack over with an empty object, the seal. A
 *    writer that meets a seal has been replaced, and writes nothing more.
 * 2. Who takes over seals the journal, then replaces the checkpoint by other bytes. So a writer
 * that has been replaced cannot fold either: its checkpoint has another version by then.
 * 3. `pending` begins with what may or may not have reached the store: its bytes do not change
 *    until the fate of object `number` is known.
 * 4. Who breaks a lock looks for journals of its owner twice: before it removes the lock, and
 *    afterwards. The owner looks for its lock with its first records, when the beginning of its
 *    journal can be found. So one of the two notices.
 * 5. Where the store ignores conditions, our lock object stands in for them: each write looks
 *    whether it is still there. */

struct object_journal {
    struct journal journal;
    struct arena arena;
    struct object_backend *object;
    struct stack_ref stack;
    str id;
    struct object_checkpoint base; /* what it is on top of */
    struct strbuf pending;
    size_t start;     /* of its first frame */
    uint64_t size;    /* of the objects before */
    uint64_t written; /* records that are durable */
    uint64_t added;   /* records in all */
    unsigned number;  /* of the next object */
    struct semaphore turn;
    bool is_folded;
};

str object_journal_key(const struct object_backend *object, struct arena *arena,
                       struct stack_ref stack, str id, unsigned number)
{
    return arena_printf(arena, STR_FMT "/" STR_FMT "/%08u",
                        STR_ARG(diy_journal_folder(object->layout, arena, stack)), STR_ARG(id),
                        number);
}

/* --- append --- */

/* The first `len` bytes of pending are object `number` now. */
static void object_journal_written(struct object_journal *journal, size_t len, uint64_t records)
{
    memmove(journal->pending.ptr, journal->pending.ptr + len, journal->pending.len - len);
    journal->pending.len -= len;
    journal->start = 0;
    journal->size += len;
    journal->number++;
    journal->written = records;
}

struct object_journal_put {
    struct object_journal *journal;
    struct arena *arena;
    str key;
    str bytes;
    struct object_put_result result;
};

static struct error *object_journal_put(void *put_, size_t index)
{
    struct object_journal_put *put = put_;
    struct object_journal *journal = put->journal;
    struct object_store *store = journal->object->store;
    bool is_obeyed = store->conditions != CONDITIONS_IGNORED;

    if (index > 0 && is_obeyed)
        return object_check_lock(journal->object, journal->stack);
    if (index > 0)
        return object_check_owner(journal->object, journal->stack, &journal->base);
    return store->ops->put(store, put->arena, put->key, put->bytes,
                           (struct object_condition){ .is_absent = is_obeyed }, &put->result);
}

static fallible object_journal_write(struct object_journal *journal)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_store *store = journal->object->store;
    uint64_t records = journal->added;
    struct object content;

    journal_format_seal(&journal->pending, journal->start, journal->size);
    struct object_journal_put put = {
        .journal = journal,
        .arena = &scratch,
        .key = object_journal_key(journal->object, &scratch, journal->stack, journal->id,
                                  journal->number),
        .bytes = arena_copy(&scratch, strbuf_str(&journal->pending)),
    };
    int64_t began = log_limit >= LOG_INFO ? clock_monotonic() : 0;
    fault_point("journal.before-write");
    bool looks_at_lock = store->conditions == CONDITIONS_IGNORED || journal->number == 2;
    TRY(parallel_each(looks_at_lock ? 2 : 1, 2, object_journal_put, &put));
    fault_point("journal.after-sync");
    log_info("journal", "wrote object %u, %zu bytes in %.1f ms", journal->number, put.bytes.len,
             (double)(clock_monotonic() - began) / NS_PER_MS);
    if (put.result.is_met) {
        object_journal_written(journal, put.bytes.len, records);
        return NULL;
    }
    /* An earlier write that seemed to fail, or the end. */
    TRY(store->ops->get(store, &scratch, put.key, &content));
    if (content.bytes.len == 0 || !str_starts_with(put.bytes, content.bytes))
        return object_replaced(journal->stack);
    bool is_all = content.bytes.len == put.bytes.len;
    object_journal_written(journal, content.bytes.len, is_all ? records : journal->written);
    return is_all ? NULL : object_journal_write(journal);
}

/* Those who wait for their turn find that another has written for them. */
static fallible object_journal_flush(struct object_journal *journal, uint64_t until)
{
    struct error *failure = NULL;

    semaphore_wait_uncancelable(&journal->turn);
    if (journal->written < until)
        failure = object_journal_write(journal);
    semaphore_post(&journal->turn);
    return error_wrap(failure, "cannot record what happens (what was recorded before is safe)");
}

static struct error *object_journal_append(struct journal *journal_, str record, bool waits)
{
    struct object_journal *journal = (struct object_journal *)journal_;

    BUG_IF(journal->is_folded);
    journal_format_record(&journal->pending, record);
    uint64_t number = ++journal->added;
    return waits ? object_journal_flush(journal, number) : NULL;
}

/* --- fold and close --- */

static fallible object_journal_put_checkpoint(struct object_journal *journal,
                                              const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_checkpoint written;
    str bytes;

    TRY(object_encode(journal->object, &scratch, journal->stack, snapshot, &bytes));
    /* The backup was made when the journal began. */
    TRY(object_put_checkpoint(journal->object, &scratch,
                              &(struct object_writing){ .stack = journal->stack,
                                                        .former = &journal->base,
                                                        .bytes = bytes },
                              &written));
    journal->is_folded = true;
    fault_point("journal.before-unlink");
    object_leave(journal->object, journal->stack, journal->id, journal->number - 1);
    return NULL;
}

static struct error *object_journal_fold(struct journal *journal_, const struct snapshot *snapshot)
{
    struct object_journal *journal = (struct object_journal *)journal_;

    semaphore_wait_uncancelable(&journal->turn);
    struct error *failure = object_journal_put_checkpoint(journal, snapshot);
    semaphore_post(&journal->turn);
    log_info("journal", "%s", failure ? "could not be folded" : "folded into the checkpoint");
    if (!failure || journal->is_folded || journal->written == journal->added)
        return failure;
    return error_join(failure, object_journal_flush(journal, journal->added));
}

static void object_journal_free(struct object_journal *journal)
{
    strbuf_release(&journal->pending);
    arena_release(&journal->arena);
    free(journal);
}

static void object_journal_close(struct journal *owned)
{
    struct object_journal *journal = (struct object_journal *)owned;

    if (!journal->is_folded && journal->written < journal->added)
        error_ignore(object_journal_flush(journal, journal->added),
                     "nobody waits for these records");
    if (!journal->is_folded && journal->added == 0)
        object_leave(journal->object, journal->stack, journal->id, journal->number - 1);
    /* What it holds has to be found by the next look. */
    if (!journal->is_folded)
        object_forget(journal->object, journal->stack);
    object_journal_free(journal);
}

static const struct journal_ops object_journal_operations = {
    .append = object_journal_append,
    .fold = object_journal_fold,
    .close = object_journal_close,
};

/* --- open --- */

/* The beginning of the journal, and a copy of the checkpoint that it will replace. */
static struct error *object_journal_begin(void *journal_, size_t index)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_journal *journal = journal_;
    const struct object_checkpoint *base = &journal->base;
    bool is_found;

    if (index == 0)
        return object_journal_write(journal); /* from now on it can be found, and sealed */
    if (!base->exists)
        return NULL;
    return object_store_copy(journal->object->store, base->key,
                             arena_concat(&scratch, base->key, STR(".bak")), &is_found);
}

static struct object_journal *object_journal_new(struct object_backend *object,
                                                 struct stack_ref stack,
                                                 const struct object_state *state)
{
    struct object_journal *journal = memory_zalloc(sizeof(*journal));

    *journal = (struct object_journal){
        .journal.ops = &object_journal_operations,
        .object = object,
        .base = state->checkpoint,
        .number = 1,
        .start = journal_format_start(),
        .turn.available = 1,
    };
    journal->stack.project = arena_copy(&journal->arena, stack.project);
    journal->stack.name = arena_copy(&journal->arena, stack.name);
    journal->id = arena_printf(&journal->arena, STR_FMT "-%u", STR_ARG(object->lock_id),
                               ++object->journal_count);
    journal->base.key = arena_copy(&journal->arena, state->checkpoint.key);
    journal->base.bytes = arena_copy(&journal->arena, state->checkpoint.bytes);
    journal->base.version = arena_copy(&journal->arena, state->checkpoint.version);
    return journal;
}

fallible object_open_journal(struct backend *backend, struct stack_ref stack, struct journal **out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_backend *object = (struct object_backend *)backend;
    struct object_state state;

    TRY(object_look(object, &scratch, stack, &state));
    TRY(object_take_over(object, &scratch, stack, false, &state));
    struct object_journal *journal = object_journal_new(object, stack, &state);
    journal_format_header(
        &journal->pending, stack_ref_qualified(&scratch, stack),
        journal_base_of(&scratch, state.checkpoint.exists, state.checkpoint.bytes));
    struct error *failure = parallel_each(2, 2, object_journal_begin, journal);
    if (failure) {
        object_journal_free(journal);
        return error_wrap(failure, "cannot record what will happen");
    }
    *out = &journal->journal;
    return NULL;
}
