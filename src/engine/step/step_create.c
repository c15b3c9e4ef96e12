/* step_create.c — asks the provider to make a resource that has no usable old state. */
#include "engine/step/step.h"

#include "base/clock.h"
#include "engine/report/report.h"
#include "engine/step/step_call.h"
#include "engine/step/views.h"

static fallible send_create_request(struct provider *provider, const void *request,
                                    struct arena *arena, struct provider_state *out)
{
    return provider->ops->create(provider, request, arena, out);
}

static fallible step_create_resource(const struct step_tools *tools, struct step *step)
{
    struct resource *new = step->new;
    struct provider_state made;
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(tools->views, step);
    const struct create_request request = {
        .urn = new->urn,
        .inputs = new->inputs,
        .timeout = new->options.custom_timeouts.create,
        .preview = report_is_preview(tools->report),
        .status_address = token.address,
        .status_token = token.text,
    };
    const struct step_call call = { send_create_request, &request, { .new = new }, "create" };

    struct error *failure = step_call_provider(tools, step, &call, &made);
    if (failure && made.status != RESOURCE_PARTIAL)
        return failure;
    if (!failure && !report_is_preview(tools->report) && made.id.len == 0)
        return error_new(ERROR_OTHER, "provider did not return an ID from Create");
    new->id = made.id;
    new->outputs = made.outputs;
    new->refreshes_before_update = made.refreshes_before_update;
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
    /* Nobody reports the views of a component: test_plan_replace.c:
     * what_becomes_a_component_leaves_no_views. */
    if (step->marks_delete && !new->is_custom)
        views_report_deletes(tools, step, false);
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
