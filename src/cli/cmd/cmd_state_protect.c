/* cmd_state_protect.c — `state protect`, `unprotect`, `taint`, `untaint`: sets or clears one mark
 * of resources. */
#include "base/program.h"
#include "cli/stack/state.h"
#include "cli/stack/state_find.h"

#include "base/strbuf.h"

#include <stdio.h>

struct mark_args {
    str stack;
    bool all;
    bool yes;
};

static const struct option options[] = {
    TEXT(struct mark_args, stack, 's', "stack",
         "The stack to work on; the selected one by default"),
    FLAG(struct mark_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};
static const struct option all_options[] = {
    FLAG(struct mark_args, all, 0, "all", "All resources"),
    { 0 },
};

/* What to do with which mark. */
struct marking {
    const struct mark_args *args;
    const char *verb;       /* "protect" */
    const char *participle; /* "protected" */
    bool is_taint;
    bool value;
};

static void mark(struct cli *cli, struct snapshot *snapshot, size_t index,
                 const struct marking *marking)
{
    struct resource *resource = state_replace(cli, snapshot, index);

    if (marking->is_taint)
        resource->is_tainted = marking->value;
    else
        resource->options.protect = marking->value;
}

static size_t find_live(const struct snapshot *snapshot, str urn)
{
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        if (!snapshot->resources[i]->is_delete && str_equal(snapshot->resources[i]->urn, urn))
            return i;
    }
    return SIZE_MAX;
}

/* Everything that cannot be found is reported together. */
static struct error *cmd_state_protect_edit(struct cli *cli, struct snapshot *snapshot,
                                            void *marking_)
{
    const struct marking *marking = marking_;
    struct error *failure = NULL;

    for (size_t i = 0; marking->args->all && i < snapshot->resource_count; i++) {
        if (!snapshot->resources[i]->is_delete)
            mark(cli, snapshot, i, marking);
    }
    for (size_t i = 0; i < cli->operands.len; i++) {
        size_t index = find_live(snapshot, cli->operands.items[i]);
        if (index == SIZE_MAX)
            failure = error_join(failure, state_not_found(snapshot, cli->operands.items[i], true));
        else
            mark(cli, snapshot, index, marking);
    }
    return failure;
}

/* Protection in the state alone lasts until the program says otherwise. */
static const char *cmd_state_protect_question(struct cli *cli, const struct marking *marking)
{
    bool is_protect = !marking->is_taint && marking->value;
    str note = is_protect ? arena_printf(cli->arena,
                                         "If your program does not also set the 'protect' resource "
                                         "option, the next run of the program, for example by `%s "
                                         "up`, unprotects the resource again.\n",
                                         program_name())
                          : STR("");

    return arena_printf(cli->arena,
                        "This command will edit your stack's state directly.%s" STR_FMT "Confirm?",
                        is_protect ? "\n" : " ", STR_ARG(note))
        .ptr;
}

static fallible cmd_state_protect_apply(struct cli *cli, struct marking *marking)
{
    if (!marking->args->all)
        TRY(state_choose(cli,
                         arena_printf(cli->arena, "Select a resource to %s:", marking->verb).ptr));
    TRY(state_confirm(cli, marking->args->yes, cmd_state_protect_question(cli, marking)));
    TRY(state_edit(cli, cli->stack, cmd_state_protect_edit, marking));
    if (marking->args->all)
        printf("All resources %s\n", marking->participle);
    else
        printf("%zu resources %s\n", cli->operands.len, marking->participle);
    return NULL;
}

static struct error *run_protect(struct cli *cli, const void *args)
{
    return cmd_state_protect_apply(cli,
                                   &(struct marking){ args, "protect", "protected", false, true });
}

static struct error *run_unprotect(struct cli *cli, const void *args)
{
    return cmd_state_protect_apply(
        cli, &(struct marking){ args, "unprotect", "unprotected", false, false });
}

static struct error *run_taint(struct cli *cli, const void *args)
{
    return cmd_state_protect_apply(cli, &(struct marking){ args, "taint", "tainted", true, true });
}

static struct error *run_untaint(struct cli *cli, const void *args)
{
    return cmd_state_protect_apply(cli,
                                   &(struct marking){ args, "untaint", "untainted", true, false });
}

const struct command cmd_state_protect = {
    .path = "state protect",
    .operands = "[URN...]",
    .summary = "Keep resources from being deleted",
    .example = "state protect URN\n"
               "state protect --all --yes",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct mark_args),
    .options = OPTIONS(options, all_options),
    .run = run_protect,
};
const struct command cmd_state_unprotect = {
    .path = "state unprotect",
    .operands = "[URN...]",
    .summary = "Allow resources to be deleted",
    .example = "state unprotect URN\n"
               "state unprotect --all --yes",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct mark_args),
    .options = OPTIONS(options, all_options),
    .run = run_unprotect,
};
const struct command cmd_state_taint = {
    .path = "state taint",
    .operands = "[URN...]",
    .summary = "Have resources replaced by the next update",
    .example = "state taint URN",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct mark_args),
    .options = OPTIONS(options),
    .run = run_taint,
};
const struct command cmd_state_untaint = {
    .path = "state untaint",
    .operands = "[URN...]",
    .summary = "Take `state taint` back",
    .example = "state untaint URN\n"
               "state untaint --all",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct mark_args),
    .options = OPTIONS(options, all_options),
    .run = run_untaint,
};
