/* engine_cloud.c — objects of a made-up provider, and whether the engine treats them well. */
#include "unit/engine_parts.h"

#include "model/resource_links.h"
#include "model/urn.h"

void cloud_release(struct cloud *cloud)
{
    vec_release(cloud);
    strbuf_release(&cloud->complaints);
}

static struct cloud_object *find_object(const struct world *world, str id)
{
    for (size_t i = 0; world->cloud && i < world->cloud->len; i++)
        if (str_equal(world->cloud->items[i].id, id))
            return &world->cloud->items[i];
    return NULL;
}

static void complain(struct world *world, const char *what, str id)
{
    strbuf_printf(&world->cloud->complaints, STR_FMT " %s\n", STR_ARG(id), what);
}

/* --- what the provider does --- */

str cloud_new_id(struct world *world, str name)
{
    if (!world->cloud)
        return arena_concat(&world->arena, STR("new-"), name);
    return arena_printf(&world->arena, STR_FMT "-%u", STR_ARG(name), ++world->cloud->created);
}

void cloud_add(struct world *world, str id, bool is_certain)
{
    const struct cloud_object object = { arena_copy(&world->arena, id), true, !is_certain };

    if (world->cloud)
        vec_add(world->cloud, object);
}

bool cloud_has(const struct world *world, str id)
{
    const struct cloud_object *object = find_object(world, id);

    return !world->cloud || (object && object->exists);
}

void cloud_lose(struct world *world, str id)
{
    struct cloud_object *object = find_object(world, id);

    if (object) {
        object->exists = false;
        object->is_released = true;
    }
}

void cloud_release_object(struct world *world, str id)
{
    struct cloud_object *object = find_object(world, id);

    if (object)
        object->is_released = true;
}

void cloud_update(struct world *world, str id)
{
    const struct cloud_object *object = find_object(world, id);

    if (world->cloud && (!object || (!object->exists && !object->is_released)))
        complain(world, "is updated, and does not exist", id);
}

static bool has_begun(struct world *world, const char *op, str urn)
{
    str line = arena_printf(&world->arena, "begin %s " STR_FMT "\n", op, STR_ARG(urn_name_of(urn)));

    return str_find(strbuf_str(&world->history), line) != SIZE_MAX;
}

/* Is it deleted because nobody wants it any more? What goes before it is replaced may leave
 * dependents behind. */
static bool is_unwanted(struct world *world, str urn)
{
    return has_begun(world, "delete", urn) && !has_begun(world, "delete-replaced", urn);
}

static bool refers_to(const struct resource *resource, str urn)
{
    struct link_cursor cursor = { 0 };
    struct link link;

    while (resource_link_next(resource, &cursor, &link))
        if (str_equal(link.urn, urn) && link.kind != LINK_REPLACE_WITH)
            return true;
    return false;
}

static bool is_managed(const struct resource *resource)
{
    return resource->is_custom && !resource->is_pending_replacement && !resource->is_external
           && resource->id.len && !type_is_provider(resource->type);
}

/* What refers to its URN means the instance that has replaced it. */
static bool has_successor(const struct snapshot *now, str urn, str id)
{
    bool is_left_over = false, is_live = false;

    for (size_t i = 0; i < now->resource_count; i++) {
        const struct resource *resource = now->resources[i];
        if (!str_equal(resource->urn, urn))
            continue;
        is_left_over |= resource->is_delete && str_equal(resource->id, id);
        is_live |= !resource->is_delete;
    }
    return is_left_over && is_live;
}

/* A state lists what is needed first. What is behind another copy of a URN, and before this one,
 * means the other. */
static size_t first_to_mean(const struct snapshot *now, str urn, str id)
{
    bool has_other = false;

    for (size_t i = 0; i < now->resource_count; i++) {
        if (!str_equal(now->resources[i]->urn, urn))
            continue;
        if (str_equal(now->resources[i]->id, id))
            return has_other ? i : 0;
        has_other = true;
    }
    return 0;
}

static void check_dependents(struct world *world, str urn, str id)
{
    struct snapshot now = { 0 };

    assert_ok(recorder_snapshot(&world->deployment.recorder, &now));
    if (has_successor(&now, urn, id))
        return;
    for (size_t i = first_to_mean(&now, urn, id); i < now.resource_count; i++) {
        const struct resource *other = now.resources[i];
        const struct cloud_object *object = find_object(world, other->id);
        if (is_managed(other) && !str_equal(other->id, id) && object && object->exists
            && !object->is_released && refers_to(other, urn)) {
            complain(world, "is deleted before its dependent:", id);
            complain(world, "", other->id);
        }
    }
}

