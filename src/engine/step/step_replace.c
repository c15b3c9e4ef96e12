/* step_replace.c — marks a replacement; the work is in the create and the delete around it. */
#include "engine/step/step.h"

static fallible apply(const struct step_tools *tools, struct step *step)
{
    (void)tools;
    (void)step;
    return NULL;
}

const struct step_kind step_replace = { .apply = apply };

/* step_remove_pending_replace: what was deleted first and never made again leaves the state. */
const struct step_kind step_remove_pending_replace = { .apply = apply };
