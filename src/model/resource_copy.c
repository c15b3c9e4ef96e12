/* resource_copy.c — copies of a resource, comparison, and its values one by one, by the list of
 * fields. */
#include "model/resource_fields.h"

#include <string.h>

struct resource *resource_clone_shallow(struct arena *arena, const struct resource *resource)
{
    return arena_copy_bytes(arena, resource, sizeof(*resource));
}

struct resource *resource_copy_like(struct arena *arena, const struct resource *resource,
                                    const struct resource *like)
{
    struct resource *copy = resource_clone_shallow(arena, resource);

    for (size_t i = 0; i < resource_field_count; i++) {
        const struct field_ops *ops = &field_ops[resource_fields[i].kind];
        char *member = (char *)copy + resource_fields[i].offset;
        const char *other = like ? (const char *)like + resource_fields[i].offset : NULL;
        if (other && ops->is_equal(member, other))
            memcpy(member, other, ops->size);
        else
            ops->own(arena, member);
    }
    return copy;
}

bool resource_identical(const struct resource *a, const struct resource *b)
{
    for (size_t i = 0; i < resource_field_count; i++) {
        size_t offset = resource_fields[i].offset;
        if (!field_ops[resource_fields[i].kind].is_equal((const char *)a + offset,
                                                         (const char *)b + offset))
            return false;
    }
    return true;
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
