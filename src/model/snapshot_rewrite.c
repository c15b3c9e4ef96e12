/* snapshot_rewrite.c — snapshots whose references follow renamed, or forget vanished, resources. */
#include "model/snapshot.h"

#include "base/map.h"
#include "model/checkpoint_parts.h"
#include "model/resource_links.h"
#include "model/urn.h"

/* An own list of resources, so that its places can be given to copies. */
static void own_resources(struct arena *arena, struct snapshot *snapshot)
{
    if (snapshot->resource_count)
        snapshot->resources = arena_copy_bytes(
            arena, snapshot->resources, snapshot->resource_count * sizeof(*snapshot->resources));
}

/* --- aliases --- */

/* Renamed resources: old URN → new URN, as `str *`. */
struct renames {
    struct arena *arena;
    struct map map;
    struct map staying; /* URNs of children that keep their names, though their parent does not */
    bool has_moved_children;
};

static void renames_release(struct renames *renames)
{
    map_release(&renames->map);
    map_release(&renames->staying);
}

static void rename_add(struct renames *renames, str from, str to)
{
    map_put(&renames->map, from, arena_copy_bytes(renames->arena, &to, sizeof(to)));
}

/* One step only: a new name is not looked up again. */
static str rename_apply(const struct renames *renames, str urn)
{
    const str *to = map_find(&renames->map, urn);

    return to ? *to : urn;
}

static fallible note_aliases(struct renames *renames, const struct resource *resource)
{
    for (size_t i = 0; i < resource->aliases.len; i++) {
        str alias = resource->aliases.items[i];
        const str *other = map_find(&renames->map, alias);
        if (other && !str_equal(*other, resource->urn))
            return error_new(ERROR_INVALID,
                             "Two resources ('" STR_FMT "' and '" STR_FMT
                             "') aliased to the same: '" STR_FMT "'",
                             STR_ARG(*other), STR_ARG(resource->urn), STR_ARG(alias));
        rename_add(renames, alias, resource->urn);
    }
    return NULL;
}

/* The URN of a child holds the types of its parents, so it changes with theirs, unless the program
 * has given it another already: test_snapshot.c: what_has_its_new_name_does_not_follow_its_parent,
 * what_is_left_of_a_child_goes_by_the_name_of_its_successor. */
static void note_moved_child(struct renames *renames, const struct resource *resource)
{
    const str *parent = map_find(&renames->map, resource->parent);
    struct urn urn;

    if (!parent || parent->len == 0 || str_equal(urn_qualified_type_of(*parent), ROOT_STACK_TYPE)
        || map_has(&renames->staying, resource->urn) || map_has(&renames->map, resource->urn)
        || resource->aliases.len)
        return;
    struct error *error = urn_parse(resource->urn, &urn);
    if (error) {
        error_ignore(error, "what has no types in its name keeps its name");
        return;
    }
    rename_add(renames, resource->urn,
               urn_make(renames->arena, urn.stack, urn.project, *parent, urn_type(&urn), urn.name));
    renames->has_moved_children = true;
}

static fallible note_renames(struct renames *renames, const struct snapshot *snapshot)
{
    map_release(&renames->map);
    renames->has_moved_children = false;
    for (size_t i = 0; i < snapshot->resource_count; i++)
        TRY(note_aliases(renames, snapshot->resources[i]));
    for (size_t i = 0; i < snapshot->resource_count; i++)
        note_moved_child(renames, snapshot->resources[i]);
    return NULL;
}

static bool is_moved(const struct renames *renames, const struct resource *resource)
{
    return map_has(&renames->map, resource->urn) && !map_has(&renames->staying, resource->urn)
           && !str_equal(rename_apply(renames, resource->urn), resource->urn);
}

/* Finds children that would move to the name of another, who may have taken it after the program
 * gave the child up. They stay under the name that they have, which nobody else can have:
 * test_plan_alias.c: a_child_does_not_follow_its_parent_to_a_name_that_is_taken. */
static bool find_collisions(struct renames *renames, const struct snapshot *snapshot)
{
    CLEANUP(map_release) struct map owners = { 0 }; /* URN → the live resource that will have it */
    size_t staying = renames->staying.len;

    for (size_t i = 0; i < snapshot->resource_count && renames->has_moved_children; i++) {
        struct resource *resource = snapshot->resources[i];
        if (resource->is_delete)
            continue;
        str urn = rename_apply(renames, resource->urn);
        struct resource *owner = map_find(&owners, urn);
        if (owner && is_moved(renames, resource))
            map_put(&renames->staying, resource->urn, resource);
        else if (owner && is_moved(renames, owner))
            map_put(&renames->staying, owner->urn, owner);
        else
            map_put(&owners, urn, resource);
    }
    return renames->staying.len > staying;
}

static str follow_rename(void *context, struct link link)
{
    return rename_apply(context, link.urn);
}

static struct resource *rename_resource(struct renames *renames, struct resource *resource)
{
    struct resource *renamed =
        resource_rewrite_links(renames->arena, resource, follow_rename, renames, false);
    str urn = rename_apply(renames, resource->urn);

