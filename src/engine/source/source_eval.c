/* source_eval.c — runs the program in its language host; what it registers comes in through the
 * monitor. */
#include "engine/source/source.h"

#include "engine/deployment.h"
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

/* The end of the program is the end of registrations, unless it said so itself before: then what it
 * died of counts when everything else is done (scenario program-fails-late). */
static void run_program(void *deployment_)
{
    struct deployment *deployment = deployment_;
    const struct engine_options *options = deployment->options;
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct run_answer answer = { 0 };
    const struct program_info program = {
        .root_directory = options->root_directory,
        .program_directory = options->program_directory,
        .entry_point = options->entry_point,
        .options = options->runtime_options,
    };
    const struct run_request request = {
        .run = monitor_run_info(deployment->monitor),
        .program = &program,
        .loader_address = services_address(deployment->shared),
        .mapper_address = services_address(deployment->shared),
    };

    struct error *failure =
        program_failure(language_run(deployment->language, &request, &scratch, &answer), &answer);
    if (deployment->has_stopped)
        error_ignore(failure, "the run is over: what its end says no longer counts");
    else if (deployment->stopped.is_open)
        deployment->program_failure = failure;
    else if (failure)
        deployment_fail(deployment, STR(""), failure);
    latch_open(&deployment->stopped);
    latch_open(&deployment->program_ended);
}

struct error *source_find_packages(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;
    const struct program_info program = {
        .root_directory = options->root_directory,
        .program_directory = options->program_directory,
        .entry_point = options->entry_point,
        .options = options->runtime_options,
    };

    TRY(plugin_load_language(deployment->host, options->runtime, &deployment->language));
    deployment->packages = ARENA_NEW(deployment->arena, struct package_dependencies);
    return error_wrap(language_required_packages(deployment->language, &program, deployment->arena,
                                                 deployment->packages),
                      "failed to discover package requirements");
}

static fallible start(struct deployment *deployment)
{
    TRY(source_find_packages(deployment));
    deployment_preinstall(deployment);
    if (deployment->has_stopped)
        return NULL;
    TRY(monitor_open(deployment, &deployment->monitor));
    fiber_spawn_in(deployment->scope, run_program, deployment);
    return NULL;
}

const struct source source_eval = { start };

const struct source *source_for(const struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;

    if (options->kind == OPERATION_UPDATE || options->run_program)
        return &source_eval;
    return options->kind == OPERATION_DESTROY ? &source_none : &source_error;
}
