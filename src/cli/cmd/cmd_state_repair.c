/* cmd_state_repair.c — `state repair`: puts an invalid state right. */
#include "cli/stack/state.h"
#include "cli/stack/state_find.h"
#include "model/snapshot_repair.h"

#include <stdio.h>

struct repair_args {
    str stack;
    bool yes;
};

static const struct option options[] = {
    TEXT(struct repair_args, stack, 's', "stack",
         "The stack to work on; the selected one by default"),
    FLAG(struct repair_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

static struct error *repair_locked(struct cli *cli, void *args_)
{
    const struct repair_args *args = args_;
    struct snapshot snapshot;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    struct error *problem = snapshot_verify(&snapshot);
    if (!problem) {
        puts("The snapshot is already valid; skipping repair");
        return NULL;
    }
    error_free(problem);
    TRY(error_wrap(snapshot_repair(cli->arena, &snapshot),
                   "Failed to repair the snapshot automatically"));
    TRY(error_wrap(snapshot_verify(&snapshot), "Failed to repair the snapshot automatically"));
    TRY(state_confirm(cli, args->yes,
                      "This command will edit your stack's state directly. Confirm?"));
    state_stamp(cli, &snapshot);
    TRY(backend_save(cli->backend, cli->stack, &snapshot));
    puts("State repaired successfully");
    return NULL;
}

static struct error *cmd_state_repair_run(struct cli *cli, const void *args)
{
    struct repair_args copy = *(const struct repair_args *)args;

    return state_locked(cli, cli->stack, repair_locked, &copy);
}

const struct command cmd_state_repair = {
    .path = "state repair",
    .summary = "Put an invalid state right",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct repair_args),
    .options = OPTIONS(options),
    .run = cmd_state_repair_run,
};
