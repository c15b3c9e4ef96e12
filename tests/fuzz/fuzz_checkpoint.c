/* fuzz_checkpoint.c — a checkpoint that can be read is written so that it reads and writes the
 * same; damage is an error, not a crash. Its page has JSON, its graph has the same edges both ways,
 * and a listing counts its resources. */
#include "model/checkpoint.h"
#include "model/snapshot_repair.h"

#include "backend/diy_checkpoint.h"
#include "backend/stack_summary.h"
#include "fuzz/fuzz_page.h"
#include "model/graph.h"
#include "page/page_graph.h"

enum { GRAPH_MAX = 20 };

static str write_all(struct arena *arena, const struct snapshot *snapshot)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out, .indent = 1 };

    deployment_write(&writer, snapshot, SECRET_BLINDED);
    return arena_copy(arena, strbuf_str(&out));
}

/* Dependencies and dependents are the same edges. */
static void check_graph(struct arena *arena, const struct snapshot *snapshot)
{
    struct graph *graph = graph_new(arena, snapshot->resources, snapshot->resource_count);

    for (size_t i = 0; i < snapshot->resource_count && i < GRAPH_MAX; i++) {
        struct resource *from = snapshot->resources[i];
        struct resources needed = graph_dependencies(graph, arena, from);
        for (size_t j = 0; j < needed.len; j++) {
            struct resources back = graph_direct_dependents(graph, arena, needed.items[j]);
            size_t at = 0;
            while (at < back.len && back.items[at] != from)
                at++;
            REQUIRE(at < back.len);
        }
        REQUIRE(graph_transitive_dependencies(graph, arena, from).len <= snapshot->resource_count);
        graph_dependents(graph, arena, from, (struct strs){ 0 }, true);
        graph_referrers(graph, arena, from);
    }
}

/* A listing counts what is there. */
static void check_summary(struct arena *arena, str text, const struct snapshot *snapshot)
{
    struct stack_summary summary = { 0 };

    REQUIRE(fuzz_accepts(stack_summary_skim(arena, text, &summary)));
    REQUIRE(summary.has_deployment && summary.resource_count == snapshot->resource_count);
}

static void check_page(const struct snapshot *snapshot)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .escapes_html = true };
    const struct page_graph_facts facts = { STR("dev"), STR("web") };

    page_graph_write_json(&writer, &facts, snapshot);
    fuzz_check_page(strbuf_str(&text));
}

/* As the file of a store: it is as good as its text, and what is wrong with it is said of the file.
 */
static void check_file(struct arena *arena, str bytes, bool is_good)
{
    const struct diy_checkpoint file = {
        .has_file = true, .bytes = bytes, .place = STR("FILE"), .backup = STR("FILE.bak")
    };
    struct snapshot snapshot;
    bool has_deployment;

    struct error *failure = diy_checkpoint_decode(arena, &file, &snapshot, &has_deployment);
    REQUIRE(!is_good || !failure);
    REQUIRE(!failure || str_find(error_message(failure), STR("FILE")) != SIZE_MAX);
    error_free(failure);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct snapshot snapshot, again;
    struct strs unknown;
    bool has_deployment;
    int version;
    struct error *error =
        checkpoint_read(&arena, (str){ (const char *)data, size }, &snapshot, &has_deployment);

    check_file(&arena, (str){ (const char *)data, size }, !error);
    if (error || !has_deployment) {
        if (error && error_kind(error) != ERROR_INVALID)
            abort();
        error_free(error);
        return 0;
    }
    check_summary(&arena, (str){ (const char *)data, size }, &snapshot);
    if (fuzz_accepts(snapshot_verify(&snapshot))) {
        check_page(&snapshot);
        check_graph(&arena, &snapshot);
    }
    str text = write_all(&arena, &snapshot);
    if (deployment_read(&arena, text, &again, &has_deployment, &version, &unknown)
        || !has_deployment)
        abort();
    if (snapshot.resource_count != again.resource_count
        || !str_equal(text, write_all(&arena, &again)))
        abort();
    for (size_t i = 0; i < snapshot.resource_count; i++)
        snapshot.resources[i] = resource_copy_like(&arena, snapshot.resources[i], NULL);
    if (!str_equal(text, write_all(&arena, &snapshot)))
        abort();
    snapshot_drop_dangling(&arena, &again, &snapshot, 0);
    error_free(snapshot_normalize_aliases(&arena, &again));
    error_free(snapshot_repair(&arena, &again));
    return 0;
}
