/* cmd_state_delete.c — `state` and `state remove` (delete): takes resources out of the state
 * without touching them. */
#include "cli/open.h"
#include "cli/stack/state.h"
#include "cli/stack/state_find.h"

#include "model/graph.h"
#include "model/urn.h"

#include <stdio.h>

const struct command cmd_state = {
    .path = "state",
    .summary = "Edit the state of a stack by hand",
    .example = "state get my-bucket\n"
               "state delete URN",
};

struct delete_args {
    str stack;
    bool all;
    bool force;
    bool target_dependents;
    bool yes;
};

static const struct option options[] = {
    TEXT(struct delete_args, stack, 's', "stack",
         "The stack to work on; the selected one by default"),
    FLAG(struct delete_args, all, 0, "all", "Take out all resources"),
    FLAG(struct delete_args, force, 0, "force", "Take out protected resources, too"),
    FLAG(struct delete_args, target_dependents, 0, "target-dependents",
         "Take out what depends on them, too"),
    FLAG(struct delete_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

struct deletion {
    const struct delete_args *args;
    bool *is_gone; /* for each resource of the snapshot */
    size_t count;
};

static fallible check_protected(struct cli *cli, const struct deletion *deletion,
                                const struct resource *resource)
{
    if (!resource->options.protect)
        return NULL;
    if (!deletion->args->force)
        return error_new(ERROR_OTHER,
                         STR_FMT " can't be safely deleted because it is protected. Re-run this "
                                 "command with --force to force deletion",
                         STR_ARG(resource->urn));
    cli_report(cli, "warning",
               arena_printf(cli->arena,
                            "deleting protected resource " STR_FMT " due to presence of --force",
                            STR_ARG(resource->urn)));
    return NULL;
}

/* Another copy with the same URN can replace the one that is deleted. */
static bool has_twin(const struct snapshot *snapshot, const struct deletion *deletion, size_t index)
{
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        if (i != index && !deletion->is_gone[i]
            && str_equal(snapshot->resources[i]->urn, snapshot->resources[index]->urn))
            return true;
    }
    return false;
}

static size_t index_of(const struct snapshot *snapshot, const struct resource *resource)
{
    size_t i = 0;

    while (snapshot->resources[i] != resource)
        i++;
    return i;
}

static fallible refuse(const struct resource *resource, const struct resource *const *dependents,
                       size_t count)
{
    CLEANUP(strbuf_release) struct strbuf list = { 0 };

    for (size_t i = 0; i < count; i++) {
        CLEANUP(strbuf_release) struct strbuf name = { 0 };
        json_format_string(&name, urn_name_of(dependents[i]->urn), false);
        strbuf_printf(&list, " * %-15s (" STR_FMT ")\n", name.ptr, STR_ARG(dependents[i]->urn));
    }
    return error_new(
        ERROR_OTHER,
        STR_FMT " can't be safely deleted because the following resources depend on it:\n" STR_FMT
                "\nDelete those resources first or pass --target-dependents.",
        STR_ARG(resource->urn), STR_ARG(strbuf_str(&list)));
}

static fallible delete_one(struct cli *cli, struct snapshot *snapshot, struct deletion *deletion,
                           const struct graph *graph, size_t index)
{
    const struct resource *resource = snapshot->resources[index];
    struct resources dependents = { 0 };
    size_t left = 0;

    TRY(check_protected(cli, deletion, resource));
    if (!deletion->args->all && !has_twin(snapshot, deletion, index))
        dependents = graph_dependents(graph, cli->arena, resource, (struct strs){ 0 }, true);
    for (size_t i = 0; i < dependents.len; i++) {
        if (!deletion->is_gone[index_of(snapshot, dependents.items[i])])
            dependents.items[left++] = dependents.items[i];
    }
    if (left && !deletion->args->target_dependents)
        return refuse(resource, (const struct resource *const *)dependents.items, left);
    for (size_t i = 0; i < left; i++) {
        TRY(check_protected(cli, deletion, dependents.items[i]));
        deletion->is_gone[index_of(snapshot, dependents.items[i])] = true;
    }
    deletion->is_gone[index] = true;
    return NULL;
}

static fallible mark_named(struct cli *cli, const struct snapshot *snapshot, bool *is_named)
{
    for (size_t i = 0; i < cli->operands.len; i++) {
        size_t index;
        TRY(state_find(snapshot, cli->operands.items[i], &index));
        is_named[index] = true;
    }
    return NULL;
}

static struct error *cmd_state_delete_edit(struct cli *cli, struct snapshot *snapshot,
                                           void *deletion_)
{
    struct deletion *deletion = deletion_;
    struct graph *graph = graph_new(cli->arena, snapshot->resources, snapshot->resource_count);
    bool *is_named = ARENA_ARRAY(cli->arena, bool, snapshot->resource_count);
    size_t kept = 0;

    deletion->is_gone = ARENA_ARRAY(cli->arena, bool, snapshot->resource_count);
    TRY(mark_named(cli, snapshot, is_named));
    for (size_t i = snapshot->resource_count;
         i-- > 0;) { /* dependents come after what they depend on */
        if ((!deletion->args->all && !is_named[i]) || deletion->is_gone[i])
            continue;
        TRY(delete_one(cli, snapshot, deletion, graph, i));
        deletion->count++;
    }
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        if (!deletion->is_gone[i])
            snapshot->resources[kept++] = snapshot->resources[i];
    }
    snapshot->resource_count = kept;
    return NULL;
}

static struct error *cmd_state_delete_run(struct cli *cli, const void *args_)
{
    struct deletion deletion = { .args = args_ };

    if (deletion.args->all && cli->operands.len)
        return error_new(ERROR_INVALID,
                         "cannot specify a resource URN when deleting all resources");
    if (!deletion.args->all)
        TRY(state_choose(cli, "Select the resource to delete:"));
    TRY(state_confirm(cli, deletion.args->yes,
                      "This command will edit your stack's state directly. Confirm?"));
    TRY(state_edit(cli, cli->stack, cmd_state_delete_edit, &deletion));
    if (deletion.args->all)
        puts("Resources deleted");
    else if (deletion.count == 1)
        puts("Resource deleted");
    else
        printf("%zu resources deleted\n", deletion.count);
    return NULL;
}

const struct command cmd_state_delete = {
    .path = "state remove",
    .aliases = "delete rm",
    .operands = "[URN...]",
    .summary = "Take resources out of the state",
    .example = "state delete URN\n"
               "state delete URN --target-dependents --yes",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct delete_args),
    .options = OPTIONS(options),
    .run = cmd_state_delete_run,
};
