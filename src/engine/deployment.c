/* deployment.c — the path of one registration: planned under the lock, submitted, waited for; and
 * the state everything is compared with. */
#include "engine/deployment.h"

#include "base/trace.h"
#include "engine/plan/update_plan.h"
#include "fiber/fiber.h"

bool deployment_is_preview(const struct deployment *deployment)
{
    return deployment->options->preview;
}

static void index_view(struct deployment *deployment, struct resource *view)
{
    struct resources *views = map_find(&deployment->views, view->view_of);

    if (!views) {
        views = ARENA_NEW(deployment->arena, struct resources);
        map_put(&deployment->views, view->view_of, views);
    }
    struct resource **items = ARENA_ARRAY(deployment->arena, struct resource *, views->len + 1);
    if (views->len)
        memcpy(items, views->items, views->len * sizeof(*items));
    items[views->len++] = view;
    views->items = items;
}

void deployment_set_base(struct deployment *deployment, struct resource **resources, size_t count)
{
    map_release(&deployment->olds);
    map_release(&deployment->all_olds);
    map_release(&deployment->views);
    deployment->base = (struct resources){ resources, count };
    for (size_t i = 0; i < count; i++) {
        struct resource *resource = resources[i];
        resource->base_index_plus_one = i + 1;
        resource->operation_id = 0;
        map_put(&deployment->all_olds, resource->urn, resource);
        if (resource->is_delete)
            continue;
        map_put(&deployment->olds, resource->urn, resource);
        if (resource->view_of.len)
            index_view(deployment, resource);
    }
    deployment->graph = graph_new(deployment->arena, resources, count);
}

struct provider_views deployment_views(const struct deployment *deployment, str urn)
{
    const struct resources *views = map_find(&deployment->views, urn);
    return views ? (struct provider_views){ views->items, views->len }
                 : (struct provider_views){ 0 };
}

void deployment_stop(struct deployment *deployment)
{
    deployment->has_stopped = true;
    executor_cancel(&deployment->executor);
    latch_open(&deployment->stopped);
}

void deployment_fail(struct deployment *deployment, str urn, struct error *owned)
{
    bool is_stopping = error_kind(owned) == ERROR_CANCELED && deployment->has_stopped;
    if (is_stopping || deployment->is_closing) {
        error_ignore(owned, "it only says that the deployment has stopped; why, is told elsewhere");
        return;
    }
    if (!error_is_reported(owned))
        deployment_diagnose(deployment, SEVERITY_ERROR, urn, STR_FMT,
                            STR_ARG(error_message(owned)));
    error_free(owned);
    deployment->has_failed = true;
    deployment_stop(deployment);
}

struct registration *registration_open(struct deployment *deployment)
{
    struct registration *reg = memory_zalloc(sizeof(*reg));

    reg->arena = &reg->storage;
    reg->next = deployment->registrations;
    if (reg->next)
        reg->next->previous = reg;
    deployment->registrations = reg;
    return reg;
}

void registration_close(struct deployment *deployment, struct registration *owned)
{
    if (owned->next)
        owned->next->previous = owned->previous;
    if (owned->previous)
        owned->previous->next = owned->next;
    else
        deployment->registrations = owned->next;
    error_free(owned->diff_error);
    arena_release(&owned->storage);
    free(owned);
}

void registration_finish(struct registration *reg, enum registration_result result,
                         struct resource *state)
{
    if (reg->done.is_open)
        return;
    reg->result = result;
    reg->state = state;
    latch_open(&reg->done);
}

/* One phase under the lock; its chain is submitted before the next registration is looked at. */
static fallible plan_phase(struct deployment *deployment, struct registration *reg,
                           enum plan_phase *phase, struct chain **chain)
{
    struct error *failure = NULL;

    semaphore_wait_uncancelable(&deployment->plan_lock);
    if (deployment->has_stopped)
        failure = error_new(ERROR_CANCELED, "the deployment has stopped");
    else if (reg->is_read)
        failure = stepgen_read(&deployment->gen, reg, phase, chain);
    else
        failure = stepgen_register(&deployment->gen, reg, phase, chain);
    if (!failure && reg->awaited) {
        vec_release(*chain);
    } else if (!failure) {
        reg->chain = *chain;
        reg->is_planned = *phase == PLAN_DONE;
        trace_fact("planned", TRACE_TEXT("urn", reg->urn),
                   TRACE_NUMBER("steps", (int64_t)(*chain)->len));
        executor_skip_dependents(&deployment->executor, *chain);
        executor_submit(&deployment->executor, *chain);
    }
    semaphore_post(&deployment->plan_lock);
    return failure;
}

