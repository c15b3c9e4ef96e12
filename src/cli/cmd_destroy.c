/* cmd_destroy.c — `destroy`: deletes the resources of a stack. */
#include "cli/operation.h"

#include "cli/open.h"
#include "cli/stack_remove.h"

#include <stdio.h>

enum { EXIT_CONFIGURATION = 2 };

static const struct option options[] = {
    LIST(struct operation_args, excludes, 'x', "exclude", "Leave out this resource: a URN, with * and ** as wildcards"),
    FLAG(struct operation_args, skip_preview, 'f', "skip-preview", "Do not preview first"),
    FLAG(struct operation_args, preview_only, 0, "preview-only", "Only preview"),
    TEXT_OR(struct operation_args, refresh, 'r', "refresh", "true", "Read the state of all resources first"),
    FLAG(struct operation_args, exclude_protected, 0, "exclude-protected", "Leave protected resources alone"),
    FLAG(struct operation_args, ignore_protect, 0, "ignore-protect", "Delete protected resources, too"),
    FLAG(struct operation_args, continue_on_error, 0, "continue-on-error",
         "Go on with other resources after a failure"),
    FLAG(struct operation_args, remove, 0, "remove", "Remove the stack and its configuration afterwards"),
    FLAG(struct operation_args, show_full_output, 0, "show-full-output", "Do not shorten outputs"),
    { 0 },
};

static size_t count_protected(const struct snapshot *snapshot)
{
    size_t count = 0;

    for (size_t i = 0; i < snapshot->resource_count; i++)
        count += snapshot->resources[i]->options.protect;
    return count;
}

static fallible conclude(struct cli *cli, const struct operation_args *args, const struct snapshot *left)
{
    str name = cli_stack_name(cli, cli->stack);
    size_t protected_count = args->exclude_protected ? count_protected(left) : 0;
    bool is_machine_read = args->json || args->output.len;

    if (protected_count && !is_machine_read) {
        printf("All unprotected resources were destroyed. There are still %zu protected resources associated with this "
               "stack.\n",
               protected_count);
        return NULL;
    }
    if (args->remove) {
        TRY(stack_remove(cli, false, false, false));
        if (!is_machine_read)
            printf("The resources in the stack have been deleted, and the history and configuration removed.\n");
        return NULL;
    }
    if (!args->targets.len && !args->excludes.len && !is_machine_read)
        printf("The resources in the stack have been deleted, but the history and configuration associated with the "
               "stack are still "
               "maintained. \nIf you want to remove the stack completely, run `pulumi stack rm " STR_FMT "`.\n",
               STR_ARG(name));
    return NULL;
}

static struct error *run(struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;
    const struct operation_plan plan = {
        .kind = OPERATION_DESTROY,
        .only_previews = args->preview_only,
        .kind_name = STR("destroy"),
        .noun = STR("destroy"),
    };
    struct operation_outcome outcome;

    TRY(operation_check_approval(cli, args, EXIT_CONFIGURATION));
    TRY(operation_run(cli, args, &plan, &outcome));
    return args->preview_only ? NULL : conclude(cli, args, &outcome.snapshot);
}

const struct command cmd_destroy = {
    .path = "destroy",
    .aliases = "down dn",
    .summary = "Delete all resources of a stack",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct operation_args),
    .options = OPTIONS(operation_options, deployment_options, approval_options, options),
    .exclusive = OPERATION_EXCLUSIVE,
    .run = run,
};
