/* step_view.c — what a provider did to a view of a resource: nothing is left to do but to report
 * and to record it. */
#include "engine/step/step.h"

static fallible step_view_apply(const struct step_tools *tools, struct step *step)
{
    (void)tools;
    if (step->view_error.len)
        return error_new(ERROR_OTHER, STR_FMT, STR_ARG(step->view_error));
    if (step->op == OP_CREATE_REPLACEMENT && step->old)
        step->old->is_delete = true;
    return NULL;
}

const struct step_kind step_view = {
    .traits = STEP_NAMED_BY_OP | STEP_ASKS_NOBODY,
    .apply = step_view_apply,
};
