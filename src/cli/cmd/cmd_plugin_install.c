/* cmd_plugin_install.c — `plugin` and `plugin install`: puts a plugin into the directory of
 * installed plugins. */
#include "cli/package/plugin_list.h"

#include "base/fs.h"
#include "base/hex.h"
#include "base/semver.h"
#include "base/settings.h"
#include "cli/screen/interrupt.h"
#include "cli/open.h"
#include "cli/package/plugin_open.h"
#include "plugin/plugin_cache.h"
#include "plugin/plugin_git.h"
#include "plugin/plugin_project.h"

const struct command cmd_plugin = {
    .path = "plugin",
    .summary = "Manage resource, language and other plugins",
    .example = "plugin ls",
};

struct install_args {
    str file;
    str server;
    str checksum;
    bool exact;
    bool reinstall;
    int64_t parallel;
};

static const struct option options[] = {
    TEXT(struct install_args, file, 'f', "file",
         "Install from an executable, a folder or a tar.gz archive"),
    TEXT(struct install_args, server, 0, "server", "The URL to download from"),
    TEXT(struct install_args, checksum, 0, "checksum",
         "The SHA-256 checksum that the archive must have"),
    FLAG(struct install_args, exact, 0, "exact", "Accept no other version than the one named"),
    FLAG(struct install_args, reinstall, 0, "reinstall", "Install it even if it is there"),
    INTEGER_PRESET(struct install_args, parallel, 0, "parallel", "4",
                   "How many to install at a time; 0: all"),
    { 0 },
};

static fallible check_checksum(struct cli *cli, str checksum)
{
    str bytes;

    if (checksum.len > 0 && !hex_decode(cli->arena, checksum, &bytes))
        return error_new(ERROR_INVALID, "--checksum was not a valid hex string: '" STR_FMT "'",
                         STR_ARG(checksum));
    return NULL;
}

/* "name@1.2.3" gives name and version in one argument; "github.com/owner/repository" is a name
 * too. */
static fallible split_name(struct cli *cli, struct install_request *request)
{
    str version;

    request->package.version = cli_operand(cli, 2);
    TRY(plugin_git_name(cli->arena, &request->package.name, &request->package.version,
                        &request->package.download_url));
    if (plugin_is_git(request->package.download_url))
        return NULL;
    if (!str_cut(request->package.name, STR("@"), &request->package.name, &version))
        return NULL;
    if (request->package.version.len > 0)
        return error_new(ERROR_INVALID,
                         "cannot specify both \"@" STR_FMT "\" and \"" STR_FMT "\" as a version",
                         STR_ARG(version), STR_ARG(request->package.version));
    request->package.version = version;
    return NULL;
}

/* In a project that has a package of that name, that is what is meant. */
static fallible ask_project(struct cli *cli, struct install_request *request)
{
    str here, path;

    TRY(cli_current_directory(cli, &here));
    struct error *absence = project_find(cli->arena, here, &path);
    if (absence) {
        error_ignore(absence, "a plugin can be installed anywhere");
        return NULL;
    }
    TRY(cli_open_project(cli));
    for (size_t i = 0; i < cli->project->package_count; i++) {
        const struct project_package *package = &cli->project->packages[i];
        if (!str_equal(package->name, request->package.name)
            || plugin_source_is_folder(package->source))
            continue;
        request->package.name = package->source;
        request->package.version = package->version;
        request->package.download_url = package->download_url;
        return plugin_git_name(cli->arena, &request->package.name, &request->package.version,
                               &request->package.download_url);
    }
    return NULL;
}

/* Not all that the reference comes with is here: .NET and Java are not. */
static bool is_bundled_here(const struct package_ref *package)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str file = arena_concat(&scratch, STR("pulumi-"), package->kind, STR("-"), package->name);

    return plugin_is_bundled(package->kind, package->name)
           && fs_exists(fs_path_join(&scratch, cli_bundled_directory(&scratch), file));
}

