/* config_draft.c — setting and removing values at keys and paths. */
#include "project/config_draft.h"

#include "base/vec.h"
#include "project/config_value.h"

#include <math.h>

/* A value; once something is set inside of it, what is there is in drafts of its own. */
struct draft {
    struct value value; /* of one that is open only the kind */
    bool is_open;
    struct map members; /* of an object: name → struct draft */
    struct {
        VEC(struct draft *);
    } items; /* of an array */
};

static struct draft *draft_new(struct arena *arena, struct value value)
{
    struct draft *draft = ARENA_NEW(arena, struct draft);

    draft->value = value;
    return draft;
}

static void draft_open(struct arena *arena, struct draft *draft)
{
    const struct value *value = &draft->value;

    if (draft->is_open)
        return;
    draft->is_open = true;
    if (value->kind == VALUE_ARRAY)
        for (uint32_t i = 0; i < value->len; i++)
            vec_add(&draft->items, draft_new(arena, value->items[i]));
    else
        for (uint32_t i = 0; i < value->len; i++)
            map_put(&draft->members, value->members[i].key,
                    draft_new(arena, value->members[i].value));
}

/* What is inside is forgotten. */
static void draft_release(struct draft *draft)
{
    const struct map_entry *entry;

    for (size_t i = 0; i < draft->items.len; i++)
        draft_release(draft->items.items[i]);
    for (size_t i = 0; map_next(&draft->members, &i, &entry);)
        draft_release(entry->value);
    vec_release(&draft->items);
    map_release(&draft->members);
    draft->is_open = false;
}

static struct value draft_value(struct arena *arena, const struct draft *draft)
{
    const struct map_entry *entry;
    size_t len = 0;

    if (!draft->is_open)
        return draft->value;
    if (draft->value.kind == VALUE_ARRAY) {
        struct value *items = ARENA_ARRAY(arena, struct value, draft->items.len);
        for (; len < draft->items.len; len++)
            items[len] = draft_value(arena, draft->items.items[len]);
        return value_array(arena, items, len);
    }
    struct member *members = ARENA_ARRAY(arena, struct member, draft->members.len);
    for (size_t i = 0; map_next(&draft->members, &i, &entry);)
        members[len++] = (struct member){ entry->key, draft_value(arena, entry->value) };
    return value_object(arena, members, len);
}

/* --- paths --- */

/* A value that is to be put at a path; what is before `at` was gone through. */
struct placing {
    struct arena *arena;
    struct path path;
    size_t at;
    struct value value;
};

/* The path up to and with the element at `last`, for messages. */
static str path_until(struct arena *arena, struct path path, size_t last)
{
    return path_format(arena, (struct path){ path.items, last + 1 });
}

/* A map of the one key `secure` with a text would be read back as a sealed text. */
static fallible refuse_reserved(void)
{
    return error_new(ERROR_INVALID, "maps with the single key \"secure\" are reserved");
}

static fallible placing_fail(const struct placing *placing, size_t last, const char *what)
{
    str text = path_until(placing->arena, placing->path, last);
    return error_new(ERROR_INVALID, STR_FMT ": %s", STR_ARG(text), what);
}

enum { MAX_NEW_ARRAY = 10000 };

/* An empty map, or an array with room for the index. */
static fallible new_container(const struct placing *placing, struct value *out)
{
    const struct path_element *element = &placing->path.items[placing->at];

    if (!element->is_index) {
        *out = VALUE_EMPTY_OBJECT;
        return NULL;
    }
    if (element->index >= MAX_NEW_ARRAY)
        return placing_fail(placing, placing->at, "array index out of range");
    struct value *items = ARENA_ARRAY(placing->arena, struct value, element->index + 1);
    *out = value_array(placing->arena, items, element->index + 1);
    return NULL;
}

static fallible find_item(const struct placing *placing, struct draft *array, struct draft **out)
{
    const struct path_element *element = &placing->path.items[placing->at];

    if (!element->is_index)
        return placing_fail(placing, placing->at, "key for an array must be an int");
    if (element->index > array->items.len)
        return placing_fail(placing, placing->at, "array index out of range");
    if (element->index == array->items.len)
        vec_add(&array->items, draft_new(placing->arena, value_null()));
    *out = array->items.items[element->index];
    return NULL;
}

