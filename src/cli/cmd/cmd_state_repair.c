/* cmd_state_repair.c — `state repair`: puts an invalid state right. */
#include "cli/open.h"
#include "cli/screen/prompt.h"
#include "cli/stack/repair_plan.h"
#include "cli/stack/state.h"

#include "base/program.h"
#include "base/settings.h"
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

static fallible repair_ask(struct cli *cli, bool yes, bool *is_agreed)
{
    static const char *const choices[] = { "yes", "no", NULL };
    size_t answer;

    if (yes || !cli->terminal.is_interactive || settings_bool("PULUMI_SKIP_CONFIRMATIONS"))
        return NULL;
    TRY(error_wrap(prompt_choice(cli,
                                 "This command will edit your stack's state directly. Confirm?",
                                 choices, 1, &answer),
                   "confirmation cancelled, the state is unchanged"));
    *is_agreed = answer == 0;
    if (!*is_agreed)
        puts("Confirmation denied, not proceeding with state repair");
    return NULL;
}

/* What is left to do by hand, with the commands for it. */
static fallible repair_explain(struct cli *cli, const struct repair_args *args, struct error *owned)
{
    str stack = args->stack.len
                    ? arena_printf(cli->arena, " --stack '" STR_FMT "'", STR_ARG(args->stack))
                    : STR("");

    str why = arena_copy(cli->arena, error_message(owned));
    error_free(owned);
    return error_new(ERROR_OTHER,
                     "Failed to repair the snapshot automatically: " STR_FMT
                     "\n\nThe state has to be repaired by hand, as follows:\n\n"
                     "1. Export it to a file:\n\n"
                     "   %s stack export" STR_FMT " > state.json\n\n"
                     "2. Keep a copy:\n\n"
                     "   cp state.json state.json.backup\n\n"
                     "3. Edit state.json: take out dependencies that form a circle, and what "
                     "cannot be read.\n\n"
                     "4. Import it again:\n\n"
                     "   %s stack import" STR_FMT " < state.json",
                     STR_ARG(why), program_name(), STR_ARG(stack), program_name(), STR_ARG(stack));
}

/* Sorts first, so that the plan can tell what moves from what changes. */
static fallible repair_snapshot(struct cli *cli, struct snapshot *snapshot, str *plan_text)
{
    struct repair_plan plan = { .before = snapshot->resources, .after = snapshot };

    TRY(snapshot_sort(cli->arena, snapshot));
    plan.sorted = arena_copy_bytes(cli->arena, snapshot->resources,
                                   snapshot->resource_count * sizeof(*plan.sorted));
    TRY(snapshot_repair(cli->arena, snapshot));
    *plan_text = repair_plan_text(cli->arena, &plan);
    return snapshot_verify(snapshot);
}

static struct error *repair_locked(struct cli *cli, void *args_)
{
    const struct repair_args *args = args_;
    struct snapshot snapshot;
    bool has_deployment, is_agreed = true;
    str plan;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    struct error *problem = snapshot_verify(&snapshot);
    if (!problem) {
        puts("The snapshot is already valid; skipping repair");
        return NULL;
    }
    error_free(problem);
    problem = repair_snapshot(cli, &snapshot, &plan);
    if (problem)
        return repair_explain(cli, args, problem);
    if (!args->yes)
        cli_print(cli, plan);
    TRY(repair_ask(cli, args->yes, &is_agreed));
    if (!is_agreed)
        return NULL;
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
    .details = "Sorts resources that stand before what they depend on, and drops references to\n"
               "what is not there. Shows what it is going to change, and asks. A valid state is\n"
               "left as it is.",
    .example = "state repair\nstate repair --stack dev --yes",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct repair_args),
    .options = OPTIONS(options),
    .run = cmd_state_repair_run,
};
