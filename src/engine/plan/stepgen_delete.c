/* stepgen_delete.c — after the program: what it did not register goes, dependents before what they
 * depend on. */
#include "engine/plan/stepgen.h"

#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/report/report.h"
#include "model/resource_links.h"
#include "model/urn.h"
#include "model/value_describe.h"
#include "engine/plan/update_plan.h"

/* The graph over what a destroy with its program registered and what the state has. The registered
 * states come first. */
static struct graph *scheduling_graph(struct stepgen *gen, struct arena *arena)
{
    size_t count = gen->to_delete.len + gen->estate->base.len;
    struct resource **all = ARENA_ARRAY(arena, struct resource *, count + 1);
    size_t len = 0;

    for (size_t i = 0; i < gen->to_delete.len; i++)
        all[len++] = gen->to_delete.items[i];
    for (size_t i = 0; i < gen->estate->base.len; i++) {
        struct resource *refreshed = estate_refreshed(gen->estate->base.items[i]);
        all[len++] = refreshed;
    }
    return graph_new(arena, all, len);
}

/* What a destroy has registered under a new name is in the state under the old one:
 * test_plan_delete.c: a_destroy_with_its_program_deletes_dependents_of_what_is_renamed_first. */
static struct resource *state_under_former_name(const struct stepgen *gen,
                                                const struct resource *resource)
{
    const str *former = map_find(&gen->aliases, resource->urn);
    struct resource *state = former ? estate_old(gen->estate, *former) : NULL;

    return state && !resource->is_delete ? estate_refreshed(state) : NULL;
}

/* --- which may be deleted --- */

struct frontier {
    VEC(struct resource *);
};

static void release_frontier(struct frontier *frontier)
{
    vec_release(frontier);
}

static void frontier_add(struct frontier *frontier, struct resources found)
{
    for (size_t i = 0; i < found.len; i++)
        vec_add(frontier, found.items[i]);
}

/* One step from a state to those beside it. */
struct reach {
    struct graph *graph;
    struct arena *arena;
    bool follows_dependents; /* and children */
    bool follows_dependencies;
};

static void reach_neighbours(const struct reach *reach, const struct resource *from,
                             struct frontier *out)
{
    if (reach->follows_dependencies)
        frontier_add(out, graph_dependencies(reach->graph, reach->arena, from));
    if (reach->follows_dependents)
        frontier_add(out, graph_referrers(reach->graph, reach->arena, from));
}

static void find_leftovers(const struct stepgen *gen, struct frontier *out)
{
    const struct resources *base = &gen->estate->base;

    for (size_t i = 0; i < base->len; i++)
        if (base->items[i]->is_delete)
            vec_add(out, base->items[i]);
}

/* What is to be deleted of a URN stays with it. */
static void add_leftovers(const struct frontier *leftovers, str urn, struct frontier *out)
{
    for (size_t i = 0; i < leftovers->len; i++)
        if (str_equal(leftovers->items[i]->urn, urn))
            vec_add(out, leftovers->items[i]);
}

/* What does not take part is recorded under its former name, whatever the program calls it:
 * test_plan_target_destroy.c: what_a_destroy_registers_goes_with_its_parent_under_its_former_name.
 */
static const struct resource *registered_as(const struct stepgen *gen, const struct map *registered,
                                            str urn)
{
    const struct resource *renamed = map_find(registered, stepgen_current_urn(gen, urn));

    return renamed ? renamed : map_find(registered, urn);
}

/* The URNs in `start` and everything reached from them; each state is left once. Where a destroy
 * ran its program, what was registered and what was there both say what depends on what: scenario
 * destroy/destroy-run-program-target. */
