/* project_update.c — changes a project file and leaves everything else in it as it was written. */
#include "project/project.h"

#include "base/fs.h"
#include "base/yaml.h"
#include "project/config_value.h"

/* `runtime: NAME` becomes a mapping when there are options. */
static struct yaml_node *runtime_mapping(struct arena *arena, const struct yaml_node *root)
{
    const struct yaml_node *old = yaml_find(root, STR("runtime"));

    if (old && old->kind == YAML_MAPPING)
        return yaml_copy_shallow(arena, old);
    struct yaml_node *mapping = yaml_new_mapping(arena);
    if (old && old->kind == YAML_SCALAR)
        yaml_put(arena, mapping, STR("name"), yaml_new_string(arena, old->text));
    return mapping;
}

/* A mapping below another that can be changed; a new one if there is none. */
static struct yaml_node *mapping_below(struct arena *arena, const struct yaml_node *above, str key)
{
    const struct yaml_node *given = yaml_find(above, key);

    return given && given->kind == YAML_MAPPING ? yaml_copy_shallow(arena, given)
                                                : yaml_new_mapping(arena);
}

static void put_runtime_option(struct arena *arena, struct yaml_node *root, str key,
                               struct yaml_node *value)
{
    struct yaml_node *runtime = runtime_mapping(arena, root);
    struct yaml_node *options = mapping_below(arena, runtime, STR("options"));

    yaml_put(arena, options, key, value);
    yaml_put(arena, runtime, STR("options"), options);
    yaml_put(arena, root, STR("runtime"), runtime);
}

static void put_runtime_options(struct arena *arena, struct yaml_node *root,
                                const struct project_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_runtime_option(arena, root, options[i].key,
                           options[i].is_number ? yaml_new_plain(arena, options[i].value)
                                                : yaml_new_string(arena, options[i].value));
}

fallible project_set_runtime_option(struct arena *arena, struct project *project, str key,
                                    str value)
{
    struct yaml_node *old;

    TRY(yaml_read(arena, project->text, &old));
    struct yaml_node *root = yaml_copy_shallow(arena, old);
    put_runtime_option(arena, root, key, yaml_new_string(arena, value));
    str text = str_ends_with(project->path, STR(".json"))
                   ? yaml_to_json(arena, root)
                   : yaml_update(arena, project->text, old, root);
    struct project changed;
    TRY(project_parse(arena, project->path, text, &changed));
    TRY(fs_replace(project->path, text, 0600));
    *project = changed;
    return NULL;
}

static void put_text(struct arena *arena, struct yaml_node *mapping, str key, str text)
{
    if (text.len)
        yaml_put(arena, mapping, key, yaml_new_string(arena, text));
}

/* Whether the project writes packages as mappings: this one, or all of those that it has. */
static bool prefers_mappings(const struct yaml_node *packages, str name)
{
    const struct yaml_node *old = yaml_find(packages, name);
    bool result = packages->len > 0;

    for (size_t i = 0; i < packages->len; i++)
        result = result && packages->pairs[i].value->kind == YAML_MAPPING;
    return result || (old && old->kind == YAML_MAPPING);
}

/* SOURCE@VERSION, or a mapping if there is more to say or if that is how the project has it. */
static struct yaml_node *package_node(struct arena *arena, const struct project_package *package,
                                      bool is_mapping)
{
    str words = package->is_extension ? STR("extensions") : STR("parameters");
    struct yaml_node *list = yaml_new_sequence(arena);
    struct yaml_node *mapping = yaml_new_mapping(arena);

    if (package->parameter_count == 0 && package->download_url.len == 0 && !is_mapping)
        return yaml_new_string(arena, package->version.len ? arena_concat(
                                          arena, package->source, STR("@"), package->version)
                                                           : package->source);
    put_text(arena, mapping, STR("source"), package->source);
    put_text(arena, mapping, STR("version"), package->version);
    put_text(arena, mapping, STR("pluginDownloadURL"), package->download_url);
    for (size_t i = 0; i < package->parameter_count; i++)
        yaml_add(arena, list, yaml_new_string(arena, package->parameters[i]));
    if (package->parameter_count)
        yaml_put(arena, mapping, words, list);
    return mapping;
}

