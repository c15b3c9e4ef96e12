/* cmd_stack.c — `stack`: a stack, its resources as a tree, its outputs. */
#include "cli/screen/json_print.h"
#include "cli/open.h"
#include "cli/stack/stack_secrets.h"
#include "cli/stack/stack_json.h"
#include "cli/stack/stack_outputs.h"
#include "cli/screen/table.h"
#include "cli/screen/time_text.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/program.h"
#include "fiber/fiber.h"
#include "model/urn.h"

#include <stdio.h>
#include <unistd.h>

struct stack_args {
    str stack;
    bool show_ids;
    bool show_urns;
    bool show_name;
    bool show_secrets;
    str output;
};

static const struct option options[] = {
    TEXT(struct stack_args, stack, 's', "stack",
         "The stack to look at; the selected one by default"),
    FLAG(struct stack_args, show_ids, 'i', "show-ids", "Show the ID of each resource"),
    FLAG(struct stack_args, show_urns, 'u', "show-urns", "Show the URN of each resource"),
    FLAG(struct stack_args, show_name, 0, "show-name", "Show only the name of the stack"),
    FLAG(struct stack_args, show_secrets, 0, "show-secrets", "Show secret outputs in plaintext"),
    TEXT(struct stack_args, output, 0, "output", "How to print: default or json"),
    { 0 },
};

/* --- the tree --- */

struct node {
    const struct resource *resource;
    struct node *first_child;
    struct node *last_child;
    struct node *next; /* sibling */
};

struct tree {
    struct cli *cli;
    const struct stack_args *args;
    const struct snapshot *snapshot;
    struct table table;
};

static void adopt(struct node *parent, struct node *child)
{
    if (parent->last_child)
        parent->last_child->next = child;
    else
        parent->first_child = child;
    parent->last_child = child;
}

/* The root; below it its children, then everything without a known parent. NULL if there is none.
 */
static struct node *build(struct arena *arena, const struct snapshot *snapshot)
{
    CLEANUP(map_release) struct map nodes = { 0 };
    struct node *root = NULL;

    struct node *all = ARENA_ARRAY(arena, struct node, snapshot->resource_count);
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        all[i].resource = snapshot->resources[i];
        map_put(&nodes, all[i].resource->urn, &all[i]);
        if (!root && str_equal(all[i].resource->type, ROOT_STACK_TYPE)
            && !all[i].resource->parent.len)
            root = &all[i];
    }
    for (int orphans = 0; root && orphans < 2; orphans++) {
        for (size_t i = 0; i < snapshot->resource_count; i++) {
            struct node *parent = map_find(&nodes, all[i].resource->parent);
            bool is_orphan = !parent || parent == &all[i];
            if (&all[i] != root && is_orphan == (orphans == 1))
                adopt(is_orphan ? root : parent, &all[i]);
        }
    }
    return root;
}

static void add_node(struct tree *tree, const struct node *node, str padding, str branch)
{
    struct arena *arena = tree->cli->arena;
    const struct resource *resource = node->resource;
    str deeper = arena_concat(arena, padding,
                              str_equal(branch, STR("├─ ")) ? STR("│  ")
                              : branch.len                  ? STR("   ")
                                                            : STR(""));
    str note = arena_concat(arena, deeper, node->first_child ? STR("│  ") : STR("   "));

    TABLE_ADD(&tree->table, arena_concat(arena, padding, branch, resource->type),
              urn_name_of(resource->urn));
    if (tree->args->show_urns)
        table_add_line(&tree->table, arena_concat(arena, note, STR("URN: "), resource->urn));
    if (tree->args->show_ids && resource->id.len)
        table_add_line(&tree->table, arena_concat(arena, note, STR("ID: "), resource->id));
    for (const struct node *child = node->first_child; child; child = child->next)
        add_node(tree, child, deeper, child->next ? STR("├─ ") : STR("└─ "));
}

/* On the large stack: resources may be nested deeply. */
static void print_tree(void *tree_)
{
    struct tree *tree = tree_;
    const struct snapshot *snapshot = tree->snapshot;
    const struct node *root = build(tree->cli->arena, snapshot);

    TABLE_ADD(&tree->table, STR("TYPE"), STR("NAME"));
    if (root)
        add_node(tree, root, STR(""), STR(""));
    for (size_t i = 0; !root && i < snapshot->resource_count; i++) {
        struct node alone = { .resource = snapshot->resources[i] };
        add_node(tree, &alone, STR(""), STR(""));
    }
    table_print(&tree->table, tree->cli->terminal.color);
    table_release(&tree->table);
}

/* --- the rest --- */

static void print_head(struct cli *cli, const struct snapshot *snapshot, bool has_deployment)
{
    int64_t time = 0;

    printf("Current stack is " STR_FMT ":\n    Managed by " STR_FMT "\n",
           STR_ARG(cli_stack_name(cli, cli->stack)), STR_ARG(cli_backend_name(cli)));
    if (!has_deployment) {
        printf("    No updates yet; run `%s up`\n", program_name());
        return;
    }
    if (clock_parse(snapshot->time, &time) && time > 0)
        printf("    Last updated: " STR_FMT " (" STR_FMT ")\n", STR_ARG(time_ago(cli->arena, time)),
               STR_ARG(time_full(cli->arena, time)));
    if (snapshot->version.len)
        printf("    Pulumi version used: " STR_FMT "\n", STR_ARG(snapshot->version));
}

static struct error *cmd_stack_run(struct cli *cli, const void *args_)
{
    const struct stack_args *args = args_;
    struct snapshot snapshot;
    bool has_deployment;
    struct secrets *secrets;
    bool is_json;

    TRY(output_is_json(args->output, false, &is_json));
    if (args->show_name) {
        cli_print(cli, color_quote(cli->arena, cli_stack_name(cli, cli->stack)));
        return NULL;
    }
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    struct value outputs = stack_outputs_find(&snapshot);
    if (args->show_secrets) {
        TRY(cli_state_secrets(cli, &snapshot, &secrets));
        TRY(value_unseal(outputs, secrets_crypter(secrets), cli->arena));
    }
    if (is_json)
        return stack_json_print(cli, &snapshot, has_deployment, outputs, args->show_secrets);
    print_head(cli, &snapshot, has_deployment);
    printf("Current stack resources (%zu):\n", snapshot.resource_count);
    if (snapshot.resource_count) {
        struct tree tree = { cli, args, &snapshot, { .columns = 2, .prefix = "    " } };
        fiber_on_main_stack(print_tree, &tree);
        putchar('\n');
        stack_outputs_print(cli, outputs, args->show_secrets);
    } else {
        puts("    No resources currently in this stack");
    }
    printf("\nUse `%s stack select` to change stack; `%s stack ls` lists known ones\n",
           program_name(), program_name());
    return NULL;
}

const struct command cmd_stack = {
    .path = "stack",
    .summary = "Show a stack and its resources",
    .example = "stack\n"
               "stack --show-urns\n"
               "stack --output json",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct stack_args),
    .options = OPTIONS(options),
    .run = cmd_stack_run,
};

const struct command cmd_stack_get = {
    .path = "stack get",
    .summary = "The same as `stack`",
    .example = "stack get --output json",
    .is_hidden = true,
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct stack_args),
    .options = OPTIONS(options),
    .run = cmd_stack_run,
};
