/* executor.c — runs chains of steps.
 *
 * What must hold:
 * 1. The steps of a chain run in order; the first that fails ends the chain.
 * 2. At most `slots` chains run at once; chains start in the order they were submitted. One that
 *    waits has no fiber, because there may be any number of them. A chain that has only to wait
 *    until its last outcome is durable has passed its slot on: records become durable in order, so
 *    whatever the next one begins is begun after that.
 * 3. Once the course has stopped no step begins; steps under way finish and are recorded.
 * 4. A step is recorded before the registration that waits for it is answered.
 * 5. Of a chain that fails or is skipped, what it was to delete and did not come to is as it was.
 * 6. Where a record takes a round trip, as many steps again as may be with a provider at once
 * record their intents meanwhile, and wait for their turn. One whose turn never comes takes its
 * intent back; if the run is killed instead, it stays a pending operation, as one does that was
 * killed between its intent and its call. */
#include "engine/exec/executor.h"

#include "base/span.h"
#include "base/trace.h"
#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/exec/recorder.h"
#include "engine/hook/hooks.h"
#include "engine/plan/stepgen.h"
#include "engine/plan/update_plan.h"
#include "engine/report/course.h"
#include "engine/step/step_report.h"
#include "engine/step/views.h"
#include "fiber/fiber.h"
#include "model/resource_links.h"
#include "model/urn.h"

/* What can really run at once, whatever the user asks for: each has a stack. */
enum { MOST_SLOTS = 4096 };

void executor_init(struct executor *executor, const struct step_tools *tools,
                   struct recorder *recorder, struct stepgen *gen, struct course *course,
                   struct cancel *scope)
{
    int32_t parallel = tools->options->plan.parallel;
    size_t most = parallel > 0 && parallel < MOST_SLOTS ? (size_t)parallel : MOST_SLOTS;
    bool records_ahead =
        most > 1 && most < MOST_SLOTS && journal_is_far(tools->options->state.journal);

    *executor = (struct executor){
        .tools = tools,
        .recorder = recorder,
        .gen = gen,
        .course = course,
        .scope = scope,
        .slots = records_ahead ? 2 * most : most,
        .records_ahead = records_ahead,
        .hands.available = most,
    };
}

void executor_release(struct executor *executor)
{
    vec_release(&executor->waiting);
    vec_release(&executor->errored);
    map_release(&executor->pending_news);
}

struct step *executor_take_pending(struct executor *executor, str urn)
{
    return map_remove(&executor->pending_news, urn);
}

void executor_wait(struct executor *executor)
{
    work_group_wait_uncancelable(&executor->running);
}

/* Outputs are secret where the program says so or where the input of the same name is:
 * test_record_state.c: named_outputs_are_recorded_as_secrets,
 * outputs_of_secret_inputs_are_secret. */
static void mark_secret_outputs(const struct step_tools *tools, struct resource *state)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct arena *arena = tools->arena;
    struct strs names = state->options.additional_secret_outputs;
    struct member *hidden = ARENA_ARRAY(&scratch, struct member, names.len + state->inputs.len);
    size_t count = 0;

    for (size_t i = 0; i < names.len; i++) {
        const struct value *output = value_find(state->outputs, names.items[i]);
        if (str_equal(names.items[i], STR("id")))
            report_diagnose(tools->report, SEVERITY_WARNING, state->urn,
                            "The 'id' property cannot be made secret.");
        else if (output && output->kind != VALUE_SECRET)
            hidden[count++] = (struct member){ names.items[i], value_secret(arena, *output) };
    }
    for (uint32_t i = 0; i < state->inputs.len; i++) {
        const struct member *input = &state->inputs.members[i];
        if (input->value.kind != VALUE_SECRET)
            continue;
        const struct value *output = value_find(state->outputs, input->key);
        if (output && output->kind != VALUE_SECRET)
            hidden[count++] = (struct member){ input->key, value_secret(arena, *output) };
    }
    /* All at once: each change of an object is a copy of it. */
    if (count > 0)
        state->outputs = value_merge(arena, state->outputs, value_object(&scratch, hidden, count));
}

/* By this run, or by an earlier one; what a refresh has found may not stay. */
static bool was_imported(const struct step *step)
{
    const struct resource *state = step->new, *old = step->old;

    if (step->op == OP_REFRESH || state->id.len == 0)
        return false;
    return step_is(step, STEP_IMPORTS) || str_equal(state->options.import_id, state->id)
           || (old && str_equal(old->options.import_id, state->id));
}

