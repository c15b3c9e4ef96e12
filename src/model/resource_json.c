/* resource_json.c — one resource as the JSON object of a checkpoint, by the list of fields. */
#include "model/checkpoint_parts.h"

#include "model/resource_fields.h"

static void *member_of(struct resource *resource, const struct resource_field *field)
{
    return (char *)resource + field->offset;
}

static const void *member_in(const struct resource *resource, const struct resource_field *field)
{
    return (const char *)resource + field->offset;
}

/* --- reading --- */

/* The field of that key; the search starts behind the last one found, because fields come in the
 * order of the list. */
static const struct resource_field *resource_json_find_field(str key, size_t *cursor)
{
    for (size_t tried = 0; tried < resource_field_count; tried++) {
        size_t at = (*cursor + tried) % resource_field_count;
        if (str_equal(resource_fields[at].key, key)) {
            *cursor = at + 1;
            return &resource_fields[at];
        }
    }
    return NULL;
}

struct resource_reader {
    struct resource *resource;
    int version;
    size_t cursor; /* where the next field is looked for first */
};

static fallible resource_json_read_field(struct json_reader *reader, str key, void *resource_)
{
    struct resource_reader *context = resource_;
    const struct resource_field *field = resource_json_find_field(key, &context->cursor);

    if (!field || field->since > context->version)
        return json_skip(reader, NULL);
    return error_wrap(field_ops[field->kind].read(reader, member_of(context->resource, field)),
                      "'" STR_FMT "'", STR_ARG(key));
}

static fallible resource_json_check_required(const struct json_reader *reader,
                                             const struct resource *resource)
{
    if (resource->urn.len == 0)
        return json_fail(reader, "resource missing required 'urn' field");
    if (resource->type.len == 0)
        return json_fail(reader, "resource '" STR_FMT "' missing required 'type' field",
                         STR_ARG(resource->urn));
    if (!resource->is_custom && resource->id.len)
        return json_fail(reader, "resource '" STR_FMT "' has 'custom' false but non-empty ID",
                         STR_ARG(resource->urn));
    return NULL;
}

/* Before version 3 nothing was known of single properties: each input depends on everything. */
static void spread_dependencies(struct arena *arena, struct resource *resource)
{
    size_t count = resource->inputs.len;
    struct property_dependency *items = ARENA_ARRAY(arena, struct property_dependency, count);

    for (size_t i = 0; i < count; i++)
        items[i] =
            (struct property_dependency){ resource->inputs.members[i].key, resource->dependencies };
    resource->property_dependencies = (struct property_dependencies){ items, count };
}

fallible resource_read_version(struct json_reader *reader, int version, struct resource **out)
{
    struct resource *resource = ARENA_NEW(reader->arena, struct resource);

    resource->inputs = resource->outputs = VALUE_EMPTY_OBJECT;
    struct resource_reader context = { resource, version, 0 };
    struct error *error = json_read_members(reader, resource_json_read_field, &context);
    if (error && resource->urn.len)
        return error_wrap(error, "resource '" STR_FMT "'", STR_ARG(resource->urn));
    TRY(error_wrap(error, "resource"));
    TRY(resource_json_check_required(reader, resource));
    if (version < 3)
        spread_dependencies(reader->arena, resource);
    *out = resource;
    return NULL;
}

fallible resource_read(struct json_reader *reader, struct resource **out)
{
    return resource_read_version(reader, 3, out);
}

/* --- writing --- */

void resource_write_without(struct json_writer *writer, const struct resource *resource,
                            enum secret_form form, unsigned skipped_flags)
{
    json_begin_object(writer);
    for (size_t i = 0; i < resource_field_count; i++) {
        const struct resource_field *field = &resource_fields[i];
        const void *member = member_in(resource, field);
        if ((field->flags & skipped_flags)
            || (!(field->flags & FIELD_ALWAYS) && field_ops[field->kind].is_empty(member)))
            continue;
        json_key(writer, field->key);
        field_ops[field->kind].write(writer, member, form);
    }
    json_end_object(writer);
}

void resource_write(struct json_writer *writer, const struct resource *resource,
                    enum secret_form form)
{
    resource_write_without(writer, resource, form, 0);
}
