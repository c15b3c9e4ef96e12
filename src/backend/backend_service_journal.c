/* backend_service_journal.c — what an operation did, as entries that the service replays, or where
 * it does not know them as whole states. */
#include "backend/backend_service.h"

#include "backend/service_delta.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/vec.h"
#include "base/version.h"
#include "model/journal.h"

#include <stdlib.h>

/* Invariants:
 * 1. Records reach the service in the order in which they were added: one request at a time.
 * 2. What a request that failed carried stays at the head of `waiting`, and goes out with the next.
 *    The service knows an entry by its number, so twice is the same as once.
 * 3. In the mode without entries the state that is sent has every record that was added. */

enum { RECORDS_IN_A_REQUEST = 1000 };

struct service_journal {
    struct journal journal;
    struct arena arena;
    struct service_update *update;
    bool owns_update; /* nobody had begun one */
    struct {
        VEC(char *);
    } waiting; /* records that the service does not have yet */
    uint64_t added;
    uint64_t written;
    struct semaphore turn;
    bool is_folded;
    /* states in place of entries */
    struct snapshot base;
    struct replay *replay; /* NULL: the service takes entries */
    struct service_capabilities capabilities;
    struct strbuf sent; /* the last state as the service has it, if it takes deltas */
    int64_t sequence;   /* of that state */
};

/* --- entries --- */

static fallible send_entries(struct service_journal *journal, size_t first, size_t count,
                             struct service_answer *answer)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct service_call call = { .method = "PATCH", .is_compressed = true, .may_repeat = true };

    strbuf_add(&body, STR("{\"entries\":["));
    for (size_t i = first; i < first + count; i++) {
        if (i > first)
            strbuf_add_char(&body, ',');
        strbuf_add(&body, str_from(journal->waiting.items[i]));
    }
    strbuf_add(&body, STR("]}"));
    call.body = strbuf_str(&body);
    TRY(service_update_call(journal->update, &call, "/journalentries", &scratch, answer));
    /* The rest of the answer goes with the arena. */
    bool is_good = service_answer_is_good(answer);
    bool is_divisible = answer->code == 413 && count > 1;
    return is_good || is_divisible ? NULL : service_refusal(answer);
}

/* Halves what is too large for the service. */
static fallible send_range(struct service_journal *journal, size_t first, size_t count)
{
    struct service_answer answer;

    TRY(send_entries(journal, first, count, &answer));
    if (service_answer_is_good(&answer))
        return NULL;
    TRY(send_range(journal, first, count / 2));
    return send_range(journal, first + count / 2, count - count / 2);
}

static void drop_first(struct service_journal *journal, size_t count)
{
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        free(journal->waiting.items[i]);
    memmove(journal->waiting.items, journal->waiting.items + count,
            (journal->waiting.len - count) * sizeof(*journal->waiting.items));
    journal->waiting.len -= count;
    journal->written += count;
}

/* --- states --- */

static fallible send_whole(struct service_journal *journal, struct arena *arena, str text)
{
    struct service_call call = { .method = "PATCH", .is_compressed = true, .may_repeat = true };

    if (!journal->capabilities.takes_deltas) {
        call.body = arena_concat(arena, STR("{\"isInvalid\":false,"), str_slice(text, 1, text.len));
        return service_update_call(journal->update, &call, "/checkpoint", arena, NULL);
    }
    str end = arena_printf(arena, ",\"sequenceNumber\":%lld}", (long long)journal->sequence + 1);
    str version = str_starts_with(text, STR("{\"version\":4,")) ? STR("4") : STR("3");
    call.body = arena_concat(arena, STR("{\"version\":"), version, STR(",\"untypedDeployment\":"),
                             text, end);
    return service_update_call(journal->update, &call, "/checkpointverbatim", arena, NULL);
}

static void write_span_end(struct json_writer *writer, const char *key, size_t offset)
{
    json_key(writer, str_from(key));
    json_begin_object(writer);
    json_key(writer, STR("line"));
    json_integer(writer, 1);
    json_key(writer, STR("column"));
    json_integer(writer, 1);
    json_key(writer, STR("offset"));
    json_integer(writer, (int64_t)offset);
    json_end_object(writer);
}

static void write_delta(struct json_writer *writer, const struct delta *delta)
{
    json_begin_array(writer);
    for (size_t i = 0; i < delta->len; i++) {
        json_begin_object(writer);
        json_key(writer, STR("Span"));
        json_begin_object(writer);
        json_key(writer, STR("uri"));
        json_string(writer, STR(""));
        write_span_end(writer, "start", delta->edits[i].start);
        write_span_end(writer, "end", delta->edits[i].end);
        json_end_object(writer);
        json_key(writer, STR("NewText"));
        json_string(writer, delta->edits[i].text);
        json_end_object(writer);
    }
    json_end_array(writer);
}

