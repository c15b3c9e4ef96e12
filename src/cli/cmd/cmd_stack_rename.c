/* cmd_stack_rename.c — `stack rename`: gives a stack a new name and rewrites the URNs in its
 * state. */
#include "cli/open.h"
#include "cli/stack/config_edit.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/state.h"
#include "cli/stack/urn_edit.h"

#include "base/fault.h"
#include "base/fs.h"
#include "base/log.h"
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
    str old_config, new_config; /* files; `has_config` where there is one to take along */
    bool has_config, is_shared;
};

static str cmd_stack_rename_urn(void *renaming_, str urn)
{
    const struct renaming *renaming = renaming_;

    if (!str_equal(urn_stack_of(urn), renaming->from.name)
        || !str_equal(urn_project_of(urn), renaming->from.project))
        return urn;
    return urn_edit_stack(renaming->arena, urn, renaming->to.project, renaming->to.name);
}

static fallible rename_unsealed(struct cli *cli, struct renaming *renaming, struct snapshot *out)
{
    struct secrets *secrets;

    TRY(cli_state_secrets(cli, out, &secrets));
    TRY(snapshot_unseal(out, secrets_crypter(secrets), cli->arena));
    urn_edit_snapshot(cli->arena, out, cmd_stack_rename_urn, renaming);
    return snapshot_seal(out, secrets_crypter(secrets), cli->arena);
}

/* A secret may refer to a resource. Without the key it stays as it is, like all that is sealed: a
 * name can be changed by who may not see secrets. */
static fallible load_renamed(struct cli *cli, struct renaming *renaming, struct snapshot *out)
{
    bool has_deployment;

    TRY(backend_load(cli->backend, renaming->from, cli->arena, out, &has_deployment));
    if (snapshot_has_secrets(out)) {
        struct error *failure = rename_unsealed(cli, renaming, out);
        if (!failure || error_kind(failure) == ERROR_CANCELED)
            return failure;
        log_info("rename", "the secrets stay as they are: " STR_FMT,
                 STR_ARG(error_message(failure)));
        error_ignore(failure, "nothing that is sealed has to change");
        TRY(backend_load(cli->backend, renaming->from, cli->arena, out, &has_deployment));
    }
    urn_edit_snapshot(cli->arena, out, cmd_stack_rename_urn, renaming);
    return NULL;
}

/* --- the configuration file --- */

static void find_config(struct cli *cli, struct renaming *renaming)
{
    if (!cli_has_config_here(cli, renaming->from))
        return;
    renaming->old_config = stack_config_path(cli->arena, cli->project, renaming->from.name);
    renaming->new_config = stack_config_path(cli->arena, cli->project, renaming->to.name);
    renaming->has_config =
        !str_equal(renaming->old_config, renaming->new_config) && fs_exists(renaming->old_config);
}

/* It gets its second name before the stack does, and loses the first one after that: cut off
 * anywhere, the stack has its configuration under every name that it has. What another stack may
 * own is not touched until it is clear that there is none. */
static fallible share_config(struct cli *cli, struct renaming *renaming)
{
    bool is_taken;

    if (!renaming->has_config || fs_exists(renaming->new_config))
        return NULL;
    TRY(backend_stack_exists(cli->backend, renaming->to, &is_taken));
    if (is_taken)
        return NULL;
    renaming->is_shared = true;
    return error_wrap(fs_link(renaming->old_config, renaming->new_config),
                      "renaming configuration file");
}

/* After a failure, unless the stack has its new name already. */
static fallible unshare_config(struct cli *cli, const struct renaming *renaming)
{
    bool is_made = false;

    if (!renaming->is_shared)
        return NULL;
    TRY(backend_stack_exists(cli->backend, renaming->to, &is_made));
    return is_made ? NULL : fs_remove_if_present(renaming->new_config);
}

/* Whether something waits there for a stack of the new name that is not what this one leaves or an
 * earlier attempt has left there. */
static fallible find_other_config(struct cli *cli, const struct renaming *renaming, bool *out)
{
    str ours, other;

    *out = false;
    if (!fs_exists(renaming->new_config))
        return NULL;
    TRY(fs_read(cli->arena, renaming->old_config, FS_ANY_SIZE, &ours));
    TRY(fs_read(cli->arena, renaming->new_config, FS_ANY_SIZE, &other));
    *out = !str_equal(ours, other);
    return NULL;
}

static fallible keep_other_config(struct cli *cli, const struct renaming *renaming)
{
    str copy;

    TRY(config_edit_back_up(cli->arena, renaming->new_config, &copy));
    cli_report(cli, "warning",
               arena_printf(cli->arena,
                            "the configuration file '" STR_FMT
                            "' was there already; it is kept as '" STR_FMT "'",
                            STR_ARG(renaming->new_config), STR_ARG(copy)));
    return NULL;
}

static void leave_config(struct cli *cli, const struct renaming *renaming)
{
    cli_report(cli, "warning",
               arena_printf(cli->arena,
                            "the configuration stays in '" STR_FMT "': '" STR_FMT
                            "' is that of a stack of this project",
                            STR_ARG(renaming->old_config), STR_ARG(renaming->new_config)));
}

static fallible move_config(struct cli *cli, const struct renaming *renaming)
{
    bool is_other = false;

    if (!renaming->has_config)
        return NULL;
    if (!renaming->is_shared)
        TRY(find_other_config(cli, renaming, &is_other));
    if (is_other && !cli_has_config_here(cli, renaming->to)) {
        leave_config(cli, renaming);
        return NULL;
    }
    if (is_other)
        TRY(keep_other_config(cli, renaming));
    if (!renaming->is_shared)
        TRY(fs_link(renaming->old_config, renaming->new_config));
    return fs_remove(renaming->old_config);
}

/* --- the command --- */

static fallible rename_state(struct cli *cli, const struct renaming *renaming,
                             const struct snapshot *snapshot)
{
    struct error *failure =
        backend_rename_stack(cli->backend, renaming->from, renaming->to, snapshot);

    if (!failure || error_kind(failure) != ERROR_EXISTS)
        return failure;
    error_free(failure);
    return error_new(ERROR_EXISTS, "a stack named '" STR_FMT "' already exists",
                     STR_ARG(renaming->to.name));
}

static struct error *cmd_stack_rename_run_locked(struct cli *cli, void *renaming_)
{
    struct renaming *renaming = renaming_;
    struct snapshot snapshot;

    TRY(load_renamed(cli, renaming, &snapshot));
    struct error *failure = share_config(cli, renaming);
    if (!failure)
        failure = rename_state(cli, renaming, &snapshot);
    if (failure)
        return error_join(failure, unshare_config(cli, renaming));
    fault_point("rename.before-config");
    return error_wrap(move_config(cli, renaming), "renaming configuration file");
}

static struct error *cmd_stack_rename_run(struct cli *cli, const void *args)
{
    struct renaming renaming = { .arena = cli->arena, .from = cli->stack };

    (void)args;
    TRY(backend_stack_ref(cli->backend, cli->arena, cli_operand(cli, 0), cli->stack.project,
                          &renaming.to));
    TRY(stack_name_check(renaming.to.name));
    TRY(cli_lock_config(cli, renaming.from));
    find_config(cli, &renaming);
    struct error *failure = state_locked(cli, cli->stack, cmd_stack_rename_run_locked, &renaming);
    cli_unlock_config(cli);
    TRY(failure);
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
