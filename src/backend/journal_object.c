/* journal_object.c — the journal of one operation as numbered objects, one for each group of
 * records that is written together. */
#include "backend/backend_object_ops.h"
#include "backend/backend_object_lock.h"

#include "backend/stack_errors.h"
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
 * 3. Several objects may be on their way at a time (`flights`, by number). A record counts as
 *    written when its object and all before it are: readers stop at the first number that is not
 *    there. The bytes of a flight never change, because they may have reached the store although it
 *    seemed to fail; it is sent again under the same number before anything new.
 * 4. Who breaks a lock looks for journals of its owner twice: before it removes the lock, and
 *    afterwards. The owner looks for its lock with its first records, when the beginning of its
 *    journal can be found: they go out after that. So one of the two notices. An owner whose lock
 *    is gone takes those records back, because nothing was done that they are about. A journal
 *    without records looks before it is folded.
 * 5. Nobody waits for the beginning and for the copy of the checkpoint until the first record is to
 *    be durable, or the checkpoint is to be replaced.
 * 6. Where the store ignores conditions, our lock object stands in for them: before each write we
 *    look whether it is still there. */

enum { FLIGHTS_MAX = 8 };

enum flight_state { FLIGHT_IN_AIR, FLIGHT_LANDED, FLIGHT_FAILED };

/* One object on its way. */
struct object_flight {
    struct object_flight *next;
    struct arena arena;
    enum flight_state state;
    unsigned number;
    str bytes;
    uint64_t last;     /* record in it, counted from 1 */
    size_t users;      /* fibers that wait for it, and the list */
    struct latch over; /* in the air no more */
};

struct object_journal {
    struct journal journal;
    struct arena arena;
    struct object_backend *object;
    struct stack_ref stack;
    str id;
    struct object_checkpoint base; /* what it is on top of */
    struct strbuf pending;         /* frames of records that are in no flight yet */
    size_t start;                  /* of its first frame */
    struct object_flight *flights; /* those that have not landed together with all before them */
    uint64_t size;                 /* bytes that are durable */
    uint64_t written;              /* records that are durable */
    uint64_t boarded;              /* records that are in a flight or written */
    uint64_t added;                /* records in all */
    unsigned number;               /* of the next object */
    size_t in_air;
    struct error *failure; /* of the last flight that failed */
    size_t failures;
    struct latch begun; /* the beginning was sent, for good or ill, and the copy was tried */
    bool is_backed_up;
    bool is_ours; /* our lock was there when the beginning could be found */
    bool is_lost; /* it was not */
    bool is_replaced;
    bool is_folded;
};

str object_journal_key(const struct object_backend *object, struct arena *arena,
                       struct stack_ref stack, str id, unsigned number)
{
    return arena_printf(arena, STR_FMT "/" STR_FMT "/%08u",
                        STR_ARG(diy_journal_folder(object->layout, arena, stack)), STR_ARG(id),
                        number);
}

/* --- flights --- */

static void object_flight_leave(struct object_flight *flight)
{
    if (--flight->users > 0)
        return;
    arena_release(&flight->arena);
    free(flight);
}

/* All that is pending, as the next object. */
static struct object_flight *object_journal_board(struct object_journal *journal)
{
    struct object_flight *flight = memory_zalloc(sizeof(*flight)), **last = &journal->flights;

    journal_format_seal(&journal->pending, journal->start, journal->size);
    flight->number = journal->number++;
    flight->bytes = arena_copy(&flight->arena, strbuf_str(&journal->pending));
    flight->last = journal->added;
    flight->users = 1;
    journal->boarded = journal->added;
    journal->start = 0;
    strbuf_clear(&journal->pending);
    while (*last)
        last = &(*last)->next;
    *last = flight;
    return flight;
}

/* A store whose writes need the lock (object_lock_ops.h) looks by itself. */
static fallible object_journal_check(struct object_journal *journal)
{
    if (!journal->is_ours)
        TRY(object_check_lock(journal->object, journal->stack, &journal->is_lost));
    journal->is_ours = true;
    return NULL;
}

struct object_journal_put {
    struct object_journal *journal;
    const struct object_flight *flight;
    struct arena *arena;
    str key;
    struct object_put_result result;
};

