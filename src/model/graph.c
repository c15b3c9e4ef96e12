/* graph.c — what depends on what in a list of resources in topological order. */
#include "model/graph.h"

#include "base/memory.h"
#include "base/vec.h"
#include "model/resource_links.h"
#include "model/table.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* Places in one array, for each of many owners: owner i has items[start[i]] to before items[start[i
 * + 1]]. */
struct lists {
    uint32_t *start;
    uint32_t *items;
};

/* One URN; it may have several copies in the list. */
struct name {
    uint32_t first;     /* copy in the list; the others follow by node.next_copy */
    uint32_t last_live; /* NONE if there is none */
    uint32_t last_deleted;
};

struct node {
    struct resource *resource;
    uint32_t name;
    uint32_t next_copy; /* of the same URN */
    uint32_t parent;    /* node: the last copy before this one, or NONE */
    uint32_t parent_name;
    bool is_delete; /* when the graph was made; the resource may be condemned since */
};

/* Edges lead to names, because that is all a reference says. The parent is kept apart: some
 * questions leave it out. */
struct graph {
    struct node *nodes;
    struct name *names;
    uint32_t count;
    uint32_t name_count;
    struct lists references; /* node → names it refers to */
    struct lists referrers;  /* name → nodes that refer to it */
    struct lists children;   /* name → nodes whose parent it is */
    struct table by_urn;     /* → struct name * */
};

/* --- building --- */

static uint32_t name_of(const struct graph *graph, str urn)
{
    const struct name *name = table_find(&graph->by_urn, urn);

    return name ? (uint32_t)(name - graph->names) : NONE;
}

static uint32_t last_copy(const struct graph *graph, uint32_t name)
{
    uint32_t live = graph->names[name].last_live, deleted = graph->names[name].last_deleted;

    return live == NONE ? deleted : deleted == NONE || live > deleted ? live : deleted;
}

static void graph_add_node(struct graph *graph, struct resource *resource, uint32_t index)
{
    struct node *node = &graph->nodes[index];
    uint32_t name = name_of(graph, resource->urn);

    if (name == NONE) {
        name = graph->name_count++;
        graph->names[name] = (struct name){ index, NONE, NONE };
        table_put(&graph->by_urn, resource->urn, &graph->names[name]);
    } else {
        graph->nodes[last_copy(graph, name)].next_copy = index;
    }
    *node = (struct node){ resource, name, NONE, NONE, NONE, resource->is_delete };
    if (resource->is_delete)
        graph->names[name].last_deleted = index;
    else
        graph->names[name].last_live = index;
}

/* Of the copies before it, the last is the parent. Called while only those are known. */
static void note_parent(struct graph *graph, uint32_t index)
{
    struct node *node = &graph->nodes[index];
    uint32_t name = node->resource->parent.len ? name_of(graph, node->resource->parent) : NONE;

    if (name != NONE && last_copy(graph, name) != index)
        node->parent = last_copy(graph, name);
}

static size_t count_links(const struct resource *resource)
{
    struct link_cursor cursor = { 0 };
    struct link link;
    size_t count = 0;

    while (resource_link_next(resource, &cursor, &link))
        count++;
    return count;
}

static void add_references(struct graph *graph, uint32_t index, uint32_t *used)
{
    struct link_cursor cursor = { 0 };
    struct link link;

    graph->references.start[index] = *used;
    while (resource_link_next(graph->nodes[index].resource, &cursor, &link)) {
        uint32_t name = name_of(graph, link.urn);
        if (link.kind == LINK_PARENT)
            graph->nodes[index].parent_name = name;
        else if (name != NONE)
            graph->references.items[(*used)++] = name;
    }
}

/* Counts how many items each owner gets, then turns the counts into starts; add_to_list fills from
 * the back. */
static void start_lists(struct lists *lists, uint32_t owners)
{
    uint32_t total = 0;

    for (uint32_t i = 0; i <= owners; i++) {
        total += lists->start[i];
        lists->start[i] = total;
    }
}

