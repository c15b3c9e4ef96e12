/* phases.c — what an operation does, one phase after the other: read what there is, hear what the
 * source registers, deal with what it did not mention. */
#include "engine/deploy/deployment_parts.h"

#include "base/program.h"
#include "engine/report/operation.h"
#include "engine/run/run_parts.h"
#include "engine/run/source.h"

static void warn_of_pending(struct deployment *deployment)
{
    const struct snapshot *snapshot = deployment->options->state.snapshot;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    if (snapshot->pending_count == 0 || deployment->options->preview)
        return;
    for (size_t i = 0; i < snapshot->pending_count; i++)
        strbuf_printf(&text, "  * " STR_FMT ", interrupted while %s\n",
                      STR_ARG(snapshot->pending[i].resource->urn),
                      pending_names[snapshot->pending[i].kind]);
    report_diagnose(&deployment->report, SEVERITY_WARNING, STR(""),
                    "Attempting to deploy or update resources with %zu pending operations from "
                    "previous deployment.\n" STR_FMT
                    "These resources are in an unknown state: the operation was cut off before "
                    "its outcome was known. Look at them "
                    "with "
                    "their provider, then run `%s refresh`, which takes over what is there "
                    "and clears pending operations "
                    "(pending creates with --clear-pending-creates).",
                    snapshot->pending_count, STR_ARG(strbuf_str(&text)), program_name());
}

/* What the refresh steps found becomes the state that the rest is compared with. */
static fallible rebuild_base(struct deployment *deployment, const struct chain *steps)
{
    struct snapshot rebuilt = { 0 };

    if (deployment->recorder.replay) {
        TRY(recorder_rebuild(&deployment->recorder, &rebuilt));
    } else {
        struct resource **kept =
            ARENA_ARRAY(deployment->arena, struct resource *, deployment->estate.base.len + 1);
        struct map found = { 0 };
        for (size_t i = 0; i < steps->len; i++)
            map_put(&found, resource_key(&steps->items[i]->old), steps->items[i]);
        for (size_t i = 0; i < deployment->estate.base.len; i++) {
            struct resource *old = deployment->estate.base.items[i];
            const struct step *step = map_find(&found, resource_key(&old));
            if (!step || step->new)
                kept[rebuilt.resource_count++] = step ? step->new : old;
        }
        map_release(&found);
        rebuilt.resources = kept;
        snapshot_drop_dangling(deployment->arena, &rebuilt, NULL, 0);
    }
    estate_set_base(&deployment->estate, rebuilt.resources, rebuilt.resource_count);
    return NULL;
}

/* The steps of a chain outlive its run: the executor takes its list. */
static struct chain *copy_steps(struct deployment *deployment, const struct chain *chain)
{
    struct chain *copy = chain_new(deployment->arena);

    copy->items =
        arena_copy_bytes(deployment->arena, chain->items, chain->len * sizeof(*chain->items));
    copy->len = chain->len;
    return copy;
}

static fallible run_refresh(struct deployment *deployment, bool only_before_update)
{
    struct stepgen *gen = &deployment->gen;
    struct chain *chain = NULL;

    if (deployment->estate.base.len == 0)
        return NULL;
    TRY(stepgen_check_targets(gen, deployment->options->plan.targets));
    TRY(stepgen_check_targets(gen, deployment->options->plan.excludes));
    TRY(stepgen_refreshes(gen, only_before_update, &chain));
    struct chain *steps = copy_steps(deployment, chain);
    deployment->executor.ignores_errors = true;
    executor_run_parallel(&deployment->executor, chain);
    executor_wait(&deployment->executor);
    deployment->executor.ignores_errors = false;
    TRY(rebuild_base(deployment, steps));
    return NULL;
}

static void release_levels(struct levels *levels)
{
    vec_release(levels);
}

/* The states of before and, for a destroy that ran its program, those it registered; of two copies
 * the later one is followed. */
static struct graph *graph_of_condemned(struct deployment *deployment)
{
    const struct stepgen *gen = &deployment->gen;
    size_t len = deployment->estate.base.len;

