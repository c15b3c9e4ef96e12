/* node_packages.c — which plugins the packages in node_modules belong to.
 *
 * Reads every package.json at the root of a package below some node_modules of the program:
 * hoisted, nested, linked or in the store of pnpm. Policy packs in subfolders have packages of
 * their own, which are none of the program's. */
#include "nodejs/nodejs.h"

#include "base/fs.h"
#include "base/map.h"
#include "base/semver.h"
#include "common/plugin_json.h"

#include <stdio.h>
#include <sys/stat.h>

enum { PACKAGE_JSON_MAX = 4 << 20, DEPTH_MAX = 60 };

struct sdk {
    str version;
    str path;
};

struct walk {
    struct arena *arena;
    struct packages *packages;         /* that have a plugin; NULL: not asked for */
    struct dependencies *dependencies; /* all of them; NULL: not asked for */
    const struct map *wanted;          /* names of dependencies; NULL: all */
    struct map visited;                /* folders by device and number */
    struct sdk first;                  /* copy of the SDK that was found */
    bool has_complained;
    unsigned depth;
};

static void walk_release(struct walk *walk)
{
    map_release(&walk->visited);
}

struct package {
    str name;
    str version;
    struct plugin_json plugin;
};

/* --- one package --- */

static fallible read_plugin(struct json_reader *reader, void *member)
{
    return plugin_json_read(reader, member);
}

