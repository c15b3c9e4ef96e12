/* cmd_policy_analyze.c — `policy analyze`: policy packs over a state as it is, without
 * program and providers. */
#include "cli/open.h"
#include "cli/package/plugin_open.h"
#include "cli/screen/input.h"
#include "cli/stack/stack_secrets.h"

#include "base/map.h"
#include "display/display.h"
#include "model/checkpoint.h"
#include "model/resource_links.h"
#include "model/urn.h"
#include "plugin/analyzer.h"

#include <stdio.h>

struct analyze_args {
    str stack;
    str file;
    struct strs packs, configs;
    bool diff, json;
};

static const struct option options[] = {
    TEXT(struct analyze_args, stack, 's', "stack",
         "The stack to look at; the selected one by default"),
    TEXT(struct analyze_args, file, 0, "file",
         "Look at this file of `stack export` instead; no project is needed"),
    LIST(struct analyze_args, packs, 0, "policy-pack",
         "Run this policy pack: a folder or a program"),
    LIST(struct analyze_args, configs, 0, "policy-pack-config",
         "The configuration of the policy pack at the same place"),
    FLAG(struct analyze_args, diff, 0, "diff", "Show a line for each violation"),
    FLAG(struct analyze_args, json, 'j', "json", "Print events as JSON"),
    { 0 },
};

struct analysis {
    struct cli *cli;
    const struct analyze_args *args;
    struct snapshot snapshot;
    struct map by_urn; /* URN → resource */
    struct project_facts project;
    struct config_facts config; /* none: no program runs */
    struct plugin_host *host;
    struct analyzer **analyzers;
    struct display *display;
    bool is_violated; /* by something mandatory */
};

/* --- the state --- */

static void analyze_redact_value(struct value value)
{
    for (size_t i = 0; value.kind == VALUE_ARRAY && i < value.len; i++)
        analyze_redact_value(value.items[i]);
    for (size_t i = 0; value.kind == VALUE_OBJECT && i < value.len; i++)
        analyze_redact_value(value.members[i].value);
    if (value.kind != VALUE_SECRET || !value.secret->is_opaque)
        return;
    value.secret->element = value_string(STR("[secret]"));
    value.secret->is_opaque = false;
}

/* Where the secrets of a file cannot be opened, policies see that there is a secret. */
static void analyze_redact(struct analysis *analysis, struct error *owned)
{
    for (size_t i = 0; i < analysis->snapshot.resource_count; i++) {
        const struct value *value;
        for (size_t at = 0;
             (value = resource_next_value(analysis->snapshot.resources[i], &at)) != NULL;)
            analyze_redact_value(*value);
    }
    cli_report(analysis->cli, "warning",
               arena_printf(analysis->cli->arena,
                            "could not decrypt secrets in " STR_FMT
                            "; analyzing with secret values redacted",
                            STR_ARG(analysis->args->file)));
    error_ignore(owned, "policies can do without");
}

static fallible analyze_load_file(struct analysis *analysis)
{
    struct cli *cli = analysis->cli;
    str file = analysis->args->file, text;
    struct strs unknown = { 0 };
    bool has_deployment = false;
    int version = 0;

    TRY(error_wrap(input_read(cli->arena, file, INPUT_STATE_LIMIT, &text), "could not open file"));
    TRY(error_wrap(
        deployment_read(cli->arena, text, &analysis->snapshot, &has_deployment, &version, &unknown),
        "reading deployment from " STR_FMT, STR_ARG(file)));
    for (size_t i = 0; i < analysis->snapshot.resource_count; i++) {
        str urn = analysis->snapshot.resources[i]->urn;
        struct urn parts;
        struct error *failure = urn_parse(urn, &parts);
        if (!failure)
            continue;
        error_free(failure);
        return error_new(ERROR_INVALID,
                         "state file " STR_FMT " contains a resource with an invalid URN \"" STR_FMT
                         "\"",
                         STR_ARG(file), STR_ARG(urn));
    }
    return NULL;
}

/* What a stack is needed for is opened here: with --file there is none. */
static fallible analyze_load_stack(struct analysis *analysis)
{
    struct cli *cli = analysis->cli;
    bool has_deployment;

    TRY(cli_open_stack(cli, analysis->args->stack));
    return backend_load(cli->backend, cli->stack, cli->arena, &analysis->snapshot, &has_deployment);
}

static fallible analyze_load(struct analysis *analysis)
{
    struct cli *cli = analysis->cli;
    struct secrets *secrets = NULL;

    TRY(analysis->args->file.len ? analyze_load_file(analysis) : analyze_load_stack(analysis));
    if (snapshot_has_secrets(&analysis->snapshot)) {
        struct error *failure = cli_state_secrets(cli, &analysis->snapshot, &secrets);
        if (!failure)
            failure = snapshot_unseal(&analysis->snapshot, secrets_crypter(secrets), cli->arena);
        if (failure && !analysis->args->file.len)
            return failure;
        if (failure)
            analyze_redact(analysis, failure);
    }
    for (size_t i = 0; i < analysis->snapshot.resource_count; i++) {
        struct resource *resource = analysis->snapshot.resources[i];
        if (!resource->is_delete)
            map_put(&analysis->by_urn, resource->urn, resource);
    }
    return NULL;
}

