/* path_reset.c — gives a value back what an older one had at a path: the work of ignoreChanges. */
#include "model/path.h"

/* One step of the way down, in both values at once. */
struct reset {
    struct arena *arena;
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

/* What was secret stays secret. */
static struct value carry(const struct reset *reset, struct value old)
{
    return reset->old_is_secret && !reset->new_is_secret ? value_secret(reset->arena, old) : old;
}

/* New storage for the items, so that they can be changed one by one. */
static struct value *own_items(struct arena *arena, struct value *array)
{
    *array = value_array(arena, array->items, array->len);
    return (struct value *)array->items;
}

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
    own_items(reset_->arena, new)[index] = child;
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
    *new = value_with(reset_->arena, *new, key, child);
    return is_done;
}

static bool reset_last_member(const struct reset *reset, str key, struct value old,
                              struct value *new)
{
    const struct value *before = value_is_object(old) ? value_find(old, key) : NULL;

    if (!value_is_object(*new))
        return !before;
    *new = before ? value_with(reset->arena, *new, key, carry(reset, *before))
                  : value_without(reset->arena, *new, key);
    return true;
}

static bool reset_all_items(const struct reset *reset_, struct path path, struct value old,
                            struct value *new)
{
    struct value *items = own_items(reset_->arena, new);
    bool is_done = old.len == new->len;

    for (size_t i = 0; i < old.len && i < new->len; i++) {
        if (path.len == 1)
            items[i] = carry(reset_, old.items[i]);
        else
            is_done &= reset(reset_, (struct path){ path.items + 1, path.len - 1 }, old.items[i],
                             &items[i]);
    }
    return is_done;
}

static bool reset_all_members(const struct reset *reset_, struct path path, struct value old,
                              struct value *new)
{
    bool is_done = true;

    if (path.len == 1) {
        struct value copy = value_object(reset_->arena, old.members, old.len);
        for (size_t i = 0; i < copy.len; i++)
            ((struct member *)copy.members)[i].value = carry(reset_, old.members[i].value);
        *new = copy;
        return true;
    }
    *new = value_object(reset_->arena, new->members, new->len);
    for (size_t i = 0; i < old.len; i++) {
        const struct value *now = value_find(*new, old.members[i].key);
        is_done &= now
                   && reset(reset_, (struct path){ path.items + 1, path.len - 1 },
                            old.members[i].value, (struct value *)now);
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
        *new = value_secret(reset_->arena, value);
    return is_done;
}

bool path_reset(struct arena *arena, struct path path, struct value old, struct value *root)
{
    struct reset start = { .arena = arena };

    return path.len > 0 && reset(&start, path, old, root);
}
