/* cmd_stack_rm.c — `stack remove` (rm): forgets a stack and its configuration. */
#include "cli/stack/stack_remove.h"

#include "base/program.h"
#include "base/settings.h"

#include "cli/open.h"
#include "cli/screen/prompt.h"
#include "cli/stack/stack_secrets.h"
#include "model/urn.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct remove_args {
    str stack;
    bool force;
    bool preserve_config;
    bool remove_backups;
    bool yes;
};

static const struct option options[] = {
    TEXT(struct remove_args, stack, 's', "stack",
         "The stack to remove; the selected one by default"),
    FLAG(struct remove_args, force, 'f', "force",
         "Remove it even if it still has resources; they stay behind"),
    FLAG(struct remove_args, preserve_config, 0, "preserve-config", "Keep the configuration file"),
    FLAG(struct remove_args, remove_backups, 0, "remove-backups", "Remove its backups too"),
    FLAG(struct remove_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

static fallible check_empty(struct cli *cli)
{
    struct snapshot snapshot;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    bool is_lone_root =
        snapshot.resource_count == 1 && str_equal(snapshot.resources[0]->type, ROOT_STACK_TYPE);
    if (!has_deployment || snapshot.resource_count == 0 || is_lone_root)
        return NULL;
    str name = cli_stack_name(cli, cli->stack);
    return error_new(ERROR_OTHER,
                     "'" STR_FMT "' still has resources; removal rejected. Possible actions:\n"
                     "- Make sure that '" STR_FMT "' is the stack that you want to destroy\n"
                     "- Run `%s destroy` to delete the resources, then run `%s stack rm`\n"
                     "- Run `%s stack rm --force` to override this error",
                     STR_ARG(name), STR_ARG(name), program_name(), program_name(), program_name());
}

static fallible remove_config(struct cli *cli)
{
    str path = stack_config_path(cli->arena, cli->project, cli->stack.name);
    if (unlink(arena_cstr(cli->arena, path)) < 0 && errno != ENOENT)
        return error_os("remove '" STR_FMT "'", STR_ARG(path));
    return NULL;
}

static fallible remove_all(struct cli *cli, bool force, bool removes_backups, bool removes_config)
{
    if (!force)
        TRY(check_empty(cli));
    TRY(backend_remove_stack(cli->backend, cli->stack, force, removes_backups));
    return removes_config ? remove_config(cli) : NULL;
}

fallible stack_remove(struct cli *cli, bool force, bool removes_backups, bool preserves_config)
{
    bool removes_config = !preserves_config && cli_has_config_here(cli, cli->stack);
    str selected;

    if (removes_config)
        TRY(cli_lock_config(cli, cli->stack));
    struct error *failure = remove_all(cli, force, removes_backups, removes_config);
    cli_unlock_config(cli);
    TRY(failure);
    TRY(cli_selected_stack(cli, &selected));
    if (str_equal(selected, stack_ref_qualified(cli->arena, cli->stack)))
        TRY(cli_select_stack(cli, (struct stack_ref){ 0 }));
    return NULL;
}

static struct error *cmd_stack_rm_run(struct cli *cli, const void *args_)
{
    const struct remove_args *args = args_;
    str name = cli_stack_name(cli, cli->stack);

    if (!args->yes && !settings_bool("PULUMI_SKIP_CONFIRMATIONS"))
        TRY(prompt_confirm_name(
            cli,
            arena_printf(cli->arena, "This will permanently remove the '" STR_FMT "' stack!",
                         STR_ARG(name))
                .ptr,
            name));
    TRY(stack_remove(cli, args->force, args->remove_backups, args->preserve_config));
    cli_print(cli,
              arena_concat(cli->arena, STR(TAG_ATTENTION "Stack '"), color_quote(cli->arena, name),
                           STR("' has been removed!" TAG_RESET)));
    return NULL;
}

const struct command cmd_stack_rm = {
    .path = "stack remove",
    .aliases = "rm delete",
    .operands = "[NAME]",
    .summary = "Remove a stack and its configuration",
    .example = "stack rm dev\n"
               "stack rm dev --force --yes",
    .needs = NEEDS_STACK | MAKES_NO_STACK | TAKES_STACK_OPERAND,
    .args_size = sizeof(struct remove_args),
    .options = OPTIONS(options),
    .run = cmd_stack_rm_run,
};
