/* detailed_diff.c — builds a tree of changes from property paths. */
#include "display/detailed_diff.h"

#include "model/path_set.h"

enum node_kind { NODE_OBJECT, NODE_ARRAY, NODE_ADD, NODE_DELETE, NODE_UPDATE };

struct diff_node {
    enum node_kind kind;
    str key;      /* of a member */
    size_t index; /* of an element */
    struct value old, new;
    struct diff_node *first; /* children, sorted */
    struct diff_node *next;  /* sibling */
    struct strs hidden;      /* root only: paths */
};

struct building {
    struct arena *arena;
    bool adds, deletes; /* kind of the diff at hand; neither: update */
};

/* The child for a path element, made at its sorted place if it is missing. */
static struct diff_node *child_for(struct building *building, struct diff_node *parent,
                                   const struct path_element *element)
{
    struct diff_node **link = &parent->first;

    while (*link
           && (element->is_index ? (*link)->index < element->index
                                 : str_compare((*link)->key, element->key) < 0))
        link = &(*link)->next;
    bool is_there = *link
                    && (element->is_index ? (*link)->index == element->index
                                          : str_equal((*link)->key, element->key));
    if (!is_there) {
        struct diff_node *child = ARENA_NEW(building->arena, struct diff_node);
        *child = (struct diff_node){ .key = element->key, .index = element->index, .next = *link };
        *link = child;
    }
    return *link;
}

/* What a container has under a path element. Secrets and unknowns are opaque: they are used as
 * their own parts. */
static bool container_get(struct value container, const struct path_element *element,
                          struct value *out)
{
    *out = value_null();
    if (container.kind == VALUE_COMPUTED || container.kind == VALUE_OUTPUT
        || container.kind == VALUE_SECRET) {
        *out = container;
        return true;
    }
    if (element->is_index) {
        if (container.kind != VALUE_ARRAY || element->index >= container.len)
            return false;
        *out = container.items[element->index];
        return true;
    }
    const struct value *member =
        container.kind == VALUE_OBJECT ? value_find(container, element->key) : NULL;
    if (member)
        *out = *member;
    return member != NULL;
}

static void set_leaf(const struct building *building, struct diff_node *node, struct value old,
                     bool has_old, struct value new, bool has_new)
{
    struct value unknown = value_computed(UNKNOWN_STRING);

    node->kind = building->adds ? NODE_ADD : building->deletes ? NODE_DELETE : NODE_UPDATE;
    node->old = has_old || !building->deletes ? old : unknown;
    node->new = has_new || !building->adds ? new : unknown;
}

static void add_path(struct building *building, struct diff_node *parent, struct path path,
                     struct value old_parent, struct value new_parent)
{
    const struct path_element *element = &path.items[0];
    struct value old, new;
    bool has_old = container_get(old_parent, element, &old),
         has_new = container_get(new_parent, element, &new);
    struct diff_node *node = child_for(building, parent, element);

    parent->kind = element->is_index ? NODE_ARRAY : NODE_OBJECT;
    if (path.len == 1) {
        set_leaf(building, node, old, has_old, new, has_new);
    } else if (old.kind == VALUE_NULL && new.kind != VALUE_NULL) {
        node->kind = NODE_ADD;
        node->new = new;
    } else if (old.kind != VALUE_NULL && new.kind == VALUE_NULL) {
        node->kind = NODE_DELETE;
        node->old = old;
    } else {
        node->old = old;
        node->new = new;
        add_path(building, node, (struct path){ path.items + 1, path.len - 1 }, old, new);
    }
}

/* What is hidden; `places` gets where each of those paths is in the list. */
static struct path_set hidden_paths(struct arena *arena, struct strs hidden, size_t *places)
{
    struct path_set set = { .arena = arena };

    for (size_t i = 0; i < hidden.len; i++) {
        struct path hiding;
        struct error *failure = path_parse(arena, hidden.items[i], &hiding);
        if (!failure) {
            places[set.len] = i;
            path_set_add(&set, hiding);
        }
        error_ignore(failure, "what is no path hides nothing");
    }
    return set;
}

static struct path diff_path_parse(struct arena *arena, str text)
{
    struct path path;
    struct error *failure = path_parse(arena, text, &path);

    if (!failure && path.len)
        return path;
    error_ignore(failure, "what is no path is a key");
    struct path_element *element = ARENA_NEW(arena, struct path_element);
    element->key = text;
    return (struct path){ element, 1 };
}

