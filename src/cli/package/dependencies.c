/* dependencies.c — installs what a program, a plugin or a policy pack is built on, and the plugins
 * it needs. */
#include "cli/package/dependencies.h"

#include "cli/open.h"
#include "cli/package/package_code.h"
#include "cli/package/plugin_list.h"
#include "cli/package/plugin_open.h"
#include "cli/package/virtualenv.h"

#include "base/fs.h"
#include "plugin/language.h"
#include "plugin/plugin_project.h"

#include <stdio.h>
#include <unistd.h>

/* --- output --- */

static void dependencies_write_output(void *context, bool is_error, str bytes)
{
    FILE *file = is_error ? stderr : stdout;

    (void)context;
    fwrite(bytes.ptr, 1, bytes.len, file);
    fflush(file);
}

static const struct dependency_output output = { NULL, dependencies_write_output };

/* --- a project --- */

static fallible install_source(struct cli *cli, struct plugin_host *host, str kind, str folder,
                               const struct install_wishes *wishes);

/* In their order: each finds what it is built on. What has no PulumiPlugin.yaml needs nothing. */
static fallible install_folders(struct cli *cli, struct plugin_host *host,
                                struct plugin_folders folders, const struct install_wishes *wishes)
{
    for (size_t i = 0; i < folders.len; i++)
        if (plugin_project_exists(cli->arena, folders.items[i].path))
            TRY(error_wrap(
                install_source(cli, host, STR("resource"), folders.items[i].path, wishes),
                "package '" STR_FMT "'", STR_ARG(folders.items[i].name)));
    return NULL;
}

static fallible install_folders_of_project(struct cli *cli, struct plugin_host *host,
                                           const struct install_wishes *wishes)
{
    struct plugin_folders folders;

    TRY(cli_plugin_folders(cli, &folders));
    return install_folders(cli, host, folders, wishes);
}

static fallible install_dependencies(struct cli *cli, struct language *language,
                                     const struct install_wishes *wishes)
{
    struct program_info program;

    TRY(plugin_list_program(cli, &program));
    const struct dependency_request request = {
        .program = &program,
        .is_terminal = cli->terminal.is_interactive && isatty(STDOUT_FILENO),
        .uses_version_tools = wishes->use_language_version_tools,
        .output = output,
    };
    return error_wrap(language_install_dependencies(language, &request), "installing dependencies");
}

/* Packages first: what is built on them may look for their directories. Then the program can report
 * which plugins it needs. */
static fallible install_all(struct cli *cli, struct plugin_host *host,
                            const struct install_wishes *wishes)
{
    struct needed_plugins plugins;
    struct language *language;

    if (!wishes->no_dependencies)
        TRY(error_wrap(install_folders_of_project(cli, host, wishes),
                       "installing `packages` from Pulumi.yaml"));
    if (!wishes->no_plugins) {
        TRY(plugin_list_of_packages(cli, &plugins));
        TRY(error_wrap(
            plugin_list_install(cli, host, &plugins, wishes->reinstall, wishes->parallel),
            "installing `packages` from Pulumi.yaml"));
    }
    if (cli->project->runtime.len == 0)
        return NULL;
    TRY(error_wrap(plugin_load_language(host, cli->project->runtime, &language),
                   "load language plugin " STR_FMT, STR_ARG(cli->project->runtime)));
    if (!wishes->no_plugins)
        TRY(error_wrap(package_code_of_project(cli, host),
                       "installing `packages` from Pulumi.yaml"));
    if (!wishes->no_dependencies) {
        TRY(virtualenv_choose(cli));
        TRY(install_dependencies(cli, language, wishes));
    }
    if (wishes->no_plugins)
        return NULL;
    TRY(plugin_list_of_program(cli, host, &plugins));
    return error_wrap(plugin_list_install(cli, host, &plugins, wishes->reinstall, wishes->parallel),
                      "installing packages");
}

