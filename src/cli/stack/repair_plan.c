/* repair_plan.c — compares a state with its repaired form. */
#include "cli/stack/repair_plan.h"

#include "base/map.h"
#include "base/strbuf.h"
#include "display/color.h"
#include "model/resource_links.h"

#define PLAN_CHANGED TAG_YELLOW "~" TAG_RESET " "
#define PLAN_REMOVED TAG_RED "-" TAG_RESET " "

static void plan_add_resource(struct strbuf *out, const char *mark, const struct resource *resource)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };

    strbuf_printf(out, "%s" STR_FMT "%s\n", mark, STR_ARG(color_quote(&scratch, resource->urn)),
                  resource->is_delete ? " (deleted)" : "");
}

/* --- order --- */

/* The places that the sorted ones had before. */
static size_t *plan_former_places(struct arena *arena, const struct repair_plan *plan)
{
    size_t count = plan->after->resource_count;
    size_t *places = ARENA_ARRAY(arena, size_t, count + 1);
    CLEANUP(map_release) struct map known = { 0 };
    str *keys = ARENA_ARRAY(arena, str, count + 1);

    for (size_t i = 0; i < count; i++) { /* pointers as keys: URNs may repeat */
        keys[i] = (str){ (const char *)&plan->before[i], sizeof(plan->before[i]) };
        map_put(&known, keys[i], &keys[i]);
    }
    for (size_t i = 0; i < count; i++) {
        str key = { (const char *)&plan->sorted[i], sizeof(plan->sorted[i]) };
        places[i] = (size_t)((str *)map_find(&known, key) - keys);
    }
    return places;
}

/* Those that stayed are the longest run of rising places; all others have moved. */
static bool *plan_find_moved(struct arena *arena, const struct repair_plan *plan)
{
    size_t count = plan->after->resource_count, len = 0;
    const size_t *places = plan_former_places(arena, plan);
    size_t *ends = ARENA_ARRAY(arena, size_t, count + 1); /* index that ends a run of length + 1 */
    size_t *earlier = ARENA_ARRAY(arena, size_t, count + 1);
    bool *moved = ARENA_ARRAY(arena, bool, count + 1);

    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = len;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (places[ends[middle]] < places[i])
                low = middle + 1;
            else
                high = middle;
        }
        earlier[i] = low ? ends[low - 1] : SIZE_MAX;
        ends[low] = i;
        len = low == len ? len + 1 : len;
        moved[i] = true;
    }
    for (size_t i = len ? ends[len - 1] : SIZE_MAX; i != SIZE_MAX; i = earlier[i])
        moved[i] = false;
    return moved;
}

static void plan_add_order(struct strbuf *out, struct arena *arena, const struct repair_plan *plan)
{
    const bool *moved = plan_find_moved(arena, plan);
    bool has_any = false;

    for (size_t i = 0; i < plan->after->resource_count; i++) {
        if (!moved[i])
            continue;
        if (!has_any)
            strbuf_add(out, STR("The following resources will be reordered to appear before their "
                                "dependents:\n\n"));
        has_any = true;
        plan_add_resource(out, "* ", plan->sorted[i]);
    }
    if (has_any)
        strbuf_add_char(out, '\n');
}

/* --- references --- */

static const char *const plan_link_names[] = {
    [LINK_PARENT] = "parent",
    [LINK_DEPENDENCY] = "dependency",
    [LINK_PROPERTY] = "property dependency: ",
    [LINK_DELETED_WITH] = "deleted with",
    [LINK_REPLACE_WITH] = "replace with",
};

/* A line for each reference to something that `known` does not have. */
static size_t plan_add_missing(struct strbuf *out, const struct map *known,
                               const struct resource *resource)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct link_cursor cursor = { 0 };
    struct link link;
    size_t count = 0;

    while (resource_link_next(resource, &cursor, &link)) {
        if (link.kind == LINK_PROVIDER || map_has(known, link.urn))
            continue;
        strbuf_add(out, STR("  " PLAN_REMOVED));
        strbuf_printf(
            out, STR_FMT " [%s" STR_FMT "]\n", STR_ARG(color_quote(&scratch, link.urn)),
            plan_link_names[link.kind],
            STR_ARG(link.kind == LINK_PROPERTY ? color_quote(&scratch, link.key) : STR("")));
        count++;
    }
    return count;
}

static void plan_add_references(struct strbuf *out, const struct repair_plan *plan)
{
    CLEANUP(map_release) struct map known = { 0 };
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool has_any = false;

    for (size_t i = 0; i < plan->after->resource_count; i++) {
        struct resource *before = plan->sorted[i];
        const struct resource *after = plan->after->resources[i];
        CLEANUP(strbuf_release) struct strbuf missing = { 0 };
        bool is_renamed = !str_equal(before->urn, after->urn);
        size_t count = plan_add_missing(&missing, &known, before);
        map_put(&known, before->urn, before);
        if (!count && !is_renamed)
            continue;
        if (!has_any)
            strbuf_add(out, STR("The following resources will be modified to remove missing "
                                "dependencies:\n\n"));
        has_any = true;
        plan_add_resource(out, PLAN_CHANGED, before);
        if (is_renamed) {
            strbuf_add(out, STR("  " PLAN_CHANGED));
            strbuf_printf(out, STR_FMT " [urn]\n", STR_ARG(color_quote(&scratch, after->urn)));
        }
        strbuf_add(out, strbuf_str(&missing));
    }
}

str repair_plan_text(struct arena *arena, const struct repair_plan *plan)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    plan_add_order(&text, arena, plan);
    plan_add_references(&text, plan);
    return arena_copy(arena, strbuf_str(&text));
}
