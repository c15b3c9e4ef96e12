/* recorder.c — writes the journal around each step and keeps the state that it adds up to. */
#include "engine/exec/recorder.h"

#include "base/fault.h"
#include "engine/engine.h"
#include "engine/step/step.h"
#include "model/urn.h"

/* What a step is about to do. It is needed as long as the outcome is not known, and used again for
 * another step then. */
struct intent {
    struct pending_operation operation;
    struct resource resource; /* as it was: the step changes it */
    struct intent *next;
};

static struct intent *intent_new(struct recorder *recorder, const struct step *step,
                                 const struct resource *resource)
{
    struct intent *intent = recorder->idle;

    if (intent)
        recorder->idle = intent->next;
    else
        intent = ARENA_NEW(recorder->arena, struct intent);
    *intent = (struct intent){ .resource = *resource };
    intent->operation.kind = step->kind->pending;
    intent->operation.resource = &intent->resource;
    return intent;
}

static void intent_over(struct recorder *recorder, struct step *step)
{
    struct intent *intent = step->intent;

    if (!intent)
        return;
    step->intent = NULL;
    intent->next = recorder->idle;
    recorder->idle = intent;
}

/* Names an old state in the journal: by its index in the base, or by the operation of this run that
 * recorded it. */
static void journal_place(const struct resource *old, int64_t *in_base, int64_t *by_operation)
{
    if (!old)
        return;
    if (old->operation_id)
        *by_operation = old->operation_id;
    else if (old->base_index_plus_one)
        *in_base = (int64_t)old->base_index_plus_one - 1;
}

static fallible recorder_seal(struct recorder *recorder, const struct resource *resource)
{
    const struct value *value;

    for (size_t cursor = 0; resource && (value = resource_next_value(resource, &cursor));)
        TRY(value_seal(*value, recorder->crypter, recorder->arena));
    return NULL;
}

/* Sealing may wait for a key; from there on nothing waits until memory and file have the entry. */
static fallible recorder_add(struct recorder *recorder, struct journal_entry *entry, bool waits)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };

    if (!recorder->replay)
        return NULL;
    TRY(recorder_seal(recorder, entry->state));
    TRY(recorder_seal(recorder, entry->operation ? entry->operation->resource : NULL));
    entry->sequence_id = ++recorder->sequence;
    TRY(replay_apply(recorder->replay, entry));
    if (!recorder->journal)
        return NULL;
    journal_entry_write(&writer, entry);
    return journal_append(recorder->journal, strbuf_str(&text), waits);
}

fallible recorder_init(struct recorder *recorder, struct arena *arena,
                       const struct engine_options *options)
{
    *recorder = (struct recorder){ .arena = arena,
                                   .journal = options->state.journal,
                                   .crypter = options->state.crypter,
                                   .is_of_refresh = options->kind == OPERATION_REFRESH };
    if (options->preview)
        return NULL;
    recorder->replay = replay_new(arena, options->state.snapshot);
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;
    entry.kind = JOURNAL_SECRETS_MANAGER;
    entry.secrets_type = options->state.secrets_type;
    entry.secrets_state = options->state.secrets_state;
    entry.drops_pending_creates = options->plan.clear_pending_creates;
    return recorder_add(recorder, &entry, false);
}

/* Wait for the disk only where a provider is about to change something, or has done so:
 * test_record_journal.c: an_intent_is_durable_before_the_provider_is_called,
 * an_outcome_is_durable_before_the_next_thing_is_asked,
 * nobody_waits_for_the_disk_for_what_changes_nothing. */
static bool recorder_waits(const struct step *step)
{
    const struct resource *resource = step_is(step, STEP_DELETES) ? step->old : step->new;

    return step_is(step, STEP_PENDS) && resource->is_custom && !type_is_provider(resource->type);
}

fallible recorder_begin(struct recorder *recorder, struct step *step)
{
    if (!recorder->replay || !step_is(step, STEP_PENDS))
        return NULL;
    struct resource *resource = step_is(step, STEP_DELETES) ? step->old : step->new;
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;

    step->intent = intent_new(recorder, step, resource);
    step->operation_id = ++recorder->operations;
    entry.kind = JOURNAL_BEGIN;
    entry.operation_id = step->operation_id;
    entry.operation = &step->intent->operation;
    TRY(recorder_add(recorder, &entry, recorder_waits(step)));
    fault_point("step.begun");
    return NULL;
}

fallible recorder_withdraw(struct recorder *recorder, struct step *step)
{
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;

    if (!step->intent)
        return NULL;
    entry.kind = JOURNAL_FAILURE;
    entry.operation_id = step->operation_id;
    TRY(recorder_add(recorder, &entry, false));
    intent_over(recorder, step);
    return NULL;
}

/* What the outcome does to the old state. It leaves the snapshot ("remove"), stays marked for
 * deletion until the end of the run ("delete"), or stays as a pending replacement: deleted, its
 * successor not created yet. */
static void describe_outcome(const struct recorder *recorder, const struct step *step,
                             struct journal_entry *entry)
{
    const struct resource *old = step->original ? step->original : step->old;

