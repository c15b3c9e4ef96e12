/* step.c — what all kinds of steps have in common. */
#include "engine/step/step.h"

#include "engine/engine.h"
#include "engine/provider/registry.h"
#include "engine/step/chain.h"
#include "engine/step/registration.h"
#include "model/urn.h"

struct chain *chain_new(struct arena *arena)
{
    return ARENA_NEW(arena, struct chain);
}

struct step *step_new(struct arena *arena, const struct step_kind *kind, enum step_op op,
                      struct resource *old, struct resource *new, struct registration *reg)
{
    struct step *step = ARENA_NEW(arena, struct step);

    step->kind = kind;
    step->op = op;
    step->old = old;
    step->new = new;
    step->reg = reg;
    return step;
}

bool step_is(const struct step *step, unsigned traits)
{
    return (step->kind->traits & traits) != 0;
}

struct resource *step_resource(const struct step *step)
{
    if (step_is(step, STEP_REFRESHES))
        return step->old;
    return step->new ? step->new : step->old;
}

/* What is read while the program runs has the program's name for it, also when it is gone.
 * Scenario refresh/up-refresh-run-program-gone. */
static bool is_named_by_program(const struct step *step)
{
    return step_is(step, STEP_REFRESHES) && step->reg;
}

str step_urn(const struct step *step)
{
    if (is_named_by_program(step))
        return step->reg->urn;
    const struct resource *resource = step->new ? step->new : step->old;
    return resource ? resource->urn : STR("");
}

str step_type(const struct step *step)
{
    if (is_named_by_program(step))
        return step->reg->goal.type;
    const struct resource *resource = step->new ? step->new : step->old;
    return resource ? resource->type : STR("");
}

str step_provider_ref(const struct step *step)
{
    if (is_named_by_program(step))
        return step->reg->goal.provider;
    const struct resource *resource = step->new ? step->new : step->old;
    return resource ? resource->provider : STR("");
}

bool step_is_logical(const struct step *step)
{
    if (step_is(step, STEP_NAMED_BY_OP))
        return !step_op_has(step->op, TRAIT_PART | TRAIT_NEVER_LOGICAL);
    if (step_is(step, STEP_NEVER_LOGICAL))
        return false;
    return step_is(step, STEP_ALWAYS_LOGICAL) || !step->is_replacing;
}

bool step_is_hidden(const struct step *step)
{
    if (step->is_internal)
        return true;
    str urn = step_urn(step);
    return type_is_provider(step_type(step)) && str_starts_with(urn_name_of(urn), STR("default"))
           && (urn_name_of(urn).len == 7 || urn_name_of(urn).ptr[7] == '_');
}

enum step_op step_refresh_result(const struct engine_options *options, const struct step *step)
{
    if (step_is(step, STEP_NAMED_BY_OP))
        return step->view_result;
    if (step->is_deleted)
        return OP_DELETE;
    if (step->new == step->old)
        return OP_SAME;
    bool is_same = step->diff.changes == CHANGES_NONE;
    if (step->old->is_external || options->plan.legacy_refresh_diff)
        is_same = value_equal(step->old->outputs, step->new->outputs);
    return is_same ? OP_SAME : OP_UPDATE;
}

fallible step_provider(const struct step_tools *tools, const struct step *step,
                       struct provider **out)
{
    const struct resource *resource = step->new ? step->new : step->old;
    str urn, id;

    if (type_is_provider(resource->type)) {
        *out = &tools->registry->provider;
        return NULL;
    }
    TRY(error_wrap(error_as(provider_ref_parse(resource->provider, &urn, &id), ERROR_OTHER),
                   "bad provider reference '" STR_FMT "' for resource " STR_FMT,
                   STR_ARG(resource->provider), STR_ARG(resource->urn)));
    *out = registry_find(tools->registry, resource->provider);
    if (!*out)
        return error_new(ERROR_OTHER, "unknown provider '" STR_FMT "' for resource " STR_FMT,
                         STR_ARG(resource->provider), STR_ARG(resource->urn));
    return NULL;
}
