/* path_set.h — many property paths, asked at once: which of them contains another path? */
#pragma once

#include "model/path.h"

struct path_node {
    size_t number;
    size_t ends; /* the place of the first path that ends here, and 1; 0 if none does */
};

/* The zero value is empty; set the arena. */
struct path_set {
    struct arena *arena;
    struct map steps; /* the number of a node and an element lead to the node below */
    struct path_node root;
    size_t nodes; /* below the root */
    size_t len;
};
void path_set_release(struct path_set *set);
/* Wildcards are allowed. The place of a path is the count of those before it. */
void path_set_add(struct path_set *set, struct path path);
/* The place of the first path that contains `other`, which is equal to it or begins with it;
 * SIZE_MAX if none does. */
size_t path_set_find(const struct path_set *set, struct path other);
