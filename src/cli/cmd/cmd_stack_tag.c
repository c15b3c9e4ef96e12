/* cmd_stack_tag.c — `stack tag`: small notes on a stack. */
#include "cli/screen/json_print.h"
#include "cli/open.h"
#include "cli/screen/table.h"

#include "backend/history.h"

struct tag_args {
    str stack;
    str output;
    bool json;
};

static const struct option options[] = {
    TEXT(struct tag_args, stack, 's', "stack", "The stack to work on; the selected one by default"),
    { 0 },
};
static const struct option list_options[] = {
    TEXT(struct tag_args, output, 0, "output", "How to print: default or json"),
    FLAG(struct tag_args, json, 'j', "json", NULL),
    { 0 },
};

const struct command cmd_stack_tag = {
    .path = "stack tag",
    .summary = "Look at and change the tags of a stack",
    .example = "stack tag ls",
    .args_size = sizeof(struct tag_args),
    .options = OPTIONS(options),
};

static struct error *cmd_stack_tag_run_get(struct cli *cli, const void *args)
{
    struct tags tags;
    str name = cli_operand(cli, 0);

    (void)args;
    TRY(backend_tags(cli->backend, cli->stack, cli->arena, &tags));
    for (size_t i = 0; i < tags.len; i++) {
        if (str_equal(tags.items[i].key, name)) {
            cli_print(cli, color_quote(cli->arena, tags.items[i].value));
            return NULL;
        }
    }
    return error_new(ERROR_NOT_FOUND, "stack tag '" STR_FMT "' not found for stack '" STR_FMT "'",
                     STR_ARG(name), STR_ARG(cli_stack_name(cli, cli->stack)));
}

const struct command cmd_stack_tag_get = {
    .path = "stack tag get",
    .operands = "NAME",
    .summary = "Show one tag of a stack",
    .example = "stack tag get owner",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct tag_args),
    .options = OPTIONS(options),
    .run = cmd_stack_tag_run_get,
};

static struct error *cmd_stack_tag_run_list(struct cli *cli, const void *args_)
{
    const struct tag_args *args = args_;
    struct table table = { .columns = 2 };
    struct tags tags;
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    TRY(backend_tags(cli->backend, cli->stack, cli->arena, &tags));
    if (is_json) {
        struct json_print print;
        struct json_writer *writer = json_print_begin(&print, 2);
        json_begin_object(writer);
        for (size_t i = 0; i < tags.len; i++) {
            json_key(writer, tags.items[i].key);
            json_string(writer, tags.items[i].value);
        }
        json_end_object(writer);
        json_print_end(&print);
        return NULL;
    }
    TABLE_ADD(&table, STR("NAME"), STR("VALUE"));
    for (size_t i = 0; i < tags.len; i++)
        TABLE_ADD(&table, tags.items[i].key, tags.items[i].value);
    table_print(&table, cli->terminal.color);
    table_release(&table);
    return NULL;
}

const struct command cmd_stack_tag_list = {
    .path = "stack tag list",
    .aliases = "ls",
    .summary = "List the tags of a stack",
    .example = "stack tag ls --output json",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct tag_args),
    .options = OPTIONS(options, list_options),
    .exclusive = EXCLUSIVE("output json"),
    .run = cmd_stack_tag_run_list,
};

static struct error *cmd_stack_tag_run_set(struct cli *cli, const void *args)
{
    str value = cli_operand(cli, 1);

    (void)args;
    return backend_change_tag(cli->backend, cli->stack, cli_operand(cli, 0), &value);
}

const struct command cmd_stack_tag_set = {
    .path = "stack tag set",
    .operands = "NAME VALUE",
    .summary = "Set a tag of a stack",
    .example = "stack tag set owner team-a",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct tag_args),
    .options = OPTIONS(options),
    .run = cmd_stack_tag_run_set,
};

static struct error *run_remove(struct cli *cli, const void *args)
{
    (void)args;
    return backend_change_tag(cli->backend, cli->stack, cli_operand(cli, 0), NULL);
}

const struct command cmd_stack_tag_rm = {
    .path = "stack tag remove",
    .aliases = "rm delete",
    .operands = "NAME",
    .summary = "Remove a tag of a stack",
    .example = "stack tag rm owner",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct tag_args),
    .options = OPTIONS(options),
    .run = run_remove,
};
