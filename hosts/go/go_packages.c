/* go_packages.c — which plugins the modules of a program belong to.
 *
 * The sources of a module are in the vendor folder, in the module cache or where a replacement
 * says; only for those that are in none of them go is started, to download them. */
#include "go/golang.h"

#include "base/fs.h"
#include "base/semver.h"
#include "base/settings.h"
#include "common/plugin_json.h"

/* --- where the sources are --- */

static str module_cache(struct arena *arena)
{
    str given = settings_text("GOMODCACHE"), path = settings_text("GOPATH"), first, rest;

    if (given.len > 0)
        return given;
    if (path.len > 0)
        return fs_path_join(arena, str_cut(path, STR(":"), &first, &rest) ? first : path,
                            STR("pkg/mod"));
    return fs_path_join(arena, settings_text("HOME"), STR("go/pkg/mod"));
}

/* Capital letters are written "!c", for file systems that do not know the difference. */
static str escaped(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool is_capital = c >= 'A' && c <= 'Z';
        if (is_capital)
            strbuf_add_char(&out, '!');
        strbuf_add_char(&out, (char)(is_capital ? c - 'A' + 'a' : c));
    }
    return arena_copy(arena, strbuf_str(&out));
}

static str locate(struct arena *arena, const struct modules *modules, const struct module *module)
{
    str vendored =
        fs_path_join(arena, fs_path_join(arena, modules->root, STR("vendor")), module->path);
    str path = module->is_replaced ? module->replacement : module->path;
    str version = module->is_replaced ? module->replacement_version : module->version;

    if (module->is_replaced && version.len == 0)
        return fs_path_absolute(arena, modules->root, path);
    if (fs_is_directory(vendored))
        return vendored;
    str name = arena_concat(arena, escaped(arena, path), STR("@"), escaped(arena, version));
    str folder = fs_path_join(arena, module_cache(arena), name);
    return fs_is_directory(folder) ? folder : STR("");
}

/* One object after the other; "Path" and "Dir" of each. */
static fallible read_downloads(struct arena *arena, str text, struct modules *modules)
{
    str line, key, value, path = STR("");

    while (str_cut(text, STR("\n"), &line, &text)) {
        if (!str_cut(str_trim(line), STR("\": \""), &key, &value))
            continue;
        size_t end = str_find_char(value, '"');
        value = arena_copy(arena, str_slice(value, 0, end));
        if (str_equal(key, STR("\"Path")))
            path = value;
        for (size_t i = 0; str_equal(key, STR("\"Dir")) && i < modules->len; i++)
            if (str_equal(modules->items[i].path, path))
                modules->items[i].directory = value;
    }
    return NULL;
}

static fallible download(struct host *host, struct arena *arena, struct modules *modules)
{
    CLEANUP(command_release) struct command command = { .directory = modules->root };
    struct captured captured;

    TRY(go_find(host, arena, &command.path));
    words_add(&command.args, arena, STR("mod"));
    words_add(&command.args, arena, STR("download"));
    words_add(&command.args, arena, STR("-json"));
    for (size_t i = 0; i < modules->len; i++)
        if (modules->items[i].directory.len == 0)
            words_add(&command.args, arena, modules->items[i].path);
    if (command.args.len == 3)
        return NULL;
    words_add_environment(&command.environment);
    words_set(&command.environment, arena, STR("GOWORK"), STR("off"));
    TRY(command_capture(host, arena, &command, &captured));
    return read_downloads(arena, captured.out, modules);
}

/* --- what they say --- */

/* v1.29.1-0.20200403140640-efb5e2a48a86: a commit behind a release, which was one patch before. */
static bool is_pseudo_version(str pre)
{
    enum { HASH = 12, TIME = 14 };
    str head, hash;

    if (!str_cut_last(pre, STR("-"), &head, &hash) || hash.len != HASH || head.len < TIME)
        return false;
    for (size_t i = head.len - TIME; i < head.len; i++)
        if (head.ptr[i] < '0' || head.ptr[i] > '9')
            return false;
    return true;
}