/* Small states are not worth it. */
static bool is_delta_worth(const struct service_journal *journal, str text)
{
    int64_t least = journal->capabilities.delta_cutoff;

    return journal->capabilities.takes_deltas && journal->sent.len
           && (int64_t)journal->sent.len >= least && (int64_t)text.len >= least;
}

static fallible send_delta(struct service_journal *journal, struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct json_writer writer = { .out = &body };
    struct service_call call = { .method = "PATCH", .is_compressed = true, .may_repeat = true };
    struct delta delta;

    TRY(delta_find(arena, strbuf_str(&journal->sent), text, &delta));
    json_begin_object(&writer);
    json_key(&writer, STR("version"));
    json_integer(&writer, str_starts_with(text, STR("{\"version\":4,")) ? 4 : 3);
    json_key(&writer, STR("checkpointHash"));
    json_string(&writer, hash_sha256_hex(arena, text));
    json_key(&writer, STR("sequenceNumber"));
    json_integer(&writer, journal->sequence + 1);
    json_key(&writer, STR("deploymentDelta"));
    write_delta(&writer, &delta);
    json_end_object(&writer);
    call.body = strbuf_str(&body);
    return service_update_call(journal->update, &call, "/checkpointdelta", arena, NULL);
}

/* What is left of a delta that was refused is sent whole, under the same number. */
static fallible send_text(struct service_journal *journal, struct arena *arena, str text)
{
    bool is_sent = false;

    if (is_delta_worth(journal, text)) {
        struct error *failure = send_delta(journal, arena, text);
        if (failure && journal->update->loss.len)
            return failure;
        is_sent = !failure;
        error_ignore(failure, "the whole state tells why, if it fails, too");
    }
    if (!is_sent)
        TRY(send_whole(journal, arena, text));
    journal->sequence++;
    if (journal->capabilities.takes_deltas) {
        strbuf_clear(&journal->sent);
        strbuf_add(&journal->sent, text);
    }
    return NULL;
}

static fallible send_state(struct service_journal *journal, struct snapshot *snapshot)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str text;

    snapshot->time = clock_format(&scratch, clock_now());
    snapshot->version = STR(PULUMI_VERSION);
    snapshot->magic = snapshot_magic(&scratch, snapshot->version);
    TRY(service_deployment_text(journal->update->backend, &scratch, snapshot, &text));
    return send_text(journal, &scratch, text);
}

static fallible send_replayed(struct service_journal *journal)
{
    struct snapshot snapshot;

    TRY(replay_snapshot(journal->replay, &snapshot));
    return send_state(journal, &snapshot);
}

/* --- append --- */

static fallible write_waiting(struct service_journal *journal)
{
    while (journal->waiting.len) {
        size_t count = journal->waiting.len;
        if (journal->replay) {
            TRY(send_replayed(journal));
        } else {
            count = count < RECORDS_IN_A_REQUEST ? count : RECORDS_IN_A_REQUEST;
            TRY(send_range(journal, 0, count));
        }
        drop_first(journal, count);
        if (journal->replay || count < RECORDS_IN_A_REQUEST)
            break; /* what came meanwhile has somebody who waits for it, or can wait */
    }
    return NULL;
}

/* Those who wait for their turn find that another has written for them. */
static fallible journal_flush(struct service_journal *journal, uint64_t until)
{
    struct error *failure = NULL;

    semaphore_wait_uncancelable(&journal->turn);
    if (journal->written < until)
        failure = error_wrap(write_waiting(journal),
                             "cannot record what happens (what was recorded before is safe)");
    semaphore_post(&journal->turn);
    journal->update->is_loss_reported |= failure != NULL;
    return failure;
}

static fallible replay_record(struct service_journal *journal, str record)
{
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;

    TRY(journal_entry_read(&journal->arena, arena_copy(&journal->arena, record), &entry));
    return replay_apply(journal->replay, &entry);
}

/* The service knows no entry that clears interrupted creates: the first entry becomes the state
 * without them, with the same resources at the same places. */
