/* cmd_logs.c — `logs` and its commands: the log files that -v leaves. */
#include "cli/log_list.h"
#include "cli/open.h"
#include "cli/package/plugin_list.h"
#include "cli/screen/json_print.h"
#include "cli/screen/prompt.h"
#include "cli/screen/table.h"
#include "cli/screen/time_text.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/settings.h"

#include <stdio.h>

struct logs_args {
    str stack;
    str config_file;
    bool follow;
    bool json;
    str output;
    str resource;
    str since;
    bool all;
    str before;
    bool latest;
    bool yes;
};

/* All commands below `logs` take these, because the menu does. */
static const struct option logs_options[] = {
    TEXT(struct logs_args, stack, 's', "stack", "The stack; the selected one by default"),
    TEXT(struct logs_args, config_file, 0, "config-file",
         "Use this file instead of Pulumi.<stack>.yaml"),
    FLAG(struct logs_args, follow, 'f', "follow", "No effect here: there is nothing to follow"),
    FLAG(struct logs_args, json, 'j', "json", "Print JSON"),
    TEXT(struct logs_args, resource, 'r', "resource", "Only logs of this resource"),
    TEXT_PRESET(struct logs_args, since, 0, "since", "1h",
                "Only what is newer: a time, or how long ago"),
    { 0 },
};
static const struct option inherited_options[] = {
    TEXT(struct logs_args, stack, 's', "stack", "Only logs of commands on this stack"),
    TEXT(struct logs_args, config_file, 0, "config-file",
         "No effect here: it is an option of `logs`"),
    FLAG(struct logs_args, follow, 'f', "follow", "No effect here: it is an option of `logs`"),
    FLAG(struct logs_args, json, 'j', "json", "Print JSON"),
    TEXT(struct logs_args, resource, 'r', "resource", "No effect here: it is an option of `logs`"),
    TEXT(struct logs_args, since, 0, "since", "Only what is newer: a time, or how long ago"),
    { 0 },
};

static fallible logs_time(str text, const char *option, int64_t otherwise, int64_t *out)
{
    *out = otherwise;
    if (!text.len || log_time_parse(text, clock_now(), out))
        return NULL;
    return error_new(ERROR_INVALID,
                     "--%s '" STR_FMT "' is neither a time (2026-11-16T10:00:00Z) nor how long ago "
                     "(30m, 1h30m, 7d)",
                     option, STR_ARG(text));
}

/* --- logs --- */

static struct error *cmd_logs_run(struct cli *cli, const void *args_)
{
    const struct logs_args *args = args_;
    int64_t since;

    TRY(logs_time(args->since, "since", 0, &since));
    if (args->json)
        puts("[]");
    else
        printf("Collecting logs for stack " STR_FMT " since " STR_FMT ".\n\n",
               STR_ARG(cli_stack_name(cli, cli->stack)),
               STR_ARG(clock_format_ms(cli->arena, since)));
    cli_report(cli, "warning",
               STR("logs of cloud functions are not collected here: the tools of "
                   "the cloud show them"));
    return NULL;
}

const struct command cmd_logs = {
    .path = "logs",
    .summary = "Show logs of the functions of a stack; manage our own logs",
    .details = "The logs of cloud functions are not collected yet. `logs list` shows the files\n"
               "that commands with -v leave.",
    .example = "logs --since 1h\nlogs list",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct logs_args),
    .options = OPTIONS(logs_options),
    .run = cmd_logs_run,
};

/* --- logs list --- */

/* A short name means a stack of any project. */
static bool logs_is_of_stack(const struct log_entry *entry, str stack)
{
    str head, name;

    return str_equal(entry->stack, stack)
           || (str_cut_last(entry->stack, STR("/"), &head, &name) && str_equal(name, stack));
}

