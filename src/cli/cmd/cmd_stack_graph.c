/* cmd_stack_graph.c — `stack graph`: which resource depends on which, as a drawing for Graphviz or
 * as a page for a browser. */
#include "cli/screen/input.h"
#include "cli/open.h"

#include "base/json.h"
#include "base/map.h"
#include "fiber/fiber.h"
#include "model/urn.h"
#include "page/page.h"
#include "page/page_graph.h"

#include <stdio.h>
#include <stdlib.h>

struct graph_args {
    str stack;
    bool ignore_parents;
    bool ignore_dependencies;
    str dependency_color;
    str parent_color;
    bool short_names;
    str fragment;
    bool html;
};

static const struct option options[] = {
    TEXT(struct graph_args, stack, 's', "stack", "The stack to draw; the selected one by default"),
    FLAG(struct graph_args, ignore_parents, 0, "ignore-parent-edges", "Leave out parents"),
    FLAG(struct graph_args, ignore_dependencies, 0, "ignore-dependency-edges",
         "Leave out dependencies"),
    TEXT_PRESET(struct graph_args, dependency_color, 0, "dependency-edge-color", "#246C60",
                "Colour of dependencies"),
    TEXT_PRESET(struct graph_args, parent_color, 0, "parent-edge-color", "#AA6639",
                "Colour of parents"),
    FLAG(struct graph_args, short_names, 0, "short-node-name", "Label resources with their names"),
    TEXT(struct graph_args, fragment, 0, "dot-fragment", "Text to put into the drawing"),
    FLAG(struct graph_args, html, 0, "html",
         "Write a page to look at in a browser: search, filters, and what each resource has"),
    { 0 },
};

/* A dependent, with the properties through which it depends. */
struct edge {
    const struct resource *dependent;
    str properties;
    struct edge *next;
};

struct node {
    const struct resource *resource;
    size_t number;      /* from 1, in the order of mention; 0: not yet */
    struct edge *first; /* in the order of the state */
    struct edge *last;
};

struct drawing {
    const struct graph_args *args;
    struct arena *arena;
    struct strbuf out;
    struct map nodes; /* by URN */
    size_t mentioned;
};

static size_t mention(struct drawing *drawing, str urn)
{
    struct node *node = map_find(&drawing->nodes, urn);

    if (!node->number)
        node->number = ++drawing->mentioned;
    return node->number - 1;
}

static str names_of_properties(struct arena *arena, const struct resource *resource, str urn)
{
    CLEANUP(strbuf_release) struct strbuf names = { 0 };

    for (size_t i = 0; i < resource->property_dependencies.len; i++) {
        const struct property_dependency *entry = &resource->property_dependencies.items[i];
        if (!strs_has(entry->urns, urn))
            continue;
        strbuf_printf(&names, "%s" STR_FMT, names.len ? ", " : "", STR_ARG(entry->key));
    }
    return arena_copy(arena, strbuf_str(&names));
}

static void add_dependencies(struct drawing *drawing, const struct resource *resource)
{
    for (size_t i = 0; i < resource->dependencies.len; i++) {
        str urn = resource->dependencies.items[i];
        struct node *node = map_find(&drawing->nodes, urn);
        struct edge *edge = ARENA_NEW(drawing->arena, struct edge);
        if (!node)
            continue;
        edge->dependent = resource;
        edge->properties = names_of_properties(drawing->arena, resource, urn);
        if (node->last)
            node->last->next = edge;
        else
            node->first = edge;
        node->last = edge;
    }
}

/* DOT has the escapes of JSON for quotes, backslashes and newlines, and a meaning for others. */
static void draw_text(struct drawing *drawing, const char *attribute, str text)
{
    strbuf_add(&drawing->out, str_from(attribute));
    json_format_string(&drawing->out, text, false);
}

static void draw_edge(struct drawing *drawing, size_t start, str to, str color, str label)
{
    size_t end = mention(drawing, to);

    strbuf_printf(&drawing->out, "    Resource%zu -> Resource%zu [", start, end);
    draw_text(drawing, "color = ", color);
    if (label.len)
        draw_text(drawing, ", label = ", label);
    strbuf_add(&drawing->out, STR("];\n"));
}

static void draw_node(struct drawing *drawing, const struct node *node)
{
    const struct graph_args *args = drawing->args;
    const struct resource *resource = node->resource;
    size_t number = mention(drawing, resource->urn);

    strbuf_printf(&drawing->out, "    Resource%zu [", number);
    draw_text(drawing, "label=", args->short_names ? urn_name_of(resource->urn) : resource->urn);
    strbuf_add(&drawing->out, STR("];\n"));
    if (map_has(&drawing->nodes, resource->parent) && !args->ignore_parents)
        draw_edge(drawing, number, resource->parent, args->parent_color, STR(""));
    for (const struct edge *edge = node->first; edge; edge = edge->next)
        draw_edge(drawing, number, edge->dependent->urn, args->dependency_color, edge->properties);
}

