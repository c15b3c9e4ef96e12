/* loader.h — schemas of packages, from whoever asked for code. */
#pragma once

#include "schema/schema.h"

#include "pb/plugin.pb-c.h"

struct rpc_client;

struct loader {
    str address;               /* may be empty: nobody has schemas */
    struct rpc_client *client; /* opened when needed */
};
void loader_release(struct loader *loader);

/* The text of a schema, for struct schema_others. Blocks. */
fallible loader_load(void *loader, const struct schema_dependency *wanted, struct arena *arena,
                     str *json);
/* A package as messages describe it. */
struct schema_dependency loader_wanted(struct arena *arena, const Pb__PackageDependency *package);
/* The bytes of a parameter as struct schema_dependency has them. */
str loader_parameter_text(struct arena *arena, str bytes);