static void publish(const struct executor *executor, const struct step *step)
{
    struct estate *estate = executor->tools->estate;
    struct resource *state = step->new;
    /* For the update plan only: outputs that are not known yet (of a custom resource to be created,
     * of a component before it registers them) are absent, not an empty object. Scenario
     * plan/plan-file. */
    bool is_not_known_yet = state->is_custom
                                ? step_is(step, STEP_CREATES) && !type_is_provider(state->type)
                                : step->op != OP_SAME;

    mark_secret_outputs(executor->tools, state);
    if (step_is(step, STEP_LOOKS_UP)) {
        map_put(&estate->reads, state->urn, state);
    } else {
        estate_add_new(estate, state);
        if (was_imported(step))
            estate_note_import(estate, state);
    }
    if (state->outputs.len || !(is_not_known_yet || step->is_skipped_create))
        update_plan_note_state(executor->gen, state);
}

static void answer_registration(const struct step *step)
{
    if (!step->reg || step_is(step, STEP_ANSWERS_LATER))
        return;
    step->reg->is_unknown = step->is_skipped_create;
    registration_finish(step->reg, REGISTRATION_SUCCESS, step->new);
}

/* What a refresh has read is known, also if it could not be compared then (scenario
 * refresh/refresh-diff-fails). With --run-program the state stays as it was, because the program
 * was not given what was read. */
static bool has_read(const struct step *step)
{
    return step_is(step, STEP_REFRESHES) && !step->is_during_program && step->new
           && step->new != step->old;
}

/* Its provider was lost while it worked: whether the change happened is not known, so the intent
 * stays on record as a pending operation. Scenarios provider/provider-crash,
 * provider/provider-dies-at-work. */
static bool is_outcome_unknown(const struct executor *executor, const struct step *step,
                               const struct error *failure)
{
    return failure && error_is_lost(failure) && step_is(step, STEP_PENDS)
           && !executor->tools->options->preview;
}

static fallible finish_views(struct executor *executor, struct step *owner, bool owner_has_state);
static void pass_slot_on(struct executor *executor, struct chain *chain);

/* What the step says of the old instance is not recorded. */
static void take_marks_back(const struct step *step)
{
    if (step->marks_delete)
        step->old->is_delete = false;
    if (step->marks_pending)
        step->old->is_pending_replacement = false;
    if (step->original)
        step->original->is_delete = false;
    if (step->kind == &step_view && step->op == OP_CREATE_REPLACEMENT && step->old)
        step->old->is_delete = false;
}

/* What a provider has said of them is not recorded either. */
static void drop_views(struct step *owner)
{
    if (owner->views)
        vec_release(&owner->views->steps);
    owner->views = NULL;
}

/* `chain` is NULL unless this is its last step. */
static fallible finish_step(struct executor *executor, struct step *step, struct error *failure,
                            struct chain *chain)
{
    const struct step_tools *tools = executor->tools;
    /* A failed create or update may have left a resource that exists but is not initialised: its
     * state is recorded with its errors, though the step failed. Scenario fail/init-failure. */
    bool has_state =
        (!failure || step->status == RESOURCE_PARTIAL || has_read(step)) && !step->has_no_owner;
    bool is_unknown = is_outcome_unknown(executor, step, failure);

    trace_fact("step-end", TRACE_TEXT("op", str_from(step_op_names[step->op])),
               TRACE_TEXT("urn", step_urn(step)), TRACE_BOOL("failed", failure != NULL));
    /* Its outcome is not known, so its intent stays on record: test_exec_order.c:
     * after_a_second_interrupt_the_intent_stays_on_record,
     * after_a_second_interrupt_the_old_instance_is_as_it_was. */
    if (executor->course->is_terminated) {
        take_marks_back(step);
        drop_views(step);
        return failure;
    }

