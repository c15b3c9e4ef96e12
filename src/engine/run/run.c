/* run.c — update, preview, refresh, destroy and import: which phases each has, and what is
 * left behind when one fails. */
#include "engine/deploy/deployment_parts.h"

#include "base/program.h"
#include "base/clock.h"

#include "builtin/builtin.h"
#include "engine/monitor/monitor.h"
#include "engine/monitor/services.h"
#include "engine/plan/policy.h"
#include "engine/plan/update_plan.h"
#include "engine/run/run_parts.h"
#include "engine/run/source.h"
#include "fiber/fiber.h"
#include "plugin/language.h"

/* The operation that signals are for; there is one at a time. */
static struct deployment *current;

static void cancel_plugins(void *deployment_)
{
    struct deployment *deployment = deployment_;

    builtin_cancel(&deployment->registry.world);
    plugin_host_cancel(deployment->registry.host);
}

void engine_interrupt(void)
{
    struct deployment *deployment = current;

    if (!deployment)
        return;
    if (deployment->course.is_canceled) {
        deployment->course.is_terminated = true;
        cancel_fire(deployment->scope);
        course_stop(&deployment->course);
        return;
    }
    deployment->course.is_canceled = true;
    course_stop(&deployment->course);
    if (deployment->registry.host)
        fiber_spawn_in(deployment->scope, cancel_plugins, deployment);
}

/* --- phases --- */