static void close_over(struct stepgen *gen, const struct target_set *start, bool follows_dependents,
                       bool follows_dependencies, struct map *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(release_frontier) struct frontier frontier = { 0 };
    CLEANUP(release_frontier) struct frontier leftovers = { 0 };
    CLEANUP(map_release) struct map registered = { 0 };
    CLEANUP(map_release) struct map seen = { 0 }; /* states, by address */
    struct reach reach = { .graph = scheduling_graph(gen, &scratch),
                           .arena = &scratch,
                           .follows_dependents = follows_dependents,
                           .follows_dependencies = follows_dependencies };

    find_leftovers(gen, &leftovers);
    for (size_t i = 0; i < gen->to_delete.len; i++)
        map_put(&registered, gen->to_delete.items[i]->urn, gen->to_delete.items[i]);
    for (size_t i = 0; i < gen->estate->base.len; i++)
        if (target_set_contains(start, gen->estate->base.items[i]->urn))
            vec_add(&frontier, gen->estate->base.items[i]);
    for (size_t at = 0, starts = frontier.len; at < frontier.len; at++) {
        struct resource *next = frontier.items[at];
        struct resource *was = estate_old(gen->estate, next->urn);
        const struct resource *now = registered_as(gen, &registered, next->urn);
        if (map_has(&seen, resource_key(&next)))
            continue;
        /* What is only named may be reached, too. */
        if (at >= starts)
            map_put(&seen, resource_key(arena_copy_bytes(&scratch, &next, sizeof(next))), next);
        /* Those who depend on it may know its former name: test_plan_target_destroy.c:
         * what_knows_a_target_by_its_former_name_goes_with_it. */
        struct resource *former = state_under_former_name(gen, next);
        if (former)
            vec_add(&frontier, former);
        if (!map_has(out, next->urn)) {
            /* `out` has the state of before where there is one: it is the instance that exists. */
            map_put(out, next->urn, was ? was : next);
            if (now)
                reach_neighbours(&reach, now, &frontier);
            reach_neighbours(&reach, was ? was : next, &frontier);
            if (follows_dependencies)
                add_leftovers(&leftovers, next->urn, &frontier);
        }
        /* Another copy of a URN that was reached has dependents and dependencies of its own:
         * test_plan_target_destroy.c: what_is_excluded_keeps_what_its_leftovers_depend_on. */
        if (was && next != was && at >= starts && follows_dependents)
            frontier_add(&frontier, graph_referrers(reach.graph, &scratch, next));
        if (next != map_find(out, next->urn) && follows_dependencies)
            frontier_add(&frontier, graph_dependencies(reach.graph, &scratch, next));
    }
}

/* What goes with a target has dependents, too: test_plan_target_destroy.c:
 * what_goes_with_a_target_takes_its_dependents_along. */
static void add_dependents(struct stepgen *gen, struct map *out)
{
    CLEANUP(target_set_release) struct target_set start = { .is_given = true };
    CLEANUP(map_release) struct map all = { 0 };
    const struct map_entry *entry;

    for (size_t cursor = 0; map_next(out, &cursor, &entry);)
        target_set_add(&start, entry->key);
    close_over(gen, &start, true, false, &all);
    for (size_t cursor = 0; map_next(&all, &cursor, &entry);)
        map_put(out, entry->key, entry->value);
}

/* Targets, what depends on them transitively, and what a replacement of them would take along.
 * Dependents that were not named are allowed here and refused later by name (refuse_unspecified):
 * scenario destroy/destroy-target. */
static fallible allowed_by_targets(struct stepgen *gen, struct map *out)
{
    CLEANUP(map_release) struct map targets = { 0 };
    const struct map_entry *entry;

    close_over(gen, &gen->targets, true, false, &targets);
    for (size_t cursor = 0; map_next(&targets, &cursor, &entry);) {
        CLEANUP(vec_drop) struct dependents dependents = { 0 };
        map_put(out, entry->key, entry->value);
        TRY(stepgen_dependent_replacements(gen, entry->value, NULL, &dependents));
        stepgen_cascade_replacements(gen, entry->key, &dependents);
        for (size_t i = 0; i < dependents.len; i++)
            map_put(out, dependents.items[i].resource->urn, dependents.items[i].resource);
    }
    if (out->len > targets.len)
        add_dependents(gen, out);
    return NULL;
}

struct permission {
    struct map urns;
    struct map held; /* left-overs that stay though their URN is allowed, by address */
    bool is_list_of_allowed;
    bool is_list_of_forbidden;
};

static void release_permission(struct permission *permission)
{
    map_release(&permission->urns);
    map_release(&permission->held);
}

static bool may_delete(const struct permission *permission, str urn)
{
    if (permission->is_list_of_allowed)
        return map_has(&permission->urns, urn);
    return !permission->is_list_of_forbidden || !map_has(&permission->urns, urn);
}

