/* cmd_stack_ls.c — `stack list` (ls): the stacks of the project, or all of them. */
#include "cli/open.h"
#include "cli/screen/json_print.h"
#include "cli/screen/table.h"
#include "cli/screen/time_text.h"

#include "backend/history.h"
#include "base/clock.h"
#include "base/settings.h"
#include "service/service.h"

struct list_args {
    str stack;
    bool all;
    str organization;
    str project;
    str tag;
    str output;
    bool json;
};

static const struct option options[] = {
    TEXT(struct list_args, stack, 's', "stack", "No effect here: it is an option of `stack`"),
    FLAG(struct list_args, all, 'a', "all", "List the stacks of all projects"),
    TEXT(struct list_args, organization, 'o', "organization", "Only stacks of this organization"),
    TEXT(struct list_args, project, 'p', "project", "Only stacks of this project"),
    TEXT(struct list_args, tag, 't', "tag", "Only stacks with this tag (NAME or NAME=VALUE)"),
    TEXT(struct list_args, output, 0, "output", "How to print: default or json"),
    FLAG(struct list_args, json, 'j', "json", NULL),
    { 0 },
};

static fallible has_tag(struct cli *cli, struct stack_ref stack, str wanted, bool *out)
{
    struct tags tags;
    str name = wanted, value = { 0 };
    bool has_value = str_cut(wanted, STR("="), &name, &value);

    *out = false;
    TRY(backend_tags(cli->backend, stack, cli->arena, &tags));
    for (size_t i = 0; i < tags.len; i++) {
        if (str_equal(tags.items[i].key, name)
            && (!has_value || str_equal(tags.items[i].value, value)))
            *out = true;
    }
    return NULL;
}

/* Where people find the stack in a browser; empty: nowhere. */
static str page_of(struct cli *cli, struct stack_ref stack)
{
    str console = cli->session ? service_console_url(cli->arena, backend_url(cli->backend),
                                                     settings_text("PULUMI_CONSOLE_DOMAIN"))
                               : STR("");

    if (!console.len)
        return STR("");
    return arena_concat(cli->arena, console, STR("/"), stack.organization, STR("/"), stack.project,
                        STR("/"), stack.name);
}

/* Only the hosted service knows whether an operation runs. */
static void cmd_stack_ls_write_update(struct cli *cli, struct json_writer *writer,
                                      const struct stack_summary *stack)
{
    int64_t time = 0;
    bool has_time = stack->has_deployment && clock_parse(stack->last_update, &time);

    if (has_time) {
        json_key(writer, STR("lastUpdate"));
        json_string(writer, clock_format_ms(cli->arena, time));
    }
    if (cli->session && (has_time || stack->is_in_progress)) {
        json_key(writer, STR("updateInProgress"));
        json_bool(writer, stack->is_in_progress);
    }
}

static void cmd_stack_ls_print_json(struct cli *cli, const struct stack_summaries *stacks,
                                    str current)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_array(writer);
    for (size_t i = 0; i < stacks->len; i++) {
        const struct stack_summary *stack = &stacks->items[i];
        str page = page_of(cli, stack->stack);
        json_begin_object(writer);
        json_key(writer, STR("name"));
        json_string(writer, cli_stack_name(cli, stack->stack));
        json_key(writer, STR("current"));
        json_bool(writer, str_equal(stack_ref_qualified(cli->arena, stack->stack), current));
        cmd_stack_ls_write_update(cli, writer, stack);
        if (stack->has_deployment) {
            json_key(writer, STR("resourceCount"));
            json_integer(writer, (int64_t)stack->resource_count);
        }
        if (page.len) {
            json_key(writer, STR("url"));
            json_string(writer, page);
        }
        json_end_object(writer);
    }
    json_end_array(writer);
    json_print_end(&print);
}

static str last_update_text(struct cli *cli, const struct stack_summary *stack)
{
    int64_t time = 0;

    if (stack->is_in_progress)
        return STR("in progress");
    if (stack->has_deployment && clock_parse(stack->last_update, &time))
        return time_ago(cli->arena, time);
    return STR("n/a");
}

static void cmd_stack_ls_print_table(struct cli *cli, const struct stack_summaries *stacks,
                                     str current)
{
    struct table table = { .columns = cli->session ? 4 : 3 };

    TABLE_ADD(&table, STR("NAME"), STR("LAST UPDATE"), STR("RESOURCE COUNT"), STR("URL"));
    for (size_t i = 0; i < stacks->len; i++) {
        const struct stack_summary *stack = &stacks->items[i];
        bool is_current = str_equal(stack_ref_qualified(cli->arena, stack->stack), current);
        str name = cli_stack_name(cli, stack->stack), page = page_of(cli, stack->stack);
        if (is_current) {
            name = arena_concat(cli->arena, name, STR("*"));
            table.marked = i + 1;
        }
        TABLE_ADD(&table, name, last_update_text(cli, stack),
                  stack->has_deployment ? arena_printf(cli->arena, "%zu", stack->resource_count)
                                        : STR("n/a"),
                  page.len ? page : STR("n/a"));
    }
    table_print(&table, cli->terminal.color);
    table_release(&table);
}

static struct error *cmd_stack_ls_run(struct cli *cli, const void *args_)
{
    const struct list_args *args = args_;
    struct stack_summaries found, shown = { 0 };
    str current;
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    if (!args->all && !args->project.len && !cli->project)
        return error_new(ERROR_NOT_FOUND,
                         "no Pulumi.yaml found; please run this command in a project directory");
    str project = args->project.len ? args->project : args->all ? STR("") : cli_project_name(cli);
    TRY(backend_list_stacks(cli->backend, cli->arena, project, &found));
    TRY(cli_selected_stack(cli, &current));
    if (current.len) {
        struct stack_ref stack;
        TRY(backend_stack_ref(cli->backend, cli->arena, current, cli_project_name(cli), &stack));
        current = stack_ref_qualified(cli->arena, stack);
    }
    shown.items = ARENA_ARRAY(cli->arena, struct stack_summary, found.len);
    for (size_t i = 0; i < found.len; i++) {
        bool is_wanted = !args->organization.len
                         || str_equal(args->organization, found.items[i].stack.organization.len
                                                              ? found.items[i].stack.organization
                                                              : STR("organization"));
        if (is_wanted && args->tag.len)
            TRY(has_tag(cli, found.items[i].stack, args->tag, &is_wanted));
        if (is_wanted)
            shown.items[shown.len++] = found.items[i];
    }
    if (is_json)
        cmd_stack_ls_print_json(cli, &shown, current);
    else
        cmd_stack_ls_print_table(cli, &shown, current);
    return NULL;
}

const struct command cmd_stack_ls = {
    .path = "stack list",
    .aliases = "ls",
    .summary = "List stacks",
    .example = "stack ls\n"
               "stack ls --all --output json",
    .needs = NEEDS_BACKEND,
    .args_size = sizeof(struct list_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("output json"),
    .run = cmd_stack_ls_run,
};
