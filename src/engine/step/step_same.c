/* step_same.c — a resource that stays as it is, or one that is not created in this run. */
#include "engine/step/step.h"

#include "engine/provider/registry.h"
#include "model/urn.h"

static fallible step_same_apply(const struct step_tools *tools, struct step *step)
{
    if (step->is_skipped_create)
        return NULL;
    step->new->id = step->old->id;
    if (step->is_untargeted)
        return NULL;
    step->new->outputs = step->old->outputs;
    if (!type_is_provider(step->new->type))
        return NULL;
    struct resource state = *step->new;
    state.inputs = step->old->inputs;
    return error_wrap(registry_same(tools->registry, &state, true),
                      "bad provider state for resource " STR_FMT, STR_ARG(step->new->urn));
}

const struct step_kind step_same = {
    .apply = step_same_apply,
};
