/* python_install.c — makes virtual environments and installs what a project asks for. */
#include "python/python.h"

#include "base/fs.h"
#include "common/search.h"
#include "proto/message.h"

/* --- commands --- */

/* Runs a command whose output the user sees. The words end with NULL. */
static fallible command_show(struct host *host, struct arena *arena, struct command *command,
                             struct sink *sink, const char *const *words)
{
    int exit_code;

    words_add_all(&command->args, words);
    TRY(command_run(host, command, sink, &exit_code));
    if (exit_code == 0)
        return NULL;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    for (size_t i = 0; i < command->args.len; i++)
        strbuf_printf(&text, " %s", command->args.items[i]);
    (void)arena;
    return error_new(ERROR_OTHER, "'" STR_FMT STR_FMT "' failed with exit code %d",
                     STR_ARG(command->path), STR_ARG(strbuf_str(&text)), exit_code);
}

void python_tool_command(struct arena *arena, const struct python *python, struct command *out)
{
    *out = (struct command){ .path = python->tool, .directory = python->program->directory };
    words_add_environment(&out->environment);
    if (python->toolchain == TOOLCHAIN_UV) {
        words_set(&out->environment, arena, STR("UV_PROJECT_ENVIRONMENT"), python->virtualenv);
        words_unset(&out->environment, STR("VIRTUAL_ENV"));
    }
    if (python->toolchain == TOOLCHAIN_POETRY && python->prefers_active)
        words_set(&out->environment, arena, STR("POETRY_VIRTUALENVS_PREFER_ACTIVE_PYTHON"),
                  STR("true"));
}

fallible python_run_tool(struct host *host, struct arena *arena, const struct python *python,
                         struct sink *sink, const char *const *words)
{
    CLEANUP(command_release) struct command command = { 0 };

    python_tool_command(arena, python, &command);
    return command_show(host, arena, &command, sink, words);
}

static fallible run_python(struct host *host, struct arena *arena, const struct python *python,
                           struct sink *sink, const char *const *words)
{
    CLEANUP(command_release) struct command command = { 0 };
    TRY(python_command(host, arena, python, &command));
    return command_show(host, arena, &command, sink, words);
}

static fallible sink_say(struct sink *sink, str text)
{
    return sink_write(sink, OUTPUT_STDOUT, text);
}

/* --- the version of Python that the project names, by way of pyenv --- */

static fallible install_python(struct host *host, struct arena *arena, struct python *python,
                               struct sink *sink)
{
    static const char *const words[] = { "install", "--skip-existing", NULL };
    str directory = python->program->directory,
        folder = search_up(arena, directory, STR(".python-version"));
    CLEANUP(command_release)
    struct command command = { .path = host_find_executable(host, arena, STR("pyenv")),
                               .directory = directory };

    if (folder.len == 0 || command.path.len == 0)
        return NULL;
    python->prefers_active = true;
    TRY(sink_say(sink,
                 arena_concat(arena, STR("Installing python version from .python-version file at "),
                              fs_path_join(arena, folder, STR(".python-version")), STR("\n"))));
    return error_wrap(command_show(host, arena, &command, sink, words),
                      "error while running pyenv install");
}

/* --- pip --- */

static fallible make_virtualenv(struct host *host, struct arena *arena, const struct python *python,
                                struct sink *sink)
{
    CLEANUP(command_release) struct command command = { 0 };
    const char *words[] = { "-m", "venv", arena_cstr(arena, python->virtualenv), NULL };

    if (python_is_virtualenv(arena, python->virtualenv))
        return NULL;
    TRY(sink_say(sink, STR("Creating virtual environment...\n")));
    TRY(python_find(host, arena, &command.path));
    TRY(error_wrap(command_show(host, arena, &command, sink, words),
                   "creating virtual environment at '" STR_FMT "'", STR_ARG(python->virtualenv)));
    return sink_say(sink, STR("Finished creating virtual environment\n"));
}

static fallible install_with_pip(struct host *host, struct arena *arena,
                                 const struct python *python, struct sink *sink)
{
    static const char *const upgrade[] = { "-m",  "pip",        "install", "--upgrade",
                                           "pip", "setuptools", "wheel",   NULL };
    static const char *const requirements[] = { "-m", "pip", "install", "-r", "requirements.txt",
                                                NULL };

    if (python->virtualenv.len > 0)
        TRY(make_virtualenv(host, arena, python, sink));
    TRY(sink_say(sink, STR("Updating pip, setuptools, and wheel in virtual environment...\n")));
    TRY(error_wrap(run_python(host, arena, python, sink, upgrade),
                   "updating pip, setuptools, and wheel"));
    TRY(sink_say(sink, STR("Finished updating\n")));
    if (!fs_exists(fs_path_join(arena, python->program->directory, STR("requirements.txt"))))
        return NULL;
    TRY(sink_say(sink, STR("Installing dependencies in virtual environment...\n")));
    TRY(error_wrap(run_python(host, arena, python, sink, requirements), "installing dependencies"));
    return sink_say(sink, STR("Finished installing dependencies\n"));
}

/* --- all of them --- */

fallible python_install_into(struct host *host, struct arena *arena, const struct python *python,
                             struct sink *sink)
{
    static const char *const uv[] = { "sync", NULL };
    static const char *const poetry[] = { "install", "--no-ansi", NULL };

    switch (python->toolchain) {
    case TOOLCHAIN_UV:
        TRY(error_wrap(python_prepare(host, arena, python, STR(""), sink),
                       "error preparing project"));
        return python_run_tool(host, arena, python, sink, uv);
    case TOOLCHAIN_POETRY:
        TRY(error_wrap(python_prepare(host, arena, python, STR(""), sink),
                       "error preparing project"));
        return python_run_tool(host, arena, python, sink, poetry);
    case TOOLCHAIN_AUTO:
    case TOOLCHAIN_PIP: break;
    }
    return install_with_pip(host, arena, python, sink);
}

/* --- the calls --- */

/* A plugin that is a package is itself installed into its environment. */
fallible python_install(struct host *host, struct arena *arena, const struct program *program,
                        const Pb__InstallDependenciesRequest *request, struct sink *sink)
{
    const char *package[] = { "-m", "pip", "install", arena_cstr(arena, program->directory), NULL };
    struct python python;

    TRY(python_open(host, arena, program, request->is_plugin, &python));
    if (request->use_language_version_tools)
        TRY(install_python(host, arena, &python, sink));
    if (request->is_plugin && python.toolchain == TOOLCHAIN_PIP
        && python_package_name(arena, program->directory).len > 0) {
        TRY(make_virtualenv(host, arena, &python, sink));
        TRY(error_wrap(run_python(host, arena, &python, sink, package), "installing package"));
    }
    return python_install_into(host, arena, &python, sink);
}

static fallible swallow(struct sink *sink, enum output_kind kind, str bytes)
{
    (void)sink;
    (void)kind;
    (void)bytes;
    return NULL;
}

fallible python_fill_template(struct host *host, struct arena *arena, const struct program *program,
                              str project)
{
    struct sink nowhere = { swallow };
    struct python python;

    TRY(python_open(host, arena, program, false, &python));
    return python_prepare(host, arena, &python, project, &nowhere);
}