static bool stays(const struct permission *permission, struct resource *resource)
{
    str urn = resource->view_of.len ? resource->view_of : resource->urn;

    return !may_delete(permission, urn) || map_has(&permission->held, resource_key(&resource));
}

/* A target has reached one copy of its URN, and something that stays needs another, which is left
 * over: test_plan_target_destroy.c: what_is_left_over_stays_for_those_who_need_it. Those who need
 * it come behind it. */
static void hold_leftovers(struct stepgen *gen, struct permission *permission)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct resources *base = &gen->estate->base;
    const struct graph *graph = scheduling_graph(gen, &scratch);

    for (size_t i = base->len; i-- > 0;) {
        struct resource *leftover = estate_refreshed(base->items[i]);
        if (!leftover->is_delete || leftover->view_of.len || stays(permission, leftover))
            continue;
        struct resources needing = graph_referrers(graph, &scratch, leftover);
        for (size_t j = 0; j < needing.len; j++)
            if (stays(permission, needing.items[j]))
                map_put(&permission->held,
                        resource_key(arena_copy_bytes(gen->arena, &leftover, sizeof(leftover))),
                        leftover);
    }
}

/* What must not be deleted may go on under another name: test_plan_target_destroy.c:
 * what_is_excluded_keeps_its_provider_under_its_new_name. */
static void forbid_renamed(const struct stepgen *gen, struct map *urns)
{
    const struct map_entry *renamed;

    for (size_t cursor = 0; map_next(&gen->aliased, &cursor, &renamed);)
        if (map_has(urns, renamed->key))
            map_put(urns, *(const str *)renamed->value, renamed->value);
}

static fallible find_permission(struct stepgen *gen, struct permission *out)
{
    if (target_set_is_given(&gen->targets)) {
        out->is_list_of_allowed = true;
        TRY(allowed_by_targets(gen, &out->urns));
        hold_leftovers(gen, out);
    }
    if (target_set_is_given(&gen->excludes)) {
        out->is_list_of_forbidden = true;
        /* What is excluded keeps everything it depends on; its dependents only with
         * --exclude-dependents. test_plan_target_destroy.c:
         * destroying_all_but_an_excluded_keeps_what_it_depends_on. */
        close_over(gen, &gen->excludes, gen->options->plan.exclude_dependents, true, &out->urns);
        forbid_renamed(gen, &out->urns);
    }
    return NULL;
}

/* --- steps --- */

static struct step *delete_step(struct stepgen *gen, struct resource *resource, bool is_replacing)
{
    enum step_op op = is_replacing ? OP_DELETE_REPLACED : OP_DELETE;

    /* Somebody else manages it: it leaves the state without a provider call. Scenario
     * read/read-external. */
    if (resource->is_external)
        op = is_replacing ? OP_DISCARD_REPLACED : OP_DISCARD;
    struct step *step = step_new(gen->arena, &step_delete, op, resource, NULL, NULL);
    step->is_replacing = is_replacing;
    /* What is protected stays, and nothing is deleted with it: test_plan_delete.c:
     * what_would_be_deleted_with_something_protected_is_deleted_itself. */
    if (is_replacing || !resource->options.protect || gen->options->plan.ignore_protect)
        fates_delete(gen->fates, resource);
    return step;
}

static fallible load_provider_of(struct stepgen *gen, const struct resource *resource)
{
    if (resource->provider.len == 0 || stepgen_needs_no_provider(gen, resource))
        return NULL;
    TRY(error_wrap(registry_ensure(gen->registry, resource->provider),
                   "could not load provider for resource " STR_FMT, STR_ARG(resource->urn)));
    return registry_ensure_extension(gen->registry, resource);
}

static struct step *forget_step(struct stepgen *gen, struct resource *resource)
{
    fates_delete(gen->fates, resource);
    return step_new(gen->arena, &step_remove_pending_replace, OP_REMOVE_PENDING_REPLACE, resource,
                    NULL, NULL);
}

/* What was created in its place may have the same ID. */
static bool has_successor_of_its_id(const struct stepgen *gen, const struct resource *resource)
{
    const struct resource *successor =
        estate_new(gen->estate, stepgen_current_urn(gen, resource->urn));

    return successor && str_equal(successor->id, resource->id);
}

