/* path.h — property paths: a.b[0]["x.y"].* */
#pragma once

#include "model/value.h"

struct path_element {
    bool is_index;
    bool is_wildcard;
    size_t index;
    str key;
};
struct path {
    const struct path_element *items;
    size_t len;
};
fallible path_parse(struct arena *arena, str text, struct path *out);
str path_format(struct arena *arena, struct path path);
/* Does `path` (may have wildcards) contain `other`: is it equal to or a prefix of it? */
bool path_contains(struct path path, struct path other);
/* NULL if there is nothing at that path (no wildcards). Looks through secrets and outputs. */
const struct value *path_find(struct path path, struct value root);
/* A copy of `root` with the value put there / removed; containers that are missing are not made (false). Looks through secrets. */
bool path_set(struct arena *arena, struct path path, struct value *root, struct value value);
bool path_remove(struct arena *arena, struct path path, struct value *root);
