/* cmd_install.c — `install`: what a program, a plugin or a policy pack is built on, and the plugins
 * it needs. */
#include "cli/screen/interrupt.h"
#include "cli/open.h"
#include "cli/package/dependencies.h"

#include "base/fs.h"

static const struct option options[] = {
    FLAG(struct install_wishes, no_dependencies, 0, "no-dependencies",
         "Leave the packages of the language alone"),
    FLAG(struct install_wishes, no_plugins, 0, "no-plugins", "Install no plugins"),
    FLAG(struct install_wishes, reinstall, 0, "reinstall",
         "Install plugins even if they are there"),
    FLAG(struct install_wishes, use_language_version_tools, 0, "use-language-version-tools",
         "Let the language's tools set up the version it needs"),
    INTEGER_PRESET(struct install_wishes, parallel, 0, "parallel", "4",
                   "How many plugins to install at a time; 0: all"),
    { 0 },
};

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
    error_ignore(absence, "reported when it is opened");
    for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
        str folder = find_up(cli->arena, here, sources[i].file);
        if (folder.len > project.len)
            return dependencies_install_source(cli, sources[i].kind, folder, args);
    }
    return dependencies_install_project(cli, args);
}

static struct error *cmd_install_run(struct cli *cli, const void *args)
{
    return cli_interruptible(cli, args, cmd_install_all);
}

const struct command cmd_install = {
    .path = "install",
    .summary = "Install the packages and plugins that the project needs",
    .example = "install\n"
               "install --no-plugins",
    .details = "Runs the package manager of the project's language, then downloads the plugins "
               "that the program and "
               "`packages:` of the project file name. In the folder of a plugin or of a policy "
               "pack, installs what "
               "that is built on.",
    .needs = NEEDS_LOOP,
    .args_size = sizeof(struct install_wishes),
    .options = OPTIONS(options),
    .run = cmd_install_run,
};
