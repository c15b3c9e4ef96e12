/* step_diff.c — asks the provider for a diff beside other work; planning goes on with the
 * answer. */
#include "engine/deployment.h"

static fallible apply(struct deployment *deployment, struct step *step)
{
    struct registration *reg = step->reg;
    const struct diff_request request = {
        .urn = reg->urn,
        .id = reg->old->id,
        .old_inputs = reg->old->inputs,
        .old_outputs = reg->old->outputs,
        .news = reg->new->inputs,
        .allows_unknowns = deployment_is_preview(deployment),
        .ignore_changes = reg->goal.options.ignore_changes,
    };

    /* A failure belongs to planning, which hands it on. */
    reg->diff_error = diff_resource(deployment, reg->provider, &request, reg->arena, &reg->diff);
    return NULL;
}

const struct step_kind step_diff = { .apply = apply, .is_silent = true };
