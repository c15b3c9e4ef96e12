/* run.c — runs a program against the engine: the stack first, then everything in it, then its
 * outputs. */
#include "yaml/serve/run.h"

#include "base/strbuf.h"
#include "fiber/fiber.h"
#include "model/urn.h"
#include "proto/message.h"
#include "yaml/check/check.h"
#include "yaml/eval/wire.h"

#include "pb/resource.pb-c.h"

/* --- the stack --- */

static fallible register_stack(struct run *run, str *urn)
{
    Pb__RegisterResourceRequest request = PB__REGISTER_RESOURCE_REQUEST__INIT;
    Pb__RegisterResourceResponse *answer = NULL;
    const struct run_settings *settings = &run->settings;

    request.type = message_cstr(run->arena, ROOT_STACK_TYPE);
    request.name = message_cstr(
        run->arena, arena_concat(run->arena, settings->project, STR("-"), settings->stack));
    message_put_bytes(&request, object, STR(""));
    request.accept_secrets = true;
    request.accept_resources = true;
    request.supports_partial_values = true;
    request.supports_result_reporting = true;
    request.alias_specs = true;
    TRY(run->engine.call(run->engine.context, MONITOR_METHOD("RegisterResource"), &request.base,
                         &pb__register_resource_response__descriptor, run->arena,
                         (void **)&answer));
    *urn = message_str(answer->urn);
    return NULL;
}

/* In an update only what comes from a resource that failed or was skipped is unknown. Such an
 * output has no value. */
static struct value known_outputs(struct arena *arena, struct value outputs)
{
    struct member *members = ARENA_ARRAY(arena, struct member, outputs.len + 1);
    size_t len = 0;

    for (uint32_t i = 0; i < outputs.len; i++)
        if (!value_contains_unknown(outputs.members[i].value))
            members[len++] = outputs.members[i];
    return value_object(arena, members, len);
}

static fallible run_register_outputs(struct run *run, str urn, struct value outputs)
{
    Pb__RegisterResourceOutputsRequest request = PB__REGISTER_RESOURCE_OUTPUTS_REQUEST__INIT;
    void *answer;
    str bytes;

    if (!run->settings.is_preview)
        outputs = known_outputs(run->arena, outputs);
    TRY(engine_marshal(&run->engine, run->arena, output_prune(run->arena, outputs), ENGINE_VALUES,
                       &bytes));
    request.urn = message_cstr(run->arena, urn);
    message_put_bytes(&request, outputs, bytes);
    return run->engine.call(run->engine.context, MONITOR_METHOD("RegisterResourceOutputs"),
                            &request.base, &pb__empty__descriptor, run->arena, &answer);
}

/* --- packages --- */

static fallible register_package(struct engine_link *engine, struct packages *packages,
                                 struct package_decl *package)
{
    struct arena *arena = packages->arena;
    Pb__RegisterPackageRequest request = PB__REGISTER_PACKAGE_REQUEST__INIT;
    Pb__RegisterPackageResponse *answer = NULL;

    request.name = message_cstr(arena, package->name);
    request.version = message_cstr(arena, package->version);
    request.download_url = message_cstr(arena, package->download_url);
    request.parameterization = parameter_message(arena, &package->parameterization);
    request.extension = parameter_message(arena, &package->extension);
    TRY(error_wrap(engine->call(engine->context, MONITOR_METHOD("RegisterPackage"), &request.base,
                                &pb__register_package_response__descriptor, arena,
                                (void **)&answer),
                   "registering package " STR_FMT, STR_ARG(package->name)));
    package->ref = message_str(answer->ref);
    return NULL;
}

fallible run_register_packages(struct engine_link *engine, struct packages *packages)
{
    for (size_t i = 0; i < packages->len; i++)
        TRY(register_package(engine, packages, &packages->items[i]));
    return NULL;
}

/* --- running --- */

/* As several failures of a program are shown by the SDKs. */
static str as_list(struct arena *arena, str text)
{
    return arena_concat(arena, STR("1 error occurred:\n\t* "), text, STR("\n\n"));
}

static void add_complaints(struct run *run, const struct diags *diags, struct run_result *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_add(&text, out->complaints);
    for (size_t i = 0; i < diags->len; i++)
        if (!diags->items[i].is_shown)
            diag_write(&text, &diags->items[i], true);
    out->complaints = arena_copy(run->arena, strbuf_str(&text));
}

/* The part of the work that recurses as deeply as the program is nested. */
struct preparation {
    struct run *run;
    struct graph *graph;
    struct diags *diags;
    struct diags *missing;
};

static void run_build_graph(void *preparation_)
{
    struct preparation *preparation = preparation_;

    graph_set_default_providers(preparation->graph, preparation->diags);
    if (preparation->diags->errors == 0)
        graph_build(preparation->graph, preparation->run->config, preparation->run->config_len,
                    preparation->diags, preparation->missing);
}

