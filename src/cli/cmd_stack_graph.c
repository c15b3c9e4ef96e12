/* cmd_stack_graph.c — `stack graph`: who depends on whom, as a drawing for Graphviz. */
#include "cli/input.h"
#include "cli/open.h"

#include "base/map.h"
#include "model/resource_links.h"
#include "model/urn.h"

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
    { 0 },
};

/* Resources are numbered as they are first mentioned. */
struct drawing {
    const struct graph_args *args;
    struct arena *arena;
    struct strbuf out;
    struct map numbers; /* URN → number + 1 */
};

static size_t mention(struct drawing *drawing, str urn)
{
    uintptr_t number = (uintptr_t)map_find(&drawing->numbers, urn);

    if (!number) {
        number = drawing->numbers.len + 1;
        map_put(&drawing->numbers, urn, (void *)number);
        str label = drawing->args->short_names ? urn_name_of(urn) : urn;
        strbuf_printf(&drawing->out, "    Resource%zu [label=\"" STR_FMT "\"];\n",
                      (size_t)number - 1, STR_ARG(label));
    }
    return (size_t)number - 1;
}

static void draw_edge(struct drawing *drawing, str from, str to, str color)
{
    size_t start = mention(drawing, from), end = mention(drawing, to);

    strbuf_printf(&drawing->out, "    Resource%zu -> Resource%zu [color = \"" STR_FMT "\"];\n",
                  start, end, STR_ARG(color));
}

static void draw_resource(struct drawing *drawing, const struct resource *resource)
{
    struct link_cursor cursor = { 0 };
    struct link link;
    bool has_parent = resource->parent.len && !drawing->args->ignore_parents;

    mention(drawing, resource->urn);
    if (has_parent)
        draw_edge(drawing, resource->urn, resource->parent, drawing->args->parent_color);
    while (resource_link_next(resource, &cursor, &link)) {
        if (link.kind == LINK_DEPENDENCY && !drawing->args->ignore_dependencies)
            draw_edge(drawing, link.urn, resource->urn, drawing->args->dependency_color);
    }
}

static int compare(const void *a, const void *b)
{
    return str_compare((*(struct resource *const *)a)->urn, (*(struct resource *const *)b)->urn);
}

static struct error *run(struct cli *cli, const void *args_)
{
    struct drawing drawing = { .args = args_, .arena = cli->arena };
    struct snapshot snapshot;
    bool has_deployment;

    TRY(backend_load(cli->backend, cli->stack, cli->arena, &snapshot, &has_deployment));
    if (!snapshot.resource_count)
        return error_new(ERROR_NOT_FOUND, "unable to find snapshot for stack '" STR_FMT "'",
                         STR_ARG(cli_stack_name(cli, cli->stack)));
    qsort(snapshot.resources, snapshot.resource_count, sizeof(*snapshot.resources), compare);
    strbuf_add(&drawing.out, STR("strict digraph {\n"));
    if (drawing.args->fragment.len)
        strbuf_printf(&drawing.out, STR_FMT "\n", STR_ARG(drawing.args->fragment));
    for (size_t i = 0; i < snapshot.resource_count; i++)
        draw_resource(&drawing, snapshot.resources[i]);
    strbuf_add(&drawing.out, STR("}\n"));
    struct error *failure = output_write(cli_operand(cli, 0), strbuf_str(&drawing.out));
    strbuf_release(&drawing.out);
    map_release(&drawing.numbers);
    if (!failure)
        fprintf(stderr, "Wrote stack dependency graph to `" STR_FMT "`\n",
                STR_ARG(cli_operand(cli, 0)));
    return failure;
}

const struct command cmd_stack_graph = {
    .path = "stack graph",
    .operands = "FILE",
    .summary = "Draw the resources of a stack and what they depend on",
    .needs = NEEDS_STACK,
    .args_size = sizeof(struct graph_args),
    .options = OPTIONS(options),
    .run = run,
};
