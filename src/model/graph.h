/* graph.h — who depends on whom in a list of resources in topological order. */
#pragma once

#include "model/resource.h"

struct graph;

/* Edges: dependencies, property dependencies, provider, parent, deletedWith; a dependency on a component is one on all its descendants
 * that stand before the dependent. */
struct graph *graph_new(struct arena *arena, struct resource *const *resources, size_t count);

struct resources {
    struct resource **items;
    size_t len;
};

/* Direct and indirect dependents of `resource`, in list order. `ignore` (URNs) are not followed nor returned. With `includes_children`, children count. */
struct resources graph_dependents(const struct graph *graph, struct arena *arena, const struct resource *resource, struct strs ignore, bool includes_children);
/* What `resource` depends on directly / transitively, in list order. */
struct resources graph_dependencies(const struct graph *graph, struct arena *arena, const struct resource *resource);
struct resources graph_transitive_dependencies(const struct graph *graph, struct arena *arena, const struct resource *resource);
/* Does `resource` depend on `other`, directly? */
bool graph_depends_on(const struct graph *graph, const struct resource *resource, const struct resource *other);

/* Who depends on `resource` directly: the other direction of graph_dependencies. */
struct resources graph_direct_dependents(const struct graph *graph, struct arena *arena, const struct resource *resource);
