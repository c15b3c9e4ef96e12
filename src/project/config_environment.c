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
    for (size_t i = 0; i < values.len; i++) {
        struct config_key key;
        struct value value;
        TRY(config_key_parse(arena, values.members[i].key, project_name, false, &key));
        if (config_find(config, key))
            continue;
        TRY(seal_value(arena, values.members[i].value, crypter, 0, &value));
        config_put(arena, config, key, value);
    }
    return NULL;
}
