/* pairs.c — lists of keys with their text. */
#include "base/pairs.h"

#include <stdlib.h>

const str *pairs_find(struct pairs list, str key)
{
    for (size_t i = 0; i < list.len; i++)
        if (str_equal(list.items[i].key, key))
            return &list.items[i].value;
    return NULL;
}

struct pairs pairs_copy(struct arena *arena, struct pairs list)
{
    struct pair *items = ARENA_ARRAY(arena, struct pair, list.len);

    for (size_t i = 0; i < list.len; i++)
        items[i] = (struct pair){ arena_copy(arena, list.items[i].key),
                                  arena_copy(arena, list.items[i].value) };
    return (struct pairs){ items, list.len };
}

struct pairs pairs_union(struct arena *arena, struct pairs a, struct pairs b)
{
    struct pair *items = ARENA_ARRAY(arena, struct pair, a.len + b.len);
    size_t len = 0;

    for (size_t i = 0; i < a.len; i++)
        items[len++] = a.items[i];
    for (size_t i = 0; i < b.len; i++)
        if (!pairs_find(a, b.items[i].key))
            items[len++] = b.items[i];
    return (struct pairs){ items, len };
}

struct pairs pairs_join(struct arena *arena, struct pairs a, struct pairs b)
{
    struct pair *items = ARENA_ARRAY(arena, struct pair, a.len + b.len);

    for (size_t i = 0; i < a.len + b.len; i++)
        items[i] = i < a.len ? a.items[i] : b.items[i - a.len];
    return (struct pairs){ items, a.len + b.len };
}

static int compare_keys(const void *a, const void *b)
{
    return str_compare(((const struct pair *)a)->key, ((const struct pair *)b)->key);
}

struct pairs pairs_sorted(struct arena *arena, struct pairs list)
{
    struct pair *items = ARENA_ARRAY(arena, struct pair, list.len);

    if (list.len) {
        memcpy(items, list.items, list.len * sizeof(*items));
        qsort(items, list.len, sizeof(*items), compare_keys);
    }
    return (struct pairs){ items, list.len };
}

struct pairs pairs_from_strs(struct arena *arena, struct strs list)
{
    struct pair *items = ARENA_ARRAY(arena, struct pair, list.len / 2);

    for (size_t i = 0; i < list.len / 2; i++)
        items[i] = (struct pair){ list.items[2 * i], list.items[2 * i + 1] };
    return (struct pairs){ items, list.len / 2 };
}

void pair_list_release(struct pair_list *list)
{
    vec_release(list);
}

struct pairs pair_list_keep(struct arena *arena, const struct pair_list *list)
{
    if (list->len == 0)
        return (struct pairs){ 0 };
    return (struct pairs){ arena_copy_bytes(arena, list->items, list->len * sizeof(struct pair)),
                           list->len };
}