/* It was deleted already: a pending replacement that was created again without deleting first
 * (scenario pending/pending-replace-goal-went-back), or a state that an older version damaged
 * (pending/delete-and-pending). It is deleted once more, to be safe, if its provider is still in
 * the state and it is not its successor that would go (test_plan_replace.c:
 * what_is_created_again_with_the_same_id_is_not_deleted); otherwise it is only dropped. */
static bool is_only_a_name(const struct stepgen *gen, const struct resource *resource)
{
    return stepgen_needs_no_provider(gen, resource)
           || (resource->is_pending_replacement && has_successor_of_its_id(gen, resource));
}

static fallible plan_one(struct stepgen *gen, struct resource *before, struct chain *deletes)
{
    struct resource *resource = estate_refreshed(before);
    size_t planned = deletes->len;

    if (resource->is_delete) {
        /* A chain of this run has deleted it, maybe before its registration wanted to read it:
         * test_plan_alias.c: what_was_deleted_first_is_not_deleted_again_under_its_new_name. */
        if (stepgen_is_condemned(gen, before) || stepgen_is_condemned(gen, resource))
            return NULL;
        if (is_only_a_name(gen, resource)) {
            PLAN_LOG("forget", resource->urn, "it was deleted, and its provider is gone");
            vec_add(deletes, forget_step(gen, resource));
            return NULL;
        }
        PLAN_LOG("delete", resource->urn, "another has replaced it");
        vec_add(deletes, delete_step(gen, resource, true));
    } else if (!stepgen_is_operated_on(gen, resource->urn)) {
        PLAN_LOG(resource->is_pending_replacement ? "forget" : "delete", resource->urn,
                 "the program did not register it");
        /* A pending replacement was deleted by an earlier run: nothing is left but its name.
         * Scenario pending/pending-replace-removed. */
        vec_add(deletes, resource->is_pending_replacement ? forget_step(gen, resource)
                                                          : delete_step(gen, resource, false));
    }
    /* Only a resource that is deleted needs its provider started, also if it is protected: scenario
     * cli/cli-state-protect. */
    return deletes->len > planned || fates_have(gen->fates, resource->urn, FATE_DELETED)
               ? load_provider_of(gen, resource)
               : NULL;
}

/* Its provider was replaced and that instance is not deleted in this run: it comes behind all that
 * is recorded, and so does what refers to it. */
static bool comes_behind(const struct stepgen *gen, const struct resource *resource,
                         const struct map *behind)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct strs urns = resource_references(&scratch, resource);

    for (size_t i = 0; i < urns.len; i++)
        if (map_has(behind, urns.items[i]))
            return true;
    return stepgen_has_replaced_provider(gen, resource)
           || (resource->provider.len && map_has(behind, resource_provider_urn(resource)));
}

static void keep_untargeted(struct stepgen *gen, struct resource *resource, struct map *behind,
                            struct chain *sames)
{
    /* What was only read and is taken over leaves with the next run that may delete it:
     * test_plan_target.c: what_is_taken_over_is_not_kept_as_it_was. */
    if (stepgen_is_operated_on(gen, resource->urn)
        || fates_have(gen->fates, stepgen_current_urn(gen, resource->urn), FATE_CREATED))
        return;
    /* A chain of this run has deleted what was left over of it: test_plan_target.c:
     * what_is_excluded_goes_on_without_its_leftovers. */
    if (resource->is_delete && stepgen_is_condemned(gen, resource))
        return;
    /* test_plan_target.c: what_stays_stays_behind_its_provider_that_was_replaced,
     * what_stays_stays_behind_its_provider_that_stays_behind_another. */
    if (comes_behind(gen, resource, behind)) {
        PLAN_LOG("leave alone", resource->urn, "it is not a target, and its provider was replaced");
        map_put(behind, resource->urn, resource);
        return;
    }
    PLAN_LOG("same", resource->urn, "it is not a target");
    struct step *step = step_new(gen->arena, &step_same, OP_SAME, resource,
                                 resource_clone_shallow(gen->arena, resource), NULL);
    step->is_untargeted = true;
    vec_add(sames, step);
}

