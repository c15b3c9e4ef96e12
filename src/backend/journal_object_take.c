/* journal_object_take.c — what becomes of journals that are found: sealed, folded, put aside,
 * removed. */
#include "backend/backend_object_ops.h"

#include "backend/diy_checkpoint.h"
#include "backend/file_io.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/vec.h"
#include "fiber/parallel.h"

#include <stdlib.h>

/* A seal is removed when no writer can live any more that it would have to stop. Such a writer
 * could not fold either: the seal only tells it sooner. */
#define SEAL_NS ((int64_t)7 * 24 * 3600 * NS_PER_S)

/* --- sealing --- */

/* *was_faster: its writer has written more than is known of it. */
static fallible object_seal(struct object_backend *object, struct stack_ref stack,
                            struct object_journal_found *journal, bool *was_faster)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool is_obeyed = object->store->conditions != CONDITIONS_IGNORED;
    struct object_put_result result;

    /* Its writer has no lock any more, without which it cannot write. */
    if (object->store->ops->locks)
        journal->is_sealed = true;
    while (!journal->is_sealed) {
        str key = object_journal_key(object, &scratch, stack, journal->id, ++journal->last);
        TRY(object->store->ops->put(object->store, &scratch, key, STR(""),
                                    (struct object_condition){ .is_absent = is_obeyed }, &result));
        journal->is_sealed = result.is_met;
        *was_faster = *was_faster || !result.is_met;
    }
    return NULL;
}

/* All journals; reads again until it has seen what their writers wrote last. */
static fallible object_seal_all(struct object_backend *object, struct arena *arena,
                                struct stack_ref stack, struct object_state *inout, size_t *sealed)
{
    bool was_faster;

    *sealed = 0;
    do {
        was_faster = false;
        for (size_t i = 0; i < inout->journal_count; i++) {
            *sealed += !inout->journals[i].is_sealed;
            TRY(object_seal(object, stack, &inout->journals[i], &was_faster));
        }
        if (was_faster)
            TRY(object_read(object, arena, stack, inout));
    } while (was_faster);
    return NULL;
}

/* Whether it is a journal of the process with this lock: "…/UUID.json" and "UUID-N". */
static bool object_is_owner(str lock, str journal)
{
    str folder, name;

    return str_cut_last(lock, STR("/"), &folder, &name) && str_ends_with(name, STR(".json"))
           && str_starts_with(journal, str_slice(name, 0, name.len - STR(".json").len));
}

fallible object_stop_owners(struct object_backend *object, struct stack_ref stack,
                            struct strs locks)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_state state;
    bool was_faster = false; /* no matter: it writes nothing more */

    TRY(object_read(object, &scratch, stack, &state));
    for (size_t i = 0; i < state.journal_count; i++)
        for (size_t j = 0; j < locks.len; j++)
            if (object_is_owner(locks.items[j], state.journals[i].id))
                TRY(object_seal(object, stack, &state.journals[i], &was_faster));
    return NULL;
}

/* --- removing --- */

struct object_leftover {
    struct object_leftover *next;
    struct arena arena;
    str *keys;    /* by number */
    size_t first; /* 1: the beginning stays for now */
    size_t len;
};

void object_leave(struct object_backend *object, struct stack_ref stack, str id, unsigned count)
{
    struct object_leftover *leftover = memory_zalloc(sizeof(*leftover)),
                           **last = &object->leftovers;

    leftover->keys = ARENA_ARRAY(&leftover->arena, str, count);
    leftover->len = count;
    for (unsigned i = 0; i < count; i++)
        leftover->keys[i] = object_journal_key(object, &leftover->arena, stack, id, i + 1);
    while (*last)
        last = &(*last)->next;
    *last = leftover;
}

static void object_leftover_free(struct object_leftover *leftover)
{
    arena_release(&leftover->arena);
    free(leftover);
}

