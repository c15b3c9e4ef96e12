/* cmd_cancel.c — `cancel`: removes the locks that a dead update left behind. */
#include "cli/open.h"
#include "cli/screen/prompt.h"

#include <stdio.h>

struct cancel_args {
    str stack;
    bool yes;
};

static const struct option options[] = {
    TEXT(struct cancel_args, stack, 's', "stack",
         "The stack to work on; the selected one by default"),
    FLAG(struct cancel_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

static struct error *cmd_cancel_run(struct cli *cli, const void *args_)
{
    const struct cancel_args *args = args_;
    str name = cli_stack_name(cli, cli->stack);
    struct strs owners;
    size_t count;

    if (!args->yes && cli->terminal.is_interactive) {
        const char *warning =
            arena_printf(cli->arena,
                         "This will irreversibly cancel the currently running update for '" STR_FMT
                         "'!",
                         STR_ARG(name))
                .ptr;
        TRY(prompt_confirm_name(cli, warning, name));
    }
    TRY(backend_describe_locks(cli->backend, cli->stack, cli->arena, &owners));
    TRY(backend_break_locks(cli->backend, cli->stack, &count));
    if (!count) {
        printf("No update of '" STR_FMT "' is running: there was nothing to cancel\n",
               STR_ARG(name));
        return NULL;
    }
    for (size_t i = 0; i < owners.len; i++)
        cli_report(cli, "info",
                   arena_concat(cli->arena, STR("removed the lock of "), owners.items[i]));
    cli_print(cli,
              arena_concat(cli->arena, STR(TAG_ATTENTION "The currently running update for '"),
                           color_quote(cli->arena, name), STR("' has been canceled!" TAG_RESET)));
    return NULL;
}

const struct command cmd_cancel = {
    .path = "cancel",
    .operands = "[STACK]",
    .summary = "Remove the locks of an update that no longer runs",
    .example = "cancel\n"
               "cancel dev --yes",
    .needs = NEEDS_STACK | MAKES_NO_STACK | TAKES_STACK_OPERAND | TAKES_LOCKED_NAME,
    .args_size = sizeof(struct cancel_args),
    .options = OPTIONS(options),
    .run = cmd_cancel_run,
};