static fallible refuse_unspecified(struct stepgen *gen, const struct chain *deletes)
{
    bool is_refused = false;

    /* Without --target-dependents a dependent of a target is never deleted silently. Every one is
     * reported; an update then fails before any delete. Scenario destroy/destroy-target. */
    if (!target_set_is_given(&gen->targets) || gen->options->plan.target_dependents)
        return NULL;
    for (size_t i = 0; i < deletes->len; i++) {
        str urn = step_urn(deletes->items[i]);
        if (target_set_contains(&gen->targets, urn))
            continue;
        report_diagnose(gen->report, SEVERITY_ERROR, urn,
                        "Resource '" STR_FMT
                        "' will be destroyed but was not specified in --target list.\nEither "
                        "include resource in --target list or pass "
                        "--target-dependents to proceed.",
                        STR_ARG(urn));
        is_refused = gen->has_failed = true;
    }
    if (!is_refused || gen->options->preview)
        return NULL;
    report_diagnose(gen->report, SEVERITY_ERROR, STR(""), "update failed");
    return error_reported("delete untargeted resource");
}

static void free_chain_items(struct chain *chain)
{
    vec_release(chain);
}

/* Every condemned resource and its level: one more than the highest level among the condemned
 * resources it depends on. */
struct condemned {
    struct resource **resources;
    struct resource **former; /* under the name of before, which dependents may know; NULL: none */
    size_t *level;            /* 1: depends on nothing condemned; 0: not known yet */
    size_t *waiting;          /* condemned things it depends on whose level is not known yet */
    size_t count;
    struct map index; /* address of the resource → place + 1 */
};

static size_t condemned_place(const struct condemned *condemned, struct resource *resource)
{
    return (size_t)(uintptr_t)map_find(&condemned->index, resource_key(&resource));
}

/* What was replaced and goes by itself is no other name of its successor: test_plan_delete.c:
 * a_destroy_with_its_program_deletes_dependents_of_what_is_replaced_first. What is gone
 * already is: what_depends_on_what_was_deleted_first_goes_before_its_successor. */
static void add_former(struct condemned *condemned, size_t at, struct resource *former)
{
    if (!former || condemned_place(condemned, former) != 0)
        return;
    condemned->former[at] = former;
    map_put(&condemned->index, resource_key(&condemned->former[at]), (void *)(uintptr_t)(at + 1));
}

/* Those that mean this copy of its URN. */
static struct resources dependents_on(struct graph *graph, struct arena *arena,
                                      struct resource *resource)
{
    struct resources found = graph_direct_dependents(graph, arena, resource);
    struct resource **meant = ARENA_ARRAY(arena, struct resource *, found.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < found.len; i++) {
        struct resources on = graph_dependencies(graph, arena, found.items[i]);
        for (size_t j = 0; j < on.len; j++)
            if (on.items[j] == resource)
                meant[len++] = found.items[i];
    }
    return (struct resources){ meant, len };
}

/* It goes: what depends on it waits for one thing less. */
static void raise_dependents(struct condemned *condemned, size_t at, struct resources dependents,
                             size_t *queue, size_t *tail)
{
    for (size_t j = 0; j < dependents.len; j++) {
        size_t place = condemned_place(condemned, dependents.items[j]);
        if (place-- == 0 || condemned->resources[place] != dependents.items[j])
            continue; /* not what goes, or only its former state */
        if (condemned->level[place] <= condemned->level[at])
            condemned->level[place] = condemned->level[at] + 1;
        BUG_IF(condemned->waiting[place] == 0); /* each is counted once */
        if (--condemned->waiting[place] == 0)
            queue[(*tail)++] = place;
    }
}

/* `queue` holds the places whose level is known, in the order they became known. */
static size_t find_levels(struct condemned *condemned, struct graph *graph, struct arena *arena)
{
    size_t *queue = ARENA_ARRAY(arena, size_t, condemned->count + 1);
    size_t head = 0, tail = 0, deepest = 0;

    for (size_t i = 0; i < condemned->count; i++) {
        struct resources found = graph_dependencies(graph, arena, condemned->resources[i]);
        for (size_t j = 0; j < found.len; j++)
            condemned->waiting[i] += condemned_place(condemned, found.items[j]) != 0;
        if (condemned->waiting[i] == 0) {
            condemned->level[i] = 1;
            queue[tail++] = i;
        }
    }
    while (head < tail) {
        size_t at = queue[head++];
        struct resource *former = condemned->former[at];
        if (condemned->level[at] > deepest)
            deepest = condemned->level[at];
        raise_dependents(condemned, at,
                         graph_direct_dependents(graph, arena, condemned->resources[at]), queue,
                         &tail);
        if (former)
            raise_dependents(condemned, at, dependents_on(graph, arena, former), queue, &tail);
    }
    BUG_IF(tail != condemned->count); /* the graph of a valid snapshot has no cycle */
    return deepest;
}

