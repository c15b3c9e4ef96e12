/* step_extend.c — parameterizes a provider once more, for an extension of its package. */
#include "engine/step/step.h"

#include "engine/provider/registry.h"

static fallible step_extend_apply(const struct step_tools *tools, struct step *step)
{
    (void)tools;
    return provider_extend(step->provider, step->extension);
}

const struct step_kind step_extend = {
    .traits = STEP_EXTENDS | STEP_ANSWERS_LATER | STEP_NEVER_LOGICAL,
    .apply = step_extend_apply,
};
