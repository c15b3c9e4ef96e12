/* path_reset.c — gives a value back what an older one had at a path: the work of ignoreChanges. */
#include "model/path.h"

/* One step of the way down, in both values at once. */
struct reset {
    struct path_resets *resets;
    bool old_is_secret; /* a secret is around it */
    bool new_is_secret;
};

static bool reset(const struct reset *reset_, struct path path, struct value old,
                  struct value *new);

static bool value_is_object(struct value value)
{
    return value.kind == VALUE_OBJECT;
}

static bool value_is_array(struct value value)
{
    return value.kind == VALUE_ARRAY;
}

static bool becomes_secret(const struct reset *reset)
{
    return reset->old_is_secret && !reset->new_is_secret;
}

/* What was secret stays secret. */
static struct value carry(const struct reset *reset, struct value old)
{
    return becomes_secret(reset) ? value_secret(reset->resets->arena, old) : old;
}

/* The very same: what one path has reset, no later one has to change. */
static bool is_same(struct value a, struct value b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* --- storage that may be changed --- */

static str address_of(const void *const *elements)
{
    return (str){ (const char *)elements, sizeof(*elements) };
}

/* Room for `wanted` elements, of which `len` are there. Whether a secret has changed is seen by
 * comparing it with what it was, so what is inside stays what it was. */
static void *own(const struct reset *reset, const void *elements, size_t len, size_t wanted,
                 size_t size)
{
    struct path_resets *resets = reset->resets;
    size_t capacity = reset->new_is_secret
                          ? 0
                          : (size_t)(uintptr_t)map_find(&resets->made, address_of(&elements));

    if (capacity && wanted <= capacity)
        return (void *)(uintptr_t)elements;
    capacity = wanted > len ? 2 * wanted : wanted + 1;
    const void *copy = arena_alloc_array(resets->arena, size, capacity);
    if (len)
        memcpy((void *)(uintptr_t)copy, elements, len * size);
    if (!reset->new_is_secret)
        map_put(&resets->made, address_of(arena_copy_bytes(resets->arena, &copy, sizeof(copy))),
                (void *)(uintptr_t)capacity);
    return (void *)(uintptr_t)copy;
}

static void put_item(const struct reset *reset, struct value *array, size_t index,
                     struct value value)
{
    if (is_same(array->items[index], value))
        return;
    struct value *items = own(reset, array->items, array->len, array->len, sizeof(*items));
    items[index] = value;
    array->items = items;
}

static struct member *own_members(const struct reset *reset, struct value *object, size_t wanted)
{
    struct member *members = own(reset, object->members, object->len, wanted, sizeof(*members));

    object->members = members;
    return members;
}

static void put_member(const struct reset *reset, struct value *object, str key, struct value value)
{
    bool is_there;
    size_t at = value_place(*object, key, &is_there);

    if (is_there && is_same(object->members[at].value, value))
        return;
    struct member *members = own_members(reset, object, object->len + !is_there);
    if (!is_there)
        memmove(members + at + 1, members + at, (object->len++ - at) * sizeof(*members));
    members[at] = (struct member){ key, value };
}

static void remove_member(const struct reset *reset, struct value *object, str key)
{
    bool is_there;
    size_t at = value_place(*object, key, &is_there);

    if (!is_there)
        return;
    struct member *members = own_members(reset, object, object->len);
    memmove(members + at, members + at + 1, (--object->len - at) * sizeof(*members));
}

/* --- steps --- */

static bool reset_index(const struct reset *reset_, struct path path, struct value old,
                        struct value *new)
{
    size_t index = path.items[0].index;
    bool is_last = path.len == 1;

    if (!value_is_array(old) || !value_is_array(*new))
        return !value_is_array(old) && !value_is_array(*new);
    if (index >= old.len && index >= new->len)
        return is_last;
    if (index >= old.len || index >= new->len)
        return false;
    struct value child = is_last ? carry(reset_, old.items[index]) : new->items[index];
    bool is_done =
        is_last
        || reset(reset_, (struct path){ path.items + 1, path.len - 1 }, old.items[index], &child);
    put_item(reset_, new, index, child);
    return is_done;
}

static bool reset_member(const struct reset *reset_, struct path path, struct value old,
                         struct value *new)
{
    str key = path.items[0].key;

    if (!value_is_object(old) || !value_is_object(*new))
        return !value_is_object(old) && !value_is_object(*new);
    const struct value *before = value_find(old, key), *now = value_find(*new, key);
    if (!now)
        return !before;
    struct value child = *now;
    bool is_done = reset(reset_, (struct path){ path.items + 1, path.len - 1 },
                         before ? *before : value_null(), &child);
    put_member(reset_, new, key, child);
    return is_done;
}

static bool reset_last_member(const struct reset *reset, str key, struct value old,
                              struct value *new)
{
    const struct value *before = value_is_object(old) ? value_find(old, key) : NULL;

    if (!value_is_object(*new))
        return !before;
    if (before)
        put_member(reset, new, key, carry(reset, *before));
    else
        remove_member(reset, new, key);
    return true;
}

static bool reset_all_items(const struct reset *reset_, struct path path, struct value old,
                            struct value *new)
{
    bool is_done = old.len == new->len;

    for (size_t i = 0; i < old.len && i < new->len; i++) {
        struct value item = new->items[i];
        if (path.len == 1)
            item = carry(reset_, old.items[i]);
        else
            is_done &=
                reset(reset_, (struct path){ path.items + 1, path.len - 1 }, old.items[i], &item);
        put_item(reset_, new, i, item);
    }
    return is_done;
}

static bool reset_all_members(const struct reset *reset_, struct path path, struct value old,
                              struct value *new)
{
    bool is_done = true;

    if (path.len == 1) {
        *new = old;
        for (size_t i = 0; i < old.len && becomes_secret(reset_); i++)
            put_member(reset_, new, old.members[i].key, carry(reset_, old.members[i].value));
        return true;
    }
    for (size_t i = 0; i < old.len; i++) {
        const struct value *now = value_find(*new, old.members[i].key);
        struct value child = now ? *now : value_null();
        is_done &= now
                   && reset(reset_, (struct path){ path.items + 1, path.len - 1 },
                            old.members[i].value, &child);
        if (now)
            put_member(reset_, new, old.members[i].key, child);
    }
    return is_done;
}

static bool reset_all(const struct reset *reset, struct path path, struct value old,
                      struct value *new)
{
    if (value_is_object(old) && value_is_object(*new))
        return reset_all_members(reset, path, old, new);
    if (value_is_array(old) && value_is_array(*new))
        return reset_all_items(reset, path, old, new);
    return path.len == 1 && (value_is_object(*new) || value_is_array(*new));
}

static bool reset(const struct reset *reset_, struct path path, struct value old, struct value *new)
{
    struct reset inner = *reset_;
    struct value value = *new;
    bool is_done;

    for (; old.kind == VALUE_SECRET && !old.secret->is_opaque; inner.old_is_secret = true)
        old = old.secret->element;
    for (; value.kind == VALUE_SECRET && !value.secret->is_opaque; inner.new_is_secret = true)
        value = value.secret->element;
    struct value before = value;

    if (path.items[0].is_index)
        is_done = reset_index(&inner, path, old, &value);
    else if (path.items[0].is_wildcard)
        is_done = reset_all(&inner, path, old, &value);
    else if (path.len == 1)
        is_done = reset_last_member(&inner, path.items[0].key, old, &value);
    else
        is_done = reset_member(&inner, path, old, &value);
    /* A secret that stays what it was keeps its ciphertext. */
    if (new->kind != VALUE_SECRET)
        *new = value;
    else if (!value_equal(value, before))
        *new = value_secret(reset_->resets->arena, value);
    return is_done;
}

bool path_reset(struct path_resets *resets, struct path path, struct value old, struct value *root)
{
    struct reset start = { .resets = resets };

    return path.len > 0 && reset(&start, path, old, root);
}

void path_resets_release(struct path_resets *resets)
{
    map_release(&resets->made);
}
