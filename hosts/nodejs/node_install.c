/* node_install.c — installs what package.json asks for. */
#include "nodejs/node_manager.h"

#include "base/fs.h"
#include "common/search.h"
#include "proto/message.h"

enum { VERSION_FILE_MAX = 4096 };

/* --- the version of node that the project names, by way of fnm --- */

static str module_version_in(struct arena *arena, str directory, str name)
{
    str folder = search_up(arena, directory, name), text;

    if (folder.len == 0)
        return STR("");
    struct error *failure =
        fs_read(arena, fs_path_join(arena, folder, name), VERSION_FILE_MAX, &text);
    if (failure) {
        error_ignore(failure, "as if it were not there");
        return STR("");
    }
    return str_trim(text);
}

static fallible use_version(struct host *host, struct arena *arena, str fnm, str version)
{
    CLEANUP(command_release)
    struct command bash = { .path = host_find_executable(host, arena, STR("bash")) };
    CLEANUP(command_release) struct command alias = { .path = fnm };
    str answer;

    if (bash.path.len == 0)
        return error_new(ERROR_NOT_FOUND, "could not find bash on the $PATH");
    words_add(&bash.args, arena, STR("-c"));
    words_add(&bash.args, arena,
              STR("eval \"$(fnm env --shell bash)\"; fnm use \"$0\" --install-if-missing"));
    words_add(&bash.args, arena, version);
    TRY(command_read(host, arena, &bash, &answer));
    words_add(&alias.args, arena, STR("alias"));
    words_add(&alias.args, arena, version);
    words_add(&alias.args, arena, STR("default"));
    return command_read(host, arena, &alias, &answer);
}

static fallible install_node(struct host *host, struct arena *arena, const struct program *program,
                             struct sink *sink)
{
    str fnm = host_find_executable(host, arena, STR("fnm"));
    str version = module_version_in(arena, program->directory, STR(".nvmrc"));

    if (version.len == 0)
        version = module_version_in(arena, program->directory, STR(".node-version"));
    if (fnm.len == 0 || version.len == 0)
        return NULL;
    TRY(sink_write(
        sink, OUTPUT_STDOUT,
        arena_printf(arena, "Setting Nodejs version to " STR_FMT "\n", STR_ARG(version))));
    return error_wrap(use_version(host, arena, fnm, version), "failed to install node version");
}

/* --- packages --- */

/* Plug'n'Play of yarn has one file instead of a folder, and the SDK does not know it. */
static struct error *no_packages(struct arena *arena, const struct package_manager *manager,
                                 str directory)
{
    bool is_pnp = fs_exists(fs_path_join(arena, directory, STR(".pnp.cjs")))
                  || fs_exists(fs_path_join(arena, directory, STR(".pnp.js")));

    return error_new(ERROR_OTHER,
                     "%s install reported success, but node_modules directory is missing%s",
                     manager->name,
                     is_pnp ? "; set `nodeLinker: node-modules` in .yarnrc.yml: programs do not "
                              "run with Plug'n'Play"
                            : "");
}

/* A package manager would say so in many lines, and leave files behind. pnpm takes other forms. */
static fallible check_manifest(struct arena *arena, str directory)
{
    static const char *const names[] = { "package.json", "package.yaml", "package.json5" };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (search_up(arena, directory, str_from(names[i])).len > 0)
            return NULL;
    return error_new(ERROR_NOT_FOUND,
                     "there is no package.json in '" STR_FMT
                     "' or above it: `npm init --yes && npm install @pulumi/pulumi` makes one",
                     STR_ARG(directory));
}

static fallible install_packages(struct host *host, struct arena *arena,
                                 const struct chosen_manager *chosen, bool is_production,
                                 str directory, struct sink *sink)
{
    CLEANUP(command_release)
    struct command command = { .path = chosen->path, .directory = directory };
    const struct package_manager *manager = chosen->manager;
    int exit_code;

    words_add_all(&command.args, manager->install);
    if (is_production && manager->production)
        words_add(&command.args, arena, str_from(manager->production));
    TRY(command_run(host, &command, sink, &exit_code));
    if (exit_code != 0)
        return error_new(ERROR_OTHER, "%s install failed with exit code %d", manager->name,
                         exit_code);
    if (search_up(arena, directory, STR("node_modules")).len == 0)
        return no_packages(arena, manager, directory);
    return NULL;
}

fallible node_install(struct host *host, struct arena *arena, const struct program *program,
                      const Pb__InstallDependenciesRequest *request, struct sink *sink)
{
    str root = node_workspace_root(arena, program->directory);
    struct chosen_manager chosen;
    struct node_options options;

    if (request->use_language_version_tools)
        TRY(install_node(host, arena, program, sink));
    if (root.len > 0)
        TRY(sink_write(
            sink, OUTPUT_STDOUT,
            arena_printf(arena, "Detected workspace root at " STR_FMT "\n", STR_ARG(root))));
    TRY(check_manifest(arena, program->directory));
    TRY(node_options_read(arena, program, &options));
    TRY(node_choose_manager(host, arena, program, &chosen));
    if (chosen.missing)
        TRY(sink_write(sink, OUTPUT_STDERR,
                       arena_printf(arena, "could not find %s on the $PATH, trying %s instead\n",
                                    chosen.missing, chosen.manager->name)));
    return install_packages(host, arena, &chosen, options.is_production,
                            root.len > 0 ? root : program->directory, sink);
}
