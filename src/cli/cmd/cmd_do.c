/* cmd_do.c — `do` and `do show-resources`: short names for the resources of a stack. */
#include "cli/cli.h"
#include "cli/screen/json_print.h"
#include "cli/screen/table.h"
#include "cli/stack/resource_names.h"

#include "base/program.h"

#include <stdio.h>

static struct error *cmd_do_run(struct cli *cli, const void *args)
{
    (void)args;
    if (!cli->operands.len) {
        help_print(cli->command);
        return NULL;
    }
    return error_new(ERROR_INVALID,
                     "`%s do " STR_FMT
                     "` is not supported yet: functions and single resources cannot be called from "
                     "the command line. Nothing was changed",
                     program_name(), STR_ARG(cli->operands.items[0]));
}

const struct command cmd_do = {
    .path = "do",
    .operands = "[WORD...]",
    .summary = "Work on single resources (only `do show-resources` is there)",
    .example = "do show-resources",
    .needs = TAKES_ANY_OPTION,
    .run = cmd_do_run,
};

struct show_args {
    str output;
};

static const struct option options[] = {
    TEXT_PRESET(struct show_args, output, 'o', "output", "text", "How to print: text or json"),
    { 0 },
};

static void show_resources_json(struct pairs names)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_object(writer);
    for (size_t i = 0; i < names.len; i++) {
        json_key(writer, names.items[i].key);
        json_string(writer, names.items[i].value);
    }
    json_end_object(writer);
    json_print_end(&print);
}

static struct error *cmd_do_show_run(struct cli *cli, const void *args_)
{
    const struct show_args *args = args_;
    struct table table = { .columns = 2 };
    struct snapshot snapshot;
    bool has_deployment, is_json = str_equal(args->output, STR("json"));

    if (!is_json && !str_equal(args->output, STR("text"))
        && !str_equal(args->output, STR("default")))
        return error_new(ERROR_INVALID,
                         "unsupported output format \"" STR_FMT
                         "\"; supported values are text and json",
                         STR_ARG(args->output));
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    struct pairs names = resource_names(cli->arena, &snapshot);
    if (is_json) {
        show_resources_json(names);
        return NULL;
    }
    if (!names.len) {
        puts("(no resources)");
        return NULL;
    }
    TABLE_ADD(&table, STR("NAME"), STR("URN"));
    for (size_t i = 0; i < names.len; i++)
        TABLE_ADD(&table, names.items[i].key, names.items[i].value);
    table_print(&table, cli->terminal.color);
    table_release(&table);
    return NULL;
}

const struct command cmd_do_show = {
    .path = "do show-resources",
    .summary = "List the resources of the stack by short names",
    .details = "`state get` takes these names, too.",
    .example = "do show-resources\ndo show-resources --output json",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct show_args),
    .options = OPTIONS(options),
    .run = cmd_do_show_run,
};
