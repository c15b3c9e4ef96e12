/* stepgen_refresh.c — which resources of the state a refresh reads: in state order, or one that is
 * registered, before it is compared. */
#include "engine/plan/reference_walk.h"
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "model/resource_links.h"
#include "model/urn.h"
#include "model/value_describe.h"

static bool refers_to_given(struct arena *arena, const struct resource *resource,
                            const struct target_set *set)
{
    struct strs urns = resource_references(arena, resource);

    for (size_t i = 0; i < urns.len; i++)
        if (target_set_contains(set, urns.items[i]))
            return true;
    return false;
}

/* State order puts dependencies first, so with --target-dependents or --exclude-dependents one pass
 * reaches transitive dependents. Scenario refresh/refresh-target. */
static bool is_wanted(struct stepgen *gen, struct arena *arena, const struct resource *resource)
{
    const struct engine_options *options = gen->options;

    if (target_set_is_given(&gen->excludes)) {
        if (target_set_contains(&gen->excludes_actual, resource->urn))
            return false;
        if (!options->plan.exclude_dependents
            || !refers_to_given(arena, resource, &gen->excludes_actual))
            return true;
        target_set_add(&gen->excludes_actual, resource->urn);
        return false;
    }
    if (target_set_contains(&gen->targets_actual, resource->urn))
        return true;
    if (!options->plan.target_dependents || !refers_to_given(arena, resource, &gen->targets_actual))
        return false;
    target_set_add(&gen->targets_actual, resource->urn);
    return true;
}

static fallible plan_all_refreshes(struct stepgen *gen, bool only_before_update,
                                   struct chain *chain)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    for (size_t i = 0; i < gen->estate->base.len; i++) {
        struct resource *resource = gen->estate->base.items[i];
        /* Without --refresh, only what its provider asked to have read before each update: scenario
         * refresh/refresh-before-update. */
        if (only_before_update && !resource->refreshes_before_update)
            continue;
        /* Views are refreshed by their owner. What the program has registered was read then:
         * scenario refresh/refresh-run-program. */
        if (resource->view_of.len || stepgen_is_operated_on(gen, resource->urn)
            || !is_wanted(gen, &scratch, resource))
            continue;
        if (resource->provider.len && !stepgen_needs_no_provider(gen, resource)) {
            TRY(error_wrap(registry_ensure(gen->registry, resource->provider),
                           "could not load provider for resource " STR_FMT,
                           STR_ARG(resource->urn)));
            TRY(registry_ensure_extension(gen->registry, resource));
        }
        vec_add(chain, step_new(gen->arena, &step_refresh, OP_REFRESH, resource, resource, NULL));
    }
    return NULL;
}

fallible stepgen_refreshes(struct stepgen *gen, bool only_before_update, struct chain **out)
{
    struct chain *chain = chain_new(gen->arena);
    struct error *failure = plan_all_refreshes(gen, only_before_update, chain);

    if (failure)
        vec_release(chain);
    *out = chain;
    return failure;
}

/* --- while the program runs --- */

bool stepgen_is_read_first(struct stepgen *gen, const struct registration *reg)
{
    return reg->old && gen->refreshes && stepgen_is_included(gen, reg->old)
           && !stepgen_is_kept(gen, reg);
}

static bool is_read_by_provider(const struct stepgen *gen, const struct resource *old)
{
    return old->is_custom && !type_is_provider(old->type) && !old->is_pending_replacement
           && estate_had(gen->estate, resource_provider_urn(old));
}

static fallible keep_provider(struct stepgen *gen, const struct registration *reg,
                              struct resource *found)
{
    found->provider = reg->old->provider;
    TRY(registry_ensure(gen->registry, found->provider));
    return registry_ensure_extension(gen->registry, reg->old);
}

/* A provider that cannot go on with it would not find it, and it would be forgotten, or be deleted
 * where it is not: test_plan_refresh.c: what_moves_is_read_and_deleted_where_it_is. */
static fallible keep_provider_if_it_moves(struct stepgen *gen, struct registration *reg,
                                          struct resource *found)
{
    bool moves;

    if (!is_read_by_provider(gen, reg->old))
        return NULL;
    TRY(stepgen_moves(gen, reg, &moves));
    if (!moves || stepgen_was_overtaken(gen, reg))
        return NULL;
    return keep_provider(gen, reg, found);
}

