/* cmd_install.c — `install`: the plugins that the project needs. */
#include "cli/open.h"
#include "cli/plugin_list.h"

struct install_args {
    bool no_dependencies;
    bool no_plugins;
    bool reinstall;
    bool use_language_version_tools;
    int64_t parallel;
};

static const struct option options[] = {
    FLAG(struct install_args, no_dependencies, 0, "no-dependencies", "Leave the packages of the language alone"),
    FLAG(struct install_args, no_plugins, 0, "no-plugins", "Install no plugins"),
    FLAG(struct install_args, reinstall, 0, "reinstall", "Install plugins even if they are there"),
    FLAG(struct install_args, use_language_version_tools, 0, "use-language-version-tools",
         "Let the language's tools set up the version it needs"),
    INTEGER_PRESET(struct install_args, parallel, 0, "parallel", "4", "How many plugins to install at a time; 0: all"),
    { 0 },
};

static struct error *run(struct cli *cli, const void *args_)
{
    const struct install_args *args = args_;
    struct needed_plugins plugins;

    if (args->no_plugins)
        return NULL;
    TRY(plugin_list_of_project(cli, &plugins));
    return plugin_list_install(cli, &plugins, args->reinstall, args->parallel);
}

const struct command cmd_install = {
    .path = "install",
    .summary = "Install the plugins that the project needs",
    .needs = NEEDS_PROJECT,
    .args_size = sizeof(struct install_args),
    .options = OPTIONS(options),
    .run = run,
};
