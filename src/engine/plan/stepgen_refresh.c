/* stepgen_refresh.c — which resources of the state a refresh reads, in state order. */
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
        if (resource->provider.len) {
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