static bool normalize_version(struct arena *arena, str *version)
{
    struct semver parsed;

    if (!semver_parse_tolerant(*version, &parsed))
        return false;
    if (!is_pseudo_version(parsed.pre))
        return true;
    if (parsed.major == 0 && parsed.minor == 0 && parsed.patch == 0)
        return false;
    *version = arena_printf(arena, "v%llu.%llu.%llu", (unsigned long long)parsed.major,
                            (unsigned long long)parsed.minor,
                            (unsigned long long)(parsed.patch > 0 ? parsed.patch - 1 : 0));
    return true;
}

/* github.com/pulumi/pulumi-aws/sdk: aws */
static str name_from_path(str path)
{
    str part = STR(""), rest = path, name;

    for (int i = 0; i < 3; i++)
        if (!str_next(&rest, STR("/"), &part))
            return STR("");
    return str_cut(part, STR("-"), &rest, &name) ? name : STR("");
}

static bool load_at(struct arena *arena, str folder, struct plugin_json *out)
{
    str path = fs_path_join(arena, folder, STR("pulumi-plugin.json"));

    if (!fs_is_file(path))
        return false;
    struct error *failure = plugin_json_load(arena, path, out);
    bool is_good = !failure;
    error_ignore(failure, "a module whose description cannot be read has no plugin");
    return is_good;
}

static bool load_below(struct arena *arena, str folder, struct plugin_json *out)
{
    str *names;
    size_t len;
    struct error *failure = fs_list(arena, folder, &names, &len);
    bool is_found = false;

    for (size_t i = 0; !failure && !is_found && i < len; i++)
        is_found = load_at(arena, fs_path_join(arena, folder, names[i]), out);
    error_ignore(failure, "no such folder, no such file");
    return is_found;
}

static bool find_description(struct arena *arena, str folder, struct plugin_json *out)
{
    str inner = fs_path_join(arena, folder, STR("go"));
    return load_at(arena, folder, out) || load_at(arena, inner, out)
           || load_below(arena, inner, out) || load_below(arena, folder, out);
}

static void go_add_package(struct arena *arena, const struct module *module, struct packages *out)
{
    struct plugin_json plugin;

    if (module->directory.len == 0 || !find_description(arena, module->directory, &plugin)
        || !plugin.is_resource)
        return;
    if (plugin.name.len == 0)
        plugin.name = name_from_path(module->path);
    if (plugin.version.len == 0)
        plugin.version = module->version;
    if (plugin.name.len > 0 && normalize_version(arena, &plugin.version))
        packages_add(out, arena, &plugin);
}

/* No go.mod, or modules that cannot be fetched: report no packages and let the compiler
 * complain. */
fallible go_required_packages(struct host *host, struct arena *arena, const struct program *program,
                              struct packages *out)
{
    CLEANUP(go_modules_release) struct modules modules = { 0 };
    struct error *failure = go_modules_read(arena, program->directory, &modules);

    if (!failure)
        failure = go_workspace_read(arena, &modules);
    for (size_t i = 0; i < modules.len; i++)
        modules.items[i].directory = locate(arena, &modules, &modules.items[i]);
    if (!failure && !fs_is_directory(fs_path_join(arena, modules.root, STR("vendor"))))
        failure = download(host, arena, &modules);
    error_ignore(failure, "the compiler tells it better");
    for (size_t i = 0; i < modules.len; i++)
        go_add_package(arena, &modules.items[i], out);
    return NULL;
}

/* --- for `about` --- */

fallible go_dependencies(struct host *host, struct arena *arena, const struct program *program,
                         bool with_transitive, struct dependencies *out)
{
    CLEANUP(go_modules_release) struct modules modules = { 0 };

    (void)host;
    TRY(error_wrap(go_modules_read(arena, program->directory, &modules), "load go.mod"));
    for (size_t i = 0; i < modules.len; i++) {
        const struct module *module = &modules.items[i];
        if (!module->is_indirect || with_transitive)
            dependencies_add(out, arena, module->path,
                             module->is_replaced ? STR("") : module->version);
    }
    return NULL;
}
