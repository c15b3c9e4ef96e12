/* step_replace.c — marks a replacement; the work is in the create and the delete around it. */
#include "engine/deployment.h"

static fallible apply(struct deployment *deployment, struct step *step)
{
    (void)deployment;
    (void)step;
    return NULL;
}

const struct step_kind step_replace = { .apply = apply };

/* step_remove_pending_replace: what was deleted first and never made again leaves the state. */
const struct step_kind step_remove_pending_replace = { .apply = apply };
