/* path_set.c — a tree of the elements of many paths. All its steps are in one map: a question costs
 * as much as its path is long, however many paths there are. */
#include "model/path_set.h"

#include "base/strbuf.h"
#include "base/vec.h"

/* Where a path may be in the tree: at more than one node if there are wildcards. */
struct path_nodes {
    VEC(const struct path_node *);
};

static void path_nodes_release(struct path_nodes *nodes)
{
    vec_release(nodes);
}

void path_set_release(struct path_set *set)
{
    map_release(&set->steps);
}

/* "7*", "7[3]" or "7.name", until the next one is made. */
static str path_step(struct strbuf *room, const struct path_node *from,
                     const struct path_element *element)
{
    strbuf_clear(room);
    if (element->is_wildcard)
        strbuf_printf(room, "%zu*", from->number);
    else if (element->is_index)
        strbuf_printf(room, "%zu[%zu]", from->number, element->index);
    else
        strbuf_printf(room, "%zu." STR_FMT, from->number, STR_ARG(element->key));
    return strbuf_str(room);
}

void path_set_add(struct path_set *set, struct path path)
{
    CLEANUP(strbuf_release) struct strbuf room = { 0 };
    struct path_node *node = &set->root;

    for (size_t i = 0; i < path.len; i++) {
        str step = path_step(&room, node, &path.items[i]);
        struct path_node *below = map_find(&set->steps, step);
        if (!below) {
            below = ARENA_NEW(set->arena, struct path_node);
            below->number = ++set->nodes;
            map_put(&set->steps, arena_copy(set->arena, step), below);
        }
        node = below;
    }
    set->len++;
    if (node->ends == 0)
        node->ends = set->len;
}

/* Adds the nodes one element below. */
static void path_nodes_descend(const struct path_set *set, const struct path_nodes *nodes,
                               const struct path_element *element, struct strbuf *room,
                               struct path_nodes *out)
{
    const struct path_element any = { .is_wildcard = true };
    struct path_element literal = *element;

    literal.is_wildcard = false;
    for (size_t i = 0; i < nodes->len; i++) {
        const struct path_node *from = nodes->items[i];
        const struct path_node *same = map_find(&set->steps, path_step(room, from, &literal));
        const struct path_node *wild = map_find(&set->steps, path_step(room, from, &any));
        if (same)
            vec_add(out, same);
        if (wild)
            vec_add(out, wild);
    }
}

size_t path_set_find(const struct path_set *set, struct path other)
{
    CLEANUP(path_nodes_release) struct path_nodes nodes = { 0 };
    CLEANUP(path_nodes_release) struct path_nodes below = { 0 };
    CLEANUP(strbuf_release) struct strbuf room = { 0 };
    size_t found = SIZE_MAX;

    vec_add(&nodes, &set->root);
    for (size_t depth = 0; nodes.len; depth++) {
        for (size_t i = 0; i < nodes.len; i++)
            if (nodes.items[i]->ends && nodes.items[i]->ends - 1 < found)
                found = nodes.items[i]->ends - 1;
        if (depth == other.len)
            break;
        below.len = 0;
        path_nodes_descend(set, &nodes, &other.items[depth], &room, &below);
        struct path_nodes former = nodes;
        nodes = below;
        below = former;
    }
    return found;
}