static int cmd_stack_graph_compare(const void *a, const void *b)
{
    return str_compare((*(struct node *const *)a)->resource->urn,
                       (*(struct node *const *)b)->resource->urn);
}

/* By URN; of several resources with one URN the last is used. */
static void cmd_stack_graph_draw(struct drawing *drawing, const struct snapshot *snapshot)
{
    struct node *all = ARENA_ARRAY(drawing->arena, struct node, snapshot->resource_count);
    struct node **sorted = ARENA_ARRAY(drawing->arena, struct node *, snapshot->resource_count);
    size_t count = 0;

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        struct node *known = map_find(&drawing->nodes, snapshot->resources[i]->urn);
        struct node *node = known ? known : &all[i];
        node->resource = snapshot->resources[i];
        map_put(&drawing->nodes, node->resource->urn, node);
        if (!known)
            sorted[count++] = node;
    }
    for (size_t i = 0; !drawing->args->ignore_dependencies && i < snapshot->resource_count; i++)
        add_dependencies(drawing, snapshot->resources[i]);
    qsort(sorted, count, sizeof(*sorted), cmd_stack_graph_compare);
    for (size_t i = 0; i < count; i++)
        draw_node(drawing, sorted[i]);
}

static fallible cmd_stack_graph_write_dot(struct cli *cli, const struct graph_args *args,
                                          const struct snapshot *snapshot)
{
    struct drawing drawing = { .args = args, .arena = cli->arena };

    strbuf_add(&drawing.out, STR("strict digraph {\n"));
    if (drawing.args->fragment.len)
        strbuf_printf(&drawing.out, STR_FMT "\n", STR_ARG(drawing.args->fragment));
    cmd_stack_graph_draw(&drawing, snapshot);
    strbuf_add(&drawing.out, STR("}\n"));
    struct error *failure = output_write(cli_operand(cli, 0), strbuf_str(&drawing.out));
    strbuf_release(&drawing.out);
    map_release(&drawing.nodes);
    return failure;
}

/* Values may be nested deeper than a fiber's stack allows to follow them. */
struct graph_page {
    struct page_graph_facts facts;
    const struct snapshot *snapshot;
    struct strbuf json;
};

static void cmd_stack_graph_fill(void *page_)
{
    struct graph_page *page = page_;
    struct json_writer writer = { .out = &page->json, .escapes_html = true };

    page_graph_write_json(&writer, &page->facts, page->snapshot);
}

static fallible cmd_stack_graph_write_html(struct cli *cli, const struct snapshot *snapshot)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct graph_page page = { { cli->stack.name, cli->stack.project }, snapshot, { 0 } };

    fiber_on_main_stack(cmd_stack_graph_fill, &page);
    page_write(&text, PAGE_GRAPH, strbuf_str(&page.json));
    strbuf_release(&page.json);
    return output_write(cli_operand(cli, 0), strbuf_str(&text));
}

static struct error *cmd_stack_graph_run(struct cli *cli, const void *args_)
{
    const struct graph_args *args = args_;
    struct snapshot snapshot;
    bool has_deployment;

    if (!cli_operand(cli, 0).len)
        return error_new(ERROR_INVALID, "the name of the file is empty");
    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    if (!has_deployment)
        return error_new(ERROR_NOT_FOUND, "unable to find snapshot for stack '" STR_FMT "'",
                         STR_ARG(cli_stack_name(cli, cli->stack)));
    TRY(args->html ? cmd_stack_graph_write_html(cli, &snapshot)
                   : cmd_stack_graph_write_dot(cli, args, &snapshot));
    fprintf(stderr, "Wrote stack dependency graph to `" STR_FMT "`\n",
            STR_ARG(cli_operand(cli, 0)));
    return NULL;
}

const struct command cmd_stack_graph = {
    .path = "stack graph",
    .operands = "FILE",
    .summary = "Draw the resources of a stack and what they depend on",
    .example = "stack graph deps.dot",
    .needs = NEEDS_STACK | MAKES_NO_STACK,
    .args_size = sizeof(struct graph_args),
    .options = OPTIONS(options),
    .exclusive = EXCLUSIVE("html ignore-parent-edges", "html ignore-dependency-edges",
                           "html dependency-edge-color", "html parent-edge-color",
                           "html short-node-name", "html dot-fragment"),
    .run = cmd_stack_graph_run,
};
