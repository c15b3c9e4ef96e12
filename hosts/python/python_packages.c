/* python_packages.c — which packages are installed, and which plugins they belong to.
 *
 * In a virtual environment the records of its site-packages say it all, without a start of Python.
 * Packages that are installed "editable" live elsewhere, and without an environment only Python
 * knows where to look: then it is asked. */
#include "python/python.h"

#include "base/fs.h"
#include "common/plugin_json.h"

enum { RECORD_MAX = 64 << 20 };

/* --- from the folder --- */

/* Runs of '-', '_' and '.' are one '-'; letters are small. */
static str normalized(struct arena *arena, str name)
{
    char *copy = arena_cstr(arena, name);
    size_t len = 0;

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_mark = c == '-' || c == '_' || c == '.';
        if (is_mark && len > 0 && copy[len - 1] == '-')
            continue;
        copy[len++] = is_mark ? '-' : (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return (str){ copy, len };
}

static str header(str text, str name)
{
    str line;
    while (str_cut(text, STR("\n"), &line, &text)) {
        if (str_trim(line).len == 0)
            break;
        if (str_starts_with(line, name))
            return str_trim(str_slice(line, name.len, line.len));
    }
    return STR("");
}

/* "pulumi_x/pulumi-plugin.json,sha256=…,…"; not what somebody removed by hand. */
static str find_plugin_json(struct arena *arena, str packages, str record)
{
    size_t at = str_find(record, STR("/pulumi-plugin.json,"));
    if (at == SIZE_MAX)
        return STR("");
    size_t start = at;
    while (start > 0 && record.ptr[start - 1] != '\n')
        start--;
    str name = str_slice(record, start, at);
    str path = fs_path_join(arena, packages, arena_concat(arena, name, STR("/pulumi-plugin.json")));
    return fs_is_file(path) ? path : STR("");
}

static fallible read_distribution(struct arena *arena, str packages, str folder,
                                  struct distribution *out)
{
    str metadata, record;

    TRY(fs_read(arena, fs_path_join(arena, folder, STR("METADATA")), RECORD_MAX, &metadata));
    *out = (struct distribution){ .name = normalized(arena, header(metadata, STR("Name:"))),
                                  .version = header(metadata, STR("Version:")) };
    TRY(fs_read(arena, fs_path_join(arena, folder, STR("RECORD")), RECORD_MAX, &record));
    out->plugin_json = find_plugin_json(arena, packages, record);
    return NULL;
}

static bool is_editable(struct arena *arena, str folder)
{
    str text;
    struct error *failure =
        fs_read(arena, fs_path_join(arena, folder, STR("direct_url.json")), RECORD_MAX, &text);
    bool answer = !failure && str_find(text, STR("\"editable\"")) != SIZE_MAX;
    error_ignore(failure, "it came from an index");
    return answer;
}

static str find_site_packages(struct arena *arena, str virtualenv)
{
    str library = fs_path_join(arena, virtualenv, STR("lib")), *names;
    size_t len;
    struct error *failure = fs_list(arena, library, &names, &len);

    for (size_t i = 0; !failure && i < len; i++) {
        str packages =
            fs_path_join(arena, fs_path_join(arena, library, names[i]), STR("site-packages"));
        if (str_starts_with(names[i], STR("python")) && fs_is_directory(packages))
            return packages;
    }
    error_ignore(failure, "then Python has to be asked");
    return STR("");
}

/* *is_complete is false if Python has to be asked after all. */
static fallible read_site_packages(struct arena *arena, str virtualenv, struct distributions *out,
                                   bool *is_complete)
{
    str packages = find_site_packages(arena, virtualenv), *names;
    struct distribution distribution;
    size_t len;

    *is_complete = false;
    if (packages.len == 0)
        return NULL;
    TRY(fs_list(arena, packages, &names, &len));
    for (size_t i = 0; i < len; i++) {
        str folder = fs_path_join(arena, packages, names[i]);
        if (!str_ends_with(names[i], STR(".dist-info")))
            continue;
        if (is_editable(arena, folder))
            return NULL;
        struct error *failure = read_distribution(arena, packages, folder, &distribution);
        if (failure)
            error_ignore(failure, "what is left of a package that was removed");
        else
            vec_add(out, distribution);
    }
    *is_complete = true;
    return NULL;
}

/* --- from Python --- */

#define LISTING                                                                 \
    "import importlib.metadata as metadata, importlib.util as util, os\n"       \
    "seen = set()\n"                                                            \
    "for d in metadata.distributions():\n"                                      \
    "    name = d.metadata['Name']\n"                                           \
    "    if not name or name in seen: continue\n"                               \
    "    seen.add(name)\n"                                                      \
    "    files = (d.locate_file(f) for f in d.files or []\n"                    \
    "             if f.name == 'pulumi-plugin.json')\n"                         \
    "    path = next((str(f) for f in files if os.path.isfile(f)), '')\n"       \
    "    if not path:\n"                                                        \
    "        try: spec = util.find_spec(name.replace('-', '_'))\n"              \
    "        except Exception: spec = None\n"                                   \
    "        for folder in (spec and spec.submodule_search_locations) or []:\n" \
    "            file = os.path.join(folder, 'pulumi-plugin.json')\n"           \
    "            if os.path.exists(file): path = file\n"                        \
    "    print(name, d.version, path, sep='\\t')\n"

static fallible ask_python(struct host *host, struct arena *arena, const struct python *python,
                           struct distributions *out)
{
    CLEANUP(command_release) struct command command = { 0 };
    str text, line, name, rest;

    TRY(python_command(host, arena, python, &command));
    words_add(&command.args, arena, STR("-c"));
    words_add(&command.args, arena, STR(LISTING));
    TRY(error_wrap(command_read(host, arena, &command, &text),
                   "listing the installed Python packages"));
    while (str_next(&text, STR("\n"), &line)) {
        if (!str_cut(line, STR("\t"), &name, &rest))
            continue;
        struct distribution distribution = { .name = normalized(arena, name), .version = rest };
        str_cut(rest, STR("\t"), &distribution.version, &distribution.plugin_json);
        vec_add(out, distribution);
    }
    return NULL;
}

fallible python_distributions(struct host *host, struct arena *arena, const struct python *python,
                              struct distributions *out)
{
    bool is_complete = false;

    if (python->virtualenv.len > 0)
        TRY(read_site_packages(arena, python->virtualenv, out, &is_complete));
    if (is_complete)
        return NULL;
    out->len = 0;
    return ask_python(host, arena, python, out);
}

/* --- plugins --- */

static fallible python_add_package(struct arena *arena, const struct distribution *distribution,
                                   struct packages *out)
{
    static const str prefix = STR_INIT("pulumi-");
    bool has_prefix = str_starts_with(distribution->name, prefix);
    struct plugin_json plugin = { 0 };

    if (str_equal(distribution->name, STR("pulumi-policy"))
        || str_equal(distribution->name, STR("pulumi-esc-sdk")))
        return NULL;
    if (distribution->plugin_json.len > 0)
        TRY(plugin_json_load(arena, distribution->plugin_json, &plugin));
    else if (!has_prefix)
        return NULL;
    if (distribution->plugin_json.len > 0 && !plugin.is_resource)
        return NULL;
    if (plugin.name.len == 0)
        plugin.name = has_prefix ? str_slice(distribution->name, prefix.len, distribution->name.len)
                                 : distribution->name;
    if (plugin.version.len == 0
        && !python_version_to_semver(arena, distribution->version, &plugin.version))
        return NULL;
    packages_add(out, arena, &plugin);
    return NULL;
}

/* Progress of an installation that the user did not ask for. */
struct log_sink {
    struct sink sink;
    struct host *host;
};

static fallible log_sink_write(struct sink *sink, enum output_kind kind, str bytes)
{
    str text = str_trim(bytes);
    if (text.len > 0)
        host_log(((struct log_sink *)sink)->host, kind == OUTPUT_STDOUT ? HOST_INFO : HOST_WARNING,
                 kind == OUTPUT_STDOUT, text);
    return NULL;
}

/* The environment that the project names is made when it is not there yet. */
static fallible ensure_virtualenv(struct host *host, struct arena *arena,
                                  const struct python *python)
{
    struct log_sink log = { { log_sink_write }, host };

    if (python->toolchain == TOOLCHAIN_UV)
        return python_sync(host, arena, python);
    if (python->toolchain == TOOLCHAIN_POETRY || python->virtualenv.len == 0
        || fs_exists(python->virtualenv))
        return NULL;
    return python_install_into(host, arena, python, &log.sink);
}

fallible python_required_packages(struct host *host, struct arena *arena,
                                  const struct program *program, struct packages *out)
{
    struct distributions distributions = { 0 };
    struct python python;

    TRY(python_open(host, arena, program, false, &python));
    TRY(ensure_virtualenv(host, arena, &python));
    TRY(python_check_virtualenv(arena, &python));
    struct error *failure = python_distributions(host, arena, &python, &distributions);
    for (size_t i = 0; !failure && i < distributions.len; i++)
        failure = python_add_package(arena, &distributions.items[i], out);
    vec_release(&distributions);
    return failure;
}
