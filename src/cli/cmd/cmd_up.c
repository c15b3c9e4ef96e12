/* cmd_up.c — `up` (update) and `preview`: makes the stack what the program says, or shows what that
 * would do. */
#include "cli/new/up_template.h"

#include "base/exit_codes.h"

static const struct option up_options[] = {
    LIST(struct operation_args, excludes, 0, "exclude",
         "Leave out this resource: a URN, with * and ** as wildcards"),
    FLAG(struct operation_args, skip_preview, 'f', "skip-preview", "Do not preview first"),
    FLAG(struct operation_args, continue_on_error, 0, "continue-on-error",
         "Go on with other resources after a failure"),
    TEXT(struct operation_args, plan, 0, "plan",
         "Do only what this plan of `preview --save-plan` says"),
    FLAG(struct operation_args, strict, 0, "strict", "Allow only what the preview has shown"),
    TEXT(struct operation_args, secrets_provider, 0, "secrets-provider",
         "How secrets of a new stack are encrypted"),
    { 0 },
};

static const struct option preview_options[] = {
    LIST(struct operation_args, excludes, 'x', "exclude",
         "Leave out this resource: a URN, with * and ** as wildcards"),
    TEXT(struct operation_args, save_plan, 0, "save-plan",
         "Write a plan to this file, for `up --plan`"),
    TEXT(struct operation_args, import_file, 0, "import-file",
         "Write an import file with what would be created"),
    { 0 },
};

static struct error *check_up(const struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;

    TRY(remote_check(cli, &args->remote));
    if (args->remote.is_remote)
        return NULL;
    TRY(operation_check_approval(cli, args, EXIT_CONFIGURATION));
    if (args->strict && args->skip_preview)
        return error_new(ERROR_INVALID, "--strict cannot be used with --skip-preview; strict "
                                        "requires a preview");
    return NULL;
}

static struct error *run_up(struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;
    const struct operation_plan plan = { .kind = OPERATION_UPDATE };
    struct operation_outcome outcome;

    if (args->remote.is_remote)
        return remote_run(cli, &args->remote, "update");
    return cli->operands.len ? up_template(cli, args, &plan)
                             : operation_run(cli, args, &plan, &outcome);
}

const struct command cmd_up = {
    .path = "up",
    .aliases = "update",
    .meant_by = "apply deploy push",
    .operands = "[TEMPLATE]",
    .summary = "Create or update the resources of a stack",
    .details = "With TEMPLATE, a name, a folder or an address as for `new`, deploys that program "
               "from a\ntemporary folder: the stack stays, no project does.",
    .example = "up\n"
               "up --stack dev --yes\n"
               "up --target '**::my-bucket' --diff\n"
               "up random-yaml --yes --stack try",
    .needs = NEEDS_STACK | NEEDS_PROJECT | IS_OPERATION | TAKES_TEMPLATE,
    .args_size = sizeof(struct operation_args),
    .options = OPTIONS(operation_options, deployment_options, program_options, approval_options,
                       remote_options, up_options),
    .exclusive = OPERATION_EXCLUSIVE,
    .check = check_up,
    .run = run_up,
};

static struct error *check_preview(const struct cli *cli, const void *args_)
{
    const struct operation_args *args = args_;

    TRY(remote_check(cli, &args->remote));
    return remote_check_operands(cli, &args->remote);
}

static struct error *run_preview(struct cli *cli, const void *args_)
{
    const struct operation_plan plan = {
        .kind = OPERATION_UPDATE,
        .only_previews = true,
    };
    const struct operation_args *args = args_;
    struct operation_outcome outcome;

    if (args->remote.is_remote)
        return remote_run(cli, &args->remote, "preview");
    return operation_run(cli, args_, &plan, &outcome);
}

const struct command cmd_preview = {
    .path = "preview",
    .aliases = "pre",
    .meant_by = "build plan",
    .operands = "[URL]",
    .summary = "Show what an update would do",
    .example = "preview\n"
               "preview --diff --stack dev\n"
               "preview --json | jq .changeSummary",
    .needs = NEEDS_STACK | NEEDS_PROJECT | IS_OPERATION,
    .args_size = sizeof(struct operation_args),
    .options = OPTIONS(operation_options, deployment_options, program_options, remote_options,
                       preview_options),
    .exclusive = OPERATION_EXCLUSIVE,
    .check = check_preview,
    .run = run_preview,
};