static fallible object_sweep_one(struct object_backend *object, struct object_leftover *leftover,
                                 bool with_beginnings)
{
    if (leftover->len > 1) {
        TRY(object_store_remove_many(object->store,
                                     (struct strs){ leftover->keys + 1, leftover->len - 1 }));
        leftover->len = 1;
    }
    if (!with_beginnings || leftover->len == 0)
        return NULL;
    TRY(object->store->ops->remove(object->store, leftover->keys[0]));
    leftover->len = 0;
    return NULL;
}

fallible object_sweep(struct object_backend *object, bool with_beginnings)
{
    struct object_leftover *all = object->leftovers;
    struct error *failure = NULL;

    object->leftovers = NULL; /* others may leave more meanwhile */
    while (all) {
        struct object_leftover *leftover = all;
        all = all->next;
        if (!failure)
            failure = object_sweep_one(object, leftover, with_beginnings);
        if (leftover->len == 0 || failure) {
            object_leftover_free(leftover);
            continue;
        }
        leftover->next = object->leftovers;
        object->leftovers = leftover;
    }
    if (failure)
        log_warn("journal", STR_FMT, STR_ARG(error_message(failure)));
    error_ignore(failure, "what stays is on top of nothing, and the next operation removes it");
    return NULL;
}

/* --- putting aside --- */

struct object_aside {
    struct object_backend *object;
    struct arena *arena;
    const struct object_journal_found *journal;
};

str object_aside_key(struct arena *arena, str key)
{
    str before, rest;

    BUG_IF(!str_cut(key, STR(".pulumi/journals/"), &before, &rest));
    return arena_concat(arena, before, STR(".pulumi/journals-stale/"), rest);
}

static struct error *object_put_aside_one(void *aside_, size_t index)
{
    struct object_aside *aside = aside_;
    str key = aside->journal->keys.items[index];
    bool is_found;

    return object_store_copy(aside->object->store, key, object_aside_key(aside->arena, key),
                             &is_found);
}

static fallible object_put_aside(struct object_backend *object, struct arena *arena,
                                 const struct object_journal_found *journal)
{
    struct object_aside aside = { object, arena, journal };

    log_warn("journal", "put aside " STR_FMT ", which is not on top of the checkpoint",
             STR_ARG(journal->id));
    return parallel_each(journal->keys.len, OBJECT_STORE_PARALLEL, object_put_aside_one, &aside);
}

/* --- the end of a journal --- */

static bool object_holds_records(struct arena *arena, const struct object_journal_found *journal)
{
    struct journal_contents contents;

    if (journal->lacks_first)
        return true;
    if (journal->bytes.len == 0)
        return false;
    struct error *failure = journal_format_read(arena, journal->bytes, &contents);
    bool holds = failure || contents.count > 0 || contents.torn > 0;
    error_ignore(failure, "what cannot be read is put aside");
    return holds;
}

/* But for the seal that its writer may still have to meet. The beginning goes last. */
static fallible object_remove_journal(struct object_backend *object, struct arena *arena,
                                      const struct object_journal_found *journal)
{
    bool is_old = journal->modified > 0 && clock_now() - journal->modified > SEAL_NS;
    str *keys = ARENA_ARRAY(arena, str, journal->keys.len);
    size_t len = 0;

    for (size_t i = 0; i < journal->keys.len; i++)
        if (is_old || !str_equal(journal->keys.items[i], journal->seal))
            keys[len++] = journal->keys.items[i];
    if (len > 1)
        TRY(object_store_remove_many(object->store, (struct strs){ keys + 1, len - 1 }));
    return len > 0 ? object->store->ops->remove(object->store, keys[0]) : NULL;
}

static fallible object_end_journal(struct object_backend *object, struct arena *arena,
                                   const struct object_journal_found *journal, bool is_included)
{
    if (!is_included && object_holds_records(arena, journal))
        TRY(object_put_aside(object, arena, journal));
    return object_remove_journal(object, arena, journal);
}

