/* code_schemas.c — schemas for the time that code is made. */
#include "cli/codegen/code_schemas.h"

#include "cli/open.h"
#include "cli/package/package_schema.h"

void code_schemas_release(struct code_schemas *schemas)
{
    const struct map_entry *entry;

    for (size_t i = 0; map_next(&schemas->schemas, &i, &entry);)
        schema_release(entry->value);
    map_release(&schemas->schemas);
    map_release(&schemas->texts);
}

static str package_label(struct arena *arena, const struct package_ref *package)
{
    return arena_concat(arena, package->name, STR("\n"), package->version, STR("\n"),
                        package->parameter_name, STR("\n"), package->parameter_value);
}

void code_schemas_put(struct code_schemas *schemas, const struct package_ref *package, str text)
{
    struct arena *own = schemas->cli->arena;

    map_put(&schemas->texts, package_label(own, package),
            arena_copy_bytes(own, &text, sizeof(text)));
}

fallible code_schemas_text(void *schemas_, const struct package_ref *package, struct arena *arena,
                           str *out)
{
    struct code_schemas *schemas = schemas_;
    struct arena *own = schemas->cli->arena;
    str key = package_label(own, package);
    str *known = map_find(&schemas->texts, key);

    (void)arena;
    if (!known) {
        known = ARENA_NEW(own, str);
        TRY(package_schema_load(schemas->cli, schemas->host, package, own, known));
        map_put(&schemas->texts, key, known);
    }
    *out = *known;
    return known->len ? NULL : error_new(ERROR_NOT_FOUND, "the package has no schema");
}

/* A package without a schema, or whose schema is not available, is printed as the state has it. */
fallible code_schemas_find(void *schemas_, const struct package_ref *package, struct schema **out)
{
    struct code_schemas *schemas = schemas_;
    str key = package_label(schemas->cli->arena, package), text;

    *out = map_find(&schemas->schemas, key);
    if (*out)
        return NULL;
    struct error *failure = code_schemas_text(schemas, package, schemas->cli->arena, &text);
    if (!failure)
        failure = schema_read(schemas->cli->arena, text, out);
    if (failure) {
        cli_report(schemas->cli, "warning",
                   arena_printf(schemas->cli->arena,
                                "the code is printed without the schema of package '" STR_FMT
                                "': " STR_FMT,
                                STR_ARG(package->name), STR_ARG(error_message(failure))));
        error_free(failure);
        *out = NULL;
        return NULL;
    }
    map_put(&schemas->schemas, key, *out);
    return NULL;
}
