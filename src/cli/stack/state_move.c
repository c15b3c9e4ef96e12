/* state_move.c — plans and carries out the move of resources between two states. */
#include "cli/stack/state_move.h"

#include "base/map.h"
#include "base/program.h"
#include "cli/stack/urn_edit.h"
#include "model/resource_links.h"
#include "model/snapshot_repair.h"
#include "model/urn.h"

/* What is known while the move is carried out. */
struct moving {
    struct state_move *move;
    struct map source;        /* URN → struct resource *: one of its states there */
    struct map going;         /* URNs, as a set */
    struct map providers;     /* references that what goes has, as a set */
    struct map target;        /* URN → struct resource * that the destination has or gets */
    struct map arrived;       /* URNs there of what was moved, as a set */
    struct map renamed;       /* URN, or provider reference, as it was → str * as it is there */
    struct resource **states; /* that go: those of move->moved */
    struct resource *root;    /* the destination's */
    struct {
        struct resource **items;
        size_t len, capacity;
    } result; /* the destination's new list */
};

static void moving_release(struct moving *moving)
{
    map_release(&moving->source);
    map_release(&moving->going);
    map_release(&moving->providers);
    map_release(&moving->target);
    map_release(&moving->arrived);
    map_release(&moving->renamed);
}

static void append(struct moving *moving, struct resource *resource)
{
    BUG_IF(moving->result.len == moving->result.capacity);
    moving->result.items[moving->result.len++] = resource;
    map_put(&moving->target, resource->urn, resource);
}

static void rename_to(struct moving *moving, str from, str to)
{
    str *kept = ARENA_NEW(moving->move->arena, str);

    *kept = to;
    map_put(&moving->renamed, from, kept);
}

static bool is_root(const struct resource *resource)
{
    return str_equal(resource->type, ROOT_STACK_TYPE) && !resource->parent.len;
}

/* --- which resources move --- */

static fallible choose_named(struct moving *moving)
{
    struct state_move *move = moving->move;
    str *missing = ARENA_ARRAY(move->arena, str, move->urns.len);
    size_t missing_count = 0;

    for (size_t i = 0; i < move->urns.len; i++) {
        const struct resource *resource = map_find(&moving->source, move->urns.items[i]);
        if (!resource) {
            missing[missing_count++] = move->urns.items[i];
            continue;
        }
        if (type_is_provider(resource->type))
            return error_new(ERROR_INVALID,
                             "cannot move providers. Only resources can be moved, and "
                             "providers will be included automatically");
        map_put(&moving->going, resource->urn, moving);
    }
    move->missing = (struct strs){ missing, missing_count };
    return NULL;
}

static void choose_parents(struct moving *moving)
{
    const struct snapshot *from = moving->move->from;

    for (size_t i = from->resource_count; i-- > 0;) {
        const struct resource *child = from->resources[i];
        const struct resource *parent = map_has(&moving->going, child->urn) && child->parent.len
                                            ? map_find(&moving->source, child->parent)
                                            : NULL;
        if (parent && !is_root(parent) && !type_is_provider(parent->type))
            map_put(&moving->going, parent->urn, moving);
    }
}

/* Parents come before their children, so one pass takes whole families. */
static void choose_children(struct moving *moving)
{
    const struct snapshot *from = moving->move->from;

    for (size_t i = 0; i < from->resource_count; i++) {
        struct resource *resource = from->resources[i];
        if (resource->parent.len && map_has(&moving->going, resource->parent)
            && !type_is_provider(resource->type))
            map_put(&moving->going, resource->urn, moving);
    }
}

/* The stack resource itself never moves; naming it means all its children. */
static void leave_root(struct moving *moving)
{
    const struct snapshot *from = moving->move->from;

    for (size_t i = 0; i < from->resource_count; i++) {
        if (is_root(from->resources[i]))
            map_remove(&moving->going, from->resources[i]->urn);
    }
}

/* A URN goes with all its states: also with one that is to be deleted, if the resource was being
 * replaced. */
static void list_states(struct moving *moving)
{
    struct state_move *move = moving->move;
    size_t most = move->from->resource_count, count = 0;
    str *urns = ARENA_ARRAY(move->arena, str, most);

    moving->states = ARENA_ARRAY(move->arena, struct resource *, most);
    for (size_t i = 0; i < most; i++) {
        struct resource *resource = move->from->resources[i];
        if (!map_has(&moving->going, resource->urn))
            continue;
        map_put(&moving->providers, resource->provider, moving);
        moving->states[count] = resource;
        urns[count++] = resource->urn;
    }
    move->moved = (struct strs){ urns, count };
}