/* What the options mean; they must be of that age. */
static fallible logs_find(struct cli *cli, const struct logs_args *args, struct log_entries *out)
{
    int64_t since, before;
    size_t kept = 0;

    TRY(logs_time(args->since, "since", INT64_MIN, &since));
    TRY(logs_time(args->before, "before", INT64_MAX, &before));
    TRY(log_list(cli->arena, out));
    for (size_t i = 0; i < out->len; i++) {
        const struct log_entry *entry = &out->items[i];
        bool is_own = str_equal(entry->path, cli->log_file); /* it is being written */
        if (!is_own && entry->time >= since && entry->time < before
            && (!args->stack.len || logs_is_of_stack(entry, args->stack)))
            out->items[kept++] = *entry;
    }
    out->len = kept;
    return NULL;
}

static void logs_print_json(struct cli *cli, const struct log_entries *logs)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_array(writer);
    for (size_t i = 0; i < logs->len; i++) {
        const struct log_entry *entry = &logs->items[i];
        const struct {
            str key, text;
        } members[] = {
            { STR("file"), entry->file },
            { STR("path"), entry->path },
            { STR("stack"), entry->stack },
            { STR("timestamp"), clock_format_ms(cli->arena, entry->time) },
            { STR("command"), entry->command },
        };
        json_begin_object(writer);
        for (size_t j = 0; j < sizeof(members) / sizeof(*members); j++) {
            if (!members[j].text.len)
                continue;
            json_key(writer, members[j].key);
            json_string(writer, members[j].text);
        }
        json_key(writer, STR("pid"));
        json_integer(writer, (int64_t)entry->pid);
        json_key(writer, STR("size"));
        json_integer(writer, (int64_t)entry->size);
        json_end_object(writer);
    }
    json_end_array(writer);
    json_print_end(&print);
}

static const struct option list_options[] = {
    TEXT(struct logs_args, output, 0, "output", "How to print: default or json"),
    { 0 },
};

static struct error *cmd_logs_list_run(struct cli *cli, const void *args_)
{
    const struct logs_args *args = args_;
    struct table table = { .columns = 5 };
    struct log_entries logs;
    bool is_json;

    TRY(output_is_json(args->output, args->json, &is_json));
    TRY(logs_find(cli, args, &logs));
    if (is_json) {
        logs_print_json(cli, &logs);
        return NULL;
    }
    TABLE_ADD(&table, STR("STACK"), STR("CREATED"), STR("COMMAND"), STR("SIZE"), STR("FILE"));
    for (size_t i = 0; i < logs.len; i++) {
        const struct log_entry *entry = &logs.items[i];
        TABLE_ADD(&table, entry->stack.len ? entry->stack : STR("n/a"),
                  time_ago(cli->arena, entry->time),
                  entry->command.len ? entry->command : STR("n/a"),
                  plugin_list_size(cli->arena, entry->size), entry->file);
    }
    table_print(&table, cli->terminal.color);
    table_release(&table);
    return NULL;
}

const struct command cmd_logs_list = {
    .path = "logs list",
    .aliases = "ls",
    .summary = "List the log files that commands with -v have left",
    .example = "logs list\nlogs list --stack dev --output json",
    .args_size = sizeof(struct logs_args),
    .options = OPTIONS(inherited_options, list_options),
    .exclusive = EXCLUSIVE("output json"),
    .run = cmd_logs_list_run,
};

/* --- choosing one --- */

static fallible logs_choose(struct cli *cli, const char *question, struct log_entries *logs)
{
    size_t chosen;

    if (!logs->len)
        return error_new(ERROR_NOT_FOUND, "there are no log files");
    const char **names = ARENA_ARRAY(cli->arena, const char *, logs->len + 1);
    for (size_t i = 0; i < logs->len; i++)
        names[i] = arena_cstr(cli->arena, logs->items[i].file);
    TRY(error_wrap(prompt_choice(cli, question, names, 0, &chosen), "no log file was chosen"));
    *logs = (struct log_entries){ &logs->items[chosen], 1 };
    return NULL;
}

