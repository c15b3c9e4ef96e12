/* step_diff.c — asks the provider for a diff beside other work; planning goes on with the
 * answer. */
#include "engine/step/step.h"

#include "engine/report/report.h"
#include "engine/step/registration.h"
#include "engine/step/resource_diff.h"

static fallible step_diff_apply(const struct step_tools *tools, struct step *step)
{
    struct registration *reg = step->reg;
    const struct diff_request request = {
        .urn = reg->urn,
        .id = reg->old->id,
        .old_inputs = reg->old->inputs,
        .old_outputs = reg->old->outputs,
        .news = reg->new->inputs,
        .allows_unknowns = report_is_preview(tools->report),
        .ignore_changes = reg->goal.options.ignore_changes,
    };

    /* A failure belongs to planning, which hands it on. */
    reg->diff_error = diff_resource(tools->report, reg->provider, &request, reg->arena, &reg->diff);
    return NULL;
}

const struct step_kind step_diff = {
    .traits = STEP_FOR_PLANNING | STEP_ANSWERS_LATER,
    .apply = step_diff_apply,
};
