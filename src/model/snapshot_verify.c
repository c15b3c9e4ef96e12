/* snapshot_verify.c — the conditions a snapshot must meet before an operation may trust it. */
#include "model/snapshot.h"

#include "base/json.h"
#include "base/map.h"
#include "model/resource_links.h"
#include "model/urn.h"

/* Where the copies of one URN are in the list. */
struct places {
    size_t first, last; /* index + 1 */
    size_t count;
    size_t deleted;
};

struct check {
    struct arena arena;
    const struct snapshot *snapshot;
    struct map places;    /* URN → struct places, of the whole list */
    struct map providers; /* references that have been seen */
};

static void check_release(struct check *check)
{
    map_release(&check->places);
    map_release(&check->providers);
    arena_release(&check->arena);
}

static void find_places(struct check *check)
{
    for (size_t i = 0; i < check->snapshot->resource_count; i++) {
        const struct resource *resource = check->snapshot->resources[i];
        struct places *places = map_find(&check->places, resource->urn);
        if (!places) {
            places = ARENA_NEW(&check->arena, struct places);
            places->first = i + 1;
            map_put(&check->places, resource->urn, places);
        }
        places->last = i + 1;
        places->count++;
        places->deleted += resource->is_delete;
    }
}

static fallible check_fields(const struct resource *resource, size_t index)
{
    if (resource->urn.len == 0)
        return error_new(ERROR_INVALID, "resource at index %zu missing required 'urn' field",
                         index);
    if (resource->type.len == 0)
        return error_new(ERROR_INVALID, "resource '" STR_FMT "' missing required 'type' field",
                         STR_ARG(resource->urn));
    if (!resource->is_custom && resource->id.len)
        return error_new(ERROR_INVALID, "resource '" STR_FMT "' has 'custom false but non-empty ID",
                         STR_ARG(resource->urn));
    return NULL;
}

/* A provider becomes known by the reference others use for it. */
static fallible note_provider(struct check *check, const struct resource *resource)
{
    str urn, id;

    if (!type_is_provider(resource->type))
        return NULL;
    str reference = provider_ref_format(&check->arena, resource->urn, resource->id);
    TRY(error_wrap(provider_ref_parse(reference, &urn, &id),
                   "provider " STR_FMT " is not referenceable", STR_ARG(resource->urn)));
    map_put(&check->providers, reference, check);
    return NULL;
}

static fallible check_provider(const struct check *check, const struct resource *resource)
{
    str urn, id;

    if (resource->provider.len == 0)
        return NULL;
    TRY(error_wrap(provider_ref_parse(resource->provider, &urn, &id),
                   "failed to parse provider reference for resource " STR_FMT,
                   STR_ARG(resource->urn)));
    if (!map_has(&check->providers, resource->provider) && !resource->is_pending_replacement)
        return error_new(ERROR_INVALID, "resource " STR_FMT " refers to unknown provider " STR_FMT,
                         STR_ARG(resource->urn), STR_ARG(resource->provider));
    return NULL;
}

static fallible fail_link(const struct resource *resource, const struct link *link, bool is_later)
{
    str urn = resource->urn, to = link->urn;

    switch (link->kind) {
    case LINK_PARENT:
        if (is_later)
            return error_new(ERROR_INVALID,
                             "child resource " STR_FMT "'s parent " STR_FMT " comes after it",
                             STR_ARG(urn), STR_ARG(to));
        return error_new(ERROR_INVALID,
                         "child resource " STR_FMT " refers to missing parent " STR_FMT,
                         STR_ARG(urn), STR_ARG(to));
    case LINK_DEPENDENCY:
        return error_new(ERROR_INVALID, "resource " STR_FMT "'s dependency " STR_FMT " %s",
                         STR_ARG(urn), STR_ARG(to),
                         is_later ? "comes after it" : "refers to missing resource");
    case LINK_PROPERTY:
        return error_new(ERROR_INVALID,
                         "resource " STR_FMT "'s property dependency " STR_FMT
                         " (from property " STR_FMT ") %s",
                         STR_ARG(urn), STR_ARG(to), STR_ARG(link->key),
                         is_later ? "comes after it" : "refers to missing resource");
    case LINK_DELETED_WITH:
        return error_new(ERROR_INVALID,
                         "resource " STR_FMT " is specified as being deleted with " STR_FMT
                         ", which %s",
                         STR_ARG(urn), STR_ARG(to), is_later ? "comes after it" : "is missing");
    case LINK_REPLACE_WITH:
        return error_new(ERROR_INVALID,
                         "resource " STR_FMT " is specified as being replaced with " STR_FMT
                         ", which %s",
                         STR_ARG(urn), STR_ARG(to), is_later ? "comes after it" : "is missing");
    case LINK_PROVIDER:
    case LINK_VIEW_OF: break;
    }
    return NULL;
}

static fallible check_links(const struct check *check, const struct resource *resource,
                            size_t index)
{
    struct link_cursor cursor = { 0 };
    struct link link;

    while (resource_link_next(resource, &cursor, &link)) {
        if (link.kind == LINK_PROVIDER)
            continue;
        const struct places *places = map_find(&check->places, link.urn);
        if (!places || places->first > index)
            return fail_link(resource, &link, places && places->last > index + 1);
    }
    return NULL;
}

static fallible check_duplicates(const struct check *check)
{
    const struct map_entry *entry;

    for (size_t cursor = 0; map_next(&check->places, &cursor, &entry);) {
        const struct places *places = entry->value;
        if (places->count - places->deleted > 1)
            return error_new(ERROR_INVALID,
                             "duplicate resource " STR_FMT " (not marked for deletion)",
                             STR_ARG(entry->key));
    }
    return NULL;
}

static fallible read_uuid(struct json_reader *reader, str *out)
{
    static const struct json_field fields[] = { { "uuid", json_field_string, 0 }, { 0 } };

    *out = STR("");
    return json_read_fields(reader, fields, out);
}

static fallible check_snippets(struct check *check)
{
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    CLEANUP(map_release) struct map seen = { 0 };
    bool more;

    json_reader_init(&reader, &check->arena, check->snapshot->snippets);
    TRY(json_array_begin(&reader));
    for (size_t index = 0;; index++) {
        str uuid;
        TRY(json_array_next(&reader, &more));
        if (!more)
            return NULL;
        TRY(read_uuid(&reader, &uuid));
        if (uuid.len == 0)
            return error_new(ERROR_INVALID, "snippet at index %zu missing required 'uuid' field",
                             index);
        size_t *other = map_find(&seen, uuid);
        if (other)
            return error_new(ERROR_INVALID,
                             "duplicate snippet uuid \"" STR_FMT "\" at indexes %zu and %zu",
                             STR_ARG(uuid), *other, index);
        map_put(&seen, uuid, arena_copy_bytes(&check->arena, &index, sizeof(index)));
    }
}

fallible snapshot_verify(const struct snapshot *snapshot)
{
    CLEANUP(check_release) struct check check = { .snapshot = snapshot };

    if (!str_equal(snapshot->magic, snapshot_magic(&check.arena, snapshot->version)))
        return error_new(ERROR_INVALID,
                         "magic cookie mismatch; possible tampering/corruption detected");
    find_places(&check);
    for (size_t i = 0; i < snapshot->resource_count; i++) {
        const struct resource *resource = snapshot->resources[i];
        TRY(check_fields(resource, i));
        TRY(note_provider(&check, resource));
        TRY(check_provider(&check, resource));
        TRY(check_links(&check, resource, i));
    }
    TRY(check_duplicates(&check));
    return snapshot->snippets.len ? check_snippets(&check) : NULL;
}