    if (is_unknown)
        failure =
            error_wrap(failure, "the outcome of %s it is unknown, and it stays a pending operation",
                       pending_names[step->kind->pending]);
    if (!failure && step_is_logical(step) && step->new)
        map_put(&executor->pending_news, step->new->urn, step);
    /* What was not made is nothing that others could meet: test_plan_refresh.c:
     * what_could_not_be_read_is_left_alone. */
    if (has_state && step->new && !step_op_has(step->op, TRAIT_NOT_RECORDED))
        publish(executor, step);
    if (step_is(step, STEP_DELETES))
        failure = error_join(failure, finish_views(executor, step, false));
    step_report_after(tools->report, step, failure);
    if (step->op == OP_UPDATE && step->status == RESOURCE_PARTIAL)
        step->new->inputs =
            step->old->inputs; /* so that the next update sees the difference again */
    /* The views of a deleted resource are reported and recorded before it, those of any other after
     * it, because a snapshot lists an owner before its views. test_exec_hooks.c:
     * views_are_shown_while_their_owner_is_worked_on_and_recorded_after_it. One that a refresh
     * finds gone leaves after its views, too: test_record_journal.c:
     * what_is_gone_leaves_after_its_views. */
    if (step_is(step, STEP_REFRESHES) && step->is_deleted)
        failure = error_join(failure, finish_views(executor, step, false));
    struct span writing = span_begin_part("journal", "urn", step_urn(step));
    if (chain && !failure && executor->recorder->journal && step_is(step, STEP_PENDS))
        pass_slot_on(executor, chain);
    struct error *recording = is_unknown ? NULL : recorder_end(executor->recorder, step, has_state);
    span_end(&writing);
    if (!step_is(step, STEP_DELETES))
        failure = error_join(failure, finish_views(executor, step, has_state));
    /* What was read is known, also if it is not whole: the program gets it though the step failed.
     * Scenario read/read-init-errors. */
    if (!recording && (!failure || (step_is(step, STEP_LOOKS_UP) && has_state)))
        answer_registration(step);
    if (recording)
        report_diagnose(tools->report, SEVERITY_ERROR, step_urn(step), STR_FMT,
                        STR_ARG(error_message(recording)));
    /* An after-hook that fails does not undo its step, but nothing new is started:
     * test_exec_hooks.c: an_after_hook_that_fails_leaves_what_was_made. */
    if (tools->hooks->has_failure && !tools->options->plan.continue_on_error)
        course_stop(executor->course);
    return error_join(failure, recording);
}

/* A replacement may make a view of the same name: the state has one of them. test_exec_hooks.c:
 * a_replacement_takes_over_the_names_of_views, also under a new name of its own. */
static struct resource *replace_view(const struct executor *executor, const struct step *owner,
                                     const struct resource *view)
{
    struct resource *old = view_known(executor->tools, owner, view->urn);

    if (!old)
        old = estate_old(executor->tools->estate, view->urn);
    if (!old || old->view_of.len == 0)
        return NULL;
    old->is_delete = true;
    return old;
}

/* Reports and records what the provider said about views while the step of their owner ran. An
 * owner that could not be made or changed stays where it was, if it was at all, and so do its
 * views: test_exec_hooks.c: views_of_an_owner_that_failed_stay_as_they_were. */
static fallible finish_views(struct executor *executor, struct step *owner, bool owner_has_state)
{
    struct view_report *report = owner->views;
    struct error *failure = NULL;

    if (!report)
        return NULL;
    owner->views = NULL;
    for (size_t i = 0; i < report->steps.len; i++) {
        struct step *step = report->steps.items[i];
        step->has_no_owner = !owner_has_state && step->new && !step_is(owner, STEP_REFRESHES);
        if (step->new && !step->old && !step->has_no_owner)
            step->original = replace_view(executor, owner, step->new);
        failure = error_join(
            failure, finish_step(executor, step, step->kind->apply(executor->tools, step), NULL));
    }
    vec_release(&report->steps);
    return failure;
}

static bool changes_world(const struct step *step)
{
    const struct resource *resource = step_resource(step);

    return step_is(step, STEP_PENDS) && !step_is(step, STEP_LOOKS_UP) && resource->is_custom
           && !type_is_provider(resource->type);
}

/* A provider may answer with secrets: it is asked to change something only once it is known that
 * they can be sealed, otherwise what it created could not be recorded (test_exec_order.c:
 * nothing_is_changed_before_the_key_is_known_to_be_right). The key is derived while providers
 * start. */
