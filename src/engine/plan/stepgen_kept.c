/* stepgen_kept.c — untargeted states that were recorded for the sake of a dependent, before the
 * program registered them.
 *
 * What must hold:
 * 1. Such a state is recorded once. Its registration waits for that and is answered with it:
 * scenario target/target-registered-after-dependent.
 * 2. It is recorded before its dependents, so it cannot be changed any more. A registration that
 * would change, read or delete it is refused, and the error names the dependent:
 * target/target-changed-after-dependent.
 * 3. Other dependents of it wait until it is recorded, too: target/target-kept-for-two. */
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
    bool is_registered;               /* the program has registered it since */
};

void stepgen_note_kept(struct stepgen *gen, struct step *step, struct chain *chain,
                       const struct resource *dependent)
{
    struct kept_same *kept = ARENA_NEW(gen->arena, struct kept_same);

    *kept = (struct kept_same){ .step = step, .chain = chain, .dependent = dependent };
    map_put(&gen->kept, step->old->urn, kept);
    fates_note_change(gen->fates);
}

bool stepgen_take_kept(struct stepgen *gen, struct registration *reg, str urn)
{
    struct kept_same *kept = map_find(&gen->kept, urn);

    if (!kept || kept->is_registered)
        return false;
    kept->is_registered = true;
    reg->kept = kept;
    return true;
}

/* A chain that failed may not have reached it. */
static bool kept_is_recorded(const struct stepgen *gen, const struct kept_same *kept)
{
    const struct resource *state = kept->step->new;

    return estate_new(gen->estate, state->urn) == state;
}

static struct kept_same *find_unrecorded(struct stepgen *gen, const struct resource *old,
                                         struct map *seen);

static struct kept_same *find_unrecorded_at(struct stepgen *gen, str urn, struct map *seen)
{
    struct kept_same *kept = urn.len ? map_find(&gen->kept, urn) : NULL;

    if (kept)
        return kept->chain->finished.is_open || kept_is_recorded(gen, kept) ? NULL : kept;
    /* What is not kept yet will be, with what it refers to itself. */
    const struct resource *old = urn.len ? estate_old(gen->estate, urn) : NULL;
    if (!old || map_has(seen, old->urn) || stepgen_has_step(gen, old->urn)
        || stepgen_is_operated_on(gen, old->urn))
        return NULL;
    map_put(seen, old->urn, seen);
    return find_unrecorded(gen, old, seen);
}

/* Something that the state refers to and that another chain is about to record. */
static struct kept_same *find_unrecorded(struct stepgen *gen, const struct resource *old,
                                         struct map *seen)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct strs urns = resource_references(&scratch, old);
    struct kept_same *found = find_unrecorded_at(gen, resource_provider_urn(old), seen);

    for (size_t i = 0; i < urns.len && !found; i++)
        found = find_unrecorded_at(gen, urns.items[i], seen);
    return found;
}

bool stepgen_waits_for_kept(struct stepgen *gen, struct registration *reg)
{
    CLEANUP(map_release) struct map seen = { 0 };
    const struct kept_same *kept = reg->kept;

    if (!kept && reg->old && gen->kept.len > 0)
        kept = find_unrecorded(gen, reg->old, &seen);
    if (!kept || kept->chain->finished.is_open)
        return false;
    reg->awaited = &kept->chain->finished;
    return true;
}

fallible stepgen_check_kept(struct stepgen *gen, struct registration *reg, bool changes)
{
    const struct kept_same *kept = reg->kept;

    if (!kept || !kept_is_recorded(gen, kept))
        return NULL;
    /* An untargeted resource that stays as it is can be answered with the kept state. Providers
     * always take part, and something external is read again or taken over, so neither can. */
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