static struct error *object_journal_put(void *put_, size_t index)
{
    struct object_journal_put *put = put_;
    struct object_journal *journal = put->journal;
    struct object_store *store = journal->object->store;
    bool is_obeyed = store->conditions != CONDITIONS_IGNORED;

    if (index > 0)
        return object_journal_check(journal);
    return store->ops->put(store, put->arena, put->key, put->flight->bytes,
                           (struct object_condition){
                               .is_absent = is_obeyed,
                               .guard = object_guard(journal->object, put->arena, journal->stack),
                           },
                           &put->result);
}

static fallible object_journal_send(struct object_journal *journal,
                                    const struct object_flight *flight)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_store *store = journal->object->store;
    struct object_journal_put put = {
        .journal = journal,
        .flight = flight,
        .arena = &scratch,
        .key = object_journal_key(journal->object, &scratch, journal->stack, journal->id,
                                  flight->number),
    };
    struct object content;
    int64_t began = log_limit >= LOG_INFO ? clock_monotonic() : 0;

    fault_point("journal.before-write");
    TRY(object_check_owner(journal->object, journal->stack, &journal->base));
    TRY(parallel_each(flight->number == 2 ? 2 : 1, 2, object_journal_put, &put));
    fault_point("journal.after-sync");
    log_info("journal", "wrote object %u, %zu bytes in %.1f ms", flight->number, flight->bytes.len,
             (double)(clock_monotonic() - began) / NS_PER_MS);
    if (put.result.is_met)
        return NULL;
    /* An earlier attempt that seemed to fail, or the end. */
    TRY(store->ops->get(store, &scratch, put.key, &content));
    if (content.exists && str_equal(content.bytes, flight->bytes))
        return NULL;
    journal->is_replaced = true;
    return stack_replaced(journal->stack);
}

/* What has landed together with all before it is written. */
static void object_journal_retire(struct object_journal *journal)
{
    while (journal->flights && journal->flights->state == FLIGHT_LANDED) {
        struct object_flight *flight = journal->flights;
        journal->flights = flight->next;
        journal->written = flight->last;
        journal->size += flight->bytes.len;
        object_flight_leave(flight);
    }
}

/* Every fiber needs an error of its own. */
static fallible object_journal_failure(const struct object_journal *journal)
{
    return error_new(error_kind(journal->failure), STR_FMT,
                     STR_ARG(error_message(journal->failure)));
}

static void object_journal_take_off(struct object_journal *journal, struct object_flight *flight)
{
    flight->state = FLIGHT_IN_AIR;
    flight->over = (struct latch){ 0 };
    flight->users++;
    journal->in_air++;
}

static fallible object_journal_land(struct object_journal *journal, struct object_flight *flight)
{
    struct error *failure = object_journal_send(journal, flight);
    journal->in_air--;
    flight->state = failure ? FLIGHT_FAILED : FLIGHT_LANDED;
    latch_open(&flight->over);
    object_flight_leave(flight);
    if (!failure) {
        object_journal_retire(journal);
        return NULL;
    }
    error_free(journal->failure);
    journal->failure =
        error_wrap(failure, "cannot record what happens (what was recorded before is safe)");
    journal->failures++;
    return object_journal_failure(journal);
}

static fallible object_journal_fly(struct object_journal *journal, struct object_flight *flight)
{
    object_journal_take_off(journal, flight);
    return object_journal_land(journal, flight);
}

/* The first flight in this state. */
static struct object_flight *object_journal_flight(const struct object_journal *journal,
                                                   enum flight_state state)
{
    struct object_flight *flight = journal->flights;

    while (flight && flight->state != state)
        flight = flight->next;
    return flight;
}

static void object_journal_await(struct object_journal *journal)
{
    struct object_flight *flight = object_journal_flight(journal, FLIGHT_IN_AIR);

    flight->users++;
    latch_wait_uncancelable(&flight->over);
    object_flight_leave(flight);
}