static fallible check_key(struct executor *executor, const struct step *step)
{
    const struct engine_options *options = executor->tools->options;

    if (!options->key.verify || options->preview || !changes_world(step))
        return NULL;
    struct error *refusal = options->key.verify(options->key.context);
    if (!refusal)
        return NULL;
    if (executor->course->refusal)
        error_free(refusal); /* for another step, already */
    else
        course_refuse(executor->course, refusal);
    return error_reported("the key is not the right one");
}

static fallible record_intent(struct executor *executor, struct step *step)
{
    struct span writing = span_begin_part("journal", "urn", step_urn(step));
    struct error *recording = recorder_begin(executor->recorder, step);

    span_end(&writing);
    if (recording) {
        report_diagnose(executor->tools->report, SEVERITY_ERROR, step_urn(step), STR_FMT,
                        STR_ARG(error_message(recording)));
        error_ignore(recorder_withdraw(executor->recorder, step),
                     "the state knows it; a journal without it has a pending operation");
    }
    return recording;
}

/* Of one step, by rule 6. */
struct turn {
    bool has_come; /* else the course has stopped before */
    bool has_hand;
};

static void give_hand_back(struct executor *executor, struct turn *turn)
{
    if (turn->has_hand)
        semaphore_post(&executor->hands);
    turn->has_hand = false;
}

static void take_hand(struct executor *executor, struct turn *turn)
{
    *turn = (struct turn){ .has_come = true };
    if (!executor->records_ahead)
        return;
    semaphore_wait_uncancelable(&executor->hands);
    turn->has_hand = true;
    turn->has_come = !executor->course->has_stopped;
}

static fallible await_turn(struct executor *executor, struct step *step, struct turn *turn)
{
    /* The program may register outputs as soon as the create was answered, and the replacement
     * behind it has to be known by then: test_exec_order.c:
     * outputs_may_follow_a_replacement_at_once. */
    if (step_is(step, STEP_ASKS_NOBODY))
        return NULL;
    if (executor->records_ahead)
        TRY(record_intent(executor, step));
    take_hand(executor, turn);
    return turn->has_come ? NULL : recorder_withdraw(executor->recorder, step);
}

/* A failure belongs to planning. */
static fallible execute_for_planning(struct executor *executor, struct step *step,
                                     struct turn *turn)
{
    take_hand(executor, turn);
    return turn->has_come ? step->kind->apply(executor->tools, step) : NULL;
}

/* After a failure it keeps its hand, so that nothing begins before it is known what else stops. */
static fallible execute_step(struct executor *executor, struct step *step, struct chain *chain,
                             struct turn *turn)
{
    const struct step_tools *tools = executor->tools;

    if (step_is(step, STEP_FOR_PLANNING))
        return execute_for_planning(executor, step, turn);
    TRY(check_key(executor, step));
    TRY(await_turn(executor, step, turn));
    if (!turn->has_come)
        return NULL;
    CLEANUP(span_end)
    struct span span = span_begin(step_op_names[step->op], "urn", step_urn(step));
    trace_fact("step-begin", TRACE_TEXT("op", str_from(step_op_names[step->op])),
               TRACE_TEXT("urn", step_urn(step)));
    step_report_before(tools->report, step);
    if (!executor->records_ahead)
        TRY(record_intent(executor, step));
    struct span applying = span_begin_part("apply", "urn", step_urn(step));
    struct error *failure = step->kind->apply(tools, step);
    span_end(&applying);
    if (!failure)
        give_hand_back(executor, turn);
    span.has_failed = failure != NULL;
    return finish_step(executor, step, failure, chain);
}

/* A refresh step has its name from its registration, which goes when the program was answered. So
 * the name is noted at once, and the step lets go of it (test_plan_refresh.c:
 * what_could_not_be_read_is_known_when_its_registration_is_gone). */
static void note_errored(struct executor *executor, struct step *step,
                         enum registration_result result)
{
    vec_add(&executor->errored, step);
    fates_add(&executor->tools->estate->fates, step_urn(step), FATE_SKIPPED);
    if (step->reg && !step_is(step, STEP_FOR_PLANNING))
        registration_finish(step->reg, result, step->new);
    step->reg = NULL;
}

/* The step's failure was reported where it happened; decides what else stops. Deletes that
 * protection refuses never stop the run: scenario protect/protect-delete. */
