/* deployment.c — the parts of one operation, and the path of one registration through them: planned
 * beside others, submitted, waited for. */
#include "engine/deploy/deployment_parts.h"

#include "base/span.h"
#include "base/trace.h"
#include "engine/plan/update_plan.h"
#include "engine/report/operation.h"
#include "engine/step/step_report.h"
#include "fiber/fiber.h"
#include "model/urn.h"

void deployment_init(struct deployment *deployment, const struct engine_options *options,
                     struct arena *arena)
{
    *deployment = (struct deployment){
        .options = options,
        .arena = arena,
        .report = { .options = options, .arena = arena },
    };
    deployment->course.report = &deployment->report;
}

static fallible open_state(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;

    if (snapshot_has_secrets(options->state.snapshot))
        TRY(snapshot_unseal(options->state.snapshot, options->state.old_crypter,
                            deployment->arena));
    if (options->state.old_crypter != options->state.crypter)
        snapshot_forget_seals(options->state.snapshot); /* from now on another key seals */
    return NULL;
}

static fallible open_plan(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;
    struct stepgen *gen = &deployment->gen;

    stepgen_init(gen, &deployment->tools, &deployment->intake.registrations);
    if (options->update_plan.is_wanted)
        gen->new_plan = update_plan_new(deployment->arena);
    if (options->update_plan.text.len)
        TRY(error_wrap(update_plan_parse(deployment->arena, options->update_plan.text,
                                         options->state.crypter, &gen->plan),
                       "reading the update plan '" STR_FMT "'",
                       STR_ARG(options->update_plan.name)));
    return autonaming_load(gen);
}

fallible deployment_open(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;
    struct arena *arena = deployment->arena;

    deployment->scope = cancel_open(cancel_current());
    deployment->course.waits = cancel_open(deployment->scope);
    deployment->hooks.report = &deployment->report;
    deployment->views =
        (struct views){ .arena = arena, .are_refused = operation_has(options, RULE_HAS_NO_VIEWS) };
    TRY(open_state(deployment));
    TRY(recorder_init(&deployment->recorder, arena, options));
    estate_init(&deployment->estate, arena);
    estate_set_base(&deployment->estate, options->state.snapshot->resources,
                    options->state.snapshot->resource_count);
    registry_init(&deployment->registry, options, &deployment->report, &deployment->estate);
    deployment->tools = (struct step_tools){
        .options = options,
        .arena = arena,
        .report = &deployment->report,
        .estate = &deployment->estate,
        .registry = &deployment->registry,
        .hooks = &deployment->hooks,
        .views = &deployment->views,
    };
    executor_init(&deployment->executor, &deployment->tools, &deployment->recorder,
                  &deployment->gen, &deployment->course, deployment->scope);
    deployment->intake.slots.available = deployment->executor.hands.available;
    return open_plan(deployment);
}

void deployment_release(struct deployment *deployment)
{
    registrations_release(&deployment->intake.registrations);
    stepgen_release(&deployment->gen);
    executor_release(&deployment->executor);
    registry_release(&deployment->registry);
    estate_release(&deployment->estate);
    hooks_release(&deployment->hooks);
    views_release(&deployment->views);
    cancel_close(deployment->course.waits);
    deployment->course.waits = NULL;
    if (deployment->scope)
        cancel_close(deployment->scope);
}

bool deployment_has_failed(const struct deployment *deployment)
{
    return deployment->course.has_failed || deployment->executor.has_failed
           || deployment->gen.has_failed || deployment->hooks.has_failure;
}

static str registration_urn(struct deployment *deployment, const struct registration *reg)
{
    if (reg->urn.len)
        return reg->urn;
    return urn_make(deployment->arena, deployment->options->project->stack,
                    deployment->options->project->name, reg->goal.parent, reg->goal.type,
                    reg->goal.name);
}

static fallible run_plan(struct deployment *deployment, struct registration *reg,
                         enum plan_phase *phase, struct chain **chain)
{
    while (!deployment->course.has_stopped) {
        TRY(reg->is_read ? stepgen_read(&deployment->gen, reg, phase, chain)
                         : stepgen_register(&deployment->gen, reg, phase, chain));
        if (*phase != PLAN_AGAIN || reg->awaited)
            return NULL;
        vec_release(*chain);
    }
    return error_new(ERROR_CANCELED, "the deployment has stopped");
}

/* One phase, while as many others are planned as may run at once. Nothing happens between the
 * decision and the submission of its chain: docs/decisions/019-plan-in-parallel.md. */
static fallible plan_phase(struct deployment *deployment, struct registration *reg,
                           enum plan_phase *phase, struct chain **chain)
{
    struct error *failure = NULL;
    struct span waiting = span_begin_part("queue", "urn", reg->urn);

    semaphore_wait_uncancelable(&deployment->intake.slots);
    struct span planning = span_begin_part("plan", "urn", reg->urn);
    if (waiting.name)
        waiting.value = planning.value = registration_urn(deployment, reg);
    span_end(&waiting);
    failure = run_plan(deployment, reg, phase, chain);
    if (!failure && reg->awaited) {
        vec_release(*chain);
    } else if (!failure) {
        reg->chain = *chain;
        reg->is_planned = *phase == PLAN_DONE;
        trace_fact("planned", TRACE_TEXT("urn", reg->urn),
                   TRACE_NUMBER("steps", (int64_t)(*chain)->len));
        executor_skip_dependents(&deployment->executor, *chain);
        executor_submit(&deployment->executor, *chain);
        deployment->gen.commits++;
    }
    semaphore_post(&deployment->intake.slots);
    planning.has_failed = failure != NULL;
    span_end(&planning);
    return failure;
}

