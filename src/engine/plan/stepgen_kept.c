/* stepgen_kept.c — untargeted states that were recorded for the sake of a dependent, before the
 * program came to register them.
 *
 * What must hold:
 * 1. Such a state is recorded once. Its registration waits for that and is answered with it:
 * scenario target/target-registered-after-dependent.
 * 2. It stands before its dependents, so it cannot be changed any more. Who registers it to be
 * changed, read or deleted is refused, by name of the dependent:
 * target/target-changed-after-dependent. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "engine/step/resource_diff.h"
#include "model/resource_links.h"
#include "model/urn.h"
#include "model/value_describe.h"

struct kept_same {
    struct step *step;
    struct chain *chain;              /* that records it */
    const struct resource *dependent; /* for which it is kept */
};

void stepgen_note_kept(struct stepgen *gen, struct step *step, struct chain *chain,
                       const struct resource *dependent)
{
    struct kept_same *kept = ARENA_NEW(gen->arena, struct kept_same);

    *kept = (struct kept_same){ step, chain, dependent };
    map_put(&gen->kept, step->old->urn, kept);
}

bool stepgen_take_kept(struct stepgen *gen, struct registration *reg, str urn)
{
    struct kept_same *kept = map_remove(&gen->kept, urn);

    if (kept)
        reg->kept = kept;
    return kept != NULL;
}

bool stepgen_waits_for_kept(struct registration *reg)
{
    if (!reg->kept || reg->kept->chain->finished.is_open)
        return false;
    reg->awaited = &reg->kept->chain->finished;
    return true;
}

/* A chain that failed may not have come to it. */
static bool kept_is_recorded(const struct stepgen *gen, const struct kept_same *kept)
{
    const struct resource *state = kept->step->new;

    return estate_new(gen->estate, state->urn) == state;
}

fallible stepgen_check_kept(struct stepgen *gen, struct registration *reg, bool changes)
{
    const struct kept_same *kept = reg->kept;

    if (!kept || !kept_is_recorded(gen, kept))
        return NULL;
    if (!changes && gen->mode != MODE_DESTROY && !type_is_provider(reg->goal.type)
        && !reg->old->is_external && !stepgen_is_included(gen, reg->new))
        return NULL;
    return error_new(ERROR_OTHER,
                     "resource " STR_FMT " takes part in this run, but " STR_FMT
                     " does not, was registered before it, and depends on it in the state. Either "
                     "let both take part or register " STR_FMT " first",
                     STR_ARG(reg->urn), STR_ARG(kept->dependent->urn), STR_ARG(reg->urn));
}

bool stepgen_answer_kept(struct stepgen *gen, struct registration *reg)
{
    const struct kept_same *kept = reg->kept;

    if (!kept || !kept_is_recorded(gen, kept))
        return false;
    fates_add(gen->fates, reg->urn, FATE_SAME); /* also where an alias led to it */
    registration_finish(reg, REGISTRATION_SUCCESS, kept->step->new);
    return true;
}
