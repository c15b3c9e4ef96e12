/* cmd_config_set.c — `config set` and `config set-all`: changes configuration values, sealing
 * secret ones. */
#include "cli/stack/config_edit.h"
#include "cli/screen/input.h"
#include "cli/screen/prompt.h"

#include "base/json.h"
#include "model/value_json.h"
#include "project/config_draft.h"

#include <unistd.h>

struct set_args {
    struct config_common common;
    bool secret;
    bool plaintext;
    bool path;
    bool raw;
    str type;
};

static const struct option set_options[] = {
    CONFIG_COMMON_OPTIONS(struct set_args),
    FLAG(struct set_args, secret, 0, "secret", "Encrypt the value"),
    FLAG(struct set_args, plaintext, 0, "plaintext", "Store the value in plaintext"),
    FLAG(struct set_args, path, 0, "path", "The key is a path into a map or list"),
    FLAG(struct set_args, raw, 0, "raw",
         "Keep newlines at the end of a value read from standard input"),
    TEXT(struct set_args, type, 0, "type", "Type of the value: string, bool, int or float"),
    { 0 },
};

/* The operand, or standard input, or what a person types. */
static fallible cmd_config_set_read_value(struct cli *cli, const struct set_args *args,
                                          struct secret *out)
{
    str text;

    if (cli->operands.len > 1) {
        *out = secret_hide(cli->operands.items[1]);
        return NULL;
    }
    if (isatty(STDIN_FILENO)) {
        if (!cli->terminal.is_interactive)
            return error_new(ERROR_INVALID,
                             "config value must be specified in non-interactive mode");
        if (args->secret)
            return prompt_passphrase(cli, STR("value"), cli->arena, out);
        TRY(prompt_line(cli->arena, "value: ", &text));
    } else {
        TRY(input_read(cli->arena, STR(""), INPUT_VALUE_LIMIT, &text));
        if (!args->raw && str_ends_with(text, STR("\n")))
            text.len--;
    }
    *out = secret_hide(text);
    return NULL;
}

static fallible cmd_config_set_seal(struct cli *cli, struct stack_config *config,
                                    struct config_key key, struct secret value, bool is_path,
                                    struct config_draft *out)
{
    struct secrets *secrets;

    TRY(cli_stack_secrets(cli, cli->stack, config, &secrets));
    return config_draft_set_secret(out, key, value, secrets_crypter(secrets), is_path);
}

static fallible cmd_config_set_put(struct cli *cli, const struct set_args *args,
                                   struct stack_config *config, struct config_key key,
                                   enum config_type type, struct secret value)
{
    struct secrets *secrets;

    if (!args->secret)
        return config_set(cli->arena, &config->config, key, secret_reveal(value), type, args->path);
    TRY(cli_stack_secrets(cli, cli->stack, config, &secrets));
    return config_set_secret(cli->arena, &config->config, key, value, secrets_crypter(secrets),
                             args->path);
}

static struct error *cmd_config_set_run_set(struct cli *cli, const void *args_)
{
    const struct set_args *args = args_;
    enum config_type type = CONFIG_UNTYPED;
    struct stack_config config;
    struct config_key key;
    struct secret value;

    TRY(config_edit_new_key(cli, cli_operand(cli, 0), args->path, &key));
    if (args->type.len)
        TRY(config_type_parse(args->type, &type));
    TRY(cmd_config_set_read_value(cli, args, &value));
    TRY(cli_edit_config(cli, cli->stack, args->common.config_file, &config));
    TRY(error_wrap(cmd_config_set_put(cli, args, &config, key, type, value),
                   "could not set config"));
    return stack_config_save(&config);
}

const struct command cmd_config_set = {
    .path = "config set",
    .operands = "KEY [VALUE]",
    .summary = "Set a configuration value",
    .example = "config set aws:region eu-west-1\n"
               "config set --secret password\n"
               "config set --path servers[0].name web",
    .details = "Without VALUE it is read from standard input.",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct set_args),
    .options = OPTIONS(set_options),
    .exclusive = EXCLUSIVE("secret plaintext", "secret type"),
    .run = cmd_config_set_run_set,
};

struct set_all_args {
    struct config_common common;
    struct strs plaintext;
    struct strs secret;
    bool path;
    str json;
};

static const struct option set_all_options[] = {
    CONFIG_COMMON_OPTIONS(struct set_all_args),
    LIST(struct set_all_args, plaintext, 0, "plaintext",
         "A value to store in plaintext, as KEY=VALUE"),
    LIST(struct set_all_args, secret, 0, "secret", "A value to encrypt, as KEY=VALUE"),
    FLAG(struct set_all_args, path, 0, "path", "The keys are paths into maps or lists"),
    TEXT(struct set_all_args, json, 0, "json", "Values in the form that `config --json` prints"),
    { 0 },
};

/* One member of the JSON form: {"value", "objectValue"?, "secret"?}. */
struct json_entry {
    str name;
    bool has_value;
    str value;
    bool has_object;
    struct value object;
    bool is_secret;
};

