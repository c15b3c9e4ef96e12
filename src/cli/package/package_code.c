/* package_code.c — schemas of packages from their plugins to the language host that generates
 * something of them. */
#include "cli/package/package_code.h"

#include "base/fs.h"
#include "base/semver.h"
#include "cli/folder_lock.h"
#include "cli/open.h"
#include "cli/package/package_target.h"
#include "cli/package/plugin_open.h"
#include "engine/engine.h"
#include "plugin/plugin_cache.h"
#include "plugin/plugin_git.h"
#include "plugin/plugin_project.h"

#include <stdlib.h>

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

/* The plugins of a plugin are not those of a project: the host has to be told where one is. */
static fallible ask_plugin(struct cli *cli, struct plugin_host *host,
                           const struct provider_spec *spec, const struct package_target *target,
                           const struct project_package *package, str *out)
{
    struct plugin_host *own = NULL;
    struct provider *provider;

    if (target->is_plugin && plugin_source_is_folder(package->source)) {
        const struct plugin_folder folder = {
            .kind = STR("resource"),
            .name = package->name,
            .path = fs_path_absolute(cli->arena, target->root, package->source),
        };
        TRY(cli_open_plugins_with(cli, target->root, &folder, &own));
    }
    struct error *failure = plugin_load_provider(own ? own : host, spec, &provider);
    if (!failure) {
        failure = ask_schema(cli, provider, package, out);
        provider->ops->close(provider);
    }
    if (own)
        plugin_host_close(own);
    return failure;
}

/* A plugin in a repository knows neither where it was had nor which tag it has: both are put into
 * its schema. Of others the schema says what holds, if it says something. */
static fallible load_schema(struct cli *cli, struct plugin_host *host,
                            const struct package_target *target,
                            const struct project_package *package, struct package_sdk *out)
{
    struct provider_spec spec;
    str schema;

    TRY(find_plugin(cli, package, &spec));
    TRY(ask_plugin(cli, host, &spec, target, package, &schema));
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
    struct sdk_order order = { .schema = STR("{\"name\":\"empty\",\"version\":\"0.0.1\"}"),
                               .is_local = true };
    struct sdk_outcome outcome;

    TRY(fs_make_temporary(maker->cli->arena, "package-code-", &order.folder));
    struct error *failure =
        language_generate_package(maker->language, &order, maker->cli->arena, &outcome);
    *out = outcome.is_implemented;
    return error_join(failure, fs_remove_tree(order.folder));
}

static void miss(struct cli *cli, const struct package_target *target, str name)
{
    str folder = fs_path_join(cli->arena, package_target_sdks(cli->arena, target), name);

    if (!fs_exists(folder))
        cli_report(cli, "warning",
                   arena_concat(cli->arena, STR("package '"), name, STR("': code for "),
                                target->runtime, STR(" is not generated; '"), folder,
                                STR("' has to come with the project")));
}

/* Packages of a project on their way. */
struct code_run {
    const struct package_target *target;
    struct package_sdk *sdks;
    struct sdk_swap *swaps;
    size_t len;
};

static fallible make_one(struct sdk_maker *maker, struct plugin_host *host, struct code_run *run,
                         const struct project_package *package)
{
    struct package_sdk *sdk = &run->sdks[run->len];
    struct arena *arena = maker->cli->arena;
    bool is_implemented;

    TRY(load_schema(maker->cli, host, run->target, package, sdk));
    str folder = fs_path_join(arena, package_target_sdks(arena, run->target), sdk->folder);
    return sdk_maker_make(maker, sdk, folder, (struct pairs){ 0 }, true, &run->swaps[run->len++],
                          &is_implemented);
}

static fallible make_all(struct sdk_maker *maker, struct plugin_host *host, struct code_run *run,
                         const struct project_package *packages, size_t count)
{
    bool is_implemented;

    TRY(probe(maker, &is_implemented));
    for (size_t i = 0; i < count; i++) {
        if (engine_has_package(packages[i].source))
            continue;
        if (is_implemented)
            TRY(error_wrap(make_one(maker, host, run, &packages[i]), "package '" STR_FMT "'",
                           STR_ARG(packages[i].name)));
        else
            miss(maker->cli, run->target, packages[i].name);
    }
    return run->len ? package_target_link(maker, run->target, run->sdks, run->len, false) : NULL;
}

fallible package_code_generate(struct cli *cli, struct plugin_host *host,
                               const struct package_target *target,
                               const struct project_package *packages, size_t count)
{
    struct code_run run = { .target = target,
                            .sdks = ARENA_ARRAY(cli->arena, struct package_sdk, count),
                            .swaps = ARENA_ARRAY(cli->arena, struct sdk_swap, count) };
    struct sdk_maker maker;
    int lock;

    if (count == 0)
        return NULL;
    TRY(cli_lock_folder(target->root, &lock));
    struct error *failure = sdk_maker_open(cli, host, target->runtime, &maker);
    if (!failure)
        failure = make_all(&maker, host, &run, packages, count);
    for (size_t i = 0; i < run.len; i++)
        (failure ? sdk_swap_undo : sdk_swap_keep)(&run.swaps[i]);
    sdk_maker_close(&maker);
    fs_unlock(lock);
    return failure;
}

fallible package_code_of_project(struct cli *cli, struct plugin_host *host)
{
    const struct project *project = cli->project;
    const struct package_target target = { .root = project->directory,
                                           .manifest = project->path,
                                           .runtime = project->runtime,
                                           .options = project->runtime_options };

    return package_code_generate(cli, host, &target, project->packages, project->package_count);
}

fallible package_code_of_plugin(struct cli *cli, struct plugin_host *host, str folder)
{
    struct plugin_project plugin;

    TRY(plugin_project_load(cli->arena, STR("resource"), folder, &plugin));
    struct project_package *packages =
        ARENA_ARRAY(cli->arena, struct project_package, plugin.package_count);
    for (size_t i = 0; i < plugin.package_count; i++) {
        const struct plugin_package *package = &plugin.packages[i];
        packages[i] = (struct project_package){ .name = package->name,
                                                .source = package->source,
                                                .version = package->version,
                                                .download_url = package->download_url,
                                                .parameters = package->parameters.items,
                                                .parameter_count = package->parameters.len,
                                                .is_extension = package->is_extension };
    }
    const struct package_target target = {
        .root = folder, .runtime = plugin.runtime, .options = plugin.options, .is_plugin = true
    };
    return package_code_generate(cli, host, &target, packages, plugin.package_count);
}