/* --- what is shown --- */

static fallible analyze_open_display(struct analysis *analysis)
{
    const struct analyze_args *args = analysis->args;
    const struct display_options shown = {
        .view = args->json   ? VIEW_JSON_EVENTS
                : args->diff ? VIEW_DIFF
                             : VIEW_PROGRESS,
        .color = analysis->cli->terminal.color,
        .is_terminal = analysis->cli->terminal.is_terminal,
        .stack = analysis->project.stack,
        .stack_name = analysis->project.stack,
        .project = analysis->project.name,
        .label = "Analyzing",
        .skips_headline = true,
        .skips_summary = true,
        .shows_policy_remediations = true,
        .suppresses_progress = true,
    };

    return display_open(&shown, &analysis->display);
}

static void analyze_show_violation(struct analysis *analysis, str urn,
                                   const struct policy_violation *violation)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool is_mandatory =
        violation->level == POLICY_MANDATORY || violation->level == POLICY_REMEDIATE;
    int severity = violation->severity;
    const struct event event = {
        .kind = EVENT_POLICY,
        .policy = {
            .urn = urn,
            .message = arena_concat(
                &scratch, violation->message.len ? violation->message : violation->description,
                STR("\n")),
            .policy = violation->policy,
            .pack = violation->pack,
            .pack_version = violation->pack_version,
            .level = policy_level_names[is_mandatory ? POLICY_MANDATORY : violation->level],
            .severity = severity > 0 && severity <= 4 ? policy_severity_names[severity] : "",
        },
    };

    analysis->is_violated |= is_mandatory;
    display_event(analysis->display, &event);
}

/* What the pack would change; nothing is. */
static void analyze_show_remediation(struct analysis *analysis, const struct analyzed *analyzed,
                                     const struct remediation *remediation)
{
    const struct event event = {
        .kind = EVENT_POLICY_REMEDIATION,
        .policy = {
            .urn = analyzed->resource->urn,
            .policy = remediation->policy,
            .pack = remediation->pack,
            .pack_version = remediation->pack_version,
            .level = policy_level_names[POLICY_REMEDIATE],
            .severity = "",
            .before = analyzed->properties,
            .after = remediation->properties,
        },
    };

    display_event(analysis->display, &event);
}

static void analyze_show_end(struct analysis *analysis, struct error *failure)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    static const int64_t no_changes[STEP_OP_COUNT];
    size_t count = analysis->args->packs.len;
    struct pair *packs = ARENA_ARRAY(&scratch, struct pair, count + 1);

    for (size_t i = 0; i < count; i++)
        packs[i] = (struct pair){ analyzer_name(analysis->analyzers[i]),
                                  analyzer_version(analysis->analyzers[i]) };
    if (analysis->args->diff)
        return; /* its lines have said everything */
    display_event(
        analysis->display,
        &(struct event){ .kind = EVENT_SUMMARY,
                         .summary = {
                             .changes = no_changes,
                             .result = failure || analysis->is_violated ? "failed" : "succeeded",
                             .packs = { packs, count },
                         } });
    if (!analysis->args->json)
        display_event(analysis->display, &(struct event){ .kind = EVENT_CANCEL });
}

/* --- the packs --- */

static fallible analyze_load_packs(struct analysis *analysis)
{
    struct cli *cli = analysis->cli;
    const struct run_info run = { .project = &analysis->project, .config = &analysis->config };
    struct strs packs = analysis->args->packs, configs = analysis->args->configs;

    analysis->analyzers = ARENA_ARRAY(cli->arena, struct analyzer *, packs.len);
    for (size_t i = 0; i < packs.len; i++) {
        struct analyzer_spec spec = { .path = packs.items[i] };
        if (configs.len)
            TRY(error_wrap(
                input_read(cli->arena, configs.items[i], INPUT_STATE_LIMIT, &spec.config),
                "reading the configuration of policy pack '" STR_FMT "'", STR_ARG(packs.items[i])));
        TRY(error_wrap(plugin_load_analyzer(analysis->host, &spec, &run, &analysis->analyzers[i]),
                       "loading policy packs"));
    }
    return NULL;
}

static struct analyzed analyze_describe(const struct analysis *analysis,
                                        const struct resource *resource, struct value properties)
{
    str provider = resource_provider_urn(resource);

    return (struct analyzed){ .resource = resource,
                              .properties = properties,
                              .provider =
                                  provider.len ? map_find(&analysis->by_urn, provider) : NULL };
}

