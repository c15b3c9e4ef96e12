/* step_update.c — asks the provider to change a resource in place. */
#include "engine/deployment.h"

#include "engine/exec/retry.h"

struct attempt {
    struct step *step;
    struct provider *provider;
    struct update_request request;
    struct provider_state made;
};

static fallible try_update(struct deployment *deployment, void *attempt_)
{
    struct attempt *attempt = attempt_;

    attempt->made = (struct provider_state){ .outputs = VALUE_EMPTY_OBJECT };
    struct error *failure = attempt->provider->ops->update(attempt->provider, &attempt->request,
                                                           deployment->arena, &attempt->made);
    attempt->step->status = attempt->made.status;
    if (attempt->made.init_errors.len) /* they stay, also when a hook lets it try again */
        attempt->step->new->init_errors = attempt->made.init_errors;
    return failure;
}

static fallible update(struct deployment *deployment, struct step *step)
{
    struct resource *old = step->old, *new = step->new;
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(deployment, step);
    struct attempt attempt = {
        .step = step,
        .request = {
            .urn = new->urn,
            .id = old->id,
            .old_inputs = old->inputs,
            .old_outputs = old->outputs,
            .news = new->inputs,
            .timeout = new->options.custom_timeouts.update,
            .ignore_changes = new->options.ignore_changes,
            .preview = deployment_is_preview(deployment),
            .old_views = deployment_views(deployment, old->urn),
            .status_address = token.address,
            .status_token = token.text,
        },
    };

    TRY(step_provider(deployment, step, &attempt.provider));
    const struct hook_states states = { .old = old, .new = new };
    struct error *failure = retry_with_hooks(deployment, try_update, &attempt, &states, "update");
    if (failure && attempt.made.status != RESOURCE_PARTIAL)
        return failure;
    new->outputs = attempt.made.outputs;
    new->refreshes_before_update = attempt.made.refreshes_before_update;
    new->modified = clock_format(deployment->arena, clock_now());
    return failure;
}

static fallible apply(struct deployment *deployment, struct step *step)
{
    struct resource *old = step->old, *new = step->new;
    const struct hook_states before = { .old = old, .new = new };

    new->id = old->id;
    new->created = old->created;
    new->modified = old->modified;
    TRY(deployment_run_hooks(deployment, HOOK_BEFORE_UPDATE, &before));
    if (new->is_custom)
        TRY(update(deployment, step));
    if (!old->is_custom)
        return NULL; /* a component's hooks run when its outputs are registered */
    const struct hook_states after = { .old = old, .new = new, .has_new_outputs = true };
    deployment_after_hooks(deployment, HOOK_AFTER_UPDATE, &after);
    return NULL;
}

const struct step_kind step_update = { .apply = apply,
                                       .is_pending = true,
                                       .pending = PENDING_UPDATING };
