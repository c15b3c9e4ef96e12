/* cmd_config_refresh.c — `config refresh`: makes the configuration file what the last update
 * used. */
#include "cli/stack/config_edit.h"

#include "backend/history.h"
#include "base/fs.h"

#include <stdio.h>

struct refresh_args {
    struct config_common common;
    bool force;
};

static const struct option options[] = {
    CONFIG_COMMON_OPTIONS(struct refresh_args),
    FLAG(struct refresh_args, force, 'f', "force", "Overwrite the file without keeping a copy"),
    { 0 },
};

static fallible load_latest(struct cli *cli, struct config *out)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct history history;

    TRY(backend_history(cli->backend, cli->stack, cli->arena, 1, 1, &history));
    if (!history.len)
        return error_new(ERROR_NOT_FOUND, "getting latest configuration: no previous deployment");
    json_reader_init(&reader, cli->arena,
                     history.items[0].config.len ? history.items[0].config : STR("{}"));
    return error_wrap(config_read_json(&reader, out), "getting latest configuration");
}

/* The manager goes back to the one that the state names. */
static fallible restore_secrets(struct cli *cli, struct stack_config *config)
{
    struct snapshot snapshot;
    struct secrets *secrets;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    TRY(cli_state_secrets(cli, &snapshot, &secrets));
    if (secrets)
        cli_note_secrets(cli, config, secrets);
    return NULL;
}

static fallible keep_copy(struct cli *cli, str path)
{
    str copy = arena_concat(cli->arena, path, STR(".bak"));

    while (fs_exists(copy))
        copy = arena_concat(cli->arena, copy, STR(".bak"));
    TRY(error_wrap(fs_copy(path, copy), "backing up existing configuration file"));
    printf("backed up existing configuration file to " STR_FMT "\n", STR_ARG(copy));
    return NULL;
}

static struct error *cmd_config_refresh_run(struct cli *cli, const void *args_)
{
    const struct refresh_args *args = args_;
    struct stack_config config;
    struct config latest = { 0 };

    TRY(cli_edit_config(cli, cli->stack, args->common.config_file, &config));
    TRY(load_latest(cli, &latest));
    config.config = latest;
    TRY(restore_secrets(cli, &config));
    bool keeps_copy = fs_exists(config.path) && !args->force;
    if (keeps_copy)
        TRY(keep_copy(cli, config.path));
    TRY(stack_config_save(&config));
    if (keeps_copy)
        printf("refreshed configuration for stack '" STR_FMT "'\n", STR_ARG(cli->stack.name));
    return NULL;
}

const struct command cmd_config_refresh = {
    .path = "config refresh",
    .summary = "Make the configuration file what the last update used",
    .example = "config refresh\n"
               "config refresh --force",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct refresh_args),
    .options = OPTIONS(options),
    .run = cmd_config_refresh_run,
};
