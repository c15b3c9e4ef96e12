/* step_extend.c — parameterizes a provider once more, for an extension of its package. */
#include "engine/step/step.h"

#include "engine/provider/registry.h"

static fallible apply(const struct step_tools *tools, struct step *step)
{
    (void)tools;
    return provider_extend(step->provider, step->extension);
}

const struct step_kind step_extend = { .apply = apply };