static fallible object_end_all(struct object_backend *object, struct arena *arena,
                               const struct object_state *state,
                               const struct object_journal_found *included)
{
    for (size_t i = 0; i < state->journal_count; i++)
        TRY(object_end_journal(object, arena, &state->journals[i],
                               &state->journals[i] == included));
    return NULL;
}

fallible object_end_journals(struct object_backend *object, struct stack_ref stack,
                             const struct object_state *state)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct object_state copy = *state;
    const struct object_journal_found *included = NULL;
    struct journal_contents contents;
    size_t sealed;

    if (state->journal_count == 0)
        return NULL;
    error_ignore(object_state_journal(object, &scratch, state, &included, &contents),
                 "what cannot be read is put aside, not lost");
    TRY(object_seal_all(object, &scratch, stack, &copy, &sealed));
    return object_end_all(object, &scratch, &copy,
                          copy.journals == state->journals ? included : NULL);
}

/* --- taking over --- */

/* The same checkpoint as other bytes: with one more line end. Who takes a stack over may do so
 * twice, and stores tell versions apart by their bytes: they must not become those that a writer
 * that was replaced has seen. */
static fallible object_touch(struct object_backend *object, struct arena *arena, str bytes,
                             str *out)
{
    CLEANUP(strbuf_release) struct strbuf touched = { 0 };
    str text;

    TRY(compression_decode(arena, bytes, FILE_LIMIT, &text));
    TRY(diy_encode(&touched, arena_concat(arena, text, STR("\n")), object->compression));
    *out = arena_copy(arena, strbuf_str(&touched));
    return NULL;
}

static bool object_has_something(const struct object_state *state)
{
    for (size_t i = 0; i < state->journal_count; i++)
        if (state->journals[i].bytes.len > 0 || state->journals[i].lacks_first)
            return true;
    return false;
}

/* With what the journal that is on top knows, or what only those know that are not; in any case
 * other bytes than before. */
static fallible object_fold_found(struct object_backend *object, struct arena *arena,
                                  struct stack_ref stack, const struct object_state *state,
                                  const struct object_journal_found *journal, str *out)
{
    struct snapshot snapshot;
    bool has_deployment, is_rescued = false;

    if (journal || object_has_something(state))
        TRY(object_state_snapshot(object, arena, stack, state, &snapshot, &has_deployment,
                                  &is_rescued));
    if (!journal && !is_rescued)
        return object_touch(object, arena, state->checkpoint.bytes, out);
    TRY(object_encode(object, arena, stack, &snapshot, out));
    return str_equal(*out, state->checkpoint.bytes) ? object_touch(object, arena, *out, out) : NULL;
}

fallible object_take_over(struct object_backend *object, struct arena *arena,
                          struct stack_ref stack, bool always, struct object_state *inout)
{
    const struct object_journal_found *journal;
    struct journal_contents contents;
    struct object_checkpoint written = inout->checkpoint;
    size_t sealed;
    str bytes;

    TRY(object_seal_all(object, arena, stack, inout, &sealed));
    if (sealed == 0 && !always && !object_has_something(inout))
        return object_end_all(object, arena, inout, NULL);
    TRY(object_state_journal(object, arena, inout, &journal, &contents));
    if (journal || inout->checkpoint.exists) {
        TRY(object_fold_found(object, arena, stack, inout, journal, &bytes));
        TRY(object_put_checkpoint(object, arena,
                                  &(struct object_writing){ .stack = stack,
                                                            .former = &inout->checkpoint,
                                                            .bytes = bytes,
                                                            .keeps_backup = journal != NULL },
                                  &written));
        log_info("journal", "took over the stack " STR_FMT "%s", STR_ARG(stack.name),
                 journal ? " and folded what was recorded" : "");
    }
    TRY(object_end_all(object, arena, inout, journal));
    *inout = (struct object_state){ .checkpoint = written };
    return NULL;
}
