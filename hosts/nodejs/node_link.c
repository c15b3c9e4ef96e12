/* node_link.c — makes SDKs known to a program: entries in its manifest, for the next installation.
 */
#include "nodejs/node_manager.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/semver.h"
#include "base/yaml.h"
#include "common/names.h"
#include "common/search.h"
#include "nodejs/node_manifest.h"
#include "nodejs/sdk/ts_names.h"

enum { LINK_MANIFEST_MAX = 4 << 20, LINK_MANIFEST_MODE = 0644 };

/* A program and where its manifest is. */
struct link_target {
    struct chosen_manager chosen;
    str folder;
    bool is_yaml; /* package.yaml */
};

static bool link_is_for(const struct link_target *target, const char *manager)
{
    return str_equal(str_from(target->chosen.manager->name), str_from(manager));
}

static fallible link_find_manifest(struct arena *arena, const struct program *program,
                                   struct link_target *out)
{
    str json = search_up(arena, program->directory, STR("package.json"));
    str yaml = search_up(arena, program->directory, STR("package.yaml"));

    out->is_yaml = yaml.len > json.len;
    out->folder = out->is_yaml ? yaml : json;
    if (out->folder.len)
        return NULL;
    return error_new(ERROR_NOT_FOUND,
                     "there is no package.json in '" STR_FMT
                     "' or above it: make one with `npm init`, so that the package can be added to "
                     "it",
                     STR_ARG(program->directory));
}

/* "file:sdks/acme", as seen from the manifest. */
static str link_location(struct arena *arena, const struct program *program,
                         const struct link_target *target, str path)
{
    str from = fs_path_clean(arena, target->folder);

    if (fs_path_is_absolute(path))
        return arena_concat(arena, STR("file:"), path);
    str to = fs_path_absolute(arena, program->root, path), up = STR("");
    while (from.len > 1) {
        str below = arena_concat(arena, from, STR("/"));
        if (str_starts_with(to, below))
            return arena_concat(arena, STR("file:"), up, str_slice(to, below.len, to.len));
        from = fs_path_directory(from);
        up = arena_concat(arena, up, STR("../"));
    }
    return arena_concat(arena, STR("file:"), to);
}

/* --- YAML: the manifest and the settings of pnpm --- */

/* A mapping that can be changed, under the key of one that can be. */
static struct yaml_node *link_changeable(struct arena *arena, struct yaml_node *root, str key)
{
    const struct yaml_node *old = yaml_find(root, key);
    struct yaml_node *copy =
        old && old->kind == YAML_MAPPING ? yaml_copy_shallow(arena, old) : yaml_new_mapping(arena);

    yaml_put(arena, root, key, copy);
    return copy;
}

static void link_add_to_list(struct arena *arena, struct yaml_node *root, str key, str text)
{
    const struct yaml_node *old = yaml_find(root, key);
    struct yaml_node *list = old && old->kind == YAML_SEQUENCE ? yaml_copy_shallow(arena, old)
                                                               : yaml_new_sequence(arena);

    for (size_t i = 0; i < list->len; i++)
        if (str_equal(list->items[i]->text, text))
            return;
    yaml_add(arena, list, yaml_new_string(arena, text));
    yaml_put(arena, root, key, list);
}

/* Reads a file that may be missing; *wanted is to be changed and then written. */
struct link_yaml {
    str path;
    str text;
    struct yaml_node *old;
    struct yaml_node *wanted;
};

static fallible link_yaml_open(struct arena *arena, str path, struct link_yaml *out)
{
    *out = (struct link_yaml){ .path = path, .text = STR("") };
    if (fs_exists(path))
        TRY(fs_read(arena, path, LINK_MANIFEST_MAX, &out->text));
    TRY(error_wrap(yaml_read(arena, out->text, &out->old), "'" STR_FMT "'", STR_ARG(path)));
    out->wanted = out->old->kind == YAML_MAPPING ? yaml_copy_shallow(arena, out->old)
                                                 : yaml_new_mapping(arena);
    return NULL;
}

static fallible link_yaml_write(struct arena *arena, const struct link_yaml *file)
{
    str text = file->old->kind == YAML_MAPPING
                   ? yaml_update(arena, file->text, file->old, file->wanted)
                   : yaml_write(arena, file->wanted);

    return fs_replace(file->path, text, LINK_MANIFEST_MODE);
}

static fallible link_in_yaml(struct arena *arena, const struct link_target *target, str name,
                             str location)
{
    struct link_yaml file;

    TRY(link_yaml_open(arena, fs_path_join(arena, target->folder, STR("package.yaml")), &file));
    yaml_put(arena, link_changeable(arena, file.wanted, STR("dependencies")), name,
             yaml_new_string(arena, location));
    return link_yaml_write(arena, &file);
}

/* It also fails where a script is neither allowed nor refused, and Pulumi's own SDK brings one with
 * it that nobody needs. */
static void link_allow_build(struct arena *arena, struct yaml_node *settings, str place)
{
    struct yaml_node *allowed = link_changeable(arena, settings, STR("allowBuilds"));

    yaml_put(arena, allowed, place, yaml_new_plain(arena, STR("true")));
    if (!yaml_find(allowed, STR("protobufjs")))
        yaml_put(arena, allowed, STR("protobufjs"), yaml_new_plain(arena, STR("false")));
}