static fallible find_member(const struct placing *placing, struct draft *object, struct draft **out)
{
    const struct path_element *element = &placing->path.items[placing->at];

    if (element->is_index)
        return placing_fail(placing, placing->at, "key for a map must be a string");
    str key = config_step_key(element);
    bool is_last = placing->at + 1 == placing->path.len;
    if (is_last && object->members.len == 0 && str_equal(key, STR("secure"))
        && placing->value.kind == VALUE_STRING)
        return refuse_reserved();
    *out = map_find(&object->members, key);
    if (!*out) {
        *out = draft_new(placing->arena, value_null());
        map_put(&object->members, key, *out);
    }
    return NULL;
}

/* Puts a value at the rest of a path, making the containers that are missing. */
static fallible draft_set(struct placing *placing, struct draft *draft)
{
    for (; placing->at < placing->path.len; placing->at++) {
        enum value_kind kind = draft->value.kind;
        bool is_container = kind == VALUE_ARRAY || kind == VALUE_OBJECT;
        size_t before = placing->at - 1;
        /* Directly below the key, what is in the way is overwritten. */
        if (!is_container && kind != VALUE_NULL && placing->at > 1)
            return placing_fail(placing, before,
                                placing->path.items[before].is_index ? "expected an array"
                                                                     : "expected a map");
        if (!is_container)
            TRY(new_container(placing, &draft->value));
        draft_open(placing->arena, draft);
        TRY(draft->value.kind == VALUE_ARRAY ? find_item(placing, draft, &draft)
                                             : find_member(placing, draft, &draft));
    }
    draft_release(draft);
    draft->value = placing->value;
    return NULL;
}

/* The draft of what is there; NULL if nothing is. */
static struct draft *draft_step(const struct draft *draft, const struct path_element *element)
{
    if (draft->value.kind == VALUE_ARRAY)
        return element->is_index && element->index < draft->items.len
                   ? draft->items.items[element->index]
                   : NULL;
    return element->is_index ? NULL : map_find(&draft->members, config_step_key(element));
}

static fallible draft_remove_last(struct arena *arena, struct path path, struct draft *container)
{
    const struct path_element *element = &path.items[path.len - 1];
    struct draft *found = draft_step(container, element);

    if (!found)
        return NULL;
    draft_release(found);
    if (container->value.kind == VALUE_ARRAY) {
        vec_remove(&container->items, element->index);
        return NULL;
    }
    map_remove(&container->members, config_step_key(element));
    const struct draft *secure = map_find(&container->members, STR("secure"));
    if (container->members.len > 1 || !secure || secure->value.kind != VALUE_STRING)
        return NULL;
    str text = path_until(arena, path, path.len - 1);
    return error_wrap(refuse_reserved(), STR_FMT, STR_ARG(text));
}

static fallible draft_remove(struct arena *arena, struct path path, struct draft *draft)
{
    for (size_t at = 1; draft; at++) {
        if (draft->value.kind != VALUE_ARRAY && draft->value.kind != VALUE_OBJECT)
            return NULL;
        draft_open(arena, draft);
        if (at + 1 == path.len)
            return draft_remove_last(arena, path, draft);
        draft = draft_step(draft, &path.items[at]);
    }
    return NULL;
}

/* --- all keys --- */

void config_draft_open(struct config_draft *draft, struct arena *arena, const struct config *config)
{
    *draft = (struct config_draft){ .arena = arena };
    for (size_t i = 0; i < config->len; i++)
        map_put(&draft->keys, config_key_format(arena, config->items[i].key),
                draft_new(arena, config->items[i].value));
}

void config_draft_close(struct config_draft *draft, struct config *config)
{
    struct arena *arena = draft->arena;
    struct config_entry *entries = ARENA_ARRAY(arena, struct config_entry, draft->keys.len);
    const struct map_entry *entry;
    size_t len = 0;

    for (size_t i = 0; map_next(&draft->keys, &i, &entry);) {
        struct config_key key;
        str_cut(entry->key, STR(":"), &key.namespace, &key.name);
        if (config)
            entries[len++] = (struct config_entry){ key, draft_value(arena, entry->value) };
        draft_release(entry->value);
    }
    if (config)
        *config = config_new(arena, entries, len);
    map_release(&draft->keys);
}

