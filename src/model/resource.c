/* resource.c — the small parts of a resource. */
#include "model/resource.h"

const char *const hook_names[HOOK_KINDS] = {
    [HOOK_BEFORE_CREATE] = "BeforeCreate", [HOOK_AFTER_CREATE] = "AfterCreate",
    [HOOK_BEFORE_UPDATE] = "BeforeUpdate", [HOOK_AFTER_UPDATE] = "AfterUpdate",
    [HOOK_BEFORE_DELETE] = "BeforeDelete", [HOOK_AFTER_DELETE] = "AfterDelete",
    [HOOK_ON_ERROR] = "OnError",
};

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
