/* schemas.h — the schemas of the packages of one run, loaded when they are first needed. */
#pragma once

#include "fiber/sync.h"
#include "yaml/schema/packages.h"
#include "schema/schema.h"

/* Gets the text of a schema; an error means that there is none. Blocks. */
struct schema_loader {
    void *context;
    fallible (*load)(void *context, const struct package_decl *package, struct arena *arena,
                     str *json);
};

struct schemas {
    struct arena *arena;
    struct schema_loader loader;
    const struct packages *packages;
    struct map loaded; /* package → struct loaded_schema * */
};

void schemas_init(struct schemas *schemas, struct arena *arena, struct schema_loader loader,
                  const struct packages *packages);
void schemas_release(struct schemas *schemas);

struct found_token {
    str full;
    str package_ref; /* the engine's, of the package that has it; may be empty */
};

/* The full token and, if there is a schema, what it says. Without a schema the token is completed
 * as is usual. The error says that the package has no such thing or cannot be loaded. `version` and
 * `url` are of the program's options and may be empty. Blocks. */
fallible schemas_resource(struct schemas *schemas, str token, str version, str url,
                          struct found_token *found, const struct schema_resource **out);
fallible schemas_function(struct schemas *schemas, str token, str version, str url,
                          struct found_token *found, const struct schema_function **out);

/* The package of a token; that of "pulumi:providers:NAME" is NAME. */
str package_of_token(str token);