static fallible cmd_plugin_install_check_request(const struct install_request *request)
{
    struct semver version;

    if (!plugin_is_kind(request->package.kind))
        return error_new(ERROR_INVALID, "unrecognized plugin kind: " STR_FMT,
                         STR_ARG(request->package.kind));
    if (request->package.name.len == 0)
        return error_new(ERROR_INVALID, "missing plugin name argument");
    if (request->package.version.len > 0
        && !semver_parse_tolerant(request->package.version, &version))
        return error_new(ERROR_INVALID, "invalid plugin semver: '" STR_FMT "'",
                         STR_ARG(request->package.version));
    if (request->package.version.len == 0 && request->file.len > 0)
        return error_new(
            ERROR_INVALID,
            "missing plugin version argument, this is required if installing from a file");
    if (!settings_bool("PULUMI_DEV") && is_bundled_here(&request->package))
        return error_new(
            ERROR_INVALID,
            "the " STR_FMT " " STR_FMT
            " plugin is bundled with Pulumi, and cannot be directly installed with this command",
            STR_ARG(request->package.name), STR_ARG(request->package.kind));
    return NULL;
}

static fallible install_request(struct cli *cli, struct install_request *request)
{
    str here;

    TRY(cli_current_directory(cli, &here));
    TRY(cli_open_plugins(cli, here, &request->host));
    struct error *failure = plugin_list_install_one(cli, request);
    plugin_host_close(request->host);
    return failure;
}

static fallible install_named(struct cli *cli, const struct install_args *args)
{
    struct install_request request;
    bool is_there = false;

    TRY(plugin_list_request(cli, &request));
    request.package.kind = cli_operand(cli, 0);
    request.package.name = cli_operand(cli, 1);
    request.file = args->file;
    request.package.download_url = args->server;
    request.checksum = args->checksum;
    TRY(split_name(cli, &request));
    if (str_equal(request.package.kind, STR("resource")) && request.file.len == 0
        && request.package.download_url.len == 0 && request.package.version.len == 0)
        TRY(ask_project(cli, &request));
    TRY(cmd_plugin_install_check_request(&request));
    TRY(check_checksum(cli, args->checksum));
    if (args->reinstall)
        request.reinstalls = true;
    else if (!args->exact || request.package.version.len > 0)
        TRY(plugin_list_has(cli, &request, &is_there));
    return is_there ? NULL : install_request(cli, &request);
}

static fallible install_of_project(struct cli *cli, const struct install_args *args)
{
    struct needed_plugins plugins;
    struct plugin_host *host;

    if (args->file.len > 0)
        return error_new(ERROR_INVALID,
                         "--file (-f) is only valid if a specific package is being installed");
    if (args->checksum.len > 0)
        return error_new(ERROR_INVALID,
                         "--checksum is only valid if a specific package is being installed");
    TRY(cli_open_project(cli));
    TRY(cli_open_plugins(cli, cli->project->directory, &host));
    struct error *failure = plugin_list_of_program(cli, host, &plugins);
    for (size_t i = 0; !failure && args->server.len > 0 && i < plugins.len; i++)
        plugins.items[i].package.download_url = args->server;
    if (!failure)
        failure = plugin_list_install(cli, host, &plugins, args->reinstall, args->parallel);
    plugin_host_close(host);
    return failure;
}

static struct error *cmd_plugin_install_one(struct cli *cli, const void *args)
{
    return cli->operands.len > 0 ? install_named(cli, args) : install_of_project(cli, args);
}

static struct error *cmd_plugin_install_run(struct cli *cli, const void *args)
{
    return cli_interruptible(cli, args, cmd_plugin_install_one);
}

const struct command cmd_plugin_install = {
    .path = "plugin install",
    .operands = "[KIND] [NAME] [VERSION]",
    .summary = "Install a plugin, or all that the project needs",
    .example = "plugin install\n"
               "plugin install resource random 4.16.0",
    .details = "KIND is resource, language, analyzer, converter or tool. VERSION is exact; without "
               "one the newest is "
               "looked up, which not every server can tell.",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct install_args),
    .options = OPTIONS(options),
    .run = cmd_plugin_install_run,
};
