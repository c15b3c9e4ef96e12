/* cmd_config.c — `config` and `config get`: shows the configuration of a stack. */
#include "cli/stack/config_edit.h"
#include "cli/screen/json_print.h"
#include "cli/open.h"
#include "cli/screen/table.h"
#include "cli/service/environment.h"

#include <stdio.h>

struct config_args {
    struct config_common common;
    bool json;
    bool show_secrets;
    bool path;
    bool open;
};

static const struct option list_options[] = {
    CONFIG_COMMON_OPTIONS(struct config_args),
    FLAG(struct config_args, json, 'j', "json", "Print JSON"),
    FLAG(struct config_args, show_secrets, 0, "show-secrets", "Show secret values in plaintext"),
    FLAG(struct config_args, open, 0, "open",
         "Open the environments that the stack names, for the values that they compute"),
    { 0 },
};

static const struct option get_options[] = {
    CONFIG_COMMON_OPTIONS(struct config_args),
    FLAG(struct config_args, json, 'j', "json", "Print JSON"),
    FLAG(struct config_args, path, 0, "path", "The key is a path into a map or list"),
    FLAG_ON(struct config_args, open, 0, "open",
            "No effect here: environments are a feature of the hosted service"),
    { 0 },
};

/* The stack's values with the project's defaults under them. The manager is opened only if
 * something needs it. */
static fallible cmd_config_load(struct cli *cli, const struct config_args *args,
                                struct stack_config *config, struct config *merged)
{
    struct stack_environment environment;
    struct secrets *secrets = NULL;
    bool opens = args->open || args->show_secrets;

    if (!cli->session && cli_was_given(cli, "open"))
        cli_report(cli, "warning",
                   STR("--open has no effect here: environments are a feature of the hosted "
                       "service"));
    TRY(cli_load_config(cli, cli->stack, args->common.config_file, config));
    *merged = (struct config){ ARENA_ARRAY(cli->arena, struct config_entry, config->config.len),
                               config->config.len };
    if (merged->len)
        memcpy(merged->items, config->config.items, merged->len * sizeof(*merged->items));
    if (config->has_environment && cli->session && opens)
        TRY(cli_stack_secrets(cli, cli->stack, config, &secrets));
    TRY(environment_apply(cli, config, opens ? ENVIRONMENT_OPENED : ENVIRONMENT_CHECKED,
                          secrets_crypter(secrets), merged, &environment));
    return project_apply_config(cli->arena, cli->project, merged, NULL);
}

static fallible unseal(struct cli *cli, struct stack_config *config, struct value stored,
                       struct value *out)
{
    struct secrets *secrets = NULL;

    if (config_is_secret(stored))
        TRY(cli_stack_secrets(cli, cli->stack, config, &secrets));
    return error_wrap(config_unseal(cli->arena, stored, secrets_crypter(secrets), out),
                      "could not decrypt configuration value");
}

static fallible unseal_all(struct cli *cli, struct stack_config *config,
                           const struct config *merged, struct value *out)
{
    struct secrets *secrets = NULL;

    if (config_has_secret(merged))
        TRY(cli_stack_secrets(cli, cli->stack, config, &secrets));
    for (size_t i = 0; i < merged->len; i++)
        TRY(error_wrap(
            config_unseal(cli->arena, merged->items[i].value, secrets_crypter(secrets), &out[i]),
            "could not decrypt configuration values"));
    return NULL;
}

static void cmd_config_print_json(struct cli *cli, const struct config *config,
                                  const struct value *shown, bool shows_secrets)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_object(writer);
    for (size_t i = 0; i < config->len; i++) {
        bool is_hidden = config_is_secret(config->items[i].value) && !shows_secrets;
        json_key(writer, config_key_format(cli->arena, config->items[i].key));
        config_edit_write_json(writer, cli->arena, config->items[i].value,
                               is_hidden ? NULL : &shown[i]);
    }
    json_end_object(writer);
    json_print_end(&print);
}

static void cmd_config_print_table(struct cli *cli, const struct config *config,
                                   const struct value *shown)
{
    struct table table = { .columns = 2 };

    TABLE_ADD(&table, STR("KEY"), STR("VALUE"));
    for (size_t i = 0; i < config->len; i++)
        TABLE_ADD(&table, config_edit_pretty_key(cli, config->items[i].key),
                  secret_reveal(config_text(cli->arena, shown[i])));
    table_print(&table, cli->terminal.color);
    table_release(&table);
}

static struct error *cmd_config_run_list(struct cli *cli, const void *args_)
{
    const struct config_args *args = args_;
    struct stack_config config;
    struct config merged;

    TRY(cmd_config_load(cli, args, &config, &merged));
    struct value *shown = ARENA_ARRAY(cli->arena, struct value, merged.len);
    if (args->show_secrets)
        TRY(unseal_all(cli, &config, &merged, shown));
    for (size_t i = 0; i < merged.len && !args->show_secrets; i++)
        shown[i] = config_blind(cli->arena, merged.items[i].value);
    if (args->json)
        cmd_config_print_json(cli, &merged, shown, args->show_secrets);
    else
        cmd_config_print_table(cli, &merged, shown);
    return NULL;
}

const struct command cmd_config = {
    .path = "config",
    .aliases = "conf cfg",
    .summary = "Show the configuration of a stack",
    .example = "config\n"
               "config --show-secrets --json",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct config_args),
    .options = OPTIONS(list_options),
    .run = cmd_config_run_list,
};

static struct error *cmd_config_run_get(struct cli *cli, const void *args_)
{
    const struct config_args *args = args_;
    struct stack_config config;
    struct config merged;
    struct config_key key;
    const struct value *stored;
    struct value shown;

    TRY(config_edit_key(cli, cli_operand(cli, 0), args->path, &key));
    TRY(cmd_config_load(cli, args, &config, &merged));
    TRY(config_get(cli->arena, &merged, key, args->path, &stored));
    if (!stored)
        return error_new(
            ERROR_NOT_FOUND, "configuration key '" STR_FMT "' not found for stack '" STR_FMT "'",
            STR_ARG(config_edit_pretty_key(cli, key)), STR_ARG(cli_stack_name(cli, cli->stack)));
    TRY(unseal(cli, &config, *stored, &shown));
    if (args->json) {
        struct json_print print;
        struct json_writer *writer = json_print_begin(&print, 2);
        writer->escapes_html = true;
        config_edit_write_json(writer, cli->arena, *stored, &shown);
        json_print_end(&print);
        return NULL;
    }
    str text = secret_reveal(config_text(cli->arena, shown));
    fwrite(text.ptr, 1, text.len, stdout);
    putchar('\n');
    return NULL;
}

const struct command cmd_config_get = {
    .path = "config get",
    .operands = "KEY",
    .summary = "Show one configuration value",
    .example = "config get aws:region\n"
               "config get --path servers[0].name",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct config_args),
    .options = OPTIONS(get_options),
    .run = cmd_config_run_get,
};
