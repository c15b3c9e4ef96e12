/* plugin_find.c — where the executable of a plugin is. */
#include "plugin/host/plugin_host.h"

#include "base/fs.h"
#include "base/program.h"
#include "base/semver.h"
#include "plugin/plugin_cache.h"
#include "plugin/plugin_git.h"

#include <limits.h>
#include <stdlib.h>

/* What is wanted, with everything that is derived from it once. */
struct search {
    struct plugin_host *host;
    struct arena *arena;
    const struct package_ref *wanted;
    str kind;
    bool is_question;
    bool has_version;
    struct semver version;
    str file;       /* "pulumi-resource-aws" */
    str cache_name; /* part of the name of its directory in the cache */
    str subfolder;  /* of that directory; empty: none */
};

/* --- project plugins --- */

static bool have_same_version(str a, str b)
{
    struct semver first, second;
    return semver_parse_tolerant(a, &first) && semver_parse_tolerant(b, &second)
           && semver_compare(&first, &second) == 0;
}

/* Two directories for one plugin at one version: nobody could say which is meant. */
static fallible check_project_plugins(const struct plugin_host_options *options)
{
    for (size_t i = 0; i < options->world->folders.len; i++) {
        const struct plugin_folder *plugin = &options->world->folders.items[i];
        for (size_t j = 0; j < i; j++) {
            const struct plugin_folder *other = &options->world->folders.items[j];
            if (str_equal(plugin->kind, other->kind) && str_equal(plugin->name, other->name)
                && plugin->version.len > 0 && have_same_version(plugin->version, other->version))
                return error_new(ERROR_INVALID,
                                 "multiple project plugins with kind " STR_FMT ", name " STR_FMT
                                 ", version " STR_FMT,
                                 STR_ARG(plugin->kind), STR_ARG(plugin->name),
                                 STR_ARG(plugin->version));
        }
    }
    return NULL;
}

static bool find_in_project(const struct search *search, str *path)
{
    const struct plugin_host_options *options = &search->host->options;
    const struct package_ref *wanted = search->wanted;

    for (size_t i = 0; i < options->world->folders.len; i++) {
        const struct plugin_folder *plugin = &options->world->folders.items[i];
        if (!str_equal(plugin->kind, search->kind) || !str_equal(plugin->name, wanted->name))
            continue;
        if (plugin->version.len > 0 && wanted->version.len > 0
            && !have_same_version(plugin->version, wanted->version))
            continue;
        *path = fs_path_join(search->arena, plugin->path, search->file);
        return true;
    }
    return false;
}

/* --- search path and bundled --- */

str plugin_find_program(const struct plugin_host *host, struct arena *arena, str name)
{
    return fs_find_program(arena, host->options.world->search_path, name);
}

static str find_bundled(const struct search *search)
{
    str folder = search->host->options.world->bundled_directory;

    if (folder.len == 0 || !plugin_is_bundled(search->kind, search->wanted->name))
        return STR("");
    str path = fs_path_join(search->arena, folder, search->file);
    return fs_is_executable(path) ? path : STR("");
}

/* A plugin on the search path hides ours and any version that was asked for; users should know. */
static void warn_of_ambient(const struct search *search, str ambient, str own)
{
    char resolved[PATH_MAX];

    if (str_equal(ambient, own) || !realpath(ambient.ptr, resolved)
        || str_equal(str_from(resolved), own))
        return;
    str message = arena_concat(search->arena, STR("using "), search->file, STR(" from $PATH at "),
                               ambient, own.len > 0 ? STR(" expected ") : STR(""), own);
    plugin_host_report(search->host, PLUGIN_WARNING, message, 0);
}

/* --- cache --- */

static bool is_acceptable(const struct search *search, const struct semver *version)
{
    if (!search->has_version)
        return true;
    int order = semver_compare(version, &search->version);
    bool is_legacy =
        plugin_host_variable(search->host, STR("PULUMI_ENABLE_LEGACY_PLUGIN_SEARCH")).len > 0;
    return is_legacy ? order >= 0 : order == 0;
}

static bool plugin_find_consider(const struct search *search, str plugins, str entry,
                                 struct semver *version)
{
    str kind, name;

    if (!plugin_cache_parse(entry, &kind, &name, version) || !str_equal(kind, search->kind)
        || !str_equal(name, search->cache_name) || !is_acceptable(search, version))
        return false;
    str folder = fs_path_join(search->arena, plugins, entry);
    return plugin_cache_is_complete(folder);
}