static fallible analyze_resource(struct analysis *analysis, struct analyzer *analyzer,
                                 const struct resource *resource)
{
    struct arena *arena = analysis->cli->arena;
    struct analyzed analyzed = analyze_describe(analysis, resource, resource->inputs);
    struct remediations remediations;
    struct policy_violations violations;

    TRY(analyzer_remediate(analyzer, &analyzed, arena, &remediations));
    for (size_t i = 0; i < remediations.len; i++)
        if (remediations.items[i].has_properties)
            analyze_show_remediation(analysis, &analyzed, &remediations.items[i]);
    TRY(analyzer_analyze(analyzer, &analyzed, arena, &violations));
    for (size_t i = 0; i < violations.len; i++)
        analyze_show_violation(analysis, resource->urn, &violations.items[i]);
    return NULL;
}

static fallible analyze_whole(struct analysis *analysis, struct analyzer *analyzer)
{
    const struct snapshot *snapshot = &analysis->snapshot;
    struct arena *arena = analysis->cli->arena;
    struct analyzed *all = ARENA_ARRAY(arena, struct analyzed, snapshot->resource_count + 1);
    struct policy_violations violations;
    size_t count = 0;

    for (size_t i = 0; i < snapshot->resource_count; i++)
        if (!snapshot->resources[i]->is_delete)
            all[count++] =
                analyze_describe(analysis, snapshot->resources[i], snapshot->resources[i]->outputs);
    TRY(analyzer_analyze_stack(analyzer, all, count, arena, &violations));
    for (size_t i = 0; i < violations.len; i++) {
        str urn = violations.items[i].urn;
        if (!map_has(&analysis->by_urn, urn))
            urn = snapshot->resources[0]->urn;
        analyze_show_violation(analysis, urn, &violations.items[i]);
    }
    return NULL;
}

static fallible analyze_all(struct analysis *analysis)
{
    const struct snapshot *snapshot = &analysis->snapshot;

    for (size_t i = 0; i < snapshot->resource_count; i++)
        for (size_t j = 0; !snapshot->resources[i]->is_delete && j < analysis->args->packs.len; j++)
            TRY(analyze_resource(analysis, analysis->analyzers[j], snapshot->resources[i]));
    for (size_t j = 0; j < analysis->args->packs.len; j++)
        TRY(analyze_whole(analysis, analysis->analyzers[j]));
    return NULL;
}

static fallible analyze_with_packs(struct analysis *analysis)
{
    TRY(analyze_load_packs(analysis));
    TRY(analyze_open_display(analysis));
    struct error *failure = error_wrap(analyze_all(analysis), "running policy analysis");
    analyze_show_end(analysis, failure);
    return error_join(failure, display_close(analysis->display));
}

static fallible analyze_check_args(const struct analyze_args *args)
{
    if (!args->packs.len)
        return error_new(ERROR_INVALID, "at least one --policy-pack path must be specified");
    if (args->configs.len && args->configs.len != args->packs.len)
        return error_new(ERROR_INVALID, "the number of --policy-pack-config paths must match the "
                                        "number of --policy-pack paths");
    return NULL;
}

static fallible analyze_run(struct analysis *analysis)
{
    struct cli *cli = analysis->cli;
    str here;

    TRY(analyze_load(analysis));
    if (!analysis->snapshot.resource_count) {
        fprintf(stderr, "%s " STR_FMT " has no resources; nothing to analyze.\n",
                analysis->args->file.len ? "File" : "Stack",
                STR_ARG(analysis->args->file.len ? analysis->args->file : cli->stack.name));
        return NULL;
    }
    analysis->project.name = urn_project_of(analysis->snapshot.resources[0]->urn);
    analysis->project.stack = urn_stack_of(analysis->snapshot.resources[0]->urn);
    analysis->project.organization = STR("organization");
    TRY(cli_current_directory(cli, &here));
    TRY(cli_open_plugins(cli, here, &analysis->host));
    struct error *failure = analyze_with_packs(analysis);
    plugin_host_close(analysis->host);
    if (!failure && analysis->is_violated)
        failure = error_new(ERROR_OTHER, "one or more mandatory policy violations were found");
    return failure;
}

static struct error *cmd_policy_analyze_run(struct cli *cli, const void *args)
{
    struct analysis analysis = { .cli = cli, .args = args };

    TRY(analyze_check_args(args));
    struct error *failure = analyze_run(&analysis);
    map_release(&analysis.by_urn);
    return failure;
}

const struct command cmd_policy_analyze = {
    .path = "policy analyze",
    .summary = "Check the state of a stack by policy packs",
    .details = "No program runs and no provider is asked. What a policy would remediate is shown\n"
               "and not done. Fails if something mandatory is violated.",
    .example = "policy analyze --policy-pack ./rules\n"
               "policy analyze --policy-pack ./rules --file state.json --json",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct analyze_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("json diff", "file stack"),
    .run = cmd_policy_analyze_run,
};
