/* run.c — update, preview, refresh, destroy and import: opened, run and closed, and what is left
 * behind when one fails. */
#include "engine/deploy/deployment_parts.h"

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

static fallible run_operation(struct deployment *deployment)
{
    preinstall_plugins(deployment);
    if (deployment->course.has_stopped)
        return NULL;
    if (operation_of(deployment->options)->source == SOURCE_LIST)
        return import_resources(deployment);
    return phases_run(deployment, source_for(deployment));
}

/* --- opening and closing --- */

static void emit_prelude(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;
    const struct event event = {
        .kind = EVENT_PRELUDE, .prelude = { config_facts_shown(options->config, deployment->arena) }
    };
    report_emit(&deployment->report, &event);
}

/* The operation opens its own parts first, then what talks to the outside. */
static fallible open_all(struct deployment *deployment)
{
    TRY(deployment_open(deployment));
    current = deployment;
    TRY(services_open(&deployment->tools, &deployment->program.shared));
    TRY(preinstall_packs(deployment));
    return policy_load(&deployment->gen);
}

/* All is done: the program may end, and its failure fails the operation. A program that somebody
 * else started (an inline program) is awaited; our own host ends its program after a while. */
static void await_program(struct deployment *deployment)
{
    enum { PROGRAM_GRACE_MS = 5000 };
    bool is_inline = deployment->options->world->client_address.len > 0;

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

/* The program was answered and has ended first, then the plugins: a program whose registration
 * failed gets no answer, it is only ended. */
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

/* Passes events on, and knows whether one of them told of a failure. */
struct witness {
    event_sink *sink;
    void *sink_context;
    bool has_seen_error;
};

static bool tells_of_failure(const struct event *event)
{
    if (event->kind == EVENT_POLICY)
        return strcmp(event->policy.level, "mandatory") == 0;
    return event->kind == EVENT_DIAGNOSTIC && event->diagnostic.severity == SEVERITY_ERROR;
}

static void witness_event(void *witness_, const struct event *event)
{
    struct witness *witness = witness_;

    witness->has_seen_error |= tells_of_failure(event);
    if (witness->sink)
        witness->sink(witness->sink_context, event);
}

/* Most failures are reported when they happen. A program may end with the claim that the user knows
 * the reason already, and have said nothing, or only printed something. */
static void report_outcome(struct deployment *deployment, const struct witness *witness)
{
    const char *kind = deployment->options->preview ? "preview" : "update";

    if (deployment->course.has_failed && (witness->has_seen_error || deployment->course.refusal))
        return;
    if (deployment_has_failed(deployment))
        report_diagnose(&deployment->report, SEVERITY_ERROR, STR(""), "%s failed", kind);
    else if (deployment->course.is_canceled)
        report_diagnose(&deployment->report, SEVERITY_ERROR, STR(""), "%s canceled", kind);
}

static void emit_summary(struct deployment *deployment, int64_t started, bool has_failed)
{
    const struct event event = {
        .kind = EVENT_SUMMARY,
        .summary = {
            .is_preview = deployment->options->preview,
            .maybe_corrupt = deployment->report.is_corrupt,
            .duration_seconds = (clock_monotonic() - started + NS_PER_S - 1) / NS_PER_S,
            .changes = deployment->report.changes,
            .result = has_failed ? "failed" : "succeeded",
            .packs = policy_packs(&deployment->gen),
        },
    };
    report_emit(&deployment->report, &event);
}

/* Also where nothing is changed: with the wrong key nothing is well (tests/commands/secrets.t). */
static bool run_check_key(struct deployment *deployment)
{
    const struct key_source *key = &deployment->options->key;
    struct error *refusal = key->verify ? key->verify(key->context) : NULL;

    if (refusal)
        course_refuse(&deployment->course, refusal);
    return !refusal;
}

/* Some step was taken. */
static bool has_counted(const struct deployment *deployment)
{
    for (int op = 0; op < STEP_OP_COUNT; op++)
        if (deployment->report.changes[op])
            return true;
    return false;
}

static void fill_result(struct deployment *deployment, struct engine_result *out)
{
    memcpy(out->changes, deployment->report.changes, sizeof(out->changes));
    /* What others manage was only read, or is no longer: scenario plan/plan-expect-no-changes-read.
     */
    for (enum step_op op = 0; op < STEP_OP_COUNT; op++)
        if (op != OP_SAME && !step_op_has(op, TRAIT_READS) && deployment->report.changes[op])
            out->has_changes = true;
}

static fallible finish_run(struct deployment *deployment, struct error *failure)
{
    if (failure)
        course_fail(&deployment->course, STR(""), failure);
    return deployment_finish_stack(deployment, deployment_has_failed(deployment)
                                                   || deployment->course.is_canceled);
}

fallible engine_run(const struct engine_options *options, struct arena *arena,
                    struct engine_result *out)
{
    struct engine_options narrowed = *options; /* by what --exclude-protected leaves out */
    struct witness witness = { .sink = options->sink, .sink_context = options->sink_context };
    struct deployment deployment;
    int64_t started = clock_monotonic();

    narrowed.sink = witness_event;
    narrowed.sink_context = &witness;
    deployment_init(&deployment, &narrowed, arena);
    *out = (struct engine_result){ .snapshot = *options->state.snapshot };
    TRY(precheck(&deployment));
    if (precheck_leaves_nothing(&narrowed, arena))
        return NULL;
    struct error *failure = open_all(&deployment);
    bool is_open = !failure;
    if (!is_open) {
        course_refuse(&deployment.course, failure);
        failure = NULL;
    } else {
        older_packages_warn(&deployment);
        emit_prelude(&deployment);
        failure = run_operation(&deployment);
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
    bool has_key = deployment_has_failed(&deployment) || run_check_key(&deployment);
    report_outcome(&deployment, &witness);
    bool has_failed = deployment_has_failed(&deployment) || deployment.course.is_canceled;
    fill_result(&deployment, out);
    if (is_open && has_key && !(deployment.course.refusal && !has_counted(&deployment)))
        emit_summary(&deployment, started, has_failed);
    if (deployment.recorder.replay)
        failure = recorder_snapshot(&deployment.recorder, &out->snapshot);
    else
        failure = NULL;
    if (!failure && deployment.gen.new_plan && !has_failed)
        failure = update_plan_write(deployment.gen.new_plan, options->update_plan.config_json,
                                    options->state.crypter, arena, &out->plan);
    close_deployment(&deployment, has_failed);
    report_emit(&deployment.report, &(struct event){ .kind = EVENT_CANCEL });
    failure = error_join(deployment.course.refusal, failure);
    if (failure)
        return failure;
    return has_failed ? error_reported("%s failed", options->preview ? "preview" : "update") : NULL;
}
