/* code_schemas.h — schemas for the time that code is made: both the command line and language hosts
 * ask for them, and each plugin is started once. */
#pragma once

#include "cli/cli.h"

#include "plugin/plugin.h"
#include "schema/schema.h"

struct code_schemas {
    struct cli *cli;
    struct plugin_host *host;
    struct map texts;   /* package and version → str * */
    struct map schemas; /* the same → struct schema * */
};
void code_schemas_release(struct code_schemas *schemas);

/* Who asks for that package is given the text. */
void code_schemas_put(struct code_schemas *schemas, const struct package_ref *package, str text);
/* For struct schema_source. Blocks. */
fallible code_schemas_text(void *schemas, const struct package_ref *package, struct arena *arena,
                           str *out);
/* NULL, and a warning, if there is none. Blocks. */
fallible code_schemas_find(void *schemas, const struct package_ref *package, struct schema **out);
