/* scenario_file.c — reads the file of a scenario. */
#include "support/scenario_file.h"

#include "base/fs.h"
#include "base/yaml.h"
#include "support/json_value.h"

static struct value scalar_value(const struct yaml_node *node)
{
    struct yaml_scalar scalar = yaml_resolve(node);

    switch (scalar.type) {
    case YAML_NULL: return value_null();
    case YAML_BOOL: return value_bool(scalar.boolean);
    case YAML_INT:
    case YAML_FLOAT: return value_number(scalar.number);
    case YAML_STRING: return value_string(scalar.text);
    case YAML_TIMESTAMP: return value_string(node->text);
    }
    return value_null();
}

static struct value yaml_value(struct arena *arena, const struct yaml_node *node)
{
    if (node->kind == YAML_SCALAR)
        return scalar_value(node);
    if (node->kind == YAML_SEQUENCE) {
        struct value *items = ARENA_ARRAY(arena, struct value, node->len + 1);
        for (size_t i = 0; i < node->len; i++)
            items[i] = yaml_value(arena, node->items[i]);
        return value_array(arena, items, node->len);
    }
    struct member *members = ARENA_ARRAY(arena, struct member, node->len + 1);
    for (size_t i = 0; i < node->len; i++)
        members[i] =
            (struct member){ node->pairs[i].key->text, yaml_value(arena, node->pairs[i].value) };
    return value_object(arena, members, node->len);
}

static fallible check_keys(struct value object, const char *const *known)
{
    if (object.kind != VALUE_OBJECT)
        return error_new(ERROR_INVALID, "an object is wanted");
    for (size_t i = 0; i < object.len; i++) {
        const char *const *key = known;
        while (*key && !str_equal(str_from(*key), object.members[i].key))
            key++;
        if (!*key)
            return error_new(ERROR_INVALID, "unknown key '" STR_FMT "'",
                             STR_ARG(object.members[i].key));
    }
    return NULL;
}

static fallible read_operation(struct arena *arena, struct value object, struct strs also,
                               struct operation *out)
{
    static const char *const keys[] = { "do",      "args", "program",   "rules",    "components",
                                        "cloud",   "edit", "unordered", "parallel", "env",
                                        "compare", "also", NULL };
    static const char *const cloud_keys[] = { "set", "delete", NULL };
    struct value cloud = object_get(object, STR("cloud"));

    TRY(check_keys(object, keys));
    if (value_has(object, STR("also")))
        also = object_strs(arena, object, STR("also"));
    if (cloud.kind != VALUE_NULL)
        TRY(check_keys(cloud, cloud_keys));
    *out = (struct operation){
        .verb = object_text(object, STR("do")),
        .args = object_strs(arena, object, STR("args")),
        .program = object_get(object, STR("program")),
        .rules = object_get(object, STR("rules")),
        .components = object_get(object, STR("components")),
        .cloud_set = object_get(cloud, STR("set")),
        .cloud_delete = object_strs(arena, cloud, STR("delete")),
        .edits = object_get(object, STR("edit")),
        .is_unordered = object_flag(object, STR("unordered")),
        .parallel = (unsigned)object_number(object, STR("parallel"), 1),
        .environment = object_get(object, STR("env")),
        .sections = object_strs(arena, object, STR("compare")),
        .also = also,
    };
    return NULL;
}

static fallible read_scenario(struct arena *arena, const struct yaml_node *root,
                              struct scenario *out)
{
    static const str default_packages[] = { STR_INIT("pkg") };
    static const char *const keys[] = { "about",   "packages", "packs", "config", "secrets",
                                        "project", "files",    "ops",   "also",   NULL };
    struct value object = yaml_value(arena, root);
    struct value operations = object_get(object, STR("ops"));
    struct strs also = object_strs(arena, object, STR("also"));

    TRY(check_keys(object, keys));
    if (operations.kind != VALUE_ARRAY)
        return error_new(ERROR_INVALID, "'ops' is missing");
    out->packages = object_strs(arena, object, STR("packages"));
    if (out->packages.len == 0)
        out->packages = (struct strs){ default_packages, 1 };
    out->packs = object_strs(arena, object, STR("packs"));
    out->config = object_get(object, STR("config"));
    out->secrets = object_get(object, STR("secrets"));
    out->files = object_get(object, STR("files"));
    out->project = yaml_find(root, STR("project"));
    out->operations = ARENA_ARRAY(arena, struct operation, operations.len + 1);
    out->operation_count = operations.len;
    for (size_t i = 0; i < operations.len; i++)
        TRY(error_wrap(read_operation(arena, operations.items[i], also, &out->operations[i]),
                       "operation %zu", i + 1));
    return NULL;
}

fallible scenario_load(struct arena *arena, str path, struct scenario *out)
{
    struct yaml_node *root;
    str text, name = fs_path_name(path);

    *out = (struct scenario){ .name = str_slice(name, 0, name.len - fs_path_extension(path).len) };
    TRY(fs_read(arena, path, FS_ANY_SIZE, &text));
    TRY(error_wrap(yaml_read(arena, text, &root), "'" STR_FMT "'", STR_ARG(path)));
    return error_wrap(read_scenario(arena, root, out), "'" STR_FMT "'", STR_ARG(path));
}
