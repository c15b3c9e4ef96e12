/* cmd_install.c — `install`: what a program, a plugin or a policy pack is built on, and the plugins
 * it needs. */
#include "cli/screen/interrupt.h"
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

struct install_args {
    bool no_dependencies;
    bool no_plugins;
    bool reinstall;
    bool use_language_version_tools;
    int64_t parallel;
};

static const struct option options[] = {
    FLAG(struct install_args, no_dependencies, 0, "no-dependencies",
         "Leave the packages of the language alone"),
    FLAG(struct install_args, no_plugins, 0, "no-plugins", "Install no plugins"),
    FLAG(struct install_args, reinstall, 0, "reinstall", "Install plugins even if they are there"),
    FLAG(struct install_args, use_language_version_tools, 0, "use-language-version-tools",
         "Let the language's tools set up the version it needs"),
    INTEGER_PRESET(struct install_args, parallel, 0, "parallel", "4",
                   "How many plugins to install at a time; 0: all"),
    { 0 },
};

/* --- output --- */

static void cmd_install_write_output(void *context, bool is_error, str bytes)
{
    FILE *file = is_error ? stderr : stdout;

    (void)context;
    fwrite(bytes.ptr, 1, bytes.len, file);
    fflush(file);
}

static const struct dependency_output output = { NULL, cmd_install_write_output };

/* --- a project --- */

static fallible install_folders(struct cli *cli, struct plugin_host *host)
{
    struct plugin_folders folders;

    TRY(cli_plugin_folders(cli, &folders));
    for (size_t i = 0; i < folders.len; i++)
        TRY(error_wrap(plugin_install_dependencies(host, folders.items[i].path, &output),
                       "package '" STR_FMT "'", STR_ARG(folders.items[i].name)));
    return NULL;
}

static fallible install_dependencies(struct cli *cli, struct language *language,
                                     const struct install_args *args)
{
    struct program_info program;

    TRY(plugin_list_program(cli, &program));
    const struct dependency_request request = {
        .program = &program,
        .is_terminal = cli->terminal.is_interactive && isatty(STDOUT_FILENO),
        .uses_version_tools = args->use_language_version_tools,
        .output = output,
    };
    return error_wrap(language_install_dependencies(language, &request), "installing dependencies");
}

/* Packages first: what is built on them may look for their directories. Then the program can report
 * which plugins it needs. */
static fallible install_all(struct cli *cli, struct plugin_host *host,
                            const struct install_args *args)
{
    struct needed_plugins plugins;
    struct language *language;

    if (!args->no_dependencies)
        TRY(error_wrap(install_folders(cli, host), "installing `packages` from Pulumi.yaml"));
    if (!args->no_plugins) {
        TRY(plugin_list_of_packages(cli, &plugins));
        TRY(error_wrap(plugin_list_install(cli, host, &plugins, args->reinstall, args->parallel),
                       "installing `packages` from Pulumi.yaml"));
    }
    if (cli->project->runtime.len == 0)
        return NULL;
    TRY(error_wrap(plugin_load_language(host, cli->project->runtime, &language),
                   "load language plugin " STR_FMT, STR_ARG(cli->project->runtime)));
    if (!args->no_plugins)
        TRY(error_wrap(package_code_generate(cli, host, language),
                       "installing `packages` from Pulumi.yaml"));
    if (!args->no_dependencies) {
        TRY(virtualenv_choose(cli));
        TRY(install_dependencies(cli, language, args));
    }
    if (args->no_plugins)
        return NULL;
    TRY(plugin_list_of_program(cli, host, &plugins));
    return error_wrap(plugin_list_install(cli, host, &plugins, args->reinstall, args->parallel),
                      "installing packages");
}

static fallible install_project(struct cli *cli, const struct install_args *args)
{
    struct plugin_host *host;
    str directory, entry_point;

    TRY(cli_open_project(cli));
    TRY(project_program(cli->arena, cli->project, &directory, &entry_point));
    TRY(cli_open_plugins(cli, directory, &host));
    struct error *failure = install_all(cli, host, args);
    plugin_host_close(host);
    return failure;
}