static fallible plan(struct deployment *deployment, struct registration *reg)
{
    for (enum plan_phase phase = PLAN_START; phase != PLAN_DONE;) {
        struct chain *chain = NULL;
        reg->awaited = NULL;
        TRY(plan_phase(deployment, reg, &phase, &chain));
        if (reg->awaited) {
            latch_wait_uncancelable(reg->awaited);
            continue;
        }
        if (phase == PLAN_DONE)
            break;
        latch_wait_uncancelable(&chain->finished);
        if (chain->is_failed)
            break; /* whoever waits was answered, or never will be */
    }
    return NULL;
}

static str registration_urn(struct deployment *deployment, const struct registration *reg)
{
    if (reg->urn.len)
        return reg->urn;
    return urn_make(deployment->arena, deployment->options->stack.name,
                    deployment->options->project, reg->goal.parent, reg->goal.type, reg->goal.name);
}

struct error *deployment_register(struct deployment *deployment, struct registration *reg)
{
    struct cancel *former = cancel_enter(deployment->scope);

    trace_fact("registered", TRACE_TEXT("type", reg->goal.type),
               TRACE_TEXT("resource", reg->goal.name));
    work_group_add(&deployment->planning, 1);
    struct error *failure = plan(deployment, reg);
    stepgen_settle(reg);
    if (failure)
        deployment_fail(deployment, registration_urn(deployment, reg), failure);
    work_group_done(&deployment->planning);
    cancel_enter(former);
    return latch_wait(&reg->done);
}

static struct value without_failed_outputs(struct deployment *deployment, str urn,
                                           struct value outputs)
{
    const struct resource *old = map_find(&deployment->olds, urn);
    return old ? value_merge(deployment->arena, old->outputs, outputs) : outputs;
}

static void run_component_hooks(struct deployment *deployment, const struct step *step)
{
    const struct hook_states states = { .old = step->old,
                                        .new = step->new,
                                        .has_new_outputs = true };

    if (step->new->is_custom)
        return;
    if (step->kind == &step_create)
        deployment_after_hooks(deployment, HOOK_AFTER_CREATE,
                               &(struct hook_states){ .new = step->new, .has_new_outputs = true });
    else if (step->kind == &step_update)
        deployment_after_hooks(deployment, HOOK_AFTER_UPDATE, &states);
}

static fallible apply_outputs(struct deployment *deployment, str urn, struct value outputs)
{
    struct step *step = map_remove(&deployment->executor.pending_news, urn);

    if (!step && map_has(&deployment->gen.left_alone, urn))
        return NULL;
    if (!step)
        return error_new(ERROR_OTHER,
                         "cannot complete a resource '" STR_FMT
                         "' whose registration isn't pending",
                         STR_ARG(urn));
    if (step->is_skipped_create)
        return NULL;
    const struct resource *old = map_find(&deployment->olds, urn);
    TRY(update_plan_check_outputs(deployment, urn, old ? old->outputs : VALUE_EMPTY_OBJECT,
                                  outputs));
    bool has_changed = !value_equal(step->new->outputs, outputs);
    step->new->outputs = value_copy(deployment->arena, outputs);
    run_component_hooks(deployment, step);
    deployment_after_outputs(deployment, step);
    if (has_changed || !step->old)
        TRY(recorder_outputs(&deployment->recorder, step));
    if (deployment->has_hook_failure && !deployment->options->continue_on_error)
        deployment_stop(deployment);
    return NULL;
}

struct error *deployment_register_outputs(struct deployment *deployment, str urn,
                                          struct value outputs)
{
    if (str_equal(urn_qualified_type_of(urn), ROOT_STACK_TYPE)) {
        deployment->has_stack_outputs = true;
        deployment->stack_urn = arena_copy(deployment->arena, urn);
        deployment->stack_outputs = value_copy(deployment->arena, outputs);
        return NULL;
    }
    struct cancel *former = cancel_enter(deployment->scope);
    struct error *failure = NULL;
    semaphore_wait_uncancelable(&deployment->plan_lock);
    if (!deployment->has_stopped)
        failure = apply_outputs(deployment, urn, outputs);
    semaphore_post(&deployment->plan_lock);
    if (failure)
        deployment_fail(deployment, urn, failure);
    cancel_enter(former);
    if (!deployment->has_stopped)
        return NULL;
    struct latch never = { 0 };
    return latch_wait(&never); /* no answer: the program is about to be ended */
}

struct error *deployment_finish_stack(struct deployment *deployment, bool has_failed)
{
    struct value outputs = deployment->stack_outputs;

    if (!deployment->has_stack_outputs)
        return NULL;
    if (has_failed)
        outputs = without_failed_outputs(deployment, deployment->stack_urn, outputs);
    return apply_outputs(deployment, deployment->stack_urn, outputs);
}