static void add_to_list(struct lists *lists, uint32_t owner, uint32_t item)
{
    lists->items[--lists->start[owner]] = item;
}

static void turn_around(struct graph *graph, struct arena *arena)
{
    const struct lists *references = &graph->references;
    uint32_t total = references->start[graph->count];

    graph->referrers = (struct lists){ ARENA_ARRAY(arena, uint32_t, graph->name_count + 1),
                                       ARENA_ARRAY(arena, uint32_t, total) };
    graph->children = (struct lists){ ARENA_ARRAY(arena, uint32_t, graph->name_count + 1),
                                      ARENA_ARRAY(arena, uint32_t, graph->count) };
    for (uint32_t i = 0; i < total; i++)
        graph->referrers.start[references->items[i]]++;
    for (uint32_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].parent_name != NONE)
            graph->children.start[graph->nodes[i].parent_name]++;
    start_lists(&graph->referrers, graph->name_count);
    start_lists(&graph->children, graph->name_count);
    for (uint32_t i = graph->count; i-- > 0;) {
        for (uint32_t j = references->start[i]; j < references->start[i + 1]; j++)
            add_to_list(&graph->referrers, references->items[j], i);
        if (graph->nodes[i].parent_name != NONE)
            add_to_list(&graph->children, graph->nodes[i].parent_name, i);
    }
}

struct graph *graph_new(struct arena *arena, struct resource *const *resources, size_t count)
{
    struct graph *graph = ARENA_NEW(arena, struct graph);
    size_t links = 0;
    uint32_t used = 0;

    for (size_t i = 0; i < count; i++)
        links += count_links(resources[i]);
    BUG_IF(count >= NONE || links >= NONE);
    graph->count = (uint32_t)count;
    graph->nodes = ARENA_ARRAY(arena, struct node, count);
    graph->names = ARENA_ARRAY(arena, struct name, count);
    graph->references = (struct lists){ ARENA_ARRAY(arena, uint32_t, count + 1),
                                        ARENA_ARRAY(arena, uint32_t, links) };
    graph->by_urn = table_in(arena);
    for (uint32_t i = 0; i < graph->count; i++) {
        graph_add_node(graph, resources[i], i);
        note_parent(graph, i);
    }
    for (uint32_t i = 0; i < graph->count; i++)
        add_references(graph, i, &used);
    graph->references.start[graph->count] = used;
    turn_around(graph, arena);
    return graph;
}

/* --- sets of nodes while a question is answered --- */

struct nodes {
    VEC(uint32_t);
};

