/* step_create.c — asks the provider to make a resource that has no usable old state. */
#include "engine/step/step.h"

#include "base/clock.h"
#include "engine/hook/retry.h"
#include "engine/report/report.h"
#include "engine/step/views.h"

struct attempt {
    const struct step_tools *tools;
    struct step *step;
    struct provider *provider;
    struct create_request request;
    struct provider_state made;
};

static fallible try_create(void *attempt_)
{
    struct attempt *attempt = attempt_;

    attempt->made = (struct provider_state){ .outputs = VALUE_EMPTY_OBJECT };
    struct error *failure = attempt->provider->ops->create(attempt->provider, &attempt->request,
                                                           attempt->tools->arena, &attempt->made);
    attempt->step->status = attempt->made.status;
    if (attempt->made.init_errors.len) /* they stay, also when a hook lets it try again */
        attempt->step->new->init_errors = attempt->made.init_errors;
    return failure;
}

static fallible step_create_resource(const struct step_tools *tools, struct step *step)
{
    struct resource *new = step->new;
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(tools->views, step);
    struct attempt attempt = {
        .tools = tools,
        .step = step,
        .request = {
            .urn = new->urn,
            .inputs = new->inputs,
            .timeout = new->options.custom_timeouts.create,
            .preview = report_is_preview(tools->report),
            .status_address = token.address,
            .status_token = token.text,
        },
    };

    TRY(step_provider(tools, step, &attempt.provider));
    const struct hook_states states = { .new = new };
    struct error *failure = retry_with_hooks(tools->hooks, try_create, &attempt, &states, "create");
    if (failure && attempt.made.status != RESOURCE_PARTIAL)
        return failure;
    if (!failure && !report_is_preview(tools->report) && attempt.made.id.len == 0)
        return error_new(ERROR_OTHER, "provider did not return an ID from Create");
    new->id = attempt.made.id;
    new->outputs = attempt.made.outputs;
    new->refreshes_before_update = attempt.made.refreshes_before_update;
    return failure;
}

static fallible step_create_apply(const struct step_tools *tools, struct step *step)
{
    struct resource *new = step->new;
    const struct hook_states before = { .new = new };
    struct error *failure = NULL;

    TRY(hooks_run(tools->hooks, HOOK_BEFORE_CREATE, &before));
    if (new->is_custom)
        failure = step_create_resource(tools, step);
    if (failure && step->status != RESOURCE_PARTIAL)
        return failure;
    new->created = new->modified = clock_format(tools->arena, clock_now());
    if (step->marks_delete)
        step->old->is_delete = true;
    if (failure || !new->is_custom)
        return failure;
    const struct hook_states after = { .new = new, .has_new_outputs = true };
    hooks_run_after(tools->hooks, HOOK_AFTER_CREATE, &after);
    return NULL;
}

static void step_create_after_outputs(const struct step_tools *tools, const struct step *step)
{
    const struct hook_states states = { .new = step->new, .has_new_outputs = true };

    hooks_run_after(tools->hooks, HOOK_AFTER_CREATE, &states);
}

const struct step_kind step_create = {
    .traits = STEP_PENDS | STEP_CREATES,
    .pending = PENDING_CREATING,
    .apply = step_create_apply,
    .after_outputs = step_create_after_outputs,
};
