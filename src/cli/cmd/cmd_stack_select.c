/* cmd_stack_select.c — `stack select`, `stack unselect`: which stack commands mean when none is
 * named. */
#include "cli/open.h"
#include "cli/stack/stack_choose.h"
#include "base/exit_codes.h"
#include "cli/stack/stack_new.h"

#include <stdio.h>

struct select_args {
    str stack;
    bool create;
    str secrets_provider;
};

static const struct option select_options[] = {
    TEXT(struct select_args, stack, 's', "stack", "The name of the stack to select"),
    FLAG(struct select_args, create, 'c', "create", "Create the stack if it does not exist"),
    TEXT(struct select_args, secrets_provider, 0, "secrets-provider",
         "With --create: how secrets are encrypted"),
    { 0 },
};

static struct error *run_select(struct cli *cli, const void *args_)
{
    const struct select_args *args = args_;
    struct stack_ref stack;
    bool exists = false;
    str name = args->stack;

    if (name.len && cli->operands.len)
        return error_new(ERROR_INVALID,
                         "only one of --stack or argument stack name may be specified, not both");
    if (!name.len)
        name = cli_operand(cli, 0);
    if (!name.len && cli->terminal.is_interactive)
        return stack_choose(cli, true);
    if (!name.len)
        return error_with_exit_code(
            error_new(ERROR_NOT_FOUND, "no stack selected; specify a stack name with --stack"),
            EXIT_STACK_NOT_FOUND);
    TRY(backend_stack_ref(cli->backend, cli->arena, name, cli_project_name(cli), &stack));
    TRY(backend_stack_exists(cli->backend, stack, &exists));
    if (!exists && args->create) {
        struct new_stack wanted = { .name = name,
                                    .secrets_provider = args->secrets_provider,
                                    .is_selected = true };
        return stack_new(cli, &wanted);
    }
    TRY(cli_require_stack(cli, stack));
    return cli_select_stack(cli, stack);
}

const struct command cmd_stack_select = {
    .path = "stack select",
    .operands = "[NAME]",
    .summary = "Select the stack that commands work on",
    .example = "stack select dev\n"
               "stack select --create dev",
    .needs = NEEDS_BACKEND | NEEDS_PROJECT,
    .args_size = sizeof(struct select_args),
    .options = OPTIONS(select_options),
    .run = run_select,
};

struct unselect_args {
    str stack;
};

static const struct option unselect_options[] = {
    TEXT(struct unselect_args, stack, 's', "stack", "No effect here: it is an option of `stack`"),
    { 0 },
};

static struct error *run_unselect(struct cli *cli, const void *args)
{
    (void)args;
    TRY(cli_select_stack(cli, (struct stack_ref){ 0 }));
    fprintf(stderr, "Stack was unselected\n");
    return NULL;
}

const struct command cmd_stack_unselect = {
    .path = "stack unselect",
    .summary = "Forget which stack is selected",
    .example = "stack unselect",
    .needs = NEEDS_BACKEND | NEEDS_PROJECT,
    .args_size = sizeof(struct unselect_args),
    .options = OPTIONS(unselect_options),
    .run = run_unselect,
};
