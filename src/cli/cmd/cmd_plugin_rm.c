/* cmd_plugin_rm.c — `plugin remove` (rm): takes plugins out of the directory of installed
 * plugins. */
#include "cli/open.h"
#include "cli/screen/prompt.h"

#include "base/fs.h"
#include "base/semver_range.h"
#include "base/settings.h"
#include "plugin/plugin_cache.h"

#include <stdio.h>

struct remove_args {
    bool all;
    bool yes;
};

static const struct option options[] = {
    FLAG(struct remove_args, all, 'a', "all", "Remove all plugins"),
    FLAG(struct remove_args, yes, 'y', "yes", "Do not ask for confirmation"),
    { 0 },
};

/* Those that the operands do not mean are dropped from the list. */
static fallible keep_meant(struct cli *cli, struct plugin_entries *entries)
{
    str kind = cli_operand(cli, 0), name = cli_operand(cli, 1), range = cli_operand(cli, 2);
    size_t kept = 0;

    for (size_t i = 0; i < entries->len; i++) {
        const struct plugin_entry *entry = &entries->items[i];
        bool is_meant = (kind.len == 0 || str_equal(entry->kind, kind))
                        && (name.len == 0 || str_equal(entry->name, name));
        if (is_meant && range.len > 0)
            TRY(error_wrap(semver_in_range(&entry->version, range, &is_meant),
                           "invalid plugin semver"));
        if (is_meant)
            entries->items[kept++] = *entry;
    }
    entries->len = kept;
    return NULL;
}

/* A range is parsed even when there is nothing to compare it with. An empty operand is a variable
 * that was not set, and stands for nothing: least of all for every plugin. */
static fallible cmd_plugin_rm_check_operands(struct cli *cli, bool is_all)
{
    static const struct semver any = { .major = 1 };
    str kind = cli_operand(cli, 0), range = cli_operand(cli, 2);
    bool is_in;

    if (cli->operands.len == 0 && !is_all)
        return error_new(ERROR_INVALID, "please pass --all if you'd like to remove all plugins");
    if (cli->operands.len > 0 && !plugin_is_kind(kind))
        return error_new(ERROR_INVALID, "unrecognized plugin kind: " STR_FMT, STR_ARG(kind));
    if (cli->operands.len > 1 && !cli_operand(cli, 1).len)
        return error_new(ERROR_INVALID, "the name of the plugin is empty");
    if (cli->operands.len > 2)
        TRY(error_wrap(semver_in_range(&any, range, &is_in), "invalid plugin semver"));
    return NULL;
}

static fallible cmd_plugin_rm_confirm(struct cli *cli, const struct plugin_entries *entries)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str warning = arena_printf(&scratch, "This will remove %zu plugin%s from the cache:\n",
                               entries->len, entries->len == 1 ? "" : "s");

    for (size_t i = 0; i < entries->len; i++)
        warning = arena_concat(&scratch, warning, STR("    "), entries->items[i].kind, STR(" "),
                               plugin_entry_text(&scratch, &entries->items[i]), STR("\n"));
    if (prompt_typed(cli, warning.ptr, STR("yes")))
        return NULL;
    return cli->terminal.is_interactive
               ? error_new(ERROR_OTHER, "confirmation declined")
               : error_new(ERROR_INVALID, "non-interactive mode requires --yes flag");
}

static fallible remove_one(struct cli *cli, const struct plugin_entry *entry)
{
    str name = plugin_entry_text(cli->arena, entry);
    int lock;

    TRY(plugin_cache_lock(entry->folder, &lock));
    struct error *failure = plugin_cache_remove(entry->folder);
    fs_unlock(lock);
    if (failure)
        return error_wrap(failure, "failed to delete " STR_FMT " plugin " STR_FMT,
                          STR_ARG(entry->kind), STR_ARG(name));
    printf("removed: " STR_FMT " " STR_FMT "\n", STR_ARG(entry->kind), STR_ARG(name));
    return NULL;
}

static struct error *cmd_plugin_rm_run(struct cli *cli, const void *args_)
{
    const struct remove_args *args = args_;
    struct plugin_entries entries;
    struct error *failure = NULL;
    str home;

    TRY(cmd_plugin_rm_check_operands(cli, args->all));
    TRY(cli_home(cli, &home));
    TRY(error_wrap(plugin_cache_list(cli->arena, home, &entries), "loading plugins"));
    TRY(keep_meant(cli, &entries));
    if (entries.len == 0) {
        fputs("no plugins found to uninstall\n", stderr);
        return NULL;
    }
    if (!args->yes && !settings_bool("PULUMI_SKIP_CONFIRMATIONS"))
        TRY(cmd_plugin_rm_confirm(cli, &entries));
    for (size_t i = 0; i < entries.len; i++)
        failure = error_join(failure, remove_one(cli, &entries.items[i]));
    return failure;
}

const struct command cmd_plugin_rm = {
    .path = "plugin remove",
    .aliases = "rm delete",
    .operands = "[KIND] [NAME] [VERSION]",
    .summary = "Remove installed plugins",
    .example = "plugin rm resource random\n"
               "plugin rm --all --yes",
    .details = "Without a VERSION all versions go. VERSION may be a range.",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct remove_args),
    .options = OPTIONS(options),
    .run = cmd_plugin_rm_run,
};
