/* page_graph.h — what the page of a stack's resources shows: each with its place in the graph, its
 * marks and its properties. */
#pragma once

#include "base/json.h"
#include "model/snapshot.h"

struct page_graph_facts {
    str stack;
    str project;
};

/* Secrets, sealed or not, are written as their mark alone. References between resources are their
 * numbers in the list: of several with one URN, that of the live one. */
void page_graph_write_json(struct json_writer *writer, const struct page_graph_facts *facts,
                           const struct snapshot *snapshot);
