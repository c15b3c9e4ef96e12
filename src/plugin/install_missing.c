/* install_missing.c — installs a provider that an operation needs and nobody installed. */
#include "plugin/install.h"

#include "plugin/plugin_host.h"

static void warn_of_retry(void *host, str problem, uint64_t wait_ms, unsigned attempt, unsigned attempts)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    plugin_host_report(host, PLUGIN_WARNING,
                       arena_printf(&scratch, "Error downloading plugin: " STR_FMT "\nWill retry in %llums [%u/%u]",
                                    STR_ARG(problem), (unsigned long long)wait_ms, attempt, attempts),
                       0);
}

/* Of a package manager; line by line it would be too much on a resource. */
static void show_output(void *host, bool is_error, str bytes)
{
    plugin_host_report(host, is_error ? PLUGIN_INFO_ERROR : PLUGIN_INFO, bytes, 0);
}

static fallible install(struct plugin_host *host, const struct provider_spec *spec, struct arena *arena)
{
    const struct install_listener listener = { .context = host, .retry = warn_of_retry };
    struct install_request request = {
        .home = host->options.home,
        .kind = STR("resource"),
        .name = spec->package,
        .version = spec->version,
        .url = spec->download_url,
        .checksum = spec->checksum,
        .url_overrides = plugin_host_variable(host, STR("PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES")),
        .github_token = plugin_host_variable(host, STR("GITHUB_TOKEN")),
        .gitlab_token = plugin_host_variable(host, STR("GITLAB_TOKEN")),
        .host = host,
        .output = { host, show_output },
        .listener = &listener,
    };

    plugin_host_report(host, PLUGIN_INFO_ERROR, arena_concat(arena, STR("Downloading provider: "), spec->package), 0);
    if (request.version.len == 0)
        TRY(plugin_latest_version(&request, arena, &request.version));
    return plugin_install(&request);
}

/* With the command that does the same by hand. */
static fallible explain(struct error *failure, const struct provider_spec *spec, struct arena *arena)
{
    str version = spec->version;
    const char *v = str_starts_with(version, STR("v")) ? "" : "v";
    str at = version.len > 0 ? arena_printf(arena, " at version %s" STR_FMT, v, STR_ARG(version)) : STR("");
    str argument = version.len > 0 ? arena_printf(arena, " %s" STR_FMT, v, STR_ARG(version)) : STR("");
    str server = spec->download_url.len > 0 ? arena_concat(arena, STR(" --server "), spec->download_url) : STR("");

    return error_wrap(failure,
                      "Could not automatically download and install resource plugin 'pulumi-resource-" STR_FMT
                      "'" STR_FMT ", install the plugin using `pulumi plugin install resource " STR_FMT STR_FMT STR_FMT
                      "`",
                      STR_ARG(spec->package), STR_ARG(at), STR_ARG(spec->package), STR_ARG(argument), STR_ARG(server));
}

fallible plugin_install_missing(struct plugin_host *host, const struct provider_spec *spec, struct error *owned_absence)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool has_no_version = spec->version.len == 0 && str_starts_with(spec->download_url, STR("http"));

    if (spec->never_installs || has_no_version
        || plugin_host_has_flag(host, STR("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION")))
        return owned_absence;
    struct error *failure = install(host, spec, &scratch);
    if (!failure) {
        error_free(owned_absence);
        return NULL;
    }
    /* Nobody said where it would be, and it is not where most are: then it is just not there. */
    bool is_news = spec->download_url.len > 0 || error_kind(failure) == ERROR_INVALID;
    if (!is_news && error_kind(failure) != ERROR_CANCELED) {
        error_ignore(failure, "the usual places are not reached, or do not have it");
        return owned_absence;
    }
    error_free(owned_absence);
    return error_kind(failure) == ERROR_CANCELED ? failure : explain(failure, spec, &scratch);
}