static void note_failure(struct executor *executor, struct step *step, struct error *owned)
{
    error_ignore(owned, "reported when it happened");
    executor->has_failed = true;
    if (executor->ignores_errors)
        return;
    if (!executor->tools->options->plan.continue_on_error && !step->is_protected) {
        course_stop(executor->course);
        return;
    }
    note_errored(executor, step, REGISTRATION_FAILED);
}

/* The steps after a failed one in its chain never begin, so the registration fails with it, and
 * with --continue-on-error the program waits for that answer (scenario
 * dbr/delete-fails-and-the-rest-goes-on). Deletes that were not reached are taken back
 * (dbr/chain-fails-while-others-go-on). */
static void give_up_rest(struct executor *executor, const struct chain *chain, size_t first)
{
    if (executor->ignores_errors || executor->course->has_stopped)
        return;
    for (size_t i = first; i < chain->len; i++) {
        struct step *step = chain->items[i];
        if (step_is(step, STEP_DELETES)) {
            stepgen_reprieve(executor->gen, step->old);
            continue;
        }
        note_errored(executor, step, REGISTRATION_FAILED);
    }
}

/* *has_slot is false if it has passed its slot on. */
static void run_chain(struct executor *executor, struct chain *chain, bool *has_slot)
{
    for (size_t i = 0; i < chain->len && !chain->is_failed; i++) {
        if (executor->course->has_stopped) {
            chain->is_failed = true;
            break;
        }
        bool is_last = i + 1 == chain->len;
        struct turn turn = { .has_come = true };
        struct error *failure =
            execute_step(executor, chain->items[i], is_last ? chain : NULL, &turn);
        if (!turn.has_come) {
            give_hand_back(executor, &turn);
            chain->is_failed = true;
            error_ignore(failure, "the intent stays a pending operation");
            break;
        }
        if (failure) {
            chain->is_failed = true;
            note_failure(executor, chain->items[i], failure);
            give_up_rest(executor, chain, i + 1);
        }
        give_hand_back(executor, &turn);
        /* The deletes of a chain come first: registrations that wait for them go on while the rest
         * of the chain runs. Scenario dbr/registered-while-condemned. */
        if (i + 1 < chain->len && !step_is(chain->items[i + 1], STEP_DELETES))
            latch_open(&chain->deleted);
    }
    latch_open(&chain->deleted);
    *has_slot = !chain->has_no_slot;
    vec_release(chain);
    latch_open(&chain->finished);
    work_group_done(&executor->running);
}

static struct chain *take_waiting(struct executor *executor)
{
    if (executor->next_turn < executor->waiting.len)
        return executor->waiting.items[executor->next_turn++];
    executor->waiting.len = executor->next_turn = 0;
    return NULL;
}

/* A fiber has a slot: it runs its chain, then those that wait for one. */
static void run_slot(void *chain_)
{
    struct chain *chain = chain_;
    struct executor *executor = chain->executor;

    for (struct chain *next; chain; chain = next) {
        bool has_slot;
        run_chain(executor, chain, &has_slot);
        if (!has_slot)
            return;
        next = take_waiting(executor);
        if (!next)
            executor->slots++;
    }
}

static void pass_slot_on(struct executor *executor, struct chain *chain)
{
    struct chain *next = take_waiting(executor);

    chain->has_no_slot = true;
    if (next)
        fiber_spawn_in(executor->scope, run_slot, next);
    else
        executor->slots++;
}

void executor_submit(struct executor *executor, struct chain *chain)
{
    chain->executor = executor;
    work_group_add(&executor->running, 1);
    if (executor->slots > 0) {
        executor->slots--;
        fiber_spawn_in(executor->scope, run_slot, chain);
        return;
    }
    vec_add(&executor->waiting, chain);
}

void executor_run_parallel(struct executor *executor, struct chain *level)
{
    size_t count = level->len;
    struct chain **chains = ARENA_ARRAY(executor->tools->arena, struct chain *, count + 1);

    for (size_t i = 0; i < count; i++) {
        chains[i] = chain_new(executor->tools->arena);
        vec_add(chains[i], level->items[i]);
        executor_submit(executor, chains[i]);
    }
    for (size_t i = 0; i < count; i++)
        latch_wait_uncancelable(&chains[i]->finished);
    vec_release(level);
    latch_open(&level->finished);
}

