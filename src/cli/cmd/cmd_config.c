/* cmd_config.c — `config` and `config get`: shows the configuration of a stack. */
#include "cli/open.h"
#include "cli/screen/json_print.h"
#include "cli/stack/config_edit.h"
#include "cli/stack/config_show.h"

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

/* The manager is opened only if something needs it. */
static fallible cmd_config_load(struct cli *cli, const struct config_args *args,
                                struct stack_config *config, struct config *merged)
{
    if (!cli->session && cli_was_given(cli, "open"))
        cli_report(cli, "warning",
                   STR("--open has no effect here: environments are a feature of the hosted "
                       "service"));
    TRY(cli_load_config(cli, cli->stack, args->common.config_file, config));
    return config_merge(cli, config, args->open || args->show_secrets, merged);
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

static struct error *cmd_config_run_list(struct cli *cli, const void *args_)
{
    const struct config_args *args = args_;
    struct stack_config config;
    struct config merged;

    TRY(cmd_config_load(cli, args, &config, &merged));
    return config_show(cli, &config, &merged, args->show_secrets, args->json);
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