static fallible choose(struct moving *moving)
{
    struct state_move *move = moving->move;

    for (size_t i = 0; i < move->from->resource_count; i++)
        map_put(&moving->source, move->from->resources[i]->urn, move->from->resources[i]);
    TRY(choose_named(moving));
    if (!moving->going.len)
        return error_new(ERROR_NOT_FOUND,
                         "no resources found to move\nTo list the resource URNs in the stack, run "
                         "`%s stack --show-urns --stack " STR_FMT "`",
                         program_name(),
                         STR_ARG(stack_ref_qualified(move->arena, move->from_stack)));
    if (move->includes_parents)
        choose_parents(moving);
    choose_children(moving);
    leave_root(moving);
    list_states(moving);
    return NULL;
}

/* --- links that are cut --- */

struct cutting {
    const struct map *across; /* URNs on the other side */
    bool is_inverse;          /* everything that is not in the map is on the other side */
    str who;
    struct strbuf *report;
};

static void tell(struct cutting *cutting, struct link link)
{
    static const char *const words[] = {
        [LINK_DEPENDENCY] = " has a dependency on ",
        [LINK_PROPERTY] = " has a property dependency on ",
        [LINK_DELETED_WITH] = " is marked as deleted with ",
        [LINK_REPLACE_WITH] = " is marked as replace with ",
    };

    strbuf_add(cutting->report, STR("  - "));
    strbuf_add(cutting->report, cutting->who);
    if (link.kind == LINK_PROPERTY)
        strbuf_printf(cutting->report, " (" STR_FMT ")", STR_ARG(link.key));
    strbuf_printf(cutting->report, "%s" STR_FMT "\n", words[link.kind], STR_ARG(link.urn));
}

static str cut_link(void *cutting_, struct link link)
{
    struct cutting *cutting = cutting_;
    bool is_cut = map_has(cutting->across, link.urn) != cutting->is_inverse;

    if (!is_cut || link.kind == LINK_PARENT || link.kind == LINK_PROVIDER
        || link.kind == LINK_VIEW_OF)
        return link.urn;
    tell(cutting, link);
    return STR("");
}

/* --- the destination --- */

static void add_root(struct moving *moving)
{
    struct state_move *move = moving->move;
    struct stack_ref stack = move->to_stack;

    for (size_t i = 0; i < move->to->resource_count; i++) {
        if (is_root(move->to->resources[i]))
            moving->root = move->to->resources[i];
    }
    if (!moving->root) {
        struct resource *root = ARENA_NEW(move->arena, struct resource);
        root->type = ROOT_STACK_TYPE;
        root->urn = urn_make(move->arena, stack.name, stack.project, STR(""), ROOT_STACK_TYPE,
                             arena_concat(move->arena, stack.project, STR("-"), stack.name));
        root->inputs = root->outputs = VALUE_EMPTY_OBJECT;
        moving->root = root;
        append(moving, root);
    }
    for (size_t i = 0; i < move->to->resource_count; i++)
        append(moving, move->to->resources[i]);
}

static str move_urn(void *moving_, str urn)
{
    const struct moving *moving = moving_;
    const str *known = map_find(&moving->renamed, urn);

    return known ? *known
                 : urn_edit_stack(moving->move->arena, urn, moving->move->to_stack.project,
                                  moving->move->to_stack.name);
}

/* A copy as it is called and connected in the destination. */
static struct resource *translate(struct moving *moving, struct resource *resource)
{
    struct arena *arena = moving->move->arena;
    struct cutting cutting = { &moving->going, true, resource->urn, &moving->move->cut_off };
    bool keeps_parent = resource->parent.len && map_has(&moving->going, resource->parent);
    const str *provider =
        resource->provider.len ? map_find(&moving->renamed, resource->provider) : NULL;
    struct resource *copy = resource_clone_shallow(
        arena, resource_rewrite_links(arena, resource, cut_link, &cutting, true));

    copy = urn_edit_resource(arena, copy, move_urn, moving, true);
    if (copy == resource)
        copy = resource_clone_shallow(arena, copy);
    copy->parent = keeps_parent ? copy->parent : moving->root->urn;
    copy->urn = urn_make(arena, moving->move->to_stack.name, moving->move->to_stack.project,
                         copy->parent, copy->type, urn_name_of(resource->urn));
    if (provider)
        copy->provider = *provider;
    return copy;
}

/* A provider that is there already, with the same identity or the same configuration, serves. The
 * source keeps its own, so the two share no secret: each is sealed for its stack. */
static fallible copy_provider(struct moving *moving, struct resource *provider)
{
    struct arena *arena = moving->move->arena;
    struct resource *copy = resource_copy_like(arena, translate(moving, provider), NULL);
    const struct resource *known = map_find(&moving->target, copy->urn);

    if (known && !str_equal(known->id, copy->id) && !value_equal(known->inputs, copy->inputs))
        return error_new(ERROR_EXISTS, "provider " STR_FMT " already exists in destination stack",
                         STR_ARG(copy->urn));
    rename_to(moving, provider_ref_format(arena, provider->urn, provider->id),
              known ? provider_ref_format(arena, known->urn, known->id)
                    : provider_ref_format(arena, copy->urn, copy->id));
    if (!known)
        append(moving, copy);
    return NULL;
}

