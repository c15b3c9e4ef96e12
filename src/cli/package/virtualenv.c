/* virtualenv.c — gives a Python project a virtual environment before anything is installed. */
#include "cli/package/virtualenv.h"

#include "base/fs.h"
#include "base/settings.h"
#include "project/project.h"

#include <stdio.h>

#define ENVIRONMENT STR("venv")

static bool has_file_above(struct arena *arena, str directory, str name)
{
    while (!fs_exists(fs_path_join(arena, directory, name))) {
        str above = fs_path_directory(directory);
        if (str_equal(above, directory))
            return false;
        directory = above;
    }
    return true;
}

/* Poetry and uv make environments themselves, if they are asked for or have left a lock file. */
static bool uses_pip(struct arena *arena, const struct project *project, str directory)
{
    const struct value *toolchain = value_find(project->runtime_options, STR("toolchain"));
    str name = toolchain && toolchain->kind == VALUE_STRING ? value_text(*toolchain) : STR("");

    if (name.len > 0)
        return str_equal(name, STR("pip"));
    return !has_file_above(arena, directory, STR("uv.lock"))
           && !has_file_above(arena, directory, STR("poetry.lock"));
}

static bool has_active_environment(void)
{
    return settings_text("VIRTUAL_ENV").len > 0 || settings_text("CONDA_PREFIX").len > 0;
}

fallible virtualenv_choose(struct cli *cli)
{
    str directory, entry_point;

    if (!str_equal(cli->project->runtime, STR("python"))
        || value_find(cli->project->runtime_options, STR("virtualenv")) || has_active_environment())
        return NULL;
    TRY(project_program(cli->arena, cli->project, &directory, &entry_point));
    if (!uses_pip(cli->arena, cli->project, directory))
        return NULL;
    TRY(error_wrap(
        project_set_runtime_option(cli->arena, cli->project, STR("virtualenv"), ENVIRONMENT),
        "giving the project a virtual environment"));
    printf("The project has no virtual environment: it gets one in '" STR_FMT
           "', which is written to " STR_FMT ".\n",
           STR_ARG(ENVIRONMENT), STR_ARG(fs_path_name(cli->project->path)));
    fflush(stdout);
    return NULL;
}