    if (step_op_has(step->op, TRAIT_REMOVES)) {
        /* A delete before a replacement: the name stays until the create is recorded, so that a run
         * that is cut off between the two knows what is gone (test_record_journal.c:
         * deleting_first_that_is_cut_off_knows_what_is_gone). What an earlier run had marked for
         * deletion has no successor and leaves (scenario pending/delete-and-pending). */
        if (step_is(step, STEP_DELETES) && old->is_pending_replacement && !old->is_delete)
            journal_place(old, &entry->pending_replacement_old, &entry->pending_replacement_new);
        else
            journal_place(old, &entry->remove_old, &entry->remove_new);
        return;
    }
    entry->state = step->new;
    /* What this run has deleted or replaced is no longer as the base has it: test_record_journal.c:
     * what_was_deleted_first_and_is_kept_stays_a_pending_replacement,
     * what_was_replaced_and_is_kept_is_to_be_deleted. */
    if (old && step->new &&replay_has_in_base(recorder->replay, old)
        && journal_knows_base(recorder->journal) && resource_identical(step->new, old))
        entry->state_old = (int64_t)old->base_index_plus_one - 1;
    if (step_is(step, STEP_IMPORTS) && !step->original)
        return; /* a plain import replaces nothing: step->old is only what was read */
    /* A replacement that creates first leaves the old instance marked for deletion: by import
     * (scenario import/import-replaces-managed), by create (replace/replace-create-before-delete)
     * or by read (read/read-replacement). */
    bool is_marked =
        step_is(step, STEP_IMPORTS) || step->marks_delete || step_op_has(step->op, TRAIT_MARKS_OLD);
    /* A pending replacement does not exist any more, so there is nothing to mark: the create takes
     * its place. test_exec_failure.c:
     * a_failed_create_after_a_delete_leaves_a_pending_replacement. */
    if (is_marked && old && !old->is_pending_replacement)
        journal_place(old, &entry->delete_old, &entry->delete_new);
    else
        journal_place(old, &entry->remove_old, &entry->remove_new);
}

static bool recorder_records(const struct step *step)
{
    return !step_op_has(step->op, TRAIT_NOT_RECORDED) && !step_is(step, STEP_FOR_PLANNING)
           && !step->is_skipped_create;
}

fallible recorder_end(struct recorder *recorder, struct step *step, bool has_state)
{
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;

    if (!recorder->replay || !recorder_records(step))
        return NULL;
    if (step->operation_id == 0)
        step->operation_id = ++recorder->operations;
    entry.operation_id = step->operation_id;
    entry.kind = has_state ? JOURNAL_SUCCESS : JOURNAL_FAILURE;
    if (step_is(step, STEP_EXTENDS)) {
        entry.kind = JOURNAL_EXTENSION;
        entry.extension = step->extension;
        return has_state ? recorder_add(recorder, &entry, false) : NULL;
    }
    bool is_refresh = step->op == OP_REFRESH; /* also of a view */
    if (has_state)
        describe_outcome(recorder, step, &entry);
    /* What a refresh with its program leaves alone keeps its place, and what it registers beside
     * that may refer to it: the state has to be put in order, even if nothing was read.
     * test_plan_refresh.c: what_is_registered_comes_behind_what_is_excluded. */
    entry.is_refresh = has_state && (is_refresh || recorder->is_of_refresh);
    if (is_refresh && has_state) {
        /* A refresh before the program changes the base in place: its result keeps the position of
         * the old state. With --run-program it is a step like any other. */
        entry.kind = step->is_during_program ? JOURNAL_SUCCESS : JOURNAL_REFRESH_SUCCESS;
        if (!step->is_during_program && step->new == step->old)
            return NULL; /* it was not read: nothing to record */
    }
    fault_point("step.done");
    TRY(recorder_add(recorder, &entry, recorder_waits(step)));
    intent_over(recorder, step);
    /* Later entries refer to this state by its operation, unless a refresh changed it in the
     * base. */
    if (has_state && step->new && (!is_refresh || step->is_during_program))
        step->new->operation_id = step->operation_id;
    fault_point("step.recorded");
    return NULL;
}

fallible recorder_keep(struct recorder *recorder, const struct resource *old)
{
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;
    struct resource *kept = resource_clone_shallow(recorder->arena, old);

    if (!recorder->replay)
        return NULL;
    kept->base_index_plus_one = 0;
    entry.kind = JOURNAL_SUCCESS;
    entry.operation_id = ++recorder->operations;
    entry.state = kept;
    journal_place(old, &entry.remove_old, &entry.remove_new);
    TRY(recorder_add(recorder, &entry, false));
    kept->operation_id = entry.operation_id;
    return NULL;
}

fallible recorder_outputs(struct recorder *recorder, struct step *step)
{
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;

    if (!recorder->replay)
        return NULL;
    entry.kind = JOURNAL_OUTPUTS;
    entry.operation_id = ++recorder->operations;
    entry.state = step->new;
    journal_place(step->new, &entry.remove_old, &entry.remove_new);
    return recorder_add(recorder, &entry, false);
}

fallible recorder_rebuild(struct recorder *recorder, struct snapshot *out)
{
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;

    entry.kind = JOURNAL_REBUILT_BASE;
    TRY(recorder_add(recorder, &entry, false));
    return replay_snapshot(recorder->replay, out);
}

fallible recorder_end_refresh(struct recorder *recorder)
{
    struct journal_entry entry = JOURNAL_ENTRY_EMPTY;

    if (!recorder->replay)
        return NULL;
    entry.kind = JOURNAL_REBUILT_BASE;
    entry.is_refresh = true;
    return recorder_add(recorder, &entry, false);
}

fallible recorder_snapshot(struct recorder *recorder, struct snapshot *out)
{
    return replay_snapshot(recorder->replay, out);
}