struct diff_node *detailed_diff_build(struct arena *arena, struct mask mask,
                                      const struct event_step *step, bool is_refresh)
{
    struct diff_node *root = ARENA_NEW(arena, struct diff_node);
    const struct resource *old = step->old, *new = step->new, *shown = new ? new : old;
    struct value none = VALUE_EMPTY_OBJECT;
    struct value old_inputs = mask_value(mask, arena, old ? old->inputs : none),
                 old_outputs = mask_value(mask, arena, old ? old->outputs : none);
    struct value new_inputs = mask_value(mask, arena, new ? new->inputs : none),
                 new_outputs = mask_value(mask, arena, new ? new->outputs : none);
    struct strs hidden = shown ? shown->options.hide_diff : (struct strs){ 0 };
    str *seen = ARENA_ARRAY(arena, str, step->detailed_diff.len);
    size_t *places = ARENA_ARRAY(arena, size_t, hidden.len), seen_len = 0;
    CLEANUP(path_set_release) struct path_set hiding = hidden_paths(arena, hidden, places);

    for (size_t i = 0; i < step->detailed_diff.len; i++) {
        const struct property_diff *diff = &step->detailed_diff.items[i];
        struct path path = diff_path_parse(arena, diff->path);
        struct building building = {
            .arena = arena,
            .adds = diff->kind == DIFF_ADD || diff->kind == DIFF_ADD_REPLACE,
            .deletes = diff->kind == DIFF_DELETE || diff->kind == DIFF_DELETE_REPLACE,
        };
        size_t place = path_set_find(&hiding, path);
        if (place != SIZE_MAX) {
            seen[seen_len++] = hidden.items[places[place]];
            continue;
        }
        add_path(&building, root, path, diff->is_input ? old_inputs : old_outputs,
                 is_refresh && !diff->is_input ? new_outputs : new_inputs);
    }
    root->hidden =
        strs_sorted(arena, strs_union(arena, (struct strs){ seen, seen_len }, (struct strs){ 0 }));
    return root;
}

/* --- printing --- */

static void print_children(const struct property_printer *printer, const void *node_);

static bool list_is_flat(struct value list)
{
    for (size_t i = 0; list.kind == VALUE_ARRAY && i < list.len; i++)
        if (list.items[i].kind == VALUE_ARRAY || list.items[i].kind == VALUE_OBJECT)
            return false;
    return list.kind == VALUE_ARRAY;
}

/* A list of plain values in which something was inserted or taken out: providers name every place
 * behind it. */
static bool is_shifted(const struct property_printer *printer, const struct diff_node *node)
{
    return printer->matches_lists && node->kind == NODE_ARRAY
           && node->old.len != node->new.len &&list_is_flat(node->old) && list_is_flat(node->new);
}

static void print_node(const struct property_printer *printer, const struct diff_node *node,
                       struct property_title title)
{
    struct property_printer changes = *printer;

    if (is_shifted(printer, node)) {
        changes.hides_sames = true;
        property_print_update(&changes, title, node->old, node->new);
        return;
    }
    switch (node->kind) {
    case NODE_ADD: property_print_whole(printer, title, OP_CREATE, node->new); return;
    case NODE_DELETE: property_print_whole(printer, title, OP_DELETE, node->old); return;
    case NODE_UPDATE: property_print_update(printer, title, node->old, node->new); return;
    case NODE_OBJECT:
    case NODE_ARRAY:
        property_print_brackets(printer, title, node->kind == NODE_ARRAY, print_children, node);
        return;
    }
}

static void print_children(const struct property_printer *printer, const void *node_)
{
    const struct diff_node *node = node_;
    size_t width = 0;

    for (const struct diff_node *child = node->first; child && node->kind == NODE_OBJECT;
         child = child->next)
        width = child->key.len > width ? child->key.len : width;
    for (const struct diff_node *child = node->first; child; child = child->next) {
        CLEANUP(strbuf_release) struct strbuf index = { 0 };
        strbuf_printf(&index, "[%zu]", child->index);
        bool is_index = node->kind == NODE_ARRAY;
        print_node(printer, child,
                   (struct property_title){ .text = is_index ? strbuf_str(&index) : child->key,
                                            .width = width,
                                            .is_index = is_index });
    }
}

void detailed_diff_print(const struct property_printer *printer, const struct diff_node *root)
{
    struct property_printer marked = *printer;

    marked.op = OP_UPDATE;
    marked.has_mark = true;
    for (size_t i = 0; i < root->hidden.len; i++) {
        CLEANUP(strbuf_release) struct strbuf line = { 0 };
        strbuf_add(&line, root->hidden.items[i]);
        strbuf_add(&line, STR(" (hidden)"));
        property_print_line(&marked, strbuf_str(&line));
    }
    marked = *printer;
    marked.matches_lists = printer->matches_lists && root->hidden.len == 0; /* not as a whole */
    print_children(&marked, root);
}

void detailed_diff_keys(const struct diff_node *root,
                        void (*visit)(void *context, str key, enum step_op op), void *context)
{
    for (const struct diff_node *child = root->first; child; child = child->next)
        visit(context, child->key,
              child->kind == NODE_ADD      ? OP_CREATE
              : child->kind == NODE_DELETE ? OP_DELETE
                                           : OP_UPDATE);
}
