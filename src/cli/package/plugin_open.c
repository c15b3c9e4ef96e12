/* plugin_open.c — finds the plugins that a project brings along and opens a host for commands that
 * are no operation. */
#include "cli/package/plugin_open.h"

#include "base/fs.h"
#include "base/settings.h"
#include "cli/open.h"
#include "plugin/plugin_project.h"

#include <unistd.h>

extern char **environ;

/* Bundled plugins are beside our own executable. */
str cli_bundled_directory(struct arena *arena)
{
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

    return len > 0 ? arena_copy(arena, fs_path_directory((str){ path, (size_t)len })) : STR("");
}

/* --- directories --- */

struct folder_list {
    VEC(struct plugin_folder);
    str ring; /* names of packages that need each other; empty: there are none */
};

/* The packages that are being looked at, each because the one above needs it. */
struct folder_chain {
    const struct folder_chain *above;
    str name, path;
};

static fallible plugin_open_resolve(struct arena *arena, str base, str path, str *out)
{
    str folder = fs_path_absolute(arena, base, path);

    if (!fs_exists(folder))
        return error_new(ERROR_NOT_FOUND, "no folder at path '" STR_FMT "'", STR_ARG(folder));
    if (!fs_is_directory(folder))
        return error_new(ERROR_INVALID, "provider folder '" STR_FMT "' is not a directory",
                         STR_ARG(folder));
    *out = folder;
    return NULL;
}

static fallible add_plugin(struct cli *cli, const struct project_plugin *plugin,
                           struct folder_list *list)
{
    static const char *const kinds[] = { [PROJECT_PROVIDER] = "resource",
                                         [PROJECT_ANALYZER] = "analyzer",
                                         [PROJECT_LANGUAGE] = "language" };
    struct plugin_folder folder = { .kind = str_from(kinds[plugin->kind]),
                                    .name = plugin->name,
                                    .version = plugin->version };

    if (plugin->name.len == 0)
        return error_new(ERROR_INVALID, "parsing plugin options for '': name must not be empty");
    TRY(error_wrap(
        plugin_open_resolve(cli->arena, cli->project->directory, plugin->path, &folder.path),
        "parsing plugin options for '" STR_FMT "'", STR_ARG(plugin->name)));
    vec_add(list, folder);
    return NULL;
}

static bool has_package(const struct folder_list *list, str name, str path)
{
    for (size_t i = 0; i < list->len; i++)
        if (str_equal(list->items[i].name, name) && str_equal(list->items[i].path, path))
            return true;
    return false;
}

static fallible add_packages_of(struct arena *arena, const struct folder_chain *chain,
                                const struct plugin_project *project, struct folder_list *list);

static str ring_text(struct arena *arena, const struct folder_chain *chain, str path, str last)
{
    str text = last;

    for (; chain; chain = chain->above) {
        text = arena_concat(arena, chain->name, STR(" -> "), text);
        if (str_equal(chain->path, path))
            break;
    }
    return text;
}

static bool is_ring(const struct folder_chain *chain, str path)
{
    while (chain && !str_equal(chain->path, path))
        chain = chain->above;
    return chain;
}

/* A package that is a directory, and the packages that its own file names: a directory comes behind
 * what it needs. */
static fallible add_package(struct arena *arena, const struct folder_chain *above, str name,
                            str base, str source, struct folder_list *list)
{
    struct plugin_folder folder = { .kind = STR("resource"), .name = name, .version = STR("") };
    struct plugin_project project;

    if (!plugin_source_is_folder(source))
        return NULL;
    TRY(error_wrap(plugin_open_resolve(arena, base, source, &folder.path), "package '" STR_FMT "'",
                   STR_ARG(name)));
    if (is_ring(above, folder.path)) {
        if (!list->ring.len)
            list->ring = ring_text(arena, above, folder.path, name);
        return NULL;
    }
    if (has_package(list, name, folder.path))
        return NULL;
    if (plugin_project_exists(arena, folder.path)) {
        const struct folder_chain chain = { above, name, folder.path };
        TRY(error_wrap(plugin_project_load(arena, folder.kind, folder.path, &project),
                       "package '" STR_FMT "'", STR_ARG(name)));
        TRY(add_packages_of(arena, &chain, &project, list));
    }
    vec_add(list, folder);
    return NULL;
}

static fallible add_packages_of(struct arena *arena, const struct folder_chain *chain,
                                const struct plugin_project *project, struct folder_list *list)
{
    for (size_t i = 0; i < project->package_count; i++)
        TRY(add_package(arena, chain, project->packages[i].name, chain->path,
                        project->packages[i].source, list));
    return NULL;
}

static fallible plugin_open_collect(struct cli *cli, struct folder_list *list)
{
    const struct project *project = cli->project;

    for (size_t i = 0; i < project->plugin_count; i++)
        TRY(add_plugin(cli, &project->plugins[i], list));
    for (size_t i = 0; i < project->package_count; i++)
        TRY(add_package(cli->arena, NULL, project->packages[i].name, project->directory,
                        project->packages[i].source, list));
    return NULL;
}