static fallible find_in_cache(const struct search *search, bool *found, str *path)
{
    str plugins = fs_path_join(search->arena, search->host->options.world->home, STR("plugins"));
    struct semver best = { 0 };
    str best_entry = STR(""), *entries;
    size_t count;

    *found = false;
    if (!fs_exists(plugins))
        return NULL;
    TRY(error_wrap(fs_list(search->arena, plugins, &entries, &count), "loading plugin list"));
    for (size_t i = 0; i < count; i++) {
        struct semver version;
        if (plugin_find_consider(search, plugins, entries[i], &version)
            && (best_entry.len == 0 || plugin_version_is_better(&version, &best))) {
            best = version;
            best_entry = entries[i];
        }
    }
    if (best_entry.len == 0)
        return NULL;

    str folder = fs_path_join(search->arena, plugins, best_entry);
    if (!search->is_question)
        plugin_cache_mark_used(folder);
    if (search->subfolder.len > 0)
        folder = fs_path_join(search->arena, folder, search->subfolder);
    *path = fs_path_join(search->arena, folder, search->file);
    *found = true;
    return NULL;
}

/* --- all together --- */

static fallible begin_search(struct search *search)
{
    const struct package_ref *wanted = search->wanted;
    search->has_version = wanted->version.len > 0;
    if (search->has_version && !semver_parse_tolerant(wanted->version, &search->version))
        return error_new(ERROR_INVALID,
                         "version '" STR_FMT "' of plugin '" STR_FMT "' is not a semantic version",
                         STR_ARG(wanted->version), STR_ARG(wanted->name));
    search->file =
        arena_concat(search->arena, STR("pulumi-"), search->kind, STR("-"), wanted->name);
    search->cache_name = plugin_cache_name(search->arena, wanted->name, wanted->download_url);
    search->subfolder = STR("");
    if (!plugin_is_git(wanted->download_url))
        return NULL;
    struct plugin_git git;
    TRY(plugin_git_parse(search->arena, wanted->download_url, &git));
    search->subfolder = git.subfolder;
    return NULL;
}

static fallible not_found(const struct search *search)
{
    const struct package_ref *wanted = search->wanted;
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str version = search->has_version ? arena_concat(&scratch, STR(" at version v"),
                                                     semver_format(&scratch, &search->version))
                                      : STR("");
    str url = wanted->download_url.len > 0
                  ? arena_concat(&scratch, STR(" from "), wanted->download_url)
                  : STR("");

    str hint = str_equal(search->kind, STR("language"))
                   ? arena_printf(&scratch,
                                  "; go, nodejs, python and yaml are here, `%s plugin install "
                                  "language " STR_FMT "` gets another if it is published",
                                  program_name(), STR_ARG(wanted->name))
                   : STR("");

    return error_new(ERROR_NOT_FOUND,
                     "no " STR_FMT " plugin '" STR_FMT "' found in the workspace" STR_FMT
                     "%s" STR_FMT STR_FMT,
                     STR_ARG(search->kind), STR_ARG(search->file), STR_ARG(version),
                     search->host->options.world->ignores_ambient ? "" : " or on your $PATH",
                     STR_ARG(url), STR_ARG(hint));
}

fallible plugin_find(struct plugin_host *host, const struct package_ref *wanted, bool is_question,
                     struct arena *arena, str *path)
{
    struct search search = { .host = host,
                             .arena = arena,
                             .wanted = wanted,
                             .kind = wanted->kind.len ? wanted->kind : STR("resource"),
                             .is_question = is_question };

    TRY(begin_search(&search));
    TRY(check_project_plugins(&host->options));
    if (find_in_project(&search, path))
        return NULL;

    str ambient = host->options.world->ignores_ambient
                      ? STR("")
                      : plugin_find_program(host, arena, search.file);
    str own = find_bundled(&search);
    if (ambient.len > 0 && !is_question)
        warn_of_ambient(&search, ambient, own);
    if (ambient.len > 0 || own.len > 0) {
        *path = ambient.len > 0 ? ambient : own;
        return NULL;
    }

    bool found;
    TRY(find_in_cache(&search, &found, path));
    return found ? NULL : not_found(&search);
}

fallible plugin_attach_port(str list, str name, const char *variable, uint16_t *port)
{
    *port = 0;
    while (list.len > 0) {
        str entry = list, key, text;
        uint64_t number;
        if (!str_cut(list, STR(","), &entry, &list))
            list = STR("");
        if (!str_cut(entry, STR(":"), &key, &text) || !str_equal(key, name) || text.len == 0)
            continue;
        if (!str_to_u64(text, &number) || number == 0 || number > UINT16_MAX)
            return error_new(ERROR_INVALID, "Expected a numeric port, got " STR_FMT " in %s",
                             STR_ARG(text), variable);
        *port = (uint16_t)number;
        return NULL;
    }
    return NULL;
}
