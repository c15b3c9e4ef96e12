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

fallible project_set_runtime_option(struct arena *arena, struct project *project, str key,
                                    str value)
{
    struct yaml_node *old;

    TRY(yaml_read(arena, project->text, &old));
    struct yaml_node *root = yaml_copy_shallow(arena, old);
    struct yaml_node *runtime = runtime_mapping(arena, root);
    const struct yaml_node *given = yaml_find(runtime, STR("options"));
    struct yaml_node *options = given && given->kind == YAML_MAPPING
                                    ? yaml_copy_shallow(arena, given)
                                    : yaml_new_mapping(arena);
    yaml_put(arena, options, key, yaml_new_string(arena, value));
    yaml_put(arena, runtime, STR("options"), options);
    yaml_put(arena, root, STR("runtime"), runtime);
    str text = str_ends_with(project->path, STR(".json"))
                   ? yaml_to_json(arena, root)
                   : yaml_update(arena, project->text, old, root);
    struct project changed;
    TRY(project_parse(arena, project->path, text, &changed));
    TRY(fs_replace(project->path, text, 0600));
    *project = changed;
    return NULL;
}
