/* plugin_list.c — finds out which plugins a project needs and installs plugins with a bar of progress. */
#include "cli/plugin_list.h"

#include "base/fs.h"
#include "base/settings.h"
#include "cli/open.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "http/http.h"
#include "plugin/plugin.h"
#include "plugin/plugin_cache.h"

#include <stdio.h>
#include <unistd.h>

extern char **environ;

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

/* --- progress on standard error --- */

struct progress {
    struct cli *cli;
    str label; /* "Downloading plugin aws-1.2.3" */
    const struct http_progress *http;
    bool is_shown; /* somebody looks at the terminal */
    struct latch done;
    struct latch ended;
};

static void draw(const struct progress *progress)
{
    enum { WIDTH = 30 };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    uint64_t received = progress->http->received, total = progress->http->total;
    char bar[WIDTH + 1];
    size_t filled = total > 0 && received <= total ? (size_t)(received * WIDTH / total) : 0;

    memset(bar, '-', WIDTH);
    memset(bar, '=', filled);
    bar[WIDTH] = '\0';
    str size = plugin_list_size(&scratch, received);
    if (total > 0)
        fprintf(stderr, "\r" STR_FMT " [%s] " STR_FMT "/" STR_FMT "  ", STR_ARG(progress->label), bar, STR_ARG(size),
                STR_ARG(plugin_list_size(&scratch, total)));
    else
        fprintf(stderr, "\r" STR_FMT " " STR_FMT "  ", STR_ARG(progress->label), STR_ARG(size));
    fflush(stderr);
}

static void show(void *progress_)
{
    enum { REDRAW_MS = 100 };
    struct progress *progress = progress_;
    struct error *news;

    while ((news = latch_wait_ms(&progress->done, REDRAW_MS)) && error_kind(news) == ERROR_TIMEOUT) {
        error_ignore(news, "not done yet");
        draw(progress);
    }
    error_ignore(news, "a canceled download ends by itself");
    draw(progress);
    fputc('\n', stderr);
    latch_open(&progress->ended);
}

static void begin_download(void *progress_, const struct http_progress *http)
{
    struct progress *progress = progress_;

    progress->http = http;
    progress->done = progress->ended = (struct latch){ 0 };
    if (progress->is_shown)
        fiber_spawn(show, progress);
    else
        fprintf(stderr, STR_FMT "\n", STR_ARG(progress->label));
}

static void end_download(void *progress_)
{
    struct progress *progress = progress_;

    if (!progress->is_shown)
        return;
    latch_open(&progress->done);
    latch_wait_uncancelable(&progress->ended);
}