static int compare_indexes(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

/* In list order, each once. */
static struct resources graph_deliver(const struct graph *graph, struct arena *arena,
                                      struct nodes *nodes)
{
    struct resources list = { 0 };

    if (nodes->len == 0)
        return list;
    qsort(nodes->items, nodes->len, sizeof(*nodes->items), compare_indexes);
    list.items = ARENA_ARRAY(arena, struct resource *, nodes->len);
    for (size_t i = 0; i < nodes->len; i++)
        if (i == 0 || nodes->items[i] != nodes->items[i - 1])
            list.items[list.len++] = graph->nodes[nodes->items[i]].resource;
    return list;
}

static uint32_t graph_index_of(const struct graph *graph, const struct resource *resource)
{
    uint32_t name = name_of(graph, resource->urn);

    if (name == NONE)
        return NONE;
    for (uint32_t at = graph->names[name].first; at != NONE; at = graph->nodes[at].next_copy)
        if (graph->nodes[at].resource == resource)
            return at;
    uint32_t live = graph->names[name].last_live, deleted = graph->names[name].last_deleted;
    uint32_t wanted = resource->is_delete ? deleted : live;
    return wanted != NONE ? wanted : resource->is_delete ? live : deleted;
}

static bool is_component(const struct graph *graph, uint32_t index)
{
    return !graph->nodes[index].resource->is_custom;
}

/* --- dependents --- */

static void bools_free(bool **set)
{
    free(*set);
}

static bool depends_on_reached(const struct graph *graph, uint32_t index, const bool *reached,
                               bool counts_parent)
{
    uint32_t parent = graph->nodes[index].parent_name;

    if (counts_parent && parent != NONE && reached[parent])
        return true;
    for (uint32_t j = graph->references.start[index]; j < graph->references.start[index + 1]; j++)
        if (reached[graph->references.items[j]])
            return true;
    return false;
}

/* Most of a large stack is what nothing depends on. */
static bool is_named(const struct graph *graph, uint32_t name, bool counts_parent)
{
    const struct lists *by = &graph->referrers, *of = &graph->children;

    return by->start[name] < by->start[name + 1]
           || (counts_parent && of->start[name] < of->start[name + 1]);
}

struct resources graph_dependents(const struct graph *graph, struct arena *arena,
                                  const struct resource *resource, struct strs ignore,
                                  bool includes_children)
{
    uint32_t start = graph_index_of(graph, resource);

    if (start == NONE || !is_named(graph, graph->nodes[start].name, includes_children))
        return (struct resources){ 0 };
    CLEANUP(bools_free) bool *reached = memory_zalloc(graph->name_count);
    CLEANUP(bools_free) bool *ignored = memory_zalloc(graph->name_count);
    CLEANUP(vec_drop) struct nodes found = { 0 };
    for (size_t i = 0; i < ignore.len; i++)
        if (name_of(graph, ignore.items[i]) != NONE)
            ignored[name_of(graph, ignore.items[i])] = true;
    reached[graph->nodes[start].name] = true;
    for (uint32_t i = start + 1; i < graph->count; i++) {
        uint32_t name = graph->nodes[i].name;
        if (ignored[name] || !depends_on_reached(graph, i, reached, includes_children))
            continue;
        reached[name] = true;
        vec_add(&found, i);
    }
    return graph_deliver(graph, arena, &found);
}

static void add_later(const struct lists *lists, uint32_t name, uint32_t than, struct nodes *found)
{
    for (uint32_t j = lists->start[name]; j < lists->start[name + 1]; j++)
        if (lists->items[j] > than)
            vec_add(found, lists->items[j]);
}

static void add_referrers(const struct graph *graph, uint32_t index, struct nodes *found)
{
    add_later(&graph->referrers, graph->nodes[index].name, index, found);
    add_later(&graph->children, graph->nodes[index].name, index, found);
}

struct resources graph_referrers(const struct graph *graph, struct arena *arena,
                                 const struct resource *resource)
{
    CLEANUP(vec_drop) struct nodes found = { 0 };
    uint32_t start = graph_index_of(graph, resource);

    if (start == NONE)
        return (struct resources){ 0 };
    add_referrers(graph, start, &found);
    return graph_deliver(graph, arena, &found);
}

struct resources graph_direct_dependents(const struct graph *graph, struct arena *arena,
                                         const struct resource *resource)
{
    CLEANUP(vec_drop) struct nodes found = { 0 };
    uint32_t start = graph_index_of(graph, resource);

    if (start == NONE)
        return (struct resources){ 0 };
    add_referrers(graph, start, &found);
    for (uint32_t at = graph->nodes[start].parent; at != NONE; at = graph->nodes[at].parent)
        if (is_component(graph, at))
            add_later(&graph->referrers, graph->nodes[at].name, start, &found);
    return graph_deliver(graph, arena, &found);
}

/* --- dependencies --- */

/* All descendants of a node before `end`. */
static void add_descendants(const struct graph *graph, uint32_t top, uint32_t end,
                            struct nodes *found)
{
    CLEANUP(vec_drop) struct nodes waiting = { 0 };

    vec_add(&waiting, top);
    while (waiting.len) {
        uint32_t parent = waiting.items[--waiting.len];
        uint32_t name = graph->nodes[parent].name;
        for (uint32_t j = graph->children.start[name]; j < graph->children.start[name + 1]; j++) {
            uint32_t child = graph->children.items[j];
            if (graph->nodes[child].parent != parent || child >= end)
                continue;
            vec_add(found, child);
            vec_add(&waiting, child);
        }
    }
}

static void add_copies(const struct graph *graph, uint32_t name, uint32_t end, bool enters,
                       struct nodes *found)
{
    for (uint32_t at = graph->names[name].first; at != NONE && at < end;
         at = graph->nodes[at].next_copy) {
        vec_add(found, at);
        if (enters && is_component(graph, at))
            add_descendants(graph, at, end, found);
    }
}

struct resources graph_dependencies(const struct graph *graph, struct arena *arena,
                                    const struct resource *resource)
{
    CLEANUP(vec_drop) struct nodes found = { 0 };
    uint32_t end = graph_index_of(graph, resource);

    if (end == NONE)
        return (struct resources){ 0 };
    if (graph->nodes[end].parent_name != NONE)
        add_copies(graph, graph->nodes[end].parent_name, end, false, &found);
    for (uint32_t j = graph->references.start[end]; j < graph->references.start[end + 1]; j++)
        add_copies(graph, graph->references.items[j], end, true, &found);
    return graph_deliver(graph, arena, &found);
}

static uint32_t copy_before(const struct graph *graph, uint32_t name, uint32_t end, bool is_delete)
{
    uint32_t found = NONE;

    for (uint32_t at = graph->names[name].first; at != NONE && at < end;
         at = graph->nodes[at].next_copy)
        if (graph->nodes[at].is_delete == is_delete)
            found = at;
    return found;
}

static void add_chosen(uint32_t index, bool *chosen, struct nodes *found)
{
    if (index == NONE)
        return;
    if (!chosen[index])
        vec_add(found, index);
    chosen[index] = true;
}

/* The copies of a URN that a resource means: what is live means what is live, if there is both.
 * What is on its way out was made with one that was live then, and may be either by now. */
static void choose_meant(const struct graph *graph, uint32_t name, uint32_t from, bool *chosen,
                         struct nodes *found)
{
    uint32_t live = graph->names[name].last_live, deleted = graph->names[name].last_deleted;
    uint32_t live_before = copy_before(graph, name, from, false);
    uint32_t deleted_before = copy_before(graph, name, from, true);
    bool is_condemned = graph->nodes[from].is_delete;

    if (live == NONE || deleted == NONE || !is_condemned) {
        add_chosen(live != NONE ? live : deleted, chosen, found);
        return;
    }
    if (live_before == NONE && deleted_before == NONE)
        add_chosen(deleted, chosen, found);
    add_chosen(deleted_before, chosen, found);
    add_chosen(live_before != NONE ? live : NONE, chosen, found);
}

struct resources graph_transitive_dependencies(const struct graph *graph, struct arena *arena,
                                               const struct resource *resource)
{
    CLEANUP(bools_free) bool *chosen = memory_zalloc(graph->count);
    CLEANUP(vec_drop) struct nodes found = { 0 };
    uint32_t start = graph_index_of(graph, resource);

    if (start == NONE)
        return (struct resources){ 0 };
    add_chosen(start, chosen, &found);
    for (size_t i = 0; i < found.len; i++) {
        uint32_t at = found.items[i];
        const struct node *node = &graph->nodes[at];
        if (node->parent_name != NONE)
            choose_meant(graph, node->parent_name, at, chosen, &found);
        for (uint32_t j = graph->references.start[at]; j < graph->references.start[at + 1]; j++)
            choose_meant(graph, graph->references.items[j], at, chosen, &found);
    }
    vec_remove(&found, 0); /* itself */
    return graph_deliver(graph, arena, &found);
}
