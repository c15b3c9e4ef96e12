/* cmd_state_rename.c — `state rename`: gives a resource a new name, and what refers to it the new
 * URN. */
#include "cli/screen/prompt.h"
#include "cli/stack/state.h"
#include "cli/stack/state_find.h"
#include "cli/stack/urn_edit.h"

#include "model/urn.h"

#include <stdio.h>

struct rename_args {
    str stack;
    bool yes;
};

static const struct option options[] = {
    TEXT(struct rename_args, stack, 's', "stack",
         "The stack to work on; the selected one by default"),
    FLAG(struct rename_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

struct renaming {
    str from, to;
};

static str cmd_state_rename_urn(void *renaming_, str urn)
{
    const struct renaming *renaming = renaming_;

    return str_equal(urn, renaming->from) ? renaming->to : urn;
}

static struct error *cmd_state_rename_edit(struct cli *cli, struct snapshot *snapshot,
                                           void *renaming)
{
    struct renaming *names = renaming;
    size_t index;

    TRY(state_find(snapshot, names->from, &index));
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        if (str_equal(snapshot->resources[i]->urn, names->to))
            return error_new(
                ERROR_EXISTS,
                "The chosen new urn for the state corresponds to an already existing resource");
    }
    for (size_t i = 0; i < snapshot->resource_count; i++)
        snapshot->resources[i] = urn_edit_resource(cli->arena, snapshot->resources[i],
                                                   cmd_state_rename_urn, renaming, i != index);
    return NULL;
}

static struct error *cmd_state_rename_run(struct cli *cli, const void *args_)
{
    const struct rename_args *args = args_;
    struct renaming renaming = { 0 };
    struct urn parts;
    str name = cli_operand(cli, 1);

    TRY(state_choose(cli, "Select a resource to rename:"));
    renaming.from = cli_operand(cli, 0);
    if (!name.len && !cli->terminal.is_interactive)
        return error_new(ERROR_INVALID, "missing the new name of the resource");
    if (!name.len)
        TRY(prompt_line(cli->arena, "The new name: ", &name));
    if (!name.len)
        return error_new(ERROR_INVALID, "the new name is empty");
    struct error *failure = urn_parse(renaming.from, &parts);
    if (failure) {
        error_free(failure);
        return error_new(ERROR_INVALID, "The provided input URN is not valid");
    }
    parts.name = name;
    renaming.to = urn_format(cli->arena, &parts);
    TRY(state_confirm(cli, args->yes,
                      "This command will edit your stack's state directly. Confirm?"));
    TRY(state_edit(cli, cli->stack, cmd_state_rename_edit, &renaming));
    puts("Resource renamed");
    return NULL;
}

const struct command cmd_state_rename = {
    .path = "state rename",
    .operands = "[URN] [NEW-NAME]",
    .summary = "Rename a resource in the state",
    .example = "state rename URN new-name",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct rename_args),
    .options = OPTIONS(options),
    .run = cmd_state_rename_run,
};