/* What it waits for may never come once the deployment has stopped: test_plan_target.c:
 * nobody_waits_for_an_answer_that_will_not_come. */
static void await_others(struct deployment *deployment, struct latch *awaited)
{
    struct cancel *former = cancel_enter(deployment->course.waits);

    error_ignore(latch_wait(awaited), "the deployment has stopped: planning finds that out");
    cancel_enter(former);
}

static fallible plan(struct deployment *deployment, struct registration *reg)
{
    for (enum plan_phase phase = PLAN_START; phase != PLAN_DONE;) {
        struct chain *chain = NULL;
        reg->awaited = NULL;
        TRY(plan_phase(deployment, reg, &phase, &chain));
        if (reg->awaited) {
            await_others(deployment, reg->awaited);
            continue;
        }
        if (phase == PLAN_DONE)
            break;
        latch_wait_uncancelable(&chain->finished);
        /* Its caller was answered, or never will be. What was skipped was answered so: scenario
         * fail/continue-on-error-import. */
        if ((chain->is_failed && phase != PLAN_EXTENDED) || reg->done.is_open)
            break;
    }
    return NULL;
}

fallible deployment_register(struct deployment *deployment, struct registration *reg)
{
    struct cancel *former = cancel_enter(deployment->scope);

    trace_fact("registered", TRACE_TEXT("type", reg->goal.type),
               TRACE_TEXT("resource", reg->goal.name));
    work_group_add(&deployment->intake.planning, 1);
    struct error *failure = plan(deployment, reg);
    stepgen_settle(reg);
    if (failure)
        course_fail(&deployment->course, registration_urn(deployment, reg), failure);
    work_group_done(&deployment->intake.planning);
    cancel_enter(former);
    failure = latch_wait(&reg->done);
    stepgen_leave(&deployment->gen, reg);
    return failure;
}

static struct value without_failed_outputs(struct deployment *deployment, str urn,
                                           struct value outputs)
{
    const struct resource *old = estate_old(&deployment->estate, urn);
    return old ? value_merge(deployment->arena, old->outputs, outputs) : outputs;
}

static fallible apply_outputs(struct deployment *deployment, str urn, struct value outputs)
{
    struct step *step = executor_take_pending(&deployment->executor, urn);

    if (!step && fates_have(&deployment->estate.fates, urn, FATE_LEFT_ALONE))
        return NULL;
    if (!step)
        return error_new(ERROR_OTHER,
                         "cannot complete a resource '" STR_FMT
                         "' whose registration isn't pending",
                         STR_ARG(urn));
    if (step->is_skipped_create)
        return NULL;
    const struct resource *old = estate_old(&deployment->estate, urn);
    TRY(update_plan_check_outputs(&deployment->gen, urn, old ? old->outputs : VALUE_EMPTY_OBJECT,
                                  outputs));
    bool has_changed = !value_equal(step->new->outputs, outputs);
    step->new->outputs = value_copy(deployment->arena, outputs);
    if (!step->new->is_custom && step->kind->after_outputs)
        step->kind->after_outputs(&deployment->tools, step);
    step_report_outputs(&deployment->report, step);
    if (has_changed || !step->old)
        TRY(recorder_outputs(&deployment->recorder, step));
    if (deployment->hooks.has_failure && !deployment->options->plan.continue_on_error)
        course_stop(&deployment->course);
    return NULL;
}

static fallible take_outputs(struct deployment *deployment, str urn, struct value outputs)
{
    if (!str_equal(urn_qualified_type_of(urn), ROOT_STACK_TYPE))
        return apply_outputs(deployment, urn, outputs);
    deployment->stack_outputs.are_set = true;
    deployment->stack_outputs.urn = arena_copy(deployment->arena, urn);
    deployment->stack_outputs.values = value_copy(deployment->arena, outputs);
    return NULL;
}

/* After the run has stopped nothing is taken any more, not even from a program that does not mind
 * its failure: scenario program/program-outputs-too-late. */
fallible deployment_register_outputs(struct deployment *deployment, str urn, struct value outputs)
{
    struct cancel *former = cancel_enter(deployment->scope);
    struct error *failure = NULL;
    if (!deployment->course.has_stopped)
        failure = take_outputs(deployment, urn, outputs);
    if (failure)
        course_fail(&deployment->course, urn, failure);
    cancel_enter(former);
    if (!deployment->course.has_stopped)
        return NULL;
    struct latch never = { 0 };
    return latch_wait(&never); /* no answer: the program is about to be ended */
}

fallible deployment_finish_stack(struct deployment *deployment, bool has_failed)
{
    struct value outputs = deployment->stack_outputs.values;

    if (!deployment->stack_outputs.are_set)
        return NULL;
    if (has_failed)
        outputs = without_failed_outputs(deployment, deployment->stack_outputs.urn, outputs);
    return apply_outputs(deployment, deployment->stack_outputs.urn, outputs);
}
