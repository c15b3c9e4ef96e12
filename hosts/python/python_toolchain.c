/* python_toolchain.c — which interpreter runs a program: pip, poetry or uv, with or without a
 * virtual environment. */
#include "python/python.h"

#include "base/fs.h"
#include "base/program.h"
#include "base/settings.h"
#include "common/search.h"

#include <limits.h>
#include <stdlib.h>

/* --- options --- */

static fallible parse_toolchain(str text, enum python_toolchain *out)
{
    static const char *const names[] = { "", "pip", "poetry", "uv" };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (str_equal(text, str_from(names[i]))) {
            *out = (enum python_toolchain)i;
            return NULL;
        }
    }
    return error_new(ERROR_INVALID, "unsupported toolchain option: " STR_FMT, STR_ARG(text));
}

static fallible parse_checker(str text, enum python_checker *out)
{
    static const char *const names[] = { "", "mypy", "pyright" };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (str_equal(text, str_from(names[i]))) {
            *out = (enum python_checker)i;
            return NULL;
        }
    }
    return error_new(ERROR_INVALID, "unsupported typechecker option: " STR_FMT, STR_ARG(text));
}

static enum python_toolchain guess_toolchain(struct arena *arena, str directory)
{
    if (search_up(arena, directory, STR("uv.lock")).len > 0)
        return TOOLCHAIN_UV;
    if (search_up(arena, directory, STR("poetry.lock")).len > 0)
        return TOOLCHAIN_POETRY;
    return TOOLCHAIN_PIP;
}

static fallible python_read_options(struct arena *arena, const struct program *program,
                                    bool is_plugin, struct python *out)
{
    str toolchain, checker;

    TRY(program_option_text(program, "virtualenv", &out->virtualenv_option));
    TRY(program_option_text(program, "toolchain", &toolchain));
    TRY(program_option_text(program, "typechecker", &checker));
    TRY(parse_toolchain(toolchain, &out->asked));
    TRY(parse_checker(checker, &out->checker));
    out->toolchain =
        out->asked == TOOLCHAIN_AUTO ? guess_toolchain(arena, program->directory) : out->asked;
    if (is_plugin && out->toolchain == TOOLCHAIN_PIP && out->virtualenv_option.len == 0)
        out->virtualenv_option = STR("venv");
    return NULL;
}

/* --- environments --- */

static fallible find_tool(struct host *host, struct arena *arena, str name, str *out)
{
    *out = host_find_executable(host, arena, name);
    if (out->len > 0)
        return NULL;
    return error_new(ERROR_NOT_FOUND,
                     "Could not find `" STR_FMT "` executable.\nInstall " STR_FMT
                     " and make sure it is in your PATH, "
                     "or set the toolchain option in Pulumi.yaml to `pip`.",
                     STR_ARG(name), STR_ARG(name));
}

/* Beside the lock file, else beside the project file, else in the program's folder. */
static str uv_environment(struct arena *arena, const struct program *program)
{
    str folder = search_up(arena, program->directory, STR("uv.lock"));
    str given = settings_text("UV_PROJECT_ENVIRONMENT");

    if (folder.len == 0)
        folder = search_up(arena, program->directory, STR("pyproject.toml"));
    if (folder.len == 0)
        folder = program->directory;
    return fs_path_absolute(arena, folder, given.len > 0 ? given : STR(".venv"));
}

static fallible poetry_environment(struct host *host, struct arena *arena,
                                   const struct python *python, str *out)
{
    CLEANUP(command_release)
    struct command command = { .path = python->tool, .directory = python->program->directory };

    words_add(&command.args, arena, STR("env"));
    words_add(&command.args, arena, STR("info"));
    words_add(&command.args, arena, STR("--path"));
    TRY(error_wrap(command_read(host, arena, &command, out), "failed to get venv path"));
    if (out->len == 0)
        return error_new(ERROR_OTHER,
                         "poetry has no virtual environment here; run `%s install` first",
                         program_name());
    return NULL;
}

fallible python_open(struct host *host, struct arena *arena, const struct program *program,
                     bool is_plugin, struct python *out)
{
    *out = (struct python){ .program = program };
    TRY(python_read_options(arena, program, is_plugin, out));
    if (out->toolchain == TOOLCHAIN_UV)
        TRY(find_tool(host, arena, STR("uv"), &out->tool));
    if (out->toolchain == TOOLCHAIN_POETRY)
        TRY(find_tool(host, arena, STR("poetry"), &out->tool));
    if (out->toolchain == TOOLCHAIN_POETRY)
        return NULL;
    if (out->virtualenv_option.len > 0)
        out->virtualenv = fs_path_absolute(arena, program->root, out->virtualenv_option);
    else if (out->toolchain == TOOLCHAIN_UV)
        out->virtualenv = uv_environment(arena, program);
    return NULL;
}

