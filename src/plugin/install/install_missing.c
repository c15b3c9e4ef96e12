/* install_missing.c — installs providers that an operation needs and nobody installed. */
#include "plugin/install/install_parts.h"

#include "base/program.h"
#include "base/strbuf.h"
#include "plugin/host/plugin_host.h"

static void warn_of_retry(void *host, str problem, uint64_t wait_ms, unsigned attempt,
                          unsigned attempts)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    plugin_host_report(
        host, PLUGIN_WARNING,
        arena_printf(&scratch,
                     "Error downloading plugin: " STR_FMT "\nWill retry in %llums [%u/%u]",
                     STR_ARG(problem), (unsigned long long)wait_ms, attempt, attempts),
        0);
}

/* What package managers print, by lines: pieces of one would be messages of their own. */
struct shown {
    struct plugin_host *host;
    struct strbuf line[2]; /* stdout, stderr: begun and not ended */
};

static void show_lines(struct shown *shown, bool is_error, bool is_end)
{
    struct strbuf *line = &shown->line[is_error];
    str text = strbuf_str(line);
    size_t last = str_find_last(text, STR("\n"));
    size_t end = is_end ? text.len : last == SIZE_MAX ? 0 : last + 1;

    if (end == 0)
        return;
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str rest = arena_copy(&scratch, str_slice(text, end, text.len));
    plugin_host_report(shown->host, is_error ? PLUGIN_INFO_ERROR : PLUGIN_INFO,
                       str_slice(text, 0, end), 0);
    line->len = 0;
    strbuf_add(line, rest);
}

static void show_output(void *shown_, bool is_error, str bytes)
{
    struct shown *shown = shown_;

    strbuf_add(&shown->line[is_error], bytes);
    show_lines(shown, is_error, false);
}

static void shown_release(struct shown *shown)
{
    for (int i = 0; i < 2; i++) {
        show_lines(shown, i == 1, true);
        strbuf_release(&shown->line[i]);
    }
}

/* What failed a moment ago would fail again, after as many attempts. */
static fallible install_missing_remember(struct plugin_host *host, const struct provider_spec *spec,
                                         struct error *failure)
{
    if (!failure || error_kind(failure) == ERROR_CANCELED)
        return failure;
    const struct failed_install failed = {
        .package = package_ref_copy(&host->arena, &spec->package),
        .kind = error_kind(failure),
        .message = arena_copy(&host->arena, error_message(failure)),
    };
    vec_add(&host->failed_installs, failed);
    return failure;
}

static fallible find_failure(const struct plugin_host *host, const struct provider_spec *spec)
{
    for (size_t i = 0; i < host->failed_installs.len; i++) {
        const struct failed_install *failed = &host->failed_installs.items[i];
        if (package_ref_same_plugin(&failed->package, &spec->package))
            return error_new(failed->kind, STR_FMT, STR_ARG(failed->message));
    }
    return NULL;
}

struct missing {
    struct plugin_host *host;
    const struct provider_spec *spec;
    struct arena *arena;
    install_listen *listen;
    void *context;
};

static fallible install_missing_now(void *missing_)
{
    const struct missing *missing = missing_;
    struct plugin_host *host = missing->host;
    const struct provider_spec *spec = missing->spec;
    struct arena *arena = missing->arena;
    CLEANUP(shown_release) struct shown shown = { .host = host };
    struct install_request request = {
        .home = host->options.world->home,
        .package = spec->package,
        .checksum = package_ref_checksum(&spec->package, plugin_platform()),
        .url_overrides = plugin_host_variable(host, STR("PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES")),
        .github_token = plugin_host_variable(host, STR("GITHUB_TOKEN")),
        .gitlab_token = plugin_host_variable(host, STR("GITLAB_TOKEN")),
        .host = host,
        .output = { &shown, show_output },
    };

    request.package.kind = STR("resource");
    if (request.package.version.len == 0)
        TRY(plugin_latest_version(&request, arena, &request.package.version));
    str version = request.package.version;
    if (str_starts_with(version, STR("v")))
        version = str_slice(version, 1, version.len);
    request.listener = missing->listen(missing->context,
                                       arena_concat(arena, spec->package.name, STR("-"), version));
    return plugin_install(&request);
}

fallible install_in_scope(struct plugin_host *host, fallible (*install)(void *context),
                          void *context)
{
    if (host->is_interrupted)
        return error_new(ERROR_CANCELED, "interrupted");
    struct cancel *scope = cancel_open(cancel_current());
    struct cancel *former = cancel_enter(scope);

    vec_add(&host->installs, scope);
    struct error *failure = install(context);
    cancel_enter(former);
    for (size_t i = 0; i < host->installs.len; i++) {
        if (host->installs.items[i] == scope) {
            vec_remove(&host->installs, i);
            break;
        }
    }
    cancel_close(scope);
    return failure;
}

