/* source_eval.c — runs the program in its language host; what it registers comes in through the
 * monitor. */
#include "engine/run/source.h"

#include "engine/deploy/deployment_parts.h"
#include "engine/run/run_parts.h"
#include "engine/monitor/monitor.h"
#include "engine/monitor/services.h"
#include "fiber/fiber.h"
#include "plugin/language.h"

/* A host that cannot run the program fails; what a program died of comes as an answer. */
static fallible program_failure(struct error *failure, const struct run_answer *answer)
{
    if (!failure && answer->bail)
        return error_reported("run bailed");
    if (!failure && answer->error.len)
        return error_new(ERROR_OTHER, "an unhandled error occurred: " STR_FMT,
                         STR_ARG(answer->error));
    return failure;
}

/* What a program says that was not let in is no help: the reason is on our side. */
static fallible source_eval_explain(const struct deployment *deployment, struct error *failure)
{
    str trouble = monitor_trouble(deployment->program.monitor);

    if (!trouble.len)
        trouble = services_trouble(deployment->program.shared);
    if (!failure || !trouble.len)
        return failure;
    error_ignore(failure, "it follows from the trouble");
    return error_new(ERROR_OTHER,
                     "the program cannot connect to the engine: " STR_FMT
                     ". Raise the limit of open files (`ulimit -n`)",
                     STR_ARG(trouble));
}

/* The end of the program is the end of registrations, unless the program announced that earlier:
 * then its failure is reported when everything else is done (scenario
 * program/program-fails-late). */
static void source_eval_run(void *deployment_)
{
    struct deployment *deployment = deployment_;
    const struct engine_options *options = deployment->options;
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct run_answer answer = { 0 };
    const struct run_request request = {
        .run = monitor_run_info(deployment->program.monitor),
        .program = &options->project->program,
        .loader_address = services_address(deployment->program.shared),
        .mapper_address = services_address(deployment->program.shared),
    };

    struct error *failure = program_failure(
        language_run(deployment->program.language, &request, &scratch, &answer), &answer);
    failure = source_eval_explain(deployment, failure);
    if (deployment->course.has_stopped)
        error_ignore(failure, "the run is over: what its end says no longer counts");
    else if (deployment->course.stopped.is_open)
        deployment->program.failure = failure;
    else if (failure)
        course_fail(&deployment->course, STR(""), failure);
    latch_open(&deployment->course.stopped);
    latch_open(&deployment->program.ended);
}

fallible source_find_packages(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;

    TRY(error_wrap(plugin_load_language(deployment->registry.host, options->project->runtime,
                                        &deployment->program.language),
                   "failed to load language plugin " STR_FMT, STR_ARG(options->project->runtime)));
    deployment->program.packages = ARENA_NEW(deployment->arena, struct package_refs);
    return error_wrap(language_required_packages(deployment->program.language,
                                                 &options->project->program, deployment->arena,
                                                 deployment->program.packages),
                      "failed to discover package requirements");
}

static fallible source_eval_start(struct deployment *deployment)
{
    struct error *refusal = source_find_packages(deployment);
    if (refusal) {
        course_refuse(&deployment->course, refusal);
        return NULL;
    }
    preinstall_plugins(deployment);
    if (deployment->course.has_stopped)
        return NULL;
    const struct monitor setup = {
        .deployment = deployment,
        .options = deployment->options,
        .arena = deployment->arena,
        .estate = &deployment->estate,
        .registry = &deployment->registry,
        .hooks = &deployment->hooks,
        .course = &deployment->course,
        .registrations = &deployment->intake.registrations,
        .shut_down = &deployment->program.shut_down,
    };
    refusal = monitor_open(&setup, deployment->program.packages, &deployment->program.monitor);
    if (refusal) {
        course_refuse(&deployment->course, refusal);
        return NULL;
    }
    fiber_spawn_in(deployment->scope, source_eval_run, deployment);
    return NULL;
}

const struct source source_eval = { source_eval_start };

const struct source *source_for(const struct deployment *deployment)
{
    switch (operation_of(deployment->options)->source) {
    case SOURCE_PROGRAM: return &source_eval;
    case SOURCE_NOTHING: return &source_none;
    case SOURCE_LIST:
    case SOURCE_NONE: break;
    }
    return &source_error;
}
