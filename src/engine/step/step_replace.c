/* step_replace.c — marks a replacement; the work is in the create and the delete around it. */
#include "engine/step/step.h"

static fallible step_replace_apply(const struct step_tools *tools, struct step *step)
{
    (void)tools;
    (void)step;
    return NULL;
}

const struct step_kind step_replace = {
    .traits = STEP_ALWAYS_LOGICAL | STEP_ASKS_NOBODY,
    .apply = step_replace_apply,
};

/* What was deleted first and never created again leaves the state. */
const struct step_kind step_remove_pending_replace = {
    .traits = STEP_NEVER_LOGICAL | STEP_ASKS_NOBODY,
    .apply = step_replace_apply,
};
