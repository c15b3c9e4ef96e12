/* config_environment.c — configuration that an environment of the hosted service brings: under what
 * the stack says itself. */
#include "project/config.h"

#include "base/json.h"
#include "base/strbuf.h"
#include "base/yaml.h"
#include "model/crypter.h"
#include "project/config_value.h"

enum { DEEPEST_VALUE = 200 };

fallible stack_config_environment(struct arena *arena, const struct stack_config *stack, str *out)
{
    struct yaml_node *root;

    TRY(yaml_read(arena, stack->original, &root));
    const struct yaml_node *node =
        root->kind == YAML_MAPPING ? yaml_find(root, STR("environment")) : NULL;
    if (!node)
        *out = STR("{}");
    else if (node->kind == YAML_SEQUENCE)
        *out = arena_concat(arena, STR("{\"imports\":"), yaml_to_json(arena, node), STR("}"));
    else
        *out = yaml_to_json(arena, node);
    return NULL;
}

/* --- imports --- */

/* A list of names, or a definition that has one. A copy that can be changed; `root` as well. */
static struct yaml_node *imports_of(struct arena *arena, struct yaml_node *root)
{
    const struct yaml_node *section = yaml_find(root, STR("environment"));
    bool is_definition = section && section->kind == YAML_MAPPING;
    const struct yaml_node *old = is_definition ? yaml_find(section, STR("imports")) : section;
    struct yaml_node *list = old && old->kind == YAML_SEQUENCE ? yaml_copy_shallow(arena, old)
                                                               : yaml_new_sequence(arena);

    if (is_definition) {
        struct yaml_node *definition = yaml_copy_shallow(arena, section);
        yaml_put(arena, definition, STR("imports"), list);
        yaml_put(arena, root, STR("environment"), definition);
    } else {
        yaml_put(arena, root, STR("environment"), list);
    }
    return list;
}

/* From now on that text is the file. */
static fallible imports_take(struct stack_config *stack, const struct yaml_node *old,
                             const struct yaml_node *root)
{
    struct stack_config changed;
    str text = str_ends_with(stack->path, STR(".json"))
                   ? yaml_to_json(stack->arena, root)
                   : yaml_update(stack->arena, stack->original, old, root);

    TRY(stack_config_parse(stack->arena, stack->path, text, stack->project_name, &changed));
    stack->original = changed.original;
    stack->has_environment = changed.has_environment;
    stack->environments = changed.environments;
    stack->environment_count = changed.environment_count;
    return NULL;
}

static fallible imports_open(struct stack_config *stack, struct yaml_node **old,
                             struct yaml_node **root)
{
    TRY(yaml_read(stack->arena, stack->original, old));
    *root = (*old)->kind == YAML_MAPPING ? yaml_copy_shallow(stack->arena, *old)
                                         : yaml_new_mapping(stack->arena);
    return NULL;
}

fallible stack_config_import(struct stack_config *stack, struct strs names)
{
    struct yaml_node *old, *root;

    TRY(imports_open(stack, &old, &root));
    struct yaml_node *list = imports_of(stack->arena, root);
    for (size_t i = 0; i < names.len; i++)
        yaml_add(stack->arena, list, yaml_new_string(stack->arena, names.items[i]));
    return imports_take(stack, old, root);
}

/* NAME, or NAME with settings. */
static bool imports_name(const struct yaml_node *item, str name)
{
    if (item->kind == YAML_MAPPING)
        return item->len == 1 && str_equal(item->pairs[0].key->text, name);
    return item->kind == YAML_SCALAR && str_equal(item->text, name);
}

fallible stack_config_drop_import(struct stack_config *stack, str name)
{
    struct yaml_node *old, *root;
    size_t at;

    TRY(imports_open(stack, &old, &root));
    struct yaml_node *list = imports_of(stack->arena, root);
    for (at = list->len; at > 0 && !imports_name(list->items[at - 1], name);)
        at--;
    if (at == 0)
        return error_new(ERROR_NOT_FOUND,
                         "the configuration of the stack does not import an environment '" STR_FMT
                         "'",
                         STR_ARG(name));
    for (; at < list->len; at++)
        list->items[at - 1] = list->items[at];
    list->len--;
    const struct yaml_node *section = yaml_find(root, STR("environment"));
    if (list->len == 0 && section == list)
        yaml_drop(root, STR("environment"));
    return imports_take(stack, old, root);
}

/* --- values --- */

/* Open secrets become sealed texts; without a crypter nobody will look into them. */
static fallible seal_value(struct arena *arena, struct value value, struct crypter *crypter,
                           unsigned depth, struct value *out)
{
    str ciphertext = STR("?");

    if (depth > DEEPEST_VALUE)
        return error_new(ERROR_INVALID, "the environment is nested too deeply");
    *out = value;
    if (value.kind == VALUE_SECRET) {
        str text = secret_reveal(config_text(arena, value.secret->element));
        if (crypter)
            TRY(crypter->seal(crypter, text, arena, &ciphertext));
        *out = config_sealed(arena, ciphertext);
    } else if (value.kind == VALUE_ARRAY) {
        struct value *items = ARENA_ARRAY(arena, struct value, value.len);
        for (size_t i = 0; i < value.len; i++)
            TRY(seal_value(arena, value.items[i], crypter, depth + 1, &items[i]));
        *out = value_array(arena, items, value.len);
    } else if (value.kind == VALUE_OBJECT) {
        struct member *members = ARENA_ARRAY(arena, struct member, value.len);
        for (size_t i = 0; i < value.len; i++) {
            members[i].key = value.members[i].key;
            TRY(seal_value(arena, value.members[i].value, crypter, depth + 1, &members[i].value));
        }
        *out = value_object(arena, members, value.len);
    }
    return NULL;
}

fallible config_add_environment(struct arena *arena, struct config *config, str project_name,
                                struct value values, struct crypter *crypter)
{
    /* From the end, because the later of two with the same key counts, and here the first. */
    struct config_entry *end = ARENA_ARRAY(arena, struct config_entry, values.len) + values.len;
    struct config_entry *first = end;

    for (size_t i = 0; i < values.len; i++) {
        struct config_key key;
        struct value value;
        TRY(config_key_parse(arena, values.members[i].key, project_name, false, &key));
        if (config_find(config, key))
            continue;
        TRY(seal_value(arena, values.members[i].value, crypter, 0, &value));
        *--first = (struct config_entry){ key, value };
    }
    if (first < end)
        config_put_all(arena, config, first, (size_t)(end - first));
    return NULL;
}
