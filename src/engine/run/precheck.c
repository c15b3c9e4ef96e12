/* precheck.c — what is refused, or found to be nothing to do, before an operation begins: then only
 * the last event is emitted, or none. */
#include "engine/deploy/deployment_parts.h"
#include "engine/run/run_parts.h"
#include "model/urn.h"

/* Targets and excludes of a refresh or a destroy must be in the state: scenario
 * target/exclude-unknown. */
static fallible check_named(const struct snapshot *snapshot, struct strs named)
{
    for (size_t i = 0; i < named.len; i++) {
        str urn = named.items[i];
        bool is_known = str_find_char(urn, '*') != SIZE_MAX;
        for (size_t j = 0; j < snapshot->resource_count && !is_known; j++)
            is_known = str_equal(snapshot->resources[j]->urn, urn);
        if (!is_known)
            return error_new(ERROR_NOT_FOUND, "no resource named '" STR_FMT "' found",
                             STR_ARG(urn));
    }
    return NULL;
}

static fallible precheck_types(const struct engine_options *options)
{
    for (size_t i = 0; i < options->imports.len; i++)
        if (!type_token_is_valid(options->imports.items[i].type))
            return error_new(ERROR_INVALID,
                             "import type '" STR_FMT
                             "' is not a resource type: such a token reads PACKAGE:MODULE:TYPE",
                             STR_ARG(options->imports.items[i].type));
    return NULL;
}

static void list_names(struct strbuf *out, struct strs names)
{
    for (size_t i = 0; i < names.len; i++) {
        strbuf_add(out, out->len ? STR(", ") : STR(""));
        strbuf_add(out, names.items[i]);
    }
}

/* Delete hooks live in the program: without it nothing may be deleted that has some. */
static fallible check_hooks(struct deployment *deployment)
{
    const struct snapshot *snapshot = deployment->options->state.snapshot;
    bool has_hooks = false;

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        CLEANUP(strbuf_release) struct strbuf names = { 0 };
        list_names(&names, resource->options.hooks[HOOK_BEFORE_DELETE]);
        list_names(&names, resource->options.hooks[HOOK_AFTER_DELETE]);
        if (names.len == 0)
            continue;
        has_hooks = true;
        report_diagnose(
            &deployment->report, SEVERITY_ERROR, resource->urn,
            "Resource has delete hooks registered, but the program is not running. Hooks: " STR_FMT,
            STR_ARG(strbuf_str(&names)));
    }
    if (!has_hooks)
        return NULL;
    return error_new(
        ERROR_OTHER,
        "You must run with the `--run-program` flag to use delete hooks during destroy.");
}

static fallible precheck_options(struct deployment *deployment)
{
    const struct engine_options *options = deployment->options;

    TRY(precheck_types(options));
    if (!operation_has(options, RULE_NAMES_STATE))
        return NULL;
    TRY(check_named(options->state.snapshot, options->plan.targets));
    TRY(check_named(options->state.snapshot, options->plan.excludes));
    if (operation_has(options, RULE_LACKS_HOOKS))
        return check_hooks(deployment);
    return NULL;
}

fallible precheck(struct deployment *deployment)
{
    struct error *failure = precheck_options(deployment);

    if (failure)
        report_emit(&deployment->report, &(struct event){ .kind = EVENT_CANCEL });
    return failure;
}

/* Protected resources and all they depend on. */
static struct strs protected_closure(struct arena *arena, const struct snapshot *snapshot)
{
    struct graph *graph = graph_new(arena, snapshot->resources, snapshot->resource_count);
    CLEANUP(map_release) struct map kept = { 0 };
    str *urns = ARENA_ARRAY(arena, str, snapshot->resource_count + 1);
    size_t len = 0;

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        struct resource *resource = snapshot->resources[i];
        if (!resource->options.protect)
            continue;
        map_put(&kept, resource->urn, resource);
        struct resources found = graph_transitive_dependencies(graph, arena, resource);
        for (size_t j = 0; j < found.len; j++)
            map_put(&kept, found.items[j]->urn, found.items[j]);
    }
    for (size_t i = 0; i < snapshot->resource_count; i++)
        if (map_has(&kept, snapshot->resources[i]->urn))
            urns[len++] = snapshot->resources[i]->urn;
    return (struct strs){ urns, len };
}

bool precheck_leaves_nothing(struct engine_options *options, struct arena *arena)
{
    if (!options->plan.exclude_protected)
        return false;
    struct strs kept = protected_closure(arena, options->state.snapshot);
    options->plan.excludes = strs_union(arena, options->plan.excludes, kept);
    return kept.len > 0 && kept.len == options->state.snapshot->resource_count;
}
