/* cmd_refresh.c — `refresh`: makes the state what providers say exists. */
#include "cli/operate/operation.h"
#include "cli/operate/pending_creates.h"

static const struct option options[] = {
    LIST(struct operation_args, excludes, 'x', "exclude",
         "Leave out this resource: a URN, with * and ** as wildcards"),
    FLAG(struct operation_args, skip_preview, 'f', "skip-preview", "Do not preview first"),
    FLAG(struct operation_args, preview_only, 0, "preview-only", "Only preview"),
    FLAG(struct operation_args, expect_no_changes, 0, "expect-no-changes",
         "Fail if anything changes"),
    FLAG(struct operation_args, clear_pending_creates, 0, "clear-pending-creates",
         "Forget creations that were interrupted"),
    FLAG(struct operation_args, skip_pending_creates, 0, "skip-pending-creates",
         "Leave creations that were interrupted alone"),
    LIST(struct operation_args, import_pending_creates, 0, "import-pending-creates",
         "URN, then ID, of an interrupted creation that succeeded"),
    { 0 },
};

static struct error *cmd_refresh_check(const struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;

    TRY(remote_check(cli, &args->remote));
    TRY(remote_check_operands(cli, &args->remote));
    if (args->remote.is_remote)
        return NULL;
    if (args->skip_pending_creates && args->clear_pending_creates)
        return error_new(ERROR_INVALID,
                         "cannot set both --skip-pending-creates and --clear-pending-creates");
    if (args->import_pending_creates.len % 2)
        return error_new(ERROR_INVALID,
                         "each URN must be followed by an ID: found an odd number of entries");
    for (size_t i = 0; i < args->import_pending_creates.len; i += 2)
        if (!args->import_pending_creates.items[i + 1].len)
            return error_new(ERROR_INVALID, "the ID of '" STR_FMT "' is empty",
                             STR_ARG(args->import_pending_creates.items[i]));
    return operation_check_approval(cli, args, 1);
}

static struct error *cmd_refresh_run(struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;
    const struct operation_plan plan = {
        .kind = OPERATION_REFRESH,
        .only_previews = args->preview_only,
    };
    struct operation_outcome outcome;

    if (args->remote.is_remote)
        return remote_run(cli, &args->remote, "refresh");
    TRY(pending_creates_resolve(cli, args));
    return operation_run(cli, args, &plan, &outcome);
}

const struct command cmd_refresh = {
    .path = "refresh",
    .operands = "[URL]",
    .summary = "Bring the state up to date with the resources that exist",
    .example = "refresh\n"
               "refresh --preview-only",
    .needs = NEEDS_STACK | NEEDS_PROJECT | IS_OPERATION,
    .args_size = sizeof(struct operation_args),
    .options =
        OPTIONS(operation_options, deployment_options, approval_options, remote_options, options),
    .exclusive = OPERATION_EXCLUSIVE,
    .check = cmd_refresh_check,
    .run = cmd_refresh_run,
};
