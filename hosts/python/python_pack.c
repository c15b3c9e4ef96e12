/* python_pack.c — makes a wheel of an SDK. */
#include "python/python.h"

#include "base/fs.h"
#include "common/temporary.h"

static fallible pack_run(struct host *host, struct arena *arena, struct command *command)
{
    str answer;

    words_add_environment(&command->environment);
    words_unset(&command->environment, STR("VIRTUAL_ENV"));
    words_unset(&command->environment, STR("PYTHONHOME"));
    return command_read(host, arena, command, &answer);
}

static fallible pack_with_uv(struct host *host, struct arena *arena, str uv, str directory,
                             str folder)
{
    const char *words[] = { "build",     "--wheel",
                            "--out-dir", arena_cstr(arena, folder),
                            "--",        arena_cstr(arena, directory),
                            NULL };
    CLEANUP(command_release) struct command command = { .path = uv };

    words_add_all(&command.args, words);
    return pack_run(host, arena, &command);
}

/* In an environment of its own, so that nothing of the user's Python has a part in it. */
static fallible pack_with_pip(struct host *host, struct arena *arena, str directory, str folder)
{
    str environment = fs_path_join(arena, folder, STR("environment"));
    const char *make[] = { "-m", "venv", arena_cstr(arena, environment), NULL };
    const char *build[] = { "-m",          "pip",
                            "wheel",       "--quiet",
                            "--no-deps",   "--disable-pip-version-check",
                            "--wheel-dir", arena_cstr(arena, folder),
                            "--",          arena_cstr(arena, directory),
                            NULL };
    CLEANUP(command_release) struct command maker = { 0 };
    CLEANUP(command_release)
    struct command builder = { .path = fs_path_join(arena, environment, STR("bin/python")) };

    TRY(python_find(host, arena, &maker.path));
    words_add_all(&maker.args, make);
    words_add_all(&builder.args, build);
    TRY(error_wrap(pack_run(host, arena, &maker), "creating a virtual environment"));
    return pack_run(host, arena, &builder);
}

static fallible pack_find_wheel(struct arena *arena, str folder, str *out)
{
    str *names;
    size_t len;

    TRY(fs_list(arena, folder, &names, &len));
    for (size_t i = 0; i < len; i++)
        if (str_ends_with(names[i], STR(".whl"))) {
            *out = names[i];
            return NULL;
        }
    return error_new(ERROR_OTHER, "no wheel was made");
}

static fallible pack_into(struct host *host, struct arena *arena, str directory, str folder,
                          str destination, str *artifact)
{
    str uv = host_find_executable(host, arena, STR("uv")), name;

    if (uv.len)
        TRY(pack_with_uv(host, arena, uv, directory, folder));
    else
        TRY(pack_with_pip(host, arena, directory, folder));
    TRY(pack_find_wheel(arena, folder, &name));
    TRY(fs_make_directory(destination, 0777));
    *artifact = fs_path_join(arena, destination, name);
    return fs_copy(fs_path_join(arena, folder, name), *artifact);
}

fallible python_pack(struct host *host, struct arena *arena, str directory, str destination,
                     str *artifact)
{
    str folder;

    if (!fs_exists(fs_path_join(arena, directory, STR("setup.py")))
        && !fs_exists(fs_path_join(arena, directory, STR("pyproject.toml"))))
        return error_new(ERROR_NOT_FOUND,
                         "'" STR_FMT "' is no Python package: it has neither setup.py nor "
                         "pyproject.toml",
                         STR_ARG(directory));
    TRY(temporary_directory(arena, "pulumi-python-pack-", &folder));
    struct error *failure =
        error_wrap(pack_into(host, arena, directory, folder, destination, artifact),
                   "making a wheel of '" STR_FMT "'", STR_ARG(directory));
    error_ignore(fs_remove_tree(folder), "a temporary folder");
    return failure;
}