/* The destination is written before the source: after a move that was cut off in between it has
 * what the source still has. */
static bool has_come_before(const struct moving *moving, const struct resource *copy)
{
    const struct snapshot *to = moving->move->to;

    for (size_t i = 0; i < to->resource_count; i++) {
        const struct resource *there = to->resources[i];
        if (str_equal(there->urn, copy->urn) && str_equal(there->id, copy->id)
            && there->is_delete == copy->is_delete && value_equal(there->inputs, copy->inputs)
            && value_equal(there->outputs, copy->outputs))
            return true;
    }
    return false;
}

static fallible arrive(struct moving *moving, str urn, struct resource *copy)
{
    rename_to(moving, urn, copy->urn);
    if (!map_has(&moving->target, copy->urn) || map_has(&moving->arrived, copy->urn)) {
        map_put(&moving->arrived, copy->urn, moving);
        append(moving, copy);
        return NULL;
    }
    if (has_come_before(moving, copy))
        return NULL;
    return error_new(ERROR_EXISTS, "resource " STR_FMT " already exists in destination stack",
                     STR_ARG(copy->urn));
}

static bool is_needed_provider(const struct moving *moving, const struct resource *resource)
{
    return type_is_provider(resource->type)
           && map_has(&moving->providers,
                      provider_ref_format(moving->move->arena, resource->urn, resource->id));
}

/* What arrives comes behind the copies of providers. But a provider may be the child of what goes,
 * or depend on it: test_state_move.c: a_provider_below_what_goes_is_there_on_both_sides. */
static fallible put_providers_first(struct moving *moving, size_t first)
{
    struct resource **items = moving->result.items;
    struct resource **arrived =
        ARENA_ARRAY(moving->move->arena, struct resource *, moving->result.len);
    size_t providers = first, len = 0;

    for (size_t i = first; i < moving->result.len; i++) {
        if (map_has(&moving->arrived, items[i]->urn))
            arrived[len++] = items[i];
        else
            items[providers++] = items[i];
    }
    memcpy(items + providers, arrived, len * sizeof(*items));
    return snapshot_sort(moving->move->arena, moving->move->to);
}

/* In the order of the source, as the name of each has what is above it. */
static fallible fill_destination(struct moving *moving)
{
    struct state_move *move = moving->move;
    size_t next = 0;

    add_root(moving);
    size_t first = moving->result.len;
    for (size_t i = 0; i < move->from->resource_count; i++) {
        struct resource *resource = move->from->resources[i];
        if (is_needed_provider(moving, resource)) {
            TRY(copy_provider(moving, resource));
        } else if (next < move->moved.len && moving->states[next] == resource) {
            TRY(arrive(moving, move->moved.items[next], translate(moving, resource)));
            next++;
        }
    }
    move->to->resources = moving->result.items;
    move->to->resource_count = moving->result.len;
    return put_providers_first(moving, first);
}

/* Of what is below something that goes only providers stay behind. */
static struct resource *without_lost_parent(struct moving *moving, struct resource *resource)
{
    str parent = resource->parent;

    while (parent.len && map_has(&moving->going, parent)) {
        const struct resource *state = map_find(&moving->source, parent);
        parent = state ? state->parent : STR("");
    }
    if (str_equal(parent, resource->parent))
        return resource;
    resource = resource_clone_shallow(moving->move->arena, resource);
    resource->parent = parent;
    return resource;
}

static void empty_source(struct moving *moving)
{
    struct state_move *move = moving->move;
    size_t kept = 0;

    for (size_t i = 0; i < move->from->resource_count; i++) {
        struct resource *resource = move->from->resources[i];
        struct cutting cutting = { &moving->going, false, resource->urn, &move->left_behind };
        if (!map_has(&moving->going, resource->urn))
            move->from->resources[kept++] = without_lost_parent(
                moving, resource_rewrite_links(move->arena, resource, cut_link, &cutting, true));
    }
    move->from->resource_count = kept;
}

fallible state_move(struct state_move *move)
{
    CLEANUP(moving_release) struct moving moving = { .move = move };

    TRY(choose(&moving));
    moving.result.capacity = move->to->resource_count + move->from->resource_count + 1;
    moving.result.items = ARENA_ARRAY(move->arena, struct resource *, moving.result.capacity);
    TRY(fill_destination(&moving));
    empty_source(&moving);
    return NULL;
}

void state_move_release(struct state_move *move)
{
    strbuf_release(&move->left_behind);
    strbuf_release(&move->cut_off);
}