    if (gen->to_delete.len == 0)
        return deployment->estate.graph;
    struct resource **all =
        ARENA_ARRAY(deployment->arena, struct resource *, len + gen->to_delete.len);
    if (len)
        memcpy(all, deployment->estate.base.items, len * sizeof(*all));
    memcpy(all + len, gen->to_delete.items, gen->to_delete.len * sizeof(*all));
    return graph_new(deployment->arena, all, len + gen->to_delete.len);
}

/* What failed steps depend on. A URN has one live copy, maybe in several forms, but may have many
 * that are replaced. */
struct kept {
    struct graph *graph;
    struct map live;     /* URN → resource */
    struct map replaced; /* address of a resource → resource */
    size_t seen;         /* failed steps that were taken into account */
};

static void release_kept(struct kept *kept)
{
    map_release(&kept->live);
    map_release(&kept->replaced);
}

static void keep_dependencies(struct deployment *deployment, struct kept *kept,
                              const struct resource *state);

/* It may go on under another name, with what the program says it depends on:
 * test_exec_failure.c: what_a_failed_read_depends_on_stays_under_its_new_name,
 * what_stays_under_its_new_name_keeps_what_it_depends_on_now. */
static void keep_renamed(struct deployment *deployment, struct kept *kept,
                         struct resource *resource)
{
    str urn = stepgen_current_urn(&deployment->gen, resource->urn);

    if (str_equal(urn, resource->urn) || map_has(&kept->live, urn))
        return;
    map_put(&kept->live, urn, resource);
    keep_dependencies(deployment, kept, estate_new(&deployment->estate, urn));
}

/* What was read while the program ran may have been replaced then: test_exec_provider.c:
 * what_is_protected_keeps_its_provider_that_was_refreshed_and_replaced. */
static void keep(struct deployment *deployment, struct kept *kept, struct resource *resource)
{
    resource = estate_refreshed(resource);
    if (resource->is_delete) {
        map_put(&kept->replaced,
                resource_key(arena_copy_bytes(deployment->arena, &resource, sizeof(resource))),
                resource);
        return;
    }
    map_put(&kept->live, resource->urn, resource);
    keep_renamed(deployment, kept, resource);
}

/* Of a provider a reference names one instance, also one that was replaced: test_exec_provider.c:
 * what_is_protected_keeps_its_provider_that_was_replaced. */
static void keep_provider(struct deployment *deployment, struct kept *kept,
                          const struct resource *state)
{
    const struct resources *base = &deployment->estate.base;
    str urn, id;

    if (!str_cut_last(state->provider, STR("::"), &urn, &id))
        return;
    for (size_t i = 0; i < base->len; i++)
        if (str_equal(base->items[i]->urn, urn) && str_equal(base->items[i]->id, id))
            keep(deployment, kept, base->items[i]);
}

/* What was read while the program ran stands for the state of before: test_exec_failure.c:
 * what_was_read_and_could_not_be_changed_keeps_what_it_needs. */
static const struct resource *state_before_refresh(const struct deployment *deployment,
                                                   const struct resource *state)
{
    const struct resources *base = &deployment->estate.base;

    for (size_t i = 0; i < base->len; i++)
        if (base->items[i]->refreshed == state)
            return base->items[i];
    return state;
}

static void keep_dependencies(struct deployment *deployment, struct kept *kept,
                              const struct resource *state)
{
    if (!state)
        return;
    state = state_before_refresh(deployment, state);
    struct resources found = graph_transitive_dependencies(kept->graph, deployment->arena, state);
    keep_provider(deployment, kept, state);
    for (size_t i = 0; i < found.len; i++) {
        keep(deployment, kept, found.items[i]);
        keep_provider(deployment, kept, found.items[i]);
    }
}

static bool is_kept(const struct kept *kept, struct resource *resource)
{
    if (resource->is_delete)
        return map_has(&kept->replaced, resource_key(&resource));
    return map_has(&kept->live, resource->urn);
}

/* What a failed step depends on still has a dependent and must not be deleted, whether the delete
 * failed (scenario destroy/destroy-fails) or was refused (protect/protect-destroy). */
static void drop_dependencies_of_failed(struct deployment *deployment, struct chain *level,
                                        struct kept *kept)
{
    const struct executor *executor = &deployment->executor;
    size_t left = 0;