/* Where the outputs of the program go. */
struct destination {
    struct run *run;
    str stack;
};

static fallible take_outputs(void *destination_, struct value outputs)
{
    struct destination *destination = destination_;
    return run_register_outputs(destination->run, destination->stack, outputs);
}

static fallible run_evaluate(struct run *run, struct graph *graph, struct schemas *schemas,
                             str stack, struct run_result *out)
{
    struct destination destination = { run, stack };
    struct diags diags = { .arena = run->arena };
    struct evaluator evaluator = {
        .arena = run->arena,
        .settings = &run->settings,
        .engine = run->engine,
        .graph = graph,
        .schemas = schemas,
        .packages = &run->loaded->packages,
        .diags = &diags,
        .parent = stack,
        .take_outputs = take_outputs,
        .context = &destination,
    };
    struct value outputs = VALUE_EMPTY_OBJECT;

    struct error *failure = evaluator_run(&evaluator, &outputs);
    out->has_failed = diags.errors > 0;
    evaluator_release(&evaluator);
    diags_release(&diags);
    return failure;
}

/* A name that means nothing is reported like an error of the evaluation. */
static void report_missing(struct run *run, const struct diags *missing, struct run_result *out)
{
    struct diags complaints = { .arena = run->arena };
    struct evaluator evaluator = { .arena = run->arena,
                                   .engine = run->engine,
                                   .diags = &complaints };
    struct task task = { .evaluator = &evaluator };

    for (size_t i = 0; i < missing->len; i++)
        task_fail_detail(&task, missing->items[i].range, missing->items[i].summary,
                         missing->items[i].detail);
    out->has_failed = true;
    diags_release(&complaints);
}

static fallible run_checked(struct run *run, struct graph *graph, struct schemas *schemas,
                            str stack, struct run_result *out)
{
    struct diags diags = { .arena = run->arena };

    check_program(run->arena, graph, schemas, &diags);
    add_complaints(run, &diags, out);
    bool is_good = diags.errors == 0;
    diags_release(&diags);
    if (!is_good) {
        out->has_failed = true;
        return run_register_outputs(run, stack, VALUE_EMPTY_OBJECT);
    }
    struct error *failure = run_register_packages(&run->engine, &run->loaded->packages);
    if (failure)
        return error_join(failure, run_register_outputs(run, stack, VALUE_EMPTY_OBJECT));
    return run_evaluate(run, graph, schemas, stack, out);
}

static fallible run_graph(struct run *run, str stack, struct run_result *out)
{
    struct graph graph;
    struct schemas schemas;
    struct diags diags = { .arena = run->arena }, missing = { .arena = run->arena };
    struct preparation preparation = { run, &graph, &diags, &missing };
    struct error *failure;

    graph_init(&graph, run->arena, run->loaded->program, run->settings.project);
    schemas_init(&schemas, run->arena, run->loader, &run->loaded->packages);
    fiber_on_main_stack(run_build_graph, &preparation);
    if (diags.errors)
        out->error = as_list(run->arena, diags_text(run->arena, &diags));
    else if (missing.errors)
        report_missing(run, &missing, out);
    if (diags.errors || missing.errors)
        failure = run_register_outputs(run, stack, VALUE_EMPTY_OBJECT);
    else
        failure = run_checked(run, &graph, &schemas, stack, out);
    schemas_release(&schemas);
    graph_release(&graph);
    diags_release(&diags);
    diags_release(&missing);
    return failure;
}

/* However the program ends, the engine learns that the stack has no more outputs to come. */
static fallible run_stack(struct run *run, str stack, struct run_result *out)
{
    if (run->loaded->program->component_count)
        out->error =
            as_list(run->arena, STR("components are only supported in plugins, not in programs"));
    else if (run->loaded->program->namespace)
        out->error = as_list(run->arena, STR("namespace is only supported in component plugins"));
    if (out->error.len)
        return run_register_outputs(run, stack, VALUE_EMPTY_OBJECT);
    return run_graph(run, stack, out);
}

fallible run_program(struct run *run, struct run_result *out)
{
    str stack;

    *out = (struct run_result){ .complaints = STR("") };
    add_complaints(run, &run->loaded->diags, out);
    if (run->loaded->diags.errors) {
        out->error = STR("failed to load template");
        return NULL;
    }
    TRY(register_stack(run, &stack));
    struct error *failure = run_stack(run, stack, out);
    if (!failure || error_kind(failure) == ERROR_CANCELED)
        return failure;
    if (!out->has_failed && out->error.len == 0)
        out->error = as_list(run->arena, arena_copy(run->arena, error_message(failure)));
    error_ignore(failure, "reported to the engine as the result of the program");
    return NULL;
}
