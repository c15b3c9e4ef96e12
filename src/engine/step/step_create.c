/* step_create.c — asks the provider to make a resource that has no usable old state. */
#include "engine/deployment.h"

#include "engine/exec/retry.h"

struct attempt {
    struct step *step;
    struct provider *provider;
    struct create_request request;
    struct provider_state made;
};

static fallible try_create(struct deployment *deployment, void *attempt_)
{
    struct attempt *attempt = attempt_;

    attempt->made = (struct provider_state){ .outputs = VALUE_EMPTY_OBJECT };
    struct error *failure = attempt->provider->ops->create(attempt->provider, &attempt->request,
                                                           deployment->arena, &attempt->made);
    attempt->step->status = attempt->made.status;
    if (attempt->made.init_errors.len) /* they stay, also when a hook lets it try again */
        attempt->step->new->init_errors = attempt->made.init_errors;
    return failure;
}

static fallible create(struct deployment *deployment, struct step *step)
{
    struct resource *new = step->new;
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(deployment, step);
    struct attempt attempt = {
        .step = step,
        .request = {
            .urn = new->urn,
            .inputs = new->inputs,
            .timeout = new->options.custom_timeouts.create,
            .preview = deployment_is_preview(deployment),
            .status_address = token.address,
            .status_token = token.text,
        },
    };

    TRY(step_provider(deployment, step, &attempt.provider));
    const struct hook_states states = { .new = new };
    struct error *failure = retry_with_hooks(deployment, try_create, &attempt, &states, "create");
    if (failure && attempt.made.status != RESOURCE_PARTIAL)
        return failure;
    if (!failure && !deployment_is_preview(deployment) && attempt.made.id.len == 0)
        return error_new(ERROR_OTHER, "provider did not return an ID from Create");
    new->id = attempt.made.id;
    new->outputs = attempt.made.outputs;
    new->refreshes_before_update = attempt.made.refreshes_before_update;
    return failure;
}

static fallible apply(struct deployment *deployment, struct step *step)
{
    struct resource *new = step->new;
    const struct hook_states before = { .new = new };
    struct error *failure = NULL;

    TRY(deployment_run_hooks(deployment, HOOK_BEFORE_CREATE, &before));
    if (new->is_custom)
        failure = create(deployment, step);
    if (failure && step->status != RESOURCE_PARTIAL)
        return failure;
    new->created = new->modified = clock_format(deployment->arena, clock_now());
    if (step->marks_delete)
        step->old->is_delete = true;
    if (failure || !new->is_custom)
        return failure;
    const struct hook_states after = { .new = new, .has_new_outputs = true };
    deployment_after_hooks(deployment, HOOK_AFTER_CREATE, &after);
    return NULL;
}

const struct step_kind step_create = { .apply = apply,
                                       .is_pending = true,
                                       .pending = PENDING_CREATING };