/* As this run has recorded it, else as it was; NULL: it is gone. */
static struct resource *known_state(const struct stepgen *gen, str urn)
{
    struct resource *state = estate_new(gen->estate, urn);

    if (state || fates_have(gen->fates, urn, FATE_REFRESHED))
        return state;
    return estate_old(gen->estate, urn);
}

/* Something that does not take part and depends on it in the state, where the program says the
 * opposite; others that the run has recorded may be between them. */
static bool closes_circle(struct stepgen *gen, const struct registration *reg, struct resource *now)
{
    CLEANUP(reference_walk_release) struct reference_walk walk = { 0 };
    CLEANUP(map_release) struct map seen = { 0 };
    struct walked *top;
    bool is_provider;
    str urn;

    reference_walk_enter(&walk, now);
    while ((top = reference_walk_top(&walk))) {
        if (!walked_next(top, &urn, &is_provider)) {
            reference_walk_leave(&walk);
            continue;
        }
        struct resource *state = urn.len && !map_has(&seen, urn) ? known_state(gen, urn) : NULL;
        if (state == reg->old && state)
            return true;
        if (!state)
            continue;
        map_put(&seen, urn, state);
        reference_walk_enter(&walk, state);
    }
    return false;
}

static void keep_references(struct resource *found, const struct resource *old)
{
    found->parent = old->parent;
    found->dependencies = old->dependencies;
    found->property_dependencies = old->property_dependencies;
    found->options.deleted_with = old->options.deleted_with;
    found->options.replace_with = old->options.replace_with;
}

/* Also what a refresh registers anew: test_plan_refresh.c:
 * a_provider_keeps_its_references_if_the_new_ones_lead_back. */
void stepgen_keep_from_circle(struct stepgen *gen, struct registration *reg)
{
    if (gen->mode == MODE_REFRESH && reg->old && closes_circle(gen, reg, reg->new))
        keep_references(reg->new, reg->old);
}

/* A refresh does not change what it reads: test_plan_refresh.c:
 * what_is_read_keeps_its_references_if_the_new_ones_lead_back,
 * what_is_read_keeps_its_provider_if_the_new_one_leads_back. */
static fallible keep_found_from_circle(struct stepgen *gen, const struct registration *reg,
                                       struct resource *found)
{
    if (gen->mode != MODE_REFRESH || !closes_circle(gen, reg, found))
        return NULL;
    keep_references(found, reg->old);
    if (!is_read_by_provider(gen, reg->old) || !closes_circle(gen, reg, found))
        return NULL;
    return keep_provider(gen, reg, found);
}

fallible stepgen_read_first(struct stepgen *gen, struct registration *reg, struct chain *chain)
{
    struct resource *found = resource_clone_shallow(gen->arena, reg->new);

    TRY(keep_provider_if_it_moves(gen, reg, found));
    /* It needs what it was made of until it is changed, and if it is replaced until it is deleted:
     * test_plan_refresh.c: what_was_read_and_replaced_is_deleted_before_what_it_needed,
     * what_was_read_goes_with_what_it_went_with_until_it_is_changed. Also a refresh replaces what
     * becomes a component: what_is_read_and_becomes_a_component_needs_what_it_needed. */
    if (gen->mode == MODE_UPDATE || !reg->goal.is_custom)
        keep_references(found, reg->old);
    TRY(keep_found_from_circle(gen, reg, found));
    if (stepgen_was_overtaken(gen, reg))
        return NULL;
    /* What was only read is not ours to update or to delete, and what becomes a component is still
     * something that a provider has made: test_plan_refresh.c:
     * what_was_only_read_is_taken_over_and_not_deleted,
     * what_is_read_and_becomes_a_component_is_deleted. */
    found->is_external = reg->old->is_external;
    found->is_custom = reg->old->is_custom;
    struct step *step = step_new(gen->arena, &step_refresh, OP_REFRESH, reg->old, found, NULL);
    step->is_during_program = true;
    PLAN_LOG("refresh", reg->urn, "--refresh with a program reads before it compares");
    /* Components and providers are not read; their step only passes the state on and is not
     * shown. */
    step->is_internal = !reg->old->is_custom || type_is_provider(reg->goal.type);
    step->reg = reg;
    fates_add(gen->fates, reg->urn, FATE_REFRESHED);
    vec_add(chain, step);
    return NULL;
}
