/* path.h — property paths: a.b[0]["x.y"].* */
#pragma once

#include "base/map.h"
#include "model/value.h"

struct path_element {
    bool is_index;
    bool is_wildcard; /* any key or index; `key` is "*" then */
    size_t index;
    str key;
};
struct path {
    const struct path_element *items;
    size_t len;
};
/* Lenient as the reference is: a bare name is anything up to the next '.' or '['. An empty text is
 * the empty path. */
fallible path_parse(struct arena *arena, str text, struct path *out);
str path_format(struct arena *arena, struct path path);
/* Adds one element to a path that is being written. */
struct strbuf;
void path_format_element(struct strbuf *out, const struct path_element *element);
/* NULL if there is nothing at that path (no wildcards). Looks through secrets and outputs. */
const struct value *path_find(struct path path, struct value root);

/* What ignoreChanges does: gives a value back what an older one has at some paths. What was made
 * for one path is changed in place for the next, so that many paths take no more memory than one;
 * within secrets it is made for each. */
struct path_resets {
    struct arena *arena;
    struct map made; /* objects and arrays: their capacity, by their address */
};
void path_resets_release(struct path_resets *resets);
/* Makes `*root` a copy that has at that path (wildcards allowed) what `old` has there: an absent
 * member is removed, one that was removed is put back. False if a container is missing on one side
 * or arrays differ in length there; what could be done before that was seen is done. */
bool path_reset(struct path_resets *resets, struct path path, struct value old, struct value *root);
