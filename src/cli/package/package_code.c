/* package_code.c — schemas of packages from their plugins to the language host that generates
 * something of them. */
#include "cli/package/package_code.h"

#include "base/fs.h"
#include "base/semver.h"
#include "cli/open.h"
#include "cli/package/package_target.h"
#include "engine/engine.h"
#include "plugin/plugin_cache.h"
#include "plugin/plugin_git.h"
#include "plugin/plugin_project.h"

#include <stdlib.h>

static str sdks_folder(const struct cli *cli)
{
    return fs_path_join(cli->arena, cli->project->directory, STR("sdks"));
}

/* --- schemas --- */

/* The newest that is installed, where the project does not say which. */
static fallible find_version(struct cli *cli, struct provider_spec *spec)
{
    str home, name = plugin_cache_name(cli->arena, spec->package.name, spec->package.download_url);
    const struct plugin_entry *best = NULL;
    struct plugin_entries entries;

    TRY(cli_home(cli, &home));
    TRY(plugin_cache_list(cli->arena, home, &entries));
    for (size_t i = 0; i < entries.len; i++) {
        const struct plugin_entry *entry = &entries.items[i];
        if (str_equal(entry->kind, STR("resource")) && str_equal(entry->name, name)
            && (!best || plugin_version_is_better(&entry->version, &best->version)))
            best = entry;
    }
    if (best)
        spec->package.version = semver_format(cli->arena, &best->version);
    return NULL;
}

static fallible find_plugin(struct cli *cli, const struct project_package *package,
                            struct provider_spec *out)
{
    str source = package->source;

    *out = (struct provider_spec){ .package.name = package->name };
    if (plugin_source_is_folder(source))
        return NULL;
    out->package.version = package->version;
    out->package.download_url = package->download_url;
    TRY(plugin_git_name(cli->arena, &source, &out->package.version, &out->package.download_url));
    if (!plugin_is_git(out->package.download_url))
        out->package.name = source;
    return out->package.version.len > 0 ? NULL : find_version(cli, out);
}

static fallible ask_schema(struct cli *cli, struct provider *provider,
                           const struct project_package *package, str *out)
{
    const struct provider_ops *ops = provider->ops;
    struct strs words = { package->parameters, package->parameter_count };
    str name, version;

    if (words.len > 0)
        TRY(ops->parameterize_by_words(provider, words, cli->arena, &name, &version));
    return ops->get_schema(provider, cli->arena, out);
}

/* A plugin in a repository knows neither where it was had nor which tag it has: both are put into
 * its schema. Of others the schema says what holds, if it says something. */
static fallible load_schema(struct cli *cli, struct plugin_host *host,
                            const struct project_package *package, struct package_sdk *out)
{
    struct provider_spec spec;
    struct provider *provider;
    str schema;

    TRY(find_plugin(cli, package, &spec));
    TRY(plugin_load_provider(host, &spec, &provider));
    struct error *failure = ask_schema(cli, provider, package, &schema);
    provider->ops->close(provider);
    TRY(failure);
    bool is_git = plugin_is_git(spec.package.download_url);
    const struct package_sdk_facts facts = {
        /* Of the plugin; a package that is made of it has its own. */
        .version = package->parameter_count > 0 ? STR("") : spec.package.version,
        .forces_version = is_git,
        .download_url = spec.package.download_url,
        .forces_url = is_git,
        .namespace = package_sdk_namespace(cli->arena, spec.package.download_url),
        .supports_pack = true,
    };
    return package_sdk_read(cli, schema, &facts, out);
}

/* --- making it --- */

/* Does the host make anything? An empty package shows it. */
static fallible probe(struct sdk_maker *maker, bool *out)
{
    char folder[] = "/tmp/package-code-XXXXXX";
    const struct sdk_order order = { .folder = str_from(folder),
                                     .schema = STR("{\"name\":\"empty\",\"version\":\"0.0.1\"}"),
                                     .is_local = true };

    if (!mkdtemp(folder))
        return error_os("create '%s'", folder);
    struct error *failure = language_generate_package(maker->language, &order, out);
    return error_join(failure, fs_remove_tree(str_from(folder)));
}

static void miss(struct cli *cli, str name)
{
    str folder = fs_path_join(cli->arena, sdks_folder(cli), name);

    if (!fs_exists(folder))
        cli_report(cli, "warning",
                   arena_concat(cli->arena, STR("package '"), name, STR("': code for "),
                                cli->project->runtime, STR(" is not generated; '"), folder,
                                STR("' has to come with the project")));
}

/* Packages of a project on their way. */
struct code_run {
    struct package_target target;
    struct package_sdk *sdks;
    struct sdk_swap *swaps;
    size_t len;
};

static fallible make_one(struct sdk_maker *maker, struct plugin_host *host, struct code_run *run,
                         const struct project_package *package)
{
    struct package_sdk *sdk = &run->sdks[run->len];
    bool is_implemented;

    TRY(load_schema(maker->cli, host, package, sdk));
    str folder = fs_path_join(maker->cli->arena, sdks_folder(maker->cli), sdk->folder);
    return sdk_maker_make(maker, sdk, folder, (struct pairs){ 0 }, true, &run->swaps[run->len++],
                          &is_implemented);
}

static fallible make_all(struct sdk_maker *maker, struct plugin_host *host, struct code_run *run)
{
    const struct project *project = maker->cli->project;
    bool is_implemented;

    TRY(probe(maker, &is_implemented));
    for (size_t i = 0; i < project->package_count; i++) {
        const struct project_package *package = &project->packages[i];
        if (engine_has_package(package->source))
            continue;
        if (is_implemented)
            TRY(error_wrap(make_one(maker, host, run, package), "package '" STR_FMT "'",
                           STR_ARG(package->name)));
        else
            miss(maker->cli, package->name);
    }
    return run->len ? package_target_link(maker, &run->target, run->sdks, run->len, false) : NULL;
}

static fallible code_generate(struct sdk_maker *maker, struct plugin_host *host)
{
    const struct project *project = maker->cli->project;
    struct arena *arena = maker->cli->arena;
    struct code_run run = {
        .target = { .root = project->directory,
                    .manifest = project->path,
                    .runtime = project->runtime,
                    .options = project->runtime_options },
        .sdks = ARENA_ARRAY(arena, struct package_sdk, project->package_count),
        .swaps = ARENA_ARRAY(arena, struct sdk_swap, project->package_count),
    };

    struct error *failure = make_all(maker, host, &run);
    for (size_t i = 0; i < run.len; i++)
        (failure ? sdk_swap_undo : sdk_swap_keep)(&run.swaps[i]);
    return failure;
}

fallible package_code_generate(struct cli *cli, struct plugin_host *host)
{
    struct sdk_maker maker;

    if (cli->project->package_count == 0)
        return NULL;
    struct error *failure = sdk_maker_open(cli, host, cli->project->runtime, &maker);
    if (!failure)
        failure = code_generate(&maker, host);
    sdk_maker_close(&maker);
    return failure;
}
