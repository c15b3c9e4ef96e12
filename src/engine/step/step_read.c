/* step_read.c — looks up a resource that somebody else manages. */
#include "engine/step/step.h"

#include "base/clock.h"
#include "engine/step/views.h"

#include "model/signatures.h"

static fallible step_read_resource(const struct step_tools *tools, struct step *step)
{
    struct resource *new = step->new;
    struct provider *provider = NULL;
    struct provider_state found = { 0 };
    CLEANUP(status_token_release)
    struct status_token token = status_token_reserve(tools->views, step);
    const struct read_request request = {
        .urn = new->urn,
        .id = new->id,
        .inputs = new->inputs,
        .state = new->inputs,
        .timeout = new->options.custom_timeouts.read,
        .status_address = token.address,
        .status_token = token.text,
    };

    TRY(step_provider(tools, step, &provider));
    struct error *failure = provider->ops->read(provider, &request, tools->arena, &found);
    step->status = found.status;
    if (failure && found.status != RESOURCE_PARTIAL)
        return failure;
    new->init_errors = found.init_errors;
    if (!found.exists) {
        step->status = RESOURCE_OK; /* nothing is there to be recorded */
        return error_join(failure, error_new(ERROR_OTHER, "resource '" STR_FMT "' does not exist",
                                             STR_ARG(new->id)));
    }
    new->outputs = found.outputs;
    if (found.id.len)
        new->id = found.id;
    return failure;
}

static fallible step_read_apply(const struct step_tools *tools, struct step *step)
{
    struct resource *old = step->old, *new = step->new;
    struct error *failure = NULL;

    if (!str_equal(new->id, UNKNOWN_STRING_TEXT))
        failure = step_read_resource(tools, step);
    if (failure && step->status != RESOURCE_PARTIAL)
        return failure;
    if (step->marks_delete)
        old->is_delete = true;
    if (old) {
        bool has_changed =
            !value_equal(old->inputs, new->inputs) || !value_equal(old->outputs, new->outputs);
        new->created = old->created;
        new->modified = has_changed ? clock_format(tools->arena, clock_now()) : old->modified;
    }
    return failure;
}

const struct step_kind step_read = {
    .traits = STEP_PENDS | STEP_LOOKS_UP,
    .pending = PENDING_READING,
    .apply = step_read_apply,
};