static void retry(void *progress_, str problem, uint64_t wait_ms, unsigned attempt, unsigned attempts)
{
    struct progress *progress = progress_;
    CLEANUP(arena_release) struct arena scratch = { 0 };

    cli_report(progress->cli, "warning",
               arena_printf(&scratch, "Error downloading plugin: " STR_FMT "\nWill retry in %llums [%u/%u]",
                            STR_ARG(problem), (unsigned long long)wait_ms, attempt, attempts));
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

fallible plugin_list_install_one(struct cli *cli, struct install_request *request)
{
    if (request->version.len == 0)
        TRY(error_wrap(plugin_latest_version(request, cli->arena, &request->version),
                       "finding the newest version of plugin '" STR_FMT "'", STR_ARG(request->name)));
    str version = str_starts_with(request->version, STR("v")) ? str_slice(request->version, 1, request->version.len)
                                                              : request->version;
    str name = arena_concat(cli->arena, request->name, STR("-"), version);
    struct progress progress = {
        .cli = cli,
        .label = arena_concat(cli->arena, STR("Downloading plugin "), name),
        .is_shown = cli->terminal.is_interactive && isatty(STDERR_FILENO),
    };
    const struct install_listener listener = { &progress, begin_download, end_download, retry };

    fprintf(stderr, "[" STR_FMT " plugin " STR_FMT "] installing\n", STR_ARG(request->kind), STR_ARG(name));
    request->listener = &listener;
    struct error *failure = plugin_install(request);
    request->listener = NULL;
    if (request->file.len > 0)
        return error_wrap(failure, "installing [" STR_FMT " plugin " STR_FMT "] from " STR_FMT, STR_ARG(request->kind),
                          STR_ARG(name), STR_ARG(request->file));
    return error_wrap(failure, "[" STR_FMT " plugin " STR_FMT "] downloading%s" STR_FMT, STR_ARG(request->kind),
                      STR_ARG(name), request->url.len > 0 ? " from " : "", STR_ARG(request->url));
}

struct batch {
    struct cli *cli;
    struct semaphore slots;
    struct work_group busy;
    struct error *failure;
};

struct batch_item {
    struct batch *batch;
    struct install_request request;
};

static void install_item(void *item_)
{
    struct batch_item *item = item_;
    struct error *failure = semaphore_wait(&item->batch->slots);

    if (!failure) {
        failure = plugin_list_install_one(item->batch->cli, &item->request);
        semaphore_post(&item->batch->slots);
    }
    item->batch->failure = error_join(item->batch->failure, failure);
    work_group_done(&item->batch->busy);
}

static bool is_installed(const struct needed_plugin *plugin, const struct plugin_entries *entries)
{
    struct semver wanted;
    bool has_version = semver_parse_tolerant(plugin->version, &wanted);

    for (size_t i = 0; i < entries->len; i++) {
        const struct plugin_entry *entry = &entries->items[i];
        if (str_equal(entry->kind, plugin->kind) && str_equal(entry->name, plugin->name)
            && (!has_version || semver_compare(&entry->version, &wanted) == 0))
            return true;
    }
    return false;
}

fallible plugin_list_install(struct cli *cli, const struct needed_plugins *plugins, bool reinstalls, int64_t parallel)
{
    struct batch batch = { .cli = cli, .slots.available = parallel > 0 ? (size_t)parallel : plugins->len };
    struct plugin_entries entries;
    struct install_request request;

    TRY(plugin_list_request(cli, &request));
    TRY(error_wrap(plugin_cache_list(cli->arena, request.home, &entries), "loading plugins"));
    for (size_t i = 0; i < plugins->len; i++) {
        const struct needed_plugin *plugin = &plugins->items[i];
        if (!reinstalls && is_installed(plugin, &entries))
            continue;
        struct batch_item *item = ARENA_NEW(cli->arena, struct batch_item);
        *item = (struct batch_item){ &batch, request };
        item->request.kind = plugin->kind;
        item->request.name = plugin->name;
        item->request.version = plugin->version;
        item->request.url = plugin->url;
        item->request.reinstalls = reinstalls;
        work_group_add(&batch.busy, 1);
        fiber_spawn(install_item, item);
    }
    work_group_wait_uncancelable(&batch.busy);
    return batch.failure;
}

/* --- of a project --- */

static void report(void *cli, enum plugin_severity severity, str message, int32_t stream_id)
{
    (void)stream_id;
    if (severity == PLUGIN_WARNING)
        cli_report(cli, "warning", message);
    else if (severity == PLUGIN_ERROR)
        cli_report(cli, "error", message);
}

static str executable_directory(struct arena *arena)
{
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

    return len > 0 ? arena_copy(arena, fs_path_directory((str){ path, (size_t)len })) : STR("");
}

static fallible ask_language(struct cli *cli, struct plugin_host *host, struct package_dependencies *out)
{
    struct program_info program = { .root_directory = cli->project->directory,
                                    .options = cli->project->runtime_options };
    struct language *language;

    TRY(project_program(cli->arena, cli->project, &program.program_directory, &program.entry_point));
    TRY(plugin_load_language(host, cli->project->runtime, &language));
    return language_required_packages(language, &program, cli->arena, out);
}

static fallible ask_project(struct cli *cli, struct package_dependencies *out)
{
    struct plugin_host_options options = {
        .search_path = settings_text("PATH"),
        .program_directory = cli->project->directory,
        .bundled_directory = executable_directory(cli->arena),
        .engine_address = STR("127.0.0.1:1"), /* no engine runs; a host calls it only for a program */
        .project = cli->project->name,
        .runtime = cli->project->runtime,
        .runtime_options = cli->project->runtime_options,
        .debug_languages = settings_text("PULUMI_DEBUG_LANGUAGES"),
        .ignores_ambient = settings_bool("PULUMI_IGNORE_AMBIENT_PLUGINS"),
        .environment = (const char *const *)environ,
        .report = report,
        .report_context = cli,
    };
    struct plugin_host *host;

    TRY(cli_home(cli, &options.home));
    TRY(plugin_host_open(&options, &host));
    struct error *failure = ask_language(cli, host, out);
    plugin_host_close(host);
    return failure;
}

/* Its folder is named in the project file. */
static bool is_in_project(const struct project *project, str name)
{
    for (size_t i = 0; i < project->plugin_count; i++)
        if (str_equal(project->plugins[i].name, name))
            return true;
    return false;
}

fallible plugin_list_of_project(struct cli *cli, struct needed_plugins *out)
{
    struct package_dependencies packages;

    TRY(ask_project(cli, &packages));
    *out = (struct needed_plugins){ ARENA_ARRAY(cli->arena, struct needed_plugin, packages.len), 0 };
    for (size_t i = 0; i < packages.len; i++) {
        const struct package_dependency *package = &packages.items[i];
        str kind = package->kind.len > 0 ? package->kind : STR("resource");
        if (plugin_is_bundled(kind, package->name) || is_in_project(cli->project, package->name))
            continue;
        out->items[out->len++] = (struct needed_plugin){ kind, package->name, package->version, package->server };
    }
    return NULL;
}
