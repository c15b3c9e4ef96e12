/* diff.c — structural difference of two objects, as paths. */
#include "model/diff.h"

#include "base/strbuf.h"
#include "base/vec.h"

#include <stdlib.h>

const char *const diff_kind_names[] = {
    [DIFF_ADD] = "add",       [DIFF_ADD_REPLACE] = "add-replace",
    [DIFF_DELETE] = "delete", [DIFF_DELETE_REPLACE] = "delete-replace",
    [DIFF_UPDATE] = "update", [DIFF_UPDATE_REPLACE] = "update-replace",
};

struct differ {
    struct arena *arena;
    struct strbuf path; /* of what is being compared */
    struct {
        VEC(struct property_diff);
    } found;
};

static void differ_release(struct differ *differ)
{
    strbuf_release(&differ->path);
    vec_release(&differ->found);
}

static void add_diff(struct differ *differ, enum diff_kind kind)
{
    struct property_diff diff = { arena_copy(differ->arena, strbuf_str(&differ->path)), kind,
                                  true };

    vec_add(&differ->found, diff);
}

static void differ_compare(struct differ *differ, struct value old, struct value new);

/* One member or item; `old` and `new` are null where there is none. */
static void compare_child(struct differ *differ, struct path_element element, struct value old,
                          struct value new)
{
    size_t len = differ->path.len;

    path_format_element(&differ->path, &element);
    differ_compare(differ, old, new);
    differ->path.len = len;
}

static void compare_objects(struct differ *differ, struct value old, struct value new)
{
    size_t i = 0, j = 0;

    while (i < old.len || j < new.len) {
        int order = i == old.len   ? 1
                    : j == new.len ? -1
                                   : str_compare(old.members[i].key, new.members[j].key);
        struct path_element element = { .key =
                                            order <= 0 ? old.members[i].key : new.members[j].key };
        compare_child(differ, element, order <= 0 ? old.members[i].value : value_null(),
                      order >= 0 ? new.members[j].value : value_null());
        i += order <= 0;
        j += order >= 0;
    }
}

/* Items are told apart by position; one that is only on one side was added or deleted, even if it
 * is null. */
static void compare_arrays(struct differ *differ, struct value old, struct value new)
{
    size_t len = differ->path.len;

    for (size_t i = 0; i < old.len || i < new.len; i++) {
        struct path_element element = { .is_index = true, .index = i };
        path_format_element(&differ->path, &element);
        if (i >= old.len)
            add_diff(differ, DIFF_ADD);
        else if (i >= new.len)
            add_diff(differ, DIFF_DELETE);
        else
            differ_compare(differ, old.items[i], new.items[i]);
        differ->path.len = len;
    }
}

static void differ_compare(struct differ *differ, struct value old, struct value new)
{
    if (old.kind == VALUE_OBJECT && new.kind == VALUE_OBJECT)
        compare_objects(differ, old, new);
    else if (old.kind == VALUE_ARRAY && new.kind == VALUE_ARRAY)
        compare_arrays(differ, old, new);
    else if (!value_equal(old, new))
        add_diff(differ, old.kind == VALUE_NULL   ? DIFF_ADD
                         : new.kind == VALUE_NULL ? DIFF_DELETE
                                                  : DIFF_UPDATE);
}

static int compare_paths(const void *a, const void *b)
{
    return str_compare(((const struct property_diff *)a)->path,
                       ((const struct property_diff *)b)->path);
}

/* An object, also where nothing was said. */
static struct value as_object(struct value value)
{
    return value.kind == VALUE_OBJECT ? value : VALUE_EMPTY_OBJECT;
}

struct property_diffs value_diff_all(struct arena *arena, struct value old, struct value new)
{
    CLEANUP(differ_release) struct differ differ = { .arena = arena };

    differ_compare(&differ, as_object(old), as_object(new));
    if (differ.found.len == 0)
        return (struct property_diffs){ 0 };
    qsort(differ.found.items, differ.found.len, sizeof(*differ.found.items), compare_paths);
    return (struct property_diffs){
        arena_copy_bytes(arena, differ.found.items, differ.found.len * sizeof(*differ.found.items)),
        differ.found.len
    };
}

struct property_diffs value_diff(struct arena *arena, struct value old, struct value new)
{
    return value_diff_all(arena, value_without_internal(arena, as_object(old)),
                          value_without_internal(arena, as_object(new)));
}
