/* step_extend.c — parameterizes a provider once more, for an extension of its package. */
#include "engine/deployment.h"

static fallible apply(struct deployment *deployment, struct step *step)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct extension *extension = step->extension;

    str value;

    (void)deployment;
    if (!provider_decode(&scratch, extension->value, &value))
        return error_new(ERROR_INVALID, "could not decode the value of extension '" STR_FMT "'",
                         STR_ARG(extension->name));
    return step->provider->ops->parameterize(step->provider, extension->name, extension->version,
                                             value, &scratch);
}

const struct step_kind step_extend = { .apply = apply };