fallible project_put_package(struct arena *arena, str path, str text,
                             const struct project_package *package, str *out)
{
    struct yaml_node *old;

    TRY(error_wrap(yaml_read(arena, text, &old), "'" STR_FMT "'", STR_ARG(path)));
    struct yaml_node *root = yaml_copy_shallow(arena, old);
    struct yaml_node *packages = mapping_below(arena, root, STR("packages"));
    yaml_put(arena, packages, package->name,
             package_node(arena, package, prefers_mappings(packages, package->name)));
    yaml_put(arena, root, STR("packages"), packages);
    *out = str_ends_with(path, STR(".json")) ? yaml_to_json(arena, root)
                                             : yaml_update(arena, text, old, root);
    return NULL;
}

/* config: {pulumi:tags: {value: {pulumi:template: NAME}}}. Where `config` is the old name of a
 * folder there is no place for it. */
static void put_template_tag(struct arena *arena, struct yaml_node *root, str name)
{
    const struct yaml_node *given = yaml_find(root, STR("config"));

    if (given && given->kind != YAML_MAPPING && !yaml_is_null(given))
        return;
    struct yaml_node *config = mapping_below(arena, root, STR("config"));
    struct yaml_node *tags = mapping_below(arena, config, STR("pulumi:tags"));
    struct yaml_node *value = mapping_below(arena, tags, STR("value"));
    yaml_put(arena, value, STR("pulumi:template"), yaml_new_string(arena, name));
    yaml_put(arena, tags, STR("value"), value);
    yaml_put(arena, config, STR("pulumi:tags"), tags);
    yaml_put(arena, root, STR("config"), config);
}

fallible project_instantiate(struct arena *arena, str path, str text,
                             const struct project_instance *instance, str *out)
{
    struct yaml_node *old;
    struct project check;

    TRY(error_wrap(yaml_read(arena, text, &old), "'" STR_FMT "'", STR_ARG(path)));
    struct yaml_node *root = yaml_copy_shallow(arena, old);
    yaml_put(arena, root, STR("name"), yaml_new_string(arena, instance->name));
    if (instance->description.len)
        yaml_put(arena, root, STR("description"), yaml_new_string(arena, instance->description));
    else
        yaml_drop(root, STR("description"));
    yaml_drop(root, STR("template"));
    put_runtime_options(arena, root, instance->options, instance->option_count);
    if (instance->template_name.len)
        put_template_tag(arena, root, instance->template_name);
    *out = yaml_update(arena, text, old, root);
    return project_parse(arena, path, *out, &check);
}

fallible project_instantiate_source(struct arena *arena, str path, str text,
                                    const struct project_option *options, size_t option_count,
                                    str *out)
{
    struct yaml_node *old;

    TRY(error_wrap(yaml_read(arena, text, &old), "'" STR_FMT "'", STR_ARG(path)));
    struct yaml_node *root = yaml_copy_shallow(arena, old);
    yaml_drop(root, STR("template"));
    put_runtime_options(arena, root, options, option_count);
    *out = yaml_update(arena, text, old, root);
    return NULL;
}

fallible project_read_runtime(struct arena *arena, str path, str text, str *runtime,
                              struct value *options)
{
    struct yaml_node *root;

    TRY(error_wrap(yaml_read(arena, text, &root), "'" STR_FMT "'", STR_ARG(path)));
    struct value document = config_value_from_yaml(arena, root);
    const struct value *section =
        document.kind == VALUE_OBJECT ? value_find(document, STR("runtime")) : NULL;
    *options = VALUE_EMPTY_OBJECT;
    *runtime = section && section->kind == VALUE_STRING ? value_text(*section) : STR("");
    if (section && section->kind == VALUE_OBJECT) {
        const struct value *given = value_find(*section, STR("options"));
        *runtime = value_find_text(*section, STR("name"));
        if (given && given->kind == VALUE_OBJECT)
            *options = *given;
    }
    return runtime->len ? NULL
                        : error_new(ERROR_INVALID, "'" STR_FMT "' is missing a 'runtime' attribute",
                                    STR_ARG(path));
}