bool python_is_virtualenv(struct arena *arena, str folder)
{
    return fs_is_file(fs_path_join(arena, folder, STR("bin/python")));
}

fallible python_check_virtualenv(struct arena *arena, const struct python *python)
{
    str folder = python->virtualenv;

    if (folder.len == 0 || python_is_virtualenv(arena, folder))
        return NULL;
    if (python->toolchain == TOOLCHAIN_UV)
        return error_new(ERROR_NOT_FOUND,
                         "'" STR_FMT "' is not a virtualenv; run `%s install` first",
                         STR_ARG(folder), program_name());
    return error_new(ERROR_NOT_FOUND,
                     "The 'virtualenv' option in Pulumi.yaml is set to \"" STR_FMT
                     "\", but \"" STR_FMT "\" %s; run the following commands to create the virtual "
                     "environment and install dependencies "
                     "into it:\n\n    1. python3 -m venv " STR_FMT "\n    2. " STR_FMT
                     "/bin/python -m pip install --upgrade pip setuptools wheel\n    3. " STR_FMT
                     "/bin/python -m pip install -r requirements.txt\n\nor run `%s install`",
                     STR_ARG(python->virtualenv_option), STR_ARG(folder),
                     fs_exists(folder) ? "doesn't appear to be a virtual environment"
                                       : "doesn't exist",
                     STR_ARG(folder), STR_ARG(folder), STR_ARG(folder), program_name());
}

/* --- commands --- */

/* What the user asked for, and nothing else: a name on PATH, or a path. */
static fallible find_given(struct host *host, struct arena *arena, str given, str *out)
{
    char path[PATH_MAX];

    if (str_find_char(given, '/') == SIZE_MAX)
        *out = host_find_executable(host, arena, given);
    else if (realpath(arena_cstr(arena, fs_path_directory(given)), path))
        *out = fs_path_join(arena, arena_copy(arena, str_from(path)), fs_path_name(given));
    if (out->len > 0 && fs_is_executable(*out))
        return NULL;
    return error_new(ERROR_NOT_FOUND,
                     "PULUMI_PYTHON_CMD is '" STR_FMT
                     "', which is no program here: set it to the Python to use, or unset it",
                     STR_ARG(given));
}

fallible python_find(struct host *host, struct arena *arena, str *out)
{
    str given = settings_text("PULUMI_PYTHON_CMD");

    *out = STR("");
    if (given.len > 0)
        return find_given(host, arena, given, out);
    *out = host_find_executable(host, arena, STR("python3"));
    if (out->len == 0)
        *out = host_find_executable(host, arena, STR("python"));
    if (out->len > 0)
        return NULL;
    return error_new(ERROR_NOT_FOUND,
                     "could not find python3 on the $PATH: install Python 3 to run this program");
}

static void activate(struct arena *arena, str virtualenv, struct words *environment)
{
    str path = words_get(environment, STR("PATH"));
    str own = fs_path_join(arena, virtualenv, STR("bin"));

    words_set(environment, arena, STR("PATH"),
              arena_concat(arena, own, path.len > 0 ? STR(":") : STR(""), path));
    words_set(environment, arena, STR("VIRTUAL_ENV"), virtualenv);
    words_unset(environment, STR("PYTHONHOME"));
}

fallible python_command(struct host *host, struct arena *arena, const struct python *python,
                        struct command *out)
{
    str virtualenv = python->virtualenv;

    if (python->toolchain == TOOLCHAIN_POETRY)
        TRY(poetry_environment(host, arena, python, &virtualenv));
    words_add_environment(&out->environment);
    out->directory = python->program->directory;
    if (virtualenv.len == 0)
        return python_find(host, arena, &out->path);
    activate(arena, virtualenv, &out->environment);
    out->path = fs_path_join(arena, virtualenv, STR("bin/python"));
    return NULL;
}

fallible python_sync(struct host *host, struct arena *arena, const struct python *python)
{
    CLEANUP(command_release)
    struct command command = { .path = python->tool, .directory = python->program->directory };
    str answer;

    if (python->toolchain != TOOLCHAIN_UV
        || search_up(arena, python->program->directory, STR("pyproject.toml")).len == 0)
        return NULL;
    words_add(&command.args, arena, STR("sync"));
    words_add(&command.args, arena, STR("--inexact"));
    words_add_environment(&command.environment);
    words_set(&command.environment, arena, STR("UV_PROJECT_ENVIRONMENT"), python->virtualenv);
    words_unset(&command.environment, STR("VIRTUAL_ENV"));
    return error_wrap(command_read(host, arena, &command, &answer),
                      "error creating virtual environment");
}
