/* step_extend.c — parameterizes a provider once more, for an extension of its package. */
#include "engine/step/step.h"

#include "engine/provider/registry.h"

static fallible step_extend_apply(const struct step_tools *tools, struct step *step)
{
    (void)tools;
    struct error *failure =
        error_wrap(provider_extend(step->provider, step->extension),
                   "could not parameterize the provider for extension '" STR_FMT "'",
                   STR_ARG(step->extension->name));
    step->extended->is_refused = failure != NULL;
    return failure;
}

const struct step_kind step_extend = {
    .traits = STEP_EXTENDS | STEP_ANSWERS_LATER | STEP_NEVER_LOGICAL,
    .apply = step_extend_apply,
};
