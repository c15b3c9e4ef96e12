/* cmd_plugin_install.c — `plugin` and `plugin install`: puts a plugin into the folder of installed plugins. */
#include "cli/plugin_list.h"

#include "base/hex.h"
#include "base/semver.h"
#include "base/settings.h"
#include "cli/open.h"
#include "plugin/plugin_cache.h"

const struct command cmd_plugin = {
    .path = "plugin",
    .summary = "Manage resource, language and other plugins",
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
    TEXT(struct install_args, file, 'f', "file", "Install from an executable, a folder or a tar.gz archive"),
    TEXT(struct install_args, server, 0, "server", "The URL to download from"),
    TEXT(struct install_args, checksum, 0, "checksum", "The SHA-256 checksum that the archive must have"),
    FLAG(struct install_args, exact, 0, "exact", "Accept no other version than the one named"),
    FLAG(struct install_args, reinstall, 0, "reinstall", "Install it even if it is there"),
    INTEGER_PRESET(struct install_args, parallel, 0, "parallel", "4", "How many to install at a time; 0: all"),
    { 0 },
};

static fallible check_checksum(struct cli *cli, str checksum)
{
    str bytes;

    if (checksum.len > 0 && !hex_decode(cli->arena, checksum, &bytes))
        return error_new(ERROR_INVALID, "--checksum was not a valid hex string: '" STR_FMT "'", STR_ARG(checksum));
    return NULL;
}

/* "name@1.2.3" says it in one word. */
static fallible split_name(struct cli *cli, struct install_request *request)
{
    str version;

    request->version = cli_operand(cli, 2);
    if (!str_cut(request->name, STR("@"), &request->name, &version))
        return NULL;
    if (request->version.len > 0)
        return error_new(ERROR_INVALID, "cannot specify both \"@" STR_FMT "\" and \"" STR_FMT "\" as a version",
                         STR_ARG(version), STR_ARG(request->version));
    request->version = version;
    return NULL;
}

static fallible check_request(const struct install_request *request)
{
    struct semver version;

    if (!plugin_is_kind(request->kind))
        return error_new(ERROR_INVALID, "unrecognized plugin kind: " STR_FMT, STR_ARG(request->kind));
    if (request->name.len == 0)
        return error_new(ERROR_INVALID, "missing plugin name argument");
    if (request->version.len > 0 && !semver_parse_tolerant(request->version, &version))
        return error_new(ERROR_INVALID, "invalid plugin semver: '" STR_FMT "'", STR_ARG(request->version));
    if (request->version.len == 0 && request->file.len > 0)
        return error_new(ERROR_INVALID, "missing plugin version argument, this is required if installing from a file");
    if (!settings_bool("PULUMI_DEV") && plugin_is_bundled(request->kind, request->name))
        return error_new(ERROR_INVALID,
                         "the " STR_FMT " " STR_FMT
                         " plugin is bundled with Pulumi, and cannot be directly installed with this command",
                         STR_ARG(request->name), STR_ARG(request->kind));
    return NULL;
}

/* Any version will do if none is named; a named one must be there exactly. */
static fallible is_installed(struct cli *cli, const struct install_request *request, bool *out)
{
    struct plugin_entries entries;
    struct semver wanted;
    bool has_version = semver_parse_tolerant(request->version, &wanted);
    bool accepts_newer = settings_text("PULUMI_ENABLE_LEGACY_PLUGIN_SEARCH").len > 0;

    *out = false;
    TRY(error_wrap(plugin_cache_list(cli->arena, request->home, &entries), "loading plugins"));
    for (size_t i = 0; i < entries.len; i++) {
        const struct plugin_entry *entry = &entries.items[i];
        int order = has_version ? semver_compare(&entry->version, &wanted) : 0;
        if (str_equal(entry->kind, request->kind) && str_equal(entry->name, request->name)
            && (order == 0 || (accepts_newer && order > 0)))
            *out = true;
    }
    return NULL;
}

static fallible install_named(struct cli *cli, const struct install_args *args)
{
    struct install_request request;
    bool is_there = false;

    TRY(plugin_list_request(cli, &request));
    request.kind = cli_operand(cli, 0);
    request.name = cli_operand(cli, 1);
    request.file = args->file;
    request.url = args->server;
    request.checksum = args->checksum;
    TRY(split_name(cli, &request));
    TRY(check_request(&request));
    TRY(check_checksum(cli, args->checksum));
    if (args->reinstall)
        request.reinstalls = true;
    else if (!args->exact || request.version.len > 0)
        TRY(is_installed(cli, &request, &is_there));
    return is_there ? NULL : plugin_list_install_one(cli, &request);
}

static fallible install_of_project(struct cli *cli, const struct install_args *args)
{
    struct needed_plugins plugins;

    if (args->file.len > 0)
        return error_new(ERROR_INVALID, "--file (-f) is only valid if a specific package is being installed");
    if (args->checksum.len > 0)
        return error_new(ERROR_INVALID, "--checksum is only valid if a specific package is being installed");
    TRY(cli_open_project(cli));
    TRY(plugin_list_of_project(cli, &plugins));
    return plugin_list_install(cli, &plugins, args->reinstall, args->parallel);
}

static struct error *run(struct cli *cli, const void *args)
{
    return cli->operands.len > 0 ? install_named(cli, args) : install_of_project(cli, args);
}

const struct command cmd_plugin_install = {
    .path = "plugin install",
    .operands = "[KIND] [NAME] [VERSION]",
    .summary = "Install a plugin, or all that the project needs",
    .details = "KIND is resource, language, analyzer, converter or tool. VERSION is exact; without one the newest is "
               "looked up, which not every server can tell.",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct install_args),
    .options = OPTIONS(options),
    .run = run,
};