fallible dependencies_install_project(struct cli *cli, const struct install_wishes *wishes)
{
    struct plugin_host *host;
    str directory, entry_point;

    TRY(cli_open_project(cli));
    TRY(project_program(cli->arena, cli->project, &directory, &entry_point));
    TRY(cli_open_plugins(cli, directory, &host));
    struct error *failure = install_all(cli, host, wishes);
    plugin_host_close(host);
    return failure;
}

fallible dependencies_install_program(struct cli *cli, struct language *language,
                                      const struct program_info *program, bool is_plugin)
{
    const struct dependency_request request = {
        .program = program,
        .is_plugin = is_plugin,
        .is_terminal = cli->terminal.is_interactive && isatty(STDOUT_FILENO),
        .output = output,
    };

    fflush(stdout);
    if (cli->project && !is_plugin)
        TRY(virtualenv_choose(cli));
    return error_wrap(language_install_dependencies(language, &request), "installing dependencies");
}

/* --- a plugin or a policy pack --- */

static fallible install_plugins_of(struct cli *cli, struct plugin_host *host,
                                   const struct plugin_project *project,
                                   const struct install_wishes *wishes)
{
    struct needed_plugins plugins = {
        ARENA_ARRAY(cli->arena, struct needed_plugin, project->package_count + 1), 0
    };

    for (size_t i = 0; i < project->package_count; i++) {
        const struct plugin_package *package = &project->packages[i];
        TRY(plugin_list_add_package(cli, &plugins, package->source, package->version,
                                    package->download_url));
    }
    return plugin_list_install(cli, host, &plugins, wishes->reinstall, wishes->parallel);
}

/* One folder; what its packages need is there. */
static fallible install_source(struct cli *cli, struct plugin_host *host, str kind, str folder,
                               const struct install_wishes *wishes)
{
    struct plugin_project project;
    struct language *language;

    TRY(plugin_project_load(cli->arena, kind, folder, &project));
    if (!wishes->no_plugins)
        TRY(error_wrap(install_plugins_of(cli, host, &project, wishes),
                       "installing `packages` from PulumiPlugin.yaml"));
    if (!wishes->no_plugins && str_equal(kind, STR("resource")))
        TRY(error_wrap(package_code_of_plugin(cli, host, folder),
                       "installing `packages` from PulumiPlugin.yaml"));
    if (wishes->no_dependencies)
        return NULL;
    TRY(error_wrap(plugin_load_language(host, project.runtime, &language),
                   "load language plugin " STR_FMT, STR_ARG(project.runtime)));
    const struct program_info program = { folder, folder, STR("."), project.options };
    const struct dependency_request request = {
        .program = &program,
        .is_plugin = true,
        .is_terminal = cli->terminal.is_interactive && isatty(STDOUT_FILENO),
        .uses_version_tools = wishes->use_language_version_tools,
        .output = output,
    };
    return error_wrap(language_install_dependencies(language, &request), "installing dependencies");
}

static fallible install_source_whole(struct cli *cli, struct plugin_host *host, str kind,
                                     str folder, const struct install_wishes *wishes)
{
    struct plugin_folders folders = { 0 };

    if (!wishes->no_dependencies) {
        TRY(error_wrap(cli_plugin_folders_of(cli, kind, folder, &folders),
                       "installing `packages` from PulumiPlugin.yaml"));
        TRY(error_wrap(install_folders(cli, host, folders, wishes),
                       "installing `packages` from PulumiPlugin.yaml"));
    }
    return install_source(cli, host, kind, folder, wishes);
}

fallible dependencies_install_source(struct cli *cli, str kind, str folder,
                                     const struct install_wishes *wishes)
{
    struct plugin_host *host;

    TRY(cli_open_plugins(cli, folder, &host));
    struct error *failure = install_source_whole(cli, host, kind, folder, wishes);
    plugin_host_close(host);
    return failure;
}
