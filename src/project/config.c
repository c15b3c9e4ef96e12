/* config.c — values under keys, and paths into values. */
#include "project/config.h"

#include "project/config_value.h"

#include <stdlib.h>

/* --- keys --- */

/* Where the key is, or where it belongs. */
static size_t position(const struct config *config, struct config_key key, bool *is_there)
{
    size_t low = 0, high = config->len;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = config_key_compare(config->items[middle].key, key);
        if (order == 0) {
            *is_there = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *is_there = false;
    return low;
}

const struct value *config_find(const struct config *config, struct config_key key)
{
    bool is_there;
    size_t at = position(config, key, &is_there);
    return is_there ? &config->items[at].value : NULL;
}

void config_put(struct arena *arena, struct config *config, struct config_key key,
                struct value value)
{
    bool is_there;
    size_t at = position(config, key, &is_there);

    if (is_there) {
        config->items[at].value = value;
        return;
    }
    struct config_entry *items = ARENA_ARRAY(arena, struct config_entry, config->len + 1);
    if (at)
        memcpy(items, config->items, at * sizeof(*items));
    items[at] = (struct config_entry){ key, value };
    if (config->len > at)
        memcpy(items + at + 1, config->items + at, (config->len - at) * sizeof(*items));
    config->items = items;
    config->len++;
}

struct ordered_entry {
    const struct config_entry *entry;
    size_t order;
};

static int compare_ordered(const void *a_, const void *b_)
{
    const struct ordered_entry *a = a_, *b = b_;
    int order = config_key_compare(a->entry->key, b->entry->key);

    return order ? order : (a->order > b->order) - (a->order < b->order);
}

struct config config_new(struct arena *arena, const struct config_entry *entries, size_t count)
{
    struct config config = { .items = ARENA_ARRAY(arena, struct config_entry, count) };
    struct ordered_entry *sorted = ARENA_ARRAY(arena, struct ordered_entry, count);

    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct ordered_entry){ &entries[i], i };
    if (count > 0)
        qsort(sorted, count, sizeof(*sorted), compare_ordered);
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count
            || config_key_compare(sorted[i].entry->key, sorted[i + 1].entry->key) != 0)
            config.items[config.len++] = *sorted[i].entry;
    return config;
}

void config_put_all(struct arena *arena, struct config *config, const struct config_entry *entries,
                    size_t count)
{
    struct config_entry *all = ARENA_ARRAY(arena, struct config_entry, config->len + count);

    if (config->len > 0)
        memcpy(all, config->items, config->len * sizeof(*all));
    if (count > 0)
        memcpy(all + config->len, entries, count * sizeof(*all));
    *config = config_new(arena, all, config->len + count);
}

/* --- paths --- */

fallible config_split_path(struct arena *arena, struct config_key key, struct config_key *top,
                           struct path *path)
{
    TRY(error_wrap(path_parse(arena, key.name, path), "invalid config key path"));
    if (path->len == 0)
        return error_new(ERROR_INVALID, "empty config key path");
    if (path->items[0].is_index)
        return error_new(ERROR_INVALID, "first path segement of config key must be a string");
    str name = path->items[0].is_wildcard ? STR("*") : path->items[0].key;
    if (name.len == 0)
        return error_new(ERROR_INVALID, "config key is empty");
    *top = (struct config_key){ key.namespace, name };
    return NULL;
}

str config_step_key(const struct path_element *element)
{
    return element->is_wildcard ? STR("*") : element->key;
}

const struct value *config_step(const struct value *value, const struct path_element *element)
{
    if (value->kind == VALUE_ARRAY)
        return element->is_index && element->index < value->len ? &value->items[element->index]
                                                                : NULL;
    if (value->kind == VALUE_OBJECT && !element->is_index)
        return value_find(*value, config_step_key(element));
    return NULL;
}

fallible config_get(struct arena *arena, const struct config *config, struct config_key key,
                    bool is_path, const struct value **out)
{
    struct path path = { 0 };

    if (is_path)
        TRY(config_split_path(arena, key, &key, &path));
    const struct value *found = config_find(config, key);
    for (size_t i = 1; i < path.len && found; i++)
        found = config_step(found, &path.items[i]);
    *out = found;
    return NULL;
}
