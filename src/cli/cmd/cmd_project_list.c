/* cmd_project_list.c — `project list` (ls): the projects that have stacks in the
 * backend. */
#include "cli/open.h"
#include "cli/screen/json_print.h"

#include <stdio.h>

struct project_list_args {
    str organization;
    str output;
    bool json;
};

static const struct option options[] = {
    TEXT(struct project_list_args, organization, 'o', "organization",
         "Only projects of this organization"),
    TEXT_PRESET(struct project_list_args, output, 0, "output", "default",
                "How to print: default or json"),
    FLAG(struct project_list_args, json, 'j', "json", NULL),
    { 0 },
};

/* Stacks are sorted by project: how many from `start` on have the same one. */
static size_t project_stack_count(const struct stack_summaries *stacks, size_t start)
{
    size_t end = start;

    while (end < stacks->len
           && str_equal(stacks->items[end].stack.project, stacks->items[start].stack.project))
        end++;
    return end - start;
}

static void project_list_print_json(const struct stack_summaries *stacks)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 4);

    json_begin_array(writer);
    for (size_t i = 0; i < stacks->len; i += project_stack_count(stacks, i)) {
        if (!stacks->items[i].stack.project.len)
            continue;
        json_begin_object(writer);
        json_key(writer, STR("name"));
        json_string(writer, stacks->items[i].stack.project);
        json_key(writer, STR("stackCount"));
        json_integer(writer, (int64_t)project_stack_count(stacks, i));
        json_end_object(writer);
    }
    json_end_array(writer);
    json_print_end(&print);
}

static struct error *cmd_project_list_run(struct cli *cli, const void *args_)
{
    const struct project_list_args *args = args_;
    struct stack_summaries stacks;
    bool is_json, has_any = false;

    TRY(output_is_json(args->output, args->json, &is_json));
    if (args->organization.len)
        return error_new(ERROR_INVALID,
                         "organizations are not supported by the current backend (" STR_FMT ")",
                         STR_ARG(cli_host_name(cli)));
    TRY(backend_list_stacks(cli->backend, cli->arena, STR(""), &stacks));
    if (is_json) {
        project_list_print_json(&stacks);
        return NULL;
    }
    for (size_t i = 0; i < stacks.len; i += project_stack_count(&stacks, i)) {
        str name = stacks.items[i].stack.project;
        if (!name.len)
            continue; /* of a store that has no projects yet */
        if (!has_any)
            puts("PROJECTS:");
        has_any = true;
        printf("  " STR_FMT " (stacks: %zu)\n", STR_ARG(name), project_stack_count(&stacks, i));
    }
    if (!has_any)
        puts("No projects found");
    return NULL;
}

const struct command cmd_project_list = {
    .path = "project list",
    .aliases = "ls",
    .summary = "List the projects that have stacks",
    .example = "project ls\nproject ls --output json",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct project_list_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("output json"),
    .run = cmd_project_list_run,
};
