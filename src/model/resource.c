/* resource.c — lists of texts and the other small parts of a resource. */
#include "model/resource.h"

#include "base/map.h"

#include <stdlib.h>

const char *const hook_names[HOOK_KINDS] = {
    [HOOK_BEFORE_CREATE] = "BeforeCreate", [HOOK_AFTER_CREATE] = "AfterCreate",
    [HOOK_BEFORE_UPDATE] = "BeforeUpdate", [HOOK_AFTER_UPDATE] = "AfterUpdate",
    [HOOK_BEFORE_DELETE] = "BeforeDelete", [HOOK_AFTER_DELETE] = "AfterDelete",
    [HOOK_ON_ERROR] = "OnError",
};

/* --- lists of texts --- */

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

/* --- property dependencies --- */

const struct strs *property_dependencies_find(struct property_dependencies list, str key)
{
    size_t low = 0, high = list.len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_compare(list.items[middle].key, key);
        if (order == 0)
            return &list.items[middle].urns;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