/* pnpm compiles nothing that is not named in its settings; how, depends on its version. */
static fallible link_allow_pnpm(struct host *host, struct arena *arena,
                                const struct link_target *target, str name, str location)
{
    CLEANUP(command_release)
    struct command command = { .path = target->chosen.path, .directory = target->folder };
    static const struct semver keyed_by_place = { .major = 10, .minor = 34, .patch = 2 };
    str place = arena_concat(arena, name, STR("@"), location), answer;
    struct semver version;
    struct link_yaml file;

    words_add(&command.args, arena, STR("--version"));
    TRY(command_read(host, arena, &command, &answer));
    if (!semver_parse_tolerant(answer, &version) || version.major < 10)
        return NULL;
    TRY(link_yaml_open(arena, fs_path_join(arena, target->folder, STR("pnpm-workspace.yaml")),
                       &file));
    if (version.major >= 11)
        link_allow_build(arena, file.wanted, place);
    else
        link_add_to_list(arena, file.wanted, STR("onlyBuiltDependencies"),
                         semver_compare(&version, &keyed_by_place) >= 0 ? place : name);
    return link_yaml_write(arena, &file);
}

/* --- package.json --- */

static str link_json_text(struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };

    json_format_string(&out, text, false);
    return arena_copy(arena, strbuf_str(&out));
}

/* The SDK is compiled by a script of its own, which npm and bun must be allowed to run. */
static fallible link_in_json(struct arena *arena, const struct link_target *target, str name,
                             str location)
{
    str path = fs_path_join(arena, target->folder, STR("package.json")), text;

    TRY(fs_read(arena, path, LINK_MANIFEST_MAX, &text));
    TRY(error_wrap(node_manifest_set(arena, text, STR("dependencies"), name,
                                     link_json_text(arena, location), &text),
                   "'" STR_FMT "'", STR_ARG(path)));
    if (link_is_for(target, "npm"))
        TRY(node_manifest_set(arena, text, STR("allowScripts"), location, STR("true"), &text));
    if (link_is_for(target, "bun"))
        TRY(node_manifest_add(arena, text, STR("trustedDependencies"), name, &text));
    return fs_replace(path, text, LINK_MANIFEST_MODE);
}

/* --- what the user is told --- */

static bool link_uses_imports(struct arena *arena, const struct link_target *target)
{
    str path = fs_path_join(arena, target->folder, STR("package.json")), text;
    struct yaml_node *root = NULL;

    struct error *failure = fs_read(arena, path, LINK_MANIFEST_MAX, &text);
    if (!failure)
        failure = yaml_read(arena, text, &root);
    error_ignore(failure, "the hint is then for the older form");
    const struct yaml_node *type = root ? yaml_find(root, STR("type")) : NULL;
    return type && str_equal(type->text, STR("module"));
}

static fallible link_instructions(struct arena *arena, const struct program *program,
                                  const struct link_target *target, struct sdk_links links,
                                  str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct node_options options;

    TRY(node_options_read(arena, program, &options));
    bool is_typescript = options.is_typescript || options.tsconfig.len
                         || search_up(arena, program->directory, STR("tsconfig.json")).len > 0;
    bool imports = is_typescript || link_uses_imports(arena, target);
    strbuf_printf(&text, "You can import the SDK in your %s code with:\n\n",
                  is_typescript ? "TypeScript" : "JavaScript");
    for (size_t i = 0; i < links.len; i++) {
        const struct schema *schema = links.items[i].schema;
        if (!schema)
            continue;
        str variable = node_identifier(arena, name_camel(arena, schema->name));
        strbuf_printf(&text,
                      imports ? "  import * as " STR_FMT " from \"" STR_FMT "\";\n"
                              : "  const " STR_FMT " = require(\"" STR_FMT "\");\n",
                      STR_ARG(variable), STR_ARG(ts_package_name(arena, schema)));
    }
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}

fallible node_link(struct host *host, struct arena *arena, const struct program *program,
                   struct sdk_links links, str *instructions)
{
    struct link_target target = { 0 };

    TRY(link_find_manifest(arena, program, &target));
    TRY(node_choose_manager(host, arena, program, &target.chosen));
    for (size_t i = 0; i < links.len; i++) {
        const struct schema *schema = links.items[i].schema;
        str name = schema ? ts_package_name(arena, schema) : STR("@pulumi/pulumi");
        str location = link_location(arena, program, &target, links.items[i].path);
        if (link_is_for(&target, "pnpm"))
            TRY(link_allow_pnpm(host, arena, &target, name, location));
        if (target.is_yaml)
            TRY(link_in_yaml(arena, &target, name, location));
        else
            TRY(link_in_json(arena, &target, name, location));
    }
    /* yarn copies a folder once, and does not see that it has changed. */
    if (link_is_for(&target, "yarn"))
        TRY(fs_remove_if_present(
            fs_path_join(arena, target.folder, STR("node_modules/.yarn-integrity"))));
    return link_instructions(arena, program, &target, links, instructions);
}
