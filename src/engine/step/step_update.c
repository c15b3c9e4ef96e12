/* step_update.c — asks the provider to change a resource in place. */
#include "engine/step/step.h"

#include "base/clock.h"
#include "engine/estate/estate.h"
#include "engine/report/report.h"
#include "engine/step/step_call.h"
#include "engine/step/views.h"

static fallible send_update_request(struct provider *provider, const void *request,
                                    struct arena *arena, struct provider_state *out)
{
    return provider->ops->update(provider, request, arena, out);
}

static fallible step_update_resource(const struct step_tools *tools, struct step *step)
{
    struct resource *old = step->old, *new = step->new;
    struct provider_state made;
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(tools->views, step);
    const struct update_request request = {
        .urn = new->urn,
        .id = old->id,
        .old_inputs = old->inputs,
        .old_outputs = old->outputs,
        .news = new->inputs,
        .timeout = new->options.custom_timeouts.update,
        .ignore_changes = new->options.ignore_changes,
        .preview = report_is_preview(tools->report),
        .old_views = estate_views(tools->estate, old),
        .status_address = token.address,
        .status_token = token.text,
    };
    const struct step_call call = {
        send_update_request, &request, { .old = old, .new = new }, "update"
    };

    struct error *failure = step_call_provider(tools, step, &call, &made);
    if (failure && made.status != RESOURCE_PARTIAL)
        return failure;
    new->outputs = made.outputs;
    new->refreshes_before_update = made.refreshes_before_update;
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
