/* cmd_destroy.c — `destroy`: deletes the resources of a stack. */
#include "cli/operate/operation.h"

#include "base/exit_codes.h"
#include "base/map.h"
#include "base/program.h"
#include "cli/open.h"
#include "cli/stack/stack_remove.h"
#include "model/graph.h"

#include <stdio.h>

static const struct option options[] = {
    LIST(struct operation_args, excludes, 'x', "exclude",
         "Leave out this resource: a URN, with * and ** as wildcards"),
    FLAG(struct operation_args, skip_preview, 'f', "skip-preview", "Do not preview first"),
    FLAG(struct operation_args, preview_only, 0, "preview-only", "Only preview"),
    TEXT_OR(struct operation_args, refresh, 'r', "refresh", "true",
            "Read the state of all resources first"),
    FLAG(struct operation_args, exclude_protected, 0, "exclude-protected",
         "Leave protected resources alone"),
    FLAG(struct operation_args, ignore_protect, 0, "ignore-protect",
         "Delete protected resources, too"),
    FLAG(struct operation_args, continue_on_error, 0, "continue-on-error",
         "Go on with other resources after a failure"),
    FLAG(struct operation_args, remove, 0, "remove",
         "Remove the stack and its configuration afterwards"),
    FLAG(struct operation_args, show_full_output, 0, "show-full-output", "Do not shorten outputs"),
    { 0 },
};

/* Protected resources, and what they cannot do without. */
static fallible count_protected(struct cli *cli, size_t *count, size_t *all)
{
    struct snapshot snapshot;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    struct graph *graph = graph_new(cli->arena, snapshot.resources, snapshot.resource_count);
    CLEANUP(map_release) struct map kept = { 0 };
    for (size_t i = 0; i < snapshot.resource_count; i++) {
        struct resource *resource = snapshot.resources[i];
        if (!resource->options.protect)
            continue;
        struct resources needed = graph_transitive_dependencies(graph, cli->arena, resource);
        map_put(&kept, resource->urn, resource);
        for (size_t j = 0; j < needed.len; j++)
            map_put(&kept, needed.items[j]->urn, needed.items[j]);
    }
    *count = kept.len;
    *all = snapshot.resource_count;
    return NULL;
}

static fallible conclude(struct cli *cli, const struct operation_args *args, size_t protected_count)
{
    bool is_machine_read = args->json || args->output.len;

    if (protected_count && !is_machine_read) {
        printf("All unprotected resources were destroyed. There are still %zu protected resources "
               "associated with this "
               "stack.\n",
               protected_count);
        return NULL;
    }
    /* With --exclude something may be left: then the stack is not removed, and the command says so.
     * Scenario destroy/destroy-remove-exclude. */
    if (args->targets.len || (args->excludes.len && !args->remove))
        return NULL;
    if (args->remove) {
        TRY(stack_remove(cli, false, false, false));
        if (!is_machine_read)
            puts("The resources in the stack have been deleted, and the history and configuration "
                 "removed.");
        return NULL;
    }
    if (!is_machine_read)
        printf("The resources in the stack have been deleted, but the history and configuration "
               "associated with the "
               "stack are still maintained. \nIf you want to remove the stack completely, run "
               "`%s stack rm " STR_FMT "`.\n",
               program_name(), STR_ARG(cli_stack_name(cli, cli->stack)));
    return NULL;
}

static struct error *cmd_destroy_check(const struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;

    TRY(remote_check(cli, &args->remote));
    TRY(remote_check_operands(cli, &args->remote));
    if (args->remote.is_remote)
        return NULL;
    TRY(operation_check_approval(cli, args, EXIT_CONFIGURATION));
    if (args->targets.len && args->exclude_protected)
        return error_new(ERROR_INVALID, "you cannot specify --target and --exclude-protected");
    return NULL;
}

static struct error *cmd_destroy_run(struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;
    const struct operation_plan plan = {
        .kind = OPERATION_DESTROY,
        .only_previews = args->preview_only,
    };
    struct operation_outcome outcome;
    size_t protected_count = 0, all = 0;

    if (args->remote.is_remote)
        return remote_run(cli, &args->remote, "destroy");
    if (args->exclude_protected)
        TRY(count_protected(cli, &protected_count, &all));
    if (protected_count && protected_count == all) {
        printf("There were no unprotected resources to destroy. There are still %zu protected "
               "resources associated with "
               "this stack.\n",
               protected_count);
        return NULL;
    }
    TRY(operation_run(cli, args, &plan, &outcome));
    return args->preview_only ? NULL : conclude(cli, args, protected_count);
}

const struct command cmd_destroy = {
    .path = "destroy",
    .meant_by = "delete kill remove rm stop",
    .aliases = "down dn",
    .operands = "[URL]",
    .summary = "Delete all resources of a stack",
    .example = "destroy\n"
               "destroy --stack dev --yes --remove",
    .needs = NEEDS_STACK | MAKES_NO_STACK | IS_OPERATION,
    .args_size = sizeof(struct operation_args),
    .options =
        OPTIONS(operation_options, deployment_options, approval_options, remote_options, options),
    .exclusive = OPERATION_EXCLUSIVE,
    .check = cmd_destroy_check,
    .run = cmd_destroy_run,
};