static struct draft *config_draft_at(struct config_draft *draft, struct config_key key)
{
    str name = config_key_format(draft->arena, key);
    struct draft *found = map_find(&draft->keys, name);

    if (!found) {
        found = draft_new(draft->arena, value_null());
        map_put(&draft->keys, name, found);
    }
    return found;
}

/* Below a key a value may become what it looks like. */
static fallible config_draft_place(struct config_draft *draft, struct config_key key,
                                   struct value value, bool is_path, bool is_coerced)
{
    struct placing placing = { .arena = draft->arena, .at = 1, .value = value };

    if (is_path)
        TRY(config_split_path(draft->arena, key, &key, &placing.path));
    if (placing.path.len > YAML_MAX_DEPTH) /* no file can hold it */
        return placing_fail(&placing, YAML_MAX_DEPTH, "nested too deeply");
    if (placing.path.len > 1 && is_coerced)
        placing.value = config_coerce(value);
    return draft_set(&placing, config_draft_at(draft, key));
}

fallible config_draft_put(struct config_draft *draft, struct config_key key, struct value value,
                          bool is_path)
{
    return config_draft_place(draft, key, value, is_path, false);
}

fallible config_draft_has(struct config_draft *draft, struct config_key key, bool *out)
{
    struct path path;
    size_t i = 1;

    TRY(config_split_path(draft->arena, key, &key, &path));
    const struct draft *at = map_find(&draft->keys, config_key_format(draft->arena, key));
    for (; at && at->is_open && i < path.len; i++)
        at = draft_step(at, &path.items[i]);
    const struct value *value = at ? &at->value : NULL;
    for (; value && i < path.len; i++)
        value = config_step(value, &path.items[i]);
    *out = value != NULL;
    return NULL;
}

fallible config_draft_remove(struct config_draft *draft, struct config_key key, bool is_path)
{
    struct path path = { 0 };

    if (is_path)
        TRY(config_split_path(draft->arena, key, &key, &path));
    str name = config_key_format(draft->arena, key);
    struct draft *found = map_find(&draft->keys, name);
    if (!found || path.len > 1)
        return found ? draft_remove(draft->arena, path, found) : NULL;
    draft_release(found);
    map_remove(&draft->keys, name);
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

fallible config_draft_set(struct config_draft *draft, struct config_key key, str plaintext,
                          enum config_type type, bool is_path)
{
    struct value value;

    TRY(typed_value(draft->arena, plaintext, type, &value));
    return config_draft_place(draft, key, value, is_path, type == CONFIG_UNTYPED);
}

fallible config_draft_set_secret(struct config_draft *draft, struct config_key key,
                                 struct secret plaintext, struct crypter *crypter, bool is_path)
{
    str ciphertext;

    if (!crypter)
        return error_new(ERROR_INVALID, "the stack has no secrets provider");
    TRY(crypter->seal(crypter, secret_reveal(plaintext), draft->arena, &ciphertext));
    return config_draft_put(draft, key, config_sealed(draft->arena, ciphertext), is_path);
}

/* --- one at a time --- */

static fallible config_draft_end(struct config_draft *draft, struct config *config,
                                 struct error *owned)
{
    config_draft_close(draft, owned ? NULL : config);
    return owned;
}

fallible config_set(struct arena *arena, struct config *config, struct config_key key,
                    str plaintext, enum config_type type, bool is_path)
{
    struct config_draft draft;

    config_draft_open(&draft, arena, config);
    return config_draft_end(&draft, config,
                            config_draft_set(&draft, key, plaintext, type, is_path));
}

fallible config_put_path(struct arena *arena, struct config *config, struct config_key key,
                         struct value value)
{
    struct config_draft draft;

    config_draft_open(&draft, arena, config);
    return config_draft_end(&draft, config, config_draft_put(&draft, key, value, true));
}

fallible config_set_secret(struct arena *arena, struct config *config, struct config_key key,
                           struct secret plaintext, struct crypter *crypter, bool is_path)
{
    struct config_draft draft;

    config_draft_open(&draft, arena, config);
    return config_draft_end(&draft, config,
                            config_draft_set_secret(&draft, key, plaintext, crypter, is_path));
}