static fallible package_json_read(struct arena *arena, str text, struct package *out)
{
    static const struct json_field fields[] = {
        JSON_FIELD("name", struct package, name, json_field_string),
        JSON_FIELD("version", struct package, version, json_field_string),
        JSON_FIELD("pulumi", struct package, plugin, read_plugin),
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;

    json_reader_init(&reader, arena, text);
    return json_read_fields(&reader, fields, out);
}

/* Two major versions in one program do not know each other's resources. */
static void note_sdk(struct walk *walk, const struct package *package, str path)
{
    struct semver first, other;

    if (walk->first.path.len == 0) {
        walk->first = (struct sdk){ package->version, path };
        return;
    }
    if (walk->has_complained || !semver_parse(walk->first.version, &first)
        || !semver_parse(package->version, &other) || first.major == other.major)
        return;
    walk->has_complained = true;
    fprintf(stderr,
            "Found incompatible versions of @pulumi/pulumi. Differing major versions are not "
            "supported.\n"
            "  Version " STR_FMT " referenced at " STR_FMT "\n  Version " STR_FMT
            " referenced at " STR_FMT "\n",
            STR_ARG(walk->first.version), STR_ARG(walk->first.path), STR_ARG(package->version),
            STR_ARG(path));
}

/* Packages of others have to say the name of their plugin. */
static bool name_plugin(struct package *package)
{
    static const str scope = STR_INIT("@pulumi/");
    struct plugin_json *plugin = &package->plugin;

    if (plugin->name.len == 0 && str_starts_with(package->name, scope))
        plugin->name = str_slice(package->name, scope.len, package->name.len);
    if (plugin->version.len == 0)
        plugin->version = package->version;
    return plugin->name.len > 0 && plugin->version.len > 0;
}

static fallible look_at_package(struct walk *walk, str folder)
{
    str path = fs_path_join(walk->arena, folder, STR("package.json")), text;
    struct package package = { 0 };

    TRY(fs_read(walk->arena, path, PACKAGE_JSON_MAX, &text));
    if (!walk->dependencies && str_find(text, STR("pulumi")) == SIZE_MAX)
        return NULL;
    TRY(package_json_read(walk->arena, text, &package));
    if (walk->dependencies && package.version.len > 0
        && (!walk->wanted || map_has(walk->wanted, package.name)))
        dependencies_add(walk->dependencies, walk->arena, package.name, package.version);
    if (!walk->packages)
        return NULL;
    if (str_equal(package.name, STR("@pulumi/pulumi")))
        note_sdk(walk, &package, path);
    if (package.plugin.is_resource && name_plugin(&package))
        packages_add(walk->packages, walk->arena, &package.plugin);
    return NULL;
}

/* --- folders --- */

static void walk_modules(struct walk *walk, str folder);

/* False if it is no folder or was seen before. */
static bool walk_enter(struct walk *walk, str folder)
{
    struct stat status;
    if (stat(arena_cstr(walk->arena, folder), &status) < 0 || !S_ISDIR(status.st_mode)
        || walk->depth > DEPTH_MAX)
        return false;
    str key = arena_printf(walk->arena, "%llx:%llx", (unsigned long long)status.st_dev,
                           (unsigned long long)status.st_ino);
    if (map_has(&walk->visited, key))
        return false;
    map_put(&walk->visited, key, walk);
    return true;
}

static void walk_package(struct walk *walk, str folder)
{
    if (!walk_enter(walk, folder))
        return;
    error_ignore(look_at_package(walk, folder), "no package, or not one that can be read");
    walk_modules(walk, fs_path_join(walk->arena, folder, STR("node_modules")));
}

typedef void walker(struct walk *walk, str folder);

static void walk_each(struct walk *walk, str folder, walker *visit)
{
    str *names;
    size_t len;
    struct error *failure = fs_list(walk->arena, folder, &names, &len);

    walk->depth++;
    for (size_t i = 0; !failure && i < len; i++)
        visit(walk, fs_path_join(walk->arena, folder, names[i]));
    walk->depth--;
    error_ignore(failure, "a folder that cannot be read has nothing for us");
}

/* A folder of the store of pnpm. */
static void walk_stored(struct walk *walk, str folder)
{
    if (str_equal(fs_path_name(folder), STR("node_modules")))
        walk_modules(walk, folder);
    else
        walk_modules(walk, fs_path_join(walk->arena, folder, STR("node_modules")));
}

static void walk_module(struct walk *walk, str folder)
{
    str name = fs_path_name(folder);

    if (name.ptr[0] == '@')
        walk_each(walk, folder, walk_package);
    else if (name.ptr[0] == '.')
        walk_each(walk, folder, walk_stored);
    else
        walk_package(walk, folder);
}

static void walk_modules(struct walk *walk, str folder)
{
    if (walk_enter(walk, folder))
        walk_each(walk, folder, walk_module);
}

static void walk_program(struct walk *walk, str folder)
{
    str name = fs_path_name(folder);

    if (str_equal(name, STR("node_modules"))) {
        walk_modules(walk, folder);
        return;
    }
    if (str_equal(name, STR(".git")) || !walk_enter(walk, folder))
        return;
    if (walk->depth > 0 && fs_exists(fs_path_join(walk->arena, folder, STR("PulumiPolicy.yaml"))))
        return;
    walk_each(walk, folder, walk_program);
}

fallible node_required_packages(struct host *host, struct arena *arena,
                                const struct program *program, struct packages *out)
{
    CLEANUP(walk_release) struct walk walk = { .arena = arena, .packages = out };

    (void)host;
    walk_program(&walk, program->directory);
    return NULL;
}

/* --- for `about` --- */

static fallible package_read_name(struct json_reader *reader, str key, void *names)
{
    map_put(names, key, names);
    return json_skip(reader, NULL);
}

static fallible package_read_names(struct json_reader *reader, void *names)
{
    return json_read_members(reader, package_read_name, names);
}

/* What package.json asks for by name. */
static fallible read_direct(struct arena *arena, str directory, struct map *names)
{
    static const struct json_field fields[] = {
        { "dependencies", package_read_names, 0 },
        { "devDependencies", package_read_names, 0 },
        { 0 },
    };
    CLEANUP(json_reader_release) struct json_reader reader;
    str path = fs_path_join(arena, directory, STR("package.json")), text;

    json_reader_init(&reader, arena, STR(""));
    TRY(fs_read(arena, path, PACKAGE_JSON_MAX, &text));
    json_reader_init(&reader, arena, text);
    return json_read_fields(&reader, fields, names);
}

/* Those that are installed, whatever a lock file says. */
fallible node_dependencies(struct host *host, struct arena *arena, const struct program *program,
                           bool with_transitive, struct dependencies *out)
{
    CLEANUP(walk_release) struct walk walk = { .arena = arena, .dependencies = out };
    CLEANUP(map_release) struct map names = { 0 };

    (void)host;
    TRY(error_wrap(read_direct(arena, program->directory, &names),
                   "failed to get node dependencies"));
    walk.wanted = with_transitive ? NULL : &names;
    for (str folder = program->directory; fs_path_is_absolute(folder);
         folder = fs_path_directory(folder)) {
        walk_modules(&walk, fs_path_join(arena, folder, STR("node_modules")));
        if (folder.len <= 1)
            break;
    }
    return NULL;
}
