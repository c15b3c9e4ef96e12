/* operation_evaluate.c — a preview without a display, whose exports are kept. */
#include "cli/operate/operation_evaluate.h"

#include "cli/open.h"
#include "cli/operate/operation_setup.h"
#include "model/value_ops.h"

struct evaluation {
    struct cli *cli;
    struct evaluated found;
    bool has_failed;
};

/* The program is not the user's: the lines that a host quotes from it would mean nothing, and may
 * have secrets in them. What follows from the first error is not told. */
static void evaluation_report(struct evaluation *evaluation, enum severity severity, str message)
{
    str rest;

    str_cut(message, STR("\n  on Main.yaml"), &message, &rest);
    message = str_trim(message);
    if (severity == SEVERITY_WARNING)
        cli_report(evaluation->cli, "warning", message);
    else if (severity == SEVERITY_ERROR && !evaluation->has_failed)
        cli_report(evaluation->cli, "error", message);
    else if (severity == SEVERITY_INFO || severity == SEVERITY_INFO_ERROR)
        fprintf(stderr, STR_FMT "\n", STR_ARG(message));
    evaluation->has_failed |= severity == SEVERITY_ERROR;
}

static struct value describe_read(struct arena *arena, const struct resource *resource)
{
    struct value id = value_string(resource->id);

    return value_copy(arena, value_with(arena, resource->outputs, STR("id"), id));
}

static void evaluation_hear(void *evaluation_, const struct event *event)
{
    struct evaluation *evaluation = evaluation_;
    const struct resource *resource = event->resource.step.new;

    if (event->kind == EVENT_DIAGNOSTIC && !event->diagnostic.is_ephemeral)
        evaluation_report(evaluation, event->diagnostic.severity, event->diagnostic.message);
    else if (event->kind == EVENT_RESOURCE_OUTPUTS && resource
             && str_equal(event->resource.step.type, STR("pulumi:pulumi:Stack")))
        evaluation->found.exports = value_copy(evaluation->cli->arena, resource->outputs);
    else if (event->kind == EVENT_RESOURCE_OUTPUTS && resource
             && event->resource.step.op == OP_READ)
        evaluation->found.read = describe_read(evaluation->cli->arena, resource);
}

/* Of an operation that only looks. */
static const struct operation_plan evaluation_plan = { .kind = OPERATION_UPDATE,
                                                       .only_previews = true };

fallible operation_evaluate(struct cli *cli, const struct operation_args *args,
                            struct evaluated *out)
{
    CLEANUP(operation_close)
    struct operation operation = { .cli = cli, .args = args, .plan = &evaluation_plan };
    struct evaluation evaluation = { cli, { VALUE_EMPTY_OBJECT, { 0 } }, false };
    struct snapshot nothing = { 0 };
    struct engine_options options;
    struct engine_result result;

    TRY(operation_setup(&operation));
    TRY(operation_engine_options(&operation, &options));
    operation_watch_key(&operation, &options);
    options.preview = true;
    options.state.snapshot = &nothing;
    options.state.old_crypter = options.state.crypter;
    options.sink = evaluation_hear;
    options.sink_context = &evaluation;
    options.shared = engine_shared_new();
    struct error *failure = engine_run(&options, cli->arena, &result);
    engine_shared_close(options.shared);
    *out = evaluation.found;
    return failure;
}

fallible operation_ask_provider(struct cli *cli, const struct operation_args *args,
                                const struct provider_question *question)
{
    CLEANUP(operation_close)
    struct operation operation = { .cli = cli, .args = args, .plan = &evaluation_plan };
    struct evaluation evaluation = { .cli = cli };
    struct engine_options options;

    TRY(operation_setup(&operation));
    TRY(operation_engine_options(&operation, &options));
    options.sink = evaluation_hear;
    options.sink_context = &evaluation;
    return engine_ask_provider(&options, question, cli->arena);
}
