/* config_facts.c — the configuration of a stack as programs and plugins are given it. */
#include "model/config_facts.h"

const struct config_fact *config_facts_find(const struct config_facts *config, str key)
{
    for (size_t i = 0; i < config->len; i++)
        if (str_equal(config->items[i].key, key))
            return &config->items[i];
    return NULL;
}

struct pairs config_facts_reveal(const struct config_facts *config, struct arena *arena)
{
    struct pair *items = ARENA_ARRAY(arena, struct pair, config->len);

    for (size_t i = 0; i < config->len; i++)
        items[i] = (struct pair){ config->items[i].key, secret_reveal(config->items[i].text) };
    return (struct pairs){ items, config->len };
}

struct pairs config_facts_shown(const struct config_facts *config, struct arena *arena)
{
    struct pair *items = ARENA_ARRAY(arena, struct pair, config->len);

    for (size_t i = 0; i < config->len; i++)
        items[i] = (struct pair){ config->items[i].key, config->items[i].shown };
    return (struct pairs){ items, config->len };
}

struct strs config_facts_secret_keys(const struct config_facts *config, struct arena *arena)
{
    str *keys = ARENA_ARRAY(arena, str, config->len);
    size_t len = 0;

    for (size_t i = 0; i < config->len; i++)
        if (config->items[i].is_secret)
            keys[len++] = config->items[i].key;
    return (struct strs){ keys, len };
}