    for (; kept->seen < executor->errored.len; kept->seen++) {
        const struct step *step = executor->errored.items[kept->seen];
        keep_dependencies(deployment, kept, step->new);
        keep_dependencies(deployment, kept, step->old);
        /* It may have been registered since: test_exec_failure.c:
         * what_failed_and_was_registered_then_keeps_what_it_depends_on_now. */
        keep_dependencies(deployment, kept, estate_new(&deployment->estate, step_urn(step)));
    }
    for (size_t i = 0; i < level->len; i++)
        if (!is_kept(kept, step_resource(level->items[i])))
            level->items[left++] = level->items[i];
    level->len = left;
}

static fallible delete_unregistered(struct deployment *deployment)
{
    CLEANUP(release_levels) struct levels levels = { 0 };
    CLEANUP(release_kept) struct kept kept = { .graph = graph_of_condemned(deployment) };
    struct chain *sames = NULL;

    TRY(stepgen_deletes(&deployment->gen, &sames, &levels));
    /* What a failed step leaves where it was comes behind all that is recorded, so what refers to
     * it stays there, too: test_exec_failure.c:
     * what_stays_and_refers_to_what_failed_stays_behind_it. */
    executor_skip_dependents(&deployment->executor, sames);
    executor_submit(&deployment->executor, sames);
    latch_wait_uncancelable(&sames->finished);
    for (size_t i = 0; i < levels.len; i++) {
        drop_dependencies_of_failed(deployment, levels.items[i], &kept);
        executor_run_parallel(&deployment->executor, levels.items[i]);
    }
    return NULL;
}

static fallible refresh_unregistered(struct deployment *deployment)
{
    struct chain *chain = NULL;

    TRY(stepgen_refreshes(&deployment->gen, false, &chain));
    executor_run_parallel(&deployment->executor, chain);
    return recorder_end_refresh(&deployment->recorder);
}

/* After the program: everything it did not mention. */
static fallible post_steps(struct deployment *deployment)
{
    struct stepgen *gen = &deployment->gen;
    /* A target may be created by the program, so it is missed only now; the rest is done all the
     * same. Scenario target/target-unknown. */
    struct error *unknown_target = stepgen_check_targets(gen, deployment->options->plan.targets);
    struct error *failure = NULL;

    if (deployment->estate.base.len || gen->to_delete.len)
        failure = gen->mode == MODE_REFRESH ? refresh_unregistered(deployment)
                                            : delete_unregistered(deployment);
    return failure ? error_join(failure, unknown_target) : unknown_target;
}

static fallible run_source(struct deployment *deployment, const struct source *source)
{
    TRY(stepgen_check_targets(&deployment->gen, deployment->options->plan.replaces));
    TRY(source->start(deployment));
    latch_wait_uncancelable(&deployment->course.stopped);
    /* Also after a failure: providers are not closed under the questions they were asked. */
    work_group_wait_uncancelable(&deployment->intake.planning);
    /* What was skipped is answered while the rest of its chain runs: test_exec_failure.c:
     * what_is_deleted_first_for_what_is_skipped_is_deleted_once. */
    executor_wait(&deployment->executor);
    if (!deployment->course.has_stopped) {
        struct error *failure = post_steps(deployment);
        if (failure)
            course_fail(&deployment->course, STR(""), failure);
    }
    executor_wait(&deployment->executor);
    return NULL;
}

fallible phases_run(struct deployment *deployment, const struct source *source)
{
    const struct engine_options *options = deployment->options;

    if (operation_refreshes_first(options)) {
        TRY(run_refresh(deployment, false));
        /* An update does not start from a state that could not be read whole: test_plan_refresh.c:
         * a_refresh_that_fails_keeps_the_update_from_starting. */
        if (operation_of(options)->source == SOURCE_NONE || deployment->executor.has_failed)
            return NULL;
    } else if (!operation_refreshes(options)
               && estate_refreshes_before_update(&deployment->estate)) {
        TRY(run_refresh(deployment, true));
        if (deployment->executor.has_failed)
            return NULL;
    } else {
        warn_of_pending(deployment);
    }
    if (deployment->course.has_stopped)
        return NULL;
    return run_source(deployment, source);
}
