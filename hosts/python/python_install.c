/* python_install.c — makes virtual environments and installs what a project asks for. */
#include "python/python.h"

#include "base/fs.h"
#include "common/search.h"
#include "proto/message.h"

/* --- commands --- */

/* Runs a command whose output the user sees. The words end with NULL. */
static struct error *show(struct host *host, struct arena *arena, struct command *command, struct sink *sink,
                          const char *const *words)
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
    return error_new(ERROR_OTHER, "'" STR_FMT STR_FMT "' failed with exit code %d", STR_ARG(command->path),
                     STR_ARG(strbuf_str(&text)), exit_code);
}

static struct error *run_tool(struct host *host, struct arena *arena, const struct python *python, struct sink *sink,
                              const char *const *words)
{
    CLEANUP(command_release)
    struct command command = { .path = python->tool, .directory = python->program->directory };

    words_add_environment(&command.environment);
    if (python->toolchain == TOOLCHAIN_UV) {
        words_set(&command.environment, arena, STR("UV_PROJECT_ENVIRONMENT"), python->virtualenv);
        words_unset(&command.environment, STR("VIRTUAL_ENV"));
    }
    return show(host, arena, &command, sink, words);
}

static struct error *run_python(struct host *host, struct arena *arena, const struct python *python, struct sink *sink,
                                const char *const *words)
{
    CLEANUP(command_release) struct command command = { 0 };
    TRY(python_command(host, arena, python, &command));
    return show(host, arena, &command, sink, words);
}

static struct error *say(struct sink *sink, str text)
{
    return sink_write(sink, OUTPUT_STDOUT, text);
}

/* --- pip --- */

static struct error *make_virtualenv(struct host *host, struct arena *arena, const struct python *python,
                                     struct sink *sink)
{
    CLEANUP(command_release) struct command command = { 0 };
    const char *words[] = { "-m", "venv", arena_cstr(arena, python->virtualenv), NULL };

    if (python_is_virtualenv(arena, python->virtualenv))
        return NULL;
    TRY(say(sink, STR("Creating virtual environment...\n")));
    TRY(python_find(host, arena, &command.path));
    TRY(error_wrap(show(host, arena, &command, sink, words), "creating virtual environment at '" STR_FMT "'",
                   STR_ARG(python->virtualenv)));
    return say(sink, STR("Finished creating virtual environment\n"));
}

static struct error *install_with_pip(struct host *host, struct arena *arena, const struct python *python,
                                      struct sink *sink)
{
    static const char *const upgrade[] = { "-m", "pip", "install", "--upgrade", "pip", "setuptools", "wheel", NULL };
    static const char *const requirements[] = { "-m", "pip", "install", "-r", "requirements.txt", NULL };

    if (python->virtualenv.len > 0)
        TRY(make_virtualenv(host, arena, python, sink));
    TRY(say(sink, STR("Updating pip, setuptools, and wheel in virtual environment...\n")));
    TRY(error_wrap(run_python(host, arena, python, sink, upgrade), "updating pip, setuptools, and wheel"));
    TRY(say(sink, STR("Finished updating\n")));
    if (!fs_exists(fs_path_join(arena, python->program->directory, STR("requirements.txt"))))
        return NULL;
    TRY(say(sink, STR("Installing dependencies in virtual environment...\n")));
    TRY(error_wrap(run_python(host, arena, python, sink, requirements), "installing dependencies"));
    return say(sink, STR("Finished installing dependencies\n"));
}

/* --- uv --- */

/* A project that was made for pip gets the project file that uv wants. */
static struct error *prepare_for_uv(struct host *host, struct arena *arena, const struct python *python, str project,
                                    struct sink *sink)
{
    str requirements = fs_path_join(arena, python->program->directory, STR("requirements.txt"));
    const char *init[] = { "init", "--bare", "--no-package", "--no-pin-python", NULL, NULL, NULL };
    const char *add[] = { "add", "--no-sync", "-r", "requirements.txt", NULL };

    if (search_up(arena, python->program->directory, STR("pyproject.toml")).len > 0)
        return NULL;
    if (project.len > 0) {
        init[4] = "--name";
        init[5] = arena_cstr(arena, project);
    }
    TRY(error_wrap(run_tool(host, arena, python, sink, init), "error initializing python project"));
    if (!fs_exists(requirements))
        return NULL;
    TRY(error_wrap(run_tool(host, arena, python, sink, add), "error installing dependencies from requirements.txt"));
    TRY(fs_remove(requirements));
    return say(sink, STR("Deleted requirements.txt, dependencies for this project are tracked in pyproject.toml\n"));
}

fallible python_install_into(struct host *host, struct arena *arena, const struct python *python, struct sink *sink)
{
    static const char *const uv[] = { "sync", NULL };
    static const char *const poetry[] = { "install", "--no-ansi", NULL };

    switch (python->toolchain) {
    case TOOLCHAIN_UV:
        TRY(prepare_for_uv(host, arena, python, STR(""), sink));
        return run_tool(host, arena, python, sink, uv);
    case TOOLCHAIN_POETRY: return run_tool(host, arena, python, sink, poetry);
    case TOOLCHAIN_AUTO:
    case TOOLCHAIN_PIP: break;
    }
    return install_with_pip(host, arena, python, sink);
}

/* --- the calls --- */

/* A plugin that is a package is itself installed into its environment. */
struct error *python_install(struct host *host, struct arena *arena, const struct program *program,
                             const Pb__InstallDependenciesRequest *request, struct sink *sink)
{
    const char *package[] = { "-m", "pip", "install", arena_cstr(arena, program->directory), NULL };
    struct python python;

    TRY(python_open(host, arena, program, request->is_plugin, &python));
    if (request->is_plugin && python.toolchain == TOOLCHAIN_PIP
        && python_package_name(arena, program->directory).len > 0) {
        TRY(make_virtualenv(host, arena, &python, sink));
        TRY(error_wrap(run_python(host, arena, &python, sink, package), "installing package"));
    }
    return python_install_into(host, arena, &python, sink);
}

static struct error *swallow(struct sink *sink, enum output_kind kind, str bytes)
{
    (void)sink;
    (void)kind;
    (void)bytes;
    return NULL;
}

/* poetry reads the dependencies of a project from its project file only. */
static struct error *prepare_for_poetry(struct arena *arena, const struct program *program, str project)
{
    str path = fs_path_join(arena, program->directory, STR("pyproject.toml"));

    if (search_up(arena, program->directory, STR("pyproject.toml")).len > 0)
        return NULL;
    str text =
        arena_printf(arena,
                     "[build-system]\nrequires = [\"poetry-core\"]\nbuild-backend = \"poetry.core.masonry.api\"\n\n"
                     "[tool.poetry]\nname = \"" STR_FMT "\"\npackage-mode = false\n\n"
                     "[tool.poetry.dependencies]\npython = \"^3.9\"\npulumi = \">=3.0.0,<4.0.0\"\n",
                     STR_ARG(project));
    return fs_create(path, text, 0600);
}

struct error *python_fill_template(struct host *host, struct arena *arena, const struct program *program, str project)
{
    struct sink nowhere = { swallow };
    struct python python;

    TRY(python_open(host, arena, program, false, &python));
    if (python.toolchain == TOOLCHAIN_UV)
        return prepare_for_uv(host, arena, &python, project, &nowhere);
    return python.toolchain == TOOLCHAIN_POETRY ? prepare_for_poetry(arena, program, project) : NULL;
}
