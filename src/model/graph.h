/* graph.h — what depends on what in a list of resources in topological order. */
#pragma once

#include "model/resource.h"

struct graph;

/* Edges: dependencies, property dependencies, provider, parent, deletedWith, replaceWith.
 * References to what is not in the list are no edges. The resources are borrowed and must not
 * change while the graph is used, but that they may be condemned: they mean what they meant. */
struct graph *graph_new(struct arena *arena, struct resource *const *resources, size_t count);

struct resources {
    struct resource **items;
    size_t len;
};

/* In all of these `resource` is one of the list, or a newer state of one: then URN and is_delete
 * decide which. One whose URN is not in the list has no edges. Results are in list order. */

/* Direct and indirect dependents of `resource`. `ignore` (URNs) are not followed nor returned. With
 * `includes_children`, children are dependents, too. */
struct resources graph_dependents(const struct graph *graph, struct arena *arena,
                                  const struct resource *resource, struct strs ignore,
                                  bool includes_children);
/* What `resource` depends on directly. A dependency on a component is one on all its descendants
 * before the dependent in the list. */
struct resources graph_dependencies(const struct graph *graph, struct arena *arena,
                                    const struct resource *resource);
/* Transitive dependencies. If a URN has a live and a condemned copy, what is live means the live
 * one; what is condemned may mean each copy before it. */
struct resources graph_transitive_dependencies(const struct graph *graph, struct arena *arena,
                                               const struct resource *resource);
/* One step of graph_dependents with children: what comes after `resource` and names it. */
struct resources graph_referrers(const struct graph *graph, struct arena *arena,
                                 const struct resource *resource);
/* What depends on `resource` directly: the inverse of graph_dependencies. */
struct resources graph_direct_dependents(const struct graph *graph, struct arena *arena,
                                         const struct resource *resource);
