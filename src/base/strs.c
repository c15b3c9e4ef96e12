/* strs.c — lists of text. */
#include "base/strs.h"

#include "base/map.h"

#include <stdlib.h>

bool strs_equal(struct strs a, struct strs b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (!str_equal(a.items[i], b.items[i]))
            return false;
    return true;
}

bool strs_equal_set(struct strs a, struct strs b)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    if (a.len != b.len)
        return false;
    return strs_equal(a, b) || strs_equal(strs_sorted(&scratch, a), strs_sorted(&scratch, b));
}

bool strs_has(struct strs list, str text)
{
    for (size_t i = 0; i < list.len; i++)
        if (str_equal(list.items[i], text))
            return true;
    return false;
}

struct strs strs_copy(struct arena *arena, struct strs list)
{
    if (list.len == 0)
        return (struct strs){ 0 };
    str *items = ARENA_ARRAY(arena, str, list.len);

    for (size_t i = 0; i < list.len; i++)
        items[i] = list.items[i].len ? arena_copy(arena, list.items[i]) : STR("");
    return (struct strs){ items, list.len };
}

struct strs strs_union(struct arena *arena, struct strs a, struct strs b)
{
    CLEANUP(map_release) struct map seen = { 0 };
    str *items = ARENA_ARRAY(arena, str, a.len + b.len);
    size_t len = 0;

    for (size_t i = 0; i < a.len + b.len; i++) {
        str item = i < a.len ? a.items[i] : b.items[i - a.len];
        if (map_has(&seen, item))
            continue;
        map_put(&seen, item, items);
        items[len++] = item;
    }
    return (struct strs){ items, len };
}

static int compare_strs(const void *a, const void *b)
{
    return str_compare(*(const str *)a, *(const str *)b);
}

struct strs strs_sorted(struct arena *arena, struct strs list)
{
    str *items = ARENA_ARRAY(arena, str, list.len);

    if (list.len) {
        memcpy(items, list.items, list.len * sizeof(*items));
        qsort(items, list.len, sizeof(*items), compare_strs);
    }
    return (struct strs){ items, list.len };
}

struct strs strs_join(struct arena *arena, struct strs a, struct strs b)
{
    str *items = ARENA_ARRAY(arena, str, a.len + b.len);

    for (size_t i = 0; i < a.len + b.len; i++)
        items[i] = i < a.len ? a.items[i] : b.items[i - a.len];
    return (struct strs){ items, a.len + b.len };
}

void str_list_release(struct str_list *list)
{
    vec_release(list);
}

struct strs str_list_keep(struct arena *arena, const struct str_list *list)
{
    if (list->len == 0)
        return (struct strs){ 0 };
    return (struct strs){ arena_copy_bytes(arena, list->items, list->len * sizeof(str)),
                          list->len };
}
