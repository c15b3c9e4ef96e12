/* resource_copy.c — copies of a resource, and its values one by one, by the list of fields. */
#include "model/resource_fields.h"

struct resource *resource_clone_shallow(struct arena *arena, const struct resource *resource)
{
    return arena_copy_bytes(arena, resource, sizeof(*resource));
}

struct resource *resource_copy(struct arena *arena, const struct resource *resource)
{
    struct resource *copy = arena_copy_bytes(arena, resource, sizeof(*resource));

    for (size_t i = 0; i < resource_field_count; i++)
        field_ops[resource_fields[i].kind].own(arena, (char *)copy + resource_fields[i].offset);
    return copy;
}

const struct value *resource_next_value(const struct resource *resource, size_t *cursor)
{
    while (*cursor < resource_field_count) {
        const struct resource_field *field = &resource_fields[(*cursor)++];
        if (field->kind == KIND_VALUE || field->kind == KIND_PROPERTIES)
            return (const void *)((const char *)resource + field->offset);
    }
    return NULL;
}

bool resource_contains(const struct resource *resource, bool (*test)(struct value value))
{
    const struct value *value;

    for (size_t cursor = 0; (value = resource_next_value(resource, &cursor));)
        if (test(*value))
            return true;
    return false;
}
