/* cmd_config_rm.c — `config remove` (rm) and `config remove-all`: drops configuration values. */
#include "cli/stack/config_edit.h"
#include "project/config_draft.h"

struct remove_args {
    struct config_common common;
    bool path;
};

static const struct option options[] = {
    CONFIG_COMMON_OPTIONS(struct remove_args),
    FLAG(struct remove_args, path, 0, "path", "The keys are paths into maps or lists"),
    { 0 },
};

static fallible remove_key(struct cli *cli, struct config_draft *draft, str text, bool is_path)
{
    struct config_key key;

    TRY(config_edit_key(cli, text, is_path, &key));
    return config_draft_remove(draft, key, is_path);
}

static struct error *cmd_config_rm_run(struct cli *cli, const void *args_)
{
    const struct remove_args *args = args_;
    struct stack_config config;

    struct config_draft draft;
    struct error *failure = NULL;

    TRY(cli_edit_config(cli, cli->stack, args->common.config_file, &config));
    config_draft_open(&draft, cli->arena, &config.config);
    for (size_t i = 0; i < cli->operands.len && !failure; i++)
        failure = remove_key(cli, &draft, cli->operands.items[i], args->path);
    config_draft_close(&draft, failure ? NULL : &config.config);
    TRY(failure);
    return stack_config_save(&config);
}

const struct command cmd_config_rm = {
    .path = "config remove",
    .aliases = "rm delete",
    .operands = "KEY",
    .summary = "Remove a configuration value",
    .example = "config rm size",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct remove_args),
    .options = OPTIONS(options),
    .run = cmd_config_rm_run,
};

const struct command cmd_config_rm_all = {
    .path = "config remove-all",
    .aliases = "rm-all delete-all",
    .operands = "KEY...",
    .summary = "Remove several configuration values",
    .example = "config rm-all size password",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct remove_args),
    .options = OPTIONS(options),
    .run = cmd_config_rm_run,
};
