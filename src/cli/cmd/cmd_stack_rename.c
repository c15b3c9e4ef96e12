/* cmd_stack_rename.c — `stack rename`: gives a stack a new name and rewrites the URNs in its
 * state. */
#include "cli/open.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/state.h"
#include "cli/stack/urn_edit.h"

#include "base/fs.h"
#include "model/urn.h"

#include <stdio.h>

struct rename_args {
    str stack;
};

static const struct option options[] = {
    TEXT(struct rename_args, stack, 's', "stack",
         "The stack to rename; the selected one by default"),
    { 0 },
};

struct renaming {
    struct arena *arena;
    struct stack_ref from, to;
};

static str cmd_stack_rename_urn(void *renaming_, str urn)
{
    const struct renaming *renaming = renaming_;

    if (!str_equal(urn_stack_of(urn), renaming->from.name)
        || !str_equal(urn_project_of(urn), renaming->from.project))
        return urn;
    return urn_edit_stack(renaming->arena, urn, renaming->to.project, renaming->to.name);
}

static fallible load_renamed(struct cli *cli, struct renaming *renaming, struct snapshot *out)
{
    struct secrets *secrets;
    bool has_deployment;

    TRY(backend_load(cli->backend, renaming->from, cli->arena, out, &has_deployment));
    if (snapshot_has_secrets(out)) {
        TRY(cli_state_secrets(cli, out, &secrets));
        TRY(snapshot_unseal(out, secrets_crypter(secrets), cli->arena));
        urn_edit_snapshot(cli->arena, out, cmd_stack_rename_urn, renaming);
        return snapshot_seal(out, secrets_crypter(secrets), cli->arena);
    }
    urn_edit_snapshot(cli->arena, out, cmd_stack_rename_urn, renaming);
    return NULL;
}

static fallible move_config(struct cli *cli, const struct renaming *renaming)
{
    if (!cli->project)
        return NULL;
    str from = stack_config_path(cli->arena, cli->project, renaming->from.name);
    str to = stack_config_path(cli->arena, cli->project, renaming->to.name);
    return fs_exists(from) ? error_wrap(fs_rename(from, to), "renaming configuration file") : NULL;
}

static struct error *cmd_stack_rename_run_locked(struct cli *cli, void *renaming_)
{
    struct renaming *renaming = renaming_;
    struct snapshot snapshot;

    TRY(load_renamed(cli, renaming, &snapshot));
    TRY(backend_rename_stack(cli->backend, renaming->from, renaming->to, &snapshot));
    return NULL;
}

static struct error *cmd_stack_rename_run(struct cli *cli, const void *args)
{
    struct renaming renaming = { .arena = cli->arena, .from = cli->stack };
    bool exists;

    (void)args;
    TRY(backend_stack_ref(cli->backend, cli->arena, cli_operand(cli, 0), cli->stack.project,
                          &renaming.to));
    TRY(stack_name_check(renaming.to.name));
    TRY(backend_stack_exists(cli->backend, renaming.to, &exists));
    if (exists)
        return error_new(ERROR_EXISTS, "a stack named '" STR_FMT "' already exists",
                         STR_ARG(renaming.to.name));
    TRY(state_locked(cli, cli->stack, cmd_stack_rename_run_locked, &renaming));
    TRY(move_config(cli, &renaming));
    TRY(cli_select_stack(cli, renaming.to));
    printf("Renamed " STR_FMT " to " STR_FMT "\n", STR_ARG(cli_stack_name(cli, renaming.from)),
           STR_ARG(cli_stack_name(cli, renaming.to)));
    return NULL;
}

const struct command cmd_stack_rename = {
    .path = "stack rename",
    .operands = "NEW-NAME",
    .summary = "Rename a stack",
    .example = "stack rename staging",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct rename_args),
    .options = OPTIONS(options),
    .run = cmd_stack_rename_run,
};