static fallible read_plain(struct json_reader *reader, void *entry_)
{
    struct json_entry *entry = entry_;
    enum json_kind kind;

    TRY(json_peek(reader, &kind));
    entry->has_value = kind != JSON_NULL;
    return json_read_string(reader, &entry->value);
}

static fallible read_object(struct json_reader *reader, void *entry_)
{
    struct json_entry *entry = entry_;

    TRY(value_read_exact(reader, &entry->object));
    entry->has_object = entry->object.kind != VALUE_NULL;
    return NULL;
}

static const struct json_field entry_fields[] = {
    { "value", read_plain, 0 },
    { "objectValue", read_object, 0 },
    JSON_FIELD("secret", struct json_entry, is_secret, json_field_bool),
    { 0 },
};

struct json_entries {
    VEC(struct json_entry);
};

static fallible cmd_config_set_read_entry(struct json_reader *reader, str name, void *entries)
{
    struct json_entry entry = { .name = name };

    TRY(json_read_fields(reader, entry_fields, &entry));
    vec_add((struct json_entries *)entries, entry);
    return NULL;
}

static fallible cmd_config_set_entry(struct cli *cli, struct stack_config *config,
                                     const struct json_entry *entry, struct config_draft *out)
{
    struct config_key key;

    if (!entry->has_value)
        return error_new(ERROR_INVALID, "value for --json object key \"" STR_FMT "\" is nil",
                         STR_ARG(entry->name));
    TRY(config_edit_new_key(cli, entry->name, false, &key));
    if (entry->is_secret)
        return cmd_config_set_seal(cli, config, key, secret_hide(entry->value), false, out);
    if (!entry->has_object)
        return config_draft_set(out, key, entry->value, CONFIG_UNTYPED, false);
    return config_draft_put(out, key, entry->object, false);
}

/* A file without a key gets one at once: with nothing else in it that may yet be refused. */
static fallible cmd_config_set_find_key(struct cli *cli, struct stack_config *config)
{
    struct secrets *found;

    return cli_stack_secrets(cli, cli->stack, config, &found);
}

static bool has_secret(const struct json_entries *entries)
{
    for (size_t i = 0; i < entries->len; i++) {
        if (entries->items[i].is_secret)
            return true;
    }
    return false;
}

static fallible set_json(struct cli *cli, struct stack_config *config, struct json_reader *reader)
{
    CLEANUP(vec_drop) struct json_entries entries = { 0 };
    struct config_draft draft;
    struct error *failure = NULL;

    TRY(error_wrap(json_read_members(reader, cmd_config_set_read_entry, &entries),
                   "could not parse --json argument"));
    if (has_secret(&entries))
        TRY(cmd_config_set_find_key(cli, config));
    config_draft_open(&draft, cli->arena, &config->config);
    for (size_t i = 0; i < entries.len && !failure; i++)
        failure = cmd_config_set_entry(cli, config, &entries.items[i], &draft);
    config_draft_close(&draft, failure ? NULL : &config->config);
    return failure;
}

static fallible set_secret(struct cli *cli, struct stack_config *config, str pair, bool is_path,
                           struct config_draft *out)
{
    struct config_key key;
    str value;

    TRY(config_edit_pair(cli, pair, is_path, &key, &value));
    return cmd_config_set_seal(cli, config, key, secret_hide(value), is_path, out);
}

static fallible set_secrets(struct cli *cli, struct stack_config *config, struct strs pairs,
                            bool is_path)
{
    struct config_draft draft;
    struct error *failure = NULL;

    config_draft_open(&draft, cli->arena, &config->config);
    for (size_t i = 0; i < pairs.len && !failure; i++)
        failure = set_secret(cli, config, pairs.items[i], is_path, &draft);
    config_draft_close(&draft, failure ? NULL : &config->config);
    return failure;
}

static struct error *run_set_all(struct cli *cli, const void *args_)
{
    const struct set_all_args *args = args_;
    struct stack_config config;

    if (args->json.len && (args->plaintext.len || args->secret.len || args->path))
        return error_new(
            ERROR_INVALID,
            "the --json option cannot be used with the --plaintext, --secret or --path options");
    TRY(cli_edit_config(cli, cli->stack, args->common.config_file, &config));
    if (args->secret.len)
        TRY(cmd_config_set_find_key(cli, &config));
    TRY(config_edit_set_plain(cli, &config.config, args->plaintext, args->path));
    TRY(set_secrets(cli, &config, args->secret, args->path));
    if (args->json.len) {
        CLEANUP(json_reader_release) struct json_reader reader;
        json_reader_init(&reader, cli->arena, args->json);
        TRY(set_json(cli, &config, &reader));
    }
    return stack_config_save(&config);
}

const struct command cmd_config_set_all = {
    .path = "config set-all",
    .summary = "Set several configuration values",
    .example = "config set-all --plaintext size=3 --secret password=hush",
    .needs = NEEDS_STACK | NEEDS_PROJECT,
    .args_size = sizeof(struct set_all_args),
    .options = OPTIONS(set_all_options),
    .run = run_set_all,
};
