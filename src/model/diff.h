/* diff.h — structural difference of two objects, as paths. */
#pragma once

#include "model/path.h"
#include "model/resource.h"

enum diff_kind {
    DIFF_ADD,
    DIFF_ADD_REPLACE,
    DIFF_DELETE,
    DIFF_DELETE_REPLACE,
    DIFF_UPDATE,
    DIFF_UPDATE_REPLACE
};
extern const char *const diff_kind_names[]; /* "add", "add-replace", … */

struct property_diff {
    str path;
    enum diff_kind kind;
    bool is_input;
};
/* Sorted by path. */
struct property_diffs {
    const struct property_diff *items;
    size_t len;
};
/* Leaves that differ, nested paths ("o.a[1]"), kinds add, delete, update; is_input is set. An
 * absent member and null are the same. Secrets and outputs are leaves: unwrap them first if they
 * should not be. Members whose key starts with
 * "__" at the top are skipped. */
struct property_diffs value_diff(struct arena *arena, struct value old, struct value new);
/* The same with those members: how the engine compares inputs when a provider does not. */
struct property_diffs value_diff_all(struct arena *arena, struct value old, struct value new);
