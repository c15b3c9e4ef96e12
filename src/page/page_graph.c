/* page_graph.c — a snapshot as the JSON of its page. */
#include "page/page_graph.h"

#include "base/map.h"
#include "base/version.h"
#include "model/urn.h"
#include "page/page_value.h"

struct page_graph {
    struct json_writer *writer;
    struct map numbers; /* by URN: number + 1 */
};

/* What is not in the state any more has no number, and is left out. */
static void graph_member_link(struct page_graph *graph, str key, str urn)
{
    size_t number = (size_t)(uintptr_t)map_find(&graph->numbers, urn);

    if (!number)
        return;
    json_key(graph->writer, key);
    json_integer(graph->writer, (int64_t)number - 1);
}

static void graph_write_links(struct page_graph *graph, struct strs urns)
{
    json_begin_array(graph->writer);
    for (size_t i = 0; i < urns.len; i++) {
        size_t number = (size_t)(uintptr_t)map_find(&graph->numbers, urns.items[i]);
        if (number)
            json_integer(graph->writer, (int64_t)number - 1);
    }
    json_end_array(graph->writer);
}

static void graph_member_links(struct page_graph *graph, str key, struct strs urns)
{
    if (!urns.len)
        return;
    json_key(graph->writer, key);
    graph_write_links(graph, urns);
}

static void graph_write_marks(struct json_writer *writer, const struct resource *resource,
                              const char *pending)
{
    const struct {
        bool is_set;
        str name;
    } marks[] = {
        { resource->options.protect, STR_INIT("protected") },
        { resource->is_external, STR_INIT("external") },
        { resource->is_delete, STR_INIT("to be deleted") },
        { resource->is_pending_replacement, STR_INIT("to be created again") },
        { resource->is_tainted, STR_INIT("tainted") },
        { resource->init_errors.len > 0, STR_INIT("not initialised") },
        { resource->options.retain_on_delete, STR_INIT("retained on delete") },
        { resource->view_of.len > 0, STR_INIT("view") },
    };

    json_key(writer, STR("marks"));
    json_begin_array(writer);
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (marks[i].is_set)
            json_string(writer, marks[i].name);
    if (pending)
        json_string(writer, STR("pending"));
    json_end_array(writer);
    if (pending)
        page_member_text(writer, STR("pending"), str_from(pending));
}

static void graph_write_property_links(struct page_graph *graph, const struct resource *resource)
{
    bool has_any = false;

    for (size_t i = 0; i < resource->property_dependencies.len; i++) {
        const struct property_dependency *entry = &resource->property_dependencies.items[i];
        if (!entry->urns.len)
            continue;
        if (!has_any) {
            json_key(graph->writer, STR("through"));
            json_begin_object(graph->writer);
        }
        has_any = true;
        json_key(graph->writer, entry->key);
        graph_write_links(graph, entry->urns);
    }
    if (has_any)
        json_end_object(graph->writer);
}

static void graph_write_resource(struct page_graph *graph, const struct resource *resource,
                                 const char *pending)
{
    struct json_writer *writer = graph->writer;
    str provider = STR(""), id;

    if (resource->provider.len)
        error_ignore(provider_ref_parse(resource->provider, &provider, &id),
                     "a reference that cannot be read leads nowhere");
    json_begin_object(writer);
    page_member_text(writer, STR("urn"), resource->urn);
    page_member_text(writer, STR("type"), resource->type);
    page_member_text(writer, STR("id"), resource->id);
    if (resource->is_custom) {
        json_key(writer, STR("custom"));
        json_bool(writer, true);
    }
    graph_member_link(graph, STR("parent"), resource->parent);
    graph_member_link(graph, STR("provider"), provider);
    graph_member_links(graph, STR("dependencies"), resource->dependencies);
    graph_write_property_links(graph, resource);
    graph_member_link(graph, STR("deletedWith"), resource->options.deleted_with);
    graph_member_links(graph, STR("replaceWith"), resource->options.replace_with);
    graph_member_link(graph, STR("viewOf"), resource->view_of);
    graph_write_marks(writer, resource, pending);
    page_member_text(writer, STR("created"), resource->created);
    page_member_text(writer, STR("modified"), resource->modified);
    page_member_text(writer, STR("source"), resource->options.source_position);
    if (resource->init_errors.len) {
        json_key(writer, STR("initErrors"));
        json_strings(writer, resource->init_errors.items, resource->init_errors.len);
    }
    json_key(writer, STR("inputs"));
    page_value_write_state(writer, resource->inputs);
    json_key(writer, STR("outputs"));
    page_value_write_state(writer, resource->outputs);
    json_end_object(writer);
}

/* Pending operations by URN: what is being created is not in the list, the others are. */
static const char *graph_pending_of(const struct snapshot *snapshot, str urn)
{
    for (size_t i = 0; i < snapshot->pending_count; i++)
        if (str_equal(snapshot->pending[i].resource->urn, urn))
            return pending_names[snapshot->pending[i].kind];
    return NULL;
}

static bool graph_is_live(const struct page_graph *graph, const struct resource *resource,
                          size_t index)
{
    return (size_t)(uintptr_t)map_find(&graph->numbers, resource->urn) == index + 1;
}

/* Of several resources with one URN the last that stays is meant by it. */
static void graph_number(struct page_graph *graph, const struct snapshot *snapshot)
{
    size_t next = snapshot->resource_count;

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        if (!resource->is_delete || !map_has(&graph->numbers, resource->urn))
            map_put(&graph->numbers, resource->urn, (void *)(uintptr_t)(i + 1));
    }
    for (size_t i = 0; i < snapshot->pending_count; i++) {
        str urn = snapshot->pending[i].resource->urn;
        if (!map_has(&graph->numbers, urn))
            map_put(&graph->numbers, urn, (void *)(uintptr_t)(++next));
    }
}

static void graph_write_resources(struct page_graph *graph, const struct snapshot *snapshot)
{
    size_t next = snapshot->resource_count;

    json_begin_array(graph->writer);
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        const char *pending =
            graph_is_live(graph, resource, i) ? graph_pending_of(snapshot, resource->urn) : NULL;
        graph_write_resource(graph, resource, pending);
    }
    for (size_t i = 0; i < snapshot->pending_count; i++)
        if (graph_is_live(graph, snapshot->pending[i].resource, next)) {
            graph_write_resource(graph, snapshot->pending[i].resource,
                                 pending_names[snapshot->pending[i].kind]);
            next++;
        }
    json_end_array(graph->writer);
}

void page_graph_write_json(struct json_writer *writer, const struct page_graph_facts *facts,
                           const struct snapshot *snapshot)
{
    struct page_graph graph = { .writer = writer };

    graph_number(&graph, snapshot);
    json_begin_object(writer);
    page_member_text(writer, STR("tool"), STR("culumi " CULUMI_VERSION));
    page_member_text(writer, STR("stack"), facts->stack);
    page_member_text(writer, STR("project"), facts->project);
    page_member_text(writer, STR("time"), snapshot->time);
    json_key(writer, STR("resources"));
    graph_write_resources(&graph, snapshot);
    json_end_object(writer);
    map_release(&graph.numbers);
}
