/* stepgen_meet.c — registrations that meet a chain which deletes before it replaces.
 *
 * What must hold:
 * 1. A state that a chain has condemned belongs to that chain until its deletes are over. A
 * registration of its successor, by URN, alias or ReadResource, waits for that and is planned then:
 * scenario dbr/registered-while-condemned.
 * 2. A chain is not planned before everything that depends on what it deletes is out of the way:
 * deleted by another chain, or changed by one of its own: dbr/two-chains-meet,
 * dbr/dependent-under-way.
 * 3. What a failed chain did not reach is treated as if it had never been condemned:
 * dbr/chain-fails-while-others-go-on.
 *
 * There is no circular wait: a registration waits for chains that run already, which wait only for
 * a slot, and for registrations of what depends on it. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "model/urn.h"
#include "model/value_describe.h"

void stepgen_condemn(struct stepgen *gen, struct resource *resource, struct chain *chain)
{
    struct resource **slot = arena_copy_bytes(gen->arena, &resource, sizeof(resource));

    map_put(&gen->condemned, resource_key(slot), chain);
    fates_note_change(gen->fates);
}

static struct chain *condemning_chain(const struct stepgen *gen, struct resource *resource)
{
    return map_find(&gen->condemned, resource_key(&resource));
}

bool stepgen_is_condemned(const struct stepgen *gen, struct resource *resource)
{
    return condemning_chain(gen, resource) != NULL;
}

void stepgen_reprieve(struct stepgen *gen, struct resource *resource)
{
    if (!map_remove(&gen->condemned, resource_key(&resource)))
        return;
    fates_note_change(gen->fates);
    fates_undelete(gen->fates, resource);
}

bool stepgen_waits_for_delete(struct stepgen *gen, struct registration *reg)
{
    struct chain *chain = reg->old ? condemning_chain(gen, reg->old) : NULL;

    if (!chain || chain->deleted.is_open)
        return false;
    reg->awaited = &chain->deleted;
    return true;
}

/* A successful delete of a chain marks the state as a pending replacement; a condemned state
 * without that mark still exists. test_exec_failure.c:
 * what_could_not_be_deleted_first_is_skipped_when_it_is_registered. */
bool stepgen_was_not_deleted(const struct stepgen *gen, const struct registration *reg)
{
    return reg->old && stepgen_is_condemned(gen, reg->old) && !reg->old->is_pending_replacement;
}

/* test_plan_target.c: what_was_deleted_first_and_is_renamed_is_created_again. */
bool stepgen_was_deleted(const struct stepgen *gen, const struct registration *reg)
{
    return reg->old && stepgen_is_condemned(gen, reg->old) && reg->old->is_pending_replacement;
}

void stepgen_unsettle(struct stepgen *gen, struct registration *reg)
{
    if (!reg->unsettled)
        reg->unsettled = ARENA_NEW(gen->arena, struct latch);
}

void stepgen_settle(struct registration *reg)
{
    if (reg->unsettled)
        latch_open(reg->unsettled);
    reg->unsettled = NULL;
}

static void meet_add_state(struct map *out, struct arena *arena, struct resource *state)
{
    map_put(out, resource_key(arena_copy_bytes(arena, &state, sizeof(state))), state);
}

/* The states that would go before the root: what depends on it, and what goes with it. */
static void collect_dependents(struct stepgen *gen, struct registration *root, struct arena *arena,
                               struct map *out)
{
    struct resources found =
        graph_dependents(gen->estate->graph, arena, root->old, (struct strs){ 0 }, false);
    struct resources companions = estate_old_companions(gen->estate, arena, root->urn);

    for (size_t i = 0; i < found.len; i++)
        meet_add_state(out, arena, found.items[i]);
    for (size_t i = 0; i < companions.len; i++)
        meet_add_state(out, arena, companions.items[i]);
}

/* Opens when a registration, or its chain, is done with its old state; NULL if nothing is under
 * way. Scenarios dbr/import-under-way, dbr/dependent-under-way. */
static struct latch *work_on_old(const struct registration *reg)
{
    if (reg->unsettled)
        return reg->unsettled;
    return reg->is_planned && !reg->chain->finished.is_open ? &reg->chain->finished : NULL;
}

/* The state of before that a registration continues, or NULL. One that has read or imported
 * something goes on with another, or with none: dbr/refresh-under-way, test_plan_parallel.c:
 * what_was_read_and_is_gone_is_not_taken_along. */
static struct resource *state_of_before(const struct stepgen *gen, const struct registration *reg)
{
    return reg->old_urn.len ? estate_old(gen->estate, reg->old_urn) : NULL;
}

bool stepgen_waits_for_dependents(struct stepgen *gen, struct registration *reg)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(map_release) struct map dependents = { 0 };
    const struct map_entry *entry;

    collect_dependents(gen, reg, &scratch, &dependents);
    if (dependents.len == 0)
        return false;
    for (size_t cursor = 0; map_next(&gen->condemned, &cursor, &entry);) {
        struct chain *chain = entry->value;
        if (!chain->deleted.is_open && map_has(&dependents, entry->key))
            reg->awaited = &chain->deleted;
    }
    for (struct registration *other = gen->registrations->first; other; other = other->next) {
        struct resource *before = state_of_before(gen, other);
        if (other == reg || !before || !map_has(&dependents, resource_key(&before)))
            continue;
        struct latch *work = work_on_old(other);
        if (work)
            reg->awaited = work;
    }
    return reg->awaited != NULL;
}