/* Levels, deepest first, so that dependents go before what they depend on; what is in one level may
 * go at once. */
static void schedule(struct stepgen *gen, const struct chain *deletes, struct levels *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    if (deletes->len == 0)
        return;
    struct condemned condemned = {
        .resources = ARENA_ARRAY(&scratch, struct resource *, deletes->len + 1),
        .former = ARENA_ARRAY(&scratch, struct resource *, deletes->len + 1),
        .level = ARENA_ARRAY(&scratch, size_t, deletes->len + 1),
        .waiting = ARENA_ARRAY(&scratch, size_t, deletes->len + 1),
        .count = deletes->len,
    };

    for (size_t i = 0; i < deletes->len; i++) {
        condemned.resources[i] = step_resource(deletes->items[i]);
        map_put(&condemned.index, resource_key(&condemned.resources[i]),
                (void *)(uintptr_t)(i + 1));
    }
    for (size_t i = 0; i < deletes->len; i++)
        add_former(&condemned, i, state_under_former_name(gen, condemned.resources[i]));
    size_t first = out->len;
    size_t deepest = find_levels(&condemned, scheduling_graph(gen, &scratch), &scratch);
    for (size_t level = 0; level < deepest; level++)
        vec_add(out, chain_new(gen->arena));
    for (size_t i = 0; i < deletes->len; i++)
        vec_add(out->items[first + deepest - condemned.level[i]], deletes->items[i]);
    map_release(&condemned.index);
}

/* Fills both lists; the deletes are not in order yet. */
static fallible plan_all_deletes(struct stepgen *gen, struct chain *sames, struct chain *deletes)
{
    CLEANUP(release_permission) struct permission permission = { 0 };
    CLEANUP(map_release) struct map behind = { 0 };

    TRY(find_permission(gen, &permission));
    for (size_t i = 0; i < gen->estate->base.len; i++) {
        struct resource *resource = gen->estate->base.items[i];
        if (resource->view_of.len)
            continue; /* its owner reports what becomes of it: scenario view/view-lifecycle */
        if (!stays(&permission, estate_refreshed(resource)))
            TRY(plan_one(gen, resource, deletes));
        else
            keep_untargeted(gen, resource, &behind, sames);
    }
    for (size_t i = 0; i < gen->to_delete.len; i++) {
        struct resource *resource = gen->to_delete.items[i];
        /* What failed, or depends on what did, is not what is in the state: test_exec_provider.c:
         * a_destroy_with_its_program_leaves_what_has_a_provider_that_failed. */
        if (!may_delete(&permission, resource->urn)
            || fates_have(gen->fates, resource->urn, FATE_SKIPPED))
            continue;
        vec_add(deletes, resource->is_pending_replacement ? forget_step(gen, resource)
                                                          : delete_step(gen, resource, false));
        /* test_plan_target_destroy.c: what_is_kept_while_the_program_runs_is_destroyed. */
        if (!resource->is_pending_replacement)
            TRY(load_provider_of(gen, resource));
    }
    for (size_t i = 0; i < sames->len; i++)
        TRY(update_plan_check_step(gen, sames->items[i]));
    for (size_t i = 0; i < deletes->len; i++)
        TRY(update_plan_check_step(gen, deletes->items[i]));
    return refuse_unspecified(gen, deletes);
}

fallible stepgen_deletes(struct stepgen *gen, struct chain **sames, struct levels *levels)
{
    CLEANUP(free_chain_items) struct chain deletes = { 0 };
    struct chain *kept = chain_new(gen->arena);
    struct error *failure = plan_all_deletes(gen, kept, &deletes);

    if (failure) {
        vec_release(kept);
        return failure;
    }
    *sames = kept;
    schedule(gen, &deletes, levels);
    return NULL;
}
