/* cmd_state_move.c — `state move`: hands resources over to another stack. */
#include "cli/open.h"
#include "base/fault.h"
#include "base/program.h"
#include "cli/screen/prompt.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/state.h"
#include "cli/stack/state_move.h"

#include <stdio.h>

struct move_args {
    str source;
    str dest;
    bool include_parents;
    bool yes;
};

static const struct option options[] = {
    TEXT(struct move_args, source, 0, "source",
         "The stack to take resources from; the selected one by default"),
    TEXT(struct move_args, dest, 0, "dest",
         "The stack to take them to; the selected one by default"),
    FLAG(struct move_args, include_parents, 0, "include-parents", "Take their parents along"),
    FLAG(struct move_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

static fallible choose_stack(struct cli *cli, str name, struct stack_ref *out)
{
    if (!name.len)
        TRY(cli_selected_stack(cli, &name));
    if (!name.len)
        return error_new(ERROR_INVALID,
                         "no stack selected; please use `%s stack select` or "
                         "`%s stack init` to choose one",
                         program_name(), program_name());
    TRY(backend_stack_ref(cli->backend, cli->arena, name, cli_project_name(cli), out));
    return cli_require_stack(cli, *out);
}

/* Open secrets on one side, sealed by the other's manager on the way out. */
static fallible cmd_state_move_load(struct cli *cli, struct stack_ref stack, const char *what,
                                    struct snapshot *out, struct secrets **secrets)
{
    bool has_deployment;

    TRY(backend_load(cli->backend, stack, cli->arena, out, &has_deployment));
    TRY(error_wrap(snapshot_verify(out), "failed to verify integrity of %s snapshot", what));
    TRY(cli_state_secrets(cli, out, secrets));
    return NULL;
}

static void warn_of_missing(struct cli *cli, const struct state_move *move)
{
    for (size_t i = 0; i < move->missing.len; i++)
        cli_print(cli, arena_concat(cli->arena, STR(TAG_WARNING "warning:" TAG_RESET " Resource "),
                                    color_quote(cli->arena, move->missing.items[i]),
                                    STR(" not found in source stack")));
}

static void print_plan(struct cli *cli, const struct state_move *move)
{
    str from = stack_ref_qualified(cli->arena, move->from_stack),
        to = stack_ref_qualified(cli->arena, move->to_stack);

    cli_print(cli, arena_concat(cli->arena,
                                STR(TAG_HEADLINE "Planning to move the following resources from "),
                                from, STR(" to "), to, STR(":\n" TAG_RESET)));
    for (size_t i = 0; i < move->moved.len; i++)
        cli_print(cli, arena_concat(cli->arena, STR("  - "),
                                    color_quote(cli->arena, move->moved.items[i])));
    putchar('\n');
    if (move->left_behind.len)
        cli_print(cli,
                  arena_concat(cli->arena, STR(TAG_WARNING "The following resources remaining in "),
                               from, STR(" have dependencies on resources moved to "), to,
                               STR(":\n\n" TAG_RESET),
                               color_quote(cli->arena, strbuf_str(&move->left_behind))));
    if (move->cut_off.len)
        cli_print(cli, arena_concat(cli->arena,
                                    STR(TAG_WARNING "The following resources being moved to "), to,
                                    STR(" have dependencies on resources in "), from,
                                    STR(":\n\n" TAG_RESET),
                                    color_quote(cli->arena, strbuf_str(&move->cut_off))));
    if (move->left_behind.len || move->cut_off.len)
        cli_print(
            cli,
            STR(TAG_INFO
                "If you go ahead with moving these dependencies, it will be necessary to create "
                "the appropriate inputs and "
                "outputs in the program for the stack the resources are moved to.\n" TAG_RESET));
}

static fallible cmd_state_move_confirm(struct cli *cli, bool yes, bool *out)
{
    static const char *const choices[] = { "yes", "no", NULL };
    size_t answer = 0;

    /* Without a terminal it moves, unlike the other state commands: scripts rely on it. */
    if (!yes && cli->terminal.is_interactive)
        TRY(error_wrap(prompt_choice(cli, "Do you want to perform this move?", choices, 1, &answer),
                       "confirmation cancelled, nothing was moved"));
    *out = answer == 0;
    if (!*out)
        puts("Confirmation denied, not proceeding with the state move");
    return NULL;
}

/* What moved was sealed for the source; the destination seals it again unless both have one
 * manager. */
static fallible reseal(struct cli *cli, struct state_move *move, struct secrets *from,
                       struct secrets *to)
{
    if (secrets_is_same(from, to))
        return NULL;
    if (!to)
        return error_new(
            ERROR_INVALID,
            "destination stack has no secret manager. To move resources either initialize the "
            "stack with a secret "
            "manager, or run the %s state move command from the destination project directory",
            program_name());
    if (!snapshot_has_secrets(move->to))
        return NULL;
    snapshot_forget_seals(move->to);
    return snapshot_seal(move->to, secrets_crypter(to), cli->arena);
}

struct plan {
    const struct move_args *args;
    struct state_move move;
};

static fallible cmd_state_move_save(struct cli *cli, struct state_move *move)
{
    TRY(error_wrap(snapshot_verify(move->to),
                   "failed to verify integrity of destination snapshot"));
    TRY(error_wrap(snapshot_verify(move->from), "failed to verify integrity of source snapshot"));
    state_stamp(cli, move->to);
    state_stamp(cli, move->from);
    /* The destination first: if the second write fails, resources are known twice rather than not
     * at all. */
    TRY(error_wrap(backend_save(cli->backend, move->to_stack, move->to),
                   "failed to save destination snapshot"));
    fault_point("move.between");
    return error_wrap(backend_save(cli->backend, move->from_stack, move->from),
                      "failed to save source snapshot");
}

static struct error *cmd_state_move_run_locked(struct cli *cli, void *plan_)
{
    struct plan *plan = plan_;
    struct state_move *move = &plan->move;
    struct snapshot from, to;
    struct secrets *from_secrets, *to_secrets;
    bool is_confirmed;

    TRY(cmd_state_move_load(cli, move->from_stack, "source", &from, &from_secrets));
    TRY(cmd_state_move_load(cli, move->to_stack, "destination", &to, &to_secrets));
    if (!secrets_is_same(from_secrets, to_secrets) && snapshot_has_secrets(&from)) {
        TRY(snapshot_unseal(&from, secrets_crypter(from_secrets), cli->arena));
        TRY(snapshot_unseal(&to, secrets_crypter(to_secrets), cli->arena));
    }
    move->from = &from;
    move->to = &to;
    struct error *failure = state_move(move);
    warn_of_missing(cli, move);
    TRY(failure);
    print_plan(cli, move);
    TRY(cmd_state_move_confirm(cli, plan->args->yes, &is_confirmed));
    if (!is_confirmed)
        return NULL;
    TRY(reseal(cli, move, from_secrets, to_secrets));
    TRY(cmd_state_move_save(cli, move));
    cli_print(cli, arena_concat(
                       cli->arena, STR(TAG_HEADLINE "Successfully moved resources from "),
                       color_quote(cli->arena, stack_ref_qualified(cli->arena, move->from_stack)),
                       STR(" to "),
                       color_quote(cli->arena, stack_ref_qualified(cli->arena, move->to_stack)),
                       STR(TAG_RESET)));
    return NULL;
}

static struct error *lock_second(struct cli *cli, void *plan)
{
    return state_locked(cli, ((struct plan *)plan)->move.to_stack, cmd_state_move_run_locked, plan);
}

static struct error *cmd_state_move_run(struct cli *cli, const void *args_)
{
    const struct move_args *args = args_;
    struct plan plan = { .args = args,
                         .move = { .arena = cli->arena,
                                   .urns = cli->operands,
                                   .includes_parents = args->include_parents } };

    if (!args->source.len && !args->dest.len)
        return error_new(ERROR_INVALID, "at least one of --source or --dest must be provided");
    TRY(choose_stack(cli, args->source, &plan.move.from_stack));
    TRY(choose_stack(cli, args->dest, &plan.move.to_stack));
    if (str_equal(stack_ref_qualified(cli->arena, plan.move.from_stack),
                  stack_ref_qualified(cli->arena, plan.move.to_stack)))
        return error_new(ERROR_INVALID, "source and destination stacks must be different");
    struct error *failure = state_locked(cli, plan.move.from_stack, lock_second, &plan);
    state_move_release(&plan.move);
    return failure;
}

const struct command cmd_state_move = {
    .path = "state move",
    .aliases = "mv",
    .operands = "URN...",
    .summary = "Hand resources over to another stack",
    .example = "state move --source dev --dest prod URN",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct move_args),
    .options = OPTIONS(options),
    .run = cmd_state_move_run,
};
