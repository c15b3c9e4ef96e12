/* node_pack.c — packs an SDK into the file that npm installs: its dependencies are installed, it is
 * compiled, and what came out of that is packed. */
#include "nodejs/nodejs.h"

#include "base/fs.h"

struct pack_place {
    str npm;
    str directory;
};

static fallible pack_run(struct host *host, struct arena *arena, const struct pack_place *place,
                         const char *const *arguments)
{
    CLEANUP(command_release)
    struct command command = { .path = place->npm, .directory = place->directory };
    struct captured captured;

    words_add_all(&command.args, arguments);
    TRY(command_capture(host, arena, &command, &captured));
    if (captured.exit_code == 0)
        return NULL;
    /* The compiler complains on stdout, npm on stderr. */
    return error_new(ERROR_OTHER,
                     "`npm %s` failed in '" STR_FMT "' with exit code %d:\n" STR_FMT "\n" STR_FMT,
                     arguments[0], STR_ARG(place->directory), captured.exit_code,
                     STR_ARG(str_trim(captured.out)), STR_ARG(str_trim(captured.err)));
}

/* The last line that npm prints is the name of the file. */
static fallible pack_compiled(struct host *host, struct arena *arena,
                              const struct pack_place *place, str compiled, str destination,
                              str *artifact)
{
    CLEANUP(command_release)
    struct command command = { .path = place->npm, .directory = place->directory };
    str printed, before, name;

    words_add(&command.args, arena, STR("pack"));
    words_add(&command.args, arena, compiled);
    words_add(&command.args, arena, STR("--pack-destination"));
    words_add(&command.args, arena, destination);
    TRY(error_wrap(command_read(host, arena, &command, &printed), "npm pack"));
    name = printed;
    str_cut_last(printed, STR("\n"), &before, &name);
    *artifact = fs_path_join(arena, destination, str_trim(name));
    if (fs_is_file(*artifact))
        return NULL;
    return error_new(ERROR_OTHER, "npm pack reported success, but '" STR_FMT "' is not there",
                     STR_ARG(*artifact));
}

fallible node_pack(struct host *host, struct arena *arena, str directory, str destination,
                   str *artifact)
{
    static const char *const install[] = { "install", "--loglevel=error", NULL };
    static const char *const build[] = { "run", "build", NULL };
    struct pack_place place = { .npm = host_find_executable(host, arena, STR("npm")),
                                .directory = directory };
    str manifest = fs_path_join(arena, directory, STR("package.json"));
    str compiled = fs_path_join(arena, directory, STR("bin"));

    if (!fs_is_file(manifest))
        return error_new(ERROR_NOT_FOUND, "'" STR_FMT "' is no SDK: it has no package.json",
                         STR_ARG(directory));
    if (!place.npm.len)
        return error_new(ERROR_NOT_FOUND, "could not find npm on the $PATH: install it to pack "
                                          "SDKs for Node.js");
    TRY(pack_run(host, arena, &place, install));
    TRY(pack_run(host, arena, &place, build));
    TRY(fs_make_directory(destination, 0755));
    TRY(fs_copy(manifest, fs_path_join(arena, compiled, STR("package.json"))));
    return pack_compiled(host, arena, &place, compiled, destination, artifact);
}