/* --- a plugin or a policy pack --- */

/* The nearest directory from here upwards that has the file; empty: none. */
static str find_up(struct arena *arena, str directory, str name)
{
    while (!fs_exists(fs_path_join(arena, directory, name))) {
        str above = fs_path_directory(directory);
        if (str_equal(above, directory))
            return STR("");
        directory = above;
    }
    return directory;
}

static fallible install_packages_of(struct cli *cli, struct plugin_host *host,
                                    const struct plugin_project *project, str folder,
                                    const struct install_args *args)
{
    struct needed_plugins plugins = {
        ARENA_ARRAY(cli->arena, struct needed_plugin, project->package_count + 1), 0
    };

    for (size_t i = 0; i < project->package_count; i++) {
        const struct plugin_package *package = &project->packages[i];
        if (plugin_source_is_folder(package->source) && !args->no_dependencies)
            TRY(plugin_install_dependencies(
                host, fs_path_absolute(cli->arena, folder, package->source), &output));
        TRY(plugin_list_add_package(cli, &plugins, package->source, package->version,
                                    package->download_url));
    }
    return args->no_plugins
               ? NULL
               : plugin_list_install(cli, host, &plugins, args->reinstall, args->parallel);
}

static fallible install_source(struct cli *cli, struct plugin_host *host, str kind, str folder,
                               const struct install_args *args)
{
    struct plugin_project project;
    struct language *language;

    TRY(plugin_project_load(cli->arena, kind, folder, &project));
    TRY(error_wrap(install_packages_of(cli, host, &project, folder, args),
                   "installing `packages` from PulumiPlugin.yaml"));
    if (args->no_dependencies)
        return NULL;
    TRY(error_wrap(plugin_load_language(host, project.runtime, &language),
                   "load language plugin " STR_FMT, STR_ARG(project.runtime)));
    const struct program_info program = { folder, folder, STR("."), project.options };
    const struct dependency_request request = {
        .program = &program,
        .is_plugin = true,
        .is_terminal = cli->terminal.is_interactive && isatty(STDOUT_FILENO),
        .uses_version_tools = args->use_language_version_tools,
        .output = output,
    };
    return error_wrap(language_install_dependencies(language, &request), "installing dependencies");
}

static fallible install_folder(struct cli *cli, str kind, str folder,
                               const struct install_args *args)
{
    struct plugin_host *host;

    TRY(cli_open_plugins(cli, folder, &host));
    struct error *failure = install_source(cli, host, kind, folder, args);
    plugin_host_close(host);
    return failure;
}

/* The innermost of them is meant; a project wins where it shares its directory. */
static struct error *cmd_install_all(struct cli *cli, const void *args)
{
    static const struct {
        str kind, file;
    } sources[] = { { STR_INIT("analyzer"), STR_INIT("PulumiPolicy.yaml") },
                    { STR_INIT("resource"), STR_INIT("PulumiPlugin.yaml") } };
    str here, project = STR(""), path;

    TRY(cli_current_directory(cli, &here));
    struct error *absence = project_find(cli->arena, here, &path);
    if (!absence)
        project = fs_path_directory(path);
    error_ignore(absence, "told by who opens it");
    for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
        str folder = find_up(cli->arena, here, sources[i].file);
        if (folder.len > project.len)
            return install_folder(cli, sources[i].kind, folder, args);
    }
    return install_project(cli, args);
}

static struct error *cmd_install_run(struct cli *cli, const void *args)
{
    return cli_interruptible(cli, args, cmd_install_all);
}

const struct command cmd_install = {
    .path = "install",
    .summary = "Install the packages and plugins that the project needs",
    .details = "Runs the package manager of the project's language, then downloads the plugins "
               "that the program and "
               "`packages:` of the project file name. In the folder of a plugin or of a policy "
               "pack, installs what "
               "that is built on.",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct install_args),
    .options = OPTIONS(options),
    .run = cmd_install_run,
};
