/* cmd_config_cp.c — `config copy` (cp): takes configuration over into another stack. */
#include "cli/stack/config_edit.h"
#include "cli/open.h"

struct copy_args {
    struct config_common common;
    str dest;
    bool path;
};

static const struct option options[] = {
    CONFIG_COMMON_OPTIONS(struct copy_args),
    TEXT(struct copy_args, dest, 'd', "dest", "The stack to copy to"),
    FLAG(struct copy_args, path, 0, "path", "The key is a path into a map or list"),
    { 0 },
};

/* A stack's configuration and its manager, opened only if something is secret. */
struct side {
    struct stack_ref stack;
    struct stack_config config;
    struct secrets *secrets;
};

static fallible open_secrets(struct cli *cli, struct side *from, struct side *to)
{
    if (from->secrets)
        return NULL;
    TRY(cli_stack_secrets(cli, from->stack, &from->config, &from->secrets));
    return cli_stack_secrets(cli, to->stack, &to->config, &to->secrets);
}

/* Secrets of one value, sealed again for the other stack. */
static fallible seal_entry(struct cli *cli, struct side *from, struct side *to,
                           struct config_entry *entry)
{
    struct config one = { entry, 1 };

    if (!config_is_secret(entry->value))
        return NULL;
    TRY(open_secrets(cli, from, to));
    return config_reseal(cli->arena, &one, secrets_crypter(from->secrets),
                         secrets_crypter(to->secrets));
}

static fallible copy_one(struct cli *cli, const struct copy_args *args, struct side *from,
                         struct side *to)
{
    const struct value *value;
    struct config_key key;

    TRY(config_edit_key(cli, cli_operand(cli, 0), args->path, &key));
    TRY(config_get(cli->arena, &from->config.config, key, args->path, &value));
    if (!value)
        return error_new(
            ERROR_NOT_FOUND, "configuration key '" STR_FMT "' not found for stack '" STR_FMT "'",
            STR_ARG(config_edit_pretty_key(cli, key)), STR_ARG(cli_stack_name(cli, cli->stack)));
    if (args->path && value->kind != VALUE_SECRET && value->kind != VALUE_OBJECT
        && value->kind != VALUE_ARRAY)
        return config_set(cli->arena, &to->config.config, key,
                          secret_reveal(config_text(cli->arena, *value)), CONFIG_UNTYPED, true);
    struct config_entry entry = { key, *value };
    TRY(seal_entry(cli, from, to, &entry));
    if (args->path)
        return config_put_path(cli->arena, &to->config.config, key, entry.value);
    config_put(cli->arena, &to->config.config, key, entry.value);
    return NULL;
}

static fallible copy_all(struct cli *cli, struct side *from, struct side *to)
{
    size_t count = from->config.config.len;
    struct config_entry *entries = ARENA_ARRAY(cli->arena, struct config_entry, count);

    for (size_t i = 0; i < count; i++) {
        entries[i] = from->config.config.items[i];
        TRY(seal_entry(cli, from, to, &entries[i]));
    }
    config_put_all(cli->arena, &to->config.config, entries, count);
    return NULL;
}

static struct error *cmd_config_cp_run(struct cli *cli, const void *args_)
{
    const struct copy_args *args = args_;
    struct side from = { .stack = cli->stack }, to = { 0 };

    if (!args->dest.len)
        return error_new(ERROR_INVALID, "missing the stack to copy to: --dest");
    TRY(backend_stack_ref(cli->backend, cli->arena, args->dest, cli_project_name(cli), &to.stack));
    if (str_equal(stack_ref_qualified(cli->arena, from.stack),
                  stack_ref_qualified(cli->arena, to.stack)))
        return error_new(ERROR_INVALID, "current stack and destination stack are the same");
    TRY(cli_require_stack(cli, to.stack));
    TRY(cli_edit_config(cli, to.stack, STR(""), &to.config));
    TRY(cli_load_config(cli, from.stack, args->common.config_file, &from.config));
    TRY(cli->operands.len ? copy_one(cli, args, &from, &to) : copy_all(cli, &from, &to));
    return stack_config_save(&to.config);
}

const struct command cmd_config_cp = {
    .path = "config copy",
    .aliases = "cp",
    .operands = "[KEY]",
    .summary = "Copy configuration to another stack",
    .example = "config cp --dest prod\n"
               "config cp size --dest prod",
    .needs = NEEDS_STACK | MAKES_NO_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct copy_args),
    .options = OPTIONS(options),
    .run = cmd_config_cp_run,
};
