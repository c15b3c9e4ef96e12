/* plugin_project.c — reads the file that says which language host runs a plugin. */
#include "plugin/plugin_project.h"

#include "base/fs.h"
#include "base/semver_range.h"
#include "base/version.h"
#include "base/yaml.h"

#define PLUGIN_FILE STR("PulumiPlugin.yaml")
#define POLICY_FILE STR("PulumiPolicy.yaml")
enum { PLUGIN_FILE_MAX = 1 << 20 };

/* --- values --- */

static fallible value_from_yaml(struct arena *arena, const struct yaml_node *node,
                                struct value *out);

static fallible object_from_yaml(struct arena *arena, const struct yaml_node *node,
                                 struct value *out)
{
    struct member *members = ARENA_ARRAY(arena, struct member, node->len);
    for (size_t i = 0; i < node->len; i++) {
        members[i].key = node->pairs[i].key->text;
        TRY(value_from_yaml(arena, node->pairs[i].value, &members[i].value));
    }
    *out = value_object(arena, members, node->len);
    return NULL;
}

static fallible array_from_yaml(struct arena *arena, const struct yaml_node *node,
                                struct value *out)
{
    struct value *items = ARENA_ARRAY(arena, struct value, node->len);
    for (size_t i = 0; i < node->len; i++)
        TRY(value_from_yaml(arena, node->items[i], &items[i]));
    *out = value_array(arena, items, node->len);
    return NULL;
}

static fallible value_from_yaml(struct arena *arena, const struct yaml_node *node,
                                struct value *out)
{
    if (node->kind == YAML_MAPPING)
        return object_from_yaml(arena, node, out);
    if (node->kind == YAML_SEQUENCE)
        return array_from_yaml(arena, node, out);
    struct yaml_scalar scalar = yaml_resolve(node);
    switch (scalar.type) {
    case YAML_NULL: *out = value_null(); break;
    case YAML_BOOL: *out = value_bool(scalar.boolean); break;
    case YAML_INT:
    case YAML_FLOAT: *out = value_number(scalar.number); break;
    case YAML_STRING:
    case YAML_TIMESTAMP: *out = value_string(node->text); break;
    }
    return NULL;
}

/* --- the file --- */

static fallible check_required_version(str range)
{
    struct semver version;
    bool is_satisfied;

    if (!semver_parse_tolerant(STR(PULUMI_VERSION), &version))
        return error_new(ERROR_OTHER, "our own version is '%s', which is none", PULUMI_VERSION);
    TRY(semver_in_range(&version, range, &is_satisfied));
    if (is_satisfied)
        return NULL;
    return error_new(ERROR_OTHER,
                     "Pulumi CLI version %s does not satisfy the version range \"" STR_FMT "\"",
                     &PULUMI_VERSION[1], STR_ARG(range));
}

static str text_of(const struct yaml_node *node)
{
    return node && node->kind == YAML_SCALAR ? node->text : STR("");
}

static struct strs package_words(struct arena *arena, const struct yaml_node *list)
{
    size_t len = list && list->kind == YAML_SEQUENCE ? list->len : 0;
    str *words = ARENA_ARRAY(arena, str, len);

    for (size_t i = 0; i < len; i++)
        words[i] = text_of(list->items[i]);
    return (struct strs){ words, len };
}

/* NAME: SOURCE[@VERSION], or NAME: {source, version, pluginDownloadURL, parameters, extensions} */
static void read_packages(struct arena *arena, const struct yaml_node *list,
                          struct plugin_project *out)
{
    out->packages = NULL;
    out->package_count = 0;
    if (!list || list->kind != YAML_MAPPING)
        return;
    out->packages = ARENA_ARRAY(arena, struct plugin_package, list->len);
    for (size_t i = 0; i < list->len; i++) {
        const struct yaml_node *entry = list->pairs[i].value;
        struct plugin_package package = { .name = list->pairs[i].key->text,
                                          .source = text_of(entry) };
        if (entry->kind == YAML_MAPPING) {
            package.source = text_of(yaml_find(entry, STR("source")));
            package.version = text_of(yaml_find(entry, STR("version")));
            package.download_url = text_of(yaml_find(entry, STR("pluginDownloadURL")));
            package.parameters = package_words(arena, yaml_find(entry, STR("parameters")));
            package.is_extension = package.parameters.len == 0;
            if (package.is_extension)
                package.parameters = package_words(arena, yaml_find(entry, STR("extensions")));
        } else {
            str_cut_last(package.source, STR("@"), &package.source, &package.version);
        }
        out->packages[out->package_count++] = package;
    }
}

/* `runtime` is a name, or a name with options. */
static fallible parse_project(struct arena *arena, str text, struct plugin_project *out)
{
    struct yaml_node *root;

    TRY(yaml_read(arena, text, &root));
    const struct yaml_node *runtime = yaml_find(root, STR("runtime"));
    bool has_options = runtime && runtime->kind == YAML_MAPPING;
    const struct yaml_node *name = has_options ? yaml_find(runtime, STR("name")) : runtime;
    const struct yaml_node *options = has_options ? yaml_find(runtime, STR("options")) : NULL;
    const struct yaml_node *range = yaml_find(root, STR("requiredPulumiVersion"));
    if (!name || name->kind != YAML_SCALAR || name->text.len == 0)
        return error_new(ERROR_INVALID, "it names no runtime");
    if (range && range->kind == YAML_SCALAR && range->text.len > 0)
        TRY(check_required_version(range->text));
    *out = (struct plugin_project){
        .runtime = name->text,
        .version = text_of(yaml_find(root, STR("version"))),
        .options = VALUE_EMPTY_OBJECT,
    };
    read_packages(arena, yaml_find(root, STR("packages")), out);
    return options && options->kind == YAML_MAPPING
               ? object_from_yaml(arena, options, &out->options)
               : NULL;
}

bool plugin_project_exists(struct arena *arena, str folder)
{
    return fs_exists(fs_path_join(arena, folder, PLUGIN_FILE));
}

fallible plugin_project_load(struct arena *arena, str kind, str folder, struct plugin_project *out)
{
    bool is_pack = str_equal(kind, STR("analyzer"));
    str name = is_pack ? POLICY_FILE : PLUGIN_FILE;
    str path = fs_path_join(arena, folder, name), text;

    if (str_equal(kind, STR("language")))
        return error_new(ERROR_NOT_FOUND, "plugin not found");
    if (!fs_exists(path))
        return error_new(ERROR_NOT_FOUND,
                         "plugin not found: neither a program nor a " STR_FMT " is there",
                         STR_ARG(name));
    TRY(fs_read(arena, path, PLUGIN_FILE_MAX, &text));
    return error_wrap(parse_project(arena, text, out), "loading " STR_FMT, STR_ARG(name));
}

bool plugin_source_is_folder(str source)
{
    return str_starts_with(source, STR("./")) || str_starts_with(source, STR("../"))
           || fs_path_is_absolute(source) || str_equal(source, STR("."))
           || str_equal(source, STR(".."));
}