    if (str_equal(urn, resource->urn) && resource->aliases.len == 0)
        return renamed;
    renamed = resource_clone_shallow(renames->arena, renamed);
    renamed->urn = urn;
    renamed->aliases = (struct strs){ 0 };
    return renamed;
}

/* A snippet names resources in [{"references": {name: URN}}]. */
static fallible rename_in_snippets(struct renames *renames, str *snippets)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out };
    struct json_token token = { 0 };
    bool is_in_references = false;

    json_reader_init(&reader, renames->arena, *snippets);
    do {
        TRY(json_next(&reader, &token));
        if (token.kind == JSON_KEY && reader.stack.len == 2)
            is_in_references = str_equal(token.text, STR("references"));
        if (token.kind == JSON_STRING && reader.stack.len == 3 && is_in_references)
            token.text = rename_apply(renames, token.text);
        token_write(&writer, &token);
    } while (token.kind != JSON_END);
    *snippets = arena_copy(renames->arena, strbuf_str(&out));
    return NULL;
}

fallible snapshot_normalize_aliases(struct arena *arena, struct snapshot *snapshot)
{
    CLEANUP(renames_release) struct renames renames = { .arena = arena };

    do
        TRY(note_renames(&renames, snapshot));
    while (find_collisions(&renames, snapshot));
    if (renames.map.len == 0)
        return NULL;
    own_resources(arena, snapshot);
    for (size_t i = 0; i < snapshot->resource_count; i++)
        snapshot->resources[i] = rename_resource(&renames, snapshot->resources[i]);
    return snapshot->snippets.len ? rename_in_snippets(&renames, &snapshot->snippets) : NULL;
}

/* --- dangling references --- */

struct survivors {
    struct map before;   /* URN, also a former one → its resource, before the current one */
    struct map vanished; /* URN → resource of the base */
    bool is_delete;      /* the current one waits to be deleted */
};

static void survivors_release(struct survivors *survivors)
{
    map_release(&survivors->before);
    map_release(&survivors->vanished);
}

static void note_name(struct map *survivors, str urn, struct resource *resource)
{
    const struct resource *other = map_find(survivors, urn);

    if (!other || other->is_delete || !resource->is_delete)
        map_put(survivors, urn, resource);
}

/* References to its former names are not dangling: test_plan_refresh.c:
 * what_was_renamed_while_others_were_read_is_still_referred_to. */
static void note_survivor(struct map *survivors, struct resource *resource)
{
    note_name(survivors, resource->urn, resource);
    for (size_t i = 0; i < resource->aliases.len; i++)
        note_name(survivors, resource->aliases.items[i], resource);
}

/* What waits to be deleted is there only for others that do: test_plan_refresh.c:
 * what_stays_does_not_depend_on_leftovers_of_what_is_gone. */
static bool is_left(const struct survivors *survivors, str urn)
{
    const struct resource *found = map_find(&survivors->before, urn);

    return found && (survivors->is_delete || !found->is_delete);
}

/* The nearest ancestor that is left before its child: what comes behind is another instance, which
 * waits to be deleted. test_snapshot.c:
 * what_is_left_to_be_deleted_is_no_parent_of_what_comes_before_it. A base is in topological order,
 * so the way up ends; the count is for one that is not. */
static str surviving_parent(const struct survivors *survivors, str parent)
{
    for (size_t steps = 0; parent.len && steps <= survivors->vanished.len; steps++) {
        if (is_left(survivors, parent))
            return parent;
        const struct resource *vanished = map_find(&survivors->vanished, parent);
        parent = vanished ? vanished->parent : STR("");
    }
    return STR("");
}

static str keep_surviving(void *context, struct link link)
{
    const struct survivors *survivors = context;

    switch (link.kind) {
    case LINK_PARENT: return surviving_parent(survivors, link.urn);
    case LINK_DEPENDENCY:
    case LINK_PROPERTY:
    case LINK_DELETED_WITH:
    case LINK_REPLACE_WITH: return is_left(survivors, link.urn) ? link.urn : STR("");
    case LINK_PROVIDER:
    case LINK_VIEW_OF: break;
    }
    return link.urn;
}

void snapshot_drop_dangling(struct arena *arena, struct snapshot *snapshot,
                            const struct snapshot *base, size_t untouched)
{
    CLEANUP(survivors_release) struct survivors survivors = { 0 };

    for (size_t i = 0; base && i < base->resource_count; i++)
        map_put(&survivors.vanished, base->resources[i]->urn, base->resources[i]);
    own_resources(arena, snapshot);
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        struct resource *resource = snapshot->resources[i];
        survivors.is_delete = resource->is_delete;
        struct resource *left =
            resource_rewrite_links(arena, resource, keep_surviving, &survivors, i >= untouched);
        /* One that has lost something is written anew, as those after it are: scenario
         * refresh/refresh-run-program-gone. */
        if (left != resource)
            left = resource_rewrite_links(arena, resource, keep_surviving, &survivors, true);
        snapshot->resources[i] = left;
        note_survivor(&survivors.before, resource);
    }
}