/* The one that the operand names, by its name or its path. */
static fallible logs_named(struct cli *cli, struct log_entries *logs)
{
    str name = cli_operand(cli, 0);

    for (size_t i = 0; i < logs->len; i++) {
        if (!str_equal(logs->items[i].file, name) && !str_equal(logs->items[i].path, name))
            continue;
        *logs = (struct log_entries){ &logs->items[i], 1 };
        return NULL;
    }
    return error_new(ERROR_NOT_FOUND, "there is no log file '" STR_FMT "'", STR_ARG(name));
}

/* --- logs remove --- */

static const struct option remove_options[] = {
    FLAG(struct logs_args, all, 0, "all", "Remove all log files"),
    TEXT(struct logs_args, before, 0, "before", "Remove what is older: a time, or how long ago"),
    FLAG(struct logs_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

static struct error *cmd_logs_remove_run(struct cli *cli, const void *args_)
{
    const struct logs_args *args = args_;
    bool has_filter = args->all || args->before.len || args->stack.len;
    struct log_entries logs;

    if (!has_filter && !cli->operands.len && !cli->terminal.is_interactive)
        return error_new(ERROR_INVALID,
                         "cannot prompt for a log file in non-interactive mode; pass "
                         "--all, --before, or --stack");
    TRY(logs_find(cli, args, &logs));
    if (cli->operands.len)
        TRY(logs_named(cli, &logs));
    else if (!has_filter)
        TRY(logs_choose(cli, "Select the log file to remove", &logs));
    if (!logs.len) {
        puts("No log files found");
        return NULL;
    }
    if (!args->yes && !settings_bool("PULUMI_SKIP_CONFIRMATIONS"))
        TRY(prompt_confirm_name(
            cli, arena_printf(cli->arena, "This will remove %zu log file(s)!", logs.len).ptr,
            STR("yes")));
    for (size_t i = 0; i < logs.len; i++)
        TRY(fs_remove_if_present(logs.items[i].path));
    printf("Removed %zu log file(s)\n", logs.len);
    return NULL;
}

const struct command cmd_logs_remove = {
    .path = "logs remove",
    .aliases = "rm delete",
    .operands = "[FILE]",
    .summary = "Remove log files",
    .example = "logs remove --before 7d --yes\nlogs remove --all",
    .args_size = sizeof(struct logs_args),
    .options = OPTIONS(inherited_options, remove_options),
    .run = cmd_logs_remove_run,
};

/* --- logs decrypt --- */

static const struct option decrypt_options[] = {
    FLAG(struct logs_args, latest, 0, "latest", "The newest one"),
    { 0 },
};

static struct error *cmd_logs_decrypt_run(struct cli *cli, const void *args_)
{
    const struct logs_args *args = args_;
    struct log_entries logs;
    str text;

    if (args->latest && cli->operands.len)
        return error_new(ERROR_INVALID, "only one of FILE and --latest may be given");
    if (!args->latest && !cli->operands.len && !cli->terminal.is_interactive)
        return error_new(ERROR_INVALID,
                         "cannot prompt for a log file in non-interactive mode; pass FILE or "
                         "--latest");
    TRY(logs_find(cli, args, &logs));
    if (cli->operands.len)
        TRY(logs_named(cli, &logs));
    else if (!args->latest)
        TRY(logs_choose(cli, "Select the log file to show", &logs));
    if (!logs.len)
        return error_new(ERROR_NOT_FOUND, "there are no log files");
    TRY(fs_read(cli->arena, logs.items[0].path, FS_ANY_SIZE, &text));
    fwrite(text.ptr, 1, text.len, stdout);
    return NULL;
}

const struct command cmd_logs_decrypt = {
    .path = "logs decrypt",
    .operands = "[FILE]",
    .summary = "Print a log file",
    .details = "Our logs hold nothing secret and are not encrypted; they are printed as they are.",
    .example = "logs decrypt --latest",
    .args_size = sizeof(struct logs_args),
    .options = OPTIONS(inherited_options, decrypt_options),
    .run = cmd_logs_decrypt_run,
};