/* One thing that brings record `until` nearer to the store. */
static fallible object_journal_advance(struct object_journal *journal, uint64_t until)
{
    struct object_flight *failed = object_journal_flight(journal, FLIGHT_FAILED);

    if (failed)
        return object_journal_fly(journal, failed);
    bool has_begun = journal->size > 0 || journal->in_air == 0;
    if (journal->boarded >= until || journal->in_air >= FLIGHTS_MAX || !has_begun) {
        object_journal_await(journal);
        return NULL;
    }
    if (fiber_self() && journal->in_air > 0)
        fiber_yield(); /* others may have more for the same object */
    if (journal->boarded >= until)
        return NULL;
    return object_journal_fly(journal, object_journal_board(journal));
}

/* Until everything up to this record is durable. Not cut short by cancellation: what was done has
 * to be recorded. Who waits while a flight fails learns of that; whoever comes later tries again.
 */
static fallible object_journal_flush(struct object_journal *journal, uint64_t until)
{
    size_t failures = journal->failures;

    while (journal->written < until) {
        if (journal->is_replaced || (journal->is_lost && journal->failure))
            return object_journal_failure(journal);
        TRY(object_journal_advance(journal, until));
        if (journal->failures != failures && journal->written < until)
            return object_journal_failure(journal);
    }
    return NULL;
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

/* The checkpoint that the journal will replace is kept as .bak. */
static fallible object_journal_back_up(struct object_journal *journal)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct object_checkpoint *base = &journal->base;

    if (base->exists && !journal->is_backed_up)
        TRY(object_copy(journal->object, journal->stack, base->key,
                        arena_concat(&scratch, base->key, STR(".bak"))));
    journal->is_backed_up = true;
    return NULL;
}

static fallible object_journal_put_checkpoint(struct object_journal *journal,
                                              const struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_checkpoint written;
    str bytes;

    TRY(object_encode(journal->object, &scratch, journal->stack, snapshot, &bytes));
    TRY(object_journal_back_up(journal)); /* both were done when the journal began, most often */
    TRY(object_journal_check(journal));
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

    latch_wait_uncancelable(&journal->begun);
    while (journal->in_air > 0)
        object_journal_await(journal);
    struct error *failure = object_journal_put_checkpoint(journal, snapshot);
    log_info("journal", "%s", failure ? "could not be folded" : "folded into the checkpoint");
    if (!failure || journal->is_folded || journal->written == journal->added)
        return failure;
    return error_join(failure, object_journal_flush(journal, journal->added));
}

static void object_journal_free(struct object_journal *journal)
{
    while (journal->flights) {
        struct object_flight *flight = journal->flights;
        journal->flights = flight->next;
        object_flight_leave(flight);
    }
    error_free(journal->failure);
    strbuf_release(&journal->pending);
    arena_release(&journal->arena);
    free(journal);
}

static void object_journal_close(struct journal *owned)
{
    struct object_journal *journal = (struct object_journal *)owned;

    latch_wait_uncancelable(&journal->begun);
    while (journal->in_air > 0)
        object_journal_await(journal);
    if (!journal->is_folded && journal->written < journal->added)
        error_ignore(object_journal_flush(journal, journal->added),
                     "nobody waits for these records");
    if (!journal->is_folded && (journal->added == 0 || (journal->is_lost && journal->written == 0)))
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
    .knows_base = true,
    .is_far = true,
};

/* --- open --- */

static struct error *object_journal_begin_part(void *journal_, size_t index)
{
    struct object_journal *journal = journal_;

    return index == 0 ? object_journal_land(journal, journal->flights)
                      : object_journal_back_up(journal);
}

static void object_journal_begin(void *journal_)
{
    struct object_journal *journal = journal_;
    struct error *failure = parallel_each(2, 2, object_journal_begin_part, journal);

    if (!failure && journal->number == 2) /* else the first records look */
        failure = object_journal_check(journal);
    error_ignore(failure, "whoever waits for a record or folds tries again, and gets the failure");
    latch_open(&journal->begun);
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
        .is_ours = object->store->ops->locks != NULL,
        .start = journal_format_start(),
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
    /* It is in the air from now on: what is appended meanwhile comes behind it. */
    object_journal_take_off(journal, object_journal_board(journal));
    fiber_spawn(object_journal_begin, journal);
    *out = &journal->journal;
    return NULL;
}
