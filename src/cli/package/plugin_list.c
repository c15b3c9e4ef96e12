/* plugin_list.c — finds out which plugins a project needs and installs plugins. */
#include "cli/package/plugin_list.h"

#include "base/settings.h"
#include "cli/open.h"
#include "cli/package/plugin_progress.h"
#include "engine/engine.h"
#include "fiber/fiber.h"
#include "plugin/plugin_cache.h"
#include "plugin/plugin_git.h"
#include "plugin/plugin_project.h"

/* --- sizes --- */

str plugin_list_size(struct arena *arena, uint64_t bytes)
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
    double value = (double)bytes;
    size_t unit = 0;

    if (bytes < 10)
        return arena_printf(arena, "%llu B", (unsigned long long)bytes);
    while (value >= 1000 && unit + 1 < sizeof(units) / sizeof(*units)) {
        value /= 1000;
        unit++;
    }
    return arena_printf(arena, value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

/* --- installing --- */

fallible plugin_list_request(struct cli *cli, struct install_request *out)
{
    *out = (struct install_request){
        .url_overrides = settings_text("PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES"),
        .github_token = settings_text("GITHUB_TOKEN"),
        .gitlab_token = settings_text("GITLAB_TOKEN"),
    };
    return cli_home(cli, &out->home);
}

/* Without a version the newest is meant. */
static fallible choose_version(struct cli *cli, struct install_request *request)
{
    struct semver version;

    if (request->package.version.len == 0)
        TRY(error_wrap(plugin_latest_version(request, cli->arena, &request->package.version),
                       "finding the newest version of plugin '" STR_FMT "'",
                       STR_ARG(request->package.name)));
    if (!semver_parse_tolerant(request->package.version, &version))
        return error_new(ERROR_INVALID, "invalid plugin semver: '" STR_FMT "'",
                         STR_ARG(request->package.version));
    request->package.version = semver_format(cli->arena, &version);
    return NULL;
}

static fallible install_one(struct plugin_progress *progress, struct install_request *request)
{
    struct cli *cli = progress->cli;

    TRY(choose_version(cli, request));
    str name = arena_concat(cli->arena, request->package.name, STR("-"), request->package.version);
    request->listener = plugin_progress_listener(
        progress, arena_concat(cli->arena, STR("Downloading plugin "), name));
    request->output = plugin_progress_output(progress);
    plugin_progress_say(progress, arena_concat(cli->arena, STR("["), request->package.kind,
                                               STR(" plugin "), name, STR("] installing")));
    struct error *failure = plugin_install(request);
    if (request->file.len > 0)
        return error_wrap(failure, "installing [" STR_FMT " plugin " STR_FMT "] from " STR_FMT,
                          STR_ARG(request->package.kind), STR_ARG(name), STR_ARG(request->file));
    return error_wrap(failure, "[" STR_FMT " plugin " STR_FMT "] downloading%s" STR_FMT,
                      STR_ARG(request->package.kind), STR_ARG(name),
                      request->package.download_url.len > 0 ? " from " : "",
                      STR_ARG(request->package.download_url));
}

fallible plugin_list_install_one(struct cli *cli, struct install_request *request)
{
    struct plugin_progress progress;

    plugin_progress_init(&progress, cli);
    struct error *failure = install_one(&progress, request);
    plugin_progress_release(&progress);
    return failure;
}

struct batch {
    struct plugin_progress progress;
    struct semaphore slots;
    struct work_group busy;
    struct error *failure;
};

struct batch_item {
    struct batch *batch;
    struct install_request request;
};

static void plugin_list_install_item(void *item_)
{
    struct batch_item *item = item_;
    struct error *failure = semaphore_wait(&item->batch->slots);

    if (!failure) {
        failure = install_one(&item->batch->progress, &item->request);
        semaphore_post(&item->batch->slots);
    }
    item->batch->failure = error_join(item->batch->failure, failure);
    work_group_done(&item->batch->busy);
}

fallible plugin_list_has(struct cli *cli, const struct install_request *request, bool *out)
{
    struct plugin_entries entries;
    struct semver wanted;
    bool has_version = semver_parse_tolerant(request->package.version, &wanted);
    bool accepts_newer = settings_text("PULUMI_ENABLE_LEGACY_PLUGIN_SEARCH").len > 0;
    str name = plugin_cache_name(cli->arena, request->package.name, request->package.download_url);

    *out = false;
    TRY(error_wrap(plugin_cache_list(cli->arena, request->home, &entries), "loading plugins"));
    for (size_t i = 0; i < entries.len; i++) {
        const struct plugin_entry *entry = &entries.items[i];
        int order = has_version ? semver_compare(&entry->version, &wanted) : 0;
        if (str_equal(entry->kind, request->package.kind) && str_equal(entry->name, name)
            && (order == 0 || (accepts_newer && order > 0)))
            *out = true;
    }
    return NULL;
}

static fallible begin_item(struct batch *batch, struct plugin_host *host,
                           const struct needed_plugin *plugin, bool reinstalls)
{
    struct cli *cli = batch->progress.cli;
    struct batch_item *item = ARENA_NEW(cli->arena, struct batch_item);
    bool is_there = false;

    item->batch = batch;
    TRY(plugin_list_request(cli, &item->request));
    item->request.package = plugin->package;
    item->request.host = host;
    item->request.reinstalls = reinstalls;
    if (!reinstalls)
        TRY(plugin_list_has(cli, &item->request, &is_there));
    if (is_there || plugin->is_built_in)
        return NULL;
    work_group_add(&batch->busy, 1);
    fiber_spawn(plugin_list_install_item, item);
    return NULL;
}

fallible plugin_list_install(struct cli *cli, struct plugin_host *host,
                             const struct needed_plugins *plugins, bool reinstalls,
                             int64_t parallel)
{
    struct batch batch = { .slots.available = parallel > 0 ? (size_t)parallel : plugins->len };
    struct error *failure = NULL;

    plugin_progress_init(&batch.progress, cli);
    for (size_t i = 0; !failure && i < plugins->len; i++)
        failure = begin_item(&batch, host, &plugins->items[i], reinstalls);
    work_group_wait_uncancelable(&batch.busy);
    plugin_progress_release(&batch.progress);
    return error_join(failure, batch.failure);
}

/* --- of a project --- */

fallible plugin_list_program(struct cli *cli, struct program_info *out)
{
    *out = (struct program_info){ .root_directory = cli->project->directory,
                                  .options = cli->project->runtime_options };
    return project_program(cli->arena, cli->project, &out->program_directory, &out->entry_point);
}

static fallible plugin_list_ask_language(struct cli *cli, struct plugin_host *host,
                                         struct package_refs *out)
{
    struct program_info program;
    struct language *language;

    *out = (struct package_refs){ 0 };
    if (cli->project->runtime.len == 0)
        return NULL;
    TRY(plugin_list_program(cli, &program));
    TRY(error_wrap(plugin_load_language(host, cli->project->runtime, &language),
                   "load language plugin " STR_FMT, STR_ARG(cli->project->runtime)));
    return error_wrap(language_required_packages(language, &program, cli->arena, out),
                      "failed to discover plugin requirements");
}

/* Its directory is named in the project file. */
static bool is_in_project(const struct project *project, str name)
{
    for (size_t i = 0; i < project->plugin_count; i++)
        if (str_equal(project->plugins[i].name, name))
            return true;
    for (size_t i = 0; i < project->package_count; i++)
        if (str_equal(project->packages[i].name, name)
            && plugin_source_is_folder(project->packages[i].source))
            return true;
    return false;
}

static bool is_listed(const struct needed_plugins *list, const struct needed_plugin *plugin)
{
    for (size_t i = 0; i < list->len; i++)
        if (str_equal(list->items[i].package.kind, plugin->package.kind)
            && package_ref_same_plugin(&list->items[i].package, &plugin->package))
            return true;
    return false;
}

static void plugin_list_add(struct needed_plugins *list, struct needed_plugin plugin)
{
    if (!is_listed(list, &plugin))
        list->items[list->len++] = plugin;
}

fallible plugin_list_of_program(struct cli *cli, struct plugin_host *host,
                                struct needed_plugins *out)
{
    struct package_refs packages;

    TRY(plugin_list_ask_language(cli, host, &packages));
    *out = (struct needed_plugins){ ARENA_ARRAY(cli->arena, struct needed_plugin, packages.len + 1),
                                    0 };
    for (size_t i = 0; i < packages.len; i++) {
        struct package_ref *package = &packages.items[i];
        if (package->kind.len == 0)
            package->kind = STR("resource");
        if (plugin_is_bundled(package->kind, package->name)
            || is_in_project(cli->project, package->name))
            continue;
        plugin_list_add(out, (struct needed_plugin){ *package, engine_has_package(package->name) });
    }
    return NULL;
}

fallible plugin_list_add_package(struct cli *cli, struct needed_plugins *list, str source,
                                 str version, str url)
{
    struct needed_plugin plugin = { .package = { .kind = STR("resource"),
                                                 .name = source,
                                                 .version = version,
                                                 .download_url = url } };
    struct package_ref *package = &plugin.package;

    if (plugin_source_is_folder(source))
        return NULL;
    TRY(plugin_git_name(cli->arena, &package->name, &package->version, &package->download_url));
    if (!engine_has_package(package->name))
        plugin_list_add(list, plugin);
    return NULL;
}

fallible plugin_list_of_packages(struct cli *cli, struct needed_plugins *out)
{
    const struct project *project = cli->project;

    *out = (struct needed_plugins){
        ARENA_ARRAY(cli->arena, struct needed_plugin, project->package_count + 1), 0
    };
    for (size_t i = 0; i < project->package_count; i++) {
        const struct project_package *package = &project->packages[i];
        TRY(plugin_list_add_package(cli, out, package->source, package->version,
                                    package->download_url));
    }
    return NULL;
}