static void warn_of_pending(struct deployment *deployment)
{
    const struct snapshot *snapshot = deployment->options->snapshot;
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
            map_put(&found, (str){ (const char *)&steps->items[i]->old, sizeof(void *) },
                    steps->items[i]);
        for (size_t i = 0; i < deployment->estate.base.len; i++) {
            struct resource *old = deployment->estate.base.items[i];
            const struct step *step = map_find(&found, (str){ (const char *)&old, sizeof(void *) });
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
    TRY(stepgen_check_targets(gen, deployment->options->targets));
    TRY(stepgen_check_targets(gen, deployment->options->excludes));
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

/* What was there and, for a destroy that ran its program, what that made of it: the later copy
 * counts. */
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
    struct map replaced; /* URN → resource */
    size_t seen;         /* failed steps that were looked at */
};

static void release_kept(struct kept *kept)
{
    map_release(&kept->live);
    map_release(&kept->replaced);
}

static void keep_dependencies(struct deployment *deployment, struct kept *kept,
                              const struct resource *state)
{
    if (!state)
        return;
    struct resources found = graph_transitive_dependencies(kept->graph, deployment->arena, state);
    for (size_t i = 0; i < found.len; i++)
        map_put(found.items[i]->is_delete ? &kept->replaced : &kept->live, found.items[i]->urn,
                found.items[i]);
}

static bool is_kept(const struct kept *kept, const struct resource *resource)
{
    if (resource->is_delete)
        return map_find(&kept->replaced, resource->urn) == resource;
    return map_has(&kept->live, resource->urn);
}

/* What a failed step depends on must not be deleted under it. */
static void drop_dependencies_of_failed(struct deployment *deployment, struct chain *level,
                                        struct kept *kept)
{
    const struct executor *executor = &deployment->executor;
    size_t left = 0;

    for (; kept->seen < executor->errored.len; kept->seen++) {
        keep_dependencies(deployment, kept, executor->errored.items[kept->seen]->new);
        keep_dependencies(deployment, kept, executor->errored.items[kept->seen]->old);
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
    struct error *unknown_target = stepgen_check_targets(gen, deployment->options->targets);
    struct error *failure = NULL;

    if (deployment->estate.base.len || gen->to_delete.len)
        failure = gen->mode == MODE_REFRESH ? refresh_unregistered(deployment)
                                            : delete_unregistered(deployment);
    return failure ? error_join(failure, unknown_target) : unknown_target;
}

static fallible run_source(struct deployment *deployment)
{
    const struct source *source = source_for(deployment);

    TRY(stepgen_check_targets(&deployment->gen, deployment->options->replaces));
    TRY(source->start(deployment));
    latch_wait_uncancelable(&deployment->course.stopped);
    /* Also after a failure: providers are not closed under the questions they were asked. */
    work_group_wait_uncancelable(&deployment->intake.planning);
    if (!deployment->course.has_stopped) {
        struct error *failure = deployment->course.has_stopped ? NULL : post_steps(deployment);
        if (failure)
            course_fail(&deployment->course, STR(""), failure);
    }
    executor_wait(&deployment->executor);
    return NULL;
}

static fallible engine_run_phases(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;
    enum operation_source source = operation_of(options)->source;

    preinstall_plugins(deployment);
    if (deployment->course.has_stopped)
        return NULL;
    if (source == SOURCE_LIST)
        return import_resources(deployment);
    if (operation_refreshes_first(options)) {
        TRY(run_refresh(deployment, false));
        if (source == SOURCE_NONE || deployment->executor.has_failed)
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
    return run_source(deployment);
}

/* --- opening and closing --- */

static void emit_prelude(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;
    const struct event event = { .kind = EVENT_PRELUDE,
                                 .prelude = { options->config_shown, options->config_len } };
    report_emit(&deployment->report, &event);
}

/* The operation opens its own parts first, then what talks to the outside. */
static fallible open_all(struct deployment *deployment)
{
    TRY(deployment_open(deployment));
    current = deployment;
    TRY(services_open(&deployment->tools, &deployment->program.shared));
    return policy_load(&deployment->gen);
}

/* All is done: the program may end, and how it ends counts. One that was started by others (an
 * inline program) is awaited; our own host ends it after a while. */
static void await_program(struct deployment *deployment)
{
    enum { PROGRAM_GRACE_MS = 5000 };
    bool is_inline = deployment->options->client_address.len > 0;

    latch_open(&deployment->program.shut_down);
    if (!deployment->program.monitor)
        return;
    do
        error_ignore(latch_wait_ms(&deployment->program.ended, PROGRAM_GRACE_MS),
                     "a program that does not end is ended with its host");
    while (is_inline && !deployment->program.ended.is_open && !deployment->course.is_canceled);
    if (deployment->program.failure)
        course_fail(&deployment->course, STR(""), deployment->program.failure);
    deployment->program.failure = NULL;
}

/* The program was answered and has ended first, then the plugins: a program that was failed is
 * never told, only ended. */
static void close_deployment(struct deployment *deployment, bool has_failed)
{
    deployment->course.is_closing = true;
    latch_open(&deployment->program.shut_down);
    bool has_ended = !deployment->program.monitor || deployment->program.ended.is_open;
    if (deployment->program.monitor && has_ended)
        language_settle(deployment->program.language);
    bool is_kept =
        deployment->options->shared && deployment->options->preview && !has_failed && has_ended;
    if (deployment->program.shared)
        services_close(deployment->program.shared, deployment->program.language,
                       deployment->program.monitor, is_kept);
    current = NULL;
    error_ignore(deployment->program.failure, "another failure came first");
    deployment_release(deployment);
}

/* Nothing is missing; a preview goes on where an update would have been refused. */
static bool is_whole(const struct deployment *deployment)
{
    bool has_failed = deployment->course.has_failed || deployment->executor.has_failed
                      || deployment->hooks.has_failure;
    return !has_failed && !deployment->course.is_canceled
           && (deployment->options->preview || !deployment->gen.has_failed);
}

static void report_outcome(struct deployment *deployment)
{
    const char *kind = deployment->options->preview ? "preview" : "update";

    if (deployment->course.has_failed)
        return; /* told when it happened */
    if (deployment_has_failed(deployment))
        report_diagnose(&deployment->report, SEVERITY_ERROR, STR(""), "%s failed", kind);
    else if (deployment->course.is_canceled)
        report_diagnose(&deployment->report, SEVERITY_ERROR, STR(""), "%s canceled", kind);
}

static void emit_summary(struct deployment *deployment, int64_t started, bool has_failed)
{
    const int64_t second = 1000000000;
    struct strs packs = policy_packs(&deployment->gen);
    const struct event event = {
        .kind = EVENT_SUMMARY,
        .summary = {
            .is_preview = deployment->options->preview,
            .maybe_corrupt = deployment->report.is_corrupt,
            .duration_seconds = (clock_monotonic() - started + second - 1) / second,
            .changes = deployment->report.changes,
            .result = has_failed ? "failed" : "succeeded",
            .packs = packs.items,
            .pack_count = packs.len,
        },
    };
    report_emit(&deployment->report, &event);
}

static void fill_result(struct deployment *deployment, struct engine_result *out)
{
    memcpy(out->changes, deployment->report.changes, sizeof(out->changes));
    for (int op = 0; op < STEP_OP_COUNT; op++)
        if (op != OP_SAME && deployment->report.changes[op])
            out->has_changes = true;
    out->is_canceled = deployment->course.is_canceled;
    out->is_terminated = deployment->course.is_terminated;
}

static fallible finish_run(struct deployment *deployment, struct error *failure)
{
    if (failure)
        course_fail(&deployment->course, STR(""), failure);
    return deployment_finish_stack(deployment, deployment_has_failed(deployment)
                                                   || deployment->course.is_canceled);
}

struct error *engine_run(const struct engine_options *options, struct arena *arena,
                         struct engine_result *out)
{
    struct engine_options normalized = *options;
    struct deployment deployment;
    int64_t started = clock_monotonic();

    deployment_init(&deployment, &normalized, arena);
    *out = (struct engine_result){ .snapshot = *options->snapshot };
    if (options->client_address.len) { /* the program lives in the process that started us */
        const struct member address = { STR("address"), value_string(options->client_address) };
        normalized.runtime = STR("client");
        normalized.runtime_options = value_object(arena, &address, 1);
    }
    TRY(precheck(&deployment));
    if (precheck_leaves_nothing(&normalized, arena))
        return NULL;
    struct error *failure = open_all(&deployment);
    bool is_open = !failure;
    if (is_open) {
        older_packages_warn(&deployment);
        emit_prelude(&deployment);
        failure = engine_run_phases(&deployment);
    }
    failure = finish_run(&deployment, failure);
    if (failure)
        course_fail(&deployment.course, deployment.stack_outputs.urn, failure);
    failure =
        deployment_has_failed(&deployment) ? NULL : update_plan_check_complete(&deployment.gen);
    if (!failure && is_whole(&deployment))
        failure = policy_check_stack(&deployment.gen);
    if (failure)
        course_fail(&deployment.course, STR(""), failure);
    if (!deployment_has_failed(&deployment) && !deployment.course.is_canceled)
        await_program(&deployment);
    report_outcome(&deployment);
    bool has_failed = deployment_has_failed(&deployment) || deployment.course.is_canceled;
    fill_result(&deployment, out);
    if (is_open)
        emit_summary(&deployment, started, has_failed);
    if (deployment.recorder.replay)
        failure = recorder_snapshot(&deployment.recorder, &out->snapshot);
    else
        failure = NULL;
    if (!failure && deployment.gen.new_plan && !has_failed)
        failure = update_plan_write(deployment.gen.new_plan, options->config_json, options->crypter,
                                    arena, &out->plan);
    close_deployment(&deployment, has_failed);
    report_emit(&deployment.report, &(struct event){ .kind = EVENT_CANCEL });
    failure = error_join(deployment.executor.refusal, failure);
    if (failure)
        return failure;
    return has_failed ? error_reported("%s failed", options->preview ? "preview" : "update") : NULL;
}