/* Also if it goes on under another name: test_exec_failure.c:
 * what_stays_and_refers_to_what_failed_under_its_new_name_stays_too. */
static bool was_skipped(const struct executor *executor, str urn)
{
    const struct fates *fates = &executor->tools->estate->fates;

    return fates_have(fates, urn, FATE_SKIPPED)
           || fates_have(fates, stepgen_current_urn(executor->gen, urn), FATE_SKIPPED);
}

static bool depends_on_skipped(const struct executor *executor, const struct step *step)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct resource *resource = step_resource(step);

    if (!resource)
        return false;
    struct strs urns = resource_references(&scratch, resource);
    for (size_t i = 0; i < urns.len; i++)
        if (was_skipped(executor, urns.items[i]))
            return true;
    /* test_exec_provider.c: what_stays_stays_behind_its_provider_that_failed,
     * what_has_a_provider_that_failed_is_skipped. */
    return was_skipped(executor, resource_provider_urn(resource));
}

static bool is_deleted_by(const struct chain *chain, const struct resource *state)
{
    for (size_t i = 0; i < chain->len; i++)
        if (step_is(chain->items[i], STEP_DELETES) && chain->items[i]->old == state)
            return true;
    return false;
}

/* By what would take it along if it were not registered yet; what it only depends on is replaced
 * without it: test_plan_refresh.c: what_could_not_be_read_is_left_alone. */
static bool needs(const struct resource *state, const struct resource *other)
{
    struct link_cursor cursor = { 0 };
    struct link link;
    str urn, id;

    if (str_cut_last(state->provider, STR("::"), &urn, &id) && str_equal(urn, other->urn))
        return str_equal(id, other->id);
    while (!other->is_delete && resource_link_next(state, &cursor, &link))
        if ((link.kind == LINK_PROPERTY || link.kind == LINK_DELETED_WITH)
            && str_equal(link.urn, other->urn))
            return true;
    return false;
}

/* What failed, or was skipped, is still as the state of before has it. */
static bool is_needed_by_errored(const struct executor *executor, const struct chain *chain,
                                 const struct resource *gone)
{
    for (size_t i = 0; i < executor->errored.len; i++) {
        const struct resource *old = executor->errored.items[i]->old;
        if (old && !old->is_pending_replacement && needs(old, gone) && !is_deleted_by(chain, old))
            return true;
    }
    return false;
}

/* A replacement that deletes first is skipped as a whole where one of its deletes is: otherwise an
 * instance would go before its dependents, or stay without being known. test_exec_failure.c:
 * what_cannot_be_deleted_first_has_no_successor, what_a_dependent_cannot_be_deleted_before_stays,
 * what_failed_keeps_what_it_depended_on_from_being_deleted_first. */
static bool skips_deletes(const struct executor *executor, const struct chain *chain)
{
    for (size_t i = 0; i < chain->len; i++) {
        const struct step *step = chain->items[i];
        if (step_is(step, STEP_DELETES)
            && (depends_on_skipped(executor, step)
                || is_needed_by_errored(executor, chain, step->old)))
            return true;
    }
    return false;
}

static void skip_step(struct executor *executor, struct step *step)
{
    if (step_is(step, STEP_DELETES)) {
        stepgen_reprieve(executor->gen, step->old);
        return;
    }
    /* A skipped step counts as a failed one, for its own dependents and for what its state depends
     * on: test_exec_failure.c: what_depends_on_a_failed_resource_is_checked_and_skipped,
     * what_a_skipped_resource_depends_on_stays. */
    if (step_is(step, STEP_FOR_PLANNING))
        step->reg->diff_error = error_new(ERROR_OTHER, "skipped diff resource");
    note_errored(executor, step, REGISTRATION_SKIPPED);
}

void executor_skip_dependents(struct executor *executor, struct chain *chain)
{
    struct fates *fates = &executor->tools->estate->fates;
    size_t kept = 0;

    if (!(fates->seen & FATE_SKIPPED))
        return;
    bool is_cut = skips_deletes(executor, chain);
    for (size_t i = 0; i < chain->len; i++) {
        struct step *step = chain->items[i];
        bool goes_with_chain = is_cut && step->op != OP_SAME;
        if (goes_with_chain || depends_on_skipped(executor, step))
            skip_step(executor, step);
        else
            chain->items[kept++] = step;
    }
    chain->len = kept;
}
