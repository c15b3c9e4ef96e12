/* cmd_plugin_run.c — `plugin run`: starts the executable of a plugin as if it were a command. */
#include "cli/open.h"
#include "cli/package/plugin_open.h"
#include "cli/screen/foreground.h"

#include "base/fs.h"
#include "plugin/plugin_cache.h"

struct plugin_run_args {
    str kind;
};

static const struct option options[] = {
    TEXT_PRESET(struct plugin_run_args, kind, 0, "kind", "tool", "The kind of the plugin"),
    { 0 },
};

static bool plugin_run_is_path(str name)
{
    return str_starts_with(name, STR("/")) || str_starts_with(name, STR("./"))
           || str_starts_with(name, STR("../"));
}

/* The executable that NAME[@VERSION] means. */
static fallible plugin_run_find(struct cli *cli, str kind, str name, str *out)
{
    struct package_ref wanted = { .kind = kind, .name = name };
    struct plugin_host *host;
    str here;

    str_cut(name, STR("@"), &wanted.name, &wanted.version);
    if (!plugin_is_cache_name(wanted.name))
        return error_new(ERROR_INVALID, "invalid plugin name \"" STR_FMT "\"",
                         STR_ARG(wanted.name));
    TRY(cli_current_directory(cli, &here));
    TRY(cli_open_plugins(cli, here, &host));
    struct error *failure = plugin_find(host, &wanted, false, cli->arena, out);
    plugin_host_close(host);
    return error_wrap(failure, "could not get plugin path");
}

static struct error *cmd_plugin_run_run(struct cli *cli, const void *args_)
{
    const struct plugin_run_args *args = args_;
    str path = cli_operand(cli, 0);

    if (!plugin_is_kind(args->kind))
        return error_new(ERROR_INVALID, "unrecognized plugin kind: " STR_FMT, STR_ARG(args->kind));
    if (!plugin_run_is_path(path))
        TRY(plugin_run_find(cli, args->kind, path, &path));
    if (!fs_is_file(path))
        return error_new(ERROR_NOT_FOUND,
                         "'" STR_FMT "' is no executable: only plugins that are programs by "
                         "themselves can be run",
                         STR_ARG(path));
    const char **argv = ARENA_ARRAY(cli->arena, const char *, cli->operands.len + 1);
    argv[0] = arena_cstr(cli->arena, path);
    for (size_t i = 1; i < cli->operands.len; i++)
        argv[i] = arena_cstr(cli->arena, cli->operands.items[i]);
    return foreground_become(argv[0], argv);
}

const struct command cmd_plugin_run = {
    .path = "plugin run",
    .operands = "NAME[@VERSION] [ARGUMENT...]",
    .summary = "Run the executable of an installed plugin",
    .details = "Without a version the newest one runs. A path with a slash names an executable.\n"
               "Options behind `--` are the plugin's. The exit code is the plugin's.",
    .example = "plugin run my-tool -- --verbose\n"
               "plugin run --kind resource random@4.16.0 -- --help",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct plugin_run_args),
    .options = OPTIONS(options),
    .run = cmd_plugin_run_run,
};
