/* cmd_plugin_ls.c — `plugin list` (ls): the plugins that are installed. */
#include "cli/open.h"
#include "cli/screen/json_print.h"
#include "cli/package/plugin_list.h"
#include "cli/package/plugin_open.h"
#include "cli/screen/table.h"
#include "cli/screen/time_text.h"

#include "base/clock.h"
#include "plugin/plugin_cache.h"

#include <stdio.h>

struct list_args {
    bool project;
    str output;
    bool json;
};

static const struct option options[] = {
    FLAG(struct list_args, project, 'p', "project", "Only those that the project needs"),
    TEXT(struct list_args, output, 0, "output", "How to print: default or json"),
    FLAG(struct list_args, json, 'j', "json", NULL),
    { 0 },
};

static void cmd_plugin_ls_print_json(struct cli *cli, const struct plugin_entries *entries,
                                     const struct plugin_usage *usages)
{
    struct json_print print;
    struct json_writer *writer = json_print_begin(&print, 2);

    json_begin_array(writer);
    for (size_t i = 0; i < entries->len; i++) {
        json_begin_object(writer);
        json_key(writer, STR("name"));
        json_string(writer, entries->items[i].name);
        json_key(writer, STR("kind"));
        json_string(writer, entries->items[i].kind);
        if (!entries->items[i].is_outside) {
            json_key(writer, STR("version"));
            json_string(writer, semver_format(cli->arena, &entries->items[i].version));
        }
        json_key(writer, STR("size"));
        json_integer(writer, (int64_t)usages[i].size);
        json_key(writer, STR("installTime"));
        json_string(writer, clock_format_ms(cli->arena, usages[i].installed));
        json_key(writer, STR("lastUsedTime"));
        json_string(writer, clock_format_ms(cli->arena, usages[i].last_used));
        json_end_object(writer);
    }
    json_end_array(writer);
    json_print_end(&print);
}

static void cmd_plugin_ls_print_table(struct cli *cli, const struct plugin_entries *entries,
                                      const struct plugin_usage *usages)
{
    struct table table = { .columns = 6 };
    uint64_t total = 0;

    TABLE_ADD(&table, STR("NAME"), STR("KIND"), STR("VERSION"), STR("SIZE"), STR("INSTALLED"),
              STR("LAST USED"));
    for (size_t i = 0; i < entries->len; i++) {
        const struct plugin_entry *entry = &entries->items[i];
        TABLE_ADD(&table, entry->name, entry->kind,
                  entry->is_outside ? STR("") : semver_format(cli->arena, &entry->version),
                  usages[i].size > 0 ? plugin_list_size(cli->arena, usages[i].size) : STR("n/a"),
                  time_ago(cli->arena, usages[i].installed),
                  time_ago(cli->arena, usages[i].last_used));
        total += usages[i].size;
    }
    table_print(&table, cli->terminal.color);
    table_release(&table);
    printf("\nTOTAL plugin cache size: " STR_FMT "\n",
           STR_ARG(plugin_list_size(cli->arena, total)));
}

static bool cmd_plugin_ls_is_needed(const struct plugin_entry *entry,
                                    const struct needed_plugins *needed)
{
    for (size_t i = 0; i < needed->len; i++) {
        struct semver wanted;
        if (!str_equal(needed->items[i].package.name, entry->name)
            || !str_equal(needed->items[i].package.kind, entry->kind))
            continue;
        if (!semver_parse_tolerant(needed->items[i].package.version, &wanted)
            || semver_compare(&wanted, &entry->version) == 0)
            return true;
    }
    return false;
}

/* The project's language host is needed, too; it comes with us or is on the search path. */
static fallible add_language(struct cli *cli, struct plugin_host *host,
                             struct plugin_entries *entries)
{
    const struct package_ref wanted = { .kind = STR("language"), .name = cli->project->runtime };
    struct plugin_entry *all = ARENA_ARRAY(cli->arena, struct plugin_entry, entries->len + 1);
    struct plugin_entry language = { .kind = wanted.kind, .name = wanted.name, .is_outside = true };

    for (size_t i = 0; i < entries->len; i++) {
        if (str_equal(entries->items[i].kind, wanted.kind))
            return NULL;
        all[i] = entries->items[i];
    }
    TRY(plugin_find(host, &wanted, true, cli->arena, &language.folder));
    all[entries->len] = language;
    *entries = (struct plugin_entries){ all, entries->len + 1 };
    return NULL;
}

static fallible keep_needed(struct cli *cli, struct plugin_entries *entries)
{
    struct needed_plugins needed;
    struct plugin_host *host;
    size_t kept = 0;

    TRY(cli_open_project(cli));
    TRY(cli_open_plugins(cli, cli->project->directory, &host));
    struct error *failure = plugin_list_of_program(cli, host, &needed);
    for (size_t i = 0; !failure && i < entries->len; i++)
        if (cmd_plugin_ls_is_needed(&entries->items[i], &needed))
            entries->items[kept++] = entries->items[i];
    entries->len = kept;
    if (!failure)
        failure = add_language(cli, host, entries);
    plugin_host_close(host);
    return error_wrap(failure, "loading project plugins");
}

static struct error *cmd_plugin_ls_run(struct cli *cli, const void *args_)
{
    const struct list_args *args = args_;
    struct plugin_entries entries;
    bool is_json;
    str home;

    TRY(output_is_json(args->output, args->json, &is_json));
    TRY(cli_home(cli, &home));
    TRY(error_wrap(plugin_cache_list(cli->arena, home, &entries), "loading plugins"));
    if (args->project)
        TRY(keep_needed(cli, &entries));
    struct plugin_usage *usages = ARENA_ARRAY(cli->arena, struct plugin_usage, entries.len);
    for (size_t i = 0; i < entries.len; i++)
        TRY(plugin_cache_usage(&entries.items[i], &usages[i]));
    if (is_json)
        cmd_plugin_ls_print_json(cli, &entries, usages);
    else
        cmd_plugin_ls_print_table(cli, &entries, usages);
    return NULL;
}

const struct command cmd_plugin_ls = {
    .path = "plugin list",
    .aliases = "ls",
    .summary = "List the plugins that are installed",
    .example = "plugin ls\n"
               "plugin ls --project --output json",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct list_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("output json"),
    .run = cmd_plugin_ls_run,
};
