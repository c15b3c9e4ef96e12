/* package_code.c — schemas of packages from their plugins to the language host that generates
 * something of them. */
#include "cli/package/package_code.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/semver.h"
#include "base/strbuf.h"
#include "cli/open.h"
#include "engine/engine.h"
#include "plugin/language.h"
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

static fallible read_text(struct arena *arena, str raw, str *out)
{
    CLEANUP(json_reader_release) struct json_reader reader;

    json_reader_init(&reader, arena, raw);
    return json_read_string(&reader, out);
}

struct schema_head {
    str name;
    str namespace;
};

static bool is_ours(const struct provider_spec *spec, str key)
{
    return (str_equal(key, STR("version")) && spec->package.version.len > 0)
           || (str_equal(key, STR("pluginDownloadURL")) && spec->package.download_url.len > 0);
}

static void package_code_add_member(struct json_writer *writer, const char *key, str text)
{
    if (text.len == 0)
        return;
    json_key(writer, str_from(key));
    json_string(writer, text);
}

/* A plugin in a repository knows neither where it was had nor which tag it has: both are put into
 * its schema. Of others the schema says what holds, if it says something. */
static fallible package_code_complete(struct cli *cli, const struct provider_spec *spec,
                                      str *schema, struct schema_head *head)
{
    CLEANUP(json_reader_release) struct json_reader reader;
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text };
    struct provider_spec left = *spec;
    bool is_git = plugin_is_git(spec->package.download_url), more;
    str key, raw;

    json_reader_init(&reader, cli->arena, *schema);
    TRY(json_object_begin(&reader));
    json_begin_object(&writer);
    for (;;) {
        TRY(json_object_next(&reader, &key, &more));
        if (!more)
            break;
        key = arena_copy(cli->arena, key);
        TRY(json_skip(&reader, &raw));
        if (is_git && is_ours(spec, key))
            continue;
        if (str_equal(key, STR("version")))
            left.package.version = STR("");
        if (str_equal(key, STR("pluginDownloadURL")))
            left.package.download_url = STR("");
        if (str_equal(key, STR("name")))
            TRY(read_text(cli->arena, raw, &head->name));
        if (str_equal(key, STR("namespace")))
            TRY(read_text(cli->arena, raw, &head->namespace));
        json_key(&writer, key);
        json_raw(&writer, raw);
    }
    package_code_add_member(&writer, "version", left.package.version);
    package_code_add_member(&writer, "pluginDownloadURL", left.package.download_url);
    json_end_object(&writer);
    *schema = arena_copy(cli->arena, strbuf_str(&text));
    return NULL;
}

static fallible load_schema(struct cli *cli, struct plugin_host *host,
                            const struct project_package *package, struct schema_head *head,
                            str *out)
{
    struct provider_spec spec;
    struct provider *provider;

    TRY(find_plugin(cli, package, &spec));
    TRY(plugin_load_provider(host, &spec, &provider));
    struct error *failure = ask_schema(cli, provider, package, out);
    provider->ops->close(provider);
    TRY(failure);
    if (package->parameter_count > 0)
        spec.package.version = STR(""); /* of the plugin; the package has its own */
    *head = (struct schema_head){ 0 };
    TRY(error_wrap(package_code_complete(cli, &spec, out, head), "its schema"));
    if (head->name.len == 0 || str_find(head->name, STR("/")) != SIZE_MAX
        || str_find(head->namespace, STR("/")) != SIZE_MAX)
        return error_new(ERROR_INVALID, "its schema has no usable name");
    return NULL;
}

/* --- making it --- */

/* Does the host make anything? An empty package shows it. */
static fallible probe(struct language *language, bool *out)
{
    char folder[] = "/tmp/package-code-XXXXXX";

    if (!mkdtemp(folder))
        return error_os("create '%s'", folder);
    struct error *failure = language_generate_package(
        language, str_from(folder), STR("{\"name\":\"empty\",\"version\":\"0.0.1\"}"), out);
    return error_join(failure, fs_remove_tree(str_from(folder)));
}

static fallible generate(struct cli *cli, struct plugin_host *host, struct language *language,
                         const struct project_package *package)
{
    bool is_implemented;
    struct schema_head head;
    str schema;

    TRY(load_schema(cli, host, package, &head, &schema));
    str name = head.namespace.len > 0
                   ? arena_concat(cli->arena, head.namespace, STR("-"), head.name)
                   : head.name;
    str folder = fs_path_join(cli->arena, sdks_folder(cli), name);
    TRY(fs_remove_tree(folder));
    return language_generate_package(language, folder, schema, &is_implemented);
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

fallible package_code_generate(struct cli *cli, struct plugin_host *host, struct language *language)
{
    const struct project *project = cli->project;
    bool is_implemented;

    if (project->package_count == 0)
        return NULL;
    TRY(probe(language, &is_implemented));
    for (size_t i = 0; i < project->package_count; i++) {
        const struct project_package *package = &project->packages[i];
        if (engine_has_package(package->source))
            continue;
        if (is_implemented)
            TRY(error_wrap(generate(cli, host, language, package), "package '" STR_FMT "'",
                           STR_ARG(package->name)));
        else
            miss(cli, package->name);
    }
    return NULL;
}
