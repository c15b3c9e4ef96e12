/* cmd_stack_init.c — `stack new` (init): creates an empty stack, gives it a manager for its secrets
 * and selects it. */
#include "cli/open.h"
#include "cli/screen/prompt.h"
#include "cli/stack/stack_new.h"

#include <stdio.h>

struct init_args {
    str stack;
    str secrets_provider;
    str copy_config_from;
    bool no_select;
    struct strs teams;
    bool remote_config;
    bool yes;
};

static const struct option options[] = {
    TEXT(struct init_args, stack, 's', "stack", "The name of the stack to create"),
    TEXT(struct init_args, secrets_provider, 0, "secrets-provider",
         "How secrets are encrypted: default, passphrase, or the URL of a key "
         "(awskms, azurekeyvault, gcpkms, hashivault)"),
    TEXT(struct init_args, copy_config_from, 0, "copy-config-from",
         "A stack whose configuration is copied"),
    FLAG(struct init_args, no_select, 0, "no-select", "Do not select the new stack"),
    LIST(struct init_args, teams, 0, "teams",
         "Teams of the hosted service; other backends refuse it"),
    FLAG(struct init_args, remote_config, 0, "remote-config",
         "Keep the configuration with the hosted service; refused here"),
    FLAG(struct init_args, yes, 'y', "yes", "Do not ask: the name is dev if none is given"),
    { 0 },
};

static struct error *cmd_stack_init_run(struct cli *cli, const void *args_)
{
    const struct init_args *args = args_;
    str name = args->stack;

    if (name.len && cli->operands.len)
        return error_new(ERROR_INVALID,
                         "only one of --stack or argument stack name may be specified, not both");
    if (!name.len)
        name = cli_operand(cli, 0);
    if (!name.len && args->yes)
        name = STR("dev");
    if (!name.len && cli->terminal.is_interactive)
        TRY(prompt_value(cli, "stack name", STR("dev"), &name));
    if (!name.len)
        return error_new(ERROR_INVALID, "missing stack name");

    if (args->teams.len)
        return error_new(ERROR_INVALID,
                         "stack " STR_FMT " uses the " STR_FMT " backend: " STR_FMT
                         " does not support --teams",
                         STR_ARG(name), STR_ARG(cli_host_name(cli)), STR_ARG(cli_host_name(cli)));
    if (args->remote_config)
        return error_new(ERROR_INVALID,
                         "could not create stack: remote config is not supported: the "
                         "configuration of a stack is in its file beside the project");
    struct new_stack wanted = {
        .name = name,
        .secrets_provider = args->secrets_provider,
        .copy_config_from = args->copy_config_from,
        .is_selected = !args->no_select,
    };
    return stack_new(cli, &wanted);
}

const struct command cmd_stack_init = {
    .path = "stack new",
    .aliases = "init create setup",
    .operands = "[NAME]",
    .summary = "Create an empty stack",
    .example = "stack new dev\n"
               "stack new prod --copy-config-from dev",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct init_args),
    .options = OPTIONS(options),
    .run = cmd_stack_init_run,
};
