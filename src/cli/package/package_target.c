/* package_target.c — projects and plugins that get packages. */
#include "cli/package/package_target.h"

#include "base/fs.h"
#include "cli/open.h"
#include "cli/package/dependencies.h"
#include "plugin/plugin_project.h"

#include <stdio.h>

/* --- finding it --- */

str package_runtime(str language)
{
    static const struct {
        const char *said, *runtime;
    } names[] = {
        { "typescript", "nodejs" }, { "javascript", "nodejs" }, { "node", "nodejs" },
        { "ts", "nodejs" },         { "js", "nodejs" },         { "csharp", "dotnet" },
        { "c#", "dotnet" },         { "golang", "go" },
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (str_equal(language, str_from(names[i].said)))
            return str_from(names[i].runtime);
    return language;
}

static fallible target_of_plugin(struct cli *cli, str folder, struct package_target *out)
{
    struct plugin_project project;

    TRY(plugin_project_load(cli->arena, STR("resource"), folder, &project));
    *out = (struct package_target){
        .root = folder,
        .manifest = fs_path_join(cli->arena, folder, STR("PulumiPlugin.yaml")),
        .runtime = project.runtime,
        .options = project.options,
        .is_plugin = true,
    };
    return NULL;
}

static fallible target_of_project(struct cli *cli, struct package_target *out)
{
    TRY(cli_open_project(cli));
    *out = (struct package_target){
        .root = cli->project->directory,
        .manifest = cli->project->path,
        .runtime = cli->project->runtime,
        .options = cli->project->runtime_options,
    };
    return NULL;
}

/* The innermost is meant; a project wins where both share a folder. */
static fallible target_around(struct cli *cli, str here, struct package_target *out)
{
    str path, project = STR("");
    struct error *absence = project_find(cli->arena, here, &path);

    if (!absence)
        project = fs_path_directory(path);
    error_ignore(absence, "a plugin will do");
    *out = (struct package_target){ .options = VALUE_EMPTY_OBJECT };
    for (str folder = here; folder.len > project.len; folder = fs_path_directory(folder)) {
        if (plugin_project_exists(cli->arena, folder))
            return target_of_plugin(cli, folder, out);
        if (str_equal(folder, fs_path_directory(folder)))
            break;
    }
    return project.len ? target_of_project(cli, out) : NULL;
}

fallible package_target_find(struct cli *cli, str language, struct package_target *out)
{
    str here;

    TRY(cli_current_directory(cli, &here));
    TRY(target_around(cli, here, out));
    if (language.len && out->manifest.len)
        return error_new(ERROR_INVALID,
                         "--language is for use outside a Pulumi project or plugin, but " STR_FMT
                         " was found; remove the flag, or run from a directory outside the project",
                         STR_ARG(out->manifest));
    if (!language.len && !out->manifest.len)
        return error_new(ERROR_NOT_FOUND,
                         "no project file found and no plugin file found; pass --language LANG to "
                         "run outside a Pulumi project or plugin");
    if (!out->manifest.len) {
        out->root = here;
        out->runtime = package_runtime(language);
    }
    if (!out->runtime.len)
        return error_new(ERROR_INVALID, "cannot add a package to a project without a runtime");
    return NULL;
}

str package_target_sdks(struct arena *arena, const struct package_target *target)
{
    return fs_path_join(arena, target->root, STR("sdks"));
}

/* --- files that linking changes --- */

/* The files at the top of a program: manifests and locks are among them, whatever the language. */
struct kept_file {
    str path;
    bool has_content; /* false: a folder, a link to nothing, or too large to be kept */
    str content;
    unsigned mode;
};

struct kept_files {
    VEC(struct kept_file);
};

static fallible keep_files(struct arena *arena, str folder, struct kept_files *out)
{
    enum { LARGEST_KEPT = 16 << 20 };
    str *names;
    size_t count;

    TRY(fs_list(arena, folder, &names, &count));
    for (size_t i = 0; i < count; i++) {
        struct kept_file file = { .path = fs_path_join(arena, folder, names[i]) };
        struct fs_status status = { 0 };
        error_ignore(fs_stat(file.path, &status), "a link to nothing is no file");
        file.has_content = status.is_file && status.size <= LARGEST_KEPT;
        if (file.has_content)
            TRY(fs_read(arena, file.path, LARGEST_KEPT, &file.content));
        file.mode = status.mode & 0777;
        vec_add(out, file);
    }
    return NULL;
}

/* What package managers make beside what is there. Any other new file may be the user's. */
static bool is_made_by_manager(str name)
{
    static const char *const names[] = {
        "bun.lock",          "bun.lockb",      "go.sum",
        "package-lock.json", "pnpm-lock.yaml", "pnpm-workspace.yaml",
        "poetry.lock",       "pyproject.toml", "requirements.txt",
        "uv.lock",           "yarn.lock",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (str_equal(name, str_from(names[i])))
            return true;
    return false;
}

static fallible remove_made_files(struct arena *arena, const struct kept_files *files, str folder)
{
    str *names;
    size_t count;

    TRY(fs_list(arena, folder, &names, &count));
    for (size_t i = 0; i < count; i++) {
        str path = fs_path_join(arena, folder, names[i]);
        bool was_there = !is_made_by_manager(names[i]);
        for (size_t k = 0; k < files->len; k++)
            was_there |= str_equal(files->items[k].path, path);
        if (!was_there && fs_is_file(path))
            TRY(fs_remove(path));
    }
    return NULL;
}

static fallible restore_files(struct arena *arena, const struct kept_files *files, str folder)
{
    struct error *failure = remove_made_files(arena, files, folder);

    for (size_t i = 0; i < files->len; i++) {
        CLEANUP(arena_release) struct arena scratch = { 0 };
        const struct kept_file *file = &files->items[i];
        if (!file->has_content)
            continue;
        str content = STR("");
        struct error *change = fs_read(&scratch, file->path, 0, &content);
        if (!change && str_equal(content, file->content))
            continue;
        error_ignore(change, "it is gone, and comes back");
        failure = error_join(failure, fs_replace(file->path, file->content, file->mode));
    }
    return failure;
}

/* --- linking --- */

static fallible ask_to_link(struct sdk_maker *maker, const struct program_info *program,
                            const struct package_target *target, const struct package_sdk *sdks,
                            size_t count, str *instructions)
{
    struct arena *arena = maker->cli->arena;
    struct linked_sdk *links = ARENA_ARRAY(arena, struct linked_sdk, count);
    bool is_implemented;

    for (size_t i = 0; i < count; i++) {
        sdk_maker_know(maker, &sdks[i]);
        links[i] = (struct linked_sdk){ &sdks[i].package,
                                        fs_path_join(arena, STR("sdks"), sdks[i].folder) };
    }
    TRY(error_wrap(language_link(maker->language, program, links, count,
                                 schema_server_address(maker->server), arena, instructions,
                                 &is_implemented),
                   "linking the SDK"));
    if (!is_implemented)
        cli_report(maker->cli, "warning",
                   arena_printf(arena,
                                "the language host for " STR_FMT
                                " does not link SDKs: name what is in '" STR_FMT
                                "' among the dependencies of the program",
                                STR_ARG(target->runtime),
                                STR_ARG(package_target_sdks(arena, target))));
    return NULL;
}

static fallible link_and_install(struct sdk_maker *maker, const struct package_target *target,
                                 const struct package_sdk *sdks, size_t count, bool installs)
{
    /* SDKs are at the root, and so is what the language knows packages by. */
    const struct program_info program = { target->root, target->root, STR("."), target->options };
    str instructions;

    TRY(ask_to_link(maker, &program, target, sdks, count, &instructions));
    if (installs)
        TRY(dependencies_install_program(maker->cli, maker->language, &program, target->is_plugin));
    if (installs && instructions.len)
        printf("\n" STR_FMT "%s", STR_ARG(instructions),
               str_ends_with(instructions, STR("\n")) ? "" : "\n");
    fflush(stdout);
    return NULL;
}

fallible package_target_link(struct sdk_maker *maker, const struct package_target *target,
                             const struct package_sdk *sdks, size_t count, bool installs)
{
    CLEANUP(vec_drop) struct kept_files kept = { 0 };

    TRY(keep_files(maker->cli->arena, target->root, &kept));
    struct error *failure = link_and_install(maker, target, sdks, count, installs);
    return failure ? error_join(failure, restore_files(maker->cli->arena, &kept, target->root))
                   : NULL;
}

/* --- the manifest --- */

fallible package_target_record(struct cli *cli, const struct package_target *target,
                               const struct project_package *package)
{
    enum { LARGEST_MANIFEST = 16 << 20 };
    struct project changed;
    str old, text;

    if (!target->manifest.len)
        return NULL;
    TRY(fs_read(cli->arena, target->manifest, LARGEST_MANIFEST, &old));
    TRY(project_put_package(cli->arena, target->manifest, old, package, &text));
    if (!target->is_plugin)
        TRY(project_parse(cli->arena, target->manifest, text, &changed));
    return str_equal(old, text) ? NULL : fs_replace(target->manifest, text, 0600);
}