/* A pending replacement is deleted once more, if it is created again without deleting first:
 * scenario pending/pending-replace-goal-went-back. */
static bool was_deleted_first(const struct world *world, str id)
{
    for (size_t i = 0; i < world->base.resource_count; i++)
        if (str_equal(world->base.resources[i]->id, id)
            && world->base.resources[i]->is_pending_replacement)
            return true;
    return false;
}

void cloud_delete(struct world *world, str urn, str id)
{
    struct cloud_object *object = find_object(world, id);

    if (!world->cloud)
        return;
    if (!object)
        complain(world, "is deleted, and nobody has made it", id);
    else if (!object->exists && !object->is_released && !was_deleted_first(world, id))
        complain(world, "is deleted twice", id);
    /* What is deleted once more, to be safe, may have a successor that others refer to. */
    if (object && object->exists && is_unwanted(world, urn))
        check_dependents(world, urn, id);
    if (object)
        object->exists = false;
}

/* --- after an operation --- */

/* Who has only read it does not count where another manages it. */
static const struct resource *find_state(const struct snapshot *snapshot, str id)
{
    const struct resource *found = NULL;

    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        if (str_equal(resource->id, id) && resource->is_custom && (!found || is_managed(resource)))
            found = resource;
    }
    return found;
}

/* Something protected is not deleted, so nothing goes with it, but with an instance that it has
 * replaced, even if a later run deletes that. */
static bool was_protected(struct world *world, str urn)
{
    if (has_begun(world, "delete-replaced", urn))
        return false;
    for (size_t i = 0; i < world->base.resource_count; i++) {
        const struct resource *before = world->base.resources[i];
        const struct resource *now = find_state(&world->result, before->id);
        if (str_equal(before->urn, urn) && before->options.protect && !before->is_delete && now
            && !now->is_delete && now->options.protect && is_managed(before))
            return !world->options.plan.ignore_protect;
    }
    return false;
}

static bool may_be_left(struct world *world, const struct resource_options *options)
{
    return options->retain_on_delete
           || (options->deleted_with.len > 0 && !was_protected(world, options->deleted_with));
}

/* The program may have said so in this run only: then it is in the sample. */
static bool is_left_by_program(const struct world *world, str id, str urn)
{
    for (size_t i = 0; i < world->actions.len; i++) {
        const struct sample *sample = &world->actions.items[i].sample;
        if (str_equal(str_from(sample->read_id), id))
            return true;
        bool is_meant = str_equal(str_from(sample->name), urn_name_of(urn))
                        || world_list_has(sample->aliases, urn)
                        || str_equal(sample->alias.name, urn_name_of(urn));
        if (is_meant && (sample->retain_on_delete || sample->deleted_with))
            return true;
    }
    return false;
}

/* What was being created has no ID yet, but the name that its ID begins with. */
static bool is_pending(const struct snapshot *snapshot, str id)
{
    for (size_t i = 0; i < snapshot->pending_count; i++)
        if (str_equal(snapshot->pending[i].resource->id, id)
            || str_starts_with(id, urn_name_of(snapshot->pending[i].resource->urn)))
            return true;
    return false;
}

static void check_object(struct world *world, struct cloud_object *object)
{
    const struct resource *now = find_state(&world->result, object->id);
    const struct resource *before = find_state(&world->base, object->id);

    if (now && is_managed(now) && object->exists)
        object->is_released = false;
    if (is_pending(&world->result, object->id))
        object->is_released = true;
    if (now && is_managed(now) && !object->exists && !object->is_released)
        complain(world, "was deleted and is in the state", object->id);
    if ((now && !now->is_pending_replacement) || !object->exists || object->is_released)
        return;
    if ((before && (before->is_external || may_be_left(world, &before->options)))
        || is_left_by_program(world, object->id, before ? before->urn : STR("")))
        object->is_released = true;
    else
        complain(world, "exists and is forgotten", object->id);
}

void cloud_check(struct world *world)
{
    for (size_t i = 0; i < world->cloud->len; i++)
        check_object(world, &world->cloud->items[i]);
}