static void take_folders(struct arena *arena, struct folder_list *owned, struct plugin_folders *out)
{
    out->items = arena_copy_bytes(arena, owned->items, owned->len * sizeof(*owned->items));
    out->len = owned->len;
    vec_release(owned);
}

static fallible refuse_ring(str ring)
{
    return ring.len ? error_new(ERROR_INVALID, "cycle found: " STR_FMT, STR_ARG(ring)) : NULL;
}

static fallible folders_of_project(struct cli *cli, struct plugin_folders *out, str *ring)
{
    struct folder_list list = { 0 };
    struct error *failure = cli->project ? plugin_open_collect(cli, &list) : NULL;

    take_folders(cli->arena, &list, out);
    *ring = list.ring;
    return failure;
}

fallible cli_plugin_folders(struct cli *cli, struct plugin_folders *out)
{
    str ring;

    TRY(folders_of_project(cli, out, &ring));
    return refuse_ring(ring);
}

fallible cli_plugin_folders_of(struct cli *cli, str kind, str folder, struct plugin_folders *out)
{
    const struct folder_chain chain = { NULL, fs_path_name(folder), folder };
    struct folder_list list = { 0 };
    struct plugin_project project;

    TRY(plugin_project_load(cli->arena, kind, folder, &project));
    struct error *failure = add_packages_of(cli->arena, &chain, &project, &list);
    take_folders(cli->arena, &list, out);
    return failure ? failure : refuse_ring(list.ring);
}

/* --- the host --- */

/* What a plugin tells the user, as its usage when it is asked for, goes to standard error: the
 * output of some of these commands is read by programs. */
static void report(void *cli, enum plugin_severity severity, str message, int32_t stream_id)
{
    (void)stream_id;
    switch (severity) {
    case PLUGIN_DEBUG: break;
    case PLUGIN_INFO:
    case PLUGIN_INFO_ERROR: cli_say_error(cli, message); break;
    case PLUGIN_WARNING: cli_report(cli, "warning", str_trim(message)); break;
    case PLUGIN_ERROR: cli_report(cli, "error", str_trim(message)); break;
    }
}

static void report_errors(void *cli, enum plugin_severity severity, str message, int32_t stream_id)
{
    if (severity == PLUGIN_ERROR)
        report(cli, severity, message, stream_id);
}

fallible cli_plugin_world(struct cli *cli, struct plugin_world *out)
{
    *out = (struct plugin_world){
        .search_path = settings_text("PATH"),
        .bundled_directory = cli_bundled_directory(cli->arena),
        .environment = (const char *const *)environ,
        .flags = cli_plugin_flags(cli),
        .debug_providers = settings_text("PULUMI_DEBUG_PROVIDERS"),
        .debug_languages = settings_text("PULUMI_DEBUG_LANGUAGES"),
        .ignores_ambient = settings_bool("PULUMI_IGNORE_AMBIENT_PLUGINS"),
        .disables_provider_preview = settings_bool("PULUMI_DISABLE_PROVIDER_PREVIEW"),
    };
    TRY(cli_home(cli, &out->home));
    str ring; /* can be told only when it is installed: what is there may be used */
    return folders_of_project(cli, &out->folders, &ring);
}

/* What a host points to. */
struct surroundings {
    struct plugin_world world;
    struct project_facts project;
    struct config_facts config; /* none: these commands configure nothing */
};

static struct plugin_folders with_folder(struct arena *arena, struct plugin_folders folders,
                                         const struct plugin_folder *folder)
{
    struct plugin_folder *items = ARENA_ARRAY(arena, struct plugin_folder, folders.len + 1);

    items[0] = *folder;
    for (size_t i = 0; i < folders.len; i++)
        items[i + 1] = folders.items[i];
    return (struct plugin_folders){ items, folders.len + 1 };
}

static fallible open_host_with(struct cli *cli, str directory, const struct plugin_folder *folder,
                               plugin_report *reports, struct plugin_host **out)
{
    struct surroundings *around = ARENA_NEW(cli->arena, struct surroundings);
    const struct plugin_host_options options = {
        .world = &around->world,
        .project = &around->project,
        .config = &around->config,
        .report = reports,
        .report_context = cli,
    };

    TRY(cli_plugin_world(cli, &around->world));
    if (folder)
        around->world.folders = with_folder(cli->arena, around->world.folders, folder);
    around->project.program.program_directory = directory;
    around->project.program.options = VALUE_EMPTY_OBJECT;
    if (cli->project) {
        around->project.name = cli->project->name;
        around->project.runtime = cli->project->runtime;
        around->project.program.options = cli->project->runtime_options;
    }
    return plugin_host_open(&options, out);
}

fallible cli_open_plugins(struct cli *cli, str directory, struct plugin_host **out)
{
    return open_host_with(cli, directory, NULL, report, out);
}

fallible cli_open_plugins_with(struct cli *cli, str directory, const struct plugin_folder *folder,
                               struct plugin_host **out)
{
    return open_host_with(cli, directory, folder, report, out);
}

fallible cli_open_plugins_again(struct cli *cli, str directory, struct plugin_host **out)
{
    return open_host_with(cli, directory, NULL, report_errors, out);
}
