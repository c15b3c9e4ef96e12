/* fuzz_schema.c — any text is a schema or is refused; every token of a schema is found under
 * its own name, and what is read of it has an end: types that contain themselves, too. */
#include "base/arena.h"
#include "schema/schema.h"
#include "schema/schema_check.h"
#include "schema/schema_package.h"

#include <stdlib.h>

enum { MAX_DEPTH = 6 };

static void look_at(struct arena *arena, const struct schema_properties *properties, unsigned depth)
{
    for (size_t i = 0; properties && i < properties->len; i++) {
        struct schema_type *type = properties->items[i].type;
        if (i && str_compare(properties->items[i - 1].name, properties->items[i].name) > 0)
            abort(); /* they are sorted */
        if (!type || schema_type_text(arena, type).len == 0)
            abort(); /* a property has a type, and a type a name */
        while (type->kind == TYPE_ARRAY || type->kind == TYPE_MAP)
            type = type->element;
        if (depth < MAX_DEPTH && type->kind == TYPE_OBJECT)
            look_at(arena, schema_type_properties(type), depth + 1);
    }
}

/* A schema that can be read can be checked, and every complaint says something. */
static void check(struct arena *arena, str text)
{
    CLEANUP(schema_complaints_release) struct schema_complaints complaints = { 0 };
    const struct schema_check_options options = { 0 };

    error_free(schema_check_json(arena, text, &options, &complaints));
    for (size_t i = 0; i < complaints.len; i++)
        if (complaints.items[i].text.len == 0)
            abort();
}

static void look_at_list(struct strs tokens, const struct map *definitions)
{
    if (tokens.len != definitions->len)
        abort();
    for (size_t i = 0; i < tokens.len; i++)
        if (!map_has(definitions, tokens.items[i])
            || (i && str_compare(tokens.items[i - 1], tokens.items[i]) >= 0))
            abort(); /* everything once, sorted */
}

/* What an SDK is made from: every list is whole, and every package has a provider. */
static void look_at_package(struct arena *arena, struct schema *schema)
{
    struct schema_properties config = schema_config(schema);
    struct strs types = schema_type_tokens(schema);

    look_at_list(schema_resource_tokens(schema), &schema->resources);
    look_at_list(schema_function_tokens(schema), &schema->functions);
    look_at_list(types, &schema->types);
    look_at(arena, &config, 0);
    for (size_t i = 0; i < types.len; i++)
        if (!schema_named_type(schema, types.items[i]))
            abort();
    if (!schema_provider(schema)->is_provider)
        abort();
    schema_dependencies(schema);
    schema_language(schema, schema->language, STR("go"));
    schema_function_is_method(schema, STR("p:index:f"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    const struct map_entry *entry;
    struct schema *schema;

    if (size > 1 << 16)
        return 0;
    check(&arena, arena_copy(&arena, (str){ (const char *)data, size }));
    struct error *failure =
        schema_read(&arena, arena_copy(&arena, (str){ (const char *)data, size }), &schema);
    if (failure) {
        error_free(failure);
        return 0;
    }
    for (size_t i = 0; map_next(&schema->resources, &i, &entry);) {
        const struct schema_resource *resource = schema_resource(schema, entry->key);
        if (!str_equal(schema_resolve_resource(schema, entry->key), entry->key))
            abort();
        if (!resource)
            continue;
        look_at(&arena, &resource->inputs, 0);
        look_at(&arena, &resource->outputs, 0);
        schema_replace_paths(&arena, resource);
    }
    for (size_t i = 0; map_next(&schema->functions, &i, &entry);) {
        const struct schema_function *function = schema_function(schema, entry->key);
        if (function)
            look_at(&arena, &function->inputs, 0);
    }
    look_at_package(&arena, schema);
    schema_release(schema);
    return 0;
}