static fallible install_missing_scoped(struct missing *missing)
{
    return install_missing_remember(missing->host, missing->spec,
                                    install_in_scope(missing->host, install_missing_now, missing));
}

static bool may_install(const struct plugin_host *host, const struct provider_spec *spec)
{
    bool has_no_version =
        spec->package.version.len == 0 && str_starts_with(spec->package.download_url, STR("http"));

    return !spec->never_installs && !has_no_version
           && !plugin_host_has_flag(host, STR("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"));
}

/* --- before anything is loaded --- */

struct batch {
    struct plugin_host *host;
    install_listen *listen;
    void *context;
    struct work_group busy;
};

struct batch_item {
    struct batch *batch;
    const struct provider_spec *spec;
};

static void install_missing_install_item(void *item_)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct batch_item *item = item_;
    struct batch *batch = item->batch;

    struct missing missing = { batch->host, item->spec, &scratch, batch->listen, batch->context };

    struct error *failure = find_failure(batch->host, item->spec);
    if (!failure)
        failure = install_missing_scoped(&missing);
    error_ignore(failure, "reported when it is loaded");
    work_group_done(&batch->busy);
}

static bool install_missing_is_missing(struct plugin_host *host, const struct provider_spec *spec,
                                       struct arena *arena)
{
    uint16_t attach_port = 0;
    str path;

    error_ignore(plugin_attach_port(host->options.world->debug_providers, spec->package.name,
                                    "PULUMI_DEBUG_PROVIDERS", &attach_port),
                 "reported when it is loaded");
    if (attach_port > 0)
        return false;
    struct error *failure = plugin_find(host, &spec->package, true, arena, &path);
    bool is_absent = failure && error_kind(failure) == ERROR_NOT_FOUND;
    error_ignore(failure, "reported when it is loaded");
    return is_absent;
}

static bool is_first(const struct provider_spec *specs, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (package_ref_same_plugin(&specs[i].package, &specs[index].package))
            return false;
    return true;
}

void plugin_install_needed(struct plugin_host *host, const struct provider_spec *specs,
                           size_t count, install_listen *listen, void *context)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct batch batch = { .host = host, .listen = listen, .context = context };

    for (size_t i = 0; i < count; i++) {
        if (!is_first(specs, i) || !may_install(host, &specs[i])
            || !install_missing_is_missing(host, &specs[i], &scratch))
            continue;
        struct batch_item *item = ARENA_NEW(&scratch, struct batch_item);
        *item = (struct batch_item){ &batch, &specs[i] };
        work_group_add(&batch.busy, 1);
        fiber_spawn(install_missing_install_item, item);
    }
    work_group_wait_uncancelable(&batch.busy);
}

/* --- when one is loaded --- */

static const struct install_listener *listen_for_retries(void *listener, str plugin)
{
    (void)plugin;
    return listener;
}

static fallible install_now(struct plugin_host *host, const struct provider_spec *spec,
                            struct arena *arena)
{
    struct install_listener listener = { .context = host, .retry = warn_of_retry };
    struct missing missing = { host, spec, arena, listen_for_retries, &listener };

    TRY(find_failure(host, spec));
    plugin_host_report(host, PLUGIN_INFO_ERROR,
                       arena_concat(arena, STR("Downloading provider: "), spec->package.name), 0);
    return install_missing_scoped(&missing);
}

/* With the command that does the same by hand. */
static fallible install_missing_explain(struct error *failure, const struct provider_spec *spec,
                                        struct arena *arena)
{
    str version = spec->package.version;
    const char *v = str_starts_with(version, STR("v")) ? "" : "v";
    str at = version.len > 0 ? arena_printf(arena, " at version %s" STR_FMT, v, STR_ARG(version))
                             : STR("");
    str argument =
        version.len > 0 ? arena_printf(arena, " %s" STR_FMT, v, STR_ARG(version)) : STR("");
    str server = spec->package.download_url.len > 0
                     ? arena_concat(arena, STR(" --server "), spec->package.download_url)
                     : STR("");

    return error_wrap(
        failure,
        "Could not automatically download and install resource plugin 'pulumi-resource-" STR_FMT
        "'" STR_FMT
        ", install the plugin using `%s plugin install resource " STR_FMT STR_FMT STR_FMT "`",
        STR_ARG(spec->package.name), STR_ARG(at), program_name(), STR_ARG(spec->package.name),
        STR_ARG(argument), STR_ARG(server));
}

fallible plugin_install_missing(struct plugin_host *host, const struct provider_spec *spec,
                                struct error *owned_absence)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (!may_install(host, spec))
        return owned_absence;
    error_free(owned_absence);
    struct error *failure = install_now(host, spec, &scratch);
    if (!failure || error_kind(failure) == ERROR_CANCELED)
        return failure;
    return install_missing_explain(failure, spec, &scratch);
}
