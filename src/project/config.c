/* config.c — values under keys, and paths into values. */
#include "project/config.h"

#include "project/config_value.h"

#include <math.h>
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

static void config_drop(struct config *config, struct config_key key)
{
    bool is_there;
    size_t at = position(config, key, &is_there);

    if (!is_there)
        return;
    memmove(config->items + at, config->items + at + 1,
            (config->len - at - 1) * sizeof(*config->items));
    config->len--;
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

static str element_key(const struct path_element *element)
{
    return element->is_wildcard ? STR("*") : element->key;
}

static const struct value *step_into(const struct value *value, const struct path_element *element)
{
    if (value->kind == VALUE_ARRAY)
        return element->is_index && element->index < value->len ? &value->items[element->index]
                                                                : NULL;
    if (value->kind == VALUE_OBJECT && !element->is_index)
        return value_find(*value, element_key(element));
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
        found = step_into(found, &path.items[i]);
    *out = found;
    return NULL;
}

/* The path up to and with the element at `last`, for messages. */
static str path_until(struct arena *arena, struct path path, size_t last)
{
    return path_format(arena, (struct path){ path.items, last + 1 });
}

static fallible config_fail_at(struct arena *arena, struct path path, size_t last, const char *what)
{
    str text = path_until(arena, path, last);
    return error_new(ERROR_INVALID, STR_FMT ": %s", STR_ARG(text), what);
}

enum { MAX_NEW_ARRAY = 10000 };

/* An empty map, or an array with room for the index. */
static fallible new_container(struct arena *arena, struct path path, size_t at, struct value *out)
{
    const struct path_element *element = &path.items[at];

    if (!element->is_index) {
        *out = VALUE_EMPTY_OBJECT;
        return NULL;
    }
    if (element->index >= MAX_NEW_ARRAY)
        return config_fail_at(arena, path, at, "array index out of range");
    struct value *items = ARENA_ARRAY(arena, struct value, element->index + 1);
    *out = value_array(arena, items, element->index + 1);
    return NULL;
}

static fallible set_at(struct arena *arena, struct path path, size_t at, struct value *place,
                       struct value value);

static fallible set_item(struct arena *arena, struct path path, size_t at, struct value *array,
                         struct value value)
{
    const struct path_element *element = &path.items[at];

    if (!element->is_index)
        return config_fail_at(arena, path, at, "key for an array must be an int");
    if (element->index > array->len)
        return config_fail_at(arena, path, at, "array index out of range");
    size_t len = array->len + (element->index == array->len);
    struct value *items = ARENA_ARRAY(arena, struct value, len);
    if (array->len)
        memcpy(items, array->items, array->len * sizeof(*items));
    TRY(set_at(arena, path, at + 1, &items[element->index], value));
    *array = value_array(arena, items, len);
    return NULL;
}

/* A map of the one key `secure` with a text would be read back as a sealed text. */
static fallible refuse_reserved(void)
{
    return error_new(ERROR_INVALID, "maps with the single key \"secure\" are reserved");
}

static fallible set_member(struct arena *arena, struct path path, size_t at, struct value *object,
                           struct value value)
{
    const struct path_element *element = &path.items[at];

    if (element->is_index)
        return config_fail_at(arena, path, at, "key for a map must be a string");
    str key = element_key(element);
    bool is_last = at + 1 == path.len;
    if (is_last && object->len == 0 && str_equal(key, STR("secure")) && value.kind == VALUE_STRING)
        return refuse_reserved();
    const struct value *old = value_find(*object, key);
    struct value member = old ? *old : value_null();
    TRY(set_at(arena, path, at + 1, &member, value));
    *object = value_with(arena, *object, key, member);
    return NULL;
}

/* Puts a value at the rest of a path, making the containers that are missing. */
static fallible set_at(struct arena *arena, struct path path, size_t at, struct value *place,
                       struct value value)
{
    if (at == path.len) {
        *place = value;
        return NULL;
    }
    bool is_container = place->kind == VALUE_ARRAY || place->kind == VALUE_OBJECT;
    /* Directly below the key, what is in the way is overwritten. */
    if (!is_container && place->kind != VALUE_NULL && at > 1)
        return config_fail_at(arena, path, at - 1,
                              path.items[at].is_index ? "expected an array" : "expected a map");
    if (!is_container)
        TRY(new_container(arena, path, at, place));
    return place->kind == VALUE_ARRAY ? set_item(arena, path, at, place, value)
                                      : set_member(arena, path, at, place, value);
}

/* Puts a value at a key or a path; below a key it may become what it looks like. */
static fallible put_at(struct arena *arena, struct config *config, struct config_key key,
                       bool is_path, struct value value, bool is_coerced)
{
    struct path path = { 0 };

    if (is_path)
        TRY(config_split_path(arena, key, &key, &path));
    if (path.len <= 1) {
        config_put(arena, config, key, value);
        return NULL;
    }
    if (path.len > YAML_MAX_DEPTH) /* no file can hold it */
        return config_fail_at(arena, path, YAML_MAX_DEPTH, "nested too deeply");
    const struct value *found = config_find(config, key);
    struct value root = found ? *found : value_null();
    TRY(set_at(arena, path, 1, &root, is_coerced ? config_coerce(value) : value));
    config_put(arena, config, key, root);
    return NULL;
}

/* --- setting --- */

static fallible typed_value(struct arena *arena, str text, enum config_type type, struct value *out)
{
    struct yaml_scalar scalar;
    bool boolean;

    switch (type) {
    case CONFIG_UNTYPED:
    case CONFIG_STRING: *out = value_string(text); return NULL;
    case CONFIG_BOOL:
        if (!str_to_bool(text, &boolean))
            return error_new(ERROR_INVALID, "'" STR_FMT "' is not a boolean", STR_ARG(text));
        *out = value_bool(boolean);
        return NULL;
    case CONFIG_INT:
        if (!config_read_integer(text, out))
            return error_new(ERROR_INVALID, "'" STR_FMT "' is not an integer", STR_ARG(text));
        return NULL;
    case CONFIG_FLOAT:
        if (config_read_integer(text, out))
            return NULL;
        scalar = yaml_resolve(yaml_new_plain(arena, text));
        if (scalar.type != YAML_FLOAT || !isfinite(scalar.number))
            return error_new(ERROR_INVALID, "'" STR_FMT "' is not a number", STR_ARG(text));
        *out = value_number(scalar.number);
        return NULL;
    }
    return NULL;
}

fallible config_set(struct arena *arena, struct config *config, struct config_key key,
                    str plaintext, enum config_type type, bool is_path)
{
    struct value value;

    TRY(typed_value(arena, plaintext, type, &value));
    return put_at(arena, config, key, is_path, value, type == CONFIG_UNTYPED);
}

fallible config_put_path(struct arena *arena, struct config *config, struct config_key key,
                         struct value value)
{
    return put_at(arena, config, key, true, value, false);
}

fallible config_set_secret(struct arena *arena, struct config *config, struct config_key key,
                           struct secret plaintext, struct crypter *crypter, bool is_path)
{
    str ciphertext;

    if (!crypter)
        return error_new(ERROR_INVALID, "the stack has no secrets provider");
    TRY(crypter->seal(crypter, secret_reveal(plaintext), arena, &ciphertext));
    return put_at(arena, config, key, is_path, config_sealed(arena, ciphertext), false);
}

/* --- removing --- */

static struct value without_item(struct arena *arena, struct value array, size_t index)
{
    struct value *items = ARENA_ARRAY(arena, struct value, array.len);
    size_t len = 0;

    for (uint32_t i = 0; i < array.len; i++)
        if (i != index)
            items[len++] = array.items[i];
    return value_array(arena, items, len);
}

static struct value with_item(struct arena *arena, struct value array, size_t index,
                              struct value item)
{
    struct value *items = arena_copy_bytes(arena, array.items, array.len * sizeof(*array.items));

    items[index] = item;
    return value_array(arena, items, array.len);
}

static fallible remove_at(struct arena *arena, struct path path, size_t at, struct value *place)
{
    const struct path_element *element = &path.items[at];
    const struct value *found = step_into(place, element);
    bool is_array = place->kind == VALUE_ARRAY;

    if (!found)
        return NULL;
    if (at + 1 < path.len) {
        struct value inner = *found;
        TRY(remove_at(arena, path, at + 1, &inner));
        *place = is_array ? with_item(arena, *place, element->index, inner)
                          : value_with(arena, *place, element_key(element), inner);
        return NULL;
    }
    if (is_array) {
        *place = without_item(arena, *place, element->index);
        return NULL;
    }
    struct value rest = value_without(arena, *place, element_key(element));
    if (rest.len == 1 && str_equal(rest.members[0].key, STR("secure"))
        && rest.members[0].value.kind == VALUE_STRING) {
        str text = path_until(arena, path, at);
        return error_wrap(refuse_reserved(), STR_FMT, STR_ARG(text));
    }
    *place = rest;
    return NULL;
}

fallible config_remove(struct arena *arena, struct config *config, struct config_key key,
                       bool is_path)
{
    struct path path = { 0 };

    if (is_path)
        TRY(config_split_path(arena, key, &key, &path));
    if (path.len <= 1) {
        config_drop(config, key);
        return NULL;
    }
    const struct value *found = config_find(config, key);
    if (!found)
        return NULL;
    struct value root = *found;
    TRY(remove_at(arena, path, 1, &root));
    config_put(arena, config, key, root);
    return NULL;
}
