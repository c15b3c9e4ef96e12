/* step_update.c — asks the provider to change a resource in place. */
#include "engine/step/step.h"

#include "base/clock.h"
#include "engine/estate/estate.h"
#include "engine/hook/retry.h"
#include "engine/report/report.h"
#include "engine/step/views.h"

struct attempt {
    const struct step_tools *tools;
    struct step *step;
    struct provider *provider;
    struct update_request request;
    struct provider_state made;
};

static fallible try_update(void *attempt_)
{
    struct attempt *attempt = attempt_;

    attempt->made = (struct provider_state){ .outputs = VALUE_EMPTY_OBJECT };
    struct error *failure = attempt->provider->ops->update(attempt->provider, &attempt->request,
                                                           attempt->tools->arena, &attempt->made);
    attempt->step->status = attempt->made.status;
    if (attempt->made.init_errors.len) /* they stay, also when a hook lets it try again */
        attempt->step->new->init_errors = attempt->made.init_errors;
    return failure;
}

static fallible step_update_resource(const struct step_tools *tools, struct step *step)
{
    struct resource *old = step->old, *new = step->new;
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(tools->views, step);
    struct attempt attempt = {
        .tools = tools,
        .step = step,
        .request = {
            .urn = new->urn,
            .id = old->id,
            .old_inputs = old->inputs,
            .old_outputs = old->outputs,
            .news = new->inputs,
            .timeout = new->options.custom_timeouts.update,
            .ignore_changes = new->options.ignore_changes,
            .preview = report_is_preview(tools->report),
            .old_views = estate_views(tools->estate, old->urn),
            .status_address = token.address,
            .status_token = token.text,
        },
    };

    TRY(step_provider(tools, step, &attempt.provider));
    const struct hook_states states = { .old = old, .new = new };
    struct error *failure = retry_with_hooks(tools->hooks, try_update, &attempt, &states, "update");
    if (failure && attempt.made.status != RESOURCE_PARTIAL)
        return failure;
    new->outputs = attempt.made.outputs;
    new->refreshes_before_update = attempt.made.refreshes_before_update;
    new->modified = clock_format(tools->arena, clock_now());
    return failure;
}

static fallible step_update_apply(const struct step_tools *tools, struct step *step)
{
    struct resource *old = step->old, *new = step->new;
    const struct hook_states before = { .old = old, .new = new };

    new->id = old->id;
    new->created = old->created;
    new->modified = old->modified;
    TRY(hooks_run(tools->hooks, HOOK_BEFORE_UPDATE, &before));
    if (new->is_custom)
        TRY(step_update_resource(tools, step));
    if (!old->is_custom)
        return NULL; /* a component's hooks run when its outputs are registered */
    const struct hook_states after = { .old = old, .new = new, .has_new_outputs = true };
    hooks_run_after(tools->hooks, HOOK_AFTER_UPDATE, &after);
    return NULL;
}

static void step_update_after_outputs(const struct step_tools *tools, const struct step *step)
{
    const struct hook_states states = { .old = step->old,
                                        .new = step->new,
                                        .has_new_outputs = true };

    hooks_run_after(tools->hooks, HOOK_AFTER_UPDATE, &states);
}

const struct step_kind step_update = {
    .traits = STEP_PENDS,
    .pending = PENDING_UPDATING,
    .apply = step_update_apply,
    .after_outputs = step_update_after_outputs,
};