static fallible rewrite_first(struct service_journal *journal, struct arena *arena, str *record)
{
    struct service_backend *backend = journal->update->backend;
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct snapshot base;
    bool has_deployment;

    if (journal->replay || journal->added > 0
        || str_find(*record, STR("\"dropsPendingCreates\":true")) == SIZE_MAX)
        return NULL;
    TRY(journal_entry_read(arena, *record, &entry));
    TRY(service_load(&backend->backend, journal->update->stack, arena, &base, &has_deployment));
    if (!has_deployment || base.pending_count == 0)
        return NULL;
    base.pending_count = 0;
    base.secrets_type = entry.secrets_type;
    base.secrets_state = entry.secrets_state;
    entry.kind = JOURNAL_WRITE;
    entry.secrets_type = STR("");
    entry.new_snapshot = &base;
    journal_entry_write(&writer, &entry);
    *record = arena_copy(arena, strbuf_str(&text));
    return NULL;
}

static struct error *service_journal_append(struct journal *journal_, str record, bool waits)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct service_journal *journal = (struct service_journal *)journal_;

    TRY(rewrite_first(journal, &scratch, &record));
    if (journal->replay)
        TRY(replay_record(journal, record));
    char *copy = memory_zalloc(record.len + 1);
    memcpy(copy, record.ptr, record.len);
    vec_add(&journal->waiting, copy);
    journal->added++;
    return waits ? journal_flush(journal, journal->added) : NULL;
}

/* --- fold and close --- */

static struct error *service_journal_fold(struct journal *journal_, const struct snapshot *snapshot)
{
    struct service_journal *journal = (struct service_journal *)journal_;
    struct error *failure = NULL;

    fault_point("service.before-fold");
    if (!journal->replay) {
        failure = journal_flush(journal, journal->added);
    } else {
        struct snapshot last = *snapshot;
        semaphore_wait_uncancelable(&journal->turn);
        failure = error_wrap(send_state(journal, &last), "cannot save the state");
        if (!failure)
            drop_first(journal, journal->waiting.len);
        semaphore_post(&journal->turn);
    }
    journal->is_folded = !failure;
    journal->update->is_loss_reported |= failure != NULL;
    return failure;
}

static void journal_free(struct service_journal *owned)
{
    for (size_t i = 0; i < owned->waiting.len; i++)
        free(owned->waiting.items[i]);
    vec_release(&owned->waiting);
    strbuf_release(&owned->sent);
    arena_release(&owned->arena);
    free(owned);
}

static void service_journal_close(struct journal *owned)
{
    struct service_journal *journal = (struct service_journal *)owned;

    if (!journal->is_folded && journal->written < journal->added)
        error_ignore(journal_flush(journal, journal->added), "nobody waits for these records");
    if (journal->owns_update)
        error_ignore(service_update_end(journal->update, journal->is_folded),
                     "the lease ends by itself");
    journal_free(journal);
}

static const struct journal_ops service_journal_ops = {
    .append = service_journal_append,
    .fold = service_journal_fold,
    .close = service_journal_close,
};

/* --- open --- */

static fallible find_update(struct service_journal *journal, struct service_backend *backend,
                            struct stack_ref stack)
{
    const struct update_facts facts = { .kind = STR("update"), .project = stack.project };

    journal->update = backend->running;
    if (journal->update && stack_ref_equal(journal->update->stack, stack))
        return NULL;
    TRY(service_update_begin(backend, stack, &facts, &journal->update));
    journal->owns_update = true;
    return NULL;
}

/* What the states of an operation build on; entries need nothing. */
static fallible find_base(struct service_journal *journal, struct service_backend *backend,
                          struct stack_ref stack)
{
    bool has_deployment;

    if (journal->update->is_journaled)
        return NULL;
    TRY(service_load(&backend->backend, stack, &journal->arena, &journal->base, &has_deployment));
    journal->replay = replay_new(&journal->arena, &journal->base);
    TRY(service_backend_capabilities(backend, &journal->capabilities));
    str setting = settings_text("PULUMI_OPTIMIZED_CHECKPOINT_PATCH");
    bool is_wanted = true;
    if (str_to_bool(setting, &is_wanted))
        journal->capabilities.takes_deltas &= is_wanted;
    return NULL;
}

struct error *service_open_journal(struct backend *backend_, struct stack_ref stack,
                                   struct journal **out)
{
    struct service_backend *backend = (struct service_backend *)backend_;
    struct service_journal *journal = memory_zalloc(sizeof(*journal));

    journal->journal.ops = &service_journal_ops;
    journal->turn.available = 1;
    struct error *failure = find_update(journal, backend, stack);
    if (!failure)
        failure = find_base(journal, backend, stack);
    if (failure) {
        if (journal->owns_update)
            failure = error_join(failure, service_update_end(journal->update, false));
        journal_free(journal);
        return failure;
    }
    *out = &journal->journal;
    return NULL;
}
