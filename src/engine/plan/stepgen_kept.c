/* stepgen_kept.c — untargeted states that were recorded for the sake of a dependent, before the
 * program registered them.
 *
 * What must hold:
 * 1. Such a state is recorded once. Its registration waits for that and is answered with it:
 * scenario target/target-registered-after-dependent.
 * 2. It is recorded before its dependents, so it cannot be changed any more. A registration that
 * would change, read or delete it is refused, and the error names the dependent:
 * target/target-changed-after-dependent.
 * 3. Other dependents of it wait until it is recorded, too: target/target-kept-for-two.
 * 4. What is registered already is not kept: it records itself, and an untargeted dependent waits
 * for that: target/target-kept-while-registered.
 * 5. What was deleted before another was replaced is recorded when it is created again, or never.
 * An untargeted dependent that is registered earlier is refused: test_plan_target.c:
 * what_stays_and_refers_to_what_was_deleted_first_is_refused. */
#include "engine/plan/reference_walk.h"
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
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

void stepgen_enter(struct stepgen *gen, struct registration *reg)
{
    reg->old_urn = reg->old->urn;
    map_put(&gen->under_way, reg->old_urn, reg);
    if (target_set_is_given(&gen->targets) || target_set_is_given(&gen->excludes))
        fates_note_change(gen->fates); /* others may have been about to keep it */
}

void stepgen_leave(struct stepgen *gen, struct registration *reg)
{
    if (reg->old_urn.len && map_find(&gen->under_way, reg->old_urn) == reg)
        map_remove(&gen->under_way, reg->old_urn);
    if (reg->urn.len)
        fates_add(gen->fates, reg->urn, FATE_ANSWERED);
    /* One that stays as it is keeps its former name, and the program refers to it by that: scenario
     * target/renamed-and-not-a-target. */
    if (reg->state)
        fates_add(gen->fates, reg->state->urn, FATE_ANSWERED);
    if (reg->unanswered)
        latch_open(reg->unanswered);
}

/* What a registration looks for behind the references of its old state. */
struct search {
    struct stepgen *gen;
    const struct registration *reg;
    bool stays;                     /* its references are kept with it */
    struct map seen;                /* URNs */
    const struct resource *deleted; /* one of those that were deleted first and are not back yet */
};

static void release_search(struct search *search)
{
    map_release(&search->seen);
}

/* A registration of the state is under way: opens when it was answered, because its state is
 * recorded then. The program need not have waited for it: what it says now may refer to other
 * resources. Scenario target/target-kept-while-registered. */
static struct latch *answer_of(struct search *search, const struct resource *old)
{
    struct registration *other = map_find(&search->gen->under_way, old->urn);

    if (!search->stays || !other || other == search->reg)
        return NULL;
    if (!other->unanswered)
        other->unanswered = ARENA_NEW(search->gen->arena, struct latch);
    return other->unanswered;
}

/* Opens when what `urn` names is recorded, if another chain is about to do that; else goes into
 * it. */
static struct latch *look_at(struct search *search, struct reference_walk *walk, str urn)
{
    struct stepgen *gen = search->gen;
    struct kept_same *kept = urn.len ? map_find(&gen->kept, urn) : NULL;

    if (kept)
        return kept->chain->finished.is_open || kept_is_recorded(gen, kept)
                   ? NULL
                   : &kept->chain->finished;
    struct resource *old = urn.len ? estate_old(gen->estate, urn) : NULL;
    if (!old || map_has(&search->seen, old->urn))
        return NULL;
    map_put(&search->seen, old->urn, search);
    struct latch *answer = answer_of(search, old);
    if (answer)
        return answer;
    if (stepgen_is_condemned(gen, old) && !stepgen_is_operated_on(gen, old->urn))
        search->deleted = old;
    /* What is not kept yet will be, with what it refers to itself. */
    if (!stepgen_has_step(gen, old->urn) && !stepgen_is_operated_on(gen, old->urn))
        reference_walk_enter(walk, old);
    return NULL;
}

/* Something that the state refers to and that another chain is about to record. */
static struct latch *find_unrecorded(struct search *search, struct resource *old)
{
    CLEANUP(reference_walk_release) struct reference_walk walk = { 0 };
    struct latch *found = NULL;
    struct walked *top;
    bool is_provider;
    str urn;

    reference_walk_enter(&walk, old);
    while (!found && (top = reference_walk_top(&walk))) {
        if (walked_next(top, &urn, &is_provider))
            found = look_at(search, &walk, urn);
        else
            reference_walk_leave(&walk);
    }
    return found;
}

/* One that is read takes part in any case, and has no state to keep. */
static bool stays(struct stepgen *gen, const struct registration *reg)
{
    return reg->new && reg->old && !stepgen_is_included(gen, reg->new);
}

bool stepgen_waits_for_kept(struct stepgen *gen, struct registration *reg)
{
    CLEANUP(release_search)
    struct search search = { .gen = gen, .reg = reg, .stays = stays(gen, reg) };
    const struct kept_same *kept = reg->kept;

    if (kept) {
        reg->awaited = kept->chain->finished.is_open ? NULL : &kept->chain->finished;
        return reg->awaited != NULL;
    }
    if (reg->old && (gen->kept.len > 0 || search.stays))
        reg->awaited = find_unrecorded(&search, reg->old);
    return reg->awaited != NULL;
}

bool stepgen_is_kept(const struct stepgen *gen, const struct registration *reg)
{
    return reg->kept && kept_is_recorded(gen, reg->kept);
}

static fallible refuse_reference_to_deleted(struct stepgen *gen, const struct registration *reg)
{
    CLEANUP(release_search)
    struct search search = { .gen = gen, .reg = reg, .stays = stays(gen, reg) };

    if (!search.stays || reg->old->is_external || stepgen_is_condemned(gen, reg->old)
        || find_unrecorded(&search, reg->old) || !search.deleted)
        return NULL;
    return error_new(ERROR_OTHER,
                     "resource " STR_FMT " does not take part in this run and depends in the state "
                     "on " STR_FMT ", which was deleted because another is replaced and is not "
                     "created again yet. Either let both take part or register " STR_FMT " first",
                     STR_ARG(reg->urn), STR_ARG(search.deleted->urn), STR_ARG(search.deleted->urn));
}

fallible stepgen_check_kept(struct stepgen *gen, struct registration *reg, bool changes)
{
    const struct kept_same *kept = reg->kept;

    if (!kept && !changes && gen->condemned.len > 0)
        TRY(refuse_reference_to_deleted(gen, reg));
    if (!stepgen_is_kept(gen, reg))
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
    if (!stepgen_is_kept(gen, reg))
        return false;
    fates_add(gen->fates, reg->urn, FATE_SAME); /* also where an alias led to it */
    registration_finish(reg, REGISTRATION_SUCCESS, reg->kept->step->new);
    return true;
}
